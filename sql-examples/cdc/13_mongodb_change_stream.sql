-- A MongoDB change stream: the key is in documentKey, the row in fullDocument. A replace is an update.
-- An update whose document was gone at look-up has no fullDocument, so c2 is NULL for a moment. drop is skipped.
CREATE TABLE mongo (line STRING);
INSERT INTO mongo VALUES
  ('{"_id":{"_data":"8261"},"operationType":"insert","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":"c1"},"fullDocument":{"_id":"c1","user":"u1","items":[{"sku":"A","qty":2},{"sku":"B","qty":1}],"total":{"$numberDecimal":"19.90"}}}'),
  ('{"_id":{"_data":"8262"},"operationType":"update","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":"c1"},"updateDescription":{"updatedFields":{"items.0.qty":3},"removedFields":[]},"fullDocument":{"_id":"c1","user":"u1","items":[{"sku":"A","qty":3},{"sku":"B","qty":1}],"total":{"$numberDecimal":"29.85"}}}'),
  ('{"_id":{"_data":"8263"},"operationType":"insert","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":"c2"},"fullDocument":{"_id":"c2","user":"u2","items":[],"total":{"$numberDecimal":"0"}}}'),
  ('{"_id":{"_data":"8264"},"operationType":"update","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":"c2"},"updateDescription":{"updatedFields":{"user":"u9"},"removedFields":[]},"fullDocument":null}'),
  ('{"_id":{"_data":"8265"},"operationType":"delete","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":"c2"}}'),
  ('{"_id":{"_data":"8266"},"operationType":"replace","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":"c1"},"fullDocument":{"_id":"c1","user":"u1","total":{"$numberDecimal":"5.00"}}}'),
  ('{"_id":{"_data":"8267"},"operationType":"drop","ns":{"db":"shop","coll":"carts"}}');

CREATE VIEW cart_events AS
SELECT JSON_VALUE(line, '$.documentKey._id')                                        AS cart_id,
       JSON_VALUE(line, '$.operationType')                                          AS operationType,
       JSON_VALUE(line, '$.fullDocument.user')                                      AS `user`,
       CAST(JSON_VALUE(line, '$.fullDocument.total.$numberDecimal') AS DECIMAL(10, 2)) AS total,
       JSON_VALUE(line, '$.fullDocument.items[0].sku')                              AS first_sku
FROM mongo;

CREATE TABLE carts (cart_id STRING, `user` STRING, total DECIMAL(10, 2), first_sku STRING, PRIMARY KEY (cart_id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');
INSERT INTO carts SELECT cart_id, `user`, total, first_sku FROM FROM_CHANGELOG(
  input => TABLE cart_events PARTITION BY cart_id, op => DESCRIPTOR(operationType),
  op_mapping => MAP['insert', 'INSERT', 'update, replace', 'UPDATE_AFTER', 'delete', 'DELETE'],
  error_handling => 'SKIP');
SELECT * FROM carts;
