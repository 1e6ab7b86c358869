-- A soft delete with a real BOOLEAN: the column is refused, and its CAST gives TRUE and FALSE in capitals, so it finds
-- no code either. CASE says what is meant. No code means INSERT here, and yet the first row of a key is +I to a reader.
CREATE TABLE customers_raw (id INT, name STRING, deleted BOOLEAN);
INSERT INTO customers_raw VALUES
  (1, 'alice', FALSE),
  (2, 'bob', FALSE),
  (1, 'alice smith', FALSE),
  (2, 'bob', TRUE);
CREATE TABLE customers (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');

-- The operation column has to be a STRING.
INSERT INTO customers SELECT id, name FROM FROM_CHANGELOG(
  input => TABLE customers_raw PARTITION BY id, op => DESCRIPTOR(deleted),
  op_mapping => MAP['false', 'UPDATE_AFTER', 'true', 'DELETE']);

-- FALSE is not false.
CREATE VIEW v_cast AS SELECT id, name, CAST(deleted AS STRING) AS op FROM customers_raw;
INSERT INTO customers SELECT id, name FROM FROM_CHANGELOG(
  input => TABLE v_cast PARTITION BY id,
  op_mapping => MAP['false', 'UPDATE_AFTER', 'true', 'DELETE']);

-- This one works.
CREATE VIEW v_case AS SELECT id, name, CASE WHEN deleted THEN 'd' ELSE 'u' END AS op FROM customers_raw;
INSERT INTO customers SELECT id, name FROM FROM_CHANGELOG(
  input => TABLE v_case PARTITION BY id,
  op_mapping => MAP['u', 'UPDATE_AFTER', 'd', 'DELETE']);

SELECT * FROM customers;
