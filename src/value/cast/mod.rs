//! Casts: which types convert to which, and how a value is converted.
//!
//! The rules are Flink's, with their peculiarities: integers wrap around, floating point numbers
//! saturate, decimals that do not fit become NULL, a fraction of a number in text is dropped, a
//! timestamp before 1970 belongs to the date towards 1970.

mod number;
mod text;

use jiff::tz::TimeZone;

pub use number::wrap_integer;

use super::display::write_text;
use super::time::{MILLIS_PER_DAY, add_zone, drop_zone, split_millis, truncate_timestamp};
use super::{DataType, TypeKind, Value};

/// Why a value cannot be converted, as a phrase in lower case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CastError(pub String);

/// Whether `CAST` can convert values of one type to another, whatever the nullability.
pub fn is_castable(from: &DataType, to: &DataType) -> bool {
    use TypeKind as K;
    match (&from.kind, &to.kind) {
        (K::Null, _) => true,
        (a, b) if a == b => true,
        (K::Array(a), K::Array(b)) | (K::Multiset(a), K::Multiset(b)) => is_castable(a, b),
        (K::Map(a, b), K::Map(c, d)) => is_castable(a, c) && is_castable(b, d),
        (K::Row(a), K::Row(b)) => {
            let castable = |(a, b): (&super::Field, &super::Field)| is_castable(&a.data_type, &b.data_type);
            a.len() == b.len() && a.iter().zip(b.iter()).all(castable)
        }
        (_, K::Char(_) | K::VarChar(_)) => true,
        (a, K::Boolean) => a.is_numeric() || a.is_string() || *a == K::Boolean,
        (a, b) if b.is_numeric() => a.is_numeric() || a.is_string() || *a == K::Boolean,
        (a, b) if b.is_binary() => a.is_binary() || a.is_string(),
        (a, K::Date) => a.is_timestamp() || a.is_string(),
        (a, K::Time(_)) => a.is_timestamp() || a.is_string() || matches!(a, K::Time(_)),
        (a, b) if b.is_timestamp() => a.is_datetime() || a.is_string(),
        (a, b) if b.is_interval() => a.is_integer(),
        _ => false,
    }
}

/// Whether a value of one type may be stored in a column of another without `CAST`, whatever the
/// nullability: numbers where they fit, text and bytes of any length, timestamps as one another
/// and as their date or time.
pub fn is_implicitly_castable(from: &DataType, to: &DataType) -> bool {
    use TypeKind as K;
    match (&from.kind, &to.kind) {
        (a, b) if a == b => true,
        (K::Null, _) | (K::Char(_), K::Char(_)) | (K::Binary(_), K::Binary(_)) => true,
        (a, K::VarChar(_)) => a.is_string(),
        (a, K::VarBinary(_)) => a.is_binary(),
        (a, b) if a.is_integer() && b.is_integer() => integer_rank(a) <= integer_rank(b),
        (a, K::Float) => a.is_integer() || matches!(a, K::Float | K::Decimal { .. }),
        (a, K::Double | K::Decimal { .. }) => a.is_numeric(),
        (K::Timestamp(_), K::Date) | (K::Time(_) | K::Timestamp(_), K::Time(_)) => true,
        (a, b) if b.is_timestamp() => a.is_timestamp(),
        (K::Array(a), K::Array(b)) | (K::Multiset(a), K::Multiset(b)) => is_implicitly_castable(a, b),
        (K::Map(a, b), K::Map(c, d)) => is_implicitly_castable(a, c) && is_implicitly_castable(b, d),
        (K::Row(a), K::Row(b)) => {
            let castable =
                |(a, b): (&super::Field, &super::Field)| is_implicitly_castable(&a.data_type, &b.data_type);
            a.len() == b.len() && a.iter().zip(b.iter()).all(castable)
        }
        _ => false,
    }
}

/// A number that is larger for wider integer types.
fn integer_rank(kind: &TypeKind) -> u8 {
    match kind {
        TypeKind::TinyInt => 1,
        TypeKind::SmallInt => 2,
        TypeKind::Int => 3,
        _ => 4,
    }
}

