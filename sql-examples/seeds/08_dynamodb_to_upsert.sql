-- DynamoDB events become an upsert table. PARTITION BY names the key, and MODIFY is UPDATE_AFTER alone: one event is
-- one change, so its old image is not used. The log of items has +I, +U and a -D with nothing but its key: a tombstone.
CREATE TABLE dynamodb_cdc (
  eventID STRING,
  eventName STRING,
  dynamodb ROW<
    Keys MAP<STRING, ROW<S STRING, N STRING>>,
    NewImage MAP<STRING, ROW<S STRING, N STRING>>,
    OldImage MAP<STRING, ROW<S STRING, N STRING>>,
    SequenceNumber STRING,
    SizeBytes BIGINT,
    StreamViewType STRING
  >,
  id AS CAST(dynamodb.Keys['Id'].N AS INT),
  message AS dynamodb.NewImage['Message'].S
);

INSERT INTO dynamodb_cdc (eventID, eventName, dynamodb) VALUES
  -- Keys: {Id: 101}. NewImage: {Id: 101, Message: 'New item!'}. No OldImage.
  ('1', 'INSERT', ROW(
    MAP['Id', ROW(CAST(NULL AS STRING), '101')],
    MAP['Id', ROW(CAST(NULL AS STRING), '101'), 'Message', ROW('New item!', CAST(NULL AS STRING))],
    CAST(NULL AS MAP<STRING, ROW<S STRING, N STRING>>),
    '111',
    CAST(20 AS BIGINT),
    'NEW_AND_OLD_IMAGES'
  )),
  -- Keys: {Id: 101}. NewImage: {..., Message: 'Updated item!'}. OldImage: {..., Message: 'New item!'}.
  ('2', 'MODIFY', ROW(
    MAP['Id', ROW(CAST(NULL AS STRING), '101')],
    MAP['Id', ROW(CAST(NULL AS STRING), '101'), 'Message', ROW('Updated item!', CAST(NULL AS STRING))],
    MAP['Id', ROW(CAST(NULL AS STRING), '101'), 'Message', ROW('New item!', CAST(NULL AS STRING))],
    '112',
    CAST(24 AS BIGINT),
    'NEW_AND_OLD_IMAGES'
  )),
  -- Keys: {Id: 101}. No NewImage (the row is gone). OldImage: {..., Message: 'Updated item!'}.
  ('3', 'REMOVE', ROW(
    MAP['Id', ROW(CAST(NULL AS STRING), '101')],
    CAST(NULL AS MAP<STRING, ROW<S STRING, N STRING>>),
    MAP['Id', ROW(CAST(NULL AS STRING), '101'), 'Message', ROW('Updated item!', CAST(NULL AS STRING))],
    '113',
    CAST(20 AS BIGINT),
    'NEW_AND_OLD_IMAGES'
  ));

CREATE TABLE items (
  id INT,
  message STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('changelog.mode' = 'upsert');

INSERT INTO items SELECT id, message FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY id,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP[
    'INSERT', 'INSERT',
    'MODIFY', 'UPDATE_AFTER',
    'REMOVE', 'DELETE'
  ]
);

-- The next line shows, in a transcript, what the table got.
-- log: items

-- A query knows the key, so it sees whole rows again: the old image of an update, and what was deleted.
SELECT * FROM items;
