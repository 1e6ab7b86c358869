CREATE TABLE debezium (id INT, customer STRING, total DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/debezium.jsonl', 'format' = 'debezium-json');
CREATE TABLE canal (id INT, customer STRING, total DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/canal.jsonl', 'format' = 'canal-json', 'canal-json.database.include' = 'shop');
CREATE TABLE maxwell (id INT, customer STRING, total DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/maxwell.jsonl', 'format' = 'maxwell-json');
CREATE TABLE ogg (id INT, customer STRING, total DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/ogg.jsonl', 'format' = 'ogg-json');
SELECT * FROM debezium;
SELECT * FROM canal;
SELECT * FROM maxwell;
SELECT * FROM ogg;
SELECT COUNT(*) AS cnt, SUM(total) AS total FROM debezium;
SELECT customer, COUNT(*) AS cnt FROM maxwell GROUP BY customer;
SELECT id, total FROM ogg WHERE total > 11;
EXPLAIN CHANGELOG_MODE SELECT * FROM canal;
CREATE TABLE keyed (id INT, customer STRING, total DECIMAL(10, 2), PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'filesystem', 'path' = 'tests/flink/files/debezium.jsonl', 'format' = 'debezium-json');
SELECT * FROM keyed;
SELECT customer, COUNT(*) AS cnt FROM keyed GROUP BY customer;
EXPLAIN CHANGELOG_MODE SELECT customer, COUNT(*) AS cnt FROM keyed GROUP BY customer;

