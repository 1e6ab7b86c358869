//! `TO_CHANGELOG`.

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
    /// Whether a deletion shows no more than the upsert key.
    partial_deletes: bool,
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
        let keys = function.partition.iter().flatten().map(|&column| Cell::Column(column));
        let payload = function.payload.iter().map(|&column| {
            if function.kept.contains(&column) { Cell::Column(column) } else { Cell::Image(column) }
        });
        let time = function.on_time.iter().map(|&column| Cell::Column(column));
        Self {
            codes: RowKind::ALL.map(|kind| function.code(kind).map(Value::string)),
            output: keys.chain([Cell::Code]).chain(payload).chain(time).collect(),
            partial_deletes: function.produces_full_deletes == Some(false),
        }
    }
}

impl Operator for ToChangelog {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let Some(code) = &self.codes[change.kind as usize] else { continue };
            let partial = self.partial_deletes && change.kind == RowKind::Delete;
            let row = self.output.iter().map(|cell| match *cell {
                Cell::Code => code.clone(),
                Cell::Image(_) if partial => Value::NULL,
                Cell::Column(column) | Cell::Image(column) => change.row[column].clone(),
            });
            out.push_values(RowKind::Insert, change.cause, row);
        }
        Ok(())
    }
}
