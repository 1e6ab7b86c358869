-- LAG looks at the row before and LEAD at the one behind. Ordered by a plain column both follow what changes: a new
-- row updates its neighbours.
CREATE TABLE prices (day DATE, price INT, PRIMARY KEY (day) NOT ENFORCED) WITH ('changelog.mode' = 'retract');
INSERT INTO prices VALUES (DATE '2024-01-01', 10), (DATE '2024-01-03', 14), (DATE '2024-01-02', 11);
SELECT day, price, LAG(price) OVER (ORDER BY day) AS before, LEAD(price, 1, 0) OVER (ORDER BY day) AS behind FROM prices;

UPDATE prices SET price = 12 WHERE day = DATE '2024-01-02';
DELETE FROM prices WHERE day = DATE '2024-01-03';
SELECT day, price - LAG(price) OVER (ORDER BY day) AS change FROM prices;
