-- Groups of one row change as the row does.
CREATE TABLE u (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED);
-- kinds: +I +I +U +I -D -D +I +U
INSERT INTO u VALUES (1, 'b', 1), (2, 'c', 2), (2, CAST(NULL AS STRING), 2), (3, 'c', 3), (2, CAST(NULL AS STRING), 2), (1, 'b', 1), (4, 'c', 4), (3, 'a', 30);
SELECT DISTINCT id, k FROM u;
SELECT id, k, SUM(v) AS s, MIN(v) AS m FROM u GROUP BY id, k;
SELECT id, k FROM (SELECT id, k, COUNT(*) AS n FROM u GROUP BY id, k);
SELECT id, k, COUNT(*) AS n FROM u GROUP BY id, k;
SELECT id, SUM(v) AS s FROM u GROUP BY id HAVING SUM(v) > 2;
SELECT DISTINCT k FROM (SELECT k, v FROM u ORDER BY v DESC, id LIMIT 1);
