//! Rows that are made up, with the options of Flink's `datagen` or of `flink-faker`.
//!
//! Random values are decided by a seed, so that a table is the same each time it is read.

mod datagen;
mod faker;
mod field;
mod random;

pub use faker::expressions;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::options::{Key, Options, bad_value};
use super::{ConnectError, Reader};
use crate::changelog::{Cause, Changes, RowKind};
use crate::value::time::parse_timestamp;
use crate::value::{DataType, Schema, Value};
use field::Field;
use random::Random;

/// A table whose rows are made up.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Generated {
    connector: &'static str,
    columns: Vec<(String, Field)>,
    /// How many rows there are, if there is an end.
    rows: Option<u64>,
    /// How many rows come in a second.
    rate: u64,
    /// Whether they come that slowly, and not as they are wanted.
    is_paced: bool,
    /// The time of the first row, in milliseconds since 1970-01-01 00:00:00 UTC; when reading begins
    /// if there is none.
    start: Option<i64>,
    seed: u64,
}

/// Flink's.
const ROWS_PER_SECOND: i64 = 10_000;

/// The longest text or collection that is made unless the type demands a longer one.
const LONGEST: i64 = 10_000_000;

/// Takes the options of a column: gives what its values are, and how many there are if there is an end.
type TakeField = fn(&mut Options<'_>, &str, &DataType) -> Result<(Field, Option<u64>), ConnectError>;

impl Generated {
    /// The connector `datagen`.
    pub(super) fn datagen(options: &mut Options<'_>, schema: &Schema) -> Result<Self, ConnectError> {
        // As in Flink there are no rows if they are fewer than none.
        let rows = |count| Some(u64::try_from(count).unwrap_or_default());
        Self::take("datagen", options, schema, rows, datagen::take)
    }

    /// The connector `faker`.
    pub(super) fn faker(options: &mut Options<'_>, schema: &Schema) -> Result<Self, ConnectError> {
        // As in flink-faker there is no end if they are fewer than none.
        Self::take("faker", options, schema, |count| u64::try_from(count).ok(), faker::take)
    }

    /// Takes the options. How many rows there are follows from `number-of-rows`.
    fn take(
        connector: &'static str,
        options: &mut Options<'_>,
        schema: &Schema,
        rows: fn(i64) -> Option<u64>,
        field: TakeField,
    ) -> Result<Self, ConnectError> {
        let rate = options.whole("rows-per-second", 1..=i64::MAX)?;
        let mut rows = options.whole("number-of-rows", i64::MIN..=i64::MAX)?.and_then(rows);
        let seed = options.whole("seed", i64::MIN..=i64::MAX)?.unwrap_or_default();
        let start = start_time(options)?;
        options.text("scan.parallelism");
        let mut columns = Vec::with_capacity(schema.len());
        for column in &schema.columns {
            let (values, count) = field(options, &column.name, &column.data_type)?;
            rows = [rows, count].into_iter().flatten().min();
            columns.push((column.name.clone(), values));
        }
        Ok(Self {
            connector,
            columns,
            rows,
            rate: rate.unwrap_or(ROWS_PER_SECOND).unsigned_abs(),
            is_paced: rate.is_some() || rows.is_none(),
            start,
            seed: seed.cast_unsigned(),
        })
    }

    /// The name of the connector.
    pub(super) fn connector(&self) -> &'static str {
        self.connector
    }

    /// Whether there is a last row.
    pub(super) fn is_bounded(&self) -> bool {
        self.rows.is_some()
    }

    /// Makes the columns at these positions.
    pub(super) fn source(&self, columns: &[usize]) -> GeneratedSource {
        let column = |&column: &usize| {
            let (name, field) = &self.columns[column];
            Column { name: name.clone(), field: field.clone(), random: Random::of_column(self.seed, name) }
        };
        GeneratedSource {
            columns: columns.iter().map(column).collect(),
            rows: self.rows,
            rate: self.rate,
            start: self.start,
            pace: self.is_paced.then(|| Pace::new(self.rate)),
            next: 0,
            row: Vec::with_capacity(columns.len()),
        }
    }
}

/// An option of a column, or of what is in it.
fn key(path: &str, option: &str) -> Key {
    Cow::Owned(format!("fields.{path}.{option}"))
}

/// The option that says how many values are NULL.
fn null_rate(options: &mut Options<'_>, path: &str, nullable: bool) -> Result<f64, ConnectError> {
    let key = key(path, "null-rate");
    let Some(rate) = options.real(key.clone())? else { return Ok(0.0) };
    if !(0.0..=1.0).contains(&rate) {
        return Err(bad_value(key, &rate.to_string(), "a number from 0 to 1"));
    }
    if rate > 0.0 && !nullable {
        return Err(bad_value(key, &rate.to_string(), "'0', as it is NOT NULL"));
    }
    Ok(rate)
}

