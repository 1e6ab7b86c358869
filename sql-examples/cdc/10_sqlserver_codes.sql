-- A SQL Server change table has numbers for operations: 1 delete, 2 insert, 3 and 4 an update before and after.
-- The operation column has to be a STRING. In the count an update of a group's only row is a delete, then an insert.
CREATE TABLE dept_ct (`__$operation` INT, DepartmentID INT, Name STRING, GroupName STRING);
INSERT INTO dept_ct VALUES
  (2, 17, 'CDC New Row', 'SQL Rocks'),
  (2, 18, 'Test Two', 'CDC Rocks'),
  (3, 17, 'CDC New Row', 'SQL Rocks'),
  (4, 17, 'Changed Name', 'SQL Rocks'),
  (2, 19, 'Row Three', 'PBM Rocks'),
  (1, 18, 'Test Two', 'CDC Rocks');

-- The column as it is, an INT, is refused.
SELECT * FROM FROM_CHANGELOG(
  input => TABLE dept_ct, op => DESCRIPTOR(`__$operation`),
  op_mapping => MAP['1', 'DELETE', '2', 'INSERT', '3', 'UPDATE_BEFORE', '4', 'UPDATE_AFTER']);

-- Cast first.
CREATE VIEW dept_ct_s AS
SELECT CAST(`__$operation` AS STRING) AS op, DepartmentID, Name, GroupName FROM dept_ct;

SELECT * FROM FROM_CHANGELOG(
  input => TABLE dept_ct_s,
  op_mapping => MAP['1', 'DELETE', '2', 'INSERT', '3', 'UPDATE_BEFORE', '4', 'UPDATE_AFTER']);

-- SQL Rocks loses its only row to the update, and gets it back: -D, then +I.
SELECT GroupName, COUNT(*) AS n FROM FROM_CHANGELOG(
  input => TABLE dept_ct_s,
  op_mapping => MAP['1', 'DELETE', '2', 'INSERT', '3', 'UPDATE_BEFORE', '4', 'UPDATE_AFTER'])
GROUP BY GroupName;
