-- The average of INT stays INT and is cut toward zero: -1 / 3 is 0. The average of DECIMAL(10, 2) is DECIMAL(38, 6).
-- Sums of DECIMAL are exact, so after a delete there is no rest as there can be with DOUBLE.
CREATE TABLE ev (op STRING, grp STRING, i INT, d DECIMAL(10, 2));
INSERT INTO ev VALUES
  ('INSERT', 'a', 1, 1.00),
  ('INSERT', 'a', 2, 2.00),
  ('INSERT', 'a', 2, 2.00),
  ('DELETE', 'a', 1, 1.00),
  ('INSERT', 'a', -5, -0.01);
SELECT grp, AVG(i) AS avg_i, AVG(d) AS avg_d, SUM(d) AS sum_d
FROM FROM_CHANGELOG(input => TABLE ev)
GROUP BY grp;
