-- One change, three dialects: the same three changes as records of DynamoDB and of Debezium, and as changes in Flink.
-- Both streams end as the same table of users. The last query shows the dialects side by side.
CREATE TABLE dynamodb_stream (
  eventName STRING,
  OldImage ROW<`user` ROW<S STRING>, age ROW<N STRING>>,
  NewImage ROW<`user` ROW<S STRING>, age ROW<N STRING>>
);

INSERT INTO dynamodb_stream VALUES
  ('INSERT', CAST(NULL AS ROW<`user` ROW<S STRING>, age ROW<N STRING>>), ROW(ROW('ana'), ROW('30'))),
  ('MODIFY', ROW(ROW('ana'), ROW('30')), ROW(ROW('ana'), ROW('31'))),
  ('REMOVE', ROW(ROW('ana'), ROW('31')), CAST(NULL AS ROW<`user` ROW<S STRING>, age ROW<N STRING>>));

CREATE TABLE debezium_stream (
  op STRING,
  `before` ROW<`user` STRING, age INT>,
  `after` ROW<`user` STRING, age INT>
);

INSERT INTO debezium_stream VALUES
  ('c', CAST(NULL AS ROW<`user` STRING, age INT>), ROW('ana', 30)),
  ('u', ROW('ana', 30), ROW('ana', 31)),
  ('d', ROW('ana', 31), CAST(NULL AS ROW<`user` STRING, age INT>));

-- A record can hold two images, but becomes one change: the new image where there is one, else the old one.
CREATE VIEW dynamodb_cdc AS SELECT
  eventName,
  COALESCE(NewImage.`user`.S, OldImage.`user`.S) AS `user`,
  CAST(COALESCE(NewImage.age.N, OldImage.age.N) AS INT) AS age
FROM dynamodb_stream;

CREATE VIEW debezium_cdc AS SELECT
  op,
  COALESCE(`after`.`user`, `before`.`user`) AS `user`,
  COALESCE(`after`.age, `before`.age) AS age
FROM debezium_stream;

CREATE TABLE users (
  `user` STRING,
  age INT,
  PRIMARY KEY (`user`) NOT ENFORCED
);

INSERT INTO users SELECT * FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY `user`,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']);

CREATE TABLE users_from_debezium (
  `user` STRING,
  age INT,
  PRIMARY KEY (`user`) NOT ENFORCED
);

INSERT INTO users_from_debezium SELECT * FROM FROM_CHANGELOG(
  input => TABLE debezium_cdc PARTITION BY `user`,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);

SELECT * FROM users;

SELECT * FROM users_from_debezium;

-- An update is a pair in Flink: UPDATE_BEFORE is the old image and UPDATE_AFTER the new one.
SELECT
  CASE op
    WHEN 'UPDATE_BEFORE' THEN 'MODIFY, old image'
    WHEN 'UPDATE_AFTER' THEN 'MODIFY, new image'
    WHEN 'DELETE' THEN 'REMOVE'
    ELSE 'INSERT'
  END AS `DynamoDB Streams`,
  op AS `Flink changelog`,
  CASE op
    WHEN 'UPDATE_BEFORE' THEN 'op: u, before'
    WHEN 'UPDATE_AFTER' THEN 'op: u, after'
    WHEN 'DELETE' THEN 'op: d'
    ELSE 'op: c'
  END AS Debezium,
  `user`,
  age
FROM TO_CHANGELOG(input => TABLE users);
