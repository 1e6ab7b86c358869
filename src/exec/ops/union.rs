//! `UNION ALL`.

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::Changes;

/// Hands the changes of all inputs on as they come.
pub(in crate::exec) struct Union;

impl Operator for Union {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        input.iter().for_each(|change| out.push_change(change));
        Ok(())
    }
}
