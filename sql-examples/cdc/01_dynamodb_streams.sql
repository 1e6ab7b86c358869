-- DynamoDB Streams records as a table with a key of two columns. MODIFY is UPDATE_AFTER, REMOVE brings the key alone.
-- A typed attribute is a row in a map: a missing attribute, and a field of it, is NULL and no error. One item is left.
CREATE TABLE ddb (
  eventID STRING,
  eventName STRING,
  dynamodb ROW<
    Keys     MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>,
    NewImage MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>,
    OldImage MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>>,
  pk   AS dynamodb.Keys['pk'].S,
  sk   AS dynamodb.Keys['sk'].S,
  age  AS CAST(dynamodb.NewImage['age'].N AS INT),
  vip  AS dynamodb.NewImage['vip'].`BOOL`,
  note AS dynamodb.NewImage['note'].S
);

INSERT INTO ddb (eventID, eventName, dynamodb) VALUES
  ('a1', 'INSERT', ROW(
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('PROFILE', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('PROFILE', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'age', ROW(CAST(NULL AS STRING), '30', CAST(NULL AS BOOLEAN)), 'vip', ROW(CAST(NULL AS STRING), CAST(NULL AS STRING), TRUE), 'note', ROW(CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     CAST(NULL AS MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>))),
  ('a2', 'INSERT', ROW(
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('CART', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('CART', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'age', ROW(CAST(NULL AS STRING), '0', CAST(NULL AS BOOLEAN)), 'note', ROW('🛒 2 items', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     CAST(NULL AS MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>))),
  ('a3', 'MODIFY', ROW(
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('PROFILE', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('PROFILE', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'age', ROW(CAST(NULL AS STRING), '31', CAST(NULL AS BOOLEAN)), 'vip', ROW(CAST(NULL AS STRING), CAST(NULL AS STRING), FALSE), 'note', ROW('', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('PROFILE', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'age', ROW(CAST(NULL AS STRING), '30', CAST(NULL AS BOOLEAN)), 'vip', ROW(CAST(NULL AS STRING), CAST(NULL AS STRING), TRUE), 'note', ROW(CAST(NULL AS STRING), CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))])),
  ('a4', 'REMOVE', ROW(
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('CART', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))],
     CAST(NULL AS MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>),
     MAP['pk', ROW('USER#1', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'sk', ROW('CART', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN)), 'age', ROW(CAST(NULL AS STRING), '0', CAST(NULL AS BOOLEAN)), 'note', ROW('🛒 2 items', CAST(NULL AS STRING), CAST(NULL AS BOOLEAN))]));

CREATE TABLE items (
  pk STRING, sk STRING, age INT, vip BOOLEAN, note STRING,
  PRIMARY KEY (pk, sk) NOT ENFORCED
) WITH ('changelog.mode' = 'upsert');

INSERT INTO items
SELECT pk, sk, age, vip, note
FROM FROM_CHANGELOG(
  input      => TABLE ddb PARTITION BY (pk, sk),
  op         => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']);

-- What arrived in the table: upserts, and a delete that has only the key.
-- log: items

-- A reader sees whole rows, with what was there before.
SELECT * FROM items;
