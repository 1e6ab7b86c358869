-- 51: UUID, RAND and CURRENT_TIMESTAMP on an updating stream. A retraction must carry the values with
-- which the row was given, and these functions give others. Flink says nothing of it unless it is asked.
CREATE TABLE ev (id INT, op STRING, name STRING, ts STRING);
INSERT INTO ev VALUES
  (1, 'INSERT', 'a', '2024-01-01 00:00:00'), (1, 'UPDATE_BEFORE', 'a', '2024-01-01 00:00:00'),
  (1, 'UPDATE_AFTER', 'b', '2024-01-01 00:00:01'), (1, 'DELETE', 'b', '2024-01-01 00:00:01');
CREATE VIEW t AS SELECT * FROM FROM_CHANGELOG(input => TABLE ev);
SET 'table.optimizer.non-deterministic-update.strategy' = 'TRY_RESOLVE';
-- (A) Two rows would be left.
SELECT id, name, UUID() AS u FROM t;
-- (B) Of a text, this is always the same; only Flink thinks otherwise.
SELECT id FROM t WHERE UNIX_TIMESTAMP(ts, 'yyyy-MM-dd HH:mm:ss') > 0;
-- (C) Any of the four changes would pass or not by itself.
SELECT id, name FROM t WHERE RAND() < 0.5;
SELECT id, CURRENT_TIMESTAMP AS seen FROM t;

-- A notice says so where it is not refused.
SET 'table.optimizer.non-deterministic-update.strategy' = 'IGNORE';
SELECT id, CHAR_LENGTH(UUID()) AS u FROM t;
SELECT id, name FROM t WHERE RAND() < 2;

-- Where rows are only appended, or are taken back by their key, all is well.
SELECT op, CHAR_LENGTH(UUID()) AS u FROM ev;
CREATE TABLE names (id INT, name STRING, u INT, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO names SELECT id, MAX(name), CHAR_LENGTH(UUID()) FROM ev GROUP BY id;

-- A table with a key decides once for each version of a row, where Flink decides for each change.
SELECT id FROM names WHERE u > RAND();