/// The option `start-time`, which is not Flink's.
fn start_time(options: &mut Options<'_>) -> Result<Option<i64>, ConnectError> {
    const KEY: &str = "start-time";
    let Some(text) = options.text(KEY) else { return Ok(None) };
    let time = parse_timestamp(text, 3).map(|(millis, _)| millis);
    time.map(Some).ok_or_else(|| bad_value(KEY, text, "a time in UTC, such as '2024-01-31 12:00:00'"))
}

/// Makes rows.
pub(super) struct GeneratedSource {
    columns: Vec<Column>,
    rows: Option<u64>,
    rate: u64,
    start: Option<i64>,
    /// How slowly they come; none if they come as they are wanted.
    pace: Option<Pace>,
    /// The number of the next row, counted from 0.
    next: u64,
    row: Vec<Value>,
}

/// Makes the values of a column.
struct Column {
    name: String,
    field: Field,
    random: Random,
}

impl GeneratedSource {
    fn has_ended(&self) -> bool {
        self.rows.is_some_and(|rows| self.next >= rows)
    }
}

impl Reader for GeneratedSource {
    fn read(&mut self, max: usize, first: Cause, out: &mut Changes) -> Result<bool, ConnectError> {
        let start = *self.start.get_or_insert(first.arrival);
        let mut wanted = max.max(1) as u64;
        if let Some(pace) = &mut self.pace {
            wanted = wanted.min(pace.release(self.next, Instant::now()));
        }
        for sequence in first.sequence.. {
            if wanted == 0 || self.has_ended() {
                break;
            }
            let since = u128::from(self.next) * 1000 / u128::from(self.rate);
            let time = start.saturating_add(i64::try_from(since).unwrap_or(i64::MAX));
            let number = self.next;
            let columns = self.columns.iter_mut();
            let values = columns.map(|Column { name, field, random }| {
                field.value(random, number, time).map_err(|unfit| unfit.in_column(name, number + 1))
            });
            self.row.clear();
            for value in values {
                self.row.push(value?);
            }
            out.push_values(RowKind::Insert, Cause { sequence, ..first }, self.row.drain(..));
            self.next += 1;
            wanted -= 1;
        }
        Ok(!self.has_ended())
    }

    fn pause(&self) -> Option<Duration> {
        self.pace.as_ref().map(|pace| pace.pause(self.next, Instant::now()))
    }

    fn hurry(&mut self) {
        if self.rows.is_some() {
            self.pace = None;
        }
    }
}

/// Lets rows come at a rate, and some at a time, so that others have their turns between them also
/// where the rate cannot be held.
struct Pace {
    rate: u64,
    /// When the first row came.
    begun: Option<Instant>,
    /// How many rows may have come.
    released: u64,
    /// Whether there was a turn without rows since some came.
    rested: bool,
}

impl Pace {
    /// The most rows that come without a rest.
    const BURST: u64 = 10_000;
    /// The shortest rest, for rows that are not due yet.
    const REST: Duration = Duration::from_millis(20);

    fn new(rate: u64) -> Self {
        Self { rate, begun: None, released: 0, rested: true }
    }

    /// How many rows may come now, of which so many have come.
    fn release(&mut self, come: u64, now: Instant) -> u64 {
        if come < self.released {
            return self.released - come;
        }
        if !self.rested {
            self.rested = true;
            return 0;
        }
        let begun = *self.begun.get_or_insert(now);
        let due = now.saturating_duration_since(begun).as_nanos() * u128::from(self.rate) / 1_000_000_000;
        let due = u64::try_from(due).unwrap_or(u64::MAX).saturating_add(1);
        self.released = due.clamp(come, come.saturating_add(Self::BURST));
        self.rested = self.released == come;
        self.released - come
    }

    /// How long to rest: until the next row is due.
    fn pause(&self, come: u64, now: Instant) -> Duration {
        let Some(begun) = self.begun else { return Duration::ZERO };
        let due = u128::from(come) * 1_000_000_000 / u128::from(self.rate);
        let due = Duration::from_nanos(u64::try_from(due).unwrap_or(u64::MAX));
        let left = due.saturating_sub(now.saturating_duration_since(begun));
        if left.is_zero() { left } else { left.max(Self::REST) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_when_they_are_due_and_rest_where_they_are_late() {
        let (mut pace, begun) = (Pace::new(2), Instant::now());
        let after = |millis| begun + Duration::from_millis(millis);
        assert_eq!(pace.release(0, begun), 1);
        assert_eq!((pace.release(1, begun), pace.release(1, begun)), (0, 0));
        assert_eq!(pace.pause(1, after(100)), Duration::from_millis(400));
        assert_eq!(pace.release(1, after(1600)), 3);
        assert_eq!(
            (pace.release(4, after(1600)), pace.pause(4, after(1600))),
            (0, Duration::from_millis(400))
        );

        let mut fast = Pace::new(u64::MAX);
        assert_eq!(fast.release(0, begun), 1);
        assert_eq!((fast.release(1, after(10)), fast.release(1, after(10))), (0, Pace::BURST));
        assert_eq!((fast.release(1 + Pace::BURST, after(10)), fast.pause(9, after(10))), (0, Duration::ZERO));
    }
}
