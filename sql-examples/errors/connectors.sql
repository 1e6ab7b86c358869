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
CREATE TABLE fake (id INT) WITH ('connector' = 'faker', 'fields.id.expression' = '#{Numbr.digit}');
CREATE TABLE fake (id INT) WITH ('connector' = 'faker', 'fields.id.expression' = '#{Number.numberBetween ''1''}');
CREATE TABLE fake (id INT) WITH ('connector' = 'faker', 'number-of-rows' = '1', 'fields.id.expression' = 'seven');
SELECT * FROM fake;

-- Options of one statement.
CREATE TABLE file (id INT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'csv');
CREATE VIEW v AS SELECT * FROM file;
SELECT * FROM file /*+ OPTIONS('csv.ignore-parse-erors' = 'true') */;
SELECT * FROM file /*+ OPTIONS('path' = 'y', 'csv.ignore-parse-errors' = 'maybe') */ AS x;
SELECT * FROM file /*+ OPTIONS('format' = 'jsn') */;
SELECT * FROM file /*+ OPTIONS('connector' = 'datagen') */;
SELECT * FROM v /*+ OPTIONS('path' = 'y') */;
CREATE VIEW w AS SELECT * FROM file /*+ OPTIONS('csv.nul-literal' = 'NULL') */;
INSERT INTO file /*+ OPTIONS('csv.field-delimiter' = ';;') */ SELECT 1, 'a';
