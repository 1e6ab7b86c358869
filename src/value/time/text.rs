//! The text of dates, times and timestamps, and which text Flink accepts for them.

use std::fmt;

use super::{Civil, MILLIS_PER_DAY, MILLIS_PER_SECOND, split_millis};

/// Reads a date as a cast to `DATE` does: `year[-month[-day]]`, blanks around each part, and
/// anything after the first blank inside left out. Gives the days since 1970-01-01.
pub fn parse_date(text: &str) -> Option<i32> {
    let text = match text.find(' ') {
        Some(blank) if blank > 0 => &text[..blank],
        _ => text,
    };
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next()?)?;
    let month = parts.next().map_or(Some(1), number)?;
    let day = parts.next().map_or(Some(1), number)?;
    let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
    let year = i32::try_from(year).ok()?;
    exists(year, month, day).then(|| Civil { year, month, day }.to_days())
}

/// Reads a time of day as a cast to `TIME` does: `hour[:minute[:second[.fraction]]]`. Gives
/// milliseconds since midnight.
pub fn parse_time(text: &str) -> Option<u32> {
    let mut parts = text.splitn(3, ':');
    let hour = number(parts.next()?)?;
    let minute = parts.next().map_or(Some(0), number)?;
    let (second, millis) = match parts.next() {
        None => (0, 0),
        Some(second) => match second.split_once('.') {
            None => (number(second)?, 0),
            Some((second, fraction)) => (number(second)?, read_fraction(java_trim(fraction))? / 1_000_000),
        },
    };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(((hour * 60 + minute) * 60 + second) * 1000 + millis)
}

/// Reads a timestamp as a cast to `TIMESTAMP(precision)` does:
/// `yyyy-mm-dd[ hh:mm:ss[.fraction]]`, where all but the year may have one digit. A day that its
/// month lacks becomes the month's last. Gives milliseconds, and nanoseconds within the
/// millisecond; digits beyond the precision are cut.
pub fn parse_timestamp(text: &str, precision: u8) -> Option<(i64, u32)> {
    let (date_text, time_text) = match text.split_once(' ') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date_text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let year = i32::try_from(digits(year)?).ok().filter(|&year| year > 0)?;
    let month = u8::try_from(short_number(month)?).ok().filter(|month| (1..=12).contains(month))?;
    let day = u8::try_from(short_number(day)?).ok().filter(|day| (1..=31).contains(day))?;
    let day = day.min(Civil::days_in_month(year, month));
    let (time, nanos) = time_text.map_or(Some((0, 0)), read_clock)?;
    let days = i64::from(Civil { year, month, day }.to_days());
    let nanos = match precision {
        0 => 0,
        1..=8 => nanos / 10_u32.pow(9 - u32::from(precision)) * 10_u32.pow(9 - u32::from(precision)),
        _ => nanos,
    };
    Some((days * MILLIS_PER_DAY + time + i64::from(nanos / 1_000_000), nanos % 1_000_000))
}

/// Reads `hh:mm:ss[.fraction]`, or `24:00:00`; gives the milliseconds of the whole seconds and
/// the nanoseconds of the fraction.
fn read_clock(text: &str) -> Option<(i64, u32)> {
    let (clock, nanos) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, read_fraction(fraction)?),
        None => (text, 0),
    };
    let mut parts = clock.split(':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (hour, minute, second) = (short_number(hour)?, short_number(minute)?, short_number(second)?);
    let midnight = hour == 24 && minute == 0 && second == 0 && nanos == 0;
    if (hour > 23 && !midnight) || minute > 59 || second > 59 {
        return None;
    }
    let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
    Some((seconds * MILLIS_PER_SECOND, nanos))
}

/// Up to nine digits after the point, as nanoseconds.
fn read_fraction(text: &str) -> Option<u32> {
    if text.is_empty() {
        return Some(0);
    }
    let scale = 9_u32.checked_sub(u32::try_from(text.len()).ok()?)?;
    Some(digits(text)? * 10_u32.pow(scale))
}

/// A number of ASCII digits, with what Java's `trim` removes around it.
fn number(text: &str) -> Option<u32> {
    digits(java_trim(text))
}

