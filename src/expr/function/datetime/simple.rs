//! Patterns of Java's `SimpleDateFormat`, which reads leniently: a month 13 is the next January,
//! and what follows the last field does not count.
//!
//! It lives in the calendar of `GregorianCalendar`, which is the Julian one before 1582-10-15.

use jiff::tz::TimeZone;

use super::extract::iso_day_of_week;
use super::formatter::{week_from_first, week_of};
use super::names::{ERAS, HALVES, MONTHS, WEEKDAYS, short};
use super::zone::{abbreviation_at, calendar_instant, calendar_offset_at};
use crate::value::time::{Civil, MILLIS_PER_DAY};

/// The pattern of timestamps.
pub(super) const TIMESTAMP: &str = "yyyy-MM-dd HH:mm:ss";

/// The first day of the Gregorian calendar, 1582-10-15.
const CUTOVER: i32 = -141_427;

/// A pattern that has been taken apart.
pub(super) struct SimpleFormat {
    parts: Vec<Part>,
}

enum Part {
    Literal(String),
    Field(char, usize),
}

impl SimpleFormat {
    /// Takes a pattern apart.
    ///
    /// # Errors
    /// The phrase says what is wrong with the pattern.
    pub(super) fn new(pattern: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = pattern.chars().peekable();
        let mut literal = String::new();
        while let Some(c) = rest.next() {
            if c == '\'' {
                quoted(&mut rest, &mut literal)?;
            } else if c.is_ascii_alphabetic() {
                let mut count = 1;
                while rest.next_if_eq(&c).is_some() {
                    count += 1;
                }
                if !"GyMdkHmsSEDFwWahKzZYuXL".contains(c) || (c == 'X' && count > 3) {
                    return Err(format!("the letter {c} means nothing"));
                }
                if !literal.is_empty() {
                    parts.push(Part::Literal(std::mem::take(&mut literal)));
                }
                parts.push(Part::Field(c, count));
            } else {
                literal.push(c);
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Ok(Self { parts })
    }

    /// Writes an instant as the clocks of a zone show it; `None` if the zone has no full name that
    /// is known.
    pub(super) fn write(&self, millis: i64, zone: &TimeZone) -> Option<String> {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Field(letter, count) => out.push_str(&field(*letter, *count, millis, zone)?),
            }
        }
        Some(out)
    }

    /// Reads the beginning of a text as an instant; what it leaves out is that of 1970-01-01
    /// 00:00:00 in the zone. The present is for years of two digits.
    pub(super) fn read(&self, text: &str, zone: &TimeZone, now: i64) -> Option<i64> {
        let century_start = calendar(i32::try_from(now.div_euclid(MILLIS_PER_DAY)).ok()?).0 - 80;
        let mut reader = Reader { rest: text, read: Calendar::default(), century_start };
        for (i, part) in self.parts.iter().enumerate() {
            match part {
                Part::Literal(literal) => reader.rest = reader.rest.strip_prefix(literal.as_str())?,
                Part::Field(letter, count) => {
                    let abuts = matches!(self.parts.get(i + 1), Some(Part::Field(next, count)) if is_number(*next, *count));
                    reader.field(*letter, *count, abuts)?;
                }
            }
        }
        if text.len() == reader.rest.len() {
            // Java takes a text of which nothing has been read for none.
            return None;
        }
        Some(reader.read.instant(zone))
    }
}

/// Reads up to the closing quote; two quotes are one.
fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, literal: &mut String) -> Result<(), String> {
    if rest.next_if_eq(&'\'').is_some() {
        literal.push('\'');
        return Ok(());
    }
    loop {
        match rest.next() {
            Some('\'') if rest.next_if_eq(&'\'').is_some() => literal.push('\''),
            Some('\'') => return Ok(()),
            Some(c) => literal.push(c),
            None => return Err("the pattern ends within a quote".to_owned()),
        }
    }
}

/// Whether a field is read as digits.
fn is_number(letter: char, count: usize) -> bool {
    match letter {
        'M' | 'L' => count <= 2,
        _ => "ydkHmsSDFwWhKYu".contains(letter),
    }
}

