-- Exact duplicates are dropped without any time or watermark: the first of equal rows wins, and no other ever can.
-- TO_CHANGELOG makes the result append-only. Of five trades, three are left, each as one INSERT.
CREATE TABLE trades_with_dups (
  trade_id INT,
  ticker STRING,
  quantity INT,
  price DECIMAL(10, 2)
);

INSERT INTO trades_with_dups VALUES
  (1, 'AAPL', 10, 190.50),
  (1, 'AAPL', 10, 190.50),
  (2, 'TSLA', 5, 250.00),
  (1, 'AAPL', 10, 190.50),
  (3, 'AAPL', 10, 190.50);

SELECT * FROM TO_CHANGELOG((
    SELECT trade_id, ticker, quantity, price
    FROM (
        SELECT *, ROW_NUMBER()
            OVER (PARTITION BY trade_id, ticker, quantity, price
                  ORDER BY trade_id, ticker, quantity, price ASC) AS row_num
        FROM trades_with_dups
    )
    WHERE row_num = 1
));

-- So a table that takes only inserts can have it.
CREATE TABLE trades (
  trade_id INT,
  ticker STRING,
  quantity INT,
  price DECIMAL(10, 2)
) WITH ('changelog.mode' = 'append');

INSERT INTO trades
SELECT trade_id, ticker, quantity, price FROM TO_CHANGELOG((
    SELECT trade_id, ticker, quantity, price
    FROM (
        SELECT *, ROW_NUMBER()
            OVER (PARTITION BY trade_id, ticker, quantity, price
                  ORDER BY trade_id, ticker, quantity, price ASC) AS row_num
        FROM trades_with_dups
    )
    WHERE row_num = 1
));

SELECT * FROM trades;
