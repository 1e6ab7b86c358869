//! `LAG` and `LEAD`: the value of an earlier or a later row of the partition.

use std::collections::{BTreeMap, VecDeque};

use super::super::RunError;
use super::super::keyed::KeyIndex;
use super::super::operator::{NO_WATERMARK, Operator};
use super::sort::{Order, OrderKey};
use crate::changelog::{Cause, Changes, RowKind};
use crate::plan::node::SortKey;
use crate::value::{Row, Value};

/// One `LAG` or `LEAD` of a window.
#[derive(Debug, Clone)]
pub(in crate::exec) struct Lag {
    pub(in crate::exec) column: usize,
    /// How many rows earlier; later if it is negative.
    pub(in crate::exec) offset: isize,
    pub(in crate::exec) default: Option<usize>,
}

impl Lag {
    /// How many rows before a row it looks at.
    fn reach_back(&self) -> usize {
        usize::try_from(self.offset).unwrap_or(0)
    }

    /// How many rows behind a row it looks at.
    fn reach_ahead(&self) -> usize {
        usize::try_from(self.offset.saturating_neg()).unwrap_or(0)
    }

    /// The value for a row, given the earlier or later row if there is one.
    fn value(&self, row: &[Value], other: Option<&[Value]>) -> Value {
        match (other, self.default) {
            (Some(other), _) => other[self.column].clone(),
            (None, Some(default)) => row[default].clone(),
            (None, None) => Value::NULL,
        }
    }
}

/// `LAG` in the order of time over rows that are only appended: one `+I` for each row. By
/// processing time at once; by event time when the watermark passes the row's time. A row whose
/// time the watermark has reached is late, and lost.
///
/// Rows of a partition with the same event time are peers, whose order is unknown. As in Flink, all of
/// them get what the last of them would get.
pub(in crate::exec) struct LagInTime {
    lags: Vec<Lag>,
    /// How many rows of a partition are needed: the newest, and those before it that a `LAG` reaches.
    reach: usize,
    index: KeyIndex,
    /// The last rows of each partition, the newest at the back.
    past: Vec<VecDeque<Row>>,
    rowtime: Option<usize>,
    watermark: i64,
    waiting: BTreeMap<i64, Vec<(Row, Cause)>>,
}

impl LagInTime {
    pub(in crate::exec) fn new(partition: Vec<usize>, lags: Vec<Lag>, rowtime: Option<usize>) -> Self {
        let reach = 1 + lags.iter().map(Lag::reach_back).max().unwrap_or(0);
        Self {
            lags,
            reach,
            index: KeyIndex::new(partition),
            past: Vec::new(),
            rowtime,
            watermark: NO_WATERMARK,
            waiting: BTreeMap::new(),
        }
    }

    /// Where the last rows of a row's partition are.
    fn place_of(&mut self, row: &[Value]) -> usize {
        let place = self.index.find_or_insert(row).place();
        self.past.resize_with(self.index.places(), VecDeque::new);
        place
    }

    fn remember(&mut self, place: usize, row: Row) {
        let past = &mut self.past[place];
        past.push_back(row);
        if past.len() > self.reach {
            past.pop_front();
        }
    }

    /// The values of all functions for the newest row of a partition.
    fn values(&self, place: usize) -> Vec<Value> {
        let past = &self.past[place];
        let newest = past.back().expect("a row was just remembered");
        let value = |lag: &Lag| lag.value(newest, past.iter().nth_back(lag.reach_back()).map(|row| &**row));
        self.lags.iter().map(value).collect()
    }

    /// Emits the rows of one time, partition by partition.
    fn emit(&mut self, rows: Vec<(Row, Cause)>, out: &mut Changes) {
        let mut placed = Vec::with_capacity(rows.len());
        for (row, cause) in rows {
            let place = self.place_of(&row);
            self.remember(place, row.clone());
            placed.push((place, row, cause));
        }
        placed.sort_by_key(|(place, _, _)| *place);
        for peers in placed.chunk_by(|(a, _, _), (b, _, _)| a == b) {
            let values = self.values(peers[0].0);
            for (_, row, cause) in peers {
                out.push_values(RowKind::Insert, *cause, row.iter().chain(&values).cloned());
            }
        }
    }
}

