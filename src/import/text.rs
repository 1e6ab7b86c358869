//! What texts hold: dates, times, or anything else.

use regex::Regex;
use std::sync::LazyLock;

use super::shape::Number;
use crate::value::{DataType, TypeKind};

/// What texts hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TextKind {
    /// A number, which some write as a text so that its digits stay.
    Number(Number),
    Date,
    Time(Stamp),
    Plain,
}

/// A date with a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Whether it is written as in ISO 8601, with a T, and not as in SQL.
    pub(super) iso: bool,
    /// Whether it ends with Z, and so is an instant.
    zoned: bool,
    /// The digits of a second.
    precision: u8,
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$").expect("it is valid")
});
static DATE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\d{4}-\d\d-\d\d$").expect("it is valid"));
static STAMP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(\d{4}-\d\d-\d\d)([T ])\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(Z?)$").expect("it is valid")
});

impl TextKind {
    /// What a text holds.
    pub(super) fn of(text: &str) -> Self {
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return Self::Plain;
        }
        if NUMBER.is_match(text) {
            return Self::Number(Number::of(text));
        }
        if DATE.is_match(text) && text.parse::<jiff::civil::Date>().is_ok() {
            return Self::Date;
        }
        let Some(parts) = STAMP.captures(text) else { return Self::Plain };
        let civil = text.trim_end_matches('Z').replace(' ', "T");
        if civil.parse::<jiff::civil::DateTime>().is_err() || civil.contains(":60") {
            return Self::Plain;
        }
        let digits = parts.get(3).map_or(0, |digits| digits.as_str().len());
        let precision = match digits {
            0..=3 => 3,
            4..=6 => 6,
            _ => 9,
        };
        Self::Time(Stamp { iso: &parts[2] == "T", zoned: !parts[4].is_empty(), precision })
    }

    /// What two texts have in common.
    pub(super) fn merged(self, other: Self) -> Self {
        match (self, other) {
            (Self::Date, Self::Date) => Self::Date,
            (Self::Number(one), Self::Number(other)) => Self::Number(one.merged(other)),
            (Self::Time(one), Self::Time(other)) if one.iso == other.iso && one.zoned == other.zoned => {
                Self::Time(Stamp { precision: one.precision.max(other.precision), ..one })
            }
            _ => Self::Plain,
        }
    }

    /// The type, if times are read as in ISO 8601, or as in SQL.
    pub(super) fn data_type(self, iso: bool) -> DataType {
        match self {
            Self::Date => DataType::new(TypeKind::Date),
            Self::Time(stamp) if stamp.iso == iso => DataType::new(if stamp.zoned {
                TypeKind::TimestampLtz(stamp.precision)
            } else {
                TypeKind::Timestamp(stamp.precision)
            }),
            Self::Time(_) | Self::Number(_) | Self::Plain => DataType::string(),
        }
    }
}
