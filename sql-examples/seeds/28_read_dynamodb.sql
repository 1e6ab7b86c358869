-- FROM_CHANGELOG in a view: DynamoDB's codes become the kinds of an upsert table of users.
-- The log of the table that it is written to has +I[ana, 30], +U[ana, 31] and -D[ana, 31]; nobody is left.
CREATE TABLE dynamodb_cdc (
  eventName STRING,
  user STRING,
  age INT
);

INSERT INTO dynamodb_cdc VALUES
  ('INSERT', 'ana', 30),
  ('MODIFY', 'ana', 31),
  ('REMOVE', 'ana', 31);

CREATE VIEW users AS SELECT * FROM FROM_CHANGELOG(
  input => TABLE dynamodb_cdc PARTITION BY user,
  op => DESCRIPTOR(eventName),
  op_mapping => MAP['INSERT', 'INSERT', 'MODIFY', 'UPDATE_AFTER', 'REMOVE', 'DELETE']);

CREATE TABLE users_copy (
  user STRING,
  age INT,
  PRIMARY KEY (user) NOT ENFORCED
);

INSERT INTO users_copy SELECT * FROM users;

-- The next line shows, in a transcript, what the table got.
-- log: users_copy

SELECT * FROM users_copy;
