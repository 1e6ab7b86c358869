//! `FROM_CHANGELOG`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::RunError;
use super::super::operator::{NO_WATERMARK, Operator};
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::plan::changelog_function::{ErrorHandling, FromChangelog as Function};
use crate::value::{Row, RowText, Value};

/// Gives each row the kind that its operation code names. Stateless: nothing is paired, ordered
/// or looked up.
pub(in crate::exec) struct FromChangelog {
    function: Arc<Function>,
    codes: Vec<(Value, RowKind)>,
    /// The columns of the input that are given, in order.
    output: Vec<usize>,
    row_text: RowText,
    received: u64,
}

impl FromChangelog {
    pub(in crate::exec) fn new(function: Arc<Function>, row_text: RowText) -> Self {
        let codes = function.codes.iter().map(|(code, kind)| (Value::string(code), *kind)).collect();
        let output = function.output.clone();
        Self { function, codes, output, row_text, received: 0 }
    }

    /// The same, giving only these columns of what it gives.
    pub(in crate::exec) fn of_columns(mut self, columns: &[usize]) -> Self {
        self.output = columns.iter().map(|&column| self.function.output[column]).collect();
        self
    }

    fn emit(&mut self, change: Change<'_>, out: &mut Changes) -> Result<(), RunError> {
        self.received += 1;
        let code = &change.row[self.function.op];
        if let Some((_, kind)) = self.codes.iter().find(|(known, _)| known == code) {
            let values = self.output.iter().map(|&column| change.row[column].clone());
            out.push_values(*kind, change.cause, values);
            return Ok(());
        }
        match self.function.error_handling {
            ErrorHandling::Skip => Ok(()),
            ErrorHandling::Fail => Err(RunError::InvalidOpCode {
                code: code.as_str().map(str::to_owned),
                defined: self.function.codes.iter().map(|(code, _)| code.clone()).collect(),
                row: self.row_text.of(change.row),
                number: self.received,
            }),
        }
    }
}

impl Operator for FromChangelog {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        input.iter().try_for_each(|change| self.emit(change, out))
    }
}

/// `FROM_CHANGELOG` over an ordered input: rows wait until the watermark passes their time and
/// come out in order. A row whose time the watermark has reached is late, and lost.
pub(in crate::exec) struct OrderedFromChangelog {
    inner: FromChangelog,
    time: usize,
    order: super::sort::Order,
    watermark: i64,
    waiting: BTreeMap<i64, Vec<(Row, Cause)>>,
}

impl OrderedFromChangelog {
    pub(in crate::exec) fn new(inner: FromChangelog) -> Self {
        let order = &inner.function.order;
        let (time, order) = (order[0].column, super::sort::Order::new(order[1..].to_vec()));
        Self { inner, time, order, watermark: NO_WATERMARK, waiting: BTreeMap::new() }
    }
}

impl Operator for OrderedFromChangelog {
    fn process(&mut self, _port: usize, input: &Changes, _out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
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
            for (row, cause) in &rows {
                let change = Change { kind: RowKind::Insert, row, cause: *cause };
                self.inner.emit(change, out)?;
            }
        }
        Ok(())
    }
}
