-- AWS DMS into a stream: load and insert both mean INSERT, and there are no old rows. Control records are filtered out.
CREATE TABLE records (
  `data` ROW<order_id BIGINT, status STRING, total DECIMAL(10, 2)>,
  metadata ROW<`record-type` STRING, operation STRING, `table-name` STRING>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/dms.jsonl', 'format' = 'json');

CREATE TABLE orders (order_id BIGINT, status STRING, total DECIMAL(10, 2), PRIMARY KEY (order_id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');
INSERT INTO orders SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT metadata.operation AS op, `data`.order_id AS order_id, `data`.status AS status, `data`.total AS total
    FROM records WHERE metadata.`record-type` = 'data' AND metadata.`table-name` = 'orders'
  ) PARTITION BY order_id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['load, insert', 'INSERT', 'update', 'UPDATE_AFTER', 'delete', 'DELETE']);
SELECT * FROM orders;

-- Out as Canal writes them.
CREATE TABLE to_canal (order_id BIGINT, status STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'canal-json');
INSERT INTO to_canal SELECT * FROM orders;
