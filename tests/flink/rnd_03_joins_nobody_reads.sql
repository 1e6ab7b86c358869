-- An outer join of which one side is not read: its changes are no changes of the result.
CREATE TABLE s (id INT, k STRING, v INT);
CREATE TABLE u (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED);
CREATE TABLE t (id INT, k STRING, v INT) WITH ('changelog.mode' = 'retract');
INSERT INTO s VALUES (1, 'a', 2), (2, 'b', 3);
-- kinds: +I +I +U -D
INSERT INTO u VALUES (1, 'a', 7), (2, 'a', 5), (1, 'b', 8), (2, 'a', 5);
-- kinds: +I +I -D
INSERT INTO t VALUES (1, 'a', 7), (1, 'a', 5), (1, 'a', 7);
INSERT INTO s VALUES (1, 'a', 4);
SELECT x.id, x.v FROM s AS x LEFT JOIN u AS y ON x.id = y.id;
SELECT x.id, x.v FROM u AS y RIGHT JOIN s AS x ON x.id = y.id AND y.v > 7;
SELECT x.k, COUNT(*) AS n FROM s AS x LEFT JOIN u AS y ON x.id = y.id GROUP BY x.k;
SELECT DISTINCT x.k FROM s AS x LEFT JOIN t AS y ON x.id = y.id;
SELECT x.k, COUNT(DISTINCT x.v) AS n FROM s AS x LEFT JOIN t AS y ON x.id = y.id GROUP BY x.k;
SELECT k, n FROM (SELECT x.k, COUNT(*) AS n, MAX(y.v) AS m FROM s AS x LEFT JOIN u AS y ON x.id = y.id GROUP BY x.k);
-- unordered
SELECT DISTINCT y.id FROM t AS x JOIN u AS y ON x.k = y.k;
-- unordered
SELECT y.id, MAX(y.v) AS m FROM t AS x JOIN u AS y ON x.id = y.id GROUP BY y.id;
