-- A Debezium envelope has the row in before or in after. COALESCE finds the key in whichever is there.
-- Snapshot reads (r) and creates (c) are both INSERT, so they share a key of the mapping: 'c, r'. Two customers stay.
CREATE TABLE dbz (
  `before` ROW<id INT, name STRING, email STRING>,
  `after`  ROW<id INT, name STRING, email STRING>,
  op STRING,
  ts_ms BIGINT
);

INSERT INTO dbz VALUES
  (CAST(NULL AS ROW<id INT, name STRING, email STRING>), ROW(1001, 'Ada', 'ada@example.com'), 'r', 1700000000100),
  (CAST(NULL AS ROW<id INT, name STRING, email STRING>), ROW(1002, 'Bo', 'bo@example.com'), 'r', 1700000001100),
  (CAST(NULL AS ROW<id INT, name STRING, email STRING>), ROW(1003, 'Cy', CAST(NULL AS STRING)), 'c', 1700000002100),
  (ROW(1001, 'Ada', 'ada@example.com'), ROW(1001, 'Ada L.', 'ada@example.com'), 'u', 1700000003100),
  (ROW(1002, 'Bo', 'bo@example.com'), CAST(NULL AS ROW<id INT, name STRING, email STRING>), 'd', 1700000004100);

CREATE VIEW customers_events AS
SELECT COALESCE(`after`.id, `before`.id) AS id,
       `after`.name  AS name,
       `after`.email AS email,
       op
FROM dbz;

CREATE TABLE customers (
  id INT, name STRING, email STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('changelog.mode' = 'upsert');

INSERT INTO customers
SELECT id, name, email
FROM FROM_CHANGELOG(
  input => TABLE customers_events PARTITION BY id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);

-- What arrived in the table: upserts, and a delete that has only the key.
-- log: customers

-- A reader sees whole rows, with what was there before.
SELECT * FROM customers;
