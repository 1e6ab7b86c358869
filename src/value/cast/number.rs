//! Conversions to numbers.

use super::{CastError, text};
use crate::value::{DataType, Decimal, TypeKind, Value};

/// The integer of a number, boolean or text, narrowed to an integer type.
pub(super) fn to_integer(value: &Value, from: &DataType, to: &TypeKind) -> Result<Option<i64>, CastError> {
    Ok(match &from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => {
            let (lowest, highest) = range(to);
            return value.as_str().map(|text| text::parse_integer(text, lowest, highest)).transpose();
        }
        TypeKind::Boolean => value.as_boolean().map(i64::from),
        TypeKind::Float => value.as_float().map(|value| saturate(f64::from(value), to)),
        TypeKind::Double => value.as_double().map(|value| saturate(value, to)),
        TypeKind::Decimal { .. } => value.as_decimal().map(|value| wrap_wide(value.whole(), to)),
        kind if kind.is_integer() => value.as_integer().map(|value| wrap_integer(value, to)),
        _ => None,
    })
}

fn range(kind: &TypeKind) -> (i64, i64) {
    match kind {
        TypeKind::TinyInt => (i64::from(i8::MIN), i64::from(i8::MAX)),
        TypeKind::SmallInt => (i64::from(i16::MIN), i64::from(i16::MAX)),
        TypeKind::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    }
}

/// The low bits of an integer that an integer type has, as two's complement: integers wrap
/// around.
#[expect(clippy::cast_possible_truncation, reason = "SQL integers wrap around")]
pub fn wrap_integer(value: i64, to: &TypeKind) -> i64 {
    match to {
        TypeKind::TinyInt => i64::from(value as i8),
        TypeKind::SmallInt => i64::from(value as i16),
        TypeKind::Int => i64::from(value as i32),
        _ => value,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "SQL integers wrap around")]
fn wrap_wide(value: i128, to: &TypeKind) -> i64 {
    wrap_integer(value as i64, to)
}

/// A floating point number as an integer: beyond the range of an `INT` or `BIGINT` its nearest
/// bound, NaN is 0. Smaller types take the low bits of the `INT`, as in Java.
#[expect(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
fn saturate(value: f64, to: &TypeKind) -> i64 {
    match to {
        TypeKind::BigInt => value as i64,
        _ => wrap_integer(i64::from(value as i32), to),
    }
}

/// The `DOUBLE` of a number, boolean or text.
pub(super) fn to_double(value: &Value, from: &DataType) -> Result<Option<f64>, CastError> {
    Ok(match &from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => {
            return value.as_str().map(text::parse_double).transpose();
        }
        TypeKind::Boolean => value.as_boolean().map(|value| f64::from(u8::from(value))),
        TypeKind::Float => value.as_float().map(f64::from),
        TypeKind::Double => value.as_double(),
        TypeKind::Decimal { .. } => value.as_decimal().map(Decimal::to_f64),
        #[expect(clippy::cast_precision_loss, reason = "a DOUBLE has 53 bits")]
        kind if kind.is_integer() => value.as_integer().map(|value| value as f64),
        _ => None,
    })
}

/// The `FLOAT` of a number, boolean or text.
#[expect(clippy::cast_possible_truncation, reason = "a FLOAT has 24 bits")]
pub(super) fn to_float(value: &Value, from: &DataType) -> Result<Option<f32>, CastError> {
    Ok(match &from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => {
            return value.as_str().map(text::parse_float).transpose();
        }
        #[expect(clippy::cast_precision_loss, reason = "a FLOAT has 24 bits")]
        kind if kind.is_integer() => value.as_integer().map(|value| value as f32),
        _ => to_double(value, from)?.map(|value| value as f32),
    })
}

