-- Money comes as strings: TRY_CAST gives NULL where CAST fails. A DECIMAL has up to 38 digits and is exact.
-- Times come as milliseconds, or as text whose order is not the order of time: 03:00+02:00 is the same as 01:00+00:00.
SET 'table.local-time-zone' = 'UTC';
CREATE TABLE ev (id INT, amount STRING, ts_ms BIGINT, zoned STRING);
INSERT INTO ev VALUES
  (1, '0.10', 1711846800000, '2024-03-31T01:00:00+00:00'),
  (2, '0.20', 1711846800123, '2024-03-31T03:00:00.123+02:00'),
  (3, '12345678901234567890123456789012345.678', 0, '1970-01-01T00:00:00Z'),
  (4, '1,5', -1, 'not a date'),
  (5, '', CAST(NULL AS BIGINT), '');
SELECT id, TRY_CAST(amount AS DECIMAL(38, 3)) AS amt FROM ev;
SELECT SUM(TRY_CAST(amount AS DECIMAL(10, 2))) AS s FROM ev WHERE id <= 2;
SELECT CAST(amount AS DECIMAL(10, 2)) FROM ev WHERE id = 4;
SELECT id, TO_TIMESTAMP_LTZ(ts_ms, 3) AS t, DATE_FORMAT(TO_TIMESTAMP_LTZ(ts_ms, 3), 'yyyy-MM-dd HH:mm') AS m FROM ev;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY zoned DESC) AS rn FROM ev WHERE id <= 2) WHERE rn = 1;
SELECT id FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY ts_ms DESC) AS rn FROM ev WHERE id <= 2) WHERE rn = 1;
SELECT CAST(CAST(2 AS DECIMAL(10, 2)) / 3 AS STRING) AS d;
