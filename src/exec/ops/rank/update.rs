//! Top-N over an input whose rows only move forward.

use super::super::super::RunError;
use super::super::super::keyed::KeyIndex;
use super::super::super::operator::Operator;
use super::super::sort::Order;
use super::Output;
use crate::changelog::{Change, Changes, RowKind};
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
        // Behind the rows of the same sort key.
        let after = rows.partition_point(|row| self.order.compare(row, change.row).is_le());
        rows.insert(after, change.row.into());
        let fallen = if rows.len() > limit { rows.pop() } else { None };
        if after >= limit {
            return;
        }
        if self.output.counts() || limit == 1 {
            let last = before.unwrap_or(rows.len() - 1);
            self.renumber(place, after, last, old.or(fallen), change, out);
        } else {
            let (kind, replaced) = match (&old, &fallen) {
                (Some(_), _) => (RowKind::UpdateAfter, RowKind::UpdateBefore),
                (None, _) => (RowKind::Insert, RowKind::Delete),
            };
            if let Some(row) = old.or(fallen) {
                self.output.emit(replaced, 1, &row, change.cause, out);
            }
            self.output.emit(kind, 1, change.row, change.cause, out);
        }
    }

    /// Gives the rows from one position to another their new numbers: first what each number
    /// showed, then what it shows. `gone` is the row that the last position showed.
    fn renumber(
        &self,
        place: usize,
        first: usize,
        last: usize,
        gone: Option<Row>,
        change: Change<'_>,
        out: &mut Changes,
    ) {
        let rows = &self.partitions[place];
        let shown_before = rows[first + 1..=last].iter().chain(&gone);
        for (number, row) in (first as u64 + 1..).zip(shown_before) {
            self.output.emit(RowKind::UpdateBefore, number, row, change.cause, out);
        }
        for (position, row) in rows.iter().enumerate().take(last + 1).skip(first) {
            let is_new = position == last && gone.is_none();
            let kind = if is_new { RowKind::Insert } else { RowKind::UpdateAfter };
            self.output.emit(kind, position as u64 + 1, row, change.cause, out);
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
