//! Time zones as Java names and uses them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

/// The zone of Java's `TimeZone.getTimeZone`: a name of the tz database, a three-letter
/// abbreviation, or `GMT` with an offset. Every other name is GMT.
pub(super) fn lenient(name: &str) -> TimeZone {
    if let Some(offset) = name.strip_prefix("GMT").and_then(custom_offset) {
        return TimeZone::fixed(offset);
    }
    by_name(name).unwrap_or(TimeZone::UTC)
}

/// The zone of Java's `ZoneId.of`: like [`lenient`], but also a bare offset, and `None` for a name
/// that is unknown.
pub(super) fn strict(name: &str) -> Option<TimeZone> {
    if name == "Z" {
        return Some(TimeZone::UTC);
    }
    let bare = ["UTC", "GMT", "UT"].into_iter().find_map(|prefix| name.strip_prefix(prefix));
    if let Some(offset) = custom_offset(bare.unwrap_or(name)) {
        return Some(TimeZone::fixed(offset));
    }
    if bare == Some("") {
        return Some(TimeZone::UTC);
    }
    if name.len() == 3 { None } else { TimeZone::get(name).ok() }
}

fn by_name(name: &str) -> Option<TimeZone> {
    let hours = match name {
        "EST" => -5,
        "MST" => -7,
        "HST" => -10,
        _ => {
            let long = ABBREVIATIONS.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| *long);
            return TimeZone::get(long).ok();
        }
    };
    Offset::from_hours(hours).ok().map(TimeZone::fixed)
}

/// `+h`, `-hh`, `+hhmm` or `+hh:mm`.
fn custom_offset(text: &str) -> Option<Offset> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = &text[1..];
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') {
        return None;
    }
    let (hours, minutes) = match (digits.split_once(':'), digits.len()) {
        (Some((hours, minutes)), _) if minutes.len() == 2 => (hours, minutes),
        (None, 1 | 2) => (digits, "0"),
        (None, 3 | 4) => digits.split_at(digits.len() - 2),
        _ => return None,
    };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// The offset of the zone's clocks from UTC at an instant, in milliseconds; beyond the years that
/// the tz database covers, the one at their end.
pub(super) fn offset_at(millis: i64, zone: &TimeZone) -> i64 {
    i64::from(zone.to_offset(timestamp(millis)).seconds()) * 1000
}

/// The abbreviation of the zone's name at an instant, such as `EST`.
pub(super) fn abbreviation_at(millis: i64, zone: &TimeZone) -> String {
    zone.to_offset_info(timestamp(millis)).abbreviation().to_owned()
}

fn timestamp(millis: i64) -> Timestamp {
    let limit = if millis < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_millisecond(millis).unwrap_or(limit)
}

/// The offset at an instant as Java's `Calendar` knows it: before 1900 that of standard time now.
pub(super) fn calendar_offset_at(millis: i64, zone: &TimeZone) -> i64 {
    if millis >= YEAR_1900 {
        return offset_at(millis, zone);
    }
    // One of the two is standard time.
    let seasons = [1_704_067_200_000, 1_719_792_000_000].map(timestamp);
    let offsets = seasons.map(|season| zone.to_offset_info(season));
    let standard = offsets.iter().find(|info| !info.dst().is_dst()).unwrap_or(&offsets[0]);
    i64::from(standard.offset().seconds()) * 1000
}

/// 1900-01-01 in milliseconds.
const YEAR_1900: i64 = -2_208_988_800_000;

/// The instant at which the clocks of the zone show a local time, as Java's `Calendar` finds it:
/// of two the later one, and in a gap the time moves on by its length.
pub(super) fn calendar_instant(local: i64, zone: &TimeZone) -> i64 {
    let early = local - calendar_offset_at(i64::MIN, zone);
    if early < YEAR_1900 {
        return early;
    }
    let civil = Offset::UTC.to_datetime(timestamp(local));
    let later = |civil: DateTime| zone.to_ambiguous_timestamp(civil).later().ok();
    match later(civil) {
        Some(instant) if timestamp(local).as_millisecond() == local => instant.as_millisecond(),
        _ => local - offset_at(local, zone),
    }
}

/// Java's abbreviations of zones.
const ABBREVIATIONS: [(&str, &str); 25] = [
    ("ACT", "Australia/Darwin"),
    ("AET", "Australia/Sydney"),
    ("AGT", "America/Argentina/Buenos_Aires"),
    ("ART", "Africa/Cairo"),
    ("AST", "America/Anchorage"),
    ("BET", "America/Sao_Paulo"),
    ("BST", "Asia/Dhaka"),
    ("CAT", "Africa/Harare"),
    ("CNT", "America/St_Johns"),
    ("CST", "America/Chicago"),
    ("CTT", "Asia/Shanghai"),
    ("EAT", "Africa/Addis_Ababa"),
    ("ECT", "Europe/Paris"),
    ("IET", "America/Indiana/Indianapolis"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("MIT", "Pacific/Apia"),
    ("NET", "Asia/Yerevan"),
    ("NST", "Pacific/Auckland"),
    ("PLT", "Asia/Karachi"),
    ("PNT", "America/Phoenix"),
    ("PRT", "America/Puerto_Rico"),
    ("PST", "America/Los_Angeles"),
    ("SST", "Pacific/Guadalcanal"),
    ("VST", "Asia/Ho_Chi_Minh"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_zone_is_gmt_or_none() {
        assert_eq!(offset_at(0, &lenient("GMT-08:30")), -30_600_000);
        assert_eq!(offset_at(0, &lenient("GMT+5")), 18_000_000);
        assert_eq!(offset_at(0, &lenient("+05:30")), 0);
        assert_eq!(offset_at(0, &lenient("PST")), -28_800_000);
        assert_eq!(offset_at(0, &lenient("Nowhere/City")), 0);
        assert!(strict("Nowhere").is_none());
        assert_eq!(offset_at(0, &strict("+05:30").unwrap()), 19_800_000);
        assert_eq!(offset_at(0, &strict("UTC").unwrap()), 0);
    }

    #[test]
    fn a_local_time_that_comes_twice_is_the_later_one() {
        let zone = lenient("America/New_York");
        // 2024-11-03 01:30 and 2024-03-10 02:30.
        assert_eq!(calendar_instant(1_730_597_400_000, &zone), 1_730_615_400_000);
        assert_eq!(calendar_instant(1_710_037_800_000, &zone), 1_710_055_800_000);
        assert_eq!(calendar_instant(1_704_153_600_000, &zone), 1_704_171_600_000);
    }
}
