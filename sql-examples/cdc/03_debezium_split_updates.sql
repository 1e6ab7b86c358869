-- One update event becomes two changes: UNNEST makes a row of each image, first the one before, then the one after.
-- With both images mapped the result has -U and +U, so no key is needed, and any query can read it.
CREATE TABLE dbz (
  `before` ROW<id INT, name STRING, email STRING>,
  `after`  ROW<id INT, name STRING, email STRING>,
  op STRING,
  ts_ms BIGINT
);

INSERT INTO dbz VALUES
  (CAST(NULL AS ROW<id INT, name STRING, email STRING>), ROW(1001, 'Ada', 'ada@example.com'), 'r', 1700000000100),
  (CAST(NULL AS ROW<id INT, name STRING, email STRING>), ROW(1002, 'Bo', 'bo@example.com'), 'r', 1700000001100),
  (CAST(NULL AS ROW<id INT, name STRING, email STRING>), ROW(1003, 'Cy', CAST(NULL AS STRING)), 'c', 1700000002100),
  (ROW(1001, 'Ada', 'ada@example.com'), ROW(1001, 'Ada L.', 'ada@example.com'), 'u', 1700000003100),
  (ROW(1002, 'Bo', 'bo@example.com'), CAST(NULL AS ROW<id INT, name STRING, email STRING>), 'd', 1700000004100);

-- The code is chosen for each image. An image that is not there has no id, and WHERE drops it.
CREATE VIEW split_events AS
SELECT t.id, t.op2, t.name
FROM dbz
CROSS JOIN UNNEST(ARRAY[
    ROW(`before`.id, CASE op WHEN 'u' THEN 'UB' WHEN 'd' THEN 'D' END, `before`.name),
    ROW(`after`.id,  CASE op WHEN 'u' THEN 'UA' ELSE 'I' END,          `after`.name)
]) AS t (id, op2, name)
WHERE t.id IS NOT NULL;

SELECT * FROM FROM_CHANGELOG(
  input => TABLE split_events,
  op => DESCRIPTOR(op2),
  op_mapping => MAP['I', 'INSERT', 'UB', 'UPDATE_BEFORE', 'UA', 'UPDATE_AFTER', 'D', 'DELETE']);
