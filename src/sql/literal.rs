//! Values as SQL.

use std::fmt::Write;

use jiff::tz::TimeZone;

use crate::value::bitmap::Bitmap;
use crate::value::display::write_value;
use crate::value::{DataType, MAX_LENGTH, TypeKind, Value};

/// The expression that gives a value in a row of an INSERT, where the column gives the type.
pub(crate) fn literal(value: &Value, data_type: &DataType) -> String {
    if value.is_null() { "NULL".to_owned() } else { written(value, data_type, Fit::Assignable) }
}

/// The expression that gives a value and has exactly its type, whatever stands around it.
pub(crate) fn typed_literal(value: &Value, data_type: &DataType) -> String {
    written(value, data_type, Fit::Exact)
}

/// An expression whose type fits at least so well.
fn written(value: &Value, data_type: &DataType, needed: Fit) -> String {
    match expression(value, data_type) {
        Some((text, fit)) if fit <= needed => text,
        Some((text, _)) => cast(&text, data_type),
        // NULL, or a value that is not of its type, which cannot be in a log.
        None => cast("NULL", data_type),
    }
}

fn cast(text: &str, data_type: &DataType) -> String {
    format!("CAST({text} AS {})", data_type.clone().with_nullable(true))
}

/// How the type of an expression fits the type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It is the same.
    Exact,
    /// A column takes it.
    Assignable,
    /// It must be cast.
    Other,
}

/// An expression, and how its type fits.
fn expression(value: &Value, data_type: &DataType) -> Option<(String, Fit)> {
    if value.is_null() && data_type.kind != TypeKind::Null {
        return None;
    }
    let mut shown = String::new();
    write_value(&mut shown, value, data_type, &TimeZone::UTC);
    let from_text = || (cast(&format!("'{shown}'"), data_type), Fit::Exact);
    Some(match &data_type.kind {
        TypeKind::Null => ("NULL".to_owned(), Fit::Exact),
        TypeKind::Boolean => (shown, Fit::Exact),
        TypeKind::Int | TypeKind::BigInt => (shown, Fit::Assignable),
        TypeKind::TinyInt | TypeKind::SmallInt => (shown, Fit::Other),
        TypeKind::Decimal { precision, .. } if *precision <= 18 => (shown, Fit::Assignable),
        TypeKind::Float if value.as_float()?.is_finite() => {
            (cast(&format!("'{:E}'", value.as_float()?), data_type), Fit::Exact)
        }
        TypeKind::Double if value.as_double()?.is_finite() => {
            (format!("{:E}", value.as_double()?), Fit::Exact)
        }
        TypeKind::VarChar(MAX_LENGTH) => (string(value.as_str()?), Fit::Assignable),
        TypeKind::Char(_) | TypeKind::VarChar(_) => (string(value.as_str()?), Fit::Other),
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => (bytes(value.as_bytes()?), Fit::Other),
        TypeKind::Date if is_common_era(&shown) => (format!("DATE '{shown}'"), Fit::Exact),
        TypeKind::Time(_) => (format!("TIME '{shown}'"), Fit::Other),
        TypeKind::Timestamp(_) if is_common_era(&shown) => (format!("TIMESTAMP '{shown}'"), Fit::Other),
        // What has no literal of its own.
        TypeKind::Decimal { .. }
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Date
        | TypeKind::Timestamp(_) => from_text(),
        TypeKind::TimestampLtz(precision) => {
            let (millis, nanos) = value.as_timestamp()?;
            let all = millis.checked_mul(1_000_000).and_then(|all| all.checked_add(i64::from(nanos)));
            let text = match all {
                _ if nanos == 0 => format!("TO_TIMESTAMP_LTZ({millis}, 3)"),
                Some(nanos) => format!("TO_TIMESTAMP_LTZ({nanos}, 9)"),
                // Centuries away, and Flink cannot read it.
                None => format!("CAST('{shown}Z' AS TIMESTAMP_LTZ({precision}))"),
            };
            (text, Fit::Other)
        }
        TypeKind::IntervalMonth => {
            let months = value.as_months()?;
            let sign = if months < 0 { "-" } else { "" };
            let months = months.unsigned_abs();
            (format!("INTERVAL {sign}'{}-{:02}' YEAR(4) TO MONTH", months / 12, months % 12), Fit::Exact)
        }
        TypeKind::IntervalSecond => {
            let millis = value.as_millis()?;
            let sign = if millis < 0 { "-" } else { "" };
            let millis = millis.unsigned_abs();
            let (seconds, rest) = (millis / 1000, millis % 1000);
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let (hours, minutes) = (minutes / 60, minutes % 60);
            let (days, hours) = (hours / 24, hours % 24);
            let text = format!("{days} {hours:02}:{minutes:02}:{seconds:02}.{rest:03}");
            (format!("INTERVAL {sign}'{text}' DAY(6) TO SECOND(3)"), Fit::Exact)
        }
        TypeKind::Array(element) => {
            let items = value.as_list()?.iter().map(|item| typed_literal(item, element));
            (array(&items.collect::<Vec<_>>(), element), Fit::Other)
        }
        TypeKind::Multiset(element) => {
            let items = value.as_entries()?.iter().flat_map(|(item, count)| {
                let count = count.as_integer().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
                std::iter::repeat_n(typed_literal(item, element), count)
            });
            (format!("MULTISET[{}]", items.collect::<Vec<_>>().join(", ")), Fit::Other)
        }
        TypeKind::Map(key, item) => {
            let entries = value.as_entries()?.iter();
            let entries = entries.flat_map(|(k, v)| [typed_literal(k, key), typed_literal(v, item)]);
            (map(&entries.collect::<Vec<_>>(), key, item), Fit::Other)
        }
        TypeKind::Row(fields) => {
            let items = value.as_list()?.iter().zip(fields.iter());
            let items = items.map(|(item, field)| typed_literal(item, &field.data_type));
            (format!("ROW({})", items.collect::<Vec<_>>().join(", ")), Fit::Other)
        }
        TypeKind::Bitmap => {
            let numbers: Vec<String> =
                Bitmap::from_bytes(value.as_bytes()?)?.values().iter().map(u32::to_string).collect();
            (format!("BITMAP_BUILD(ARRAY[{}])", numbers.join(", ")), Fit::Exact)
        }
    })
}

