-- What PostgreSQL wrote through wal2json, format 1: a document for each transaction, with an array of its changes.
-- workload.sql is what ran there, final-*.csv what its tables held at the end.
CREATE TABLE wal (
  xid BIGINT,
  `change` ARRAY<ROW<
    kind STRING,
    `table` STRING,
    columnnames ARRAY<STRING>,
    columnvalues ARRAY<STRING>,
    oldkeys ROW<keynames ARRAY<STRING>, keyvalues ARRAY<STRING>>>>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/postgres/wal2json-v1.jsonl', 'format' = 'json');

CREATE VIEW events AS
SELECT xid, kind, `table`,
  MAP_FROM_ARRAYS(oldkeys.keynames, oldkeys.keyvalues) AS old_row,
  MAP_FROM_ARRAYS(columnnames, columnvalues) AS new_row
FROM wal CROSS JOIN UNNEST(`change`) AS c (kind, `table`, columnnames, columnvalues, oldkeys);

-- An event has an old side, a new side, or both; the old one comes first.
CREATE VIEW sides AS
SELECT xid, `table`, CONCAT(kind, ' ', side) AS op, v, old_row, new_row
FROM events CROSS JOIN UNNEST(ARRAY[ROW('old', old_row), ROW('new', new_row)]) AS s (side, v)
WHERE v IS NOT NULL;

-- Tables with a key are upserts by it. An update takes the old key away only if it changes the key.
CREATE VIEW customers AS
SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT op, CAST(v['id'] AS INT) AS id, v['name'] AS name, v['email'] AS email,
      CAST(v['balance'] AS DECIMAL(12, 2)) AS balance, v['tags'] AS tags, v['profile'] AS profile,
      CAST(v['active'] AS BOOLEAN) AS active, CAST(REPLACE(v['joined'], '+00', '') AS TIMESTAMP(6)) AS joined,
      v['note'] AS note
    FROM sides
    WHERE `table` = 'customers' AND (op <> 'update old' OR v['id'] <> new_row['id'])
  ) PARTITION BY id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['insert new, update new', 'UPDATE_AFTER', 'update old, delete old', 'DELETE']);

CREATE VIEW orders AS
SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT op, CAST(v['order_id'] AS BIGINT) AS order_id, CAST(v['line'] AS INT) AS line,
      CAST(v['customer_id'] AS INT) AS customer_id, CAST(v['qty'] AS INT) AS qty,
      CAST(v['price'] AS DECIMAL(10, 2)) AS price, CAST(v['placed'] AS DATE) AS placed
    FROM sides
    WHERE `table` = 'orders'
      AND (op <> 'update old' OR v['order_id'] <> new_row['order_id'] OR v['line'] <> new_row['line'])
  ) PARTITION BY (order_id, line),
  op => DESCRIPTOR(op),
  op_mapping => MAP['insert new, update new', 'UPDATE_AFTER', 'update old, delete old', 'DELETE']);

-- A table without a key has REPLICA IDENTITY FULL, so the old side is the whole row, without what is NULL. Of a TRUNCATE
-- this format says nothing but that there was a transaction, which here can only be one of visits. It takes away what
-- came before it; equal rows are counted, and written as often.
CREATE VIEW visits AS
SELECT who, page
FROM (
  SELECT CAST(v['who'] AS INT) AS who, v['page'] AS page, SUM(CASE WHEN op LIKE '% new' THEN 1 ELSE -1 END) AS n
  FROM sides AS s
  WHERE `table` = 'visits' AND NOT EXISTS (
    SELECT 1 FROM wal AS t WHERE CARDINALITY(t.`change`) = 0 AND t.xid > s.xid)
  GROUP BY CAST(v['who'] AS INT), v['page']
  HAVING SUM(CASE WHEN op LIKE '% new' THEN 1 ELSE -1 END) > 0
) CROSS JOIN UNNEST(SPLIT(REPEAT(',', n - 1), ',')) AS copies (nothing);

SELECT id, name, email, balance, tags, profile, active, joined, CHAR_LENGTH(note) AS note_length FROM customers;
SELECT * FROM orders;
SELECT * FROM visits;

-- They are what PostgreSQL had, row by row: in the end nothing is missing, and nothing too much.
CREATE TABLE final_customers (id INT, name STRING, email STRING, balance DECIMAL(12, 2), tags STRING, profile STRING,
  active STRING, joined STRING, note STRING)
WITH ('connector' = 'filesystem', 'path' = 'sql-examples/postgres/final-customers.csv', 'format' = 'csv', 'csv.null-literal' = '');
CREATE TABLE final_orders (order_id BIGINT, line INT, customer_id INT, qty INT, price DECIMAL(10, 2), placed DATE)
WITH ('connector' = 'filesystem', 'path' = 'sql-examples/postgres/final-orders.csv', 'format' = 'csv');
CREATE TABLE final_visits (who INT, page STRING)
WITH ('connector' = 'filesystem', 'path' = 'sql-examples/postgres/final-visits.csv', 'format' = 'csv');

-- psql writes t for true, and nothing for NULL and for an empty text.
CREATE VIEW ours AS
SELECT id, name, email, balance, tags, profile, CASE WHEN active THEN 't' WHEN NOT active THEN 'f' END AS active,
  CONCAT(DATE_FORMAT(joined, 'yyyy-MM-dd HH:mm:ss'), '+00') AS joined, MD5(NULLIF(note, '')) AS note
FROM customers;
CREATE VIEW theirs AS
SELECT id, name, email, balance, tags, profile, active, joined, MD5(note) AS note FROM final_customers;
(SELECT 'too much' AS problem, * FROM (SELECT * FROM ours EXCEPT ALL SELECT * FROM theirs))
UNION ALL (SELECT 'missing', * FROM (SELECT * FROM theirs EXCEPT ALL SELECT * FROM ours));
(SELECT 'too much' AS problem, * FROM (SELECT * FROM orders EXCEPT ALL SELECT * FROM final_orders))
UNION ALL (SELECT 'missing', * FROM (SELECT * FROM final_orders EXCEPT ALL SELECT * FROM orders));
(SELECT 'too much' AS problem, * FROM (SELECT * FROM visits EXCEPT ALL SELECT * FROM final_visits))
UNION ALL (SELECT 'missing', * FROM (SELECT * FROM final_visits EXCEPT ALL SELECT * FROM visits));
