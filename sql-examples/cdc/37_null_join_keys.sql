-- NULL equals nothing, not even NULL: such keys never join, and IS NOT DISTINCT FROM is the way to join them.
-- A NULL in the sub-query makes every NOT IN unknown or false, so nothing is left: filter it, or use NOT EXISTS.
CREATE TABLE a (id INT, k INT);
CREATE TABLE b (id INT, k INT);
INSERT INTO a VALUES (1, 1), (2, CAST(NULL AS INT)), (3, 3);
INSERT INTO b VALUES (10, 1), (11, CAST(NULL AS INT));

SELECT a.id, b.id AS bid FROM a JOIN b ON a.k = b.k;
SELECT a.id, b.id AS bid FROM a LEFT JOIN b ON a.k = b.k;
SELECT a.id AS aid, b.id AS bid FROM a FULL OUTER JOIN b ON a.k = b.k;
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.k);
SELECT id FROM a WHERE k IN (SELECT k FROM b);
SELECT id FROM a WHERE k NOT IN (SELECT k FROM b WHERE k IS NOT NULL);
SELECT id FROM a WHERE k NOT IN (SELECT k FROM b);
SELECT a.id, b.id AS bid FROM a JOIN b ON a.k IS NOT DISTINCT FROM b.k;
