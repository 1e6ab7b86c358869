//! Reading a local date and time in a pattern.
//!
//! What the pattern leaves out is that of 1970-01-01 00:00:00; a zone is read but does not count.

use std::collections::HashMap;

use super::super::extract::iso_day_of_week;
use super::super::names::{ERAS, HALVES, MONTHS, QUARTERS, WEEKDAYS, short};
use super::{Adjacent, Element, Field, Formatter, LocalDateTime, Number, Sign, Style};
use crate::value::time::{Civil, is_leap_year};

const NANOS_PER_DAY: i64 = 86_400_000_000_000;

impl Formatter {
    /// Reads a whole text; `None` if it does not have the form of the pattern, or is no date.
    pub(in super::super) fn read(&self, text: &str) -> Option<LocalDateTime> {
        let mut reader = Reader { rest: text, fields: HashMap::new() };
        reader.all(&self.elements)?;
        if reader.rest.is_empty() { resolve(reader.fields) } else { None }
    }
}

type Fields = HashMap<Field, i64>;

struct Reader<'a> {
    rest: &'a str,
    fields: Fields,
}

impl Reader<'_> {
    fn all(&mut self, elements: &[Element]) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(element))
    }

    fn element(&mut self, element: &Element) -> Option<()> {
        match element {
            Element::Literal(text) => {
                self.rest = self.rest.strip_prefix(text.as_str())?;
                Some(())
            }
            Element::Number(number) => {
                let value = self.number(number)?;
                self.set(number.field, value)
            }
            Element::TwoDigits(field, adjacent) => {
                let number = Number { field: *field, width: (2, 2), sign: Sign::None, adjacent: *adjacent };
                let value = self.number(&number)?;
                self.set(*field, 2000 + value)
            }
            Element::Name(field, style) => {
                let value = self.name(*field, *style)?;
                self.set(*field, value)
            }
            Element::Fraction(digits) => {
                let text = self.rest.get(..*digits).filter(|text| all_digits(text))?;
                self.rest = &self.rest[*digits..];
                let nanos = text.parse::<i64>().ok()? * 10_i64.pow(u32::try_from(9 - digits).ok()?);
                self.set(Field::NanoOfSecond, nanos)
            }
            // Java has no text of its own for reading this one either than what it writes.
            Element::DayPeriod => {
                let periods =
                    ["midnight", "noon", "in the morning", "in the afternoon", "in the evening", "at night"];
                let period = periods.into_iter().find(|period| self.rest.starts_with(period))?;
                self.rest = &self.rest[period.len()..];
                Some(())
            }
            Element::Zone(letter, count) => {
                let length = zone_length(self.rest, *letter, *count)?;
                self.rest = &self.rest[length..];
                Some(())
            }
            Element::Optional(elements) => {
                let (rest, fields) = (self.rest, self.fields.clone());
                if self.all(elements).is_none() {
                    (self.rest, self.fields) = (rest, fields);
                }
                Some(())
            }
            Element::Padded(width, element) => {
                let end = self.rest.char_indices().nth(*width).map_or(self.rest.len(), |(end, _)| end);
                let (field, rest) = self.rest.split_at(end);
                let mut inner = Reader { rest: field.trim_start_matches(' '), fields: self.fields.clone() };
                inner.element(element)?;
                if !inner.rest.is_empty() {
                    return None;
                }
                (self.rest, self.fields) = (rest, inner.fields);
                Some(())
            }
        }
    }

    /// A field that comes twice must have one value.
    fn set(&mut self, field: Field, value: i64) -> Option<()> {
        match self.fields.insert(field, value) {
            Some(other) if other != value => None,
            _ => Some(()),
        }
    }

    fn number(&mut self, number: &Number) -> Option<i64> {
        let (least, most) = number.width;
        let (negative, positive) = (self.rest.starts_with('-'), self.rest.starts_with('+'));
        let sign_allowed = match number.sign {
            Sign::Normal => !positive,
            Sign::ExceedsPad => true,
            Sign::None => !positive && !negative,
        };
        if !sign_allowed {
            return None;
        }
        let text = if negative || positive { &self.rest[1..] } else { self.rest };
        let reserved = match number.adjacent {
            Adjacent::Reserves(digits) => digits,
            Adjacent::Fixed => 0,
        };
        let digits = text.bytes().take(most + reserved).take_while(u8::is_ascii_digit).count();
        if digits < least {
            return None;
        }
        // Those behind get their digits first.
        let length = if reserved > 0 { least.max(digits.saturating_sub(reserved)) } else { digits };
        let value: i64 = text[..length].parse().ok()?;
        if negative && value == 0 {
            return None;
        }
        if number.sign == Sign::ExceedsPad && !negative && positive != (length > least) {
            return None;
        }
        self.rest = &text[length..];
        Some(if negative { -value } else { value })
    }

    /// The value with the longest name that comes next.
    fn name(&mut self, field: Field, style: Style) -> Option<i64> {
        let names: Vec<(String, i64)> = match field {
            Field::Month => styled(&MONTHS, style, 1),
            Field::DayOfWeek => {
                styled(&WEEKDAYS, style, 2).into_iter().map(|(name, n)| (name, (n - 1) % 7 + 1)).collect()
            }
            Field::Half => (0..).zip(HALVES).map(|(i, half)| (half.to_owned(), i)).collect(),
            Field::Quarter if style == Style::Full => {
                (1..).zip(QUARTERS).map(|(i, name)| (name.to_owned(), i)).collect()
            }
            Field::Quarter => {
                let prefix = if style == Style::Short { "Q" } else { "" };
                (1..=4).map(|i| (format!("{prefix}{i}"), i)).collect()
            }
            Field::Era => (0..)
                .zip(ERAS)
                .map(|(i, (short, long))| {
                    let name = match style {
                        Style::Short => short,
                        Style::Full => long,
                        Style::Narrow => &short[..1],
                    };
                    (name.to_owned(), i)
                })
                .collect(),
            _ => return None,
        };
        // A narrow name that several values share stands for none.
        let ambiguous = |name: &str| names.iter().filter(|(other, _)| other == name).count() > 1;
        let matching =
            names.iter().filter(|(name, _)| self.rest.starts_with(name.as_str()) && !ambiguous(name));
        let (name, value) = matching.max_by_key(|(name, _)| name.len())?;
        self.rest = &self.rest[name.len()..];
        Some(*value)
    }
}

