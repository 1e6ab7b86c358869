CREATE TABLE t (i INT, l BIGINT NOT NULL, h DECIMAL(10, 0) NOT NULL, e DECIMAL(5, 2), g DECIMAL(38, 0), s SMALLINT, z DECIMAL(5, 0));
SELECT MOD(h, i) AS a, MOD(i, h) AS b, MOD(h, e) AS c, MOD(e, h) AS d, MOD(h, l) AS e, MOD(g, i) AS f, MOD(g, h) AS g, MOD(h, s) AS h, MOD(z, h) AS i, MOD(h, z) AS j, MOD(l, z) AS k FROM t;
SELECT h % i AS a, i % h AS b, h % e AS c, e % h AS d, h % l AS e, g % i AS f, g % h AS g, h % s AS h, z % h AS i, h % z AS j, l % z AS k FROM t;
INSERT INTO t VALUES (7, 100, 9999999999, 1.5, CAST('1234567890123456789012' AS DECIMAL(38, 0)), CAST(7 AS SMALLINT), 12345);
SELECT MOD(h, i) AS a, MOD(i, h) AS b, MOD(h, l) AS e, MOD(g, h) AS g, MOD(h, s) AS h, h % i AS i FROM t;
