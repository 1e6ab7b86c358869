-- What a delete carries: in an upsert table only the key. It is made full, unless produces_full_deletes is FALSE.
-- Then Bob's score is NULL in his DELETE. Where the mapping has no UPDATE_BEFORE, none is made.
CREATE TABLE ev (op STRING, name STRING, score BIGINT);
INSERT INTO ev VALUES
  ('c', 'Alice', 10),
  ('c', 'Bob', 20),
  ('u', 'Alice', 30),
  ('d', 'Bob', NULL);
CREATE TABLE t (name STRING, score BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO t SELECT name, score FROM FROM_CHANGELOG(input => TABLE ev PARTITION BY name,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);

SELECT * FROM TO_CHANGELOG(input => TABLE t);
SELECT * FROM TO_CHANGELOG(input => TABLE t, produces_full_deletes => TRUE);
SELECT * FROM TO_CHANGELOG(input => TABLE t, produces_full_deletes => FALSE);
SELECT * FROM TO_CHANGELOG(input => TABLE t PARTITION BY name,
  op_mapping => MAP['INSERT, UPDATE_AFTER', 'U', 'DELETE', 'D'], produces_full_deletes => FALSE);
-- DELETE is not in the mapping, so Bob never leaves.
SELECT * FROM TO_CHANGELOG(input => TABLE t PARTITION BY name,
  op_mapping => MAP['INSERT, UPDATE_AFTER', 'U']);
