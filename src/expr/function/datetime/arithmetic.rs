//! Adding to and subtracting times.

use std::cmp::Ordering;

use super::super::call::Evaluated;
use super::super::parameter::{Parameter::Integer, Typed, check, gives, mismatch};
use super::super::{Argument, Call, Category, Function, TypeMismatch};
use super::{Unit, unit_of, wrong_unit};
use crate::value::time::Civil;
use crate::value::time::{MILLIS_PER_DAY, MILLIS_PER_SECOND, add_months, add_months_to_millis, split_millis};
use crate::value::{TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "TIMESTAMPADD",
        syntax: "TIMESTAMPADD(unit, number, time)",
        summary: "Adds so many units to a date, time or timestamp.",
        example: Some(("TIMESTAMPADD(WEEK, 1, DATE '2024-01-01')", "2024-01-08")),
        typing: add_type,
        eval: |call| {
            let (unit, number) = (unit_of(&call.args[0]), call.integer(1));
            Ok(add(&call.args[2], &call.types[2].kind, unit, number))
        },
        ..TEMPLATE
    },
    Function {
        name: "TIMESTAMPDIFF",
        syntax: "TIMESTAMPDIFF(unit, start, end)",
        summary: "Gives the number of whole units between two dates or times.",
        example: Some(("TIMESTAMPDIFF(DAY, DATE '2024-01-01', DATE '2024-03-01')", "60")),
        typing: difference_type,
        eval: difference,
        ..TEMPLATE
    },
    Function {
        name: "OVERLAPS",
        syntax: "(start, end or interval) OVERLAPS (start, end or interval)",
        summary: "Whether two periods have a point in time in common; their ends belong to them.",
        example: Some((
            "(TIME '2:55:00', INTERVAL '1' HOUR) OVERLAPS (TIME '3:30:00', INTERVAL '2' HOUR)",
            "TRUE",
        )),
        typing: overlaps_type,
        eval: overlaps,
        strict: false,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Temporal,
    typing: add_type,
    eval: difference,
    strict: true,
    deterministic: true,
};

fn datetime_kind<'a>(arg: &Argument<'a>) -> Result<&'a TypeKind, TypeMismatch> {
    let kind = &arg.data_type.kind;
    if kind.is_datetime() {
        Ok(kind)
    } else {
        Err(TypeMismatch::new(format!("takes a date, time or timestamp, not {kind}")))
    }
}

