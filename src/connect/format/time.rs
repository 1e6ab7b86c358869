//! Dates and times as Java's formatters read and write them.
//!
//! Years beyond 9999 have a plus sign. Two of the formatters are strict; the others, as Java's
//! default is, take a day that its month lacks for the month's last, and 24:00 for the next day.

use std::fmt::Write as _;

use super::Output;
use crate::value::time::{Civil, MILLIS_PER_DAY, split_millis};
use crate::value::{TypeKind, Value};

/// How a timestamp is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::connect) enum Standard {
    /// `2024-02-29 12:34:56.789`
    Sql,
    /// `2024-02-29T12:34:56.789`
    Iso,
}

/// How the digits of a second are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::connect) enum Fraction {
    /// As many as there are.
    Shortest,
    /// Three, six or nine, or none.
    Groups,
    /// Like [`Self::Groups`], and whole minutes have no seconds.
    GroupsOrMinutes,
}

/// What the days of a month may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resolver {
    Strict,
    Smart,
}

/// The days from 1970 beyond which there are no timestamps.
const FARTHEST: u32 = 2_000_000_000;

/// A text that is read from the left.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take(&mut self, byte: u8) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        (*first == byte).then_some(())
    }

    fn starts_with(&self, byte: u8) -> bool {
        self.0.first() == Some(&byte)
    }

    /// A number of at least and at most so many digits.
    fn number(&mut self, least: usize, most: usize) -> Option<u32> {
        let digits = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if digits < least {
            return None;
        }
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        number
            .iter()
            .try_fold(0_u32, |number, digit| number.checked_mul(10)?.checked_add(u32::from(digit - b'0')))
    }

    /// A year of four digits, or of more with a sign.
    fn year(&mut self) -> Option<i32> {
        let sign = self.0.first().copied().filter(|byte| matches!(byte, b'+' | b'-'));
        if sign.is_some() {
            self.0 = &self.0[1..];
        }
        let before = self.0.len();
        let year = self.number(4, 10)?;
        let digits = before - self.0.len();
        let year = i32::try_from(year).ok()?;
        match sign {
            None => (digits == 4).then_some(year),
            Some(b'+') => (digits > 4).then_some(year),
            Some(_) => (year > 0).then_some(-year),
        }
    }

    /// The days since 1970-01-01; Java's last year is 999,999,999, but days have 32 bits.
    fn date(&mut self, resolver: Resolver) -> Option<i32> {
        let year = self.year().filter(|year| year.unsigned_abs() <= 999_999_999)?;
        self.take(b'-')?;
        let month = u8::try_from(self.number(2, 2)?).ok().filter(|month| (1..=12).contains(month))?;
        self.take(b'-')?;
        let day = u8::try_from(self.number(2, 2)?).ok().filter(|day| (1..=31).contains(day))?;
        let last = Civil::days_in_month(year, month);
        match resolver {
            Resolver::Strict if day > last => None,
            Resolver::Strict | Resolver::Smart => Some(Civil { year, month, day: day.min(last) }.to_days()),
        }
    }

    /// The milliseconds and the nanoseconds within the last one; 24:00 has those of a whole day.
    fn clock(&mut self, resolver: Resolver, optional_seconds: bool) -> Option<(i64, u32)> {
        let hour = self.number(2, 2)?;
        self.take(b':')?;
        let minute = self.number(2, 2)?;
        let (mut second, mut nanos) = (0, 0);
        if !optional_seconds || self.starts_with(b':') {
            self.take(b':')?;
            second = self.number(2, 2)?;
            if self.starts_with(b'.') {
                self.0 = &self.0[1..];
                let before = self.0.len();
                nanos = self.number(0, 9)?;
                let digits = before - self.0.len();
                nanos *= 10_u32.pow(9 - u32::try_from(digits).ok()?);
            }
        }
        let midnight = resolver == Resolver::Smart && hour == 24 && minute + second + nanos == 0;
        if minute > 59 || second > 59 || (hour > 23 && !midnight) {
            return None;
        }
        let seconds = (i64::from(hour) * 60 + i64::from(minute)) * 60 + i64::from(second);
        Some((seconds * 1000 + i64::from(nanos / 1_000_000), nanos % 1_000_000))
    }

    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// A date `2024-02-29`, in days since 1970-01-01.
pub(super) fn parse_date(text: &str) -> Option<i32> {
    let mut rest = Rest(text.as_bytes());
    let days = rest.date(Resolver::Strict)?;
    rest.end()?;
    Some(days)
}

