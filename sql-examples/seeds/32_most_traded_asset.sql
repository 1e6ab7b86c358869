-- The most traded asset is the one with the most changes. The table of prices cannot tell, but its changelog can.
-- AAPL has 2 changes and TSLA 1, so the last query ends with AAPL.
CREATE TABLE trades (
  op STRING,
  ticker STRING,
  price INT
);

INSERT INTO trades VALUES
  ('INSERT', 'AAPL', 190),
  ('UPDATE_BEFORE', 'AAPL', 190),
  ('UPDATE_AFTER', 'AAPL', 191),
  ('INSERT', 'TSLA', 250);

CREATE TABLE assets (
  ticker STRING,
  price INT
) WITH ('changelog.mode' = 'retract');

INSERT INTO assets SELECT * FROM FROM_CHANGELOG(input => TABLE trades);

-- One row per asset.
SELECT * FROM assets;

SELECT * FROM TO_CHANGELOG(input => TABLE assets);

-- An update is one change, not two.
CREATE VIEW asset_changes AS
SELECT ticker, COUNT(*) AS changes
FROM TO_CHANGELOG(input => TABLE assets)
WHERE op <> 'UPDATE_BEFORE'
GROUP BY ticker;

SELECT * FROM asset_changes;

SELECT * FROM asset_changes ORDER BY changes DESC LIMIT 1;
