//! Patterns of Java's `DateTimeFormatter`, such as `yyyy-MM-dd HH:mm`.

mod pattern;
mod read;
mod write;

pub(super) use write::{week_from_first, week_of};

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A pattern that has been taken apart.
#[derive(Debug)]
pub(super) struct Formatter {
    elements: Vec<Element>,
}

/// A local date and time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LocalDateTime {
    /// Days since 1970-01-01.
    pub days: i32,
    /// Nanoseconds since midnight.
    pub nanos: i64,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq)]
enum Element {
    /// Text that stands for itself.
    Literal(String),
    /// A field in digits.
    Number(Number),
    /// The last two digits of a year from 2000 on.
    TwoDigits(Field, Adjacent),
    /// A field by its name.
    Name(Field, Style),
    /// So many digits of the fraction of a second.
    Fraction(usize),
    /// The part of the day, such as `at night`.
    DayPeriod,
    /// A zone or an offset from UTC, which local times lack.
    Zone(char, usize),
    /// A part that is left out where it cannot be written or read.
    Optional(Vec<Element>),
    /// An element filled up with blanks to a width.
    Padded(usize, Box<Element>),
}

/// How a number is written.
#[derive(Debug, Clone, PartialEq)]
struct Number {
    field: Field,
    /// The least and the most digits.
    width: (usize, usize),
    sign: Sign,
    adjacent: Adjacent,
}

/// How a number stands to those without anything between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adjacent {
    /// Numbers of a fixed width follow, with so many digits; 0 if none do.
    Reserves(usize),
    /// The number has its own width and no more.
    Fixed,
}

/// When a number has a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// If it is negative.
    Normal,
    /// Also if it is longer than its least width.
    ExceedsPad,
    /// Never.
    None,
}

/// The length of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Short,
    Full,
    Narrow,
}

/// A part of a date or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Field {
    Era,
    /// The year, which is 0 or negative before the common era.
    Year,
    YearOfEra,
    Quarter,
    Month,
    Day,
    DayOfYear,
    /// The year to which a week from Sunday to Saturday belongs.
    WeekYear,
    WeekOfYear,
    WeekOfMonth,
    /// The day of the week from Sunday, 1 to 7; by name from Monday.
    DayOfWeek,
    /// The day within the weeks that begin on the 1st of the month.
    AlignedDayOfWeek,
    /// AM or PM.
    Half,
    /// The hour, 0 to 23.
    Hour,
    /// The hour, 1 to 24.
    ClockHour,
    /// The hour of the half day, 0 to 11.
    HalfHour,
    /// The hour of the half day, 1 to 12.
    ClockHalfHour,
    Minute,
    Second,
    NanoOfSecond,
    MilliOfDay,
    NanoOfDay,
}

impl Formatter {
    /// The formatter of a pattern, which is kept for the next call.
    ///
    /// # Errors
    /// The phrase says what is wrong with the pattern.
    pub(super) fn cached(pattern: &str) -> Result<Rc<Self>, String> {
        /// How many patterns a thread keeps.
        const KEPT: usize = 64;
        thread_local! {
            static CACHE: RefCell<HashMap<String, Rc<Formatter>>> = RefCell::default();
        }
        CACHE.with_borrow_mut(|cache| {
            if let Some(known) = cache.get(pattern) {
                return Ok(known.clone());
            }
            if cache.len() >= KEPT {
                cache.clear();
            }
            let formatter = Rc::new(Self { elements: pattern::read(pattern)? });
            cache.insert(pattern.to_owned(), formatter.clone());
            Ok(formatter)
        })
    }
}
