-- A join with a condition on one side: rows that do not match never show, as if they had not been there.
-- The update of 2 is no change here, because B says FALSE for it.
CREATE TABLE a_ev (id INT, op STRING, dt STRING);
INSERT INTO a_ev VALUES (1, 'c', '20220607'), (2, 'c', '20220504'), (3, 'c', '20220505'), (6, 'c', '20220505'), (2, 'u', '20220503');
CREATE TABLE A (id INT, dt STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('changelog.mode' = 'upsert');
INSERT INTO A SELECT * FROM FROM_CHANGELOG(input => TABLE a_ev PARTITION BY id, op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE']);
CREATE TABLE B (id INT, ok BOOLEAN);
INSERT INTO B VALUES (1, TRUE), (2, FALSE), (3, TRUE), (6, FALSE);
SELECT A.id, A.dt FROM A JOIN B ON A.id = B.id AND B.ok;
