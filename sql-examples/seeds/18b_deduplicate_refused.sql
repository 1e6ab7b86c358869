-- Dropping duplicates without TO_CHANGELOG: the rows are not numbered in the order of a time, so the result counts as
-- updating though it never updates. A table that takes only inserts refuses it. (Flink 2.3 lets it pass by mistake.)
CREATE TABLE trades_with_dups (
  trade_id INT,
  ticker STRING,
  quantity INT,
  price DECIMAL(10, 2)
);

INSERT INTO trades_with_dups VALUES
  (1, 'AAPL', 10, 190.50),
  (1, 'AAPL', 10, 190.50),
  (2, 'TSLA', 5, 250.00);

CREATE TABLE trades (
  trade_id INT,
  ticker STRING,
  quantity INT,
  price DECIMAL(10, 2)
) WITH ('changelog.mode' = 'append');

INSERT INTO trades
SELECT trade_id, ticker, quantity, price
FROM (
    SELECT *, ROW_NUMBER()
        OVER (PARTITION BY trade_id, ticker, quantity, price
              ORDER BY trade_id, ticker, quantity, price ASC) AS row_num
    FROM trades_with_dups
)
WHERE row_num = 1;
