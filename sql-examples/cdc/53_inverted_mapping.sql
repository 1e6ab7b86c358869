-- INSERT and DELETE the wrong way round is a valid mapping: each insert deletes a row that was never there.
-- Such a delete is shown and changes nothing, so that (2, 'b') leaves no trace in the result and (1, 'a') stays.
CREATE TABLE ev (id INT, op STRING, name STRING);
INSERT INTO ev VALUES
  (1, 'INSERT', 'a'),
  (2, 'INSERT', 'b'),
  (1, 'DELETE', 'a');
SELECT * FROM FROM_CHANGELOG(input => TABLE ev, op_mapping => MAP['INSERT', 'DELETE', 'DELETE', 'INSERT']);
