//! Writing a local date and time in a pattern.

use std::fmt::Write;

use super::super::extract::{day_of_year, iso_day_of_week};
use super::super::names::{ERAS, HALVES, MONTHS, QUARTERS, WEEKDAYS, day_period, short};
use super::{Element, Field, Formatter, LocalDateTime, Number, Sign, Style};
use crate::value::time::Civil;

/// The pattern asks for a zone, which a local time lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct NoZone;

impl Formatter {
    /// Writes the time.
    ///
    /// # Errors
    /// The pattern asks for a zone.
    pub(in super::super) fn write(&self, time: LocalDateTime) -> Result<String, NoZone> {
        let mut out = String::new();
        write_all(&mut out, &self.elements, time)?;
        Ok(out)
    }
}

fn write_all(out: &mut String, elements: &[Element], time: LocalDateTime) -> Result<(), NoZone> {
    elements.iter().try_for_each(|element| write_element(out, element, time))
}

fn write_element(out: &mut String, element: &Element, time: LocalDateTime) -> Result<(), NoZone> {
    match element {
        Element::Literal(text) => out.push_str(text),
        Element::Number(number) => write_number(out, number, time.get(number.field)),
        Element::TwoDigits(field, _) => {
            let _ = write!(out, "{:02}", time.get(*field).rem_euclid(100));
        }
        Element::Name(field, style) => out.push_str(&name(*field, *style, time.get(*field))),
        Element::Fraction(digits) => {
            let nanos = format!("{:09}", time.get(Field::NanoOfSecond));
            out.push_str(&nanos[..*digits]);
        }
        Element::DayPeriod => {
            let part = |field| u32::try_from(time.get(field)).unwrap_or(0);
            out.push_str(day_period(part(Field::Hour), part(Field::Minute)));
        }
        Element::Zone(..) => return Err(NoZone),
        Element::Optional(elements) => {
            let length = out.len();
            if write_all(out, elements, time).is_err() {
                out.truncate(length);
            }
        }
        Element::Padded(width, element) => {
            let mut text = String::new();
            write_element(&mut text, element, time)?;
            let blanks = width.saturating_sub(text.chars().count());
            out.extend(std::iter::repeat_n(' ', blanks));
            out.push_str(&text);
        }
    }
    Ok(())
}

fn write_number(out: &mut String, number: &Number, value: i64) {
    let digits = value.unsigned_abs().to_string();
    if value < 0 {
        out.push('-');
    } else if number.sign == Sign::ExceedsPad && digits.len() > number.width.0 {
        out.push('+');
    }
    out.extend(std::iter::repeat_n('0', number.width.0.saturating_sub(digits.len())));
    out.push_str(&digits);
}

/// The name of the value of a field.
pub(super) fn name(field: Field, style: Style, value: i64) -> String {
    let item = |names: &'static [&'static str], index: i64| {
        usize::try_from(index).ok().and_then(|index| names.get(index)).copied().unwrap_or("")
    };
    let styled = |name: &'static str| match style {
        Style::Short => short(name),
        Style::Full => name,
        Style::Narrow => &name[..1],
    };
    match field {
        Field::Month => styled(item(&MONTHS, value - 1)).to_owned(),
        // The numbers begin with Sunday.
        Field::DayOfWeek => styled(item(&WEEKDAYS, (value + 5) % 7)).to_owned(),
        Field::Half => item(&HALVES, value).to_owned(),
        Field::Quarter => match style {
            Style::Short => format!("Q{value}"),
            Style::Full => item(&QUARTERS, value - 1).to_owned(),
            Style::Narrow => value.to_string(),
        },
        Field::Era => {
            let (short, long) = ERAS[usize::from(value > 0)];
            match style {
                Style::Short => short.to_owned(),
                Style::Full => long.to_owned(),
                Style::Narrow => short[..1].to_owned(),
            }
        }
        _ => value.to_string(),
    }
}

impl LocalDateTime {
    /// The value of a field.
    pub(super) fn get(self, field: Field) -> i64 {
        const SECOND: i64 = 1_000_000_000;
        let date = Civil::from_days(self.days);
        let (hour, minute) = (self.nanos / (3600 * SECOND), self.nanos / (60 * SECOND) % 60);
        let one_to = |value: i64, most: i64| if value == 0 { most } else { value };
        match field {
            Field::Era => i64::from(date.year > 0),
            Field::Year => i64::from(date.year),
            Field::YearOfEra => i64::from(if date.year > 0 { date.year } else { 1 - date.year }),
            Field::Quarter => i64::from((date.month - 1) / 3 + 1),
            Field::Month => i64::from(date.month),
            Field::Day => i64::from(date.day),
            Field::DayOfYear => i64::from(day_of_year(self.days)),
            Field::WeekYear => i64::from(week_of(self.days).0),
            Field::WeekOfYear => i64::from(week_of(self.days).1),
            Field::WeekOfMonth => i64::from(week_from_first(self.days, i32::from(date.day))),
            Field::DayOfWeek => i64::from(iso_day_of_week(self.days) % 7 + 1),
            Field::AlignedDayOfWeek => i64::from((date.day - 1) % 7 + 1),
            Field::Half => hour / 12,
            Field::Hour => hour,
            Field::ClockHour => one_to(hour, 24),
            Field::HalfHour => hour % 12,
            Field::ClockHalfHour => one_to(hour % 12, 12),
            Field::Minute => minute,
            Field::Second => self.nanos / SECOND % 60,
            Field::NanoOfSecond => self.nanos % SECOND,
            Field::MilliOfDay => self.nanos / 1_000_000,
            Field::NanoOfDay => self.nanos,
        }
    }
}

/// The number of the week from Sunday to Saturday, counted from the one with the first day of a
/// month or year, of which this is the nth day.
pub(in super::super) fn week_from_first(days: i32, nth: i32) -> i32 {
    let first_weekday = iso_day_of_week(days - nth + 1) % 7;
    (nth - 1 + first_weekday) / 7 + 1
}

/// The year and number of the week from Sunday to Saturday: the week with the 1st of January is
/// the first of its year.
pub(in super::super) fn week_of(days: i32) -> (i32, i32) {
    let year = Civil::from_days(days).year;
    let saturday = days + 6 - iso_day_of_week(days) % 7;
    if Civil::from_days(saturday).year > year {
        return (year + 1, 1);
    }
    (year, week_from_first(days, day_of_year(days)))
}
