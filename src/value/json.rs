//! Values as JSON text, as Flink's JSON functions and aggregates write them.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::tz::TimeZone;

use super::display::{write_double, write_text};
use super::time::{split_millis, write_date, write_timestamp};
use super::{DataType, Decimal, TypeKind, Value};

/// Writes a value as JSON: numbers with all their digits, bytes in base 64, times in ISO 8601
/// (instants in UTC), rows and maps as objects, the keys of maps in order.
pub fn write_json(out: &mut String, value: &Value, data_type: &DataType) {
    if write_typed(out, value, data_type).is_none() {
        out.push_str("null");
    }
}

/// Writes a text as a JSON string.
pub fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => {
                let digits = format!("\\u{:04X}", u32::from(c));
                out.push_str(&digits);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn write_typed(out: &mut String, value: &Value, data_type: &DataType) -> Option<()> {
    match &data_type.kind {
        TypeKind::Boolean => out.push_str(if value.as_boolean()? { "true" } else { "false" }),
        TypeKind::Float => write_number(out, f64::from(value.as_float()?)),
        TypeKind::Double => write_number(out, value.as_double()?),
        TypeKind::Decimal { .. } => write_decimal(out, value.as_decimal()?),
        kind if kind.is_integer() => out.push_str(itoa::Buffer::new().format(value.as_integer()?)),
        kind if kind.is_string() => write_json_string(out, value.as_str()?),
        kind if kind.is_binary() => {
            out.push('"');
            STANDARD.encode_string(value.as_bytes()?, out);
            out.push('"');
        }
        TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => {
            let (millis, nanos) = value.as_timestamp()?;
            let utc = matches!(data_type.kind, TypeKind::TimestampLtz(_));
            write_iso(out, millis, nanos, if utc { "Z" } else { "" });
        }
        TypeKind::Array(element) => {
            write_items(out, ['[', ']'], value.as_list()?, |out, item| write_json(out, item, element));
        }
        TypeKind::Row(fields) => {
            let members: Vec<_> = value.as_list()?.iter().zip(fields.iter()).collect();
            write_items(out, ['{', '}'], &members, |out, (item, field)| {
                write_json_string(out, &field.name);
                out.push(':');
                write_json(out, item, &field.data_type);
            });
        }
        TypeKind::Map(key, item) => write_map(out, value.as_entries()?, key, item),
        TypeKind::Multiset(element) => write_map(out, value.as_entries()?, element, &DataType::int()),
        _ if value.is_null() => return None,
        _ => {
            let mut text = String::new();
            write_text(&mut text, value, data_type, &TimeZone::UTC);
            write_json_string(out, &text);
        }
    }
    Some(())
}

fn write_items<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: &[T],
    mut write: impl FnMut(&mut String, &T),
) {
    out.push(open);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(close);
}

fn write_map(out: &mut String, entries: &[(Value, Value)], key_type: &DataType, value_type: &DataType) {
    let mut entries: Vec<_> = entries.iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    write_items(out, ['{', '}'], &entries, |out, (key, value)| {
        let mut text = String::new();
        write_text(&mut text, key, key_type, &TimeZone::UTC);
        write_json_string(out, &text);
        out.push(':');
        write_json(out, value, value_type);
    });
}

/// `2024-01-01T10:20:30.5`, with as many digits of a second as there are.
fn write_iso(out: &mut String, millis: i64, nanos: u32, zone: &str) {
    let (days, _) = split_millis(millis);
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write_timestamp(&mut text, millis, nanos, 9);
    let mut date = String::new();
    let _ = write_date(&mut date, days);
    out.push('"');
    out.push_str(&date);
    out.push('T');
    let clock = text[date.len() + 1..].trim_end_matches('0');
    // The zeros of whole seconds belong to them.
    let seconds = "hh:mm:ss".len();
    if clock.len() > seconds + 1 {
        out.push_str(clock);
    } else {
        out.push_str(&text[date.len() + 1..][..seconds]);
    }
    out.push_str(zone);
    out.push('"');
}

