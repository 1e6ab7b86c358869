-- TO_CHANGELOG writes any table as rows with codes, and FROM_CHANGELOG makes the same table of them again.
-- The code comes first, as column op. With the default names both need no mapping.
CREATE TABLE ev (id INT, op STRING, name STRING);
INSERT INTO ev VALUES
  (1, 'INSERT', 'Alice'),
  (2, 'INSERT', 'Bob'),
  (1, 'UPDATE_BEFORE', 'Alice'),
  (1, 'UPDATE_AFTER', 'Alice2'),
  (2, 'DELETE', 'Bob');
CREATE VIEW a AS SELECT * FROM FROM_CHANGELOG(input => TABLE ev);
CREATE VIEW b AS SELECT * FROM TO_CHANGELOG(input => TABLE a);
SELECT * FROM b;
SELECT * FROM FROM_CHANGELOG(input => TABLE b);
