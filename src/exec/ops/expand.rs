//! Rows for GROUPING SETS.

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::Changes;
use crate::expr::{Context, Expr};
use crate::value::RowText;

/// Each row once for each grouping, with what the grouping leaves out as NULL.
pub(in crate::exec) struct Expand {
    pub(in crate::exec) rows: Vec<Vec<Expr>>,
    pub(in crate::exec) context: Context,
    /// How an input row is shown in an error.
    pub(in crate::exec) row_text: RowText,
}

impl Operator for Expand {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            self.context.now = change.cause.arrival;
            for row in &self.rows {
                let values = row.iter().map(|expr| expr.eval(change.row, &self.context));
                out.try_push_values(change.kind, change.cause, values).map_err(|error| RunError::Eval {
                    error,
                    row: self.row_text.of(change.row),
                    cause: change.cause,
                })?;
            }
        }
        Ok(())
    }
}
