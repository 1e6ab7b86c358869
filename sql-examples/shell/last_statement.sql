-- As in psql, the last statement runs again, and a command may stand behind it in place of its semicolon.
CREATE TABLE orders (region STRING, amount INT);
INSERT INTO orders VALUES ('EU', 100), ('US', 50);
SELECT region, SUM(amount) AS total FROM orders GROUP BY region \gdesc
\g
.print 'Every run sees what there is:'
INSERT INTO orders VALUES ('EU', 1);
.repeat c=2 i=0
SELECT COUNT(*) AS cnt, SUM(amount) AS total FROM orders
  \gx