/// A number of one or two digits.
fn short_number(text: &str) -> Option<u32> {
    if text.len() > 2 { None } else { digits(text) }
}

/// A number of ASCII digits alone.
pub(super) fn digits(text: &str) -> Option<u32> {
    let valid = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if valid { text.parse().ok() } else { None }
}

fn java_trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// Whether the day is one of the calendar, from year 0 to 9999.
pub(super) fn exists(year: i32, month: u8, day: u8) -> bool {
    (0..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=Civil::days_in_month(year, month)).contains(&day)
}

/// The digits of a timestamp, each at its place. As in Flink the year has four of them, and no
/// more; one before year 0 has a sign in front.
struct Digits([u8; 29]);

/// Where the time of day begins and ends, and where its fraction begins.
const CLOCK: usize = 11;
const CLOCK_END: usize = 19;
const FRACTION: usize = 20;

impl Digits {
    fn new() -> Self {
        Self(*b"0000-00-00 00:00:00.000000000")
    }

    /// The last two digits of a number.
    fn pair(&mut self, place: usize, value: u32) {
        self.0[place] = b'0' + (value / 10 % 10) as u8;
        self.0[place + 1] = b'0' + (value % 10) as u8;
    }

    /// Sets the date; says whether it needs a sign.
    fn date(&mut self, days: i32) -> bool {
        let Civil { year, month, day } = Civil::from_days(days);
        let absolute = year.unsigned_abs();
        self.pair(0, absolute / 100);
        self.pair(2, absolute);
        self.pair(5, u32::from(month));
        self.pair(8, u32::from(day));
        year < 0
    }

    /// Sets the time of day, with the nanoseconds within its last millisecond. Rounding up may have
    /// made it 24:00 or later.
    fn clock(&mut self, millis: u32, nanos: u32) {
        let seconds = millis / 1000;
        self.pair(CLOCK, seconds / 3600);
        self.pair(CLOCK + 3, seconds / 60 % 60);
        self.pair(CLOCK + 6, seconds % 60);
        let fraction = millis % 1000 * 1_000_000 + nanos;
        if fraction > 0 {
            self.pair(FRACTION, fraction / 10_000_000);
            self.pair(FRACTION + 2, fraction / 100_000 % 100);
            self.pair(FRACTION + 4, fraction / 1000 % 100);
            self.pair(FRACTION + 6, fraction / 10 % 100);
            self.0[FRACTION + 8] = b'0' + (fraction % 10) as u8;
        }
    }

    fn text(&self, places: std::ops::Range<usize>) -> &str {
        std::str::from_utf8(&self.0[places]).expect("digits are ASCII")
    }

    /// Writes from the date to a place.
    fn write(&self, out: &mut impl fmt::Write, negative: bool, end: usize) -> fmt::Result {
        if negative {
            out.write_char('-')?;
        }
        out.write_str(self.text(0..end))
    }
}

/// Where a fraction of so many digits ends, or the seconds if there is none.
fn fraction_end(precision: u8) -> usize {
    if precision == 0 { CLOCK_END } else { FRACTION + usize::from(precision.min(9)) }
}

/// Writes a date: `2024-02-29`.
pub fn write_date(out: &mut impl fmt::Write, days: i32) -> fmt::Result {
    let mut digits = Digits::new();
    let negative = digits.date(days);
    digits.write(out, negative, CLOCK - 1)
}

/// Writes a time of day with up to so many digits of a second. As in Flink, zeros at the end of
/// the fraction are left out, except for the first digit: `12:34:56.78`, `12:34:56.0`.
pub fn write_time(out: &mut impl fmt::Write, millis: u32, precision: u8) -> fmt::Result {
    let mut digits = Digits::new();
    digits.clock(millis, 0);
    let mut end = fraction_end(precision.min(3));
    while end > FRACTION + 1 && digits.0[end - 1] == b'0' {
        end -= 1;
    }
    out.write_str(digits.text(CLOCK..end))
}

