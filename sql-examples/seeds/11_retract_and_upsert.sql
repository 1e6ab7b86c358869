-- The life of an order, told twice: a retract stream has the old image of each update, an upsert stream a key instead.
-- The streams differ, but both add up to the same table: order 2 is NEW.
CREATE TABLE retract_events (
  op STRING,
  order_id INT,
  status STRING
);

INSERT INTO retract_events VALUES
  ('+I', 1, 'NEW'),
  ('-U', 1, 'NEW'),
  ('+U', 1, 'SHIPPED'),
  ('+I', 2, 'NEW'),
  ('-D', 1, 'SHIPPED');

SELECT * FROM FROM_CHANGELOG(
  input => TABLE retract_events,
  op_mapping => MAP['+I', 'INSERT', '-U', 'UPDATE_BEFORE', '+U', 'UPDATE_AFTER', '-D', 'DELETE']
);

CREATE TABLE upsert_events (
  op STRING,
  order_id INT,
  status STRING
);

INSERT INTO upsert_events VALUES
  ('+I', 1, 'NEW'),
  ('+U', 1, 'SHIPPED'),
  ('+I', 2, 'NEW'),
  ('-D', 1, 'SHIPPED');

CREATE TABLE orders (
  order_id INT,
  status STRING,
  PRIMARY KEY (order_id) NOT ENFORCED
);

INSERT INTO orders SELECT * FROM FROM_CHANGELOG(
  input => TABLE upsert_events PARTITION BY order_id,
  op_mapping => MAP['+I', 'INSERT', '+U', 'UPDATE_AFTER', '-D', 'DELETE']
);

-- The next line shows, in a transcript, what the table got: four changes, as they came.
-- log: orders

-- A query of the table finds the old image by the key, so it has -U again.
SELECT * FROM orders;
