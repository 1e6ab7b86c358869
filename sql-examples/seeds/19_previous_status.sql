-- LAG gives the previous row's value, but only over appended rows. So a view turns the updates into rows first.
-- The sink has the previous status on every change: none for NEW, NEW for SHIPPED, SHIPPED for DELIVERED.
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

CREATE VIEW orders_changelog AS
SELECT op, order_id, status, ts
FROM TO_CHANGELOG(input => TABLE orders);

SELECT * FROM orders_changelog;

CREATE TABLE sink (
  order_id INT,
  op STRING,
  status STRING,
  prev_status STRING
);

-- An UPDATE_BEFORE row has the time of the old row. The watermark has passed it, so the row is late and left out.
INSERT INTO sink
SELECT order_id, op, status,
       LAG(status) OVER (PARTITION BY order_id ORDER BY ts) AS prev_status
FROM orders_changelog;

SELECT * FROM sink;
