-- A change table of SQL Server: 1 is a deletion, 2 an insertion, 3 and 4 an update before and after.
CREATE TABLE department_ct (
  start_lsn STRING, seqval STRING, `__$operation` STRING, update_mask STRING,
  DepartmentID INT, Name STRING, GroupName STRING
) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/cdc-files/sql_server.csv',
  'format' = 'csv',
  'csv.ignore-first-line' = 'true'
);
CREATE VIEW departments AS SELECT * FROM FROM_CHANGELOG(
  input => TABLE (SELECT `__$operation`, DepartmentID, Name, GroupName FROM department_ct),
  op => DESCRIPTOR(`__$operation`),
  op_mapping => MAP['1', 'DELETE', '2', 'INSERT', '3', 'UPDATE_BEFORE', '4', 'UPDATE_AFTER']);
SELECT * FROM departments;
SELECT GroupName, COUNT(*) AS n FROM departments GROUP BY GroupName;

-- Out as Debezium writes them.
CREATE TABLE to_debezium (DepartmentID INT, Name STRING, GroupName STRING) WITH ('connector' = 'stdout', 'format' = 'debezium-json');
INSERT INTO to_debezium SELECT * FROM departments;
