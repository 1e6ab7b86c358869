//! Top-N over an input whose rows only move forward.

use super::super::super::RunError;
use super::super::super::keyed::KeyIndex;
use super::super::super::operator::Operator;
use super::super::sort::Order;
use super::Output;
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::plan::node::Rank;
use crate::value::Row;

/// The first rows of each partition over an input that updates rows by a key and only ever makes
/// them better: rows beyond the last number are forgotten, for they come back by an update of their
/// own.
pub(in crate::exec) struct UpdateRank {
    output: Output,
    order: Order,
    key: Vec<usize>,
    index: KeyIndex,
    partitions: Vec<Vec<Row>>,
}

impl UpdateRank {
    pub(in crate::exec) fn new(rank: &Rank, key: Vec<usize>, update_before: bool) -> Self {
        Self {
            output: Output::new(rank, update_before),
            order: Order::new(rank.order.clone()),
            key,
            index: KeyIndex::new(rank.partition.clone()),
            partitions: Vec::new(),
        }
    }

    fn change(&mut self, change: Change<'_>, out: &mut Changes) {
        let place = self.index.find_or_insert(change.row).place();
        self.partitions.resize_with(self.index.places(), Vec::new);
        let rows = &mut self.partitions[place];
        let is_same = |row: &Row| self.key.iter().all(|&column| row[column] == change.row[column]);
        let before = rows.iter().position(is_same);
        let limit = usize::try_from(self.output.end).unwrap_or(usize::MAX);
        let old = before.map(|position| rows.remove(position));
        let after = match (&old, before) {
            (Some(old), Some(before)) if self.order.compare(old, change.row).is_eq() => before,
            // Behind the rows of the same sort key.
            _ => rows.partition_point(|row| self.order.compare(row, change.row).is_le()),
        };
        rows.insert(after, change.row.into());
        let fallen = if rows.len() > limit { rows.pop() } else { None };
        if after >= limit {
            return;
        }
        // Without old images a row of another key has to be taken back.
        let is_replaced = old.is_some() || self.output.update_before;
        if self.output.counts() || (limit == 1 && is_replaced) {
            let rows = &self.partitions[place];
            let last = before.unwrap_or(rows.len() - 1);
            let (first, last) = (after.min(last), after.max(last));
            // What each number showed: the rows that have moved, and the one that is gone.
            let gone = old.or(fallen);
            let moved = if after == first { &rows[first + 1..=last] } else { &rows[first..last] };
            let shown: Vec<&Row> = if after == first {
                moved.iter().chain(&gone).collect()
            } else {
                gone.iter().chain(moved).collect()
            };
            self.renumber(first, &shown, &rows[first..=last], change.cause, out);
        } else {
            let (kind, replaced) = match old {
                Some(_) => (RowKind::UpdateAfter, RowKind::UpdateBefore),
                None => (RowKind::Insert, RowKind::Delete),
            };
            if let Some(row) = old.or(fallen) {
                self.output.emit(replaced, 1, &row, change.cause, out);
            }
            self.output.emit(kind, 1, change.row, change.cause, out);
        }
    }

    /// Gives the numbers behind the first ones new rows: first what each number showed, then what
    /// it shows. The last one may have shown nothing.
    fn renumber(&self, first: usize, shown: &[&Row], rows: &[Row], cause: Cause, out: &mut Changes) {
        let numbers = first as u64 + 1..;
        for (number, row) in numbers.clone().zip(shown) {
            self.output.emit(RowKind::UpdateBefore, number, row, cause, out);
        }
        for (position, (number, row)) in numbers.zip(rows).enumerate() {
            let kind = if position < shown.len() { RowKind::UpdateAfter } else { RowKind::Insert };
            self.output.emit(kind, number, row, cause, out);
        }
    }
}

impl Operator for UpdateRank {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter().filter(|change| change.kind.adds()) {
            self.change(change, out);
        }
        Ok(())
    }
}
