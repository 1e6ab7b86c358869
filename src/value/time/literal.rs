//! What stands in `DATE '…'`, `TIME '…'` and `TIMESTAMP '…'`: stricter than casts, a literal must
//! exist in the calendar, and its digits decide the precision of its type.

use super::text::{digits, exists};
use super::{Civil, MILLIS_PER_DAY};

/// Reads the text of a `DATE` literal, `yyyy-mm-dd`; gives the days since 1970-01-01.
pub fn parse_date_literal(text: &str) -> Option<i32> {
    let mut parts = text.trim().split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || month.len() > 2 || day.len() > 2 {
        return None;
    }
    let year = i32::try_from(digits(year)?).ok().filter(|&year| year > 0)?;
    let (month, day) = (u8::try_from(digits(month)?).ok()?, u8::try_from(digits(day)?).ok()?);
    exists(year, month, day).then(|| Civil { year, month, day }.to_days())
}

/// Reads the text of a `TIME` literal, `hh:mm:ss[.fraction]`; gives the milliseconds since
/// midnight and the precision of the type, at most 3.
pub fn parse_time_literal(text: &str) -> Option<(u32, u8)> {
    let (seconds, nanos, precision) = read_clock(text.trim())?;
    Some((seconds * 1000 + nanos / 1_000_000, precision.min(3)))
}

/// Reads the text of a `TIMESTAMP` literal, `yyyy-mm-dd[ hh:mm:ss[.fraction]]`; gives the
/// milliseconds since 1970-01-01 00:00:00, the nanoseconds within the millisecond, and the
/// precision of the type.
pub fn parse_timestamp_literal(text: &str) -> Option<(i64, u32, u8)> {
    let text = text.trim();
    let (date, clock) = text.split_once(' ').map_or((text, None), |(date, clock)| (date, Some(clock)));
    let days = parse_date_literal(date)?;
    let (seconds, nanos, precision) = clock.map_or(Some((0, 0, 0)), read_clock)?;
    let millis = i64::from(days) * MILLIS_PER_DAY + i64::from(seconds) * 1000;
    Some((millis + i64::from(nanos / 1_000_000), nanos % 1_000_000, precision))
}

/// The seconds of the day, the nanoseconds of the second, and how many digits the fraction has, at
/// most 9; more are cut.
fn read_clock(text: &str) -> Option<(u32, u32, u8)> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':');
    let mut next = |bound: u32| {
        let part = parts.next().filter(|part| part.len() <= 2)?;
        digits(part).filter(|&part| part < bound)
    };
    let (hour, minute, second) = (next(24)?, next(60)?, next(60)?);
    if parts.next().is_some() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction = &fraction[..fraction.len().min(9)];
    let nanos = if fraction.is_empty() { 0 } else { digits(&format!("{fraction:0<9}"))? };
    let precision = u8::try_from(fraction.len()).ok()?;
    Some(((hour * 60 + minute) * 60 + second, nanos, precision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::time::{write_date, write_time, write_timestamp};

    fn timestamp(text: &str) -> String {
        let mut out = String::new();
        match parse_timestamp_literal(text) {
            Some((millis, nanos, precision)) => write_timestamp(&mut out, millis, nanos, precision).unwrap(),
            None => out.push_str("wrong"),
        }
        out
    }

    fn date(text: &str) -> String {
        let mut out = String::new();
        match parse_date_literal(text) {
            Some(days) => write_date(&mut out, days).unwrap(),
            None => out.push_str("wrong"),
        }
        out
    }

    fn time(text: &str) -> String {
        let mut out = String::new();
        match parse_time_literal(text) {
            Some((millis, precision)) => write_time(&mut out, millis, precision).unwrap(),
            None => out.push_str("wrong"),
        }
        out
    }

    #[test]
    fn the_digits_of_a_literal_decide_its_precision() {
        for (text, shown) in [
            ("2024-01-02 03:04:05", "2024-01-02 03:04:05"),
            ("2024-01-02 03:04:05.1200", "2024-01-02 03:04:05.1200"),
            ("2024-01-02 03:04:05.1234567899", "2024-01-02 03:04:05.123456789"),
            (" 2024-1-2 3:4:5", "2024-01-02 03:04:05"),
            ("2024-01-02", "2024-01-02 00:00:00"),
        ] {
            assert_eq!(timestamp(text), shown);
        }
        assert_eq!(time("1:2:3.4"), "01:02:03.4");
        assert_eq!(time("04:05:06.1234567"), "04:05:06.123");
        assert_eq!(date("24-01-02"), "0024-01-02");
    }

    #[test]
    fn a_literal_must_exist() {
        for text in [
            "2024-02-30 00:00:00",
            "2024-01-02T03:04:05",
            "2024-01-02 24:00:00",
            "2024-01-02 03:04",
            "0000-01-01",
        ] {
            assert_eq!(timestamp(text), "wrong", "{text}");
        }
        for text in ["2024-02-30", "2024-13-01", "2024-1", "12024-01-01", "2024-01-02 03:04:05", "x"] {
            assert_eq!(date(text), "wrong", "{text}");
        }
        for text in ["04:05", "24:00:00", "23:59:60", "x"] {
            assert_eq!(time(text), "wrong", "{text}");
        }
    }
}
