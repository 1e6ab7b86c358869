-- Three DynamoDB events for one item, written by hand with ROW and MAP: inserted, modified and removed.
-- The computed columns read them: 101 with New item!, then with Updated item!, then without a message.
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

SELECT eventName, id, message FROM dynamodb_cdc;

-- What the events say of the item before and after them.
SELECT
  eventName,
  dynamodb.OldImage['Message'].S AS before_message,
  dynamodb.NewImage['Message'].S AS after_message
FROM dynamodb_cdc;
