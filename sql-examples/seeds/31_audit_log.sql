-- An audit log: what happened to a table, as rows that are only appended. The table forgets, its log does not.
-- Order 1 is NEW and then SHIPPED, order 2 NEW and then gone: INSERT, UPDATE_BEFORE, UPDATE_AFTER, INSERT, DELETE.
CREATE TABLE orders_cdc (
  op STRING,
  id INT,
  status STRING
);

INSERT INTO orders_cdc VALUES
  ('INSERT', 1, 'NEW'),
  ('UPDATE_BEFORE', 1, 'NEW'),
  ('UPDATE_AFTER', 1, 'SHIPPED'),
  ('INSERT', 2, 'NEW'),
  ('DELETE', 2, 'NEW');

CREATE TABLE orders (
  id INT,
  status STRING
) WITH ('changelog.mode' = 'retract');

INSERT INTO orders SELECT * FROM FROM_CHANGELOG(input => TABLE orders_cdc);

SELECT * FROM orders;

CREATE TABLE orders_audit_log (
  op STRING,
  id INT,
  status STRING
);

INSERT INTO orders_audit_log
SELECT * FROM TO_CHANGELOG(
  input => TABLE orders
);

SELECT * FROM orders_audit_log;

-- With an upsert source there is no UPDATE_BEFORE row, if the mapping asks for none. (Without a mapping Flink looks up
-- the old row of a table with a key, and the log has UPDATE_BEFORE all the same.)
CREATE TABLE orders_by_id (
  id INT,
  status STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO orders_by_id VALUES (1, 'NEW'), (1, 'SHIPPED');

SELECT * FROM TO_CHANGELOG(
  input => TABLE orders_by_id,
  op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE']
);

SELECT * FROM TO_CHANGELOG(
  input => TABLE orders_by_id
);
