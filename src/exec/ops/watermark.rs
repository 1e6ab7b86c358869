//! Watermarks from rows.

use super::super::RunError;
use super::super::operator::{NO_WATERMARK, Operator};
use crate::changelog::Changes;
use crate::expr::{Context, Expr};
use crate::value::RowText;

/// Lets a watermark follow each row: the largest value of an expression over the rows so far. A
/// NULL advances nothing.
pub(in crate::exec) struct Watermark {
    pub(in crate::exec) expr: Expr,
    pub(in crate::exec) context: Context,
    pub(in crate::exec) row_text: RowText,
    current: i64,
}

impl Watermark {
    pub(in crate::exec) fn new(expr: Expr, context: Context, row_text: RowText) -> Self {
        Self { expr, context, row_text, current: NO_WATERMARK }
    }
}

impl Operator for Watermark {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            self.context.now = change.cause.arrival;
            let value = self.expr.eval(change.row, &self.context).map_err(|error| RunError::Eval {
                error,
                row: self.row_text.of(change.row),
                cause: change.cause,
            })?;
            if let Some((millis, _)) = value.as_timestamp() {
                self.current = self.current.max(millis);
            }
            out.push_change(change);
        }
        Ok(())
    }

    fn watermark(&self) -> Option<i64> {
        Some(self.current)
    }
}
