-- Change events in a CSV file become a table, a query over it, and CSV in another dialect.
CREATE TABLE events (op STRING, id INT, region STRING, amount DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/files/events.csv',
  'format' = 'csv'
);

CREATE VIEW orders AS
SELECT * FROM FROM_CHANGELOG(
  input => TABLE events,
  op => DESCRIPTOR(op),
  op_mapping => MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE']);

SELECT * FROM orders;
SELECT region, COUNT(*) AS cnt, SUM(amount) AS total FROM orders GROUP BY region;

-- A pipeline over files ends when it has read them.
CREATE TABLE changes (kind STRING, region STRING, cnt BIGINT) WITH ('connector' = 'stdout', 'format' = 'csv');
INSERT INTO changes
SELECT * FROM TO_CHANGELOG(
  input => TABLE (SELECT region, COUNT(*) AS cnt FROM orders GROUP BY region),
  op => DESCRIPTOR(kind),
  op_mapping => MAP['INSERT', 'new', 'UPDATE_BEFORE', 'old', 'UPDATE_AFTER', 'new', 'DELETE', 'gone']);
