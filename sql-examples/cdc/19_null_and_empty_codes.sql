-- A row without an operation code fails, by default and with FAIL: every change has to say what it is.
-- With SKIP it is left out. An empty string is a code like any other, and no mapping has it, so it is left out as well.
CREATE TABLE ev (id INT, op STRING, name STRING);
INSERT INTO ev VALUES
  (1, 'INSERT', 'a'),
  (1, NULL, 'b'),
  (2, 'INSERT', 'c'),
  (2, '', 'd'),
  (2, 'DELETE', 'c');
SELECT * FROM FROM_CHANGELOG(input => TABLE ev);
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, error_handling => 'FAIL');
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, error_handling => 'SKIP');
