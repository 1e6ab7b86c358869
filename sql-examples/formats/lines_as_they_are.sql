-- Format 'raw' gives each line as it is, for whatever the other formats cannot read.
CREATE TABLE lines (line STRING) WITH ('connector' = 'filesystem', 'path' = 'sql-examples/formats/canal.jsonl', 'format' = 'raw');
SELECT JSON_VALUE(line, '$.type') AS type, COUNT(*) AS cnt FROM lines GROUP BY JSON_VALUE(line, '$.type');
