-- A pipeline that joins a file with a table in memory has read the file and follows the table.
CREATE TABLE events (op STRING, id INT, region STRING, amount DECIMAL(10, 2))
WITH ('connector' = 'filesystem', 'path' = 'sql-examples/files/events.csv', 'format' = 'csv');
CREATE TABLE regions (region STRING, name STRING);
INSERT INTO regions VALUES ('EU', 'Europe');

CREATE TABLE named (id INT, op STRING, name STRING) WITH ('connector' = 'print');
INSERT INTO named SELECT e.id, e.op, r.name FROM events AS e JOIN regions AS r ON e.region = r.region;
INSERT INTO regions VALUES ('US', 'United States');