/// Writes a local timestamp with so many digits of a second: `2024-02-29 12:34:56.789`.
pub fn write_timestamp(out: &mut impl fmt::Write, millis: i64, nanos: u32, precision: u8) -> fmt::Result {
    let mut digits = Digits::new();
    let (days, time) = split_millis(millis);
    let negative = digits.date(days);
    digits.clock(time, nanos);
    digits.write(out, negative, fraction_end(precision))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date_of(text: &str) -> String {
        let mut out = String::new();
        match parse_date(text) {
            Some(days) => write_date(&mut out, days).unwrap(),
            None => out.push_str("null"),
        }
        out
    }

    fn time_of(text: &str) -> String {
        let mut out = String::new();
        match parse_time(text) {
            Some(millis) => write_time(&mut out, millis, 3).unwrap(),
            None => out.push_str("null"),
        }
        out
    }

    fn timestamp_of(text: &str, precision: u8) -> String {
        let mut out = String::new();
        match parse_timestamp(text, precision) {
            Some((millis, nanos)) => write_timestamp(&mut out, millis, nanos, precision).unwrap(),
            None => out.push_str("null"),
        }
        out
    }

    #[test]
    fn a_date_may_lack_parts_but_not_exceed_its_month() {
        for (text, date) in [
            ("2024-1-2", "2024-01-02"),
            (" 7 ", "0007-01-01"),
            ("0", "0000-01-01"),
            (" 2024-01-02 ", "2024-01-02"),
            ("2024-02-03 whatever", "2024-02-03"),
            ("2024 -01-02", "2024-01-01"),
            (" 2024-02-03 04:05:06 ", "null"),
            ("2024-02-30", "null"),
            ("2024-13", "null"),
            ("10000-01-01", "null"),
            ("-0001-01-01", "null"),
            ("2024-+1-02", "null"),
            ("2024-02-03T04:05:06", "null"),
            ("", "null"),
        ] {
            assert_eq!(date_of(text), date, "{text}");
        }
    }

    #[test]
    fn a_time_may_lack_minutes_and_seconds() {
        for (text, time) in [
            ("04", "04:00:00.0"),
            ("4:5", "04:05:00.0"),
            (" 04:05:06 ", "04:05:06.0"),
            ("04:05:06.7899", "04:05:06.789"),
            ("24:00:00", "null"),
            ("23:59:60", "null"),
            ("3.99", "null"),
            ("", "null"),
        ] {
            assert_eq!(time_of(text), time, "{text}");
        }
    }

    #[test]
    fn a_timestamp_ends_with_its_month_and_may_be_at_twenty_four() {
        for (text, timestamp) in [
            ("2024-02-30", "2024-02-29 00:00:00.000"),
            ("2023-02-29", "2023-02-28 00:00:00.000"),
            ("2024-02-32", "null"),
            ("2024-2-3 4:5:6", "2024-02-03 04:05:06.000"),
            ("2024-02-03 04:05:06.7896", "2024-02-03 04:05:06.789"),
            ("2024-02-03 04:05:06.", "2024-02-03 04:05:06.000"),
            ("2024-02-03 24:00:00", "2024-02-04 00:00:00.000"),
            ("2024-02-03 04:05", "null"),
            ("2024-02-03 04:05:06.1234567891", "null"),
            ("2024-02-03T04:05:06", "null"),
            (" 2024-01-02 ", "null"),
            ("0000-01-01", "null"),
            ("99-01-01", "null"),
            ("1969-12-31 23:59:59.9999", "1969-12-31 23:59:59.999"),
        ] {
            assert_eq!(timestamp_of(text, 3), timestamp, "{text}");
        }
        assert_eq!(timestamp_of("9999-12-31 23:59:59.999999999", 9), "9999-12-31 23:59:59.999999999");
        assert_eq!(timestamp_of("2024-02-03 04:05:06.789", 0), "2024-02-03 04:05:06");
    }

    #[test]
    fn years_have_four_digits_and_perhaps_a_sign() {
        let mut out = String::new();
        write_date(&mut out, 2_932_897).unwrap();
        out.push(' ');
        write_date(&mut out, -719_163 - 366).unwrap();
        assert_eq!(out, "0000-01-01 -0001-12-31");
    }
}
