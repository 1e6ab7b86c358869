-- The balance is the table, the statement is the changelog: each line of a statement revises the balance.
-- 130 and 20 are deposited and 50 withdrawn, so the account Checking ends with 100.
CREATE TABLE statement_lines (
  account STRING,
  description STRING,
  amount INT
);

INSERT INTO statement_lines VALUES
  ('Checking', 'Deposit', 130),
  ('Checking', 'Deposit', 20),
  ('Checking', 'Withdrawal', -50);

SELECT account, SUM(amount) AS balance
FROM statement_lines
GROUP BY account;

-- The way back: the steps of the balance as a statement.
CREATE VIEW balances AS
SELECT account, SUM(amount) AS balance
FROM statement_lines
GROUP BY account;

SELECT * FROM TO_CHANGELOG(
  input => TABLE balances,
  op => DESCRIPTOR(step),
  op_mapping => MAP['INSERT', 'opened', 'UPDATE_AFTER', 'changed']
);
