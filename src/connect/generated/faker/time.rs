//! Times before and after that of a row. Their texts are timestamps in UTC.

use std::sync::Arc;

use super::expression::Make;
use crate::value::time::{MILLIS_PER_DAY, parse_timestamp, write_timestamp};

/// The units of Java, in nanoseconds.
const UNITS: [(&str, i64); 7] = [
    ("NANOSECONDS", 1),
    ("MICROSECONDS", 1_000),
    ("MILLISECONDS", 1_000_000),
    ("SECONDS", 1_000_000_000),
    ("MINUTES", 60_000_000_000),
    ("HOURS", 3_600_000_000_000),
    ("DAYS", 86_400_000_000_000),
];

/// `'15','SECONDS'` or `'15','5','SECONDS'`: at most, and at least so long before the row.
pub(super) fn past(arguments: &[&str]) -> Option<Make> {
    let (least, most) = distance(arguments)?;
    Some(Arc::new(move |random, time| text_of(time.saturating_sub(random.within(least, most)))))
}

/// The same after the row.
pub(super) fn future(arguments: &[&str]) -> Option<Make> {
    let (least, most) = distance(arguments)?;
    Some(Arc::new(move |random, time| text_of(time.saturating_add(random.within(least, most)))))
}

/// Two timestamps, of which the second does not occur.
pub(super) fn between(arguments: &[&str]) -> Option<Make> {
    let [from, to] = arguments else { return None };
    let (from, to) = (parse_timestamp(from, 3)?.0, parse_timestamp(to, 3)?.0);
    (from < to).then(|| -> Make { Arc::new(move |random, _| text_of(random.within(from, to - 1))) })
}

/// The least and the greatest age in years; without them 18 and 65.
pub(super) fn birthday(arguments: &[&str]) -> Option<Make> {
    const MOST: i64 = 10_000;
    let years = |text: &str| text.trim().parse().ok().filter(|years| (0..=MOST).contains(years));
    let (youngest, oldest) = match arguments {
        [] => (18, 65),
        [youngest, oldest] => (years(youngest)?, years(oldest)?),
        _ => return None,
    };
    let days = |years: i64| years * 146_097 / 400;
    let (least, most) = (days(youngest), days(oldest));
    (least <= most).then(|| -> Make {
        Arc::new(move |random, time| {
            let day = time.div_euclid(MILLIS_PER_DAY).saturating_sub(random.within(least, most));
            text_of(day.saturating_mul(MILLIS_PER_DAY))
        })
    })
}

/// The least and the greatest distance, in milliseconds.
fn distance(arguments: &[&str]) -> Option<(i64, i64)> {
    let (most, least, unit) = match arguments {
        [most, unit] => (most, None, unit),
        [most, least, unit] => (most, Some(least), unit),
        _ => return None,
    };
    let (_, nanos) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()))?;
    let millis = |text: &str| {
        let number: i64 = text.trim().parse().ok().filter(|number| *number >= 0)?;
        i64::try_from(i128::from(number) * i128::from(*nanos) / 1_000_000).ok()
    };
    let most = millis(most)?;
    let least = least.map_or(Some(0), |least| millis(least))?;
    (least <= most).then_some((least, most))
}

fn text_of(millis: i64) -> String {
    let mut text = String::new();
    write_timestamp(&mut text, millis, 0, 3).expect("a string takes all that is written");
    text
}
