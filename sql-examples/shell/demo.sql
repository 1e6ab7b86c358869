-- Small catalogs with data to play with.
.demo
.demo orders
SELECT region, COUNT(*) AS cnt, SUM(amount) AS total FROM orders GROUP BY region;
.demo users
SELECT city, SUM(price) AS spent
FROM purchases JOIN users ON purchases.user_id = users.user_id
GROUP BY city;
.demo sensors
SELECT sensor, ts, temperature
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY temperature DESC) AS place FROM sensors)
WHERE place = 1;
-- What is there already is left alone.
.demo orders
