-- A table of upserts that is read twice is normalised once, with all columns and the filters that both have.
CREATE TABLE t (id INT, k STRING, v INT, w INT, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO t VALUES (1, 'a', 1, 1), (2, 'b', 2, 2), (3, 'a', 3, 3), (2, 'b', 20, 2), (1, 'a', 1, 10), (3, 'a', 3, 30), (2, 'c', 20, 21);
-- kinds: -D
INSERT INTO t VALUES (3, 'a', 3, 30);
EXPLAIN CHANGELOG_MODE SELECT id FROM t WHERE v > 1 UNION ALL SELECT id FROM t WHERE v > 1;
EXPLAIN CHANGELOG_MODE SELECT id FROM t WHERE v > 1 AND w > 2 UNION ALL SELECT w FROM t WHERE v > 1 AND w > 2;
EXPLAIN CHANGELOG_MODE SELECT id FROM t WHERE v > 1 AND w > 2 AND id > 1 UNION ALL SELECT w FROM t WHERE v > 1 AND id > 1;
EXPLAIN CHANGELOG_MODE SELECT id FROM t WHERE id > 1 UNION ALL SELECT id FROM t WHERE id > 2;
EXPLAIN CHANGELOG_MODE SELECT * FROM t UNION ALL SELECT * FROM t;
EXPLAIN CHANGELOG_MODE SELECT id FROM t WHERE k IN (SELECT k FROM t WHERE v > 2);
EXPLAIN CHANGELOG_MODE SELECT a.id, b.n FROM t a JOIN (SELECT k, COUNT(*) AS n FROM t GROUP BY k) b ON a.k = b.k;
-- unordered
SELECT id FROM t WHERE v > 1 UNION ALL SELECT id FROM t WHERE v > 1;
-- unordered
SELECT id, v FROM t UNION ALL SELECT id, w FROM t;
-- unordered
SELECT id FROM t WHERE v > 1 AND w > 2 UNION ALL SELECT w FROM t WHERE v > 1 AND w > 2;
-- unordered
SELECT id FROM t WHERE v > 1 AND w > 2 AND id > 1 UNION ALL SELECT w FROM t WHERE v > 1 AND id > 1;
-- unordered
SELECT id FROM t WHERE v > 1 UNION ALL SELECT id FROM t;
