//! `TO_CHANGELOG`.

use std::slice::from_ref;

use super::super::RunError;
use super::super::operator::Operator;
use crate::changelog::{Changes, RowKind};
use crate::plan::changelog_function::ToChangelog as Function;
use crate::value::Value;

/// Gives each change as an inserted row with an operation code. Stateless. A kind without a code
/// is one that the user asked to leave out.
pub(in crate::exec) struct ToChangelog {
    /// The code of each kind, in the order of [`RowKind::ALL`].
    codes: [Option<Value>; 4],
    output: Box<[Cell]>,
    /// Whether it only puts the code before the columns of the input.
    prepends: bool,
}

/// What a column of the result holds.
#[derive(Clone, Copy)]
enum Cell {
    Code,
    /// A column of the input.
    Column(usize),
    /// A column of the input that a partial deletion leaves out.
    Image(usize),
}

impl ToChangelog {
    pub(in crate::exec) fn new(function: &Function) -> Self {
        let partial_deletes = function.produces_full_deletes == Some(false);
        let keys = function.partition.iter().flatten().map(|&column| Cell::Column(column));
        let payload = function.payload.iter().map(|&column| {
            let stays = !partial_deletes || function.kept.contains(&column);
            if stays { Cell::Column(column) } else { Cell::Image(column) }
        });
        let time = function.on_time.iter().map(|&column| Cell::Column(column));
        let output: Box<[Cell]> = keys.chain([Cell::Code]).chain(payload).chain(time).collect();
        Self {
            codes: RowKind::ALL.map(|kind| function.code(kind).map(Value::string)),
            prepends: prepends(&output),
            output,
        }
    }
}

/// Whether the result is the code, and then columns of the input from the first one on.
fn prepends(output: &[Cell]) -> bool {
    let [Cell::Code, columns @ ..] = output else { return false };
    let is_next = |(place, cell): (usize, &Cell)| matches!(cell, Cell::Column(column) if *column == place);
    columns.iter().enumerate().all(is_next)
}

impl Operator for ToChangelog {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let Some(code) = &self.codes[change.kind as usize] else { continue };
            if self.prepends && self.output.len() == 1 + change.row.len() {
                out.push_joined(RowKind::Insert, change.cause, from_ref(code), change.row);
                continue;
            }
            let row = self.output.iter().map(|cell| match *cell {
                Cell::Code => code.clone(),
                Cell::Image(_) if change.kind == RowKind::Delete => Value::NULL,
                Cell::Column(column) | Cell::Image(column) => change.row[column].clone(),
            });
            out.push_values(RowKind::Insert, change.cause, row);
        }
        Ok(())
    }
}
