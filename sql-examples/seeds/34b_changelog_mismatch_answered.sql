-- The same without strictness: the changes are made whole by their key, as a table with PRIMARY KEY (id) would do it.
-- A notice says that Flink refuses it. The sink has +I, -U, +U for anna, and bob has come and gone.
CREATE TABLE cdc (
  op STRING,
  id INT,
  name STRING
);

INSERT INTO cdc VALUES
  ('c', 1, 'ana'),
  ('u', 1, 'anna'),
  ('c', 2, 'bob'),
  ('d', 2, 'bob');

CREATE TABLE sink (
  id INT,
  name STRING
) WITH ('changelog.mode' = 'retract');

INSERT INTO sink SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

SELECT * FROM sink;
