-- UPDATE and DELETE compute random values and the time once for each row that is there, whatever was there before.
CREATE TABLE codes (id INT, code STRING) WITH ('changelog.mode' = 'retract');
INSERT INTO codes VALUES (1, 'a'), (1, 'a'), (2, 'b');
UPDATE codes SET code = 'ccc' WHERE id = 1;
UPDATE codes SET code = UUID();
DELETE FROM codes WHERE id = 1 AND RAND() < 2;
SELECT id, CHAR_LENGTH(code) AS length FROM codes;

CREATE TABLE visits (id INT, seen TIMESTAMP_LTZ(3), PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO visits VALUES (1, TO_TIMESTAMP_LTZ(0, 3)), (2, TO_TIMESTAMP_LTZ(0, 3));
UPDATE visits SET seen = TO_TIMESTAMP_LTZ(1, 3) WHERE id = 2;
UPDATE visits SET seen = NOW();
SELECT id FROM visits WHERE seen > TO_TIMESTAMP_LTZ(1, 3);
