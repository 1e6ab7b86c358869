-- TO_CHANGELOG with its input alone: the codes are the names of the kinds, in a column op.
-- One row of the result, EU with 2, came to be by an INSERT and an UPDATE_AFTER; Flink also gives the UPDATE_BEFORE.
CREATE TABLE orders (
  region STRING
);

INSERT INTO orders VALUES ('EU'), ('EU');

CREATE VIEW orders_per_region AS
SELECT region, COUNT(*) AS cnt
FROM orders
GROUP BY region;

SELECT * FROM orders_per_region;

SELECT * FROM TO_CHANGELOG(
    input => TABLE orders_per_region
);
