-- ORDER BY the primary key: Flink forgets rows beyond the last number and takes a delete for an update.
CREATE TABLE t (id INT, k STRING, v INT, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2), (3, 'a', 3), (2, 'b', 20), (4, 'c', 4);
-- kinds: -D +I -D +U
INSERT INTO t VALUES (1, 'a', 1), (0, 'z', 0), (0, 'z', 0), (5, 'e', 5);
SELECT id, v FROM t ORDER BY id LIMIT 2;
SELECT id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY id) AS rn FROM t) WHERE rn <= 2;
-- MIN moves a row back when its first value comes after NULL.
CREATE TABLE e (k STRING, v INT) WITH ('changelog.mode' = 'append');
INSERT INTO e VALUES ('a', CAST(NULL AS INT)), ('b', 3), ('c', 4), ('d', 5), ('a', 50);
SELECT k, n FROM (SELECT k, MIN(v) AS n FROM e GROUP BY k) ORDER BY n LIMIT 3;
SELECT k, n, rn FROM (SELECT k, n, ROW_NUMBER() OVER (ORDER BY n) AS rn FROM (SELECT k, MIN(v) AS n FROM e GROUP BY k)) WHERE rn <= 3;
