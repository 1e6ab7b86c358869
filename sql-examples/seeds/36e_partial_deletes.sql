-- What can go wrong: partial deletes, which keep only the key columns and have NULL for the rest.
-- Read as whole rows they take away nothing: the sum stays 300. By the key the right row goes, and 200 is left.
CREATE TABLE cdc (
  op STRING,
  account STRING,
  balance INT
);

INSERT INTO cdc VALUES
  ('c', 'Checking', 100),
  ('c', 'Savings', 200),
  ('d', 'Checking', CAST(NULL AS INT));

SELECT SUM(balance) AS total FROM FROM_CHANGELOG(
  input => TABLE cdc,
  op_mapping => MAP['c', 'INSERT', 'd', 'DELETE']
);

CREATE TABLE accounts (
  account STRING,
  balance INT,
  PRIMARY KEY (account) NOT ENFORCED
);

INSERT INTO accounts SELECT * FROM FROM_CHANGELOG(
  input => TABLE cdc PARTITION BY account,
  op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']
);

SELECT * FROM accounts;

SELECT SUM(balance) AS total FROM accounts;

-- The other way round: TO_CHANGELOG fills the delete in again, unless partial deletes are asked for.
SELECT * FROM TO_CHANGELOG(
  input => TABLE accounts PARTITION BY account
);

SELECT * FROM TO_CHANGELOG(
  input => TABLE accounts PARTITION BY account,
  produces_full_deletes => FALSE
);
