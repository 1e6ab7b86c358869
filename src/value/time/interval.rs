//! Interval literals and the text of intervals.

use std::fmt;

use super::{MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE, MILLIS_PER_SECOND};
use crate::value::Value;

/// A field of an interval, from the largest to the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntervalUnit {
    /// `YEAR`, 12 months.
    Year,
    /// `QUARTER`, 3 months.
    Quarter,
    /// `MONTH`
    Month,
    /// `WEEK`, 7 days.
    Week,
    /// `DAY`
    Day,
    /// `HOUR`
    Hour,
    /// `MINUTE`
    Minute,
    /// `SECOND`, with a fraction.
    Second,
}

/// Why text is no interval of its units, as a phrase.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAnInterval(pub String);

impl IntervalUnit {
    const ALL: [Self; 8] = [
        Self::Year,
        Self::Quarter,
        Self::Month,
        Self::Week,
        Self::Day,
        Self::Hour,
        Self::Minute,
        Self::Second,
    ];

    /// The name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Year => "YEAR",
            Self::Quarter => "QUARTER",
            Self::Month => "MONTH",
            Self::Week => "WEEK",
            Self::Day => "DAY",
            Self::Hour => "HOUR",
            Self::Minute => "MINUTE",
            Self::Second => "SECOND",
        }
    }

    /// The unit with this name, in any case, also in the plural.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        let name = name.strip_suffix('S').unwrap_or(&name);
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// Whether the unit counts months; the others count milliseconds.
    pub fn is_months(self) -> bool {
        matches!(self, Self::Year | Self::Quarter | Self::Month)
    }

    /// Months or milliseconds in one unit.
    fn size(self) -> i64 {
        match self {
            Self::Year => 12,
            Self::Quarter => 3,
            Self::Month => 1,
            Self::Week => 7 * MILLIS_PER_DAY,
            Self::Day => MILLIS_PER_DAY,
            Self::Hour => MILLIS_PER_HOUR,
            Self::Minute => MILLIS_PER_MINUTE,
            Self::Second => MILLIS_PER_SECOND,
        }
    }

    /// The unit that follows within a range such as `DAY TO SECOND`, and the sign between them.
    fn next(self) -> Option<(Self, char)> {
        match self {
            Self::Year => Some((Self::Month, '-')),
            Self::Day => Some((Self::Hour, ' ')),
            Self::Hour => Some((Self::Minute, ':')),
            Self::Minute => Some((Self::Second, ':')),
            Self::Quarter | Self::Month | Self::Week | Self::Second => None,
        }
    }

    /// How many of this unit the next larger one has; the first field of a range has no bound.
    fn bound(self) -> i64 {
        match self {
            Self::Month => 12,
            Self::Hour => 24,
            _ => 60,
        }
    }
}

/// Reads an interval literal such as `'1 02:03:04.5'` `DAY TO SECOND`, from the unit `first` to
/// the unit `last`, which are the same for one unit. The first field has at most `precision`
/// digits (2 where SQL gives none).
///
/// # Errors
/// The text does not have the form of the units, or a field is too large.
pub fn parse_interval(
    text: &str,
    first: IntervalUnit,
    last: IntervalUnit,
    precision: u8,
) -> Result<Value, NotAnInterval> {
    let wrong = || {
        let range = if first == last { String::new() } else { format!(" TO {}", last.name()) };
        NotAnInterval(format!("'{text}' is not an interval of {}{range}", first.name()))
    };
    let trimmed = text.trim();
    let (negative, mut rest) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let mut total: i64 = 0;
    let mut unit = first;
    loop {
        let (field, following) = if unit == last {
            (rest, None)
        } else {
            let (next, sign) = unit.next().ok_or_else(wrong)?;
            let (field, rest) = rest.split_once(sign).ok_or_else(wrong)?;
            (field, Some((next, rest)))
        };
        let (whole, fraction) = match field.split_once('.') {
            Some((whole, fraction)) if unit == IntervalUnit::Second => {
                (whole, read_millis(fraction).ok_or_else(wrong)?)
            }
            _ => (field, 0),
        };
        if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let value: i64 = whole.parse().map_err(|_| wrong())?;
        if unit == first {
            if value >= 10_i64.pow(u32::from(precision.min(10))) {
                let name = unit.name();
                let hint = format!("the interval field {value} has more digits than {name}({precision})");
                return Err(NotAnInterval(hint));
            }
        } else if value >= unit.bound() {
            return Err(wrong());
        }
        total += value * unit.size() + fraction;
        match following {
            None => break,
            Some((next, following)) => (unit, rest) = (next, following),
        }
    }
    let total = if negative { -total } else { total };
    if first.is_months() {
        i32::try_from(total).map(Value::months).map_err(|_| wrong())
    } else {
        Ok(Value::millis(total))
    }
}

