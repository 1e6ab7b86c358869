-- A LEFT JOIN fills up with NULL where there is no match. When the last match is deleted, the order is there with NULL.
-- The delete of the item does not say whose it was: the join finds the row by its key.
CREATE TABLE o_ev (order_id INT, op STRING, name STRING);
CREATE TABLE i_ev (item_id INT, op STRING, order_id INT, what STRING);
CREATE TABLE orders (order_id INT, name STRING, PRIMARY KEY (order_id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
CREATE TABLE items (item_id INT, order_id INT, what STRING, PRIMARY KEY (item_id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO orders SELECT * FROM FROM_CHANGELOG(input => TABLE o_ev PARTITION BY order_id, op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
INSERT INTO items SELECT item_id, order_id, what FROM FROM_CHANGELOG(input => TABLE i_ev PARTITION BY item_id, op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);

INSERT INTO o_ev VALUES (1, 'c', 'o1');
INSERT INTO i_ev VALUES (10, 'c', 1, 'pen');
INSERT INTO i_ev VALUES (10, 'u', 1, 'pencil');
INSERT INTO i_ev VALUES (10, 'd', CAST(NULL AS INT), CAST(NULL AS STRING));

SELECT o.order_id, o.name, i.item_id, i.what
FROM orders AS o LEFT JOIN items AS i ON o.order_id = i.order_id;
