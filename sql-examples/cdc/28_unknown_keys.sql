-- Deletes of keys that are not there, twice or too early, change nothing; an update of an unknown key inserts it.
-- So a replayed or reordered topic ends right. The count over the table goes when its last row goes, and comes back.
CREATE TABLE ev (id INT, op STRING, v INT);
INSERT INTO ev VALUES
  (1, 'd', NULL),
  (1, 'c', 5),
  (2, 'd', NULL),
  (3, 'u', 7),
  (3, 'd', NULL),
  (3, 'd', NULL),
  (1, 'u', 6);
CREATE TABLE t (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO t SELECT * FROM FROM_CHANGELOG(input => TABLE ev PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
SELECT * FROM t;
SELECT COUNT(*) AS n, SUM(v) AS s FROM t;
