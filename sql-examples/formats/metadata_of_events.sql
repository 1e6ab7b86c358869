-- METADATA columns: what is about a row and not in it. Those of files and of Debezium's events are Flink's.
CREATE TABLE orders (
  at TIMESTAMP_LTZ(3) METADATA FROM 'ingestion-timestamp' VIRTUAL,
  source STRING METADATA FROM 'source.table' VIRTUAL,
  id INT,
  total DECIMAL(10, 2),
  file STRING METADATA FROM 'file.name' VIRTUAL,
  line INT METADATA VIRTUAL
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/formats/debezium.jsonl', 'format' = 'debezium-json');
DESCRIBE orders;
SHOW CREATE TABLE orders;
SELECT * FROM orders;
SELECT id, line FROM orders WHERE line > 1;

-- The two sides of an update carry what is about their own event, so they take no earlier row away: the rows add up
-- to a table only without METADATA.
SELECT id, total FROM orders;

-- What is not VIRTUAL cannot be written.
CREATE TABLE other (id INT, line BIGINT METADATA) WITH ('connector' = 'filesystem', 'path' = 'other.csv', 'format' = 'csv');
INSERT INTO other VALUES (1, 2);

CREATE TABLE wrong (id INT, x STRING METADATA FROM 'source.tabel') WITH ('connector' = 'stdin', 'format' = 'debezium-json');
CREATE TABLE wrong (id INT, x ARRAY<INT> METADATA FROM 'line') WITH ('connector' = 'stdin', 'format' = 'json');
CREATE TABLE wrong (id INT, x STRING METADATA);

-- A column has the type that it is declared with: an instant becomes a time of the session's time zone.
SET 'table.local-time-zone' = 'Asia/Tokyo';
CREATE TABLE here (
  at TIMESTAMP(3) METADATA FROM 'ingestion-timestamp' VIRTUAL,
  hours AS EXTRACT(HOUR FROM at),
  id INT,
  line STRING METADATA VIRTUAL
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/formats/debezium.jsonl', 'format' = 'debezium-json');
SELECT * FROM here;
SELECT id FROM here WHERE line = '2';
