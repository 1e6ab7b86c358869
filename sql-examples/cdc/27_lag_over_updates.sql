-- LAG by time takes rows that are only appended, so it refuses an updating table; but its changelog is append-only.
-- TO_CHANGELOG keeps ts as the time, and leaving out UPDATE_BEFORE and DELETE gives each order's statuses in turn.
CREATE TABLE ev (
  op STRING, order_id INT, status STRING, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
);
INSERT INTO ev VALUES
  ('INSERT',        1, 'CREATED',   TIMESTAMP '2024-01-01 00:00:01'),
  ('INSERT',        2, 'CREATED',   TIMESTAMP '2024-01-01 00:00:02'),
  ('UPDATE_BEFORE', 1, 'CREATED',   TIMESTAMP '2024-01-01 00:00:01'),
  ('UPDATE_AFTER',  1, 'SHIPPED',   TIMESTAMP '2024-01-01 00:00:03'),
  ('UPDATE_BEFORE', 1, 'SHIPPED',   TIMESTAMP '2024-01-01 00:00:03'),
  ('UPDATE_AFTER',  1, 'DELIVERED', TIMESTAMP '2024-01-01 00:00:04'),
  ('DELETE',        2, 'CREATED',   TIMESTAMP '2024-01-01 00:00:02');

CREATE VIEW orders AS SELECT * FROM FROM_CHANGELOG(input => TABLE ev);

-- Refused: the orders change.
SELECT order_id, status, LAG(status) OVER (PARTITION BY order_id ORDER BY ts) AS prev_status FROM orders;

-- Answered: what happened to the orders does not change.
CREATE VIEW orders_log AS
SELECT op, order_id, status, ts FROM TO_CHANGELOG(
  input => TABLE orders, op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER']);
SELECT order_id, op, status, LAG(status) OVER (PARTITION BY order_id ORDER BY ts) AS prev_status FROM orders_log;
