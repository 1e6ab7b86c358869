-- What can go wrong: order. The events of a key must come in the order in which they happened.
-- SHIPPED comes here before NEW. Taken as they come, the events leave order 1 as NEW; by their time, as SHIPPED.
CREATE TABLE events (
  op STRING,
  id INT,
  status STRING,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
);

INSERT INTO events VALUES
  ('u', 1, 'SHIPPED', TIMESTAMP '2026-10-11 09:00:02'),
  ('c', 1, 'NEW', TIMESTAMP '2026-10-11 09:00:01'),
  ('c', 2, 'NEW', TIMESTAMP '2026-10-11 09:00:20');

CREATE TABLE as_they_come (
  id INT,
  status STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO as_they_come
SELECT id, status FROM FROM_CHANGELOG(
  input => TABLE events PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

SELECT * FROM as_they_come;

CREATE TABLE by_their_time (
  id INT,
  status STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO by_their_time
SELECT id, status FROM FROM_CHANGELOG(
  input => TABLE events PARTITION BY id ORDER BY ts,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

-- Order 2 is not here yet: it waits for the watermark, which is 5 seconds behind it.
SELECT * FROM by_their_time;

-- What comes after the watermark has passed its time is dropped, and the table never knows.
INSERT INTO events VALUES
  ('d', 1, 'SHIPPED', TIMESTAMP '2026-10-11 09:00:03'),
  ('c', 3, 'NEW', TIMESTAMP '2026-10-11 09:00:40');

SELECT * FROM by_their_time;
