-- DynamoDB's nested records as flat rows: the new image where there is one, else the old one, which a removal has.
-- Three rows: INSERT ana 30, MODIFY ana 31, REMOVE ana 31. A notice says that Flink wants backticks around user.
CREATE TABLE dynamodb_stream (
  eventName STRING,
  dynamodb ROW<
    NewImage ROW<user ROW<S STRING>, age ROW<N STRING>>,
    OldImage ROW<user ROW<S STRING>, age ROW<N STRING>>
  >
);

INSERT INTO dynamodb_stream VALUES
  ('INSERT', ROW(
    ROW(ROW('ana'), ROW('30')),
    CAST(NULL AS ROW<user ROW<S STRING>, age ROW<N STRING>>)
  )),
  ('MODIFY', ROW(
    ROW(ROW('ana'), ROW('31')),
    ROW(ROW('ana'), ROW('30'))
  )),
  ('REMOVE', ROW(
    CAST(NULL AS ROW<user ROW<S STRING>, age ROW<N STRING>>),
    ROW(ROW('ana'), ROW('31'))
  ));

CREATE VIEW dynamodb_cdc AS SELECT
  eventName,
  COALESCE(dynamodb.NewImage.user.S, dynamodb.OldImage.user.S) AS user,
  CAST(COALESCE(dynamodb.NewImage.age.N, dynamodb.OldImage.age.N) AS INT) AS age
FROM dynamodb_stream;

SELECT * FROM dynamodb_cdc;
