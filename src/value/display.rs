//! How a value is written as text.
//!
//! There are two manners, which differ in a few places: [`write_value`] prints a column as
//! Flink's SQL client does, [`write_text`] gives what `CAST(… AS STRING)` gives.

use std::fmt;

use jiff::tz::TimeZone;

use super::bitmap::Bitmap;
use super::time::{self, drop_zone};
use super::{DataType, TypeKind, Value};

/// Writes a column's value as Flink's SQL client prints it: `null`, `TRUE`, `1.50`, `1.0E10`,
/// `x'00ff'`, `[a, NULL]`, `{k=1}`, `(1, x)`. An instant is shown in the time zone.
pub fn write_value(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone) {
    if value.is_null() {
        out.push_str("null");
    } else {
        write(out, value, data_type, zone, Manner::Printed);
    }
}

/// Writes a value as `CAST(value AS STRING)` gives it: like [`write_value`], but bytes are taken
/// for UTF-8 text, and NULL is `NULL`.
pub fn write_text(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone) {
    write(out, value, data_type, zone, Manner::Text);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Printed,
    Text,
}

/// A value that is not of its type is written as its own debug text rather than not at all.
fn write(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone, manner: Manner) {
    if value.is_null() {
        out.push_str("NULL");
    } else if write_typed(out, value, data_type, zone, manner).is_none() {
        let debug = format!("{value:?}");
        out.push_str(&debug);
    }
}

fn write_typed(
    out: &mut String,
    value: &Value,
    data_type: &DataType,
    zone: &TimeZone,
    manner: Manner,
) -> Option<()> {
    match &data_type.kind {
        TypeKind::Null => out.push_str("NULL"),
        TypeKind::Boolean => out.push_str(if value.as_boolean()? { "TRUE" } else { "FALSE" }),
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => {
            out.push_str(itoa::Buffer::new().format(value.as_integer()?));
        }
        TypeKind::Float => write_float(out, value.as_float()?).ok()?,
        TypeKind::Double => write_double(out, value.as_double()?).ok()?,
        TypeKind::Decimal { .. } => value.as_decimal()?.write_to(out).ok()?,
        TypeKind::Char(length) => {
            let text = value.as_str()?;
            out.push_str(text);
            pad(out, text, *length);
        }
        TypeKind::VarChar(_) => out.push_str(value.as_str()?),
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => write_bytes(out, value.as_bytes()?, manner),
        TypeKind::Date => time::write_date(out, value.as_date()?).ok()?,
        TypeKind::Time(precision) => time::write_time(out, value.as_time()?, *precision).ok()?,
        TypeKind::Timestamp(precision) => {
            let (millis, nanos) = value.as_timestamp()?;
            time::write_timestamp(out, millis, nanos, *precision).ok()?;
        }
        TypeKind::TimestampLtz(precision) => {
            let (millis, nanos) = value.as_timestamp()?;
            time::write_timestamp(out, drop_zone(millis, zone), nanos, *precision).ok()?;
        }
        TypeKind::IntervalMonth => time::write_interval_months(out, value.as_months()?).ok()?,
        TypeKind::IntervalSecond => time::write_interval_millis(out, value.as_millis()?).ok()?,
        TypeKind::Array(element) => {
            let items = value.as_list()?;
            write_list(out, ['[', ']'], items.iter().map(|item| (item, &**element)), zone, manner);
        }
        TypeKind::Row(fields) => {
            let items = value.as_list()?.iter().zip(fields.iter());
            let items = items.map(|(item, field)| (item, &field.data_type));
            write_list(out, ['(', ')'], items, zone, manner);
        }
        TypeKind::Map(key, item) => write_entries(out, value.as_entries()?, [key, item], zone, manner),
        TypeKind::Bitmap => out.push_str(&Bitmap::from_bytes(value.as_bytes()?)?.to_string()),
        TypeKind::Multiset(element) => {
            let count = DataType::int();
            write_entries(out, value.as_entries()?, [element, &count], zone, manner);
        }
    }
    Some(())
}

