//! `EXTRACT` and its short forms.
//!
//! As in Flink, parts of a day before 1970 are negative, and a timestamp before 1970 belongs to the
//! date towards 1970.

use super::super::call::Evaluated;
use super::super::parameter::{Typed, gives, mismatch};
use super::super::{Argument, Call, Category, EvalError, Function, TypeMismatch};
use super::{Unit, unit_of, wrong_unit, zone};
use crate::value::time::{Civil, MILLIS_PER_DAY};
use crate::value::{TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "EXTRACT",
        syntax: "EXTRACT(unit FROM time)",
        summary: "Gives a part of a date, time, timestamp or interval.",
        example: Some(("EXTRACT(DAY FROM DATE '2024-02-29')", "29")),
        typing: |args| {
            let [unit, time] = args else { return mismatch("takes (unit FROM time)") };
            extract_type(Unit::of_literal(unit)?, time, args)
        },
        eval: |call| extract(call, unit_of(&call.args[0]), 1),
        ..TEMPLATE
    },
    Function {
        name: "YEAR",
        syntax: "YEAR(date)",
        summary: "Gives the year.",
        example: Some(("YEAR(DATE '2024-02-29')", "2024")),
        typing: |args| part_type(args, Unit::Year),
        eval: |call| extract(call, Unit::Year, 0),
        ..TEMPLATE
    },
    Function {
        name: "QUARTER",
        syntax: "QUARTER(date)",
        summary: "Gives the quarter of the year, 1 to 4.",
        example: Some(("QUARTER(DATE '2024-05-17')", "2")),
        typing: |args| part_type(args, Unit::Quarter),
        eval: |call| extract(call, Unit::Quarter, 0),
        ..TEMPLATE
    },
    Function {
        name: "MONTH",
        syntax: "MONTH(date)",
        summary: "Gives the month, 1 to 12.",
        example: Some(("MONTH(DATE '2024-02-29')", "2")),
        typing: |args| part_type(args, Unit::Month),
        eval: |call| extract(call, Unit::Month, 0),
        ..TEMPLATE
    },
    Function {
        name: "WEEK",
        syntax: "WEEK(date)",
        summary: "Gives the ISO week of the year, 1 to 53.",
        example: Some(("WEEK(DATE '2024-12-30')", "1")),
        typing: |args| part_type(args, Unit::Week),
        eval: |call| extract(call, Unit::Week, 0),
        ..TEMPLATE
    },
    Function {
        name: "DAYOFYEAR",
        syntax: "DAYOFYEAR(date)",
        summary: "Gives the day of the year, 1 to 366.",
        example: Some(("DAYOFYEAR(DATE '2024-12-31')", "366")),
        typing: |args| part_type(args, Unit::DayOfYear),
        eval: |call| extract(call, Unit::DayOfYear, 0),
        ..TEMPLATE
    },
    Function {
        name: "DAYOFMONTH",
        syntax: "DAYOFMONTH(date)",
        summary: "Gives the day of the month, 1 to 31.",
        example: Some(("DAYOFMONTH(DATE '2024-02-29')", "29")),
        typing: |args| part_type(args, Unit::Day),
        eval: |call| extract(call, Unit::Day, 0),
        ..TEMPLATE
    },
    Function {
        name: "DAYOFWEEK",
        syntax: "DAYOFWEEK(date)",
        summary: "Gives the day of the week from Sunday, 1 to 7.",
        example: Some(("DAYOFWEEK(DATE '2024-01-06')", "7")),
        typing: |args| part_type(args, Unit::DayOfWeek),
        eval: |call| extract(call, Unit::DayOfWeek, 0),
        ..TEMPLATE
    },
    Function {
        name: "HOUR",
        syntax: "HOUR(time)",
        summary: "Gives the hour, 0 to 23.",
        example: Some(("HOUR(TIMESTAMP '2024-01-02 03:04:05')", "3")),
        typing: |args| part_type(args, Unit::Hour),
        eval: |call| extract(call, Unit::Hour, 0),
        ..TEMPLATE
    },
    Function {
        name: "MINUTE",
        syntax: "MINUTE(time)",
        summary: "Gives the minute, 0 to 59.",
        example: Some(("MINUTE(TIMESTAMP '2024-01-02 03:04:05')", "4")),
        typing: |args| part_type(args, Unit::Minute),
        eval: |call| extract(call, Unit::Minute, 0),
        ..TEMPLATE
    },
    Function {
        name: "SECOND",
        syntax: "SECOND(time)",
        summary: "Gives the second, 0 to 59.",
        example: Some(("SECOND(TIMESTAMP '2024-01-02 03:04:05')", "5")),
        typing: |args| part_type(args, Unit::Second),
        eval: |call| extract(call, Unit::Second, 0),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Temporal,
    typing: |args| part_type(args, Unit::Year),
    eval: |call| extract(call, Unit::Year, 0),
    strict: true,
    deterministic: true,
};

fn part_type(args: &[Argument<'_>], unit: Unit) -> Typed {
    match args {
        [time] => extract_type(unit, time, args),
        _ => mismatch("takes one date or time"),
    }
}

fn extract_type(unit: Unit, time: &Argument<'_>, args: &[Argument<'_>]) -> Typed {
    let kind = &time.data_type.kind;
    let of_day = matches!(unit, Unit::Millisecond | Unit::Second | Unit::Minute | Unit::Hour);
    let finer = matches!(unit, Unit::Nanosecond | Unit::Microsecond);
    let fits = match kind {
        TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => true,
        TypeKind::Date => !finer,
        TypeKind::Time(_) => of_day,
        TypeKind::IntervalSecond => of_day || unit == Unit::Day,
        TypeKind::IntervalMonth => unit.months().is_some() && unit != Unit::Decade,
        _ => return Err(TypeMismatch::new(format!("takes a date, time, timestamp or interval, not {kind}"))),
    };
    if fits { Ok(gives(args, TypeKind::BigInt)) } else { Err(wrong_unit(kind)) }
}

