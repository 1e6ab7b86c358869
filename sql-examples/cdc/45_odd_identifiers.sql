-- Backticks let a name be anything: a reserved word, with a blank, a dot or a hyphen in it, or a doubled backtick.
-- Names are case-sensitive. Without backticks, user is a word that Flink reserves: here a notice says so.
CREATE TABLE `select` (
  `user` STRING, `order` INT, `timestamp` BIGINT, `value` STRING, `key` STRING, `group` STRING,
  `record-type` STRING, `a.b` STRING, `with space` STRING, `tick``s` STRING, `1st` INT, `Über` STRING
);
INSERT INTO `select` VALUES
  ('u1', 1, 1700000000000, 'v', 'k', 'g', 'data', 'dot', 'sp', 'bt', 1, 'ü'),
  ('u1', 2, 1700000001000, 'v2', 'k', 'g', 'control', 'dot2', 'sp2', 'bt2', 2, 'Ü');
SELECT `user`, MAX(`order`) AS `order`, MAX(`timestamp`) AS `timestamp`, COUNT(DISTINCT `value`) AS `values`
FROM `select` WHERE `record-type` IN ('data', 'control') GROUP BY `user`;
SELECT s.`a.b`, s.`with space`, s.`tick``s`, s.`1st`, s.`Über` FROM `select` AS s WHERE s.`order` = 2;
SELECT `User` FROM `select`;
SELECT user FROM `select`;
