-- The result of a query can be queried again: its changelog is the table _.
CREATE TABLE orders (region STRING, amount INT);
INSERT INTO orders VALUES ('EU', 100), ('US', 50), ('EU', 70);
SELECT region, SUM(amount) AS total FROM orders GROUP BY region;
SELECT * FROM _ WHERE total > 60;
SELECT COUNT(*) AS n FROM _;
