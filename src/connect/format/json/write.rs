//! Rows as lines of JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::number::write_decimal;
use super::super::time::{Fraction, Standard, write_clock, write_date, write_timestamp};
use super::super::{Encoder, Flaw, Output};
use super::{JsonOptions, NullKeys};
use crate::changelog::Change;
use crate::value::display::{write_double, write_float};
use crate::value::{DataType, Schema, TypeKind, Value};

/// Writes lines of JSON.
#[derive(Debug)]
pub(in crate::connect::format) struct JsonEncoder {
    options: JsonOptions,
    columns: Vec<Member>,
}

/// A column and what stands before its value.
#[derive(Debug)]
struct Member {
    name: String,
    /// The name in quotes, with the colon.
    key: Output,
    data_type: DataType,
}

impl JsonEncoder {
    pub(in crate::connect::format) fn new(options: JsonOptions, schema: &Schema) -> Self {
        let member = |column: &crate::value::Column| {
            let mut key = Output::default();
            write_string(&mut key, column.name.as_bytes());
            key.push(':');
            Member { name: column.name.clone(), key, data_type: column.data_type.clone() }
        };
        Self { options, columns: schema.columns.iter().map(member).collect() }
    }

    /// Appends a row as an object.
    pub(super) fn object(&self, out: &mut Output, row: &[Value]) -> Result<(), Flaw> {
        out.push('{');
        let mut any = false;
        for (value, member) in row.iter().zip(&self.columns) {
            if value.is_null() && self.options.ignore_null_fields {
                continue;
            }
            comma(out, any);
            any = true;
            out.push_bytes(member.key.as_bytes());
            self.write(out, value, &member.data_type).map_err(|flaw| flaw.in_column(&member.name))?;
        }
        out.push('}');
        Ok(())
    }

    fn write(&self, out: &mut Output, value: &Value, data_type: &DataType) -> Result<(), Flaw> {
        match self.try_write(out, value, &data_type.kind)? {
            Some(()) => {}
            None => out.push_str("null"),
        }
        Ok(())
    }

