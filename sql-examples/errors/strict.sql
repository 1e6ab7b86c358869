-- What only Flink's own rules refuse, with 'rowkind.strict'.
SET 'rowkind.strict' = 'true';
CREATE TABLE t (id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
CREATE TABLE cdc (op STRING, id INT, name STRING);
CREATE TABLE a (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED);
CREATE TABLE b (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED);
SELECT id FROM t ORDER BY name;
SELECT id FROM t ORDER BY ts DESC;
SELECT name AS value FROM t;
INSERT INTO t VALUES (1, NULL, NULL);
VALUES (1, NULL), (2, 'a');
SELECT *, ROW_NUMBER() OVER (ORDER BY name) AS n FROM t;
SELECT (SELECT name FROM a WHERE a.id = t.id ORDER BY name LIMIT 1) FROM t;
EXECUTE STATEMENT SET BEGIN
INSERT INTO a SELECT * FROM FROM_CHANGELOG(input => TABLE cdc PARTITION BY id, op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
INSERT INTO b SELECT * FROM FROM_CHANGELOG(input => TABLE cdc PARTITION BY id, op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
END;
