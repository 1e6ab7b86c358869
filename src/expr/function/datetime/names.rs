//! The English names that Java writes and reads.

/// The months from January.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The days of the week from Monday.
pub(super) const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The quarters of the year.
pub(super) const QUARTERS: [&str; 4] = ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"];

/// The eras, short and long.
pub(super) const ERAS: [(&str, &str); 2] = [("BC", "Before Christ"), ("AD", "Anno Domini")];

/// The halves of a day.
pub(super) const HALVES: [&str; 2] = ["AM", "PM"];

/// The part of the day at an hour and minute.
pub(super) fn day_period(hour: u32, minute: u32) -> &'static str {
    match (hour, minute) {
        (0, 0) => "midnight",
        (12, 0) => "noon",
        (6..12, _) => "in the morning",
        (12..18, _) => "in the afternoon",
        (18..21, _) => "in the evening",
        _ => "at night",
    }
}

/// The first three letters of a name.
pub(super) fn short(name: &'static str) -> &'static str {
    &name[..3]
}