/// The `DECIMAL` of a number, boolean or text; NULL when a number does not fit.
pub(super) fn to_decimal(
    value: &Value,
    from: &DataType,
    precision: u8,
    scale: u8,
) -> Result<Option<Value>, CastError> {
    let decimal = match &from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => {
            let parse = |text| text::parse_decimal(text, precision, scale);
            return value.as_str().map(parse).transpose();
        }
        TypeKind::Boolean => value.as_boolean().map(|value| Decimal::from(i64::from(value))),
        TypeKind::Decimal { .. } => value.as_decimal(),
        TypeKind::Float | TypeKind::Double => {
            let number = value.as_double().or(value.as_float().map(f64::from));
            let decimal = number.map(|number| Decimal::from_f64(number, precision, scale));
            return Ok(decimal.map(|decimal| decimal.map_or(Value::NULL, Value::decimal)));
        }
        kind if kind.is_integer() => value.as_integer().map(Decimal::from),
        _ => None,
    };
    let fit = |decimal: Decimal| decimal.rescale(precision, scale).map_or(Value::NULL, Value::decimal);
    Ok(decimal.map(fit))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::value::cast::cast;
    use crate::value::display::write_value;

    fn shown(value: &Value, from: &DataType, to: &DataType) -> String {
        let mut out = String::new();
        match cast(value, from, to, &TimeZone::UTC) {
            Ok(value) => write_value(&mut out, &value, to, &TimeZone::UTC),
            Err(error) => out = format!("error: {error}"),
        }
        out
    }

    fn of_text(text: &str, to: &DataType) -> String {
        shown(&Value::string(text), &DataType::string(), to)
    }

    #[test]
    fn text_to_an_integer_drops_the_fraction_and_blanks() {
        let tiny = DataType::new(TypeKind::TinyInt);
        for (text, number) in
            [(" 7 ", "7"), ("+5", "5"), ("-3.99", "-3"), (".5", "0"), ("5.", "5"), (".", "0")]
        {
            assert_eq!(of_text(text, &tiny), number, "{text}");
        }
        for text in ["x", "", " ", "-", "- 5", "1e3", "1.2.3", "\t8\n", "８"] {
            assert_eq!(of_text(text, &tiny), format!("error: \"{text}\" is not a number"));
        }
        assert_eq!(of_text("128", &tiny), "error: \"128\" is out of range");
        assert_eq!(
            of_text("9223372036854775808", &DataType::bigint()),
            "error: \"9223372036854775808\" is out of range"
        );
        assert_eq!(of_text("-9223372036854775808", &DataType::bigint()), "-9223372036854775808");
    }

    #[test]
    fn text_to_a_double_is_what_java_reads() {
        for (text, number) in [
            ("1e3", "1000.0"),
            ("\t8\n", "8.0"),
            ("1.5f", "1.5"),
            ("1d", "1.0"),
            ("NaN", "NaN"),
            ("-Infinity", "-Infinity"),
            ("1e400", "Infinity"),
            ("+.5", "0.5"),
        ] {
            assert_eq!(of_text(text, &DataType::double()), number, "{text}");
        }
        for text in ["inf", "nan", "infinity", "0x10", "1_000", "", ".", "d"] {
            assert_eq!(of_text(text, &DataType::double()), format!("error: \"{text}\" is not a number"));
        }
    }

    #[test]
    fn short_text_to_a_short_decimal_may_end_in_a_wrong_character() {
        let short = DataType::decimal(5, 1);
        for (text, number) in [
            ("x", "0.0"),
            ("12x", "12.0"),
            ("1e", "1.0"),
            (".", "0.0"),
            (" 7 ", "7.0"),
            ("3.99", "4.0"),
            ("-0.05", "-0.1"),
            ("1.5e2", "150.0"),
            ("1e-3", "0.0"),
            ("1e+3", "1000.0"),
            ("0.12345678901234567890123456789012345678901", "0.1"),
        ] {
            assert_eq!(of_text(text, &short), number, "{text}");
        }
        for text in ["true", "", "-", "00012", "12345.678", "1.2.3", "1e400", "1e-400", "８"] {
            assert_eq!(of_text(text, &short), format!("error: \"{text}\" is not a DECIMAL(5, 1)"));
        }
        assert_eq!(of_text("x", &DataType::decimal(38, 0)), "error: \"x\" is not a DECIMAL(38, 0)");
        assert_eq!(of_text("８", &DataType::decimal(38, 0)), "8");
        assert_eq!(of_text("0", &DataType::decimal(3, 3)), "error: \"0\" is not a DECIMAL(3, 3)");
    }

    #[test]
    fn integers_wrap_and_floats_saturate() {
        let (tiny, int, bigint) = (DataType::new(TypeKind::TinyInt), DataType::int(), DataType::bigint());
        assert_eq!(shown(&Value::integer(300), &int, &tiny), "44");
        assert_eq!(shown(&Value::integer(5_000_000_000_i64), &bigint, &int), "705032704");
        assert_eq!(shown(&Value::double(1e20), &DataType::double(), &int), "2147483647");
        assert_eq!(shown(&Value::double(1e20), &DataType::double(), &tiny), "-1");
        assert_eq!(shown(&Value::double(f64::NAN), &DataType::double(), &int), "0");
        let wide: Decimal = "12345678901234567890.5".parse().unwrap();
        assert_eq!(shown(&Value::decimal(wide), &DataType::decimal(38, 18), &int), "-350287150");
    }

    #[test]
    fn decimals_round_half_up_and_become_null_when_they_do_not_fit() {
        let (short, double) = (DataType::decimal(4, 2), DataType::double());
        assert_eq!(shown(&Value::double(1.999), &double, &short), "2.00");
        assert_eq!(shown(&Value::double(1e20), &double, &short), "null");
        assert_eq!(shown(&Value::integer(100), &DataType::int(), &short), "null");
        assert_eq!(shown(&Value::boolean(true), &DataType::boolean(), &short), "1.00");
        let float = DataType::new(TypeKind::Float);
        assert_eq!(shown(&Value::float(0.1), &float, &DataType::decimal(38, 18)), "0.100000001490116120");
        assert_eq!(shown(&Value::float(0.1), &float, &double), "0.10000000149011612");
    }
}