fn styled(names: &[&'static str], style: Style, first: i64) -> Vec<(String, i64)> {
    let name = |name: &'static str| match style {
        Style::Short => short(name),
        Style::Full => name,
        Style::Narrow => &name[..1],
    };
    (first..).zip(names).map(|(value, full)| (name(full).to_owned(), value)).collect()
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// How many bytes a zone or an offset takes.
fn zone_length(text: &str, letter: char, count: usize) -> Option<usize> {
    match letter {
        'X' | 'Z' if text.starts_with('Z') && (letter == 'X' || count == 5) => Some(1),
        'X' | 'x' => offset_length(text, matches!(count, 3 | 5), count == 1),
        'Z' if count < 4 => offset_length(text, false, false),
        'Z' if count == 5 => offset_length(text, true, false),
        'O' | 'Z' => {
            let rest = text.strip_prefix("GMT")?;
            let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
            if !rest.starts_with(['+', '-']) {
                return Some(3);
            }
            let hours = digits(&rest[1..]);
            let minutes = rest[1 + hours..].strip_prefix(':').map_or(0, |rest| 1 + digits(rest));
            Some(3 + 1 + hours + minutes)
        }
        _ => {
            let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '+' | '-' | ':');
            let length = text.len() - text.trim_start_matches(part).len();
            (length > 0).then_some(length)
        }
    }
}

/// `+hhmm`, `+hh:mm`, or also `+hh`.
fn offset_length(text: &str, colon: bool, hours_only: bool) -> Option<usize> {
    let digits = |text: &str, at: usize| text.get(at..at + 2).is_some_and(all_digits);
    if !text.starts_with(['+', '-']) || !digits(text, 1) {
        return None;
    }
    let minutes = if colon { 4 } else { 3 };
    let has_minutes = digits(text, minutes) && (!colon || text[3..].starts_with(':'));
    match (has_minutes, hours_only) {
        (true, _) => Some(minutes + 2),
        (false, true) => Some(3),
        (false, false) => None,
    }
}