/// The text of one field.
fn field(letter: char, count: usize, millis: i64, zone: &TimeZone) -> Option<String> {
    let local = millis + calendar_offset_at(millis, zone);
    let days = i32::try_from(local.div_euclid(MILLIS_PER_DAY)).ok()?;
    let time = local.rem_euclid(MILLIS_PER_DAY);
    let (year, month, day) = calendar(days);
    let of_era = |year: i32| if year > 0 { year } else { 1 - year };
    let day_of_year = days - days_of(year, 0, 1) + 1;
    let hour = time / 3_600_000;
    let padded = |value: i64| format!("{value:0count$}");
    let wide = |value: i32| padded(i64::from(value));
    let named = |name: &'static str| if count > 3 { name } else { short(name) }.to_owned();
    let index = |value: i64| usize::try_from(value).unwrap_or(0);
    Some(match letter {
        'G' => ERAS[usize::from(year > 0)].0.to_owned(),
        'y' if count == 2 => format!("{:02}", of_era(year) % 100),
        'y' => wide(of_era(year)),
        'Y' if count == 2 => format!("{:02}", week_of(days).0 % 100),
        'Y' => wide(week_of(days).0),
        'M' | 'L' if count > 2 => named(MONTHS[index(i64::from(month))]),
        'M' | 'L' => wide(month + 1),
        'w' => wide(week_of(days).1),
        'W' => wide(week_from_first(days, day)),
        'D' => wide(day_of_year),
        'd' => wide(day),
        'F' => wide((day - 1) / 7 + 1),
        'E' => named(WEEKDAYS[index(i64::from(iso_day_of_week(days) - 1))]),
        'u' => wide(iso_day_of_week(days)),
        'a' => HALVES[index(hour / 12)].to_owned(),
        'H' => padded(hour),
        'k' => padded(if hour == 0 { 24 } else { hour }),
        'K' => padded(hour % 12),
        'h' => padded(if hour % 12 == 0 { 12 } else { hour % 12 }),
        'm' => padded(time / 60_000 % 60),
        's' => padded(time / 1000 % 60),
        'S' => padded(time % 1000),
        'z' => zone_name(&abbreviation_at(millis, zone), calendar_offset_at(millis, zone), count)?,
        'Z' => offset_text(calendar_offset_at(millis, zone), ""),
        _ => match (calendar_offset_at(millis, zone), count) {
            (0, _) => "Z".to_owned(),
            (offset, 1) => offset_text(offset, "")[..3].to_owned(),
            (offset, 2) => offset_text(offset, ""),
            (offset, _) => offset_text(offset, ":"),
        },
    })
}

fn offset_text(offset: i64, colon: &str) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60_000;
    format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
}

/// Abbreviations of zones with their full names and their offsets in hours.
const ZONES: [(&str, &str, i64); 22] = [
    ("UTC", "Coordinated Universal Time", 0),
    ("GMT", "Greenwich Mean Time", 0),
    ("WET", "Western European Standard Time", 0),
    ("WEST", "Western European Summer Time", 1),
    ("BST", "British Summer Time", 1),
    ("CET", "Central European Standard Time", 1),
    ("CEST", "Central European Summer Time", 2),
    ("EET", "Eastern European Standard Time", 2),
    ("EEST", "Eastern European Summer Time", 3),
    ("MSK", "Moscow Standard Time", 3),
    ("AEST", "Australian Eastern Standard Time", 10),
    ("JST", "Japan Standard Time", 9),
    ("KST", "Korean Standard Time", 9),
    ("EST", "Eastern Standard Time", -5),
    ("EDT", "Eastern Daylight Time", -4),
    ("CST", "Central Standard Time", -6),
    ("CST", "China Standard Time", 8),
    ("CDT", "Central Daylight Time", -5),
    ("MST", "Mountain Standard Time", -7),
    ("MDT", "Mountain Daylight Time", -6),
    ("PST", "Pacific Standard Time", -8),
    ("PDT", "Pacific Daylight Time", -7),
];