/// Up to six digits after the point, as milliseconds.
fn read_millis(text: &str) -> Option<i64> {
    let valid = !text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| format!("{text:0<3}")[..3].parse().ok()).flatten()
}

/// Writes an `INTERVAL YEAR TO MONTH`: `+1-02` for 14 months.
pub fn write_interval_months(out: &mut impl fmt::Write, months: i32) -> fmt::Result {
    let sign = if months < 0 { '-' } else { '+' };
    let months = months.unsigned_abs();
    write!(out, "{sign}{}-{:02}", months / 12, months % 12)
}

/// Writes an `INTERVAL DAY TO SECOND`: `+1 02:03:04.500`.
pub fn write_interval_millis(out: &mut impl fmt::Write, millis: i64) -> fmt::Result {
    let sign = if millis < 0 { '-' } else { '+' };
    let millis = millis.unsigned_abs();
    let part = |unit: i64| millis / unit.unsigned_abs();
    let (days, hours, minutes) =
        (part(MILLIS_PER_DAY), part(MILLIS_PER_HOUR) % 24, part(MILLIS_PER_MINUTE) % 60);
    let (seconds, fraction) = (part(MILLIS_PER_SECOND) % 60, millis % 1000);
    write!(out, "{sign}{days} {hours:02}:{minutes:02}:{seconds:02}.{fraction:03}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use IntervalUnit::{Day, Hour, Minute, Month, Second, Week, Year};

    fn shown(text: &str, first: IntervalUnit, last: IntervalUnit) -> String {
        let mut out = String::new();
        match parse_interval(text, first, last, 2) {
            Ok(value) => match value.as_months() {
                Some(months) => write_interval_months(&mut out, months).unwrap(),
                None => write_interval_millis(&mut out, value.as_millis().unwrap()).unwrap(),
            },
            Err(error) => out = error.to_string(),
        }
        out
    }

    #[test]
    fn intervals_are_written_with_all_their_fields() {
        assert_eq!(shown("1", Day, Day), "+1 00:00:00.000");
        assert_eq!(shown("-1 02:03:04.567", Day, Second), "-1 02:03:04.567");
        assert_eq!(shown("90", Minute, Minute), "+0 01:30:00.000");
        assert_eq!(shown("25:00", Hour, Minute), "+1 01:00:00.000");
        assert_eq!(shown("1.5", Second, Second), "+0 00:00:01.500");
        assert_eq!(shown("2", Week, Week), "+14 00:00:00.000");
        assert_eq!(shown("1-2", Year, Month), "+1-02");
        assert_eq!(shown("-15", Month, Month), "-1-03");
    }

    #[test]
    fn a_literal_must_have_the_form_of_its_units() {
        assert_eq!(shown("1-12", Year, Month), "'1-12' is not an interval of YEAR TO MONTH");
        assert_eq!(shown("1 2", Day, Day), "'1 2' is not an interval of DAY");
        assert_eq!(shown("1 25:00:00", Day, Second), "'1 25:00:00' is not an interval of DAY TO SECOND");
        assert_eq!(shown("1.123456789", Second, Second), "'1.123456789' is not an interval of SECOND");
        assert_eq!(shown("100", Hour, Hour), "the interval field 100 has more digits than HOUR(2)");
    }
}
