-- strict
-- A query cannot read upsert output of FROM_CHANGELOG directly: what is shown needs old images, and there are none.
-- Through a table with a primary key it works. The last query goes without one, and Flink refuses it: a mode mismatch.
CREATE TABLE dynamodb_cdc (
  eventName STRING,
  id INT,
  message STRING
);

INSERT INTO dynamodb_cdc VALUES
  ('INSERT', 101, 'New item!'),
  ('INSERT', 102, 'Another item!'),
  ('MODIFY', 101, 'Updated item!'),
  ('REMOVE', 102, CAST(NULL AS STRING));

CREATE TABLE items (
  id INT,
  message STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO items SELECT * FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY id,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']
);

SELECT * FROM items;

SELECT * FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY id,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']
);
