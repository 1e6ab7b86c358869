//! Dates and times from and to text in patterns.
//!
//! Flink uses two of Java's formatters: `DateTimeFormatter` for timestamps, and the older
//! `SimpleDateFormat`, which reads leniently, for everything else. Time zones follow the session.

use jiff::tz::TimeZone;

use super::super::call::{Evaluated, failure, text, text_or_null};
use super::super::parameter::Parameter::{self, Int, Integer, Number, Text, Timestamp};
use super::super::parameter::{STRING, Typed, check, check_or_null, gives, gives_nullable, mismatch};
use super::super::{Argument, Call, Category, EvalError, Function};
use super::formatter::{Formatter, LocalDateTime};
use super::simple::{SimpleFormat, TIMESTAMP};
use super::zone;
use crate::value::time::{
    Civil, MILLIS_PER_DAY, add_zone, parse_date, parse_timestamp, split_millis, truncate_timestamp,
};
use crate::value::{TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "DATE_FORMAT",
        syntax: "DATE_FORMAT(timestamp, pattern)",
        summary: "Writes a timestamp, or one in a string of the form yyyy-MM-dd HH:mm:ss, in a pattern of Java.",
        example: Some((
            "DATE_FORMAT(TIMESTAMP '2024-01-02 03:04:05', 'yyyy/MM/dd HH:mm')",
            "2024/01/02 03:04",
        )),
        typing: |args| nullable(args, &[&[Timestamp, Text], &[Text, Text]], STRING),
        eval: date_format,
        ..TEMPLATE
    },
    Function {
        name: "TO_DATE",
        syntax: "TO_DATE(string [, pattern])",
        summary: "Reads a date, by default of the form yyyy-MM-dd.",
        example: Some(("TO_DATE('02/01/2024', 'dd/MM/yyyy')", "2024-01-02")),
        typing: |args| nullable(args, TEXTS, TypeKind::Date),
        eval: to_date,
        ..TEMPLATE
    },
    Function {
        name: "TO_TIMESTAMP",
        syntax: "TO_TIMESTAMP(string [, pattern])",
        summary: "Reads a timestamp, by default of the form yyyy-MM-dd HH:mm:ss, or gives NULL.",
        example: Some(("TO_TIMESTAMP('02.01.2024 03:04', 'dd.MM.yyyy HH:mm')", "2024-01-02 03:04:00.000")),
        typing: |args| nullable(args, TEXTS, TypeKind::Timestamp(3)),
        eval: to_timestamp,
        ..TEMPLATE
    },
    Function {
        name: "TO_TIMESTAMP_LTZ",
        syntax: "TO_TIMESTAMP_LTZ(number [, precision]) or TO_TIMESTAMP_LTZ(string [, pattern [, zone]])",
        summary: "Gives the instant of a number of seconds (precision 0), milliseconds (3, the default) or smaller units since 1970, or reads one, by default in UTC.",
        example: Some(("TO_TIMESTAMP_LTZ(1704164645678, 3)", "2024-01-02 03:04:05.678")),
        typing: instant_type,
        eval: to_instant,
        ..TEMPLATE
    },
    Function {
        name: "FROM_UNIXTIME",
        syntax: "FROM_UNIXTIME(seconds [, pattern])",
        summary: "Writes the seconds since 1970 as a local time, by default in the form yyyy-MM-dd HH:mm:ss.",
        example: Some(("FROM_UNIXTIME(1704164645, 'yyyy/MM/dd')", "2024/01/02")),
        typing: |args| nullable(args, &[&[Integer], &[Integer, Text]], STRING),
        eval: |call| {
            let pattern = if call.args.len() > 1 { call.text(1) } else { TIMESTAMP };
            write(pattern, call.integer(0).wrapping_mul(1000), &call.context.time_zone)
        },
        ..TEMPLATE
    },
    Function {
        name: "UNIX_TIMESTAMP",
        syntax: "UNIX_TIMESTAMP([string [, pattern]])",
        summary: "Gives the seconds since 1970, now or of a local time, by default of the form yyyy-MM-dd HH:mm:ss.",
        example: Some(("UNIX_TIMESTAMP('2024-01-02 03:04:05')", "1704164645")),
        typing: |args| {
            check(args, &[&[], &[Text], &[Text, Text]])?;
            Ok(gives(args, TypeKind::BigInt))
        },
        eval: unix_timestamp,
        deterministic: false,
        ..TEMPLATE
    },
    Function {
        name: "CONVERT_TZ",
        syntax: "CONVERT_TZ(string, from_zone, to_zone)",
        summary: "Converts a local time of the form yyyy-MM-dd HH:mm:ss from one time zone to another.",
        example: Some((
            "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles')",
            "1969-12-31 16:00:00",
        )),
        typing: |args| nullable(args, &[&[Text, Text, Text]], STRING),
        eval: |call| match read(TIMESTAMP, call.text(0), &zone::lenient(call.text(1)), call)? {
            Some(millis) => write(TIMESTAMP, millis, &zone::lenient(call.text(2))),
            None => Ok(Value::NULL),
        },
        ..TEMPLATE
    },
];

