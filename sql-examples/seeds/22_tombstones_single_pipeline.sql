-- Inserts, updates and deletes in one pipeline: r (a row of a first snapshot) is an INSERT as c is.
-- The result is that of two pipelines: bob (2) is gone, and ann (1) is anna.
CREATE TABLE employee_events (
  op STRING,
  id INT,
  name STRING
);

INSERT INTO employee_events VALUES
  ('r', 1, 'ann'),
  ('c', 2, 'bob'),
  ('u', 1, 'anna'),
  ('d', 2, 'bob');

CREATE TABLE employee_state (
  id INT,
  name STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO employee_state
SELECT id, name
FROM FROM_CHANGELOG(
    input      => TABLE employee_events PARTITION BY id,
    op_mapping => MAP[
        'c, r', 'INSERT',
        'u',    'UPDATE_AFTER',
        'd',    'DELETE'
    ]
);

-- The next line shows, in a transcript, what the table got.
-- log: employee_state

SELECT * FROM employee_state;
