//! The first rows of each partition in an order: Top-N and `LIMIT`.
//!
//! Which changes come out, and in what order, is what Flink's rank functions give: without the
//! number (and without an offset) the row that leaves is deleted and the one that enters inserted;
//! with the number each row whose number shifts is updated.

mod partition;
mod update;

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::Operator;
use super::sort::{Order, OrderKey};
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::plan::node::Rank;
use crate::value::{Row, Value};
use partition::Partition;

pub(in crate::exec) use update::UpdateRank;

/// What is given of a partition, and how.
struct Output {
    start: u64,
    end: u64,
    number: bool,
    update_before: bool,
}

impl Output {
    fn new(rank: &Rank, update_before: bool) -> Self {
        let end = rank.end.unwrap_or(u64::MAX);
        Self { start: rank.start, end, number: rank.number, update_before }
    }

    /// Whether numbers have to be followed: they are given, or some rows are left out.
    fn counts(&self) -> bool {
        self.number || self.start > 1
    }

    fn is_in_end(&self, number: u64) -> bool {
        number <= self.end
    }

    fn emit(&self, kind: RowKind, number: u64, row: &[Value], cause: Cause, out: &mut Changes) {
        let left_out = kind == RowKind::UpdateBefore && !self.update_before;
        if left_out || number < self.start || number > self.end {
            return;
        }
        let value = i64::try_from(number).unwrap_or(i64::MAX);
        let number = self.number.then(|| Value::integer(value));
        out.push_values(kind, cause, row.iter().cloned().chain(number));
    }

    /// Gives the numbers from `number` on to a row and the rows after it, which move down by one.
    /// Returns the row that is left over, and its number, if the end is not reached.
    fn shift_down<'a>(
        &self,
        mut row: &'a [Value],
        mut number: u64,
        after: impl Iterator<Item = &'a Row>,
        cause: Cause,
        out: &mut Changes,
    ) {
        for next in after {
            if !self.is_in_end(number) {
                return;
            }
            self.emit(RowKind::UpdateBefore, number, next, cause, out);
            self.emit(RowKind::UpdateAfter, number, row, cause, out);
            row = next;
            number += 1;
        }
        self.emit(RowKind::Insert, number, row, cause, out);
    }

    /// Gives the number of a removed row to the next one, and so on; the last number goes.
    fn shift_up<'a>(
        &self,
        removed: &'a [Value],
        mut number: u64,
        after: impl Iterator<Item = &'a Row>,
        cause: Cause,
        out: &mut Changes,
    ) {
        let mut row = removed;
        for next in after {
            if !self.is_in_end(number) {
                return;
            }
            self.emit(RowKind::UpdateBefore, number, row, cause, out);
            self.emit(RowKind::UpdateAfter, number, next, cause, out);
            row = next;
            number += 1;
        }
        self.emit(RowKind::Delete, number, row, cause, out);
    }
}

/// The first row of each partition over an input that only appends: a better row replaces it.
pub(in crate::exec) struct TopOne {
    output: Output,
    order: Order,
    partitions: KeyIndex,
    best: Vec<Row>,
}

impl TopOne {
    pub(in crate::exec) fn new(rank: &Rank, update_before: bool) -> Self {
        Self {
            output: Output::new(rank, update_before),
            order: Order::new(rank.order.clone()),
            partitions: KeyIndex::new(rank.partition.clone()),
            best: Vec::new(),
        }
    }
}

