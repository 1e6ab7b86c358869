//! The format `raw`: a line is the value of the one column.

use super::super::ConnectError;
use super::super::options::Options;
use super::scan::first_line;
use super::{Batch, Decoder, Encoder, Flaw, Output};
use crate::changelog::{Change, RowKind};
use crate::value::{Schema, TypeKind, Value};

/// Checks the options, which allow nothing but UTF-8.
pub(super) fn take_options(options: &mut Options<'_>) -> Result<(), ConnectError> {
    options.choice("raw.charset", &[("UTF-8", ())], true)?;
    let orders = [("big-endian", ()), ("little-endian", ())];
    options.choice("raw.endianness", &orders, true)
}

/// Refuses what is not a single column of text or bytes: in a line of text nothing else can be raw.
pub(super) fn check_types(schema: &Schema) -> Result<(), ConnectError> {
    let holds =
        |kind: &TypeKind| kind.is_string() || matches!(kind, TypeKind::Binary(_) | TypeKind::VarBinary(_));
    match &schema.columns[..] {
        [column] if holds(&column.data_type.kind) => Ok(()),
        [column] | [_, column, ..] => Err(unsupported(column)),
        [] => Ok(()),
    }
}

fn unsupported(column: &crate::value::Column) -> ConnectError {
    ConnectError::UnsupportedType {
        format: "raw",
        column: column.name.clone(),
        data_type: column.data_type.to_string(),
        rule: "It has one column, of type STRING or BYTES, which is the whole line.",
    }
}

/// Reads lines.
#[derive(Debug)]
pub(super) struct RawDecoder {
    /// Whether the line is wanted.
    wanted: bool,
    bytes: bool,
}

impl RawDecoder {
    pub(super) fn new(schema: &Schema, columns: &[usize]) -> Self {
        let bytes = schema.columns.first().is_some_and(|column| !column.data_type.kind.is_string());
        Self { wanted: !columns.is_empty(), bytes }
    }
}

impl Decoder for RawDecoder {
    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let mut taken = 0;
        while !batch.is_full()
            && let Some((line, next)) = first_line(&text[taken..], last)
        {
            let row = batch.add(RowKind::Insert);
            if self.wanted {
                row[0] = if self.bytes { Value::bytes(line.as_bytes()) } else { Value::string(line) };
            }
            taken += next;
        }
        Ok(taken)
    }

    fn skips_flaws(&self) -> bool {
        false
    }
}

/// Writes lines. NULL is an empty one.
#[derive(Debug)]
pub(super) struct RawEncoder;

impl Encoder for RawEncoder {
    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw> {
        if let Some(value) = change.row.first() {
            let bytes = value.as_bytes().unwrap_or_default();
            if value.as_str().is_none() && std::str::from_utf8(bytes).is_err() {
                return Err(Flaw::new(0, "the bytes are not UTF-8"));
            }
            out.push_bytes(bytes);
        }
        out.push('\n');
        Ok(())
    }
}
