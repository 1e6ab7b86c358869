//! Where a statement gives a new name, which nobody can guess.

use super::place::Place;
use crate::sql::LexemeKind;

impl Place<'_> {
    /// Behind an AS that is no start of a definition. Returns whether the cursor is there.
    pub(super) fn new_name(&mut self) -> bool {
        if !self.back_is(1, &["AS"]) || self.is_before_definition() {
            return false;
        }
        if self.back_is(2, &["SYSTEM_TIME"]) {
            self.offers.keyword("OF");
        } else if self.is_named_query() {
            self.offers.keyword("(SELECT");
        }
        true
    }

    /// Whether a query or an expression follows: `CREATE VIEW v AS`, `DEFINE a AS`.
    fn is_before_definition(&self) -> bool {
        let before = self.cursor.before();
        let start = self.start_of_bracket();
        if before[start..].iter().any(|token| token.is("DEFINE")) || before[0].is("ALTER") {
            return true;
        }
        let mut depth = 0_usize;
        let mut count = 0;
        for token in before {
            match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => depth += 1,
                LexemeKind::Symbol(b')' | b']') => depth = depth.saturating_sub(1),
                _ if depth == 0 && token.is("AS") => count += 1,
                _ => {}
            }
        }
        before[0].is("CREATE") && depth == 0 && count == 1
    }

    /// `WITH name AS`
    fn is_named_query(&self) -> bool {
        let start = self.start_of_bracket();
        let has_with = self.cursor.before()[start..].iter().any(|token| token.is("WITH"));
        has_with && self.last_clause(start).is_none()
    }
}