fn zone_name(abbreviation: &str, offset: i64, count: usize) -> Option<String> {
    if abbreviation.starts_with(['+', '-']) {
        return Some(format!("GMT{}", offset_text(offset, ":")));
    }
    if count < 4 {
        return Some(abbreviation.to_owned());
    }
    let known =
        |(short, _, hours): &&(&str, &str, i64)| *short == abbreviation && hours * 3_600_000 == offset;
    ZONES.iter().find(known).map(|(_, long, _)| (*long).to_owned())
}

/// The year, the month from 0 and the day of the month of a day.
fn calendar(days: i32) -> (i32, i32, i32) {
    if days >= CUTOVER {
        let date = Civil::from_days(days);
        return (date.year, i32::from(date.month) - 1, i32::from(date.day));
    }
    // Julian years are counted from March, 4801 years before the common era.
    let day = days + 2_440_588 + 32_082;
    let year = (4 * day + 3).div_euclid(1461);
    let day_of_year = day - (1461 * year).div_euclid(4);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    (year - 4800 + month / 10, (month + 2) % 12, day)
}

/// The day of a year, a month from 0 and a day of the month, each of which may be too large or
/// negative.
fn days_of(year: i32, month: i32, day: i32) -> i32 {
    let (year, month) = (year.saturating_add(month.div_euclid(12)), month.rem_euclid(12));
    let first = Civil { year, month: u8::try_from(month + 1).unwrap_or(1), day: 1 };
    let gregorian = first.to_days().saturating_add(day - 1);
    if gregorian >= CUTOVER {
        return gregorian;
    }
    let shifted = (month + 10) % 12;
    let years = year + 4800 - i32::from(month < 2);
    let julian = (153 * shifted + 2) / 5 + 365 * years + years.div_euclid(4) - 32_083 - 2_440_588;
    julian.saturating_add(day)
}

/// The fields that have been read, with the order in which they were set.
#[derive(Default)]
struct Calendar {
    order: u32,
    era: Option<i32>,
    year: Option<i32>,
    week_year: Option<(i32, u32)>,
    month: Option<i32>,
    day: Option<(i32, u32)>,
    day_of_year: Option<(i32, u32)>,
    week: Option<(i32, u32)>,
    /// The day of the week from Monday, 1 to 7.
    weekday: Option<(i32, u32)>,
    half: Option<i32>,
    hour: Option<(i32, u32)>,
    half_hour: Option<(i32, u32)>,
    minute: i32,
    second: i32,
    millis: i32,
    /// The offset from UTC in milliseconds.
    offset: Option<i64>,
}

impl Calendar {
    /// The instant of the fields: of those that contradict each other the last one counts.
    fn instant(&self, zone: &TimeZone) -> i64 {
        let hour = match (self.hour, self.half_hour) {
            (Some((hour, set)), half_hour) if half_hour.is_none_or(|(_, other)| other < set) => hour,
            (_, Some((hour, _))) => hour + 12 * self.half.unwrap_or(0),
            _ => 12 * self.half.unwrap_or(0),
        };
        let minutes = i64::from(hour) * 60 + i64::from(self.minute);
        let time = (minutes * 60 + i64::from(self.second)) * 1000 + i64::from(self.millis);
        let local = i64::from(self.days()) * MILLIS_PER_DAY + time;
        self.offset.map_or_else(|| calendar_instant(local, zone), |offset| local - offset)
    }

