//! The calendar: dates, times of day, timestamps and intervals, and their text.
//!
//! Days and milliseconds count from 1970-01-01 in the proleptic Gregorian calendar, without leap
//! seconds. Flink's range is year 1 to 9999; arithmetic beyond it stays correct.

mod interval;
mod literal;
mod text;

use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use interval::{
    IntervalUnit, NotAnInterval, parse_interval, write_interval_millis, write_interval_months,
};
pub use literal::{parse_date_literal, parse_time_literal, parse_timestamp_literal};
pub use text::{parse_date, parse_time, parse_timestamp, write_date, write_time, write_timestamp};

/// The milliseconds of a second.
pub const MILLIS_PER_SECOND: i64 = 1000;
/// The milliseconds of a minute.
pub const MILLIS_PER_MINUTE: i64 = 60 * MILLIS_PER_SECOND;
/// The milliseconds of an hour.
pub const MILLIS_PER_HOUR: i64 = 60 * MILLIS_PER_MINUTE;
/// The milliseconds of a day.
pub const MILLIS_PER_DAY: i64 = 24 * MILLIS_PER_HOUR;

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Civil {
    /// The year; 0 is the year before 1.
    pub year: i32,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, 1 to 31.
    pub day: u8,
}

impl Civil {
    /// The day with this number of days since 1970-01-01.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        reason = "years of 32-bit days fit 32 bits; months and days are small and positive"
    )]
    pub fn from_days(days: i32) -> Self {
        // Years are counted from March within eras of 400 years, so that leap days come last. The
        // eras before year 0 make all of this positive.
        const ERAS: u64 = 14_700;
        let days = (i64::from(days) + 719_468 + 146_097 * ERAS as i64) as u64;
        let (era, day_of_era) = (days / 146_097, (days % 146_097) as u32);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = i64::from(year_of_era) + (era as i64 - ERAS as i64) * 400 + i64::from(month <= 2);
        Self { year: year as i32, month: month as u8, day: day as u8 }
    }

    /// The days since 1970-01-01.
    #[expect(clippy::cast_possible_truncation, reason = "years far beyond 9999 do not occur")]
    pub fn to_days(self) -> i32 {
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = (i64::from(self.month) + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        (era * 146_097 + day_of_era - 719_468) as i32
    }

    /// The number of days of the month.
    pub fn days_in_month(year: i32, month: u8) -> u8 {
        match month {
            4 | 6 | 9 | 11 => 30,
            2 if is_leap_year(year) => 29,
            2 => 28,
            _ => 31,
        }
    }
}

