CREATE TABLE a (id INT, v INT, s STRING);
CREATE TABLE r (id INT, v INT, s STRING) WITH ('changelog.mode' = 'retract');
CREATE TABLE rk (id INT, v INT, s STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'retract');
CREATE TABLE u (id INT, v INT, s STRING, PRIMARY KEY (id) NOT ENFORCED);
SET 'table.optimizer.non-deterministic-update.strategy' = 'TRY_RESOLVE';
INSERT INTO a VALUES (1, 10, 'x'), (2, 20, 'y');
-- kinds: +I -U +U -D
INSERT INTO r VALUES (1, 10, 'x'), (1, 10, 'x'), (1, 20, 'y'), (1, 20, 'y');
SELECT id, CHAR_LENGTH(UUID()) AS x FROM a;
SELECT id, CHAR_LENGTH(UUID()) AS x FROM r;
SELECT id, CHAR_LENGTH(UUID()) AS x FROM rk;
SELECT id, CHAR_LENGTH(UUID()) AS x FROM u;
SELECT id, v FROM r WHERE RAND() < 2;
SELECT id, v FROM r WHERE v < 20;
EXPLAIN SELECT id, UUID() AS x FROM r;
EXPLAIN SELECT id, UUID() AS x FROM u;
