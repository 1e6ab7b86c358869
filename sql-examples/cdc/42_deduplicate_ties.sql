-- ROW_NUMBER() = 1 keeps one row a key. When two rows are equal in the order, the first to come stays.
-- A second column in the order says which one is meant.
CREATE TABLE obs (id INT, k STRING, seen INT, val STRING);
INSERT INTO obs VALUES (1, 'a', 100, 'first'), (2, 'a', 100, 'second'), (3, 'a', 99, 'older'), (4, 'b', 1, 'only');
-- Two rows were seen at 100.
SELECT k, id, val FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY seen DESC) AS rn FROM obs) WHERE rn = 1;
-- The last of them wins by its id.
SELECT k, id, val FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY seen DESC, id DESC) AS rn FROM obs) WHERE rn = 1;
