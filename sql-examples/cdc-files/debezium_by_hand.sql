-- The envelope of Debezium as rows, and the key from whichever image is there: for sources without old images.
CREATE TABLE dbz (
  `before` ROW<id INT, name STRING, email STRING>,
  `after`  ROW<id INT, name STRING, email STRING>,
  op STRING,
  ts_ms BIGINT
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/debezium_customers.jsonl', 'format' = 'json');

CREATE TABLE customers (id INT, name STRING, email STRING, PRIMARY KEY (id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');

INSERT INTO customers SELECT id, name, email FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT op, COALESCE(`after`.id, `before`.id) AS id, `after`.name AS name, `after`.email AS email FROM dbz
  ) PARTITION BY id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);

-- What arrived in the table: upserts, and a delete that has only the key.
-- log: customers
SELECT * FROM customers;

-- The same file, each update split into its two images.
SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT s.id, s.code, s.name
    FROM dbz CROSS JOIN UNNEST(ARRAY[
        ROW(`before`.id, CASE op WHEN 'u' THEN 'UB' WHEN 'd' THEN 'D' END, `before`.name),
        ROW(`after`.id, CASE op WHEN 'u' THEN 'UA' ELSE 'I' END, `after`.name)
    ]) AS s (id, code, name)
    WHERE s.id IS NOT NULL
  ),
  op => DESCRIPTOR(code),
  op_mapping => MAP['I', 'INSERT', 'UB', 'UPDATE_BEFORE', 'UA', 'UPDATE_AFTER', 'D', 'DELETE']);

-- Out as records of DynamoDB Streams name their events.
SELECT eventName, id, name FROM TO_CHANGELOG(
  input => TABLE customers PARTITION BY id,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'MODIFY', 'DELETE', 'REMOVE']);