const TEXTS: &[&[Parameter]] = &[&[Text], &[Text, Text]];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Temporal,
    typing: |args| nullable(args, TEXTS, STRING),
    eval: to_date,
    strict: true,
    deterministic: true,
};

fn nullable(args: &[Argument<'_>], forms: &[&[Parameter]], kind: TypeKind) -> Typed {
    check(args, forms).map(|()| gives_nullable(args, kind))
}

fn wrong_pattern(pattern: &str, reason: &str) -> EvalError {
    EvalError(format!("\"{pattern}\" is not a pattern of dates: {reason}"))
}

fn simple(pattern: &str) -> Result<SimpleFormat, EvalError> {
    SimpleFormat::new(pattern).map_err(|reason| wrong_pattern(pattern, &reason))
}

fn write(pattern: &str, millis: i64, zone: &TimeZone) -> Evaluated {
    match simple(pattern)?.write(millis, zone) {
        Some(written) => text(written),
        None => failure("the full name of the time zone is not known"),
    }
}

/// Reads an instant leniently.
fn read(pattern: &str, string: &str, zone: &TimeZone, call: &Call<'_>) -> Result<Option<i64>, EvalError> {
    Ok(simple(pattern)?.read(string, zone, call.context.now))
}

fn date_format(call: &Call<'_>) -> Evaluated {
    let pattern = call.text(1);
    let Some((millis, nanos)) = call.args[0].as_timestamp() else {
        return match read(TIMESTAMP, call.text(0), &TimeZone::UTC, call)? {
            Some(millis) => write(pattern, millis, &TimeZone::UTC),
            None => text_or_null(None::<&str>),
        };
    };
    let instant = matches!(call.types[0].kind, TypeKind::TimestampLtz(_));
    let offset = if instant { zone::offset_at(millis, &call.context.time_zone) } else { 0 };
    let (days, time) = split_millis(millis + offset);
    let local = LocalDateTime { days, nanos: i64::from(time) * 1_000_000 + i64::from(nanos) };
    let formatter = Formatter::cached(pattern).map_err(|reason| wrong_pattern(pattern, &reason))?;
    match formatter.write(local) {
        Ok(written) => text(written),
        Err(_) => failure(format!("\"{pattern}\" asks for a zone, which a timestamp has not")),
    }
}

/// The days of the year -292,275,055 in Flink's 32-bit arithmetic.
const LOWEST: i32 = 622_191_233;

/// As in Flink, text that does not fit the pattern is the lowest number of milliseconds, of whose
/// date 32 bits remain.
fn to_date(call: &Call<'_>) -> Evaluated {
    if call.args.len() == 1 {
        return Ok(parse_date(call.text(0)).map_or(Value::NULL, Value::date));
    }
    let millis = read(call.text(1), call.text(0), &TimeZone::UTC, call)?;
    let days = millis.map(|millis| i32::try_from(millis.div_euclid(MILLIS_PER_DAY)).unwrap_or(LOWEST));
    Ok(Value::date(days.unwrap_or(LOWEST)))
}

fn to_timestamp(call: &Call<'_>) -> Evaluated {
    let read = if call.args.len() == 1 {
        parse_timestamp(call.text(0), 3).map(|(millis, _)| millis)
    } else {
        let formatter = Formatter::cached(call.text(1)).ok();
        formatter.and_then(|formatter| read_local(&formatter, call.text(0))).map(|(millis, _)| millis)
    };
    Ok(read.map_or(Value::NULL, |millis| Value::timestamp(millis, 0)))
}

/// Reads a local time in milliseconds, and the nanoseconds within the last: in the pattern, or else as
/// `java.sql.Timestamp` and `java.sql.Date` do.
fn read_local(formatter: &Formatter, string: &str) -> Option<(i64, u32)> {
    match formatter.read(string) {
        Some(local) => {
            let (millis, nanos) = split_nanos(local.nanos)?;
            Some((i64::from(local.days) * MILLIS_PER_DAY + millis, nanos))
        }
        None => read_sql(string.trim_matches(|c| c <= ' ')),
    }
}

/// The milliseconds of some nanoseconds that are not negative, and the rest.
fn split_nanos(nanos: i64) -> Option<(i64, u32)> {
    Some((nanos / 1_000_000, u32::try_from(nanos % 1_000_000).ok()?))
}

/// `yyyy-m-d` or `yyyy-m-d h:m:s[.fraction]`, where a day or a time that is too large carries over.
fn read_sql(string: &str) -> Option<(i64, u32)> {
    let (date, time) = string.split_once(' ').map_or((string, None), |(date, time)| (date, Some(time)));
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let short = |part: &str| matches!(part.len(), 1 | 2);
    if year.len() != 4 || !short(month) || !short(day) {
        return None;
    }
    let month: u8 = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    let day: i32 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    let days = Civil { year: year.parse().ok()?, month, day: 1 }.to_days() + day - 1;
    let millis = i64::from(days) * MILLIS_PER_DAY;
    let Some(time) = time else { return Some((millis, 0)) };
    let mut parts = time.splitn(3, ':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next()?);
    let (second, (fraction, nanos)) = match second.split_once('.') {
        Some((second, fraction)) => {
            let digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
            let padded = format!("{fraction:0<9}");
            if !digits || padded.len() > 9 {
                return None;
            }
            (second, split_nanos(padded.parse().ok()?)?)
        }
        None => (second, (0, 0)),
    };
    let part = |text: &str| text.parse::<i32>().ok().map(i64::from);
    let minutes = part(hour)? * 60 + part(minute)?;
    Some((millis + (minutes * 60 + part(second)?) * 1000 + fraction, nanos))
}

/// The result has the precision of the number or as many digits as the pattern has at its end, and at
/// least 3.
fn instant_type(args: &[Argument<'_>]) -> Typed {
    if args.len() == 1 {
        check_or_null(args, &[&[Number], &[Text]])?;
    } else {
        check(args, &[&[Number, Int], &[Text, Text], &[Text, Text, Text]])?;
    }
    let precision = match args {
        [number, precision] if number.data_type.kind.is_numeric() => {
            precision.literal.and_then(Value::as_integer).unwrap_or(3)
        }
        [_, pattern, ..] => {
            let pattern = pattern.literal.and_then(Value::as_str).unwrap_or_default();
            i64::try_from(pattern.len() - pattern.trim_end_matches('S').len()).unwrap_or(i64::MAX)
        }
        _ => 3,
    };
    match u8::try_from(precision) {
        Ok(precision @ 0..=9) => Ok(gives_nullable(args, TypeKind::TimestampLtz(precision.max(3)))),
        _ => mismatch("takes a precision from 0 to 9"),
    }
}

fn to_instant(call: &Call<'_>) -> Evaluated {
    if call.args[0].as_str().is_some() {
        return instant_of_text(call);
    }
    let precision = if call.args.len() > 1 { call.integer(1) } else { 3 };
    let Some(precision) = u32::try_from(precision).ok().filter(|&precision| precision <= 9) else {
        return failure(format!("{precision} is not a precision from 0 to 9"));
    };
    let number = &call.args[0];
    let (number, precision) = if let Some(integer) = number.as_integer() {
        (integer, precision)
    } else if let Some(decimal) = number.as_decimal() {
        (i64::try_from(decimal.whole()).unwrap_or(i64::MAX), precision)
    } else {
        // The fraction of a floating point number counts down to milliseconds.
        let number = number.as_float().map_or_else(|| call.double(0), f64::from);
        let scale = 10_f64.powi(3 - i32::try_from(precision.min(3)).unwrap_or(3));
        #[expect(clippy::cast_possible_truncation, reason = "Java saturates too")]
        let (whole, fraction) = ((number.trunc() * scale) as i64, (number.fract() * scale) as i64);
        (whole.saturating_add(fraction), precision.max(3))
    };
    let nanos = i128::from(number) * 10_i128.pow(9 - precision);
    Ok(instant(nanos).unwrap_or(Value::NULL))
}

/// An instant in nanoseconds, if it is from the years 0 to 9999.
fn instant(nanos: i128) -> Option<Value> {
    const FIRST: i64 = -62_167_219_200_000;
    const LAST: i64 = 253_402_300_799_999;
    let millis = i64::try_from(nanos.div_euclid(1_000_000)).ok()?;
    let rest = u32::try_from(nanos.rem_euclid(1_000_000)).ok()?;
    (FIRST..=LAST).contains(&millis).then(|| Value::timestamp(millis, rest))
}

fn instant_of_text(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    if call.args.len() == 1 {
        return match parse_timestamp(string, 3) {
            Some((millis, _)) => Ok(Value::timestamp(millis, 0)),
            None => failure(format!("\"{string}\" is not a TIMESTAMP_LTZ")),
        };
    }
    let pattern = call.text(1);
    let formatter = Formatter::cached(pattern).map_err(|reason| wrong_pattern(pattern, &reason))?;
    let zone = match call.get(2) {
        Some(_) => {
            let name = call.text(2);
            zone::strict(name).ok_or_else(|| EvalError(format!("the time zone \"{name}\" is not known")))?
        }
        None => TimeZone::UTC,
    };
    let Some((millis, nanos)) = read_local(&formatter, string) else { return Ok(Value::NULL) };
    let precision = if let TypeKind::TimestampLtz(precision) = call.result.kind { precision } else { 3 };
    let (millis, nanos) = truncate_timestamp(add_zone(millis, &zone), nanos, precision);
    Ok(Value::timestamp(millis, nanos))
}

/// Text that does not fit the pattern is the lowest number, as in Flink.
fn unix_timestamp(call: &Call<'_>) -> Evaluated {
    if call.args.is_empty() {
        return Ok(Value::integer(call.context.now.div_euclid(1000)));
    }
    let pattern = if call.args.len() > 1 { call.text(1) } else { TIMESTAMP };
    let millis = read(pattern, call.text(0), &call.context.time_zone, call)?;
    Ok(Value::integer(millis.map_or(i64::MIN, |millis| millis / 1000)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_java_sql_timestamp_carries_over_but_has_its_form() {
        let day =
            |text: &str| read_sql(text).map(|(millis, _)| (millis / MILLIS_PER_DAY, millis % MILLIS_PER_DAY));
        assert_eq!(day("1970-1-2 25:00:00.5"), Some((2, 3_600_500)));
        assert_eq!(day("1970-2-30"), Some((60, 0)));
        for none in ["70-1-2", "1970-1-32", "1970-1-2 03:04", "1970-1-2 3:4:5.", "1970-1-2 3:4:5.1234567891"]
        {
            assert_eq!(day(none), None, "{none}");
        }
    }

    #[test]
    fn instants_are_of_the_years_that_flink_has() {
        assert_eq!(instant(-1), Some(Value::timestamp(-1, 999_999)));
        assert_eq!(instant(253_402_300_800_000_000_000), None);
        assert_eq!(instant(-62_167_219_200_000_000_001), None);
    }
}
