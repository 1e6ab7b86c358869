CREATE TABLE r (id INT, v INT, s STRING) WITH ('changelog.mode' = 'retract');
CREATE TABLE bag (id INT, x STRING) WITH ('changelog.mode' = 'retract');
-- kinds: +I -U +U -D
INSERT INTO r VALUES (1, 10, 'x'), (1, 10, 'x'), (1, 20, 'y'), (1, 20, 'y');
SELECT id, CHAR_LENGTH(UUID()) AS x FROM r;
SELECT id, v FROM r WHERE RAND() < 2;
SET 'table.optimizer.non-deterministic-update.strategy' = 'TRY_RESOLVE';
SELECT id, CHAR_LENGTH(UUID()) AS x FROM r;
SET 'table.optimizer.non-deterministic-update.strategy' = 'IGNORE';
SELECT id, CHAR_LENGTH(UUID()) AS x FROM r;
SET 'table.optimizer.non-deterministic-update.strategy' = 'try_resolve';
SELECT id, v FROM r WHERE RAND() < 2;