/// A date to which less than a day is added becomes a timestamp.
fn add_type(args: &[Argument<'_>]) -> Typed {
    let [unit, number, time] = args else { return mismatch("takes (unit, number, time)") };
    let (unit, kind) = (Unit::of_literal(unit)?, datetime_kind(time)?);
    check(&[*number], &[&[Integer]])?;
    let fits = match unit {
        Unit::Millisecond => kind.is_timestamp(),
        _ => unit.millis().is_some() || unit.months().is_some(),
    };
    if !fits {
        return Err(wrong_unit(kind));
    }
    let part_of_day = matches!(unit, Unit::Second | Unit::Minute | Unit::Hour);
    let result = if *kind == TypeKind::Date && part_of_day { TypeKind::Timestamp(6) } else { kind.clone() };
    Ok(gives(args, result))
}

/// A time so many units later. A time of day begins anew after midnight, and knows no longer units.
fn add(time: &Value, kind: &TypeKind, unit: Unit, number: i64) -> Value {
    if let Some(months) = unit.months() {
        let months = number.saturating_mul(months);
        let months = i32::try_from(months).unwrap_or(if months < 0 { i32::MIN } else { i32::MAX });
        return add_interval(time, kind, &Value::months(months));
    }
    let millis = number.saturating_mul(unit.millis().unwrap_or(1));
    let whole_days = matches!(unit, Unit::Day | Unit::Week) && millis % MILLIS_PER_DAY == 0;
    if *kind == TypeKind::Date && !whole_days {
        let days = i64::from(time.as_date().unwrap_or_default());
        return Value::timestamp((days * MILLIS_PER_DAY).saturating_add(millis), 0);
    }
    add_interval(time, kind, &Value::millis(millis))
}

/// A time of its own kind, an interval later.
fn add_interval(time: &Value, kind: &TypeKind, interval: &Value) -> Value {
    let (months, millis) = (interval.as_months(), interval.as_millis().unwrap_or(0));
    match kind {
        TypeKind::Date => {
            let days = time.as_date().unwrap_or_default();
            if let Some(months) = months {
                return Value::date(add_months(days, months));
            }
            let days = i64::from(days).saturating_add(millis / MILLIS_PER_DAY);
            Value::date(i32::try_from(days).unwrap_or(if days < 0 { i32::MIN } else { i32::MAX }))
        }
        TypeKind::Time(_) => {
            let later = i64::from(time.as_time().unwrap_or_default()).saturating_add(millis);
            Value::time(u32::try_from(later.rem_euclid(MILLIS_PER_DAY)).unwrap_or(0))
        }
        _ => {
            let (start, nanos) = time.as_timestamp().unwrap_or_default();
            let later = match months {
                Some(months) => add_months_to_millis(start, months),
                None => start.saturating_add(millis),
            };
            Value::timestamp(later, nanos)
        }
    }
}

/// Instants can only be subtracted from instants, times of day from times of day.
fn difference_type(args: &[Argument<'_>]) -> Typed {
    let [unit, start, end] = args else { return mismatch("takes (unit, start, end)") };
    let (unit, start, end) = (Unit::of_literal(unit)?, datetime_kind(start)?, datetime_kind(end)?);
    let family = |kind: &TypeKind| match kind {
        TypeKind::Time(_) => 0,
        TypeKind::TimestampLtz(_) => 1,
        _ => 2,
    };
    if family(start) != family(end) {
        return mismatch(format!("{start} and {end} cannot be subtracted"));
    }
    let finer = matches!(unit, Unit::Nanosecond | Unit::Microsecond);
    if !finer && unit.millis().is_none() && unit.months().is_none() {
        return Err(wrong_unit(start));
    }
    Ok(gives(args, if unit == Unit::Nanosecond { TypeKind::BigInt } else { TypeKind::Int }))
}

/// As in Flink the number is cut to 32 bits, units below a second count whole seconds, weeks are
/// counted from seconds that have been cut already, and decades count years.
fn difference(call: &Call<'_>) -> Evaluated {
    #[expect(clippy::cast_possible_truncation, reason = "Java keeps the lower 32 bits")]
    let cut = |number: i64| i64::from(number as i32);
    let unit = unit_of(&call.args[0]);
    let (start, end) = (as_millis(&call.args[1]), as_millis(&call.args[2]));
    let millis = end.wrapping_sub(start);
    let seconds = millis / MILLIS_PER_SECOND;
    Ok(Value::integer(match (unit, unit.months()) {
        (Unit::Nanosecond, _) => seconds.wrapping_mul(1_000_000_000),
        (Unit::Microsecond, _) => cut(seconds.wrapping_mul(1_000_000)),
        (Unit::Millisecond, _) => cut(seconds.wrapping_mul(1000)),
        (Unit::Week, _) => cut(seconds) / (7 * 86_400),
        (Unit::Decade, _) => months_between(start, end) / 12,
        (_, Some(months)) => months_between(start, end) / months,
        (_, None) => cut(millis / unit.millis().unwrap_or(1)),
    }))
}

/// The time in milliseconds; nanoseconds do not count.
fn as_millis(time: &Value) -> i64 {
    let days = time.as_date().map(|days| i64::from(days) * MILLIS_PER_DAY);
    let of_day = || time.as_time().map(i64::from);
    days.or_else(of_day).or_else(|| time.as_timestamp().map(|(millis, _)| millis)).unwrap_or_default()
}

/// The whole months from one time to another. As in Flink they are counted between the dates;
/// where that reaches the end's date exactly, an earlier time of day there makes it one month less,
/// forwards and backwards.
fn months_between(start: i64, end: i64) -> i64 {
    let ((start_date, start_time), (end_date, end_time)) = (split_millis(start), split_millis(end));
    let months = if end_date < start_date {
        -months_between_dates(end_date, start_date)
    } else {
        months_between_dates(start_date, end_date)
    };
    let reached = add_months(start_date, months) == end_date;
    i64::from(if reached && end_time < start_time { months - 1 } else { months })
}

fn months_between_dates(start: i32, end: i32) -> i32 {
    let (a, b) = (Civil::from_days(start), Civil::from_days(end));
    let months = (b.year - a.year) * 12 + i32::from(b.month) - i32::from(a.month);
    if add_months(start, months) <= end { months } else { months - 1 }
}

/// The two ends of a period have one type, the second may be an interval instead; and so have the
/// beginnings of both periods.
fn overlaps_type(args: &[Argument<'_>]) -> Typed {
    let [a, b, c, d] = args else { return mismatch("takes two periods") };
    let same = |x: &TypeKind, y: &TypeKind| std::mem::discriminant(x) == std::mem::discriminant(y);
    let first = datetime_kind(a)?;
    let ends = [b, d].into_iter().all(|end| {
        let kind = &end.data_type.kind;
        same(first, kind) || kind.is_interval()
    });
    if same(first, &c.data_type.kind) && ends {
        Ok(gives(args, TypeKind::Boolean))
    } else {
        mismatch("takes two periods of one type")
    }
}

fn overlaps(call: &Call<'_>) -> Evaluated {
    let period = |index: usize| {
        let (start, end, kind) = (&call.args[index], &call.args[index + 1], &call.types[index].kind);
        let end = if call.types[index + 1].kind.is_interval() && !start.is_null() && !end.is_null() {
            add_interval(start, kind, end)
        } else {
            end.clone()
        };
        // Only a known order of the ends keeps them; otherwise they change places.
        match compare(start, &end) {
            Some(Ordering::Less | Ordering::Equal) => (start.clone(), end),
            _ => (end, start.clone()),
        }
    };
    let ((start, end), (other_start, other_end)) = (period(0), period(2));
    let not_before = |a: &Value, b: &Value| compare(a, b).map(Ordering::is_ge);
    Ok(match (not_before(&end, &other_start), not_before(&other_end, &start)) {
        (Some(false), _) | (_, Some(false)) => Value::boolean(false),
        (Some(true), Some(true)) => Value::boolean(true),
        _ => Value::NULL,
    })
}

fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    if a.is_null() || b.is_null() { None } else { Some(a.cmp(b)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::time::parse_timestamp;

    #[test]
    fn months_are_counted_by_date_and_then_by_time_of_day() {
        let months = |start: &str, end: &str| {
            let millis = |text| parse_timestamp(text, 3).unwrap().0;
            months_between(millis(start), millis(end))
        };
        assert_eq!(months("2024-01-31", "2024-02-29"), 1);
        assert_eq!(months("2024-01-31", "2024-02-28"), 0);
        assert_eq!(months("2024-01-31 12:00:00", "2024-02-29 11:00:00"), 0);
        assert_eq!(months("1969-12-31", "2000-12-31 23:59:59"), 372);
        assert_eq!(months("2000-12-31 23:59:59", "1969-12-31"), -373);
        assert_eq!(months("2024-03-31", "2024-02-29"), -1);
    }
}
