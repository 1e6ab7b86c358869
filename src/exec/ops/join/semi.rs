//! Semi joins and anti joins: the left rows that have a match, or none.

use super::super::super::RunError;
use super::super::super::operator::Operator;
use super::Sides;
use super::side::Hashes;
use crate::changelog::{Change, Changes, RowKind};

/// The left rows with a match on the right or, for an anti join, those without.
pub(in crate::exec) struct SemiJoin {
    sides: Sides,
    anti: bool,
}

impl SemiJoin {
    pub(in crate::exec) fn new(sides: Sides, anti: bool) -> Self {
        Self { sides, anti }
    }

    fn left(&mut self, change: Change<'_>, hashes: Hashes, out: &mut Changes) -> Result<(), RunError> {
        self.sides.find(change, hashes, true)?;
        let matches = self.sides.found_rows(true);
        if (matches == 0) == self.anti {
            out.push_change(change);
        }
        if change.kind.adds() {
            self.sides.left.add(change.row, hashes, matches);
        } else {
            self.sides.left.remove(change.row, hashes);
        }
        Ok(())
    }

    fn right(&mut self, change: Change<'_>, hashes: Hashes, out: &mut Changes) -> Result<(), RunError> {
        self.sides.find(change, hashes, false)?;
        let adds = change.kind.adds();
        let replaced = if adds {
            self.sides.right.add(change.row, hashes, 0)
        } else {
            self.sides.right.remove(change.row, hashes);
            false
        };
        let kind = match (self.anti, adds) {
            (false, _) => change.kind,
            (true, true) => RowKind::Delete,
            (true, false) => RowKind::Insert,
        };
        for &id in &self.sides.found {
            let left = &mut self.sides.left;
            let before = left.matches(id);
            let after = match (adds, replaced && before > 0) {
                (true, false) => before + 1,
                (true, true) => before,
                (false, _) => before.saturating_sub(1),
            };
            left.set_matches(id, after);
            if (before == 0) != (after == 0) {
                for _ in 0..left.count(id) {
                    out.push(kind, change.cause, left.row(id));
                }
            }
        }
        Ok(())
    }
}

impl Operator for SemiJoin {
    fn process(&mut self, port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let hashes = self.sides.hashes(input, port == 0);
        input.iter().zip(hashes).try_for_each(|(change, hashes)| match port {
            0 => self.left(change, hashes, out),
            _ => self.right(change, hashes, out),
        })
    }
}
