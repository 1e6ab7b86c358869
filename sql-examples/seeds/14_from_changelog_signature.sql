-- FROM_CHANGELOG with all of its parameters. Rows of a key are put into the order of their time, c and r are both
-- INSERT, and a code that is not mapped is skipped. Key 1 ends with 12 although its second update came first.
CREATE TABLE source_table (
  op_column_name STRING,
  key_col INT,
  amount INT,
  time_col TIMESTAMP(3),
  WATERMARK FOR time_col AS time_col - INTERVAL '5' SECOND
);

INSERT INTO source_table VALUES
  ('u', 1, 12, TIMESTAMP '2026-10-11 09:00:03'),
  ('c', 1, 10, TIMESTAMP '2026-10-11 09:00:01'),
  ('u', 1, 11, TIMESTAMP '2026-10-11 09:00:02'),
  ('?', 1, 99, TIMESTAMP '2026-10-11 09:00:04'),
  ('r', 2, 20, TIMESTAMP '2026-10-11 09:00:04'),
  ('d', 2, 20, TIMESTAMP '2026-10-11 09:00:05'),
  -- Rows wait until the watermark, 5 seconds behind the latest row, has passed them. This one lets the others go.
  ('c', 3, 30, TIMESTAMP '2026-10-11 09:00:20');

CREATE TABLE target_table (
  key_col INT,
  amount INT,
  PRIMARY KEY (key_col) NOT ENFORCED
);

INSERT INTO target_table
SELECT key_col, amount FROM FROM_CHANGELOG(
    input          => TABLE source_table PARTITION BY key_col ORDER BY time_col,
    op             => DESCRIPTOR(op_column_name),
    op_mapping     => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'],
    error_handling => 'SKIP'
);

SELECT * FROM target_table;

-- FAIL, the default, says which row has a code that is not mapped, and the pipeline ends.
CREATE TABLE careful_table (
  key_col INT,
  amount INT,
  PRIMARY KEY (key_col) NOT ENFORCED
);

INSERT INTO careful_table
SELECT key_col, amount FROM FROM_CHANGELOG(
    input          => TABLE source_table PARTITION BY key_col ORDER BY time_col,
    op             => DESCRIPTOR(op_column_name),
    op_mapping     => MAP['c, r', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'],
    error_handling => 'FAIL'
);
