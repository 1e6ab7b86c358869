//! The first rows of each partition in an order: Top-N and `LIMIT`.
//!
//! Which changes come out, and in what order, is what Flink's rank functions give: without the
//! number (and without an offset) the row that leaves is deleted and the one that enters inserted;
//! with the number each row whose number shifts is updated.

mod update;

use std::collections::BTreeMap;

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::Operator;
use super::sort::{Order, OrderKey};
use crate::changelog::{Cause, Changes, RowKind};
use crate::plan::node::Rank;
use crate::value::{Row, Value};

pub(in crate::exec) use update::UpdateRank;

/// The rows of a partition: equal sort keys keep the order of their arrival.
type Partition = BTreeMap<OrderKey, Vec<Row>>;

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

fn len(partition: &Partition) -> u64 {
    partition.values().map(|rows| rows.len() as u64).sum()
}

/// How many rows come before those of a sort key. Nobody wants to know more than that they are more
/// than `most`.
fn rows_before(partition: &Partition, key: &OrderKey, most: u64) -> u64 {
    let mut count = 0;
    for (_, rows) in partition.range(..key) {
        count += rows.len() as u64;
        if count > most {
            break;
        }
    }
    count
}

/// All rows in their order, with their numbers from 1.
fn numbered(partition: &Partition) -> impl Iterator<Item = (u64, &Row)> {
    (1..).zip(partition.values().flatten())
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
        for change in input.iter() {
            match self.partitions.find_or_insert(change.row) {
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
            let place = self.index.find_or_insert(change.row).place();
            self.partitions.resize_with(self.index.places(), Partition::new);
            let partition = &mut self.partitions[place];
            let key = self.order.key_of(change.row);
            let is_better = partition.last_key_value().is_none_or(|(worst, _)| key < *worst);
            if !is_better && len(partition) >= self.output.end {
                continue;
            }
            if self.output.counts() {
                // Behind the rows of the same sort key.
                let number = rows_before(partition, &key, self.output.end)
                    + partition.get(&key).map_or(0, |rows| rows.len() as u64)
                    + 1;
                let after = partition.range((std::ops::Bound::Excluded(&key), std::ops::Bound::Unbounded));
                let after = after.flat_map(|(_, rows)| rows);
                self.output.shift_down(change.row, number, after, change.cause, out);
                partition.entry(key).or_default().push(change.row.into());
                forget_last(partition, self.output.end);
            } else {
                partition.entry(key).or_default().push(change.row.into());
                if let Some(last) = forget_last(partition, self.output.end) {
                    self.output.emit(RowKind::Delete, 1, &last, change.cause, out);
                }
                self.output.emit(RowKind::Insert, 1, change.row, change.cause, out);
            }
        }
        Ok(())
    }
}

/// Takes the last row away if there are more than `end`.
fn forget_last(partition: &mut Partition, end: u64) -> Option<Row> {
    if len(partition) <= end {
        return None;
    }
    let mut entry = partition.last_entry()?;
    let row = entry.get_mut().pop();
    if entry.get().is_empty() {
        entry.remove();
    }
    row
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

    fn add(
        output: &Output,
        partition: &mut Partition,
        key: OrderKey,
        row: &[Value],
        cause: Cause,
        out: &mut Changes,
    ) {
        let same = partition.get(&key).map_or(0, |rows| rows.len() as u64);
        let number = rows_before(partition, &key, output.end) + same + 1;
        if output.counts() {
            let after = partition
                .range((std::ops::Bound::Excluded(&key), std::ops::Bound::Unbounded))
                .flat_map(|(_, rows)| rows);
            output.shift_down(row, number, after, cause, out);
        } else if output.is_in_end(number) {
            // The row that was the last one in the end falls out.
            if let Some((_, last)) = numbered(partition).find(|(n, _)| *n == output.end) {
                output.emit(RowKind::Delete, 1, last, cause, out);
            }
            output.emit(RowKind::Insert, 1, row, cause, out);
        }
        partition.entry(key).or_default().push(row.into());
    }

    fn remove(
        output: &Output,
        partition: &mut Partition,
        key: &OrderKey,
        row: &[Value],
        cause: Cause,
        out: &mut Changes,
    ) {
        let before = rows_before(partition, key, output.end);
        let Some(rows) = partition.get_mut(key) else { return };
        let Some(position) = rows.iter().position(|kept| **kept == *row) else { return };
        let removed = rows.remove(position);
        if rows.is_empty() {
            partition.remove(key);
        }
        let number = before + position as u64 + 1;
        if !output.is_in_end(number) {
            return;
        }
        if output.counts() {
            let skipped = usize::try_from(number - 1).unwrap_or(usize::MAX);
            let after = partition.values().flatten().skip(skipped);
            output.shift_up(&removed, number, after, cause, out);
        } else {
            output.emit(RowKind::Delete, 1, &removed, cause, out);
            if let Some((_, entering)) = numbered(partition).find(|(n, _)| *n == output.end) {
                output.emit(RowKind::Insert, 1, entering, cause, out);
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
                self.partitions.resize_with(self.index.places(), Partition::new);
                let partition = &mut self.partitions[place];
                Self::add(&self.output, partition, key, change.row, change.cause, out);
            } else if let Some(place) = self.index.find(change.row) {
                let partition = &mut self.partitions[place];
                Self::remove(&self.output, partition, &key, change.row, change.cause, out);
                if partition.is_empty() {
                    self.index.remove(place);
                }
            }
        }
        Ok(())
    }
}
