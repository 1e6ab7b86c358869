//! The first or the last row of each key by time.

use std::collections::BTreeMap;

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::{NO_WATERMARK, Operator};
use crate::changelog::{Cause, Changes, RowKind};
use crate::value::{Row, Value};

/// The first row of each key as rows arrive: `+I` once, then nothing.
pub(in crate::exec) struct KeepFirst {
    seen: KeyIndex,
}

impl KeepFirst {
    pub(in crate::exec) fn new(key: Vec<usize>) -> Self {
        Self { seen: KeyIndex::new(key) }
    }
}

impl Operator for KeepFirst {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let hashes = self.seen.hashes(input, |_| false);
        for (change, hash) in input.iter().zip(hashes) {
            if let Slot::New(_) = self.seen.find_or_insert_hashed(hash, change.row) {
                out.push(RowKind::Insert, change.cause, change.row);
            }
        }
        Ok(())
    }
}

/// The last row of each key. By event time a row replaces another one if it is not older; by
/// processing time always, and an equal row gives nothing.
pub(in crate::exec) struct KeepLast {
    index: KeyIndex,
    time: usize,
    rowtime: bool,
    update_before: bool,
    rows: Vec<Row>,
}

impl KeepLast {
    pub(in crate::exec) fn new(key: Vec<usize>, time: usize, rowtime: bool, update_before: bool) -> Self {
        Self { index: KeyIndex::new(key), time, rowtime, update_before, rows: Vec::new() }
    }

    fn replaces(&self, new: &[Value], old: &[Value]) -> bool {
        if self.rowtime {
            return new[self.time] >= old[self.time];
        }
        let differs = |(column, (a, b)): (usize, (&Value, &Value))| column != self.time && a != b;
        new.iter().zip(old).enumerate().any(differs)
    }
}

impl Operator for KeepLast {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let hashes = self.index.hashes(input, |place| self.rows[place].first().is_some_and(Value::is_null));
        for (change, hash) in input.iter().zip(hashes) {
            match self.index.find_or_insert_hashed(hash, change.row) {
                Slot::New(_) => {
                    self.rows.push(change.row.into());
                    out.push(RowKind::Insert, change.cause, change.row);
                }
                Slot::Found(place) if self.replaces(change.row, &self.rows[place]) => {
                    if self.update_before {
                        out.push(RowKind::UpdateBefore, change.cause, &self.rows[place]);
                    }
                    self.rows[place].clone_from_slice(change.row);
                    out.push(RowKind::UpdateAfter, change.cause, change.row);
                }
                Slot::Found(_) => {}
            }
        }
        Ok(())
    }
}

/// The earliest row of each key by event time: `+I` once, when the watermark passes its time. A
/// row whose time the watermark has reached is late, and lost.
pub(in crate::exec) struct KeepEarliest {
    index: KeyIndex,
    time: usize,
    watermark: i64,
    /// The earliest row of each key that is still waiting, with its time and arrival.
    waiting: Vec<Option<(i64, u64)>>,
    rows: BTreeMap<(i64, u64), (Row, Cause)>,
    arrived: u64,
}

impl KeepEarliest {
    pub(in crate::exec) fn new(key: Vec<usize>, time: usize) -> Self {
        Self {
            index: KeyIndex::new(key),
            time,
            watermark: NO_WATERMARK,
            waiting: Vec::new(),
            rows: BTreeMap::new(),
            arrived: 0,
        }
    }
}

impl Operator for KeepEarliest {
    fn process(&mut self, _port: usize, input: &Changes, _out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let time = change.row[self.time].as_timestamp().map_or(NO_WATERMARK, |(millis, _)| millis);
            if time <= self.watermark {
                continue;
            }
            self.arrived += 1;
            let new = (time, self.arrived);
            match self.index.find_or_insert(change.row) {
                Slot::New(_) => self.waiting.push(Some(new)),
                Slot::Found(place) => match self.waiting[place] {
                    Some(old) if time < old.0 => {
                        self.rows.remove(&old);
                        self.waiting[place] = Some(new);
                    }
                    // Given already, or an earlier row waits.
                    Some(_) | None => continue,
                },
            }
            self.rows.insert(new, (change.row.into(), change.cause));
        }
        Ok(())
    }

    fn advance(&mut self, watermark: i64, out: &mut Changes) -> Result<(), RunError> {
        self.watermark = watermark;
        while let Some(entry) = self.rows.first_entry() {
            if entry.key().0 > watermark {
                break;
            }
            let (row, cause) = entry.remove();
            out.push(RowKind::Insert, cause, &row);
            if let Some(place) = self.index.find(&row) {
                self.waiting[place] = None;
            }
        }
        Ok(())
    }
}
