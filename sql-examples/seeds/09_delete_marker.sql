-- For a consumer that knows no tombstones: TO_CHANGELOG marks each row, deletes too, with a code that can be read.
-- The last row is +I[101, DELETE, NULL]: a row with a key and a code, of which the rest is not filled in.
CREATE TABLE item_events (
  op STRING,
  id INT,
  message STRING
);

INSERT INTO item_events VALUES
  ('c', 101, 'New item!'),
  ('u', 101, 'Updated item!'),
  ('d', 101, CAST(NULL AS STRING));

CREATE TABLE items (
  id INT,
  message STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('changelog.mode' = 'upsert');

INSERT INTO items SELECT id, message FROM FROM_CHANGELOG(
  input => TABLE item_events PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

CREATE TABLE items_for_downstream_consumer (
  id INT,
  op STRING,
  message STRING
);

INSERT INTO items_for_downstream_consumer
SELECT * FROM TO_CHANGELOG(
  input => TABLE items PARTITION BY id,
  produces_full_deletes => FALSE
);

-- Without op_mapping all four kinds are asked for, so the update has an UPDATE_BEFORE row, too.
SELECT * FROM items_for_downstream_consumer;

-- A mapping without UPDATE_BEFORE leaves that row out, and then nothing has to be remembered of the items.
SELECT * FROM TO_CHANGELOG(
  input => TABLE items PARTITION BY id,
  op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE'],
  produces_full_deletes => FALSE
);

-- Full deletes are the default: the deleted row with all its values.
SELECT * FROM TO_CHANGELOG(input => TABLE items PARTITION BY id);
