//! Orders of rows, and `ORDER BY` a time attribute.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::super::RunError;
use super::super::operator::{NO_WATERMARK, Operator};
use crate::changelog::{Cause, Changes, Materialized, RowKind};
use crate::plan::node::SortKey;
use crate::value::{Row, Value};

/// An order of rows.
#[derive(Debug, Clone)]
pub(super) struct Order {
    keys: Vec<SortKey>,
}

impl Order {
    pub(super) fn new(keys: Vec<SortKey>) -> Self {
        Self { keys }
    }

    /// Compares two rows by the sort keys.
    pub(super) fn compare(&self, a: &[Value], b: &[Value]) -> Ordering {
        let by_key = |key: &SortKey| Way::of(key).compare(&a[key.column], &b[key.column]);
        self.keys.iter().map(by_key).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The values of the sort keys, in a form whose own order is this order.
    pub(super) fn key_of(&self, row: &[Value]) -> OrderKey {
        let sorted = |key: &SortKey| Sorted { way: Way::of(key), value: row[key.column].clone() };
        match &self.keys[..] {
            [key] => OrderKey::One(sorted(key)),
            keys => OrderKey::Several(keys.iter().map(sorted).collect()),
        }
    }
}

/// The sort key of a row. That of one column is the usual one: it needs no memory of its own, and is
/// compared as fast as can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OrderKey {
    One(Sorted),
    Several(Box<[Sorted]>),
}

/// A value of a sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sorted {
    way: Way,
    value: Value,
}

/// How values of a column are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    descending: bool,
    nulls_first: bool,
}

impl Way {
    fn of(key: &SortKey) -> Self {
        Self { descending: key.descending, nulls_first: key.nulls_first }
    }

    #[inline]
    fn compare(self, a: &Value, b: &Value) -> Ordering {
        let nulls = if self.nulls_first { Ordering::Less } else { Ordering::Greater };
        match (a.is_null(), b.is_null()) {
            (true, true) => Ordering::Equal,
            (true, false) => nulls,
            (false, true) => nulls.reverse(),
            (false, false) if self.descending => b.cmp(a),
            (false, false) => a.cmp(b),
        }
    }
}

impl OrderKey {
    fn columns(&self) -> &[Sorted] {
        match self {
            Self::One(column) => std::slice::from_ref(column),
            Self::Several(columns) => columns,
        }
    }

    fn compare_columns(&self, other: &Self) -> Ordering {
        let pairs = self.columns().iter().zip(other.columns());
        let mut orders = pairs.map(|(a, b)| a.way.compare(&a.value, &b.value));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for OrderKey {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderKey {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::One(a), Self::One(b)) => a.way.compare(&a.value, &b.value),
            _ => self.compare_columns(other),
        }
    }
}

/// `ORDER BY` without `LIMIT` over an input that ends: the rows that are left come then, in order.
pub(in crate::exec) struct FinalSort {
    order: Order,
    rows: Materialized,
    last: Cause,
}

impl FinalSort {
    pub(in crate::exec) fn new(order: &[SortKey]) -> Self {
        Self { order: Order::new(order.to_vec()), rows: Materialized::new(None), last: Cause::default() }
    }
}

impl Operator for FinalSort {
    fn process(&mut self, _port: usize, input: &Changes, _out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            self.rows.apply(change);
            self.last = change.cause;
        }
        Ok(())
    }

    fn advance(&mut self, watermark: i64, out: &mut Changes) -> Result<(), RunError> {
        if watermark == i64::MAX {
            let rows = std::mem::take(&mut self.rows);
            let mut rows: Vec<&[Value]> = rows.rows().collect();
            rows.sort_by(|a, b| self.order.compare(a, b));
            for row in rows {
                out.push(RowKind::Insert, self.last, row);
            }
        }
        Ok(())
    }
}

/// `ORDER BY time`: rows wait until the watermark passes their time. A row whose time the
/// watermark has reached is late, and lost. By processing time rows come out as they are.
pub(in crate::exec) struct TimeSort {
    time: usize,
    rowtime: bool,
    order: Order,
    watermark: i64,
    waiting: BTreeMap<i64, Vec<(Row, Cause)>>,
}

impl TimeSort {
    pub(in crate::exec) fn new(order: &[SortKey], rowtime: bool) -> Self {
        Self {
            time: order[0].column,
            rowtime,
            order: Order::new(order[1..].to_vec()),
            watermark: NO_WATERMARK,
            waiting: BTreeMap::new(),
        }
    }
}

impl Operator for TimeSort {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            if !self.rowtime {
                out.push_change(change);
                continue;
            }
            let time = change.row[self.time].as_timestamp().map_or(NO_WATERMARK, |(millis, _)| millis);
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
            let mut rows = entry.remove();
            rows.sort_by(|(a, _), (b, _)| self.order.compare(a, b));
            for (row, cause) in rows {
                out.push(RowKind::Insert, cause, &row);
            }
        }
        Ok(())
    }
}
