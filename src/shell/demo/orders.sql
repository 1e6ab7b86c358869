-- CDC events with codes, and the orders that FROM_CHANGELOG makes of them.

CREATE TABLE order_events (
  op STRING,
  order_id INT,
  region STRING,
  amount INT
) COMMENT 'events as a connector sends them; c creates, ub and ua are before and after an update, d deletes';

INSERT INTO order_events VALUES
  ('c', 1, 'EU', 100),
  ('c', 2, 'US', 50),
  ('c', 3, 'EU', 70),
  ('ub', 2, 'US', 50),
  ('ua', 2, 'US', 80),
  ('c', 4, 'ASIA', 30),
  ('d', 1, 'EU', 100),
  ('ub', 4, 'ASIA', 30),
  ('ua', 4, 'EU', 30);

CREATE VIEW orders COMMENT 'the orders that the events make, update and delete' AS
SELECT * FROM FROM_CHANGELOG(
  input => TABLE order_events,
  op => DESCRIPTOR(op),
  op_mapping => MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE']
);

-- Try: Each event is a change of a row:
-- SELECT * FROM orders;

-- Try: A change of a row changes its group, and the last order of ASIA takes its group with it:
-- SELECT region, COUNT(*) AS cnt, SUM(amount) AS total FROM orders GROUP BY region;

-- Try: The changes of the groups as events again:
-- SELECT * FROM TO_CHANGELOG(
--   input => TABLE (SELECT region, COUNT(*) AS cnt FROM orders GROUP BY region)
-- );
