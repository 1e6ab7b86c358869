-- What to think of before a query runs for long: Flink's advice, and behind it rowkind's own.
CREATE TABLE orders (id INT, customer INT, amount INT);
CREATE TABLE customers (id INT, region STRING, PRIMARY KEY (id) NOT ENFORCED);
CREATE TABLE latest_order (customer INT, amount INT, PRIMARY KEY (customer) NOT ENFORCED);
CREATE TABLE latest_customer (region STRING, id INT, PRIMARY KEY (region) NOT ENFORCED);
CREATE TABLE audit (region STRING, tag STRING) WITH ('changelog.mode' = 'retract');

EXPLAIN PLAN_ADVICE SELECT id, amount FROM orders;
EXPLAIN PLAN_ADVICE
  SELECT c.region, SUM(o.amount) FROM orders AS o JOIN customers AS c ON o.customer = c.id GROUP BY c.region;
EXPLAIN PLAN_ADVICE INSERT INTO latest_order SELECT customer, amount FROM orders;
EXPLAIN PLAN_ADVICE INSERT INTO latest_customer SELECT region, id FROM customers;
EXPLAIN PLAN_ADVICE, CHANGELOG_MODE INSERT INTO audit SELECT region, UUID() AS tag FROM customers;

-- State that is let go grows no more, and options that are set are not advised.
SET 'table.exec.state.ttl' = '1 d';
SET 'table.exec.mini-batch.allow-latency' = '5 s';
SET 'table.exec.mini-batch.size' = '1000';
EXPLAIN PLAN_ADVICE SELECT customer, SUM(amount) FROM orders GROUP BY customer;

-- The statements of a set get their advice together.
EXPLAIN PLAN_ADVICE STATEMENT SET BEGIN
  INSERT INTO latest_order SELECT customer, MAX(amount) FROM orders GROUP BY customer;
  INSERT INTO audit SELECT region, CAST(NOW() AS STRING) AS tag FROM customers;
END;

-- A strict session says what Flink says.
SET 'rowkind.strict' = 'true';
EXPLAIN PLAN_ADVICE INSERT INTO latest_order SELECT customer, amount FROM orders;