impl Operator for LagInTime {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let Some(column) = self.rowtime else {
                let place = self.place_of(change.row);
                self.remember(place, change.row.into());
                let row = change.row.iter().cloned().chain(self.values(place));
                out.push_values(RowKind::Insert, change.cause, row);
                continue;
            };
            let time = change.row[column].as_timestamp().map_or(NO_WATERMARK, |(millis, _)| millis);
            if time > self.watermark {
                self.waiting.entry(time).or_default().push((change.row.into(), change.cause));
            }
        }
        Ok(())
    }

    fn advance(&mut self, watermark: i64, out: &mut Changes) -> Result<(), RunError> {
        self.watermark = watermark;
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() > watermark {
                break;
            }
            let rows = entry.remove();
            self.emit(rows, out);
        }
        Ok(())
    }
}

/// `LAG` and `LEAD` in the order of a column over rows that may change: a new row is inserted at its
/// place, and each row around it whose value changes is updated.
pub(in crate::exec) struct LagByColumn {
    lags: Vec<Lag>,
    order: Order,
    update_before: bool,
    index: KeyIndex,
    partitions: Vec<Vec<(OrderKey, Row)>>,
}

impl LagByColumn {
    pub(in crate::exec) fn new(
        partition: Vec<usize>,
        order: Vec<SortKey>,
        lags: Vec<Lag>,
        update_before: bool,
    ) -> Self {
        Self {
            lags,
            order: Order::new(order),
            update_before,
            index: KeyIndex::new(partition),
            partitions: Vec::new(),
        }
    }

    /// The values of all functions for the row at a position.
    fn values(&self, rows: &[(OrderKey, Row)], position: usize) -> Vec<Value> {
        let row = &rows[position].1;
        let value = |lag: &Lag| {
            let other = isize::try_from(position).ok().and_then(|position| position.checked_sub(lag.offset));
            let other = other.and_then(|other| rows.get(usize::try_from(other).ok()?));
            lag.value(row, other.map(|(_, row)| &**row))
        };
        self.lags.iter().map(value).collect()
    }

    /// The values of the rows that a change can reach: of those from `start` on, and of those before it.
    fn values_around(&self, rows: &[(OrderKey, Row)], end: usize, start: usize) -> Around {
        let reach = |reach: fn(&Lag) -> usize| self.lags.iter().map(reach).max().unwrap_or(0);
        let first = end.saturating_sub(reach(Lag::reach_ahead));
        let last = rows.len().min(start.saturating_add(reach(Lag::reach_back)));
        Around {
            first,
            before: (first..end).map(|position| self.values(rows, position)).collect(),
            behind: (start..last).map(|position| self.values(rows, position)).collect(),
        }
    }

    /// Updates the rows whose values are others than they were; those behind the change start at a
    /// position now.
    fn update(&self, rows: &[(OrderKey, Row)], old: Around, start: usize, cause: Cause, out: &mut Changes) {
        let positions = (old.first..).zip(old.before).chain((start..).zip(old.behind));
        for (position, old) in positions {
            let new = self.values(rows, position);
            if new != old {
                let row = &rows[position].1;
                if self.update_before {
                    out.push_values(RowKind::UpdateBefore, cause, row.iter().cloned().chain(old));
                }
                out.push_values(RowKind::UpdateAfter, cause, row.iter().cloned().chain(new));
            }
        }
    }
}

/// The values of the rows around a change.
struct Around {
    /// The position of the first row.
    first: usize,
    /// Those of the rows before the change.
    before: Vec<Vec<Value>>,
    behind: Vec<Vec<Value>>,
}

impl Operator for LagByColumn {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let place = self.index.find_or_insert(change.row).place();
            self.partitions.resize_with(self.index.places(), Vec::new);
            let mut rows = std::mem::take(&mut self.partitions[place]);
            let key = self.order.key_of(change.row);
            if change.kind.adds() {
                let position = rows.partition_point(|(other, _)| *other <= key);
                let old = self.values_around(&rows, position, position);
                rows.insert(position, (key, change.row.into()));
                let values = self.values(&rows, position);
                out.push_values(change.kind, change.cause, change.row.iter().cloned().chain(values));
                self.update(&rows, old, position + 1, change.cause, out);
            } else if let Some(position) = rows.iter().position(|(_, row)| **row == *change.row) {
                let values = self.values(&rows, position);
                out.push_values(change.kind, change.cause, change.row.iter().cloned().chain(values));
                let old = self.values_around(&rows, position, position + 1);
                rows.remove(position);
                self.update(&rows, old, position, change.cause, out);
            }
            self.partitions[place] = rows;
        }
        Ok(())
    }
}
