-- When a match leaves an outer join, each row of the other side gets its row beside NULLs before the next one loses its match.
CREATE TABLE r (id INT, k STRING, v INT);
CREATE TABLE s (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO r VALUES (1, 'a', 2);
INSERT INTO r VALUES (6, 'a', 8);
-- kinds: +I +U
INSERT INTO s VALUES (5, 'a', 7), (5, 'b', 5);
-- unordered
SELECT x.k, COUNT(*) AS n, SUM(y.v) AS s FROM r AS x LEFT JOIN s AS y ON x.k = y.k GROUP BY x.k;
-- unordered
SELECT x.k, COUNT(*) AS n, SUM(y.v) AS s FROM s AS y RIGHT JOIN r AS x ON x.k = y.k GROUP BY x.k;
-- unordered
SELECT x.k, COUNT(*) AS n, SUM(y.v) AS s FROM s AS y FULL JOIN r AS x ON x.k = y.k GROUP BY x.k;
