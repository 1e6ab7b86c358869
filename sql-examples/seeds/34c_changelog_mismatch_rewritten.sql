-- strict
-- Three ways out of a changelog mismatch, all of which Flink takes: a key in the sink, old images, or rows with a code.
-- The first two sinks end with 1, anna; the third has all four changes as rows.
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

-- 1. A sink that takes upserts, because its primary key is the key of the changes.
CREATE TABLE sink_with_key (
  id INT,
  name STRING,
  PRIMARY KEY (id) NOT ENFORCED
);

INSERT INTO sink_with_key SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

SELECT * FROM sink_with_key;

-- 2. A table with the key in between: a query of it has the old images.
CREATE TABLE sink_for_retract (
  id INT,
  name STRING
) WITH ('changelog.mode' = 'retract');

INSERT INTO sink_for_retract SELECT * FROM sink_with_key;

SELECT * FROM sink_for_retract;

-- 3. No changes at all, but rows: an append-only sink takes what TO_CHANGELOG makes of them.
CREATE TABLE sink_for_rows (
  op STRING,
  id INT,
  name STRING
) WITH ('changelog.mode' = 'append');

INSERT INTO sink_for_rows SELECT * FROM TO_CHANGELOG(
  input => TABLE sink_with_key,
  op_mapping => MAP['INSERT', 'c', 'UPDATE_AFTER', 'u', 'DELETE', 'd']
);

SELECT * FROM sink_for_rows;
