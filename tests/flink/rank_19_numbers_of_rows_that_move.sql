-- With the number in the result, a row that moves up leaves its old number before the others move down.
CREATE TABLE e (k STRING) WITH ('changelog.mode' = 'append');
INSERT INTO e VALUES ('a'), ('b'), ('c'), ('c'), ('d'), ('d'), ('b'), ('b'), ('b'), ('e'), ('a'), ('a'), ('a'), ('e'), ('e'), ('e'), ('e'), ('e');
SELECT k, n, rn FROM (SELECT k, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT k, COUNT(*) AS n FROM e GROUP BY k)) WHERE rn <= 3;
SELECT k, n, rn FROM (SELECT k, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT k, COUNT(*) AS n FROM e GROUP BY k)) WHERE rn <= 10;
SELECT k, n FROM (SELECT k, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT k, COUNT(*) AS n FROM e GROUP BY k)) WHERE rn > 1 AND rn <= 3;
CREATE TABLE t (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (2, 20), (4, 4), (0, 0), (4, 40), (5, 5), (3, 3);
SELECT id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY id DESC) AS rn FROM t) WHERE rn <= 3;
SELECT id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY id) AS rn FROM t) WHERE rn <= 3;
SELECT id, v, rn FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY id DESC) AS rn FROM t) WHERE rn <= 10;
SELECT id, v FROM t ORDER BY id DESC LIMIT 2 OFFSET 1;
