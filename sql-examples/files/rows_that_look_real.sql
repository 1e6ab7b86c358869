-- Rows that look real, with the expressions of flink-faker; they are the same each time.
CREATE TABLE orders (
  order_id INT,
  customer STRING,
  email STRING,
  product STRING,
  price DECIMAL(8, 2),
  status STRING,
  tags ARRAY<STRING>,
  ordered_at TIMESTAMP(3)
) WITH (
  'connector' = 'faker',
  'number-of-rows' = '5',
  'start-time' = '2024-01-01 12:00:00',
  'fields.order_id.expression' = '#{number.numberBetween ''1'',''1000''}',
  'fields.customer.expression' = '#{Name.first_name} #{Name.last_name}',
  'fields.email.expression' = '#{Internet.safeEmailAddress}',
  'fields.email.null-rate' = '0.3',
  'fields.product.expression' = '#{Commerce.productName}',
  'fields.price.expression' = '#{Commerce.price ''5'',''100''}',
  'fields.status.expression' = '#{Options.option ''RECEIVED'',''SHIPPED'',''CANCELLED''}',
  'fields.tags.expression' = '#{regexify ''(new|gift|express){1}''}',
  'fields.tags.length' = '2',
  'fields.ordered_at.expression' = '#{date.past ''15'',''5'',''SECONDS''}'
);
SELECT order_id, customer, email FROM orders;
SELECT product, price, status, tags, ordered_at FROM orders;
SELECT status, COUNT(*) AS cnt, SUM(price) AS total FROM orders GROUP BY status;

-- What there is, and what is meant by something misspelt.
.help #{Address.s
CREATE TABLE wrong (a STRING) WITH ('connector' = 'faker', 'fields.a.expression' = '#{Name.fristName}');
CREATE TABLE wrong (a INT) WITH ('connector' = 'faker', 'number-of-rows' = '1', 'fields.a.expression' = '#{Name.lastName}');
SELECT * FROM wrong;
