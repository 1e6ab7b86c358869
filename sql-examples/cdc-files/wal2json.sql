-- wal2json, format 1: values stand in arrays beside their names, and the key of a deleted row in oldkeys.
CREATE TABLE wal (
  `change` ARRAY<ROW<
    kind STRING, columnnames ARRAY<STRING>, columnvalues ARRAY<STRING>,
    oldkeys ROW<keynames ARRAY<STRING>, keyvalues ARRAY<STRING>>>>
) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/cdc-files/wal2json.jsonl', 'format' = 'json');

CREATE TABLE t (a INT, b STRING, c DECIMAL(5, 2), PRIMARY KEY (a) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO t SELECT a, b, c FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT kind, CAST(COALESCE(v['a'], old['a']) AS INT) AS a, v['b'] AS b, CAST(v['c'] AS DECIMAL(5, 2)) AS c
    FROM (
      SELECT e.kind, MAP_FROM_ARRAYS(e.columnnames, e.columnvalues) AS v,
        MAP_FROM_ARRAYS(e.oldkeys.keynames, e.oldkeys.keyvalues) AS old
      FROM wal CROSS JOIN UNNEST(`change`) AS e (kind, columnnames, columnvalues, oldkeys)
    ) AS changes
  ) PARTITION BY a,
  op => DESCRIPTOR(kind),
  op_mapping => MAP['insert', 'INSERT', 'update', 'UPDATE_AFTER', 'delete', 'DELETE']);
SELECT * FROM t;

-- Out as Canal writes them.
CREATE TABLE to_canal (a INT, b STRING, c DECIMAL(5, 2)) WITH ('connector' = 'stdout', 'format' = 'canal-json');
INSERT INTO to_canal SELECT * FROM t;
