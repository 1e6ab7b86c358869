//! The decoded arguments of `FROM_CHANGELOG` and `TO_CHANGELOG`.
//!
//! Both are process table functions: they read one table, with *row semantics* (each row by
//! itself) or, with `PARTITION BY`, with *set semantics*. Their rules are those of FLIP-564.

use super::node::SortKey;
use crate::changelog::{ChangelogMode, DeleteKind, RowKind};
use crate::sql::Span;

/// The names of the two functions, how they are called and what they do.
pub const FUNCTIONS: [(&str, &str, &str); 2] = [
    (
        "FROM_CHANGELOG",
        "FROM_CHANGELOG(input => TABLE t [PARTITION BY key] [ORDER BY time], op => DESCRIPTOR(op), \
         op_mapping => MAP['c, r', 'INSERT', …], error_handling => 'FAIL' | 'SKIP')",
        "Makes changes of rows with operation codes.",
    ),
    (
        "TO_CHANGELOG",
        "TO_CHANGELOG(input => TABLE t [PARTITION BY key], op => DESCRIPTOR(op), \
         op_mapping => MAP['INSERT, UPDATE_AFTER', 'u', …], produces_full_deletes => TRUE | FALSE)",
        "Makes rows with operation codes of changes.",
    ),
];

/// `FROM_CHANGELOG`: gives each row of an append-only input the kind that its operation code
/// names, and takes the code out of the row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromChangelog {
    /// The partition columns in the order of the clause; none for row semantics.
    pub partition: Option<Vec<usize>>,
    /// `ORDER BY` of the input, by a time attribute first.
    pub order: Vec<SortKey>,
    /// The column of the operation code.
    pub op: usize,
    /// The codes with their kinds, in the order of the mapping.
    pub codes: Vec<(String, RowKind)>,
    /// Whether the mapping was given.
    pub mapped: bool,
    /// What happens to a row with an unmapped or NULL code.
    pub error_handling: ErrorHandling,
    /// The columns of the input that the output has, in order: partition columns, then the others.
    pub output: Vec<usize>,
    /// The `uid` that was given.
    pub uid: Option<String>,
    /// Where the call stands in the statement.
    pub place: Option<Span>,
}

/// What `FROM_CHANGELOG` does with a row whose operation code is NULL or not mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorHandling {
    /// The statement fails.
    Fail,
    /// The row is left out.
    Skip,
}

/// `TO_CHANGELOG`: gives each change as an inserted row with an operation code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToChangelog {
    /// The partition columns in the order of the clause; none for row semantics.
    pub partition: Option<Vec<usize>>,
    /// The name of the new column.
    pub op: String,
    /// The code of each kind; kinds without one are left out.
    pub codes: Vec<(RowKind, String)>,
    /// Whether the mapping was given.
    pub mapped: bool,
    /// Whether deletes carry the whole row; `None` if nothing was said, which means yes.
    pub produces_full_deletes: Option<bool>,
    /// The columns of the input that follow the code, in order.
    pub payload: Vec<usize>,
    /// The columns of the input that a partial delete keeps.
    pub kept: Vec<usize>,
    /// The time attribute of `on_time`, which is appended as `rowtime`.
    pub on_time: Option<usize>,
    /// The `uid` that was given.
    pub uid: Option<String>,
}

impl FromChangelog {
    /// Whether the result is an upsert stream: updates without their old image, by the partition
    /// key.
    pub fn is_upsert(&self) -> bool {
        let maps = |kind| self.codes.iter().any(|(_, k)| *k == kind);
        maps(RowKind::UpdateAfter) && !maps(RowKind::UpdateBefore)
    }

    /// The kinds of changes that the result is declared to have.
    pub fn changelog_mode(&self) -> ChangelogMode {
        if self.is_upsert() { ChangelogMode::upsert(DeleteKind::Full) } else { ChangelogMode::RETRACT }
    }
}

impl ToChangelog {
    /// The code of a kind.
    pub fn code(&self, kind: RowKind) -> Option<&str> {
        self.codes.iter().find(|(k, _)| *k == kind).map(|(_, code)| code.as_str())
    }

    /// Whether the function asks its input for `-U`.
    pub fn requires_update_before(&self) -> bool {
        self.code(RowKind::UpdateBefore).is_some()
    }

    /// Whether the function asks its input for whole rows in deletes.
    pub fn requires_full_delete(&self) -> bool {
        self.produces_full_deletes != Some(false) && self.code(RowKind::Delete).is_some()
    }
}
