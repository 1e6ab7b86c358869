-- A mapping upside down is accepted: each insert deletes a row that was never there, each delete brings one back.
-- Of two inserted rows one is deleted, so 2 should be left. Instead the table has 1: nothing fails, all is wrong.
CREATE TABLE raw_cdc (
  op STRING,
  id INT
);

INSERT INTO raw_cdc VALUES
  ('INSERT', 1),
  ('INSERT', 2),
  ('DELETE', 1);

SELECT * FROM FROM_CHANGELOG(
  input => TABLE raw_cdc,
  op_mapping => MAP['INSERT', 'DELETE', 'DELETE', 'INSERT']
);

-- The mapping that was meant.
SELECT * FROM FROM_CHANGELOG(
  input => TABLE raw_cdc,
  op_mapping => MAP['INSERT', 'INSERT', 'DELETE', 'DELETE']
);
