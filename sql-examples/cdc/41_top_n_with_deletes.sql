-- Top 2 with deletes: when a row goes, the next one moves up, and a row that was deleted while it was third does not.
-- With the rank in the result each move is a change; without it only those who enter or leave are.
CREATE TABLE ev (op STRING, cat STRING, item STRING, score INT);
INSERT INTO ev VALUES
  ('INSERT', 'b', 'A', 90),
  ('INSERT', 'b', 'B', 80),
  ('INSERT', 'b', 'C', 70),
  ('DELETE', 'b', 'C', 70),
  ('DELETE', 'b', 'A', 90),
  ('INSERT', 'b', 'D', 85),
  ('INSERT', 'b', 'E', 60),
  ('DELETE', 'b', 'D', 85);
SELECT cat, item, score, rn FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY cat ORDER BY score DESC) AS rn
  FROM FROM_CHANGELOG(input => TABLE ev))
WHERE rn <= 2;
SELECT cat, item, score FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY cat ORDER BY score DESC) AS rn
  FROM FROM_CHANGELOG(input => TABLE ev))
WHERE rn <= 2;
