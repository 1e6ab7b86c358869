-- What can go wrong: with SKIP, a row with an unknown code vanishes without a word, and the table is wrong after it.
-- The delete of ana has the code x, which is not mapped: ana stays. Bob, with a C instead of a c, never comes.
CREATE TABLE cdc (
  op STRING,
  id INT,
  name STRING
);

INSERT INTO cdc VALUES
  ('c', 1, 'ana'),
  ('C', 2, 'bob'),
  (CAST(NULL AS STRING), 3, 'cy'),
  ('x', 1, 'ana');

SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc,
  op_mapping => MAP['c', 'INSERT', 'd', 'DELETE'],
  error_handling => 'SKIP'
);

-- So look first which codes there are.
SELECT op, COUNT(*) AS cnt FROM cdc GROUP BY op;
