-- Which columns are cut before changes are normalised: not below UNNEST and LIMIT, not what unused aggregates read.
CREATE TABLE t (id INT, k STRING, v INT, w INT, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO t VALUES (1, 'a', 1, 1), (2, 'b', 2, 2), (3, 'a', 3, 3), (2, 'b', 20, 2), (1, 'a', 1, 10), (3, 'a', 3, 30), (2, 'b', 20, 21);
-- kinds: -D
INSERT INTO t VALUES (3, 'a', 3, 30);
SELECT k, n FROM (SELECT k, COUNT(*) AS n, SUM(v) AS s FROM t GROUP BY k);
SELECT COUNT(*) AS n FROM (SELECT k, COUNT(*) AS n, SUM(v) AS s FROM t GROUP BY k);
SELECT k FROM (SELECT k, MAX(w) FILTER (WHERE v > 1) AS n FROM t GROUP BY k);
CREATE TABLE a (id INT, es ARRAY<INT>, b INT, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO a VALUES (1, ARRAY[1, 2], 1), (1, ARRAY[1, 2], 2), (2, ARRAY[3], 1), (1, ARRAY[1], 2);
SELECT id, e FROM a CROSS JOIN UNNEST(es) AS u (e);
SELECT e, COUNT(*) AS n FROM a CROSS JOIN UNNEST(es) AS u (e) GROUP BY e;
SELECT id, e FROM a LEFT JOIN UNNEST(es) AS u (e) ON TRUE LIMIT 2;
-- A change of the watermark's column alone is no change.
CREATE TABLE m (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO m VALUES (1, 'a', 1, TIMESTAMP '2024-01-01 00:00:00'), (1, 'a', 1, TIMESTAMP '2024-01-01 00:00:05'), (1, 'b', 1, TIMESTAMP '2024-01-01 00:00:06'), (2, 'b', 2, TIMESTAMP '2024-01-01 00:00:07');
SELECT id, k FROM m;
SELECT k, COUNT(*) AS n FROM m GROUP BY k;
SELECT id, k FROM m WHERE v > 0;
SELECT * FROM TO_CHANGELOG(input => (SELECT id, k FROM m));