    fn days(&self) -> i32 {
        let year = match (self.year, self.era) {
            (Some(year), Some(0)) => 1 - year,
            (year, _) => year.unwrap_or(1970),
        };
        let set = |field: Option<(i32, u32)>| field.map_or(0, |(_, set)| set);
        let week_set = if self.weekday.is_some() { set(self.week).max(set(self.weekday)) } else { 0 };
        let best =
            set(self.day).max(set(self.day_of_year)).max(if self.week.is_some() { week_set } else { 0 });
        let week_year = self.week_year.map(|(year, _)| year).filter(|_| self.year.is_none());
        match (self.week, self.day_of_year) {
            (Some((week, _)), _) if week_year.is_some() || best == 0 || best == week_set => {
                let first = days_of(week_year.unwrap_or(year), 0, 1);
                let sunday = first - iso_day_of_week(first) % 7;
                sunday + (week - 1) * 7 + self.weekday.map_or(0, |(day, _)| day % 7)
            }
            (_, Some((day, set))) if set == best => days_of(year, 0, day),
            _ => days_of(year, self.month.unwrap_or(0), self.day.map_or(1, |(day, _)| day)),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    read: Calendar,
    /// The year with which the hundred years of two-digit years begin.
    century_start: i32,
}

impl Reader<'_> {
    fn field(&mut self, letter: char, count: usize, abuts: bool) -> Option<()> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        self.read.order += 1;
        let set = self.read.order;
        if is_number(letter, count) {
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let value = self.number(if abuts { Some(count) } else { None })?;
            let read = &mut self.read;
            match letter {
                'y' | 'Y' => {
                    let two_digits = count <= 2 && digits.min(if abuts { count } else { digits }) == 2;
                    let ambiguous = self.century_start % 100;
                    let century = self.century_start - ambiguous + if value < ambiguous { 100 } else { 0 };
                    let year = if two_digits { century + value } else { value };
                    if letter == 'y' { read.year = Some(year) } else { read.week_year = Some((year, set)) }
                }
                'M' | 'L' => read.month = Some(value.saturating_sub(1)),
                'd' => read.day = Some((value, set)),
                'D' => read.day_of_year = Some((value, set)),
                'w' => read.week = Some((value, set)),
                'u' => read.weekday = Some((value, set)),
                'H' => read.hour = Some((value, set)),
                'k' => read.hour = Some((if value == 24 { 0 } else { value }, set)),
                'K' => read.half_hour = Some((value, set)),
                'h' => read.half_hour = Some((if value == 12 { 0 } else { value }, set)),
                'm' => read.minute = value,
                's' => read.second = value,
                'S' => read.millis = value,
                _ => {}
            }
            return Some(());
        }
        match letter {
            'M' | 'L' => self.read.month = Some(self.name(&MONTHS)?),
            'E' => self.read.weekday = Some((self.name(&WEEKDAYS)? + 1, set)),
            'a' => self.read.half = Some(self.one_of(&HALVES)?),
            'G' => self.read.era = Some(self.one_of(&ERAS.map(|(short, _)| short))?),
            'X' => self.read.offset = Some(self.iso_offset(count)?),
            _ => self.read.offset = Some(self.zone()?),
        }
        Some(())
    }

