//! Joins of two inputs that change.
//!
//! Each side remembers its rows; a change of one side looks up what it matches on the other.
//! Which kinds come out is Flink's: a side whose rows are kept without a match ("outer") gives
//! `+I` and `-D`, never `-U` and `+U`; a side of an inner or semi join hands its own kinds on.

mod regular;
mod semi;
mod side;

use super::super::RunError;
use crate::changelog::{Change, Changes};
use crate::expr::{Context, Expr};
use crate::value::{RowText, Value};

pub(in crate::exec) use regular::RegularJoin;
pub(in crate::exec) use semi::SemiJoin;
use side::{Hashes, Side};

/// What the two operators share: the sides, and what a match is.
pub(in crate::exec) struct Sides {
    left: Side,
    right: Side,
    /// For each pair of key columns, whether NULL matches NULL.
    null_safe: Vec<bool>,
    /// What has to hold beside the keys, over the left row followed by the right one.
    residual: Option<Expr>,
    context: Context,
    /// How a joined row is shown in an error.
    row_text: RowText,
    joined: Vec<Value>,
    /// The records of the other side that match the current row.
    found: Vec<u32>,
}

/// One side of a join, as it is planned.
pub(in crate::exec) struct SideSpec {
    /// The number of columns.
    pub(in crate::exec) width: usize,
    /// The key columns.
    pub(in crate::exec) join: Vec<usize>,
    /// The key by which an update replaces a row, if updates come without old images. It contains
    /// the join key.
    pub(in crate::exec) unique: Option<Vec<usize>>,
}

impl Sides {
    pub(in crate::exec) fn new(
        left: SideSpec,
        right: SideSpec,
        null_safe: Vec<bool>,
        residual: Option<Expr>,
        context: Context,
        row_text: RowText,
    ) -> Self {
        Self {
            left: Side::new(left.width, left.join, left.unique),
            right: Side::new(right.width, right.join, right.unique),
            null_safe,
            residual,
            context,
            row_text,
            joined: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The input's side and the other one.
    fn of(&mut self, from_left: bool) -> (&mut Side, &mut Side) {
        if from_left { (&mut self.left, &mut self.right) } else { (&mut self.right, &mut self.left) }
    }

    /// The hashes of the rows of an input, which are looked for next.
    fn hashes(&self, input: &Changes, from_left: bool) -> Vec<Hashes> {
        let (ours, theirs) = if from_left { (&self.left, &self.right) } else { (&self.right, &self.left) };
        let hashes: Vec<Hashes> = input.iter().map(|change| ours.hashes(change.row)).collect();
        ours.touch(&hashes, true);
        theirs.touch(&hashes, false);
        hashes
    }

    /// Finds the records of the other side that match a row.
    fn find(&mut self, change: Change<'_>, hashes: Hashes, from_left: bool) -> Result<(), RunError> {
        self.found.clear();
        let row = change.row;
        let (ours, theirs) = if from_left { (&self.left, &self.right) } else { (&self.right, &self.left) };
        let columns = ours.join();
        // NULL equals nothing.
        if columns.iter().zip(&self.null_safe).any(|(&column, &safe)| !safe && row[column].is_null()) {
            return Ok(());
        }
        let Some(residual) = &self.residual else {
            self.found.extend(theirs.matching(row, columns, hashes));
            return Ok(());
        };
        self.context.now = change.cause.arrival;
        for id in theirs.matching(row, columns, hashes) {
            self.joined.clear();
            let other = theirs.row(id);
            let (left, right) = if from_left { (row, other) } else { (other, row) };
            self.joined.extend_from_slice(left);
            self.joined.extend_from_slice(right);
            let matches = residual.matches(&self.joined, &self.context);
            let matches = matches.map_err(|error| RunError::Eval {
                error,
                row: self.row_text.of(&self.joined),
                cause: change.cause,
            })?;
            if matches {
                self.found.push(id);
            }
        }
        Ok(())
    }

    /// The side that the input is not.
    fn other(&self, from_left: bool) -> &Side {
        if from_left { &self.right } else { &self.left }
    }

    /// How many rows the records that were found stand for.
    fn found_rows(&self, from_left: bool) -> u32 {
        let theirs = self.other(from_left);
        self.found.iter().map(|&id| theirs.count(id)).sum()
    }
}
