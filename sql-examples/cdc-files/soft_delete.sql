-- Rows that are never deleted but marked: a time in deleted_at is a DELETE, none is UPDATE_AFTER. Cy comes back.
CREATE TABLE people_log (id INT, name STRING, city STRING, deleted_at TIMESTAMP(3)) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/cdc-files/soft_delete.csv',
  'format' = 'csv',
  'csv.field-delimiter' = ';',
  'csv.ignore-first-line' = 'true',
  'csv.null-literal' = ''
);
CREATE TABLE people (id INT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO people SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT id, name, city, CASE WHEN deleted_at IS NULL THEN 'there' ELSE 'gone' END AS op FROM people_log
  ) PARTITION BY id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['there', 'UPDATE_AFTER', 'gone', 'DELETE']);
SELECT * FROM people;

-- Out with the codes of SQL Server.
SELECT `__$operation`, id, name, city FROM TO_CHANGELOG(
  input => TABLE people,
  op => DESCRIPTOR(`__$operation`),
  op_mapping => MAP['DELETE', '1', 'INSERT', '2', 'UPDATE_BEFORE', '3', 'UPDATE_AFTER', '4']);