/// Pads a text to a length in UTF-16 units, in which the type of a literal has its length, too.
fn pad(out: &mut String, text: &str, length: u32) {
    let length = length as usize;
    if text.len() < length || !text.is_ascii() {
        let blanks = length.saturating_sub(text.encode_utf16().count());
        out.extend(std::iter::repeat_n(' ', blanks));
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn write_bytes(out: &mut String, bytes: &[u8], manner: Manner) {
    if manner == Manner::Text {
        out.push_str(&String::from_utf8_lossy(bytes));
        return;
    }
    out.push_str("x'");
    for byte in bytes {
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
    out.push('\'');
}

fn write_list<'a>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = (&'a Value, &'a DataType)>,
    zone: &TimeZone,
    manner: Manner,
) {
    out.push(open);
    for (i, (item, data_type)) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(out, item, data_type, zone, manner);
    }
    out.push(close);
}

fn write_entries(
    out: &mut String,
    entries: &[(Value, Value)],
    [key_type, value_type]: [&DataType; 2],
    zone: &TimeZone,
    manner: Manner,
) {
    out.push('{');
    for (i, (key, value)) in entries.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(out, key, key_type, zone, manner);
        out.push('=');
        write(out, value, value_type, zone, manner);
    }
    out.push('}');
}

/// Writes a `DOUBLE` as Java does: the shortest digits that read back as the same number, with
/// at least one after the point, and an exponent below 0.001 and from ten million.
pub fn write_double(out: &mut impl fmt::Write, value: f64) -> fmt::Result {
    if value != 0.0 && value.abs() < f64::MIN_POSITIVE {
        return write_subnormal(out, &format!("{value:e}"), &format!("{value:.1e}"));
    }
    let mut buffer = zmij::Buffer::new();
    let shortest = buffer.format(value);
    // Both write a number of usual size alike.
    if (1e-3..1e7).contains(&value.abs()) && !shortest.contains('e') {
        return out.write_str(shortest);
    }
    write_java(out, shortest)
}

/// Writes a `FLOAT` as Java does; see [`write_double`].
pub fn write_float(out: &mut impl fmt::Write, value: f32) -> fmt::Result {
    if value != 0.0 && value.abs() < f32::MIN_POSITIVE {
        return write_subnormal(out, &format!("{value:e}"), &format!("{value:.1e}"));
    }
    write_java(out, zmij::Buffer::new().format(value))
}

/// With two digits to show, the second one is that of the number, not a zero.
fn write_subnormal(out: &mut impl fmt::Write, shortest: &str, two_digits: &str) -> fmt::Result {
    write_java(out, if shortest.contains('.') { shortest } else { two_digits })
}

/// The most zeros that Java writes before it turns to an exponent.
const ZEROS: &str = "0000000";

