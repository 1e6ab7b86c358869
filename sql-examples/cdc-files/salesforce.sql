-- Salesforce says of an update only what changed, and of several records at once. LAST_VALUE passes over NULL, so it
-- keeps what was there before; a record whose last change is a deletion is left out, until it comes back.
CREATE TABLE events (
  payload ROW<
    ChangeEventHeader ROW<recordIds ARRAY<STRING>, changeType STRING>,
    Name STRING, StageName STRING, Amount DECIMAL(18, 2)>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/salesforce.jsonl', 'format' = 'json');

CREATE VIEW opportunities AS
SELECT id, name, stage, amount
FROM (
  SELECT r.id, LAST_VALUE(payload.ChangeEventHeader.changeType) AS last_change,
    LAST_VALUE(payload.Name) AS name, LAST_VALUE(payload.StageName) AS stage, LAST_VALUE(payload.Amount) AS amount
  FROM events CROSS JOIN UNNEST(payload.ChangeEventHeader.recordIds) AS r (id)
  GROUP BY r.id
) AS merged
WHERE last_change <> 'DELETE';
SELECT * FROM opportunities;

-- Out as whole rows, as Debezium writes them.
CREATE TABLE to_debezium (id STRING, name STRING, stage STRING, amount DECIMAL(18, 2)) WITH ('connector' = 'stdout', 'format' = 'debezium-json');
INSERT INTO to_debezium SELECT * FROM opportunities;
