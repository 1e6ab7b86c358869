-- Webhooks of Shopify: the topic is the code, money is a string, and a deletion brings the id alone. A webhook that is
-- delivered twice changes nothing. Other topics are skipped.
CREATE TABLE webhooks (
  topic STRING,
  payload ROW<id BIGINT, email STRING, total_price STRING, currency STRING, updated_at TIMESTAMP_LTZ(3)>
) WITH (
  'connector' = 'filesystem',
  'path' = 'sql-examples/cdc-files/shopify.jsonl',
  'format' = 'json',
  'json.timestamp-format.standard' = 'ISO-8601'
);
SET 'table.local-time-zone' = 'UTC';

CREATE TABLE orders (id BIGINT, email STRING, total DECIMAL(10, 2), updated_at TIMESTAMP_LTZ(3), PRIMARY KEY (id) NOT ENFORCED)
WITH ('changelog.mode' = 'upsert');
INSERT INTO orders SELECT * FROM FROM_CHANGELOG(
  input => TABLE (
    SELECT topic, payload.id AS id, payload.email AS email, CAST(payload.total_price AS DECIMAL(10, 2)) AS total,
      payload.updated_at AS updated_at
    FROM webhooks
  ) PARTITION BY id,
  op => DESCRIPTOR(topic),
  op_mapping => MAP['orders/create', 'INSERT', 'orders/updated', 'UPDATE_AFTER', 'orders/delete', 'DELETE'],
  error_handling => 'SKIP');
SELECT * FROM orders;

-- Out as a log with a flag of deletion.
SELECT id, total, deleted FROM TO_CHANGELOG(
  input => TABLE orders PARTITION BY id,
  op => DESCRIPTOR(deleted),
  op_mapping => MAP['INSERT, UPDATE_AFTER', 'false', 'DELETE', 'true']);
