-- A table in the shape of DynamoDB's records: attributes are maps from names to typed values, {"Id": {"N": "101"}}.
-- The computed columns id and message pull out what a query wants: an INT and a STRING, as DESCRIBE shows.
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

DESCRIBE dynamodb_cdc;