/// Converts a value from one type to another; the time zone stands between local time and
/// instants. NULL stays NULL.
///
/// # Errors
/// Text does not have the form of the type, or the types cannot be cast (see [`is_castable`]).
pub fn cast(value: &Value, from: &DataType, to: &DataType, zone: &TimeZone) -> Result<Value, CastError> {
    if value.is_null() || from.kind == to.kind {
        return Ok(value.clone());
    }
    let impossible = || CastError(format!("cannot cast {} to {}", from.kind, to.kind));
    match &to.kind {
        TypeKind::Null | TypeKind::Bitmap => Err(impossible()),
        TypeKind::Boolean => to_boolean(value, from)?.map(Value::boolean).ok_or_else(impossible),
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => {
            number::to_integer(value, from, &to.kind)?.map(Value::integer).ok_or_else(impossible)
        }
        TypeKind::Float => number::to_float(value, from)?.map(Value::float).ok_or_else(impossible),
        TypeKind::Double => number::to_double(value, from)?.map(Value::double).ok_or_else(impossible),
        TypeKind::Decimal { precision, scale } => {
            number::to_decimal(value, from, *precision, *scale)?.ok_or_else(impossible)
        }
        TypeKind::Char(length) => Ok(to_string(value, from, zone, *length, true)),
        TypeKind::VarChar(length) => Ok(to_string(value, from, zone, *length, false)),
        TypeKind::Binary(length) => to_bytes(value, *length, true).ok_or_else(impossible),
        TypeKind::VarBinary(length) => to_bytes(value, *length, false).ok_or_else(impossible),
        TypeKind::Date => to_date(value, from, zone)?.map(Value::date).ok_or_else(impossible),
        TypeKind::Time(precision) => {
            to_time(value, from, zone, *precision)?.map(Value::time).ok_or_else(impossible)
        }
        TypeKind::Timestamp(precision) | TypeKind::TimestampLtz(precision) => {
            to_timestamp(value, from, to, zone, *precision)?.ok_or_else(impossible)
        }
        TypeKind::IntervalMonth => {
            let months = value.as_integer().and_then(|months| i32::try_from(months).ok());
            months.map(Value::months).ok_or_else(impossible)
        }
        TypeKind::IntervalSecond => value.as_integer().map(Value::millis).ok_or_else(impossible),
        TypeKind::Array(to_element) => {
            let TypeKind::Array(element) = &from.kind else { return Err(impossible()) };
            let items = value.as_list().ok_or_else(impossible)?;
            let items = items.iter().map(|item| cast(item, element, to_element, zone));
            Ok(Value::list(items.collect::<Result<Vec<_>, _>>()?))
        }
        TypeKind::Row(to_fields) => {
            let TypeKind::Row(fields) = &from.kind else { return Err(impossible()) };
            let items = value.as_list().ok_or_else(impossible)?.iter();
            let items = items.zip(fields.iter().zip(to_fields.iter()));
            let items = items.map(|(item, (from, to))| cast(item, &from.data_type, &to.data_type, zone));
            Ok(Value::list(items.collect::<Result<Vec<_>, _>>()?))
        }
        TypeKind::Map(to_key, to_value) => {
            let TypeKind::Map(from_key, from_value) = &from.kind else { return Err(impossible()) };
            let entries = value.as_entries().ok_or_else(impossible)?.iter();
            let entries = entries
                .map(|(k, v)| Ok((cast(k, from_key, to_key, zone)?, cast(v, from_value, to_value, zone)?)));
            Ok(Value::entries(entries.collect::<Result<Vec<_>, CastError>>()?))
        }
        TypeKind::Multiset(to_element) => {
            let TypeKind::Multiset(element) = &from.kind else { return Err(impossible()) };
            let entries = value.as_entries().ok_or_else(impossible)?.iter();
            let entries = entries.map(|(k, count)| Ok((cast(k, element, to_element, zone)?, count.clone())));
            Ok(Value::entries(entries.collect::<Result<Vec<_>, CastError>>()?))
        }
    }
}

