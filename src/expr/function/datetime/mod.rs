//! Functions on dates, times, timestamps and intervals.
//!
//! A unit such as `HOUR`, which SQL writes as a word, is a text literal here: `EXTRACT('HOUR', x)`
//! stands for `EXTRACT(HOUR FROM x)`, `FLOOR(x, 'HOUR')` for `FLOOR(x TO HOUR)`, and the unit is
//! the first argument of `TIMESTAMPADD` and `TIMESTAMPDIFF`.

pub(super) mod arithmetic;
pub(super) mod extract;
mod formatter;
mod names;
pub(super) mod round;
mod simple;
pub(super) mod text;
pub(super) mod watermark;
mod zone;

use super::{Argument, TypeMismatch};
use crate::value::time::{MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE, MILLIS_PER_SECOND};
use crate::value::{TypeKind, Value};

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Nanosecond,
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
    Millennium,
    /// Day of the week from Sunday, 1 to 7.
    DayOfWeek,
    /// Day of the week from Monday, 1 to 7.
    IsoDayOfWeek,
    /// Day of the year.
    DayOfYear,
    /// The year to which the ISO week belongs.
    IsoYear,
    /// Seconds since 1970.
    Epoch,
}

impl Unit {
    /// The unit with this name in SQL, in any case.
    pub(super) fn find(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        Some(match name.strip_prefix("SQL_TSI_").unwrap_or(&name) {
            "NANOSECOND" => Self::Nanosecond,
            "MICROSECOND" => Self::Microsecond,
            "MILLISECOND" => Self::Millisecond,
            "SECOND" => Self::Second,
            "MINUTE" => Self::Minute,
            "HOUR" => Self::Hour,
            "DAY" => Self::Day,
            "WEEK" => Self::Week,
            "MONTH" => Self::Month,
            "QUARTER" => Self::Quarter,
            "YEAR" => Self::Year,
            "DECADE" => Self::Decade,
            "CENTURY" => Self::Century,
            "MILLENNIUM" => Self::Millennium,
            "DOW" => Self::DayOfWeek,
            "ISODOW" => Self::IsoDayOfWeek,
            "DOY" => Self::DayOfYear,
            "ISOYEAR" => Self::IsoYear,
            "EPOCH" => Self::Epoch,
            _ => return None,
        })
    }

    /// The unit that a literal argument names.
    pub(super) fn of_literal(arg: &Argument<'_>) -> Result<Self, TypeMismatch> {
        let name = arg.literal.and_then(Value::as_str);
        let name = name.ok_or_else(|| TypeMismatch::new("takes a unit of time such as DAY"))?;
        Self::find(name).ok_or_else(|| TypeMismatch::new(format!("{name} is no unit of time")))
    }

    /// The milliseconds of a unit of fixed length, from the millisecond on.
    fn millis(self) -> Option<i64> {
        match self {
            Self::Millisecond => Some(1),
            Self::Second => Some(MILLIS_PER_SECOND),
            Self::Minute => Some(MILLIS_PER_MINUTE),
            Self::Hour => Some(MILLIS_PER_HOUR),
            Self::Day => Some(MILLIS_PER_DAY),
            Self::Week => Some(7 * MILLIS_PER_DAY),
            _ => None,
        }
    }

    /// The months of a unit of whole months.
    fn months(self) -> Option<i64> {
        match self {
            Self::Month => Some(1),
            Self::Quarter => Some(3),
            Self::Year => Some(12),
            Self::Decade => Some(120),
            Self::Century => Some(1_200),
            Self::Millennium => Some(12_000),
            _ => None,
        }
    }
}

/// A unit that does not go with a type.
fn wrong_unit(kind: &TypeKind) -> TypeMismatch {
    TypeMismatch::new(format!("the unit does not apply to {kind}"))
}

/// The unit of an argument that typing has checked.
pub(super) fn unit_of(value: &Value) -> Unit {
    value.as_str().and_then(Unit::find).expect("typing lets only units through")
}