/// Whether the year has a 29th of February.
pub fn is_leap_year(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The date so many months later; a day beyond the end of its month becomes the last day.
pub fn add_months(days: i32, months: i32) -> i32 {
    let date = Civil::from_days(days);
    let month = i64::from(date.year) * 12 + i64::from(date.month) - 1 + i64::from(months);
    let year = i32::try_from(month.div_euclid(12)).unwrap_or(i32::MAX);
    let month = u8::try_from(month.rem_euclid(12) + 1).expect("a month is 1 to 12");
    let day = date.day.min(Civil::days_in_month(year, month));
    Civil { year, month, day }.to_days()
}

/// The timestamp so many months later, at the same time of day.
pub fn add_months_to_millis(millis: i64, months: i32) -> i64 {
    let (days, time) = split_millis(millis);
    i64::from(add_months(days, months)) * MILLIS_PER_DAY + i64::from(time)
}

/// The months from one date to another: the fewest that lead from the earlier one to the later
/// one or beyond, when a day beyond the end of its month becomes the last day, but no more than
/// fit exactly.
pub fn months_between(from: i32, to: i32) -> i32 {
    if to < from {
        return -months_between(to, from);
    }
    // No month has more than 31 days, so this is never too many.
    let mut months = (to - from) / 31;
    loop {
        if add_months(from, months) >= to || add_months(from, months + 1) > to {
            return months;
        }
        months += 1;
    }
}

/// The months from one timestamp to another, as between their dates; the last one counts only if
/// the time of day is reached.
pub fn months_between_millis(from: i64, to: i64) -> i32 {
    if to < from {
        return -months_between_millis(to, from);
    }
    let ((from_days, from_time), (to_days, to_time)) = (split_millis(from), split_millis(to));
    let months = months_between(from_days, to_days);
    if add_months(from_days, months) == to_days && to_time < from_time { months - 1 } else { months }
}

/// The days since 1970-01-01 and the milliseconds of the day of a timestamp.
pub fn split_millis(millis: i64) -> (i32, u32) {
    let days = millis.div_euclid(MILLIS_PER_DAY);
    let time = millis.rem_euclid(MILLIS_PER_DAY);
    let days = i32::try_from(days).unwrap_or(if days < 0 { i32::MIN } else { i32::MAX });
    (days, u32::try_from(time).expect("a day has fewer than 2^32 milliseconds"))
}

/// The timestamp cut to so many digits of a second.
///
/// As in Flink the digits are cut from the signed milliseconds: before 1970 a cut of whole
/// milliseconds goes towards 1970.
pub fn truncate_timestamp(millis: i64, nanos: u32, precision: u8) -> (i64, u32) {
    match precision {
        0..=2 => {
            let unit = 10_i64.pow(3 - u32::from(precision));
            (millis / unit * unit, 0)
        }
        3 => (millis, 0),
        4..=8 => {
            let unit = 10_u32.pow(9 - u32::from(precision));
            (millis, nanos / unit * unit)
        }
        _ => (millis, nanos),
    }
}

/// The local time that clocks of the zone show at an instant; both in milliseconds since
/// 1970-01-01 00:00:00.
pub fn drop_zone(instant: i64, zone: &TimeZone) -> i64 {
    instant + offset_millis(instant, zone)
}

fn offset_millis(instant: i64, zone: &TimeZone) -> i64 {
    let bounded = instant.clamp(Timestamp::MIN.as_millisecond(), Timestamp::MAX.as_millisecond());
    let timestamp = Timestamp::from_millisecond(bounded).unwrap_or_default();
    i64::from(zone.to_offset(timestamp).seconds()) * MILLIS_PER_SECOND
}

/// The instant at which clocks of the zone show a local time; both in milliseconds since
/// 1970-01-01 00:00:00.
///
/// A time that a clock change skips moves on by the length of the gap; of a time that occurs
/// twice it is the first.
pub fn add_zone(local: i64, zone: &TimeZone) -> i64 {
    // An offset is below a day, so the offsets a day around are those before and after a change.
    let before = offset_millis(local - MILLIS_PER_DAY, zone);
    let after = offset_millis(local + MILLIS_PER_DAY, zone);
    let early = local - before;
    if before == after || offset_millis(early, zone) == before {
        return early;
    }
    let late = local - after;
    if offset_millis(late, zone) == after { late } else { early }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(text: &str) -> i32 {
        parse_date(text).unwrap()
    }

    fn millis(text: &str) -> i64 {
        parse_timestamp(text, 3).unwrap().0
    }

    #[test]
    fn days_and_dates_convert_both_ways() {
        assert_eq!(Civil::from_days(0), Civil { year: 1970, month: 1, day: 1 });
        assert_eq!(Civil { year: 2024, month: 2, day: 29 }.to_days(), 19_782);
        assert_eq!(Civil { year: 1, month: 1, day: 1 }.to_days(), -719_162);
        for days in (-800_000..3_000_000).step_by(97) {
            assert_eq!(Civil::from_days(days).to_days(), days);
        }
    }

    #[test]
    fn months_are_added_up_to_the_last_day_of_the_month() {
        assert_eq!(add_months(days("2024-01-31"), 1), days("2024-02-29"));
        assert_eq!(add_months(days("2024-02-29"), 12), days("2025-02-28"));
        assert_eq!(add_months(days("1969-12-31"), -13), days("1968-11-30"));
        assert_eq!(add_months_to_millis(millis("2024-03-31 12:00:00"), -1), millis("2024-02-29 12:00:00"));
    }

    #[test]
    fn months_between_dates_count_the_last_day_of_a_month() {
        assert_eq!(months_between(days("2024-01-31"), days("2024-02-29")), 1);
        assert_eq!(months_between(days("2024-01-31"), days("2024-03-30")), 1);
        assert_eq!(months_between(days("2024-03-30"), days("2024-01-31")), -1);
        assert_eq!(months_between_millis(millis("2023-12-31 12:00:00"), millis("2024-01-31 00:00:00")), 0);
    }

    #[test]
    fn local_times_around_a_clock_change() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let instant = |text| add_zone(millis(text), &berlin);
        assert_eq!(instant("2024-01-01 12:00:00"), millis("2024-01-01 11:00:00"));
        assert_eq!(instant("2024-03-31 02:30:00"), millis("2024-03-31 01:30:00"));
        assert_eq!(instant("2024-10-27 02:30:00"), millis("2024-10-27 00:30:00"));
        assert_eq!(instant("2024-10-27 03:00:00"), millis("2024-10-27 02:00:00"));
        assert_eq!(drop_zone(millis("2024-07-01 00:00:00"), &berlin), millis("2024-07-01 02:00:00"));
    }

    #[test]
    fn precision_is_cut_towards_1970() {
        assert_eq!(truncate_timestamp(-1, 999_999, 0), (0, 0));
        assert_eq!(truncate_timestamp(1_789, 123_456, 0), (1_000, 0));
        assert_eq!(truncate_timestamp(1_789, 123_456, 6), (1_789, 123_000));
        assert_eq!(truncate_timestamp(-1, 999_999, 3), (-1, 0));
    }
}