fn to_boolean(value: &Value, from: &DataType) -> Result<Option<bool>, CastError> {
    Ok(match &from.kind {
        kind if kind.is_string() => return value.as_str().map(text::parse_boolean).transpose(),
        TypeKind::Float => value.as_float().map(|value| value != 0.0),
        TypeKind::Double => value.as_double().map(|value| value != 0.0),
        TypeKind::Decimal { .. } => value.as_decimal().map(|value| value.unscaled() != 0),
        _ => value.as_integer().map(|value| value != 0),
    })
}

/// The text of a value, cut to a length in characters, and padded to it if it is fixed.
fn to_string(value: &Value, from: &DataType, zone: &TimeZone, length: u32, fixed: bool) -> Value {
    let length = length as usize;
    let fits = |text: &str| {
        // A character has at least one byte, so few bytes are few characters.
        let short = text.len() <= length || text.chars().nth(length).is_none();
        short && (!fixed || text.chars().count() == length)
    };
    if from.kind.is_string() && value.as_str().is_some_and(fits) {
        return value.clone();
    }
    if let Some(integer) = value.as_integer() {
        let mut buffer = itoa::Buffer::new();
        let text = buffer.format(integer);
        if fits(text) {
            return Value::string(text);
        }
    }
    let mut text = String::new();
    match value.as_str() {
        Some(string) if from.kind.is_string() => text.push_str(string),
        _ => write_text(&mut text, value, from, zone),
    }
    if let Some((end, _)) = text.char_indices().nth(length) {
        text.truncate(end);
    } else if fixed {
        let blanks = length - text.chars().count();
        text.extend(std::iter::repeat_n(' ', blanks));
    }
    Value::string(&text)
}

/// The bytes of a binary or of a text, cut to a length, and filled with zeros if it is fixed.
fn to_bytes(value: &Value, length: u32, fixed: bool) -> Option<Value> {
    let length = length as usize;
    let bytes = value.as_bytes()?;
    let mut bytes = bytes[..bytes.len().min(length)].to_vec();
    if fixed {
        bytes.resize(length, 0);
    }
    Some(Value::bytes(bytes))
}

fn to_date(value: &Value, from: &DataType, zone: &TimeZone) -> Result<Option<i32>, CastError> {
    Ok(match from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => {
            return value.as_str().map(text::parse_date).transpose();
        }
        TypeKind::Timestamp(_) => value.as_timestamp().map(|(millis, _)| {
            // As in Flink the division goes towards 1970.
            let days = millis / MILLIS_PER_DAY;
            i32::try_from(days).unwrap_or(if days < 0 { i32::MIN } else { i32::MAX })
        }),
        TypeKind::TimestampLtz(_) => {
            value.as_timestamp().map(|(millis, _)| split_millis(drop_zone(millis, zone)).0)
        }
        _ => None,
    })
}

fn to_time(value: &Value, from: &DataType, zone: &TimeZone, precision: u8) -> Result<Option<u32>, CastError> {
    let cut = |millis: u32| match precision {
        0..=2 => {
            let unit = 10_u32.pow(3 - u32::from(precision));
            millis / unit * unit
        }
        _ => millis,
    };
    Ok(match from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => {
            value.as_str().map(text::parse_time).transpose()?.map(cut)
        }
        TypeKind::Time(_) => value.as_time().map(cut),
        TypeKind::Timestamp(_) => value.as_timestamp().map(|(millis, nanos)| {
            let (millis, _) = truncate_timestamp(millis, nanos, precision);
            split_millis(millis).1
        }),
        TypeKind::TimestampLtz(_) => {
            value.as_timestamp().map(|(millis, _)| cut(split_millis(drop_zone(millis, zone)).1))
        }
        _ => None,
    })
}

