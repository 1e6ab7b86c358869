-- Maxwell writes JSON lines. Kept as STRING, each field is one JSON_VALUE with a path, and a CAST where it is a number.
-- Two codes mean INSERT; bootstrap-start and bootstrap-complete carry no row and are skipped. One product is left.
CREATE TABLE raw_lines (line STRING);
INSERT INTO raw_lines VALUES
  ('{"database":"test","table":"product","type":"bootstrap-start","ts":1596684880,"data":{}}'),
  ('{"database":"test","table":"product","type":"bootstrap-insert","ts":1596684880,"data":{"id":101,"name":"scooter","description":"Small 2-wheel scooter","weight":3.14}}'),
  ('{"database":"test","table":"product","type":"bootstrap-complete","ts":1596684881,"data":{}}'),
  ('{"database":"test","table":"product","type":"insert","ts":1596684883,"xid":7125,"xoffset":3,"data":{"id":104,"name":"hammer","description":"12oz carpenter''s hammer","weight":0.75},"primary_key_columns":["id"]}'),
  ('{"database":"test","table":"product","type":"update","ts":1596684893,"xid":7152,"commit":true,"data":{"id":104,"name":"hammer","description":"18oz carpenter hammer; heavy","weight":1.0},"old":{"description":"12oz carpenter''s hammer","weight":0.75},"primary_key_columns":["id"]}'),
  ('{"database":"test","table":"product","type":"delete","ts":1596684914,"xid":7250,"commit":true,"data":{"id":101,"name":"scooter","description":"Small 2-wheel scooter","weight":3.14},"primary_key_columns":["id"]}');

CREATE VIEW maxwell AS
SELECT CAST(JSON_VALUE(line, '$.data.id') AS INT)                 AS id,
       JSON_VALUE(line, '$.type')                                 AS `type`,
       JSON_VALUE(line, '$.data.name')                            AS name,
       JSON_VALUE(line, '$.data.description')                     AS description,
       CAST(JSON_VALUE(line, '$.data.weight') AS DECIMAL(10, 2))  AS weight
FROM raw_lines
WHERE JSON_VALUE(line, '$.table') = 'product';

CREATE TABLE product (id INT, name STRING, description STRING, weight DECIMAL(10, 2), PRIMARY KEY (id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');

INSERT INTO product
SELECT id, name, description, weight FROM FROM_CHANGELOG(
  input => TABLE maxwell PARTITION BY id,
  op => DESCRIPTOR(`type`),
  op_mapping => MAP['insert, bootstrap-insert', 'INSERT', 'update', 'UPDATE_AFTER', 'delete', 'DELETE'],
  error_handling => 'SKIP');

SELECT * FROM product;
