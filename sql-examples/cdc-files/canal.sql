-- Canal: an event has several rows, numbers are strings, and of an old row there is only what changed.
CREATE TABLE products (id INT, name STRING, weight DECIMAL(10, 2)) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/cdc-files/canal.jsonl',
  'format' = 'canal-json',
  'canal-json.table.include' = 'products2'
);
SELECT * FROM products;

-- Out as Oracle GoldenGate writes them.
CREATE TABLE to_ogg (id INT, name STRING, weight DECIMAL(10, 2)) WITH ('connector' = 'stdout', 'format' = 'ogg-json');
INSERT INTO to_ogg SELECT * FROM products;
