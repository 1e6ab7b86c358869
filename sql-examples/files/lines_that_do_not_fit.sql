-- A line that does not fit fails the query, with its place.
CREATE TABLE people (id INT, name STRING) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/files/people.csv',
  'format' = 'csv',
  'csv.field-delimiter' = ';',
  'csv.ignore-first-line' = 'true'
);
SELECT * FROM people;

-- Only the columns that a query uses are decoded.
SELECT COUNT(name) AS cnt FROM people;

ALTER TABLE people SET ('csv.ignore-parse-errors' = 'true');
SELECT * FROM people;

ALTER TABLE people SET ('csv.quote' = '''');
CREATE TABLE nobody (id INT) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/files/nobody.csv', 'format' = 'csv');
SELECT * FROM nobody;
