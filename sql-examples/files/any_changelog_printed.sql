-- Connector 'print' takes every kind of change and prints it as Flink does; 'blackhole' takes and forgets.
CREATE TABLE clicks (page STRING);
CREATE TABLE shown (page STRING, cnt BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'counts');
CREATE TABLE nowhere (page STRING, cnt BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO shown SELECT page, COUNT(*) FROM clicks GROUP BY page;
INSERT INTO nowhere SELECT page, COUNT(*) FROM clicks GROUP BY page;

-- The pipelines follow what comes.
INSERT INTO clicks VALUES ('home'), ('about');
INSERT INTO clicks VALUES ('home');

-- A file takes rows only, so a query that updates is refused; TO_CHANGELOG makes rows of its changes.
CREATE TABLE file (page STRING, cnt BIGINT) WITH ('connector' = 'stdout', 'format' = 'json');
INSERT INTO file SELECT page, COUNT(*) FROM clicks GROUP BY page;
SELECT * FROM shown;
