-- A table by key that is updated and deleted from, joined with the purchases of its users.

CREATE TABLE users (
  user_id INT,
  name STRING,
  city STRING,
  PRIMARY KEY (user_id) NOT ENFORCED
) COMMENT 'the latest row of each user, which the next one of the same key replaces';

CREATE TABLE purchases (
  user_id INT,
  item STRING,
  price DECIMAL(6, 2)
) COMMENT 'what the users bought; a purchase never changes';

INSERT INTO users VALUES
  (1, 'Ada', 'London'),
  (2, 'Grace', 'New York'),
  (3, 'Alan', 'London');

INSERT INTO purchases VALUES
  (1, 'lamp', 40.00),
  (2, 'chair', 120.50),
  (3, 'clock', 25.00),
  (9, 'ticket', 5.00);

-- Grace moves.
INSERT INTO users VALUES (2, 'Grace', 'London');

INSERT INTO purchases VALUES (2, 'desk', 310.00);

-- Alan leaves.
DELETE FROM users WHERE user_id = 3;

-- Try: A new row of a key is an update of the old one:
-- SELECT * FROM users;

-- Try: When Grace moves, what she bought moves with her:
-- SELECT name, city, item, price FROM purchases JOIN users ON purchases.user_id = users.user_id;

-- Try: And so do the totals of the cities:
-- SELECT city, SUM(price) AS spent
-- FROM purchases JOIN users ON purchases.user_id = users.user_id
-- GROUP BY city;
