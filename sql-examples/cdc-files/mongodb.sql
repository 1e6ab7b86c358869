-- A MongoDB change stream: the key is in documentKey, the row in fullDocument. An update whose document was gone when
-- it was looked up has none, so c2 is NULL for a moment. drop is no change of a row and is skipped.
CREATE TABLE mongo (
  operationType STRING,
  documentKey ROW<_id STRING>,
  fullDocument ROW<`user` STRING, items ARRAY<ROW<sku STRING, qty INT>>, total ROW<`$numberDecimal` STRING>>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/mongodb.jsonl', 'format' = 'json');

CREATE TABLE carts (cart_id STRING, `user` STRING, total DECIMAL(10, 2), first_sku STRING, PRIMARY KEY (cart_id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');
INSERT INTO carts SELECT cart_id, `user`, total, first_sku FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT operationType, documentKey._id AS cart_id, fullDocument.`user` AS `user`,
      CAST(fullDocument.total.`$numberDecimal` AS DECIMAL(10, 2)) AS total, fullDocument.items[1].sku AS first_sku
    FROM mongo
  ) PARTITION BY cart_id,
  op => DESCRIPTOR(operationType),
  op_mapping => MAP['insert', 'INSERT', 'update, replace', 'UPDATE_AFTER', 'delete', 'DELETE'],
  error_handling => 'SKIP');
SELECT * FROM carts;

-- Out as Debezium writes them.
CREATE TABLE to_debezium (cart_id STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'debezium-json');
INSERT INTO to_debezium SELECT cart_id, total FROM carts;
