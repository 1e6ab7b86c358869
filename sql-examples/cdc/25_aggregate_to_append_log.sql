-- A count that can shrink to nothing: when its last row goes, a group is deleted (-D); when one comes, it is new (+I).
-- TO_CHANGELOG writes it down for who can only append. Without a code for UPDATE_BEFORE, that is one row an update.
CREATE TABLE raw_orders (op STRING, id INT, region STRING);
INSERT INTO raw_orders VALUES
  ('INSERT', 1, 'EU'),
  ('INSERT', 2, 'EU'),
  ('INSERT', 3, 'US'),
  ('DELETE', 3, 'US'),
  ('DELETE', 1, 'EU'),
  ('DELETE', 2, 'EU'),
  ('INSERT', 4, 'EU');
CREATE VIEW orders AS SELECT * FROM FROM_CHANGELOG(input => TABLE raw_orders);
CREATE VIEW orders_per_region AS SELECT region, COUNT(*) AS cnt FROM orders GROUP BY region;
SELECT * FROM orders_per_region;
SELECT * FROM TO_CHANGELOG(input => TABLE orders_per_region);
SELECT * FROM TO_CHANGELOG(input => TABLE orders_per_region,
  op => DESCRIPTOR(op), op_mapping => MAP['INSERT', 'c', 'UPDATE_AFTER', 'u', 'DELETE', 'd']);
