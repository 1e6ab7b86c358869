//! Upserts to changes of full rows.

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::Operator;
use crate::changelog::{Change, Changes, RowKind};
use crate::expr::{Context, Expr};
use crate::value::{RowText, Value};

/// Keeps the last row of each key, and gives what changes: a new key `+I`, another row the old
/// and the new image, an equal row nothing, a delete `-D` with the stored row, and a delete of an
/// absent key nothing. A row that does not satisfy the condition counts as absent.
pub(in crate::exec) struct Normalize {
    condition: Option<Expr>,
    update_before: bool,
    context: Context,
    row_text: RowText,
    index: KeyIndex,
    width: usize,
    /// The stored rows lie side by side, each at the place of its key.
    rows: Vec<Value>,
}

impl Normalize {
    pub(in crate::exec) fn new(
        key: Vec<usize>,
        condition: Option<Expr>,
        update_before: bool,
        context: Context,
        row_text: RowText,
        width: usize,
    ) -> Self {
        let index = KeyIndex::new(key);
        Self { condition, update_before, context, row_text, index, width, rows: Vec::new() }
    }

    fn stored(&self, place: usize) -> &[Value] {
        &self.rows[place * self.width..(place + 1) * self.width]
    }

    fn store(&mut self, place: usize, row: &[Value]) {
        if self.rows.len() < self.index.places() * self.width {
            self.rows.extend_from_slice(row);
        } else {
            self.rows[place * self.width..(place + 1) * self.width].clone_from_slice(row);
        }
    }

    fn satisfies(&mut self, change: Change<'_>) -> Result<bool, RunError> {
        let Some(condition) = &self.condition else { return Ok(true) };
        self.context.now = change.cause.arrival;
        condition.matches(change.row, &self.context).map_err(|error| RunError::Eval {
            error,
            row: self.row_text.of(change.row),
            cause: change.cause,
        })
    }

    fn put(&mut self, change: Change<'_>, hash: u64, out: &mut Changes) -> Result<(), RunError> {
        if !self.satisfies(change)? {
            self.delete(change, hash, out);
            return Ok(());
        }
        match self.index.find_or_insert_hashed(hash, change.row) {
            Slot::New(place) => {
                self.store(place, change.row);
                out.push(RowKind::Insert, change.cause, change.row);
            }
            Slot::Found(place) => {
                let stored = self.stored(place);
                if stored != change.row {
                    if self.update_before {
                        out.push(RowKind::UpdateBefore, change.cause, stored);
                    }
                    self.store(place, change.row);
                    out.push(RowKind::UpdateAfter, change.cause, change.row);
                }
            }
        }
        Ok(())
    }

    fn delete(&mut self, change: Change<'_>, hash: u64, out: &mut Changes) {
        if let Some(place) = self.index.find_hashed(hash, change.row) {
            out.push(RowKind::Delete, change.cause, self.stored(place));
            self.rows[place * self.width..(place + 1) * self.width].fill(Value::NULL);
            self.index.remove(place);
        }
    }
}

impl Operator for Normalize {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let hashes = self.index.hashes(input, |place| self.stored(place).last().is_some_and(Value::is_null));
        for (change, hash) in input.iter().zip(hashes) {
            match change.kind {
                RowKind::Insert | RowKind::UpdateAfter => self.put(change, hash, out)?,
                RowKind::UpdateBefore | RowKind::Delete => self.delete(change, hash, out),
            }
        }
        Ok(())
    }
}
