-- .import looks at a file, makes its table, and says how to read it if it is a changelog.
.import sql-examples/cdc-files/debezium.jsonl as customers
SELECT * FROM customers;

.import sql-examples/cdc-files/dynamodb.jsonl
.import sql-examples/cdc-files/mongodb.jsonl
.import sql-examples/cdc-files/sql_server.csv as department_ct
.import sql-examples/cdc-files/dms.jsonl
.import sql-examples/cdc-files/wal2json.jsonl
.import sql-examples/cdc-files/shopify.jsonl
.import sql-examples/cdc-files/salesforce.jsonl

-- What it says about dms.jsonl, run.
SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT metadata.operation AS op,
      data.order_id AS order_id,
      data.status AS status,
      data.total AS total
    FROM dms
  ) PARTITION BY order_id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['load, insert', 'INSERT', 'update', 'UPDATE_AFTER', 'delete', 'DELETE'],
  error_handling => 'SKIP');

-- A compacted topic as kcat -C -K '\t' prints it.
.import sql-examples/cdc-files/topic.txt as users
SELECT * FROM users;