/// Writes a floating point number with the digits that Java prints, as a decimal.
fn write_number(out: &mut String, value: f64) {
    let mut text = String::new();
    let _ = write_double(&mut text, value);
    if !value.is_finite() {
        write_json_string(out, &text);
        return;
    }
    let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    out.push_str(sign);
    let scale = i32::try_from(fraction.len()).unwrap_or_default() - exponent;
    // Writing into a string cannot fail.
    let _ = write_scaled(out, if digits.is_empty() { "0" } else { digits }, scale);
}

fn write_decimal(out: &mut String, value: Decimal) {
    if value.unscaled() < 0 {
        out.push('-');
    }
    let digits = value.unscaled().unsigned_abs().to_string();
    let _ = write_scaled(out, &digits, i32::from(value.scale()));
}

/// Writes `digits / 10^scale` as Java's `BigDecimal` does: with an exponent if the number ends
/// before the point, or is below a millionth. The digits have no leading zeros.
pub(crate) fn write_scaled(out: &mut impl fmt::Write, digits: &str, scale: i32) -> fmt::Result {
    let scale = i64::from(scale);
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let exponent = length - 1 - scale;
    if scale < 0 || exponent < -6 {
        out.write_str(&digits[..1])?;
        if digits.len() > 1 {
            write!(out, ".{}", &digits[1..])?;
        }
        return write!(out, "E{exponent:+}");
    }
    let point = usize::try_from(length - scale).unwrap_or(0);
    if point == 0 {
        let zeros = usize::try_from(scale - length).unwrap_or(0);
        return write!(out, "0.{:0<zeros$}{digits}", "");
    }
    out.write_str(&digits[..point])?;
    if scale > 0 { write!(out, ".{}", &digits[point..]) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &Value, kind: TypeKind) -> String {
        let mut out = String::new();
        write_json(&mut out, value, &DataType::new(kind));
        out
    }

    #[test]
    fn numbers_are_written_as_decimals() {
        for (value, text) in [
            (1e7, "1.0E+7"),
            (1e-5, "0.000010"),
            (1e-7, "1.0E-7"),
            (123_456_789.125, "123456789.125"),
            (16_777_216.0, "16777216"),
            (-0.3, "-0.3"),
            (0.0, "0.0"),
            (2.5e10, "2.5E+10"),
            (f64::INFINITY, "\"Infinity\""),
        ] {
            assert_eq!(json(&Value::double(value), TypeKind::Double), text);
        }
        assert_eq!(json(&Value::float(0.1), TypeKind::Float), "0.10000000149011612");
        let decimal = |unscaled, scale| {
            json(&Value::decimal(Decimal::new(unscaled, scale)), TypeKind::Decimal { precision: 38, scale })
        };
        assert_eq!(decimal(1, 5), "0.00001");
        assert_eq!(decimal(1000, 10), "1.000E-7");
        assert_eq!(decimal(-150, 2), "-1.50");
    }

    #[test]
    fn texts_are_escaped_and_times_are_iso() {
        let text = json(&Value::string("a\"b\\c/\t\u{1f}é"), TypeKind::VarChar(20));
        assert_eq!(text, "\"a\\\"b\\\\c/\\t\\u001Fé\"");
        assert_eq!(json(&Value::timestamp(1500, 0), TypeKind::TimestampLtz(3)), "\"1970-01-01T00:00:01.5Z\"");
        assert_eq!(json(&Value::timestamp(600_000, 0), TypeKind::Timestamp(3)), "\"1970-01-01T00:10:00\"");
        assert_eq!(json(&Value::bytes(vec![0, 255]), TypeKind::VarBinary(2)), "\"AP8=\"");
    }

    #[test]
    fn rows_and_maps_are_objects() {
        let row = DataType::row([("a", DataType::int()), ("b", DataType::string())]);
        let value = Value::list(vec![Value::integer(1), Value::NULL]);
        assert_eq!(json(&value, row.kind), "{\"a\":1,\"b\":null}");
        let map = DataType::map(DataType::string(), DataType::int());
        let entries = vec![(Value::string("z"), Value::integer(1)), (Value::string("a"), Value::NULL)];
        assert_eq!(json(&Value::entries(entries), map.kind), "{\"a\":null,\"z\":1}");
    }
}
