//! `LAG`: the value of an earlier row of the partition.

use std::collections::{BTreeMap, VecDeque};

use super::super::RunError;
use super::super::keyed::KeyIndex;
use super::super::operator::{NO_WATERMARK, Operator};
use super::sort::{Order, OrderKey};
use crate::changelog::{Cause, Changes, RowKind};
use crate::plan::node::SortKey;
use crate::value::{Row, Value};

/// One `LAG` of a window.
#[derive(Debug, Clone)]
pub(in super::super) struct Lag {
    pub(in super::super) column: usize,
    pub(in super::super) offset: usize,
    pub(in super::super) default: Option<usize>,
}

impl Lag {
    /// The value for a row, given the earlier row if there is one.
    fn value(&self, row: &[Value], earlier: Option<&[Value]>) -> Value {
        match (earlier, self.default) {
            (Some(earlier), _) => earlier[self.column].clone(),
            (None, Some(default)) => row[default].clone(),
            (None, None) => Value::NULL,
        }
    }
}

/// `LAG` in the order of time over rows that are only appended: one `+I` for each row. By
/// processing time at once; by event time when the watermark passes the row's time. A row whose
/// time the watermark has reached is late, and lost.
pub(in super::super) struct LagInTime {
    lags: Vec<Lag>,
    index: KeyIndex,
    /// The last rows of each partition, the newest at the back.
    past: Vec<VecDeque<Row>>,
    rowtime: Option<usize>,
    watermark: i64,
    waiting: BTreeMap<i64, Vec<(Row, Cause)>>,
}

impl LagInTime {
    pub(in super::super) fn new(partition: Vec<usize>, lags: Vec<Lag>, rowtime: Option<usize>) -> Self {
        Self {
            lags,
            index: KeyIndex::new(partition),
            past: Vec::new(),
            rowtime,
            watermark: NO_WATERMARK,
            waiting: BTreeMap::new(),
        }
    }

    fn emit(&mut self, row: &[Value], cause: Cause, out: &mut Changes) {
        let place = self.index.find_or_insert(row).place();
        self.past.resize_with(self.index.places(), VecDeque::new);
        let past = &mut self.past[place];
        let value = |lag: &Lag| {
            let earlier =
                if lag.offset == 0 { Some(row) } else { past.iter().nth_back(lag.offset - 1).map(|r| &**r) };
            lag.value(row, earlier)
        };
        out.push_values(RowKind::Insert, cause, row.iter().cloned().chain(self.lags.iter().map(value)));
        past.push_back(row.into());
        let deepest = self.lags.iter().map(|lag| lag.offset).max().unwrap_or(0);
        if past.len() > deepest {
            past.pop_front();
        }
    }
}

impl Operator for LagInTime {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let Some(column) = self.rowtime else {
                self.emit(change.row, change.cause, out);
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
            for (row, cause) in entry.remove() {
                self.emit(&row, cause, out);
            }
        }
        Ok(())
    }
}

/// `LAG` in the order of a plain column over rows that may change: a new row is inserted at its
/// place, and each later row whose value changes is updated.
pub(in super::super) struct LagByColumn {
    lags: Vec<Lag>,
    order: Order,
    update_before: bool,
    index: KeyIndex,
    partitions: Vec<Vec<(OrderKey, Row)>>,
}

impl LagByColumn {
    pub(in super::super) fn new(
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
            let earlier = position.checked_sub(lag.offset).map(|earlier| &*rows[earlier].1);
            lag.value(row, earlier)
        };
        self.lags.iter().map(value).collect()
    }

    /// The values of the rows that a change at a position can reach.
    fn values_from(&self, rows: &[(OrderKey, Row)], position: usize, count: usize) -> Vec<Vec<Value>> {
        (position..rows.len().min(position + count)).map(|position| self.values(rows, position)).collect()
    }

    fn update(
        &self,
        rows: &[(OrderKey, Row)],
        from: usize,
        before: Vec<Vec<Value>>,
        cause: Cause,
        out: &mut Changes,
    ) {
        for ((_, row), (position, old)) in rows[from..].iter().zip((from..).zip(before)) {
            let new = self.values(rows, position);
            if new != old {
                if self.update_before {
                    out.push_values(RowKind::UpdateBefore, cause, row.iter().cloned().chain(old));
                }
                out.push_values(RowKind::UpdateAfter, cause, row.iter().cloned().chain(new));
            }
        }
    }
}

impl Operator for LagByColumn {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let reach = self.lags.iter().map(|lag| lag.offset).max().unwrap_or(0);
        for change in input.iter() {
            let place = self.index.find_or_insert(change.row).place();
            self.partitions.resize_with(self.index.places(), Vec::new);
            let mut rows = std::mem::take(&mut self.partitions[place]);
            let key = self.order.key_of(change.row);
            if change.kind.adds() {
                let position = rows.partition_point(|(other, _)| *other <= key);
                let before = self.values_from(&rows, position, reach);
                rows.insert(position, (key, change.row.into()));
                let values = self.values(&rows, position);
                out.push_values(change.kind, change.cause, change.row.iter().cloned().chain(values));
                self.update(&rows, position + 1, before, change.cause, out);
            } else if let Some(position) = rows.iter().position(|(_, row)| **row == *change.row) {
                let values = self.values(&rows, position);
                out.push_values(change.kind, change.cause, change.row.iter().cloned().chain(values));
                let before = self.values_from(&rows, position + 1, reach);
                rows.remove(position);
                self.update(&rows, position, before, change.cause, out);
            }
            self.partitions[place] = rows;
        }
        Ok(())
    }
}
