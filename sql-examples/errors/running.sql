-- Statements that fail while they run.
CREATE TABLE cdc (op STRING, id INT, name STRING);
INSERT INTO cdc VALUES ('c', 1, 'ana'), ('x', 1, 'bob');
SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping => MAP['c', 'INSERT', 'd', 'DELETE']);
CREATE TABLE nulls (op STRING, id INT);
INSERT INTO nulls VALUES (NULL, 1);
SELECT * FROM FROM_CHANGELOG(input => TABLE nulls);
SELECT id / (id - 1) FROM cdc;
SELECT CAST(name AS INT) FROM cdc;
SELECT (SELECT name FROM cdc) AS one;
CREATE TABLE strict_names (id INT, name STRING NOT NULL);
INSERT INTO strict_names SELECT id, CAST(NULL AS STRING) FROM cdc;
CREATE TABLE pairs (a INT, b INT, c INT, PRIMARY KEY (a, b) NOT ENFORCED);
CREATE TABLE firsts (a INT, c INT, PRIMARY KEY (a) NOT ENFORCED);
INSERT INTO pairs VALUES (1, 1, 5), (1, 2, 6);
INSERT INTO firsts SELECT a, c FROM pairs ON CONFLICT DO ERROR;
