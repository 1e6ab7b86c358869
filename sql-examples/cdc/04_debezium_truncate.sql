-- Codes that no mapping foresees: Debezium sends t for TRUNCATE and m for a message. By default such a row fails.
-- With SKIP all goes on, and rows 1 and 2 stay although the source was emptied: no change stands for a truncate.
CREATE TABLE ev (id INT, op STRING, payload STRING);

INSERT INTO ev VALUES
  (1, 'c', 'a'),
  (2, 'c', 'b'),
  (NULL, 't', NULL),
  (3, 'c', 'c'),
  (NULL, 'm', 'checkpoint-msg');

CREATE TABLE t (id INT, payload STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');

-- The pipeline fails at the third row; the two rows before it are written.
INSERT INTO t
SELECT id, payload FROM FROM_CHANGELOG(
  input => TABLE ev PARTITION BY id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);

-- Now t and m are left out.
INSERT INTO t
SELECT id, payload FROM FROM_CHANGELOG(
  input => TABLE ev PARTITION BY id,
  op => DESCRIPTOR(op),
  op_mapping => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'],
  error_handling => 'SKIP');

SELECT * FROM t;
