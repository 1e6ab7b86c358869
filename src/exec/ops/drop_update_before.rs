//! Leaving out old images.

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::{Changes, RowKind};

/// Leaves out `-U`, which nobody needs.
pub(in crate::exec) struct DropUpdateBefore;

impl Operator for DropUpdateBefore {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        input.iter().filter(|change| change.kind != RowKind::UpdateBefore).for_each(|c| out.push_change(c));
        Ok(())
    }
}
