-- Rows that datagen makes up, with the time of their events and a watermark; they are only ever added.

CREATE TABLE sensors (
  n INT,
  sensor INT,
  temperature DECIMAL(3, 1),
  ts AS CAST(TIMESTAMPADD(SECOND, 10 * n, TIMESTAMP '2026-01-01 00:00:00') AS TIMESTAMP(3)),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) COMMENT 'five minutes of three thermometers, with a reading every 10 seconds'
WITH (
  'connector' = 'datagen',
  'fields.n.kind' = 'sequence',
  'fields.n.start' = '0',
  'fields.n.end' = '29',
  'fields.sensor.min' = '1',
  'fields.sensor.max' = '3',
  'fields.temperature.min' = '15',
  'fields.temperature.max' = '25'
);

-- Try: Each reading, with the watermark that those before it have brought:
-- SELECT ts, sensor, temperature, CURRENT_WATERMARK(ts) AS wm FROM sensors;

-- Try: A new reading updates its minute:
-- SELECT FLOOR(ts TO MINUTE) AS since, COUNT(*) AS readings, MAX(temperature) AS warmest
-- FROM sensors
-- GROUP BY FLOOR(ts TO MINUTE);

-- Try: The warmest reading of each sensor, which a warmer one replaces:
-- SELECT sensor, ts, temperature
-- FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY temperature DESC) AS place FROM sensors)
-- WHERE place = 1;
