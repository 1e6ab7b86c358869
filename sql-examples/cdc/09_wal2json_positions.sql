-- wal2json gives values by position: $.change[0].columnvalues[1]. A delete has its key elsewhere, in oldkeys.
-- A path that leads nowhere is NULL, and so is a JSON null. The empty change list has no kind and is filtered out.
CREATE TABLE wal (line STRING);
INSERT INTO wal VALUES
  ('{"change":[{"kind":"insert","schema":"public","table":"t","columnnames":["a","b","c"],"columntypes":["integer","character varying(30)","numeric(5,2)"],"columnvalues":[1,"Backup and Restore",2.34]}]}'),
  ('{"change":[{"kind":"insert","schema":"public","table":"t","columnnames":["a","b","c"],"columntypes":["integer","character varying(30)","numeric(5,2)"],"columnvalues":[2,"Tuning",null]}]}'),
  ('{"change":[{"kind":"update","schema":"public","table":"t","columnnames":["a","b","c"],"columntypes":["integer","character varying(30)","numeric(5,2)"],"columnvalues":[2,"Tuning, part 2",7.5],"oldkeys":{"keynames":["a"],"keytypes":["integer"],"keyvalues":[2]}}]}'),
  ('{"change":[{"kind":"delete","schema":"public","table":"t","oldkeys":{"keynames":["a"],"keytypes":["integer"],"keyvalues":[1]}}]}'),
  ('{"change":[]}');

CREATE VIEW wal_events AS
SELECT CAST(COALESCE(JSON_VALUE(line, '$.change[0].columnvalues[0]'),
                     JSON_VALUE(line, '$.change[0].oldkeys.keyvalues[0]')) AS INT) AS a,
       JSON_VALUE(line, '$.change[0].kind')                                        AS kind,
       JSON_VALUE(line, '$.change[0].columnvalues[1]')                             AS b,
       CAST(JSON_VALUE(line, '$.change[0].columnvalues[2]') AS DECIMAL(5, 2))      AS c
FROM wal
WHERE JSON_VALUE(line, '$.change[0].kind') IS NOT NULL;

CREATE TABLE t (a INT, b STRING, c DECIMAL(5, 2), PRIMARY KEY (a) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO t SELECT a, b, c FROM FROM_CHANGELOG(
  input => TABLE wal_events PARTITION BY a, op => DESCRIPTOR(kind),
  op_mapping => MAP['insert', 'INSERT', 'update', 'UPDATE_AFTER', 'delete', 'DELETE']);
SELECT * FROM t;
