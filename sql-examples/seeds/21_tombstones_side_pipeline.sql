-- Deletes as a side pipeline: one pipeline writes inserts and updates by key, another one nothing but the deletes.
-- A delete event becomes a -D in the table of current employees, from which bob (2) is gone; ann (1) is anna now.
CREATE TABLE employee_events (
  op STRING,
  id INT,
  name STRING
);

INSERT INTO employee_events VALUES
  ('c', 1, 'ann'),
  ('c', 2, 'bob'),
  ('u', 1, 'anna'),
  ('d', 2, 'bob');

CREATE TABLE employee_state (
  id INT,
  name STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

-- What was there before: an insert with a key that is there overwrites its row.
INSERT INTO employee_state
SELECT id, name
FROM employee_events
WHERE op <> 'd';

-- What was missing.
INSERT INTO employee_state
SELECT id, name
FROM FROM_CHANGELOG(
    input      => TABLE (SELECT * FROM employee_events WHERE op = 'd'),
    op_mapping => MAP['d', 'DELETE']
);

-- The next line shows, in a transcript, what the table got.
-- log: employee_state

SELECT * FROM employee_state;

-- Both pipelines go on, and an event takes the way that is meant for it.
INSERT INTO employee_events VALUES ('c', 3, 'cy'), ('d', 1, 'anna');

SELECT * FROM employee_state;
