-- The same query without strictness: it is answered, as if a table with PRIMARY KEY (id) stood in between.
-- A notice says that Flink refuses it. One row is left, 101 with Updated item!, and so the count ends at 1.
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

SELECT * FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY id,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']
);

SELECT COUNT(*) AS cnt FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY id,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']
);
