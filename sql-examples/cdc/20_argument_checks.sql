-- What can be wrong with the arguments of FROM_CHANGELOG and TO_CHANGELOG, and what the errors say.
-- Each statement has one mistake. Three are allowed: without updates no key is needed, and an unknown name is ignored.
CREATE TABLE ev (id INT, op STRING, code INT, name STRING);
CREATE TABLE t  (id INT, name STRING);

-- 1 op column does not exist
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op => DESCRIPTOR(operation));
-- 2 op column has the wrong type
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op => DESCRIPTOR(code));
-- 3 two columns in the descriptor
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op => DESCRIPTOR(op, name));
-- 4 unknown row kind
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c', 'UPSERT']);
-- 5 lower-case row kind
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c', 'insert']);
-- 6 the same row kind twice
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c', 'INSERT', 'r', 'INSERT']);
-- 7 upsert mapping without a key
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
-- 8 error_handling is case-sensitive
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, error_handling => 'skip');
-- 9 the mapping must be a literal
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP[UPPER('c'), 'INSERT', 'd', 'DELETE']);
-- 10 the same input code in two entries
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c, x', 'INSERT', 'x', 'DELETE']);
-- 11 allowed: only inserts
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c, r', 'INSERT']);
-- 12 allowed: only inserts and deletes
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['c', 'INSERT', 'd', 'DELETE']);
-- 13 TO_CHANGELOG: unknown row kind
SELECT * FROM TO_CHANGELOG(input => TABLE t, op_mapping => MAP['INVALID_KIND', 'X']);
-- 14 TO_CHANGELOG: a row kind in two entries
SELECT * FROM TO_CHANGELOG(input => TABLE t, op_mapping => MAP['INSERT, DELETE', 'A', 'DELETE', 'B']);
-- 15 TO_CHANGELOG: two columns in the descriptor
SELECT * FROM TO_CHANGELOG(input => TABLE t, op => DESCRIPTOR(a, b));
-- 16 allowed, as in Flink: an unknown argument name has no effect, and a notice says so
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, invalid_op_handling => 'SKIP');
