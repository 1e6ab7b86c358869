-- A semicolon ends a statement, but not in a string, a comment or a quoted name; empty statements are nothing.
-- A backslash is a backslash, a doubled quote is a quote, and the last statement needs no semicolon.
SELECT ';
' AS a;
SELECT /*;
*/1 AS b;
SELECT --;
2 AS c;
-- a whole line; with a semicolon
SELECT 'it''s; fine' AS d, '-- not a comment' AS e, '/* nor this */' AS f;
;
CREATE TABLE `semi;colon` (x INT COMMENT '2-high;3-mid;4-low');
INSERT INTO `semi;colon` VALUES (1), /* two; */ (2); -- tail
SELECT COUNT(*) AS n FROM `semi;colon`;
SELECT CONCAT(';\n', 'b') AS g, U&'\263A' AS smile, '' AS empty_string, 'x' || '' AS h