/// The date and time of what has been read, as Java's `SMART` resolver finds it.
fn resolve(mut fields: Fields) -> Option<LocalDateTime> {
    let nanos = resolve_time(&mut fields)?;
    let days = resolve_date(&fields)?;
    // 24:00 is the next day's midnight, if there is a day.
    let excess = i32::try_from(nanos / NANOS_PER_DAY).ok()?;
    let days = if fields.contains_key(&Field::Day) || fields.contains_key(&Field::DayOfYear) {
        days.checked_add(excess)?
    } else {
        days
    };
    Some(LocalDateTime { days, nanos: nanos % NANOS_PER_DAY })
}

fn within(value: i64, least: i64, most: i64) -> Option<i64> {
    (least..=most).contains(&value).then_some(value)
}

/// The nanoseconds of the day; a whole day for 24:00.
fn resolve_time(fields: &mut Fields) -> Option<i64> {
    let take = |fields: &mut Fields, field, least, most| match fields.get(&field) {
        Some(&value) => within(value, least, most).map(Some),
        None => Some(None),
    };
    if let Some(nanos) = take(fields, Field::NanoOfDay, 0, NANOS_PER_DAY - 1)? {
        return Some(nanos);
    }
    if let Some(millis) = take(fields, Field::MilliOfDay, 0, 86_399_999)? {
        return Some(millis * 1_000_000);
    }
    let minute = take(fields, Field::Minute, 0, 59)?.unwrap_or(0);
    let second = take(fields, Field::Second, 0, 59)?.unwrap_or(0);
    let nano = take(fields, Field::NanoOfSecond, 0, 999_999_999)?.unwrap_or(0);
    let clock_hour = take(fields, Field::ClockHour, 0, 24)?.map(|hour| hour % 24);
    let half_hour = take(fields, Field::ClockHalfHour, 0, 12)?.map(|hour| hour % 12);
    let half_hour = half_hour.or(take(fields, Field::HalfHour, 0, 11)?);
    let half = fields.get(&Field::Half).copied();
    let whole = minute == 0 && second == 0 && nano == 0;
    let hour = match fields.get(&Field::Hour) {
        Some(24) if whole => Some(24),
        Some(&hour) => Some(within(hour, 0, 23)?),
        None => clock_hour.or(half_hour.zip(half).map(|(hour, half)| half * 12 + hour)),
    };
    // Without its half of the day, an hour of twelve is not known.
    let hour = hour.unwrap_or(0);
    Some(((hour * 60 + minute) * 60 + second) * 1_000_000_000 + nano)
}

fn resolve_date(fields: &Fields) -> Option<i32> {
    let year = match (fields.get(&Field::Year), fields.get(&Field::YearOfEra)) {
        (Some(&year), _) => year,
        (None, Some(&year)) => {
            let year = within(year, 1, 999_999_999)?;
            if fields.get(&Field::Era) == Some(&0) { 1 - year } else { year }
        }
        (None, None) => 1970,
    };
    let year = i32::try_from(within(year, -999_999_999, 999_999_999)?).ok()?;
    let known_year = fields.contains_key(&Field::Year) || fields.contains_key(&Field::YearOfEra);
    let month = match fields.get(&Field::Month) {
        Some(&month) => Some(u8::try_from(within(month, 1, 12)?).ok()?),
        None => None,
    };
    let day = match fields.get(&Field::Day) {
        Some(&day) => Some(u8::try_from(within(day, 1, 31)?).ok()?),
        None => None,
    };
    let day_of_year = match fields.get(&Field::DayOfYear) {
        Some(&day) => Some(i32::try_from(within(day, 1, 366)?).ok()?),
        None => None,
    };
    let first = Civil { year, month: 1, day: 1 }.to_days();
    let (days, whole) = match (known_year, month, day, day_of_year) {
        (true, Some(month), Some(day), _) => {
            (Civil { year, month, day: day.min(Civil::days_in_month(year, month)) }.to_days(), true)
        }
        (true, _, _, Some(day)) => {
            if day == 366 && !is_leap_year(year) {
                return None;
            }
            (first + day - 1, true)
        }
        _ => {
            if let Some(days) = resolve_week(fields) {
                (days, true)
            } else {
                let (month, day) = (month.unwrap_or(1), day.unwrap_or(1));
                if day > Civil::days_in_month(year, month) {
                    return None;
                }
                (Civil { year, month, day }.to_days(), false)
            }
        }
    };
    let agrees = |field, value: i64| fields.get(&field).is_none_or(|&read| read == value);
    let date = Civil::from_days(days);
    let consistent = agrees(Field::DayOfWeek, i64::from(iso_day_of_week(days) % 7 + 1))
        && agrees(Field::Quarter, i64::from((date.month - 1) / 3 + 1));
    if whole && !consistent { None } else { Some(days) }
}

