-- ORDER BY ts sorts the events of a key by time: NEW comes before SHIPPED although it arrived after it.
-- The row of 00:00:09 moves the watermark to 00:00:04, so the delete of 00:00:02 is late and dropped.
CREATE TABLE ev (
  id INT, op STRING, status STRING, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
);
INSERT INTO ev VALUES
  (1, 'ua', 'SHIPPED', TIMESTAMP '2024-01-01 00:00:03'),
  (1, 'c', 'NEW', TIMESTAMP '2024-01-01 00:00:01'),
  (1, 'ub', 'NEW', TIMESTAMP '2024-01-01 00:00:02'),
  (2, 'c', 'NEW', TIMESTAMP '2024-01-01 00:00:09'),
  (1, 'd', 'SHIPPED', TIMESTAMP '2024-01-01 00:00:02'),
  (3, 'c', 'NEW', TIMESTAMP '2024-01-01 00:01:00');

SELECT id, status FROM FROM_CHANGELOG(
  input => TABLE ev PARTITION BY id ORDER BY ts,
  op_mapping => MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE']);
