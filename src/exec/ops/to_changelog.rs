//! `TO_CHANGELOG`.

use std::sync::Arc;

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::{Changes, RowKind};
use crate::plan::changelog_function::ToChangelog as Function;
use crate::value::Value;

/// Gives each change as an inserted row with an operation code. Stateless. A kind without a code
/// is one that the user asked to leave out.
pub(in super::super) struct ToChangelog {
    function: Arc<Function>,
    /// The code of each kind, in the order of [`RowKind::ALL`].
    codes: [Option<Value>; 4],
}

impl ToChangelog {
    pub(in super::super) fn new(function: Arc<Function>) -> Self {
        let codes = RowKind::ALL.map(|kind| function.code(kind).map(Value::string));
        Self { function, codes }
    }
}

impl Operator for ToChangelog {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let function = &*self.function;
        for change in input.iter() {
            let Some(code) = &self.codes[change.kind as usize] else { continue };
            let partial =
                change.kind == RowKind::Delete && function.produces_full_deletes == Some(false);
            let keys = function.partition.iter().flatten().map(|&column| change.row[column].clone());
            let payload = function.payload.iter().map(|&column| {
                if partial && !function.kept.contains(&column) {
                    Value::NULL
                } else {
                    change.row[column].clone()
                }
            });
            let time = function.on_time.iter().map(|&column| change.row[column].clone());
            let row = keys.chain([code.clone()]).chain(payload).chain(time);
            out.push_values(RowKind::Insert, change.cause, row);
        }
        Ok(())
    }
}