/// The date of a year, a week and a day of the week, which begins on Sunday.
fn resolve_week(fields: &Fields) -> Option<i32> {
    let part = |field, most| fields.get(&field).and_then(|&value| within(value, 1, most));
    let year = i32::try_from(part(Field::WeekYear, 9999)?).ok()?;
    let week = i32::try_from(part(Field::WeekOfYear, 54)?).ok()?;
    let day = i32::try_from(part(Field::DayOfWeek, 7)?).ok()?;
    let first = Civil { year, month: 1, day: 1 }.to_days();
    let sunday = first - iso_day_of_week(first) % 7;
    Some(sunday + (week - 1) * 7 + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::time::write_timestamp;

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: &str) {
        let read = Formatter::cached(pattern).unwrap().read(text);
        let shown = read.map(|time| {
            let mut out = String::new();
            let millis = i64::from(time.days) * 86_400_000 + time.nanos / 1_000_000;
            write_timestamp(&mut out, millis, 0, 3).unwrap();
            out
        });
        assert_eq!(shown.as_deref().unwrap_or("none"), expected, "{pattern} {text}");
    }

    #[test]
    fn digits_without_separators_are_shared_out() {
        check("yyyyMMddHHmmssSSS", "20240102030405678", "2024-01-02 03:04:05.678");
        check("yyyyMMdd", "2024012", "none");
        check("yyMMdd", "240102", "2024-01-02 00:00:00.000");
    }

    #[test]
    fn a_day_beyond_its_month_is_the_last_but_a_wrong_field_is_none() {
        check("yyyy-MM-dd", "2024-02-31", "2024-02-29 00:00:00.000");
        check("yyyy-MM-dd", "2024-02-32", "none");
        check("yyyy-MM-dd HH:mm", "2024-01-02 24:00", "2024-01-03 00:00:00.000");
        check("yyyy-MM-dd HH:mm", "2024-01-02 24:01", "none");
        check("yyyy-DDD", "2023-366", "none");
        check("EEE yyyy-MM-dd", "Mon 2024-01-02", "none");
    }

    #[test]
    fn half_days_need_their_half() {
        check("yyyy-MM-dd hh:mm a", "2024-01-02 12:04 AM", "2024-01-02 00:04:00.000");
        check("yyyy-MM-dd hh:mm", "2024-01-02 03:04", "2024-01-02 00:04:00.000");
        check("yyyy-MM-dd kk", "2024-01-02 24", "2024-01-02 00:00:00.000");
    }

    #[test]
    fn optional_parts_and_zones_may_be_there() {
        check("yyyy-MM-dd['T'HH:mm]", "2024-01-02", "2024-01-02 00:00:00.000");
        check("yyyy-MM-dd['T'HH:mm][XXX]", "2024-01-02T03:04+01:00", "2024-01-02 03:04:00.000");
        check("yyyy-MM-ddX", "2024-01-02Z", "2024-01-02 00:00:00.000");
        check("YYYY w e", "2024 1 3", "2024-01-02 00:00:00.000");
    }
}
