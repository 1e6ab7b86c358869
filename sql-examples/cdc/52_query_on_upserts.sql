-- Queries straight on upserts, which Flink refuses: a notice tells, and the last row of each key is kept.
-- The delete of b carries the key alone. It takes the row that was there, so no filter, sum or join keeps it.
CREATE TABLE ev (id INT, op STRING, name STRING, amount INT);
INSERT INTO ev VALUES (1, 'c', 'a', 10), (2, 'c', 'b', 20), (1, 'u', 'a2', 15), (2, 'd', CAST(NULL AS STRING), CAST(NULL AS INT));
CREATE VIEW u AS SELECT * FROM FROM_CHANGELOG(input => TABLE ev PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
SELECT * FROM u;
SELECT * FROM u WHERE amount > 5;
SELECT COUNT(*) AS n, SUM(amount) AS s FROM u;
SELECT u.id, x.tag FROM u JOIN (VALUES (1, 'one'), (2, 'two')) AS x (id, tag) ON u.id = x.id AND u.name IS NOT NULL;
-- This one Flink takes: the changes as they are, with codes.
SELECT * FROM TO_CHANGELOG(input => TABLE u);
