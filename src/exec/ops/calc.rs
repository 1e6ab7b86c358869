//! Filters and projections.

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::Changes;
use crate::expr::{Context, Expr};
use crate::value::RowText;

/// Keeps the changes whose row satisfies a condition, and computes new rows from them. Stateless;
/// kinds pass through untouched, so half of an update may survive alone, as in Flink.
pub(in crate::exec) struct Calc {
    pub(in crate::exec) condition: Option<Expr>,
    pub(in crate::exec) projection: Vec<Expr>,
    pub(in crate::exec) context: Context,
    /// How an input row is shown in an error.
    pub(in crate::exec) row_text: RowText,
}

impl Operator for Calc {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            self.context.now = change.cause.arrival;
            let failed =
                |error| RunError::Eval { error, row: self.row_text.of(change.row), cause: change.cause };
            if let Some(condition) = &self.condition
                && !condition.matches(change.row, &self.context).map_err(failed)?
            {
                continue;
            }
            let values = self.projection.iter().map(|expr| match expr.as_column() {
                Some(column) => Ok(change.row[column].clone()),
                None => expr.eval(change.row, &self.context),
            });
            out.try_push_values(change.kind, change.cause, values).map_err(failed)?;
        }
        Ok(())
    }

    fn advance(&mut self, watermark: i64, _out: &mut Changes) -> Result<(), RunError> {
        self.context.watermark = Some(watermark);
        Ok(())
    }
}
