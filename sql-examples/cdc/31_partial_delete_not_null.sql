-- A delete that carries the key alone has no values, so that a NOT NULL column does not mind. An insert or update does.
CREATE TABLE ev (op STRING, k1 INT, k2 STRING, v INT);
INSERT INTO ev VALUES
  ('c', 1, 'a', 5),
  ('c', 1, 'b', 6),
  ('u', 1, 'a', 7),
  ('d', 1, 'a', NULL);
CREATE TABLE t (k1 INT, k2 STRING, v INT NOT NULL, PRIMARY KEY (k1, k2) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO t SELECT k1, k2, v FROM FROM_CHANGELOG(input => TABLE ev PARTITION BY (k1, k2),
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
-- log: t
SELECT * FROM t;
SELECT k1, ROW(v, k2) AS r FROM t;

INSERT INTO ev VALUES ('u', 1, 'b', NULL);
