-- LAG takes only rows that are appended, so TO_CHANGELOG turns the updates of the orders into inserts first.
-- The sink: NEW with NULL before it, SHIPPED with NEW, DELIVERED with SHIPPED.
CREATE TABLE orders (
  order_id INT,
  status STRING,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts,
  PRIMARY KEY (order_id) NOT ENFORCED
);

INSERT INTO orders VALUES
  (1, 'NEW', TIMESTAMP '2026-10-11 09:00:01'),
  (1, 'SHIPPED', TIMESTAMP '2026-10-11 09:00:02'),
  (1, 'DELIVERED', TIMESTAMP '2026-10-11 09:00:03');

CREATE TABLE sink (
  order_id INT,
  op STRING,
  status STRING,
  prev_status STRING
);

INSERT INTO sink
SELECT order_id, op, status,
       LAG(status) OVER (PARTITION BY order_id ORDER BY ts) AS prev_status
FROM TO_CHANGELOG(input => TABLE orders);

SELECT * FROM sink;

-- The UPDATE_BEFORE rows are missing because they are late: each has the time of an old row, which the watermark has
-- passed. A watermark that waits for late rows lets them in, and then they count as previous rows, so that SHIPPED
-- follows on SHIPPED. A mapping without UPDATE_BEFORE is right in any case.
SELECT order_id, op, status,
       LAG(status) OVER (PARTITION BY order_id ORDER BY ts) AS prev_status
FROM TO_CHANGELOG(
  input => TABLE orders,
  op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE']
);
