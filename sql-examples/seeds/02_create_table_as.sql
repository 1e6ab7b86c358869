-- CREATE TABLE AS keeps the result of FROM_CHANGELOG in a table: whoever reads it sees the same kinds of changes.
-- Order 1 comes and goes as +I, -U, +U, -D; order 2 stays. A row that comes later flows through, too.
CREATE TABLE raw_orders (
  op STRING,
  id INT,
  region STRING,
  amount INT
);

INSERT INTO raw_orders VALUES
  ('c', 1, 'EU', 100),
  ('c', 2, 'EU', 70),
  ('ub', 1, 'EU', 100),
  ('ua', 1, 'EU', 150),
  ('d', 1, 'EU', 150);

-- The table takes all kinds of changes, because the query gives them: its mode is retract. A strict session wants to
-- be told, by WITH ('changelog.mode' = 'retract') before AS.
CREATE TABLE orders AS SELECT * FROM FROM_CHANGELOG(
  input => TABLE raw_orders,
  op => DESCRIPTOR(op),
  op_mapping => MAP[
    'c', 'INSERT',
    'ub', 'UPDATE_BEFORE',
    'ua', 'UPDATE_AFTER',
    'd', 'DELETE'
  ]
);

SHOW CREATE TABLE orders;

SELECT * FROM orders;

INSERT INTO raw_orders VALUES ('c', 3, 'US', 20);

SELECT * FROM orders;