    /// Writes a value; `None` if it is NULL.
    fn try_write(&self, out: &mut Output, value: &Value, kind: &TypeKind) -> Result<Option<()>, Flaw> {
        if value.is_null() {
            return Ok(None);
        }
        match kind {
            TypeKind::Array(element) => {
                let Some(items) = value.as_list() else { return Ok(None) };
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    comma(out, i > 0);
                    self.write(out, item, element)?;
                }
                out.push(']');
                Ok(Some(()))
            }
            TypeKind::Row(fields) => {
                let Some(items) = value.as_list() else { return Ok(None) };
                out.push('{');
                let mut any = false;
                for (item, field) in items.iter().zip(fields.iter()) {
                    if item.is_null() && self.options.ignore_null_fields {
                        continue;
                    }
                    comma(out, any);
                    any = true;
                    write_string(out, field.name.as_bytes());
                    out.push(':');
                    self.write(out, item, &field.data_type).map_err(|flaw| flaw.in_column(&field.name))?;
                }
                out.push('}');
                Ok(Some(()))
            }
            TypeKind::Map(_, item) => self.write_map(out, value, item),
            TypeKind::Multiset(_) => self.write_map(out, value, &DataType::int()),
            kind => Ok(self.write_scalar(out, value, kind)),
        }
    }

    fn write_map(&self, out: &mut Output, value: &Value, item: &DataType) -> Result<Option<()>, Flaw> {
        let Some(entries) = value.as_entries() else { return Ok(None) };
        let key_of = |key: &'_ Value| match (key.is_null(), self.options.null_keys) {
            (false, _) => Ok(Some(key.as_str().unwrap_or_default().to_owned())),
            (true, NullKeys::Literal) => Ok(Some(self.options.null_key_literal.clone())),
            (true, NullKeys::Drop) => Ok(None),
            (true, NullKeys::Fail) => Err(Flaw::new(0, "JSON has no map keys that are NULL")
                .with_hint(format!("'{}' can be 'DROP' or 'LITERAL'.", self.options.keys.null_key_mode))),
        };
        out.push('{');
        let mut any = false;
        for (i, (key, value)) in entries.iter().enumerate() {
            let Some(key) = key_of(key)? else { continue };
            let literal = self.options.null_keys == NullKeys::Literal && key == self.options.null_key_literal;
            // The literal may be a key, too; then the later one counts.
            if literal && entries[i + 1..].iter().any(|(k, _)| k.is_null() || k.as_str() == Some(&key)) {
                continue;
            }
            comma(out, any);
            any = true;
            write_string(out, key.as_bytes());
            out.push(':');
            self.write(out, value, item)?;
        }
        out.push('}');
        Ok(Some(()))
    }

    fn write_scalar(&self, out: &mut Output, value: &Value, kind: &TypeKind) -> Option<()> {
        match kind {
            TypeKind::Boolean => out.push_str(if value.as_boolean()? { "true" } else { "false" }),
            TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => {
                out.push_str(itoa::Buffer::new().format(value.as_integer()?));
            }
            TypeKind::IntervalMonth => out.push_str(itoa::Buffer::new().format(value.as_months()?)),
            TypeKind::IntervalSecond => out.push_str(itoa::Buffer::new().format(value.as_millis()?)),
            TypeKind::Float => {
                let number = value.as_float()?;
                let quote = if number.is_finite() { "" } else { "\"" };
                out.push_str(quote);
                write_float(out, number).ok()?;
                out.push_str(quote);
            }
            TypeKind::Double => {
                let number = value.as_double()?;
                let quote = if number.is_finite() { "" } else { "\"" };
                out.push_str(quote);
                write_double(out, number).ok()?;
                out.push_str(quote);
            }
            TypeKind::Decimal { .. } => write_decimal(out, value.as_decimal()?, self.options.plain_decimals),
            TypeKind::Char(_) | TypeKind::VarChar(_) => write_string(out, value.as_bytes()?),
            TypeKind::Binary(_) | TypeKind::VarBinary(_) => {
                let bytes = value.as_bytes()?;
                out.push('"');
                out.push_str(&STANDARD.encode(bytes));
                out.push('"');
            }
            TypeKind::Date => {
                let days = value.as_date()?;
                out.push('"');
                write_date(out, days);
                out.push('"');
            }
            TypeKind::Time(_) => {
                let millis = value.as_time()?;
                out.push('"');
                write_clock(out, millis, 0, Fraction::Shortest);
                out.push('"');
            }
            TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => {
                let parts = value.as_timestamp()?;
                let separator = if self.options.standard == Standard::Iso { 'T' } else { ' ' };
                out.push('"');
                write_timestamp(out, parts, separator, Fraction::Shortest);
                out.push_str(if matches!(kind, TypeKind::TimestampLtz(_)) { "Z\"" } else { "\"" });
            }
            TypeKind::Null
            | TypeKind::Array(_)
            | TypeKind::Map(..)
            | TypeKind::Multiset(_)
            | TypeKind::Row(_)
            | TypeKind::Bitmap => return None,
        }
        Some(())
    }
}

impl Encoder for JsonEncoder {
    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw> {
        self.object(out, change.row)?;
        out.push('\n');
        Ok(())
    }
}

fn comma(out: &mut Output, needed: bool) {
    if needed {
        out.push(',');
    }
}

/// Which bytes of a string are not written as they are: quotes, backslashes, control characters, and
/// the first byte of a character beyond the basic plane.
const ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        escaped[byte] = byte < 0x20 || byte >= 0xF0 || byte == 0x22 || byte == 0x5C;
        byte += 1;
    }
    escaped
};

/// Writes a string as Jackson writes it into bytes: characters beyond the basic plane are two
/// escapes.
fn write_string(out: &mut Output, text: &[u8]) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| ESCAPED[usize::from(byte)]) {
        out.push_bytes(&rest[..at]);
        match rest[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            byte @ ..0x80 => write_unit(out, byte.into()),
            // Such a character has four bytes.
            _ => {
                let (character, behind) = rest[at..].split_at(4.min(rest.len() - at));
                for unit in String::from_utf8_lossy(character).encode_utf16() {
                    write_unit(out, unit);
                }
                rest = behind;
                continue;
            }
        }
        rest = &rest[at + 1..];
    }
    out.push_bytes(rest);
    out.push('"');
}

fn write_unit(out: &mut Output, unit: u16) {
    out.push_str(&format!("\\u{unit:04X}"));
}
