//! Changes as lines of events.

use super::super::super::{Encoder, Flaw, Output};
use super::super::JsonEncoder;
use super::{Envelope, EnvelopeOptions};
use crate::changelog::{Change, RowKind};
use crate::value::Schema;

/// Writes lines of events. As in Flink an update is two events, in most formats a deletion and an
/// insertion: an encoder sees one change at a time.
#[derive(Debug)]
pub(in crate::connect::format) struct EnvelopeEncoder {
    envelope: Envelope,
    ignores_nulls: bool,
    rows: JsonEncoder,
}

impl EnvelopeEncoder {
    pub(in crate::connect::format) fn new(options: EnvelopeOptions, schema: &Schema) -> Self {
        Self {
            envelope: options.envelope,
            ignores_nulls: options.json.ignore_null_fields,
            rows: JsonEncoder::new(options.json, schema),
        }
    }

    /// Writes a member with the row, or with NULL, and a comma behind it.
    fn image(&self, out: &mut Output, name: &str, change: Option<Change<'_>>) -> Result<(), Flaw> {
        if change.is_none() && self.ignores_nulls {
            return Ok(());
        }
        out.push('"');
        out.push_str(name);
        out.push_str("\":");
        match change {
            Some(change) => self.rows.object(out, change.row)?,
            None => out.push_str("null"),
        }
        out.push(',');
        Ok(())
    }
}

impl Encoder for EnvelopeEncoder {
    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw> {
        let [before, after, operation] = self.envelope.members();
        let adds = change.kind.adds();
        let [comes, goes] = self.envelope.codes();
        out.push('{');
        match self.envelope {
            Envelope::Debezium | Envelope::Ogg => {
                self.image(out, before, (!adds).then_some(change))?;
                self.image(out, after, adds.then_some(change))?;
            }
            Envelope::Canal => {
                out.push_str("\"data\":[");
                self.rows.object(out, change.row)?;
                out.push_str("],");
            }
            Envelope::Maxwell => self.image(out, after, Some(change))?,
            Envelope::Changelog => {
                // The operation comes first, so that who reads along knows what the row means.
                let code = match change.kind {
                    RowKind::Insert | RowKind::UpdateBefore | RowKind::UpdateAfter | RowKind::Delete => {
                        change.kind.symbol()
                    }
                };
                out.push_str("\"op\":\"");
                out.push_str(code);
                out.push_str("\",\"data\":");
                self.rows.object(out, change.row)?;
                out.push_str("}\n");
                return Ok(());
            }
        }
        out.push('"');
        out.push_str(operation);
        out.push_str("\":\"");
        out.push_str(if adds { comes } else { goes });
        out.push_str("\"}\n");
        Ok(())
    }
}
