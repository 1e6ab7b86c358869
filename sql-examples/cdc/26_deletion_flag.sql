-- TO_CHANGELOG as a deletion flag: INSERT and UPDATE_AFTER are false, DELETE is true. UPDATE_BEFORE has no code.
-- Whoever reads it takes the last row of a name. The result is append-only, so it can be counted by flag.
CREATE TABLE ev (op STRING, name STRING, score BIGINT);
INSERT INTO ev VALUES
  ('INSERT', 'Alice', 10), ('INSERT', 'Bob', 20),
  ('UPDATE_BEFORE', 'Alice', 10), ('UPDATE_AFTER', 'Alice', 30),
  ('DELETE', 'Bob', 20);
CREATE VIEW t AS SELECT * FROM FROM_CHANGELOG(input => TABLE ev);
SELECT * FROM TO_CHANGELOG(
  input => TABLE t, op => DESCRIPTOR(deleted),
  op_mapping => MAP['INSERT, UPDATE_AFTER', 'false', 'DELETE', 'true']);
SELECT deleted, COUNT(*) AS n FROM TO_CHANGELOG(
  input => TABLE t, op => DESCRIPTOR(deleted),
  op_mapping => MAP['INSERT, UPDATE_AFTER', 'false', 'DELETE', 'true'])
GROUP BY deleted;
