-- Tables of files and streams.
CREATE TABLE t (id INT) WITH ('connector' = 'kafka');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystm', 'path' = 'x');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'format' = 'json');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = 'x');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'jsn');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'csv', 'csv.field-delimeter' = ';');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json', 'json.ignore-parse-errors' = 'yes');
CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json', 'json.ignore-parse-errors' = 'true', 'json.fail-on-missing-field' = 'true');
CREATE TABLE t (id INT, x INT METADATA FROM 'file.pth') WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');
CREATE TABLE t (id INT, m MAP<INT, INT>) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');
CREATE TABLE files (id INT) WITH ('connector' = 'filesystem', 'path' = 'no/such/file.json', 'format' = 'json');
UPDATE files SET id = 1;
CREATE TABLE printed (id INT) WITH ('connector' = 'print');
SELECT * FROM printed;
CREATE TABLE meta (id INT, path STRING METADATA FROM 'file.path') WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');
INSERT INTO meta VALUES (1, 'x');
