-- What can go wrong: a mapping that is wrong is not refused, it gives a wrong table. Here updates are read as inserts.
-- The accounts have 150 and 50. With u as INSERT the old 100 stays beside the new 150: the sum is 300 and not 200.
CREATE TABLE cdc (
  op STRING,
  account STRING,
  balance INT
);

INSERT INTO cdc VALUES
  ('c', 'Checking', 100),
  ('c', 'Savings', 50),
  ('u', 'Checking', 150);

SELECT SUM(balance) AS total FROM FROM_CHANGELOG(
  input => TABLE cdc,
  op_mapping => MAP['c, u', 'INSERT', 'd', 'DELETE']
);

-- An update without its old image is UPDATE_AFTER, by the key of the row.
CREATE TABLE accounts (
  account STRING,
  balance INT,
  PRIMARY KEY (account) NOT ENFORCED
);

INSERT INTO accounts SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY account,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

SELECT SUM(balance) AS total FROM accounts;
