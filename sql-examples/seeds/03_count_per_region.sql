-- Why a query keeps updating: each order that comes or goes revises the count of its region, as -U and +U.
-- EU counts 1, then 2, and is back at 1 after the delete; the update of an order is a delete and an insert to a count.
CREATE TABLE raw_orders (
  op STRING,
  id INT,
  region STRING,
  amount INT
);

INSERT INTO raw_orders VALUES
  ('c', 1, 'EU', 100),
  ('c', 2, 'EU', 70),
  ('c', 3, 'US', 20),
  ('ub', 1, 'EU', 100),
  ('ua', 1, 'EU', 150),
  ('d', 1, 'EU', 150);

CREATE VIEW orders AS SELECT * FROM FROM_CHANGELOG(
  input => TABLE raw_orders,
  op => DESCRIPTOR(op),
  op_mapping => MAP[
    'c', 'INSERT',
    'ub', 'UPDATE_BEFORE',
    'ua', 'UPDATE_AFTER',
    'd', 'DELETE'
  ]
);

SELECT region, COUNT(*) AS cnt
FROM orders
GROUP BY region;