/// Writes a number as Java does, given its shortest digits in any notation.
fn write_java(out: &mut impl fmt::Write, shortest: &str) -> fmt::Result {
    let (sign, text) = shortest.strip_prefix('-').map_or(("", shortest), |text| ("-", text));
    out.write_str(sign)?;
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return out.write_str(if text.starts_with('N') { "NaN" } else { "Infinity" });
    }
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| fmt::Error)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // All digits in a row, and the place of the first one that counts.
    let mut digits = [b'0'; 32];
    let length = whole.len() + fraction.len();
    digits.get_mut(..whole.len()).ok_or(fmt::Error)?.copy_from_slice(whole.as_bytes());
    digits.get_mut(whole.len()..length).ok_or(fmt::Error)?.copy_from_slice(fraction.as_bytes());
    let digits = &digits[..length];
    let Some(first) = digits.iter().position(|&digit| digit != b'0') else {
        return out.write_str("0.0");
    };
    let last = digits.iter().rposition(|&digit| digit != b'0').unwrap_or(first);
    let point = i32::try_from(whole.len()).map_err(|_| fmt::Error)?;
    let exponent = point - 1 - i32::try_from(first).map_err(|_| fmt::Error)? + exponent;
    let text = std::str::from_utf8(&digits[first..=last]).map_err(|_| fmt::Error)?;
    let (first, rest) = text.split_at(1);
    let tail =
        |digits: &str, out: &mut dyn fmt::Write| out.write_str(if digits.is_empty() { "0" } else { digits });
    match exponent {
        0..7 => {
            // The first digit and as many more as the exponent says stand before the point.
            let before = exponent.unsigned_abs() as usize;
            out.write_str(first)?;
            out.write_str(&rest[..before.min(rest.len())])?;
            out.write_str(&ZEROS[..before.saturating_sub(rest.len())])?;
            out.write_char('.')?;
            tail(&rest[before.min(rest.len())..], out)
        }
        -3..0 => {
            out.write_str("0.")?;
            out.write_str(&ZEROS[..exponent.unsigned_abs() as usize - 1])?;
            out.write_str(first)?;
            out.write_str(rest)
        }
        _ => {
            out.write_str(first)?;
            out.write_char('.')?;
            tail(rest, out)?;
            out.write_char('E')?;
            out.write_str(itoa::Buffer::new().format(exponent))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Decimal;

    fn shown(value: &Value, data_type: &DataType) -> String {
        let mut out = String::new();
        write_value(&mut out, value, data_type, &TimeZone::UTC);
        out
    }

    fn double(value: f64) -> String {
        shown(&Value::double(value), &DataType::double())
    }

    #[test]
    fn doubles_look_as_in_java() {
        for (value, text) in [
            (0.1 + 0.2, "0.30000000000000004"),
            (1e10, "1.0E10"),
            (1e7, "1.0E7"),
            (9_999_999.0, "9999999.0"),
            (1_234_567.8, "1234567.8"),
            (100.0, "100.0"),
            (1e-3, "0.001"),
            (9.99e-4, "9.99E-4"),
            (123_456_789_012.0, "1.23456789012E11"),
            (f64::MAX, "1.7976931348623157E308"),
            (4.9e-324, "4.9E-324"),
            (2e-323, "2.0E-323"),
            (-0.0, "-0.0"),
            (0.0, "0.0"),
            (-1.5, "-1.5"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(double(value), text);
        }
        let float = |value| shown(&Value::float(value), &DataType::new(TypeKind::Float));
        assert_eq!(float(0.1), "0.1");
        assert_eq!(float(1.4e-45), "1.4E-45");
        assert_eq!(float(16_777_216.0), "1.6777216E7");
    }

    #[test]
    fn null_is_lower_case_as_a_column_and_upper_case_inside() {
        let list = DataType::array(DataType::string());
        assert_eq!(shown(&Value::NULL, &list), "null");
        let items = vec![Value::string("a"), Value::NULL];
        assert_eq!(shown(&Value::list(items), &list), "[a, NULL]");
    }

    #[test]
    fn nested_values_keep_their_brackets() {
        let row = DataType::row([("a", DataType::int()), ("b", DataType::boolean())]);
        let map = DataType::map(DataType::string(), row);
        let value = Value::list(vec![Value::integer(1), Value::boolean(true)]);
        assert_eq!(shown(&Value::entries(vec![(Value::string("k"), value)]), &map), "{k=(1, TRUE)}");
        let multiset = DataType::new(TypeKind::Multiset(DataType::double().into()));
        let entries = vec![(Value::double(2.0), Value::integer(1))];
        assert_eq!(shown(&Value::entries(entries), &multiset), "{2.0=1}");
    }

    #[test]
    fn bytes_are_hexadecimal_when_printed_and_text_when_cast() {
        let bytes = DataType::new(TypeKind::VarBinary(10));
        let value = Value::bytes(vec![0x00, 0x61]);
        assert_eq!(shown(&value, &bytes), "x'0061'");
        let mut out = String::new();
        write_text(&mut out, &value, &bytes, &TimeZone::UTC);
        assert_eq!(out, "\0a");
    }

    #[test]
    fn chars_are_padded_and_decimals_keep_their_scale() {
        assert_eq!(shown(&Value::string("äb"), &DataType::new(TypeKind::Char(4))), "äb  ");
        assert_eq!(shown(&Value::string("👨‍👩‍👧"), &DataType::new(TypeKind::Char(8))), "👨‍👩‍👧");
        let decimal = Value::decimal(Decimal::new(150, 2));
        assert_eq!(shown(&decimal, &DataType::decimal(5, 2)), "1.50");
    }

    #[test]
    fn an_instant_is_shown_in_the_zone() {
        let mut out = String::new();
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let value = Value::timestamp(1_709_296_496_789, 0);
        write_value(&mut out, &value, &DataType::timestamp_ltz(3), &zone);
        assert_eq!(out, "2024-03-01 13:34:56.789");
    }
}
