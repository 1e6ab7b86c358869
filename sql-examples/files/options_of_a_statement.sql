-- A hint behind the name of a connected table gives it other options in one statement.
CREATE TABLE people (id INT, name STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/files/people.csv',
  'format' = 'csv',
  'csv.field-delimiter' = ';',
  'csv.ignore-first-line' = 'true'
);
SELECT * FROM people /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */ AS p WHERE p.name <> 'Ada';
SELECT * FROM people;

-- Each place has its own options; of two values of a key the last one counts.
SELECT a.id, b.name
FROM people /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */ AS a
JOIN people /*+ OPTIONS('csv.ignore-parse-errors' = 'false', 'csv.ignore-parse-errors' = 'true') */ AS b ON a.id = b.id;
EXPLAIN SELECT * FROM people /*+ OPTIONS('csv.ignore-first-line' = 'false', 'csv.ignore-parse-errors' = 'true') */;

-- Views and pipelines keep the options. A format brings its kinds of changes.
CREATE VIEW readable AS SELECT * FROM people /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */;
SHOW CREATE VIEW readable;
SELECT COUNT(*) AS cnt FROM readable;
CREATE TABLE copy AS SELECT name FROM people /*+ OPTIONS('csv.ignore-parse-errors' = 'true') */;
SELECT * FROM copy;
CREATE TABLE events (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = 'events.json', 'format' = 'json');
EXPLAIN CHANGELOG_MODE SELECT * FROM events /*+ OPTIONS('format' = 'debezium-json') */;

-- The target of INSERT INTO, too.
CREATE TABLE shown (id INT, name STRING) WITH ('connector' = 'print', 'print-identifier' = 'people');
INSERT INTO shown /*+ OPTIONS('print-identifier' = 'some') */ (id) SELECT id FROM readable WHERE id < 3;
INSERT INTO shown /*+ OPTIONS('print-identifier' = 'more') */ VALUES (5, 'Edsger');
INSERT INTO shown SELECT * FROM readable WHERE id = 4;
EXPLAIN INSERT INTO shown /*+ OPTIONS('print-identifier' = 'some') */ SELECT * FROM people;