fn extract(call: &Call<'_>, unit: Unit, index: usize) -> Evaluated {
    let (value, kind) = (&call.args[index], &call.types[index].kind);
    let part = match kind {
        TypeKind::Date => {
            let days = i64::from(value.as_date().unwrap_or_default());
            of_date(days, unit).unwrap_or_else(|| of_millis(days, unit))
        }
        TypeKind::IntervalMonth => of_months(i64::from(value.as_months().unwrap_or_default()), unit),
        TypeKind::IntervalSecond => match (value.as_millis().unwrap_or_default(), unit) {
            (millis, Unit::Day) => millis / MILLIS_PER_DAY,
            (millis, _) => of_millis(millis, unit),
        },
        TypeKind::Time(_) => of_millis(i64::from(value.as_time().unwrap_or_default()), unit),
        _ => {
            let (millis, nanos) = value.as_timestamp().unwrap_or_default();
            let instant = matches!(kind, TypeKind::TimestampLtz(_));
            let offset = if instant { zone::offset_at(millis, &call.context.time_zone) } else { 0 };
            let millis = millis + offset;
            match unit {
                Unit::Nanosecond => millis % 1000 * 1_000_000 + i64::from(nanos),
                Unit::Microsecond => millis % 1000 * 1000 + i64::from(nanos / 1000),
                Unit::Epoch => millis / 1000,
                _ => of_date(millis / MILLIS_PER_DAY, unit).unwrap_or_else(|| of_millis(millis, unit)),
            }
        }
    };
    Ok::<_, EvalError>(Value::integer(part))
}

/// A part of a day; of a date Flink takes the days for milliseconds.
fn of_millis(millis: i64, unit: Unit) -> i64 {
    match unit {
        Unit::Hour => millis % MILLIS_PER_DAY / 3_600_000,
        Unit::Minute => millis % 3_600_000 / 60_000,
        Unit::Second => millis % 60_000 / 1000,
        _ => millis % 1000,
    }
}

fn of_months(months: i64, unit: Unit) -> i64 {
    match unit {
        Unit::Month => months % 12,
        Unit::Quarter => (months % 12 - 1) / 3 + 1,
        _ => months / unit.months().unwrap_or(12),
    }
}

/// A part of a date, or `None` if the unit is shorter than a day.
fn of_date(days: i64, unit: Unit) -> Option<i64> {
    let days = i32::try_from(days).unwrap_or(if days < 0 { i32::MIN } else { i32::MAX });
    let date = Civil::from_days(days);
    let year = i64::from(date.year);
    let up = |length: i64| if year > 0 { (year + length - 1) / length } else { (year - length + 1) / length };
    Some(match unit {
        Unit::Day => i64::from(date.day),
        Unit::Month => i64::from(date.month),
        Unit::Quarter => i64::from(date.month + 2) / 3,
        Unit::Year => year,
        Unit::Decade => year / 10,
        Unit::Century => up(100),
        Unit::Millennium => up(1000),
        Unit::DayOfWeek => i64::from(iso_day_of_week(days) % 7 + 1),
        Unit::IsoDayOfWeek => i64::from(iso_day_of_week(days)),
        Unit::DayOfYear => i64::from(day_of_year(days)),
        Unit::Week => i64::from(iso_week(days).1),
        Unit::IsoYear => i64::from(iso_week(days).0),
        Unit::Epoch => i64::from(days) * 86_400,
        Unit::Nanosecond
        | Unit::Microsecond
        | Unit::Millisecond
        | Unit::Second
        | Unit::Minute
        | Unit::Hour => return None,
    })
}

/// The day of the week from Monday, 1 to 7.
pub(super) fn iso_day_of_week(days: i32) -> i32 {
    // 1970-01-01 was a Thursday.
    (days.rem_euclid(7) + 3) % 7 + 1
}

/// The day of the year, from 1.
pub(super) fn day_of_year(days: i32) -> i32 {
    let year = Civil::from_days(days).year;
    days - Civil { year, month: 1, day: 1 }.to_days() + 1
}

/// The year and the number of the ISO week: the week belongs to the year that has its Thursday.
fn iso_week(days: i32) -> (i32, i32) {
    let thursday = days - iso_day_of_week(days) + 4;
    (Civil::from_days(thursday).year, (day_of_year(thursday) - 1) / 7 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_weeks_belong_to_the_year_of_their_thursday() {
        let week = |year, month, day| iso_week(Civil { year, month, day }.to_days());
        assert_eq!(week(2023, 1, 1), (2022, 52));
        assert_eq!(week(2024, 12, 30), (2025, 1));
        assert_eq!(week(2020, 12, 31), (2020, 53));
        assert_eq!(week(1969, 12, 28), (1969, 52));
    }

    #[test]
    fn centuries_begin_with_their_first_year() {
        let century = |year| of_date(i64::from(Civil { year, month: 6, day: 1 }.to_days()), Unit::Century);
        assert_eq!([century(2000), century(2001), century(1)], [Some(20), Some(21), Some(1)]);
    }
}
