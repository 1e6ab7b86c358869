//! Changes as Flink's connector `print` prints them, `+I[1, a]`: each value as Java prints it.

use super::format::time::{Fraction, write_clock, write_date, write_timestamp};
use super::format::{Encoder, Flaw, Output};
use crate::changelog::{Change, RowKind};
use crate::value::bitmap::Bitmap;
use crate::value::display::{write_double, write_float};
use crate::value::json::write_scaled;
use crate::value::time::{MILLIS_PER_HOUR, MILLIS_PER_MINUTE, MILLIS_PER_SECOND};
use crate::value::{Decimal, Schema, TypeKind, Value};

/// Writes lines as the connector `print` does.
#[derive(Debug)]
pub(super) struct PrintEncoder {
    prefix: String,
    kinds: Vec<TypeKind>,
}

impl PrintEncoder {
    /// Writes rows of a schema behind a prefix.
    pub(super) fn new(prefix: &str, schema: &Schema) -> Self {
        let kinds = schema.types().map(|data_type| data_type.kind.clone()).collect();
        Self { prefix: prefix.to_owned(), kinds }
    }
}

impl Encoder for PrintEncoder {
    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw> {
        out.push_str(&self.prefix);
        out.push_str(change.kind.symbol());
        write_items(out, change.row.iter().zip(&self.kinds));
        out.push('\n');
        Ok(())
    }
}

fn write_items<'a>(out: &mut Output, items: impl Iterator<Item = (&'a Value, &'a TypeKind)>) {
    out.push('[');
    for (i, (item, kind)) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(out, item, kind);
    }
    out.push(']');
}

fn write(out: &mut Output, value: &Value, kind: &TypeKind) {
    if value.is_null() || try_write(out, value, kind).is_none() {
        out.push_str("null");
    }
}

/// Writes a value that is not NULL.
fn try_write(out: &mut Output, value: &Value, kind: &TypeKind) -> Option<()> {
    match kind {
        TypeKind::Null => return None,
        TypeKind::Boolean => out.push_str(if value.as_boolean()? { "true" } else { "false" }),
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => {
            out.push_str(itoa::Buffer::new().format(value.as_integer()?));
        }
        TypeKind::Float => write_float(out, value.as_float()?).ok()?,
        TypeKind::Double => write_double(out, value.as_double()?).ok()?,
        TypeKind::Decimal { .. } => write_decimal(out, value.as_decimal()?),
        TypeKind::Char(_) | TypeKind::VarChar(_) => out.push_bytes(value.as_bytes()?),
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => {
            out.push('[');
            for (i, byte) in value.as_bytes()?.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                out.push_str(itoa::Buffer::new().format(byte.cast_signed()));
            }
            out.push(']');
        }
        TypeKind::Bitmap => out.push_str(&Bitmap::from_bytes(value.as_bytes()?)?.to_string()),
        TypeKind::Date => write_date(out, value.as_date()?),
        TypeKind::Time(_) => write_clock(out, value.as_time()?, 0, Fraction::GroupsOrMinutes),
        TypeKind::Timestamp(_) => {
            write_timestamp(out, value.as_timestamp()?, 'T', Fraction::GroupsOrMinutes);
        }
        TypeKind::TimestampLtz(_) => {
            write_timestamp(out, value.as_timestamp()?, 'T', Fraction::Groups);
            out.push('Z');
        }
        TypeKind::IntervalMonth => write_period(out, value.as_months()?),
        TypeKind::IntervalSecond => write_duration(out, value.as_millis()?),
        TypeKind::Array(element) => {
            write_items(out, value.as_list()?.iter().map(|item| (item, &element.kind)));
        }
        TypeKind::Row(fields) => {
            out.push_str(RowKind::Insert.symbol());
            let kinds = fields.iter().map(|field| &field.data_type.kind);
            write_items(out, value.as_list()?.iter().zip(kinds));
        }
        TypeKind::Map(key, item) => write_entries(out, value.as_entries()?, &key.kind, &item.kind),
        TypeKind::Multiset(element) => {
            write_entries(out, value.as_entries()?, &element.kind, &TypeKind::Int);
        }
    }
    Some(())
}

fn write_entries(out: &mut Output, entries: &[(Value, Value)], key_kind: &TypeKind, value_kind: &TypeKind) {
    out.push('{');
    for (i, (key, value)) in entries.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(out, key, key_kind);
        out.push('=');
        write(out, value, value_kind);
    }
    out.push('}');
}

/// A `BigDecimal`, with all digits of its scale.
fn write_decimal(out: &mut Output, decimal: Decimal) {
    if decimal.unscaled() < 0 {
        out.push('-');
    }
    let digits = decimal.unscaled().unsigned_abs().to_string();
    // Writing into memory cannot fail.
    let _ = write_scaled(out, &digits, i32::from(decimal.scale()));
}

/// A `Period` of months: `P1Y2M`.
fn write_period(out: &mut Output, months: i32) {
    out.push('P');
    let mut part = |number: i32, unit: &str| {
        if number != 0 {
            out.push_str(itoa::Buffer::new().format(number));
            out.push_str(unit);
        }
    };
    part(months / 12, "Y");
    part(months % 12, "M");
    if months == 0 {
        out.push_str("0D");
    }
}

/// A `Duration` of milliseconds: `PT25H1M1.001S`.
fn write_duration(out: &mut Output, millis: i64) {
    out.push_str("PT");
    if millis == 0 {
        out.push_str("0S");
        return;
    }
    let mut buffer = itoa::Buffer::new();
    let parts = [(millis / MILLIS_PER_HOUR, 'H'), (millis % MILLIS_PER_HOUR / MILLIS_PER_MINUTE, 'M')];
    for (number, unit) in parts {
        if number != 0 {
            out.push_str(buffer.format(number));
            out.push(unit);
        }
    }
    let rest = millis % MILLIS_PER_MINUTE;
    if rest == 0 {
        return;
    }
    if rest < 0 {
        out.push('-');
    }
    let rest = rest.unsigned_abs();
    let second = MILLIS_PER_SECOND.unsigned_abs();
    out.push_str(buffer.format(rest / second));
    if !rest.is_multiple_of(second) {
        let fraction = format!(".{:03}", rest % second);
        out.push_str(fraction.trim_end_matches('0'));
    }
    out.push('S');
}
