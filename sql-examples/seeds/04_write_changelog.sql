-- TO_CHANGELOG turns an updating result into rows that are only appended, each with a code: c, u or d.
-- What comes out are +I rows alone: one for each new count, in the order in which the counts change.
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
  ('d', 3, 'US', 20),
  ('d', 1, 'EU', 100);

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

CREATE VIEW orders_per_region AS
SELECT region, COUNT(*) AS cnt
FROM orders
GROUP BY region;

SELECT * FROM orders_per_region;

-- UPDATE_BEFORE has no code, so the -U rows are left out.
SELECT * FROM TO_CHANGELOG(
  input => TABLE orders_per_region,
  op => DESCRIPTOR(op),
  op_mapping => MAP[
    'INSERT', 'c',
    'UPDATE_AFTER', 'u',
    'DELETE', 'd'
  ]
);

-- The consumer is a table that takes only inserts, such as a topic that is read as it is written.
CREATE TABLE orders_out (
  op STRING,
  region STRING,
  cnt BIGINT
);

INSERT INTO orders_out SELECT * FROM TO_CHANGELOG(
  input => TABLE orders_per_region,
  op => DESCRIPTOR(op),
  op_mapping => MAP[
    'INSERT', 'c',
    'UPDATE_AFTER', 'u',
    'DELETE', 'd'
  ]
);

SELECT * FROM orders_out;
