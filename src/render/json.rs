//! Values as JSON, written straight into a buffer.
//!
//! Numbers are exact: a `DECIMAL` keeps all its digits. What JSON has no form for is a string: dates and
//! times as Flink prints them, `NaN` and `Infinity`, and bytes in base 64.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jiff::tz::TimeZone;

use crate::value::display::write_value;
use crate::value::{DataType, Field, TypeKind, Value};

/// Appends a value of a type. A value that is not of its type is a string of what it is.
pub(super) fn write_json(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone) {
    if value.is_null() {
        out.push_str("null");
        return;
    }
    match &data_type.kind {
        TypeKind::Boolean => out.push_str(if value.as_boolean() == Some(true) { "true" } else { "false" }),
        TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::Decimal { .. } => write_value(out, value, data_type, zone),
        TypeKind::Float | TypeKind::Double => write_approximate(out, value, data_type, zone),
        TypeKind::VarChar(_) => match value.as_str() {
            Some(text) => write_string(out, text),
            None => write_as_text(out, value, data_type, zone),
        },
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => {
            out.push('"');
            BASE64_STANDARD.encode_string(value.as_bytes().unwrap_or_default(), out);
            out.push('"');
        }
        TypeKind::Date
        | TypeKind::Time(_)
        | TypeKind::Timestamp(_)
        | TypeKind::TimestampLtz(_)
        | TypeKind::IntervalMonth
        | TypeKind::IntervalSecond => {
            // Digits and signs need no escape.
            out.push('"');
            write_value(out, value, data_type, zone);
            out.push('"');
        }
        TypeKind::Null | TypeKind::Char(_) | TypeKind::Bitmap => write_as_text(out, value, data_type, zone),
        TypeKind::Array(element) => {
            out.push('[');
            for (i, item) in value.as_list().unwrap_or_default().iter().enumerate() {
                comma(out, i);
                write_json(out, item, element, zone);
            }
            out.push(']');
        }
        TypeKind::Map(key, item) => write_entries(out, value, key, item, zone),
        TypeKind::Multiset(element) => write_entries(out, value, element, &DataType::int(), zone),
        TypeKind::Row(fields) => write_fields(out, value.as_list().unwrap_or_default(), fields, zone),
    }
}

fn write_approximate(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone) {
    let number = value.as_double().or_else(|| value.as_float().map(f64::from));
    if number.is_some_and(f64::is_finite) {
        write_value(out, value, data_type, zone);
    } else {
        write_as_text(out, value, data_type, zone);
    }
}

fn write_fields(out: &mut String, values: &[Value], fields: &[Field], zone: &TimeZone) {
    out.push('{');
    for (i, (value, field)) in values.iter().zip(fields).enumerate() {
        comma(out, i);
        write_string(out, &field.name);
        out.push(':');
        write_json(out, value, &field.data_type, zone);
    }
    out.push('}');
}

/// A map's keys are written as strings, as JSON wants them.
fn write_entries(out: &mut String, map: &Value, key_type: &DataType, item_type: &DataType, zone: &TimeZone) {
    out.push('{');
    for (i, (key, item)) in map.as_entries().unwrap_or_default().iter().enumerate() {
        comma(out, i);
        write_as_text(out, key, key_type, zone);
        out.push(':');
        write_json(out, item, item_type, zone);
    }
    out.push('}');
}

fn comma(out: &mut String, position: usize) {
    if position > 0 {
        out.push(',');
    }
}

/// Appends a value as a string of what is printed for it.
fn write_as_text(out: &mut String, value: &Value, data_type: &DataType, zone: &TimeZone) {
    let start = out.len();
    out.push('"');
    write_value(out, value, data_type, zone);
    if out[start + 1..].bytes().any(needs_escape) {
        let text = out.split_off(start);
        write_string(out, &text[1..]);
    } else {
        out.push('"');
    }
}

fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Appends a string in quotes.
pub(super) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(needs_escape) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            control => write!(out, "\\u{control:04x}").expect("a string takes all"),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Decimal;

    fn json(value: &Value, data_type: &DataType) -> String {
        let mut out = String::new();
        write_json(&mut out, value, data_type, &TimeZone::UTC);
        out
    }

    #[test]
    fn numbers_are_exact_and_what_is_no_number_is_a_string() {
        let digits = Value::decimal(Decimal::new(12_345_678_901_234_567_890_123_456_789, 4));
        assert_eq!(json(&digits, &DataType::decimal(38, 4)), "1234567890123456789012345.6789");
        assert_eq!(json(&Value::integer(i64::MIN), &DataType::bigint()), "-9223372036854775808");
        assert_eq!(json(&Value::double(1e10), &DataType::double()), "1.0E10");
        assert_eq!(json(&Value::double(f64::NAN), &DataType::double()), "\"NaN\"");
        assert_eq!(json(&Value::float(f32::NEG_INFINITY), &DataType::new(TypeKind::Float)), "\"-Infinity\"");
        assert_eq!(json(&Value::boolean(true), &DataType::boolean()), "true");
        let time = Value::timestamp(1_709_296_496_789, 0);
        assert_eq!(json(&time, &DataType::timestamp(3)), "\"2024-03-01 12:34:56.789\"");
    }

    #[test]
    fn nested_values_are_objects_and_arrays_with_their_order() {
        let item = DataType::row([("z", DataType::int()), ("a", DataType::array(DataType::string()))]);
        let row = Value::list(vec![Value::integer(1), Value::list(vec![Value::string("x"), Value::NULL])]);
        let map = Value::entries(vec![(Value::integer(7), row), (Value::NULL, Value::NULL)]);
        let text = json(&map, &DataType::map(DataType::int(), item));
        assert_eq!(text, r#"{"7":{"z":1,"a":["x",null]},"null":null}"#);
        let counts = Value::entries(vec![(Value::string("a\"b"), Value::integer(2))]);
        let multiset = DataType::new(TypeKind::Multiset(DataType::string().into()));
        assert_eq!(json(&counts, &multiset), r#"{"a\"b":2}"#);
    }

    #[test]
    fn every_character_of_a_string_reads_back() {
        let text: String = (0..0x300).filter_map(char::from_u32).collect();
        let written = json(&Value::string(&text), &DataType::string());
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        let char_type = DataType::new(TypeKind::Char(3));
        assert_eq!(json(&Value::string("\""), &char_type), r#""\"  ""#);
    }

    #[test]
    fn bytes_are_in_base_64() {
        let bytes = DataType::new(TypeKind::VarBinary(10));
        for (value, text) in [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("Many", "TWFueQ==")]
        {
            let value = Value::bytes(value.as_bytes().to_vec());
            assert_eq!(json(&value, &bytes), format!("\"{text}\""));
        }
    }
}
