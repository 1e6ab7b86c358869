//! Inner, left, right and full joins.

use super::super::super::RunError;
use super::super::super::operator::Operator;
use super::Sides;
use super::side::Hashes;
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::value::Value;

/// The pairs of rows that match and, of an outer side, the rows without a match beside NULLs.
pub(in crate::exec) struct RegularJoin {
    sides: Sides,
    left_outer: bool,
    right_outer: bool,
    /// A row of NULLs as wide as the wider side.
    padding: Vec<Value>,
}

impl RegularJoin {
    pub(in crate::exec) fn new(sides: Sides, left_outer: bool, right_outer: bool) -> Self {
        let padding = vec![Value::NULL; sides.left.width().max(sides.right.width())];
        Self { sides, left_outer, right_outer, padding }
    }

    fn change(
        &mut self,
        change: Change<'_>,
        hashes: Hashes,
        from_left: bool,
        out: &mut Changes,
    ) -> Result<(), RunError> {
        self.sides.find(change, hashes, from_left)?;
        if change.kind.adds() {
            self.add(change, hashes, from_left, out);
        } else {
            self.remove(change, hashes, from_left, out);
        }
        Ok(())
    }

    fn is_outer(&self, left: bool) -> bool {
        if left { self.left_outer } else { self.right_outer }
    }

    fn add(&mut self, change: Change<'_>, hashes: Hashes, from_left: bool, out: &mut Changes) {
        let (outer, other_outer) = (self.is_outer(from_left), self.is_outer(!from_left));
        let matches = self.sides.found_rows(from_left);
        let replaced = self.sides.of(from_left).0.add(change.row, hashes, matches);
        if self.sides.found.is_empty() && outer {
            self.emit_padded(RowKind::Insert, change.cause, change.row, from_left, out);
        }
        let kind = if outer || other_outer { RowKind::Insert } else { change.kind };
        for place in 0..self.sides.found.len() {
            let id = self.sides.found[place];
            let theirs = self.sides.other(from_left);
            let before = theirs.matches(id);
            for _ in 0..theirs.count(id) {
                // The first match takes the row beside NULLs back.
                if other_outer && before == 0 {
                    self.emit_padded(RowKind::Delete, change.cause, theirs.row(id), !from_left, out);
                }
                emit_pair(kind, change, theirs.row(id), from_left, out);
            }
            // A row that replaces another of its unique key is no further match.
            if before == 0 || !replaced {
                self.sides.of(from_left).1.set_matches(id, before + 1);
            }
        }
    }

    fn remove(&mut self, change: Change<'_>, hashes: Hashes, from_left: bool, out: &mut Changes) {
        let (outer, other_outer) = (self.is_outer(from_left), self.is_outer(!from_left));
        self.sides.of(from_left).0.remove(change.row, hashes);
        if self.sides.found.is_empty() && outer {
            self.emit_padded(RowKind::Delete, change.cause, change.row, from_left, out);
        }
        let kind = if outer { RowKind::Delete } else { change.kind };
        for place in 0..self.sides.found.len() {
            let id = self.sides.found[place];
            let theirs = self.sides.other(from_left);
            let before = theirs.matches(id);
            for _ in 0..theirs.count(id) {
                emit_pair(kind, change, theirs.row(id), from_left, out);
                // After the last match the row beside NULLs comes back at once.
                if other_outer && before == 1 {
                    self.emit_padded(RowKind::Insert, change.cause, theirs.row(id), !from_left, out);
                }
            }
            self.sides.of(from_left).1.set_matches(id, before.saturating_sub(1));
        }
    }

    fn emit_padded(&self, kind: RowKind, cause: Cause, row: &[Value], is_left: bool, out: &mut Changes) {
        if is_left {
            out.push_joined(kind, cause, row, &self.padding[..self.sides.right.width()]);
        } else {
            out.push_joined(kind, cause, &self.padding[..self.sides.left.width()], row);
        }
    }
}

fn emit_pair(kind: RowKind, change: Change<'_>, other: &[Value], from_left: bool, out: &mut Changes) {
    let (left, right) = if from_left { (change.row, other) } else { (other, change.row) };
    out.push_joined(kind, change.cause, left, right);
}

impl Operator for RegularJoin {
    fn process(&mut self, port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let from_left = port == 0;
        let hashes = self.sides.hashes(input, from_left);
        input.iter().zip(hashes).try_for_each(|(change, hashes)| self.change(change, hashes, from_left, out))
    }
}
