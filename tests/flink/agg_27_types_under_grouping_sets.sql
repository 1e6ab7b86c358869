-- Aggregates of NOT NULL columns are NOT NULL under all grouping sets. A set that is there twice gives its rows twice.
CREATE TABLE r (id INT NOT NULL, k STRING NOT NULL, v INT NOT NULL, n INT);
INSERT INTO r VALUES (1, 'a', 2, 3), (1, 'b', 4, CAST(NULL AS INT)), (2, 'a', 3, 1);
-- unordered
SELECT id, k, MAX(v) AS a, SUM(id) AS b, MIN(n) AS c, COUNT(n) AS d, AVG(v) AS e FROM r GROUP BY ROLLUP (id, k);
-- unordered
SELECT id, MAX(v) AS a, SUM(id) AS b, MIN(n) AS c FROM r GROUP BY GROUPING SETS ((id), ());
-- unordered
SELECT id, k, MAX(v) AS a FROM r GROUP BY id, ROLLUP (k);
-- unordered
SELECT id, MAX(v) FILTER (WHERE v > 2) AS a FROM r GROUP BY ROLLUP (id);
-- unordered
SELECT MAX(v) AS a, SUM(id) AS b FROM r GROUP BY GROUPING SETS (());
SELECT MAX(v) AS a, SUM(id) AS b FROM r GROUP BY ();
-- unordered
SELECT id, COUNT(*) AS c FROM r GROUP BY GROUPING SETS ((id), (id));
-- unordered
SELECT id, COUNT(*) AS c FROM r GROUP BY GROUPING SETS ((), ()), id;
-- unordered
SELECT id, COUNT(*) AS c FROM r GROUP BY id, ROLLUP (id);
