-- DynamoDB Streams: typed attributes are rows in maps. MODIFY is UPDATE_AFTER, REMOVE brings the key alone.
CREATE TABLE ddb (
  eventName STRING,
  dynamodb ROW<
    Keys     MAP<STRING, ROW<S STRING, N STRING>>,
    NewImage MAP<STRING, ROW<S STRING, N STRING, `BOOL` BOOLEAN>>>,
  pk   AS dynamodb.Keys['pk'].S,
  sk   AS dynamodb.Keys['sk'].S,
  age  AS CAST(dynamodb.NewImage['age'].N AS INT),
  vip  AS dynamodb.NewImage['vip'].`BOOL`,
  note AS dynamodb.NewImage['note'].S
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/dynamodb.jsonl', 'format' = 'json');

CREATE TABLE items (pk STRING, sk STRING, age INT, vip BOOLEAN, note STRING, PRIMARY KEY (pk, sk) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');
INSERT INTO items SELECT pk, sk, age, vip, note FROM FROM_CHANGELOG(
  input => TABLE ddb PARTITION BY (pk, sk),
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']);
-- log: items
SELECT * FROM items;

-- Out as Debezium writes them.
CREATE TABLE to_debezium (pk STRING, sk STRING, age INT, vip BOOLEAN, note STRING)
WITH ('connector' = 'stdout', 'format' = 'debezium-json');
INSERT INTO to_debezium SELECT * FROM items;
