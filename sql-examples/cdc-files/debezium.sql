-- Debezium: a snapshot (r), then changes. An update of the key is a deletion, a message without a value, and a creation.
CREATE TABLE customers (
  id INT, name STRING, email STRING,
  origin STRING METADATA FROM 'source.table' VIRTUAL
) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/cdc-files/debezium.jsonl',
  'format' = 'debezium-json'
);
SELECT * FROM customers;

-- The same changes as Canal and as Maxwell write them. An update is a deletion and an insertion there, as from Flink.
CREATE TABLE to_canal (id INT, name STRING, email STRING) WITH ('connector' = 'stdout', 'format' = 'canal-json');
CREATE TABLE to_maxwell (id INT, name STRING, email STRING) WITH ('connector' = 'stdout', 'format' = 'maxwell-json');
INSERT INTO to_canal SELECT id, name, email FROM customers;
INSERT INTO to_maxwell SELECT id, name, email FROM customers;
