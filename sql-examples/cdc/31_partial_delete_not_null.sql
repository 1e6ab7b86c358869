-- A delete that carries the key alone brings NULL into a NOT NULL column, and fails as it does in Flink.
-- COALESCE gives it a value that nobody reads: the delete goes by the key, and takes the row that is there.
CREATE TABLE ev (op STRING, k1 INT, k2 STRING, v INT);
INSERT INTO ev VALUES
  ('c', 1, 'a', 5),
  ('c', 1, 'b', 6),
  ('u', 1, 'a', 7),
  ('d', 1, 'a', NULL);
CREATE TABLE t (k1 INT, k2 STRING, v INT NOT NULL, PRIMARY KEY (k1, k2) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO t SELECT k1, k2, COALESCE(v, 0) AS v FROM FROM_CHANGELOG(input => TABLE ev PARTITION BY (k1, k2),
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
SELECT * FROM t;
SELECT k1, ROW(v, k2) AS r FROM t;

-- Without it, the NULL of the delete is refused.
INSERT INTO t SELECT k1, k2, v FROM FROM_CHANGELOG(input => TABLE ev PARTITION BY (k1, k2),
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
