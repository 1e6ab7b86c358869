-- What can go wrong: upsert output needs a sink that accepts upserts, so one with the same key as its primary key.
-- The first sink has it and takes the changes. The second takes only inserts, and refuses them.
CREATE TABLE cdc (
  op STRING,
  id INT,
  name STRING
);

INSERT INTO cdc VALUES
  ('c', 1, 'ana'),
  ('u', 1, 'anna');

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

CREATE TABLE append_only_sink (
  id INT,
  name STRING
) WITH ('changelog.mode' = 'append');

INSERT INTO append_only_sink SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY id,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);