    /// Digits with an optional minus; so many of them where numbers follow without a separator.
    fn number(&mut self, count: Option<usize>) -> Option<i32> {
        let text = match count {
            Some(count) => self.rest.get(..count)?,
            None => self.rest,
        };
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            return None;
        }
        let value = digits[..length]
            .bytes()
            .fold(0_i64, |value, byte| value.saturating_mul(10).saturating_add(i64::from(byte - b'0')));
        self.rest = &self.rest[usize::from(negative) + length..];
        #[expect(clippy::cast_possible_truncation, reason = "Java keeps the lower 32 bits")]
        let value = value as i32;
        Some(if negative { value.wrapping_neg() } else { value })
    }

    /// The index of the longest name, full or short, in any case.
    fn name(&mut self, names: &[&'static str]) -> Option<i32> {
        self.one_of(names).or_else(|| self.one_of(&names.iter().map(|name| short(name)).collect::<Vec<_>>()))
    }

    fn one_of(&mut self, names: &[&str]) -> Option<i32> {
        let begins =
            |name: &str| self.rest.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name));
        let index = names.iter().position(|name| begins(name))?;
        self.rest = &self.rest[names[index].len()..];
        i32::try_from(index).ok()
    }

    /// `Z`, or an offset with as many parts as the letters say.
    fn iso_offset(&mut self, count: usize) -> Option<i64> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(0);
        }
        self.offset(count == 3, count > 1, false)
    }

    /// An offset, `GMT` with or without one, or an abbreviation that is known.
    fn zone(&mut self) -> Option<i64> {
        if self.rest.starts_with(['+', '-']) {
            return self.offset(false, true, false);
        }
        if self.rest.get(..3).is_some_and(|text| text.eq_ignore_ascii_case("GMT")) {
            self.rest = &self.rest[3..];
            return if self.rest.starts_with(['+', '-']) { self.offset(true, true, true) } else { Some(0) };
        }
        let longest = ZONES.iter().filter(|(name, ..)| {
            self.rest.get(..name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
        });
        let (name, _, hours) = longest.max_by_key(|(name, ..)| name.len())?;
        self.rest = &self.rest[name.len()..];
        Some(hours * 3_600_000)
    }

    /// A sign, hours and perhaps minutes.
    fn offset(&mut self, colon: bool, with_minutes: bool, short_hours: bool) -> Option<i64> {
        let negative = match self.rest.as_bytes().first()? {
            b'+' => false,
            b'-' => true,
            _ => return None,
        };
        let text = &self.rest[1..];
        let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
        if digits == 0 || (digits == 1 && !short_hours) {
            return None;
        }
        let hours: i64 = text[..digits].parse().ok().filter(|&hours| hours < 24)?;
        let mut text = &text[digits..];
        let mut minutes = 0;
        if with_minutes {
            if colon {
                text = text.strip_prefix(':')?;
            }
            let two = text.get(..2).filter(|two| two.bytes().all(|byte| byte.is_ascii_digit()))?;
            minutes = two.parse().ok().filter(|&minutes| minutes < 60)?;
            text = &text[2..];
        }
        self.rest = text;
        let millis = (hours * 60 + minutes) * 60_000;
        Some(if negative { -millis } else { millis })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000;

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: Option<&str>) {
        let read = SimpleFormat::new(pattern).unwrap().read(text, &TimeZone::UTC, NOW);
        let shown =
            read.and_then(|millis| SimpleFormat::new(TIMESTAMP).unwrap().write(millis, &TimeZone::UTC));
        assert_eq!(shown.as_deref(), expected, "{pattern} {text}");
    }

    #[test]
    fn fields_that_are_too_large_carry_over() {
        check(TIMESTAMP, "2024-13-45 25:61:61", Some("2025-02-15 02:02:01"));
        check("yyyy-MM-dd", "2024-01--2", Some("2023-12-29 00:00:00"));
        check("yyyy-MM-dd K a", "2024-01-02 12 pm", Some("2024-01-03 00:00:00"));
    }

    #[test]
    fn digits_without_separators_have_the_width_of_their_letters() {
        check("yyyyMMddHHmmss", "20240102030405", Some("2024-01-02 03:04:05"));
        check("yyMMdd", "240102", Some("2024-01-02 00:00:00"));
        check("yy/M/d", "99/1/2", Some("1999-01-02 00:00:00"));
        check("yy/M/d", "124/1/2", Some("0124-01-02 00:00:00"));
    }

    #[test]
    fn the_calendar_is_julian_before_1582() {
        assert_eq!(calendar(CUTOVER), (1582, 9, 15));
        assert_eq!(calendar(CUTOVER - 1), (1582, 9, 4));
        assert_eq!(days_of(1582, 9, 4), CUTOVER - 1);
        assert_eq!(days_of(1582, 9, 10), CUTOVER + 5);
        for days in (-900_000..0).step_by(101) {
            let (year, month, day) = calendar(days);
            assert_eq!(days_of(year, month, day), days);
        }
    }

    #[test]
    fn zones_and_weeks_are_read() {
        check("yyyy-MM-dd HH:mm X", "1970-01-01 08:00 +0800", Some("1970-01-01 00:00:00"));
        check("yyyy-MM-dd HH:mm z", "2024-01-02 03:04 GMT+02:00", Some("2024-01-02 01:04:00"));
        check("yyyy-MM-dd HH:mm z", "2024-01-02 03:04 PST", Some("2024-01-02 11:04:00"));
        check("yyyy-MM-dd HH:mm z", "2024-01-02 03:04 nowhere", None);
        check("yyyy'W'ww", "2024W10", Some("2024-03-03 00:00:00"));
        check("YYYY ww u", "2024 10 3", Some("2024-03-06 00:00:00"));
        check("yyyy-DDD", "2024-060", Some("2024-02-29 00:00:00"));
    }
}
