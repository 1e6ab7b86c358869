//! The rows of a partition in their order.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

use super::super::sort::OrderKey;
use crate::value::{Row, Value};

/// The rows of a partition: those of equal sort keys in the order of their arrival.
///
/// It knows the last row within an end, the row with the number `end`: whether a row is beyond it is
/// one comparison, however many rows there are.
#[derive(Debug, Default)]
pub(super) struct Partition {
    rows: BTreeMap<Place, Row>,
    arrived: u64,
    /// The place of the row with the number `end`, if there are so many.
    last: Option<Place>,
}

/// Where a row is in the order.
pub(super) type Place = (OrderKey, u64);

impl Partition {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The place behind all rows of a sort key, for a new row.
    pub(super) fn place_behind(&mut self, key: OrderKey) -> Place {
        self.arrived += 1;
        (key, self.arrived)
    }

    /// The place of the first row of a sort key that equals a row.
    pub(super) fn place_of(&self, key: &OrderKey, row: &[Value]) -> Option<Place> {
        let mut same = self.rows.range((key.clone(), 0)..=(key.clone(), u64::MAX));
        same.find(|(_, kept)| ***kept == *row).map(|(place, _)| place.clone())
    }

    /// Whether a place is behind the row with the number `end`.
    pub(super) fn is_beyond(&self, place: &Place) -> bool {
        self.last.as_ref().is_some_and(|last| place > last)
    }

    /// The row with the number `end`.
    pub(super) fn last(&self) -> Option<&Row> {
        self.rows.get(self.last.as_ref()?)
    }

    /// The number of the row at a place, from 1.
    pub(super) fn number(&self, place: &Place) -> u64 {
        self.rows.range(..place).count() as u64 + 1
    }

    /// The rows behind a place.
    pub(super) fn after(&self, place: &Place) -> impl Iterator<Item = &Row> {
        self.rows.range((Excluded(place), Unbounded)).map(|(_, row)| row)
    }

    /// Puts a row at a place.
    pub(super) fn insert(&mut self, place: Place, row: Row, end: u64) {
        let moves = !self.is_beyond(&place);
        self.rows.insert(place, row);
        if let (true, Some(last)) = (moves, &self.last) {
            self.last = self.rows.range(..last).next_back().map(|(place, _)| place.clone());
        } else if self.rows.len() as u64 == end {
            self.last = self.rows.last_key_value().map(|(place, _)| place.clone());
        }
    }

    /// Takes the row at a place away.
    pub(super) fn remove(&mut self, place: &Place) -> Option<Row> {
        let row = self.rows.remove(place)?;
        if let (false, Some(last)) = (self.is_beyond(place), &self.last) {
            let next = self.rows.range((Excluded(last), Unbounded)).next();
            self.last = next.map(|(place, _)| place.clone());
        }
        Some(row)
    }

    /// Takes the last row away if there are more than `end`.
    pub(super) fn pop_beyond(&mut self, end: u64) -> Option<Row> {
        if self.rows.len() as u64 <= end {
            return None;
        }
        self.rows.pop_last().map(|(_, row)| row)
    }
}