fn to_timestamp(
    value: &Value,
    from: &DataType,
    to: &DataType,
    zone: &TimeZone,
    precision: u8,
) -> Result<Option<Value>, CastError> {
    let local = !matches!(to.kind, TypeKind::TimestampLtz(_));
    let instant = |millis: i64| if local { millis } else { add_zone(millis, zone) };
    let parts = match from.kind {
        TypeKind::Char(_) | TypeKind::VarChar(_) => match value.as_str() {
            Some(text) => {
                let (millis, nanos) = text::parse_timestamp(text, precision)?;
                Some((instant(millis), nanos))
            }
            None => None,
        },
        TypeKind::Date => value.as_date().map(|days| (instant(i64::from(days) * MILLIS_PER_DAY), 0)),
        TypeKind::Time(_) => value.as_time().map(|millis| (instant(i64::from(millis)), 0)),
        TypeKind::Timestamp(_) => value.as_timestamp().map(|(millis, nanos)| (instant(millis), nanos)),
        TypeKind::TimestampLtz(_) => value.as_timestamp().map(|(millis, nanos)| {
            let millis = if local { drop_zone(millis, zone) } else { millis };
            (millis, nanos)
        }),
        _ => None,
    };
    Ok(parts.map(|(millis, nanos)| {
        let (millis, nanos) = truncate_timestamp(millis, nanos, precision);
        Value::timestamp(millis, nanos)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::display::write_value;

    fn try_cast_in(zone: &TimeZone, value: &Value, from: &DataType, to: &DataType) -> String {
        let mut out = String::new();
        match cast(value, from, to, zone) {
            Ok(value) => write_value(&mut out, &value, to, zone),
            Err(error) => out = format!("error: {error}"),
        }
        out
    }

    fn try_cast(value: &Value, from: &DataType, to: &DataType) -> String {
        try_cast_in(&TimeZone::UTC, value, from, to)
    }

    fn of_text(text: &str, to: &DataType) -> String {
        try_cast(&Value::string(text), &DataType::string(), to)
    }

    fn kind(kind: TypeKind) -> DataType {
        DataType::new(kind)
    }

    #[test]
    fn the_matrix_allows_numbers_and_booleans_but_not_dates_as_one_another() {
        let (int, date, ltz) = (DataType::int(), kind(TypeKind::Date), DataType::timestamp_ltz(3));
        assert!(is_castable(&int, &DataType::boolean()));
        assert!(is_castable(&date, &ltz) && is_castable(&ltz, &date));
        assert!(!is_castable(&DataType::boolean(), &date));
        assert!(!is_castable(&int, &ltz) && !is_castable(&ltz, &int));
        assert!(!is_castable(&date, &kind(TypeKind::Time(0))));
        assert!(is_castable(
            &DataType::row([("a", int.clone())]),
            &DataType::row([("x", DataType::string())])
        ));
        assert!(!is_castable(
            &DataType::row([("a", int.clone())]),
            &DataType::row([] as [(&str, DataType); 0])
        ));
        assert!(is_castable(&DataType::array(int), &DataType::array(DataType::string())));
    }

    #[test]
    fn a_column_takes_what_fits_without_a_cast() {
        let (int, bigint, string) = (DataType::int(), DataType::bigint(), DataType::string());
        assert!(is_implicitly_castable(&int, &bigint) && !is_implicitly_castable(&bigint, &int));
        assert!(is_implicitly_castable(&DataType::double(), &DataType::decimal(10, 2)));
        assert!(!is_implicitly_castable(&DataType::double(), &kind(TypeKind::Float)));
        assert!(is_implicitly_castable(&kind(TypeKind::Char(3)), &kind(TypeKind::VarChar(2))));
        assert!(!is_implicitly_castable(&string, &kind(TypeKind::Char(3))));
        assert!(!is_implicitly_castable(&string, &bigint) && !is_implicitly_castable(&int, &string));
        assert!(is_implicitly_castable(&DataType::timestamp(3), &kind(TypeKind::Date)));
        assert!(!is_implicitly_castable(&DataType::timestamp_ltz(3), &kind(TypeKind::Date)));
    }

    #[test]
    fn text_is_padded_and_cut_in_characters() {
        assert_eq!(of_text("äöü", &kind(TypeKind::VarChar(2))), "äö");
        assert_eq!(of_text("äö", &kind(TypeKind::Char(4))), "äö  ");
        assert_eq!(of_text("3.99", &kind(TypeKind::Binary(3))), "x'332e39'");
        assert_eq!(of_text("x", &kind(TypeKind::Binary(3))), "x'780000'");
        let bytes = Value::bytes(vec![b'a', b'b']);
        assert_eq!(try_cast(&bytes, &kind(TypeKind::Binary(2)), &DataType::string()), "ab");
    }

    #[test]
    fn timestamps_before_1970_belong_to_the_date_towards_1970() {
        let timestamp = DataType::timestamp(3);
        let before = Value::timestamp(-1, 0);
        assert_eq!(try_cast(&before, &timestamp, &kind(TypeKind::Date)), "1970-01-01");
        assert_eq!(try_cast(&before, &timestamp, &kind(TypeKind::Time(0))), "00:00:00");
        assert_eq!(try_cast(&before, &timestamp, &DataType::timestamp(0)), "1970-01-01 00:00:00");
        let ltz = DataType::timestamp_ltz(3);
        assert_eq!(try_cast(&before, &ltz, &kind(TypeKind::Date)), "1969-12-31");
        assert_eq!(try_cast(&before, &ltz, &kind(TypeKind::Time(0))), "23:59:59");
    }

    #[test]
    fn local_time_and_instants_convert_in_the_zone() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let instant = Value::timestamp(1_709_296_496_789, 0);
        let (local, ltz) = (DataType::timestamp(3), DataType::timestamp_ltz(3));
        assert_eq!(try_cast_in(&berlin, &instant, &ltz, &local), "2024-03-01 13:34:56.789");
        assert_eq!(try_cast_in(&berlin, &instant, &local, &ltz), "2024-03-01 12:34:56.789");
        assert_eq!(
            try_cast_in(&berlin, &Value::date(0), &kind(TypeKind::Date), &ltz),
            "1970-01-01 00:00:00.000"
        );
        let text = Value::string("2024-02-30");
        assert_eq!(try_cast_in(&berlin, &text, &DataType::string(), &ltz), "2024-02-29 00:00:00.000");
    }

    #[test]
    fn nested_values_are_cast_part_by_part() {
        let from = DataType::row([("a", DataType::int()), ("n", DataType::array(DataType::boolean()))]);
        let to = DataType::row([("x", kind(TypeKind::Char(3))), ("y", DataType::array(DataType::int()))]);
        let list = Value::list(vec![Value::boolean(true), Value::NULL]);
        let value = Value::list(vec![Value::integer(5), list]);
        assert_eq!(try_cast(&value, &from, &to), "(5  , [1, NULL])");
        assert_eq!(try_cast(&value, &from, &DataType::string()), "(5, [TRUE, NULL])");
        let map = DataType::map(DataType::string(), DataType::int());
        let entries = Value::entries(vec![(Value::string("k"), Value::integer(1))]);
        assert_eq!(try_cast(&entries, &map, &kind(TypeKind::VarChar(4))), "{k=1");
    }

    #[test]
    fn what_is_no_date_says_so() {
        assert_eq!(of_text("x", &kind(TypeKind::Date)), "error: \"x\" is not a DATE");
        assert_eq!(of_text("25:00:00", &kind(TypeKind::Time(0))), "error: \"25:00:00\" is not a TIME");
        assert_eq!(
            of_text("2024-02-03T04:05:06", &DataType::timestamp(3)),
            "error: \"2024-02-03T04:05:06\" is not a TIMESTAMP"
        );
        assert_eq!(of_text("yep", &DataType::boolean()), "error: \"yep\" is not a BOOLEAN");
    }
}
