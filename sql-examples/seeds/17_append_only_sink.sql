-- An aggregation updates its result, so a table that takes only inserts refuses it. TO_CHANGELOG makes inserts of it.
-- The sink gets a row for each change of a customer's count: INSERT, and UPDATE_BEFORE with UPDATE_AFTER.
CREATE TABLE orders (
  order_id INT,
  customer_id INT
);

INSERT INTO orders VALUES (1, 7), (2, 7), (3, 8);

CREATE VIEW totals AS
SELECT customer_id, COUNT(*) AS cnt
FROM orders
GROUP BY customer_id;

CREATE TABLE sink (
  op STRING,
  customer_id INT,
  cnt BIGINT
) WITH ('changelog.mode' = 'append');

INSERT INTO sink
SELECT * FROM TO_CHANGELOG(input => TABLE totals);

SELECT * FROM sink;

-- The pipeline goes on: one more order, two more rows.
INSERT INTO orders VALUES (4, 8);

SELECT * FROM sink;

-- This is what is refused.
CREATE TABLE totals_sink (
  customer_id INT,
  cnt BIGINT
) WITH ('changelog.mode' = 'append');

INSERT INTO totals_sink SELECT * FROM totals;
