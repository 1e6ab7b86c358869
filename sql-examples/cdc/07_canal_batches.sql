-- One Canal event holds many rows in an array: CROSS JOIN UNNEST makes a row of each, with the event's operation.
-- The DDL event has no array, so it gives no row and needs no SKIP. Numbers are strings here, and are cast.
CREATE TABLE canal (
  `data` ARRAY<ROW<id STRING, name STRING, weight STRING>>,
  `type` STRING,
  isDdl BOOLEAN,
  ts BIGINT
);
INSERT INTO canal VALUES
  (ARRAY[ROW('101', 'scooter', '3.14'), ROW('102', 'car battery', '8.1'), ROW('106', 'hammer', '1.0')], 'INSERT', FALSE, 1589373515477),
  (CAST(NULL AS ARRAY<ROW<id STRING, name STRING, weight STRING>>), 'CREATE', TRUE, 1589373566000),
  (ARRAY[ROW('101', 'scooter', '5.17'), ROW('102', 'car battery', '5.17')], 'UPDATE', FALSE, 1589373753939),
  (ARRAY[ROW('102', 'car battery', '5.17')], 'DELETE', FALSE, 1589374013680);

CREATE VIEW canal_rows AS
SELECT CAST(d.id AS INT) AS id, c.`type` AS op, d.name AS name, CAST(d.weight AS DECIMAL(10, 2)) AS weight
FROM canal AS c
CROSS JOIN UNNEST(c.`data`) AS d (id, name, weight);

CREATE TABLE products (id INT, name STRING, weight DECIMAL(10, 2), PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');

INSERT INTO products
SELECT * FROM FROM_CHANGELOG(
  input => TABLE canal_rows PARTITION BY id,
  op_mapping => MAP['INSERT', 'INSERT', 'UPDATE', 'UPDATE_AFTER', 'DELETE', 'DELETE']);

SELECT * FROM products;
