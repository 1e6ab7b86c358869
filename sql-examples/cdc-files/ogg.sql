-- Oracle GoldenGate: whole rows before and after. What was transferred leaves the sum as it is.
CREATE TABLE accounts (ACCOUNT_ID INT, HOLDER STRING, BALANCE DECIMAL(12, 2)) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/cdc-files/ogg.jsonl',
  'format' = 'ogg-json'
);
SELECT * FROM accounts;
SELECT COUNT(*) AS accounts, SUM(BALANCE) AS total FROM accounts;

-- Out as Maxwell writes them.
CREATE TABLE to_maxwell (ACCOUNT_ID INT, HOLDER STRING, BALANCE DECIMAL(12, 2)) WITH ('connector' = 'stdout', 'format' = 'maxwell-json');
INSERT INTO to_maxwell SELECT * FROM accounts;
