-- Codes in the data are matched exactly: C and a c after a blank are not c. Blanks in the mapping do not count.
-- LOWER and TRIM in a view make the data even: then nothing is lost.
CREATE TABLE ev (id INT, op STRING, name STRING);
INSERT INTO ev VALUES
  (1, 'c', 'a'),
  (2, 'C', 'b'),
  (3, ' c', 'x'),
  (4, 'c', 'd'),
  (4, 'd', 'd');
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP[' c ', ' INSERT ', 'd', 'DELETE'], error_handling => 'SKIP');

CREATE VIEW ev_norm AS SELECT id, LOWER(TRIM(op)) AS op, name FROM ev;
SELECT * FROM FROM_CHANGELOG(input => TABLE ev_norm, op_mapping => MAP['c', 'INSERT', 'd', 'DELETE']);
