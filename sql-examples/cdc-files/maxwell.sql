-- Maxwell with a snapshot: the format maxwell-json, as in Flink, knows no bootstrap-insert, so the codes are mapped here.
CREATE TABLE events (
  `table` STRING,
  `type` STRING,
  `data` ROW<id INT, name STRING, description STRING, weight DECIMAL(10, 2)>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/maxwell.jsonl', 'format' = 'json');

CREATE TABLE product (id INT, name STRING, description STRING, weight DECIMAL(10, 2), PRIMARY KEY (id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');
INSERT INTO product SELECT id, name, description, weight FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT `type`, `data`.id AS id, `data`.name AS name, `data`.description AS description, `data`.weight AS weight
    FROM events WHERE `table` = 'product'
  ) PARTITION BY id,
  op => DESCRIPTOR(`type`),
  op_mapping => MAP['insert, bootstrap-insert', 'INSERT', 'update', 'UPDATE_AFTER', 'delete', 'DELETE'],
  error_handling => 'SKIP');
SELECT * FROM product;

-- Out as Debezium writes them.
CREATE TABLE to_debezium (id INT, name STRING, weight DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'debezium-json');
INSERT INTO to_debezium SELECT id, name, weight FROM product;
