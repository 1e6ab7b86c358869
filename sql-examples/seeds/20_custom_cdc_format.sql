-- A change format of its own, with the codes INSERT, MODIFY and REMOVE, read into an upsert table by a mapping alone.
-- Item 101 is updated and item 102 removed, so the table ends with 101 and Updated item!.
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

INSERT INTO items
SELECT id, message
FROM FROM_CHANGELOG(
    input      => TABLE dynamodb_cdc PARTITION BY id,
    op         => DESCRIPTOR(eventName),
    op_mapping => MAP[
        'INSERT', 'INSERT',
        'MODIFY', 'UPDATE_AFTER',
        'REMOVE', 'DELETE'
    ]
);

-- Further queries read the table and not FROM_CHANGELOG, since the table knows its key.
SELECT * FROM items;

SELECT COUNT(*) AS cnt FROM items;
