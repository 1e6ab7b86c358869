//! Top-N over an input that updates rows by a key and only moves them forward.

use super::super::super::RunError;
use super::super::super::keyed::KeyIndex;
use super::super::super::operator::Operator;
use super::super::sort::Order;
use super::Output;
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::plan::node::Rank;
use crate::value::{Row, Value};

/// The first rows of each partition over an input that updates rows by a key and makes them better,
/// as a rule. Then rows beyond the last number are forgotten, for they come back by an update of
/// their own; only where rows can be deleted or move back are they kept.
pub(in crate::exec) struct UpdateRank {
    output: Output,
    order: Order,
    key: Vec<usize>,
    index: KeyIndex,
    partitions: Vec<Vec<Row>>,
    keeps_all: bool,
}

impl UpdateRank {
    pub(in crate::exec) fn new(rank: &Rank, key: Vec<usize>, keeps_all: bool, update_before: bool) -> Self {
        Self {
            output: Output::new(rank, update_before),
            order: Order::new(rank.order.clone()),
            key,
            index: KeyIndex::new(rank.partition.clone()),
            partitions: Vec::new(),
            keeps_all,
        }
    }

    fn limit(&self) -> usize {
        usize::try_from(self.output.end).unwrap_or(usize::MAX)
    }

    fn position(&self, place: usize, changed: &[Value]) -> Option<usize> {
        let is_same = |row: &Row| self.key.iter().all(|&column| row[column] == changed[column]);
        self.partitions[place].iter().position(is_same)
    }

    fn change(&mut self, change: Change<'_>, out: &mut Changes) {
        let place = self.index.find_or_insert(change.row).place();
        self.partitions.resize_with(self.index.places(), Vec::new);
        let before = self.position(place, change.row);
        let limit = self.limit();
        let rows = &mut self.partitions[place];
        let old = before.map(|position| rows.remove(position));
        let after = match (&old, before) {
            (Some(old), Some(before)) if self.order.compare(old, change.row).is_eq() => before,
            // Behind the rows of the same sort key.
            _ => rows.partition_point(|row| self.order.compare(row, change.row).is_le()),
        };
        rows.insert(after, change.row.into());
        let fallen = rows.get(limit).cloned();
        if !self.keeps_all {
            rows.truncate(limit);
        }
        let shown = before.filter(|&before| before < limit).zip(old);
        if after < limit || shown.is_some() {
            let rows = &self.partitions[place][..];
            let rows = &rows[..rows.len().min(limit)];
            self.emit(rows, after, shown, fallen, change.cause, out);
        }
    }

    /// Emits that a row was put `after` so many others, where an `old` one was shown in its stead, or
    /// where one has fallen behind the last number.
    fn emit(
        &self,
        rows: &[Row],
        after: usize,
        old: Option<(usize, Row)>,
        fallen: Option<Row>,
        cause: Cause,
        out: &mut Changes,
    ) {
        let output = &self.output;
        let number = |position: usize| position as u64 + 1;
        // Without old images a row of another key has to be taken back.
        let counts = output.counts() || (output.end == 1 && output.update_before);
        let last = rows.len() - 1;
        match old {
            Some((before, old)) if counts && before < after => {
                output.emit(RowKind::UpdateBefore, number(before), &old, cause, out);
                let after = after.min(last);
                for (position, row) in rows.iter().enumerate().take(after).skip(before) {
                    output.emit(RowKind::UpdateBefore, number(position + 1), row, cause, out);
                    output.emit(RowKind::UpdateAfter, number(position), row, cause, out);
                }
                output.emit(RowKind::UpdateAfter, number(after), &rows[after], cause, out);
            }
            Some((before, old)) if counts => {
                // The row that has moved up leaves its number before it takes the new one.
                for (position, row) in rows.iter().enumerate().take(before + 1).skip(after) {
                    if position < before {
                        output.emit(RowKind::UpdateBefore, number(position), &rows[position + 1], cause, out);
                    }
                    if position == after {
                        output.emit(RowKind::UpdateBefore, number(before), &old, cause, out);
                    }
                    output.emit(RowKind::UpdateAfter, number(position), row, cause, out);
                }
            }
            Some((_, old)) if after > last => {
                output.emit(RowKind::Delete, 1, &old, cause, out);
                output.emit(RowKind::Insert, 1, &rows[last], cause, out);
            }
            Some((_, old)) => {
                output.emit(RowKind::UpdateBefore, 1, &old, cause, out);
                output.emit(RowKind::UpdateAfter, 1, &rows[after], cause, out);
            }
            None if counts => {
                let shown = rows[after + 1..].iter().chain(&fallen);
                output.shift_down(&rows[after], number(after), shown, cause, out);
            }
            None => {
                if let Some(fallen) = fallen {
                    output.emit(RowKind::Delete, 1, &fallen, cause, out);
                }
                output.emit(RowKind::Insert, 1, &rows[after], cause, out);
            }
        }
    }

    fn delete(&mut self, change: Change<'_>, out: &mut Changes) {
        let Some(place) = self.index.find(change.row) else { return };
        let Some(position) = self.position(place, change.row) else { return };
        let limit = self.limit();
        let rows = &mut self.partitions[place];
        let removed = rows.remove(position);
        if position < limit && self.output.counts() {
            let after = rows[position..].iter();
            self.output.shift_up(&removed, position as u64 + 1, after, change.cause, out);
        } else if position < limit {
            self.output.emit(RowKind::Delete, 1, &removed, change.cause, out);
            if let Some(entering) = rows.get(limit - 1) {
                self.output.emit(RowKind::Insert, 1, entering, change.cause, out);
            }
        }
        if rows.is_empty() {
            self.index.remove(place);
        }
    }
}

impl Operator for UpdateRank {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            match change.kind {
                RowKind::Insert | RowKind::UpdateAfter => self.change(change, out),
                RowKind::Delete => self.delete(change, out),
                RowKind::UpdateBefore => {}
            }
        }
        Ok(())
    }
}
