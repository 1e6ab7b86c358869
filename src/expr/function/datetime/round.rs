//! Rounding of dates and times down and up to a unit.

use super::super::call::Evaluated;
use super::super::parameter::{Typed, gives, mismatch};
use super::super::{Argument, Call, TypeMismatch};
use super::{Unit, unit_of, wrong_unit, zone};
use crate::value::time::{Civil, MILLIS_PER_DAY};
use crate::value::{TypeKind, Value};

/// The type of `FLOOR(time TO unit)` or `CEIL(time TO unit)`, which is that of the time.
pub(in crate::expr::function) fn round_type(args: &[Argument<'_>]) -> Typed {
    let [time, unit] = args else { return mismatch("takes (number) or (time TO unit)") };
    let (kind, unit) = (&time.data_type.kind, Unit::of_literal(unit)?);
    let too_fine = matches!(unit, Unit::Nanosecond | Unit::Microsecond);
    let fits = match kind {
        TypeKind::Date => true,
        TypeKind::Time(_) | TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => !too_fine,
        _ => return Err(TypeMismatch::new(format!("takes a date, time or timestamp, not {kind}"))),
    };
    let calendar = unit.millis().is_some() || unit.months().is_some() || too_fine;
    if fits && calendar { Ok(gives(args, kind.clone())) } else { Err(wrong_unit(kind)) }
}

/// The time rounded down or up to a unit.
pub(in crate::expr::function) fn round(call: &Call<'_>, up: bool) -> Evaluated {
    let (value, unit) = (&call.args[0], unit_of(&call.args[1]));
    Ok(match call.types[0].kind {
        TypeKind::Date => {
            let days = value.as_date().unwrap_or_default();
            Value::date(match unit {
                // As in Flink, rounding a date up to a day gives the next one.
                Unit::Day if up => days + 1,
                Unit::Week | Unit::Month => round_days(days, unit, up),
                _ if unit.months().is_some() => round_days(days, unit, up),
                _ => days,
            })
        }
        TypeKind::Time(_) => {
            let millis = i64::from(value.as_time().unwrap_or_default());
            Value::time(u32::try_from(round_time(millis, unit, up)).unwrap_or(0))
        }
        TypeKind::TimestampLtz(_) => {
            let (millis, _) = value.as_timestamp().unwrap_or_default();
            let offset = zone::offset_at(millis, &call.context.time_zone);
            Value::timestamp(round_millis(millis + offset, unit, up) - offset, 0)
        }
        _ => {
            let (millis, nanos) = value.as_timestamp().unwrap_or_default();
            let next = up && unit == Unit::Millisecond && nanos > 0;
            Value::timestamp(round_millis(millis, unit, up) + i64::from(next), 0)
        }
    })
}

/// As in Flink the milliseconds of a time of day are taken for days if the unit is longer than a
/// day.
fn round_time(millis: i64, unit: Unit, up: bool) -> i64 {
    match unit.millis() {
        Some(MILLIS_PER_DAY) => millis,
        Some(length) if length < MILLIS_PER_DAY => round_to(millis, length, up),
        _ => {
            let days = i32::try_from(millis).unwrap_or(0);
            let rounded = i64::from(round_days(days, unit, up));
            if rounded < 0 { rounded.rem_euclid(MILLIS_PER_DAY) } else { rounded }
        }
    }
}

/// As in Flink a timestamp is rounded to weeks and whole months by its date alone, and before 1970
/// that is the date towards 1970.
fn round_millis(millis: i64, unit: Unit, up: bool) -> i64 {
    match unit.millis() {
        Some(length) if length <= MILLIS_PER_DAY => round_to(millis, length, up),
        _ => {
            let days = i32::try_from(millis / MILLIS_PER_DAY).unwrap_or(i32::MAX);
            i64::from(round_days(days, unit, up)) * MILLIS_PER_DAY
        }
    }
}

fn round_to(value: i64, length: i64, up: bool) -> i64 {
    let down = value.div_euclid(length) * length;
    if up && down < value { down + length } else { down }
}

/// A date rounded to a week, which begins on Sunday, or to whole months. As in Flink, rounding up
/// to decades and longer units always goes to the next one.
fn round_days(days: i32, unit: Unit, up: bool) -> i32 {
    if unit == Unit::Week {
        let down = days - (days + 4).rem_euclid(7);
        return if up && down < days { down + 7 } else { down };
    }
    let date = Civil::from_days(days);
    let start_of = |length: i32| (date.year - 1).div_euclid(length) * length + 1;
    let (year, month, months) = match unit {
        Unit::Month => (date.year, date.month, 1),
        Unit::Quarter => (date.year, (date.month - 1) / 3 * 3 + 1, 3),
        Unit::Year => (date.year, 1, 12),
        Unit::Decade => (date.year.div_euclid(10) * 10, 1, 120),
        Unit::Century => (start_of(100), 1, 1_200),
        _ => (start_of(1000), 1, 12_000),
    };
    let down = Civil { year, month, day: 1 }.to_days();
    let at_start = down == days && months <= 12;
    if up && !at_start { crate::value::time::add_months(down, months) } else { down }
}
