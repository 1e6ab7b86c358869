-- LAG straight on an updating table is refused: rows that may still change have no previous row for good.
-- The error names the way out, TO_CHANGELOG.
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
SELECT order_id, 'change' AS op, status,
       LAG(status) OVER (PARTITION BY order_id ORDER BY ts) AS prev_status
FROM orders;