/// An array of expressions. Flink has no empty `ARRAY[]`.
fn array(items: &[String], element: &DataType) -> String {
    if items.is_empty() {
        format!("ARRAY_SLICE(ARRAY[{}], 2)", typed_literal(&Value::NULL, element))
    } else {
        format!("ARRAY[{}]", items.join(", "))
    }
}

/// A map of keys and values by turns. Flink has no empty `MAP[]`.
fn map(entries: &[String], key: &DataType, item: &DataType) -> String {
    if entries.is_empty() {
        format!("MAP_FROM_ARRAYS({}, {})", array(&[], key), array(&[], item))
    } else {
        format!("MAP[{}]", entries.join(", "))
    }
}

/// Whether a date has the four digits of a year that a literal has.
fn is_common_era(shown: &str) -> bool {
    shown.find('-') == Some(4)
}

/// A string. Characters that an editor or a terminal would not leave alone are escaped.
fn string(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if text.chars().all(is_plain) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from("U&'");
    for c in text.chars() {
        match c {
            '\'' => out.push_str("''"),
            '\\' => out.push_str("\\\\"),
            c if is_plain(c) => out.push(c),
            c => {
                let _ = write!(out, "\\{:04x}", u32::from(c));
            }
        }
    }
    out.push('\'');
    out
}

fn bytes(bytes: &[u8]) -> String {
    let mut out = String::from("X'");
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out.push('\'');
    out
}
