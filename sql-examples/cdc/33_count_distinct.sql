-- COUNT(DISTINCT) remembers how often a value is there: deleting one u1 of two changes nothing, the other does.
-- NULL is a row to COUNT(*), and not counted otherwise.
CREATE TABLE ev (op STRING, `day` STRING, usr STRING);
INSERT INTO ev VALUES
  ('INSERT', 'd1', 'u1'),
  ('INSERT', 'd1', 'u1'),
  ('INSERT', 'd1', 'u2'),
  ('DELETE', 'd1', 'u1'),
  ('INSERT', 'd1', NULL),
  ('DELETE', 'd1', 'u1'),
  ('DELETE', 'd1', 'u2');
SELECT `day`, COUNT(DISTINCT usr) AS uv, COUNT(usr) FILTER (WHERE usr <> 'u1') AS not_u1, COUNT(*) AS n
FROM FROM_CHANGELOG(input => TABLE ev)
GROUP BY `day`;
