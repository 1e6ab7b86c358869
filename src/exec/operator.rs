//! What an operator is.

use super::RunError;
use crate::changelog::Changes;

/// The lowest watermark: no event time has passed.
pub(super) const NO_WATERMARK: i64 = i64::MIN;

/// A running operator with its state.
///
/// It takes changes in order, one by one, whatever the length of the slice they come in, and
/// appends what follows from each to the output. What it emits before it fails stays emitted.
pub(super) trait Operator: Send {
    /// Takes changes of one input.
    fn process(&mut self, port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError>;

    /// Learns that no row of an earlier or equal time will count any more.
    fn advance(&mut self, _watermark: i64, _out: &mut Changes) -> Result<(), RunError> {
        Ok(())
    }

    /// The watermark that the operator itself makes from its rows, if it makes one.
    fn watermark(&self) -> Option<i64> {
        None
    }
}
