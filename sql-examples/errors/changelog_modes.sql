-- Operators that do not fit together: what the lower one gives, the upper one does not take.
CREATE TABLE users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED);
CREATE TABLE events (id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
CREATE TABLE changes (id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (id) NOT ENFORCED);
CREATE TABLE cdc (op STRING, id INT, name STRING);
CREATE TABLE log (id INT, name STRING) WITH ('changelog.mode' = 'append');
CREATE TABLE counts (id INT, n BIGINT) WITH ('changelog.mode' = 'append');
CREATE TABLE keyed (id INT, n BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'append');
CREATE TABLE bag (id INT, name STRING) WITH ('changelog.mode' = 'retract');
INSERT INTO counts SELECT id, COUNT(*) FROM events GROUP BY id;
INSERT INTO keyed SELECT id, COUNT(*) FROM events GROUP BY id;
INSERT INTO log SELECT * FROM users;
INSERT INTO log SELECT e.id, u.name FROM events AS e LEFT JOIN users AS u ON e.id = u.id;
INSERT INTO log SELECT id, name FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS n FROM events) WHERE n = 1;
INSERT INTO log SELECT DISTINCT id, name FROM users;
INSERT INTO log SELECT id, name FROM events UNION SELECT id, name FROM events;
INSERT INTO log SELECT id, name FROM events ORDER BY name LIMIT 3;
INSERT INTO log SELECT id, name FROM events WHERE id NOT IN (SELECT id FROM users);
SELECT id, LAG(name) OVER (PARTITION BY id ORDER BY ts) AS before FROM changes;
SELECT * FROM FROM_CHANGELOG(input => TABLE users, op => DESCRIPTOR(name));
SELECT * FROM changes ORDER BY ts;
SET 'rowkind.strict' = 'true';
SELECT COUNT(*) FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);
INSERT INTO bag SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);
SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
) WHERE name = 'ana';
SELECT * FROM users AS a JOIN FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
) AS b ON a.name = b.name;
