-- strict
-- The beloved error: what is written has no old images (an upsert changelog), but the table wants them (a retract one).
-- Flink refuses the INSERT: the sink expects [I,UB,UA,D], and the function gives [I,UA,D].
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
