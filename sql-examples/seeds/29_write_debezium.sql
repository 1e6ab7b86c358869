-- From DynamoDB's changelog to Debezium's codes: FROM_CHANGELOG in, a view in the middle, TO_CHANGELOG out.
-- The codes INSERT, MODIFY and REMOVE come out as c, u and d, each as a row that is only appended.
CREATE TABLE dynamodb_cdc (
  eventName STRING,
  user STRING,
  age INT
);

INSERT INTO dynamodb_cdc VALUES
  ('INSERT', 'ana', 30),
  ('MODIFY', 'ana', 31),
  ('REMOVE', 'ana', 31);

CREATE VIEW users AS SELECT * FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY user,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']);

CREATE TABLE debezium_cdc (
  op STRING,
  user STRING,
  age INT
);

INSERT INTO debezium_cdc SELECT * FROM TO_CHANGELOG(
  input => TABLE users,
  op => DESCRIPTOR(op),
  op_mapping => MAP['INSERT', 'c', 'UPDATE_AFTER', 'u', 'DELETE', 'd']);

SELECT * FROM debezium_cdc;

-- A change that arrives now goes all the way.
INSERT INTO dynamodb_cdc VALUES ('INSERT', 'bea', 41);

SELECT * FROM debezium_cdc;
