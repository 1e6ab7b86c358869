-- TO_CHANGELOG with all of its parameters. Two kinds share the code u; -U has no code and is left out.
-- A delete carries all values with produces_full_deletes => TRUE, and only the key with FALSE.
CREATE TABLE events (
  op STRING,
  key_col INT,
  amount INT
);

INSERT INTO events VALUES
  ('INSERT', 1, 10),
  ('UPDATE_AFTER', 1, 11),
  ('INSERT', 2, 20),
  ('DELETE', 1, 11);

CREATE TABLE source_table (
  key_col INT,
  amount INT,
  PRIMARY KEY (key_col) NOT ENFORCED
);

INSERT INTO source_table SELECT * FROM FROM_CHANGELOG(
  input => TABLE events PARTITION BY key_col,
  op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE']
);

-- With PARTITION BY the key comes first, then the code, then the rest.
SELECT * FROM TO_CHANGELOG(
    input                 => TABLE source_table PARTITION BY key_col,
    op                    => DESCRIPTOR(op_column_name),
    op_mapping            => MAP['INSERT, UPDATE_AFTER', 'u', 'DELETE', 'd'],
    produces_full_deletes => TRUE
);

SELECT * FROM TO_CHANGELOG(
    input                 => TABLE source_table PARTITION BY key_col,
    op                    => DESCRIPTOR(op_column_name),
    op_mapping            => MAP['INSERT, UPDATE_AFTER', 'u', 'DELETE', 'd'],
    produces_full_deletes => FALSE
);

-- Without PARTITION BY the code comes first.
SELECT * FROM TO_CHANGELOG(
    input                 => TABLE source_table,
    op                    => DESCRIPTOR(op_column_name),
    op_mapping            => MAP['INSERT, UPDATE_AFTER', 'u', 'DELETE', 'd'],
    produces_full_deletes => FALSE
);
