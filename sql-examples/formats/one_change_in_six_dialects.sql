-- Formats of change events: each line is read as the changes that it means, and a change is written as an event.
CREATE TABLE orders (id INT, customer STRING, total DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/formats/debezium.jsonl',
  'format' = 'debezium-json'
);
SELECT * FROM orders;

-- Canal writes arrays of rows, and of an old row only what changed. Other databases are left out here.
CREATE TABLE canal (id INT, customer STRING, total DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/formats/canal.jsonl',
  'format' = 'canal-json',
  'canal-json.database.include' = 'shop'
);
SELECT * FROM canal;

CREATE TABLE to_canal (id INT, customer STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'canal-json');
CREATE TABLE to_debezium (id INT, customer STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'debezium-json');
CREATE TABLE to_maxwell (id INT, customer STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'maxwell-json');
CREATE TABLE to_ogg (id INT, customer STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'ogg-json');
CREATE TABLE to_changelog (id INT, customer STRING, total DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'changelog-json');
INSERT INTO to_canal SELECT * FROM orders;
INSERT INTO to_debezium SELECT * FROM canal;
INSERT INTO to_maxwell SELECT * FROM orders;
INSERT INTO to_ogg SELECT * FROM orders;
INSERT INTO to_changelog SELECT * FROM orders;

-- Events are a table like any other.
SELECT COUNT(*) AS cnt, SUM(total) AS total FROM orders;