impl Operator for TopOne {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let hashes =
            self.partitions.hashes(input, |place| self.best[place].first().is_some_and(Value::is_null));
        for (change, hash) in input.iter().zip(hashes) {
            match self.partitions.find_or_insert_hashed(hash, change.row) {
                Slot::New(_) => {
                    self.best.push(change.row.into());
                    self.output.emit(RowKind::Insert, 1, change.row, change.cause, out);
                }
                Slot::Found(place) => {
                    let best = &mut self.best[place];
                    if self.order.compare(change.row, best).is_lt() {
                        self.output.emit(RowKind::UpdateBefore, 1, best, change.cause, out);
                        best.clone_from_slice(change.row);
                        self.output.emit(RowKind::UpdateAfter, 1, best, change.cause, out);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The first rows of each partition over an input that only appends: rows beyond the last number
/// are forgotten.
pub(in crate::exec) struct AppendRank {
    output: Output,
    order: Order,
    index: KeyIndex,
    partitions: Vec<Partition>,
}

impl AppendRank {
    pub(in crate::exec) fn new(rank: &Rank, update_before: bool) -> Self {
        Self {
            output: Output::new(rank, update_before),
            order: Order::new(rank.order.clone()),
            index: KeyIndex::new(rank.partition.clone()),
            partitions: Vec::new(),
        }
    }
}

impl Operator for AppendRank {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let index = self.index.find_or_insert(change.row).place();
            self.partitions.resize_with(self.index.places(), Partition::default);
            let partition = &mut self.partitions[index];
            let place = partition.place_behind(self.order.key_of(change.row));
            if partition.is_beyond(&place) {
                continue;
            }
            let end = self.output.end;
            if self.output.counts() {
                let (number, after) = (partition.number(&place), partition.after(&place));
                self.output.shift_down(change.row, number, after, change.cause, out);
                partition.insert(place, change.row.into(), end);
                partition.pop_beyond(end);
            } else {
                partition.insert(place, change.row.into(), end);
                if let Some(fallen) = partition.pop_beyond(end) {
                    self.output.emit(RowKind::Delete, 1, &fallen, change.cause, out);
                }
                self.output.emit(RowKind::Insert, 1, change.row, change.cause, out);
            }
        }
        Ok(())
    }
}

/// The first rows of each partition over an input that retracts: all rows are kept.
pub(in crate::exec) struct RetractRank {
    output: Output,
    order: Order,
    index: KeyIndex,
    partitions: Vec<Partition>,
}

impl RetractRank {
    pub(in crate::exec) fn new(rank: &Rank, update_before: bool) -> Self {
        Self {
            output: Output::new(rank, update_before),
            order: Order::new(rank.order.clone()),
            index: KeyIndex::new(rank.partition.clone()),
            partitions: Vec::new(),
        }
    }

    fn add(output: &Output, partition: &mut Partition, key: OrderKey, change: Change<'_>, out: &mut Changes) {
        let place = partition.place_behind(key);
        if output.counts() && !partition.is_beyond(&place) {
            let (number, after) = (partition.number(&place), partition.after(&place));
            output.shift_down(change.row, number, after, change.cause, out);
        } else if !partition.is_beyond(&place) {
            // The row that was the last one in the end falls out.
            if let Some(last) = partition.last() {
                output.emit(RowKind::Delete, 1, last, change.cause, out);
            }
            output.emit(RowKind::Insert, 1, change.row, change.cause, out);
        }
        partition.insert(place, change.row.into(), output.end);
    }

    fn remove(
        output: &Output,
        partition: &mut Partition,
        key: &OrderKey,
        change: Change<'_>,
        out: &mut Changes,
    ) {
        let Some(place) = partition.place_of(key, change.row) else { return };
        if partition.is_beyond(&place) {
            partition.remove(&place);
        } else if output.counts() {
            let number = partition.number(&place);
            partition.remove(&place);
            output.shift_up(change.row, number, partition.after(&place), change.cause, out);
        } else {
            let was_full = partition.last().is_some();
            partition.remove(&place);
            output.emit(RowKind::Delete, 1, change.row, change.cause, out);
            if let (true, Some(entering)) = (was_full, partition.last()) {
                output.emit(RowKind::Insert, 1, entering, change.cause, out);
            }
        }
    }
}

impl Operator for RetractRank {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let key = self.order.key_of(change.row);
            if change.kind.adds() {
                let place = self.index.find_or_insert(change.row).place();
                self.partitions.resize_with(self.index.places(), Partition::default);
                Self::add(&self.output, &mut self.partitions[place], key, change, out);
            } else if let Some(place) = self.index.find(change.row) {
                let partition = &mut self.partitions[place];
                Self::remove(&self.output, partition, &key, change, out);
                if partition.is_empty() {
                    self.index.remove(place);
                }
            }
        }
        Ok(())
    }
}
