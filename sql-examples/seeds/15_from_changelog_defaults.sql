-- FROM_CHANGELOG with its input alone: the column is op, and the codes are the names of the kinds.
-- The update has no UPDATE_BEFORE and is passed on as it is, so that without a key EU stands there twice: 1 and 2.
CREATE TABLE raw_cdc (
  op STRING,
  region STRING,
  cnt BIGINT
);

INSERT INTO raw_cdc VALUES
  ('INSERT', 'EU', 1),
  ('UPDATE_AFTER', 'EU', 2);

SELECT * FROM FROM_CHANGELOG(
    input => TABLE raw_cdc
);

-- With the key named, UPDATE_AFTER replaces the row of its region: EU with 2.
CREATE TABLE orders_per_region (
  region STRING,
  cnt BIGINT,
  PRIMARY KEY (region) NOT ENFORCED
);

INSERT INTO orders_per_region SELECT * FROM FROM_CHANGELOG(
    input => TABLE raw_cdc PARTITION BY region,
    op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE']
);

SELECT * FROM orders_per_region;