/// A date as `java.sql.Date` reads it: a month and a day of one or two digits, and a day beyond the
/// month's last is one of the next month.
pub(super) fn parse_sql_date(text: &str) -> Option<i32> {
    let mut rest = Rest(text.as_bytes());
    let year = i32::try_from(rest.number(4, 4)?).ok()?;
    rest.take(b'-')?;
    let month = u8::try_from(rest.number(1, 2)?).ok().filter(|month| (1..=12).contains(month))?;
    rest.take(b'-')?;
    let day = rest.number(1, 2).filter(|day| (1..=31).contains(day))?;
    rest.end()?;
    let first = Civil { year, month, day: 1 }.to_days();
    Some(first + i32::try_from(day).ok()? - 1)
}

/// A time of day `12:34:56.789`, in milliseconds.
pub(super) fn parse_time(text: &str) -> Option<u32> {
    let mut rest = Rest(text.as_bytes());
    let (millis, _) = rest.clock(Resolver::Smart, false)?;
    rest.end()?;
    u32::try_from(millis % MILLIS_PER_DAY).ok()
}

/// A time of day as `LocalTime` reads it, without need for seconds, in milliseconds.
pub(super) fn parse_local_time(text: &str) -> Option<u32> {
    let mut rest = Rest(text.as_bytes());
    let (millis, _) = rest.clock(Resolver::Strict, true)?;
    rest.end()?;
    u32::try_from(millis).ok()
}

/// A `TIMESTAMP`, or a `TIMESTAMP_LTZ`, which ends in `Z`.
///
/// As in Flink, whose rows hold all digits of up to nine once the type has more than three, digits
/// beyond the precision are kept then.
pub(super) fn parse_timestamp(text: &str, kind: &TypeKind, standard: Standard) -> Option<Value> {
    let (precision, zoned) = match kind {
        TypeKind::TimestampLtz(precision) => (*precision, true),
        TypeKind::Timestamp(precision) => (*precision, false),
        _ => return None,
    };
    let iso = standard == Standard::Iso;
    let resolver = if iso && !zoned { Resolver::Strict } else { Resolver::Smart };
    let mut rest = Rest(text.as_bytes());
    let days = rest.date(resolver).filter(|days| days.unsigned_abs() < FARTHEST)?;
    match standard {
        Standard::Sql => rest.take(b' ')?,
        Standard::Iso if !zoned && rest.starts_with(b't') => rest.take(b't')?,
        Standard::Iso => rest.take(b'T')?,
    }
    let (millis, nanos) = rest.clock(resolver, iso)?;
    if zoned {
        rest.take(b'Z')?;
    }
    rest.end()?;
    let millis = i64::from(days) * MILLIS_PER_DAY + millis;
    Some(Value::timestamp(millis, if precision > 3 { nanos } else { 0 }))
}

/// Writes a date as `LocalDate` prints it.
pub(in crate::connect) fn write_date(out: &mut Output, days: i32) {
    let Civil { year, month, day } = Civil::from_days(days);
    match u32::try_from(year) {
        Ok(year @ ..=9999) => {
            write_pair(out, year / 100);
            write_pair(out, year % 100);
        }
        // Writing into memory cannot fail.
        Ok(year) => drop(write!(out, "+{year}")),
        Err(_) => drop(write!(out, "-{:04}", year.unsigned_abs())),
    }
    out.push('-');
    write_pair(out, month.into());
    out.push('-');
    write_pair(out, day.into());
}

/// Writes a number below 100 with two digits.
fn write_pair(out: &mut Output, number: u32) {
    let digit = |number: u32| char::from(b'0' + (number % 10) as u8);
    out.push(digit(number / 10));
    out.push(digit(number));
}

/// Writes a time of day, with the nanoseconds within its last millisecond.
pub(in crate::connect) fn write_clock(out: &mut Output, millis: u32, nanos: u32, fraction: Fraction) {
    let seconds = millis / 1000;
    let nanos = millis % 1000 * 1_000_000 + nanos;
    write_pair(out, seconds / 3600);
    out.push(':');
    write_pair(out, seconds / 60 % 60);
    if fraction == Fraction::GroupsOrMinutes && seconds.is_multiple_of(60) && nanos == 0 {
        return;
    }
    out.push(':');
    write_pair(out, seconds % 60);
    if nanos == 0 {
        return;
    }
    let digits = format!("{nanos:09}");
    let length = match fraction {
        Fraction::Shortest => digits.trim_end_matches('0').len(),
        Fraction::Groups | Fraction::GroupsOrMinutes => {
            digits.trim_end_matches('0').len().next_multiple_of(3)
        }
    };
    out.push('.');
    out.push_str(&digits[..length]);
}

/// Writes a timestamp; the separator stands between its date and its time.
pub(in crate::connect) fn write_timestamp(
    out: &mut Output,
    (millis, nanos): (i64, u32),
    separator: char,
    fraction: Fraction,
) {
    let (days, time) = split_millis(millis);
    write_date(out, days);
    out.push(separator);
    write_clock(out, time, nanos, fraction);
}
