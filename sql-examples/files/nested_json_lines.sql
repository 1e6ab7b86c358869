-- JSON Lines with rows, arrays and maps in them. What has no column is skipped, and what is missing is NULL.
CREATE TABLE orders (
  id INT,
  customer ROW<name STRING, tags ARRAY<STRING>>,
  prices MAP<STRING, DECIMAL(10, 2)>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/files/orders.jsonl', 'format' = 'json');

SELECT * FROM orders;
SELECT id, o.customer.name, prices['book'] AS book FROM orders AS o;
SELECT id, tag FROM orders AS o CROSS JOIN UNNEST(o.customer.tags) AS t (tag);
