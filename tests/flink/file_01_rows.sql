CREATE TABLE events (op STRING, id INT, region STRING, amount DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/events.csv', 'format' = 'csv');
SELECT * FROM events;
SELECT amount, id FROM events WHERE op = 'c';
SELECT COUNT(*) FROM events;
CREATE TABLE orders (
  id INT, customer ROW<name STRING, tags ARRAY<STRING>>, prices MAP<STRING, DECIMAL(10, 2)>
) WITH ('connector' = 'filesystem', 'path' = 'tests/flink/files/orders.jsonl', 'format' = 'json');
SELECT id, customer, prices['book'] AS book FROM orders;
SELECT id, tag FROM orders CROSS JOIN UNNEST(orders.customer.tags) AS t (tag);
CREATE TABLE lines (line STRING, name STRING NOT NULL METADATA FROM 'file.name' VIRTUAL) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/events.csv', 'format' = 'raw');
SELECT * FROM lines;
CREATE TABLE named (id INT, `file.name` STRING NOT NULL METADATA, `file.size` BIGINT NOT NULL METADATA, region STRING) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/orders.jsonl', 'format' = 'json');
DESCRIBE named;
SELECT * FROM named;
SELECT * FROM FROM_CHANGELOG(input => TABLE events, op => DESCRIPTOR(op), op_mapping => MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE']);
