-- Statements from slides have typographic quotes, ‘c’ and “c”. They are read as 'c', and a notice says so.
-- Inside of an ordinary string they stay as they are: the name of the last row is O’Neil.
CREATE TABLE users (
  `user` STRING,
  age INT,
  PRIMARY KEY (`user`) NOT ENFORCED
);

INSERT INTO users VALUES (“ana”, 30), (‘ana’, 31), ('O’Neil', 40);

SELECT * FROM TO_CHANGELOG(
  input => TABLE users,
  op => DESCRIPTOR(op),
  op_mapping => MAP[‘INSERT’, ‘c’, ‘UPDATE_AFTER’, ‘u’, ‘DELETE’, ‘d’]);
