-- A column says what is deleted, and that is enough: false is UPDATE_AFTER and true is DELETE. The column is a STRING.
-- Whoever reads the customers sees a real delete: Bob is gone, not flagged. 1, alice smith is left.
CREATE TABLE customers_raw (
  id INT,
  name STRING,
  deleted STRING
);

INSERT INTO customers_raw VALUES
  (1, 'alice', 'false'),
  (2, 'bob', 'false'),
  (1, 'alice smith', 'false'),
  (2, 'bob', 'true');

CREATE VIEW customers AS SELECT * FROM FROM_CHANGELOG(
  input => TABLE customers_raw PARTITION BY id,
  op => DESCRIPTOR(deleted),
  op_mapping => MAP['false', 'UPDATE_AFTER', 'true', 'DELETE']
);

CREATE TABLE customers_table (
  id INT,
  name STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO customers_table SELECT * FROM customers;

SELECT * FROM customers_table;

-- A flag that is a BOOLEAN becomes a STRING first; its texts are TRUE and FALSE.
CREATE TABLE customers_with_flag (
  id INT,
  name STRING,
  deleted BOOLEAN
);

INSERT INTO customers_with_flag VALUES (3, 'carol', FALSE), (4, 'dave', FALSE), (3, 'carol', TRUE);

INSERT INTO customers_table
SELECT * FROM FROM_CHANGELOG(
  input => TABLE (SELECT id, name, CAST(deleted AS STRING) AS deleted FROM customers_with_flag) PARTITION BY id,
  op => DESCRIPTOR(deleted),
  op_mapping => MAP['FALSE', 'UPDATE_AFTER', 'TRUE', 'DELETE']
);

SELECT * FROM customers_table;
