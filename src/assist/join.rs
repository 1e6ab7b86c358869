//! What joins the relations of a query: the conditions behind ON, the columns in USING.

use super::offer::Sort;
use super::place::Place;
use super::relation::{Column, Reader, Relation};

impl Place<'_> {
    /// Behind ON: that columns of the same name are equal.
    pub(super) fn join_conditions(&mut self) {
        let Some((left, right)) = self.joined() else { return };
        for relation in left.iter().filter(|relation| !relation.name.is_empty()) {
            for column in common(&relation.columns, &right.columns) {
                self.offers.equality([&relation.name, &column.name], [&right.name, &column.name]);
            }
        }
    }

    /// In `USING (…)`: the columns that both sides have.
    pub(super) fn common_columns(&mut self) {
        let Some((left, right)) = self.joined() else { return };
        for relation in &left {
            for column in common(&relation.columns, &right.columns) {
                self.offers.name(Sort::Column, &column.name);
            }
        }
    }

    /// Whether the last JOIN takes no condition.
    pub(super) fn joins_without_condition(&self) -> bool {
        let before = self.cursor.before();
        let join = before.iter().rposition(|token| token.is("JOIN"));
        let kind = join.and_then(|join| join.checked_sub(1));
        kind.is_some_and(|kind| {
            before[kind].is_any(&["CROSS", "NATURAL"]) || kind > 0 && before[kind - 1].is("NATURAL")
        })
    }

    /// The relations on the left of the last JOIN before the cursor, and the one on its right.
    fn joined(&self) -> Option<(Vec<Relation>, Relation)> {
        let reader = Reader::new(self.session.catalog(), self.cursor.before());
        let mut left = reader.innermost(self.cursor.at);
        let right = left.pop().filter(|right| !right.name.is_empty())?;
        Some((left, right))
    }
}

/// The columns that occur in both lists.
fn common<'c>(left: &'c [Column], right: &'c [Column]) -> impl Iterator<Item = &'c Column> {
    left.iter().filter(|column| right.iter().any(|other| other.name == column.name))
}
