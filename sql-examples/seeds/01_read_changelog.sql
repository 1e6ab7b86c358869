-- FROM_CHANGELOG turns rows with an operation code into changes: c, ub, ua and d become +I, -U, +U and -D.
-- Order 1 is created with 100, updated to 150 and deleted, so the changes add up to an empty table.
CREATE TABLE raw_orders (
  op STRING,
  id INT,
  region STRING,
  amount INT
);

INSERT INTO raw_orders VALUES
  ('c', 1, 'EU', 100),
  ('ub', 1, 'EU', 100),
  ('ua', 1, 'EU', 150),
  ('d', 1, 'EU', 150);

-- To SQL, the raw table is only appended to: every row is +I, and the intent is in op.
SELECT * FROM raw_orders;

SELECT * FROM FROM_CHANGELOG(
  input => TABLE raw_orders,
  op => DESCRIPTOR(op),
  op_mapping => MAP[
    'c', 'INSERT',
    'ub', 'UPDATE_BEFORE',
    'ua', 'UPDATE_AFTER',
    'd', 'DELETE'
  ]
);
