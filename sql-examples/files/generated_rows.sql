-- Rows that are made up: numbers in sequence, and random values that are the same each time.
CREATE TABLE orders (
  id INT,
  region STRING,
  amount DECIMAL(6, 2),
  tags ARRAY<TINYINT>,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH (
  'connector' = 'datagen',
  'number-of-rows' = '6',
  'rows-per-second' = '100',
  'start-time' = '2024-01-01 00:00:00',
  'fields.id.kind' = 'sequence',
  'fields.id.start' = '1',
  'fields.id.end' = '100',
  'fields.region.length' = '1',
  'fields.amount.max' = '100',
  'fields.tags.length' = '2',
  'fields.tags.element.min' = '0',
  'fields.ts.max-past' = '500 ms'
);
SELECT * FROM orders;
SELECT MIN(ts) AS first_ts, SUM(amount) AS total FROM orders;

-- The end of the sequence is the end of the table.
CREATE TABLE countdown (n BIGINT) WITH (
  'connector' = 'datagen',
  'fields.n.kind' = 'sequence',
  'fields.n.start' = '-1',
  'fields.n.end' = '1'
);
SELECT n, CASE WHEN n < 0 THEN 'before' ELSE 'after' END AS side FROM countdown;

-- One without an end ends with the query.
CREATE TABLE coins (is_heads BOOLEAN, nothing INT) WITH (
  'connector' = 'datagen',
  'seed' = '3',
  'fields.nothing.null-rate' = '1'
);
SELECT * FROM coins LIMIT 4;
INSERT INTO coins VALUES (TRUE, 1);
CREATE TABLE wrong (id TINYINT) WITH ('connector' = 'datagen', 'fields.id.max' = '300');
