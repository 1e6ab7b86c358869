-- What can go wrong: an operation code that the mapping does not have. The query fails, and says which row it was.
-- A code is compared as it is: C is not c, and a missing code (NULL) is none either.
CREATE TABLE cdc (
  op STRING,
  id INT,
  name STRING
);

INSERT INTO cdc VALUES
  ('c', 1, 'ana'),
  ('C', 2, 'bob'),
  ('c', 3, 'cy');

SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc,
  op_mapping => MAP['c', 'INSERT', 'd', 'DELETE'],
  error_handling => 'FAIL'
);
