//! Which kinds of changes a stream may carry.

use std::fmt;

use super::RowKind;

/// The kinds of changes that may flow along an edge of a plan, or that a table takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChangelogMode {
    /// Whether `+I` may occur.
    pub insert: bool,
    /// Whether `-U` may occur.
    pub update_before: bool,
    /// Whether `+U` may occur.
    pub update_after: bool,
    /// Whether `-D` may occur, and what it carries.
    pub delete: DeleteKind,
}

/// What a `-D` carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeleteKind {
    /// There are no deletes.
    None,
    /// At least the key; other columns may be NULL.
    ByKey,
    /// The whole row.
    Full,
}

impl ChangelogMode {
    /// No changes at all.
    pub const EMPTY: Self =
        Self { insert: false, update_before: false, update_after: false, delete: DeleteKind::None };
    /// Only `+I`.
    pub const APPEND: Self = Self { insert: true, ..Self::EMPTY };
    /// All four kinds.
    pub const RETRACT: Self =
        Self { insert: true, update_before: true, update_after: true, delete: DeleteKind::Full };

    /// `+I`, `+U` and `-D` by a key.
    pub fn upsert(delete: DeleteKind) -> Self {
        Self { insert: true, update_before: false, update_after: true, delete }
    }

    /// Whether a change of this kind may occur.
    pub fn contains(self, kind: RowKind) -> bool {
        match kind {
            RowKind::Insert => self.insert,
            RowKind::UpdateBefore => self.update_before,
            RowKind::UpdateAfter => self.update_after,
            RowKind::Delete => self.delete != DeleteKind::None,
        }
    }

    /// Whether only `+I` may occur.
    pub fn is_append(self) -> bool {
        self == Self::APPEND
    }

    /// Whether updates come as `+U` without `-U`.
    pub fn is_upsert(self) -> bool {
        self.update_after && !self.update_before
    }

    /// The kinds that may occur, in Flink's order.
    pub fn kinds(self) -> impl Iterator<Item = RowKind> {
        RowKind::ALL.into_iter().filter(move |&kind| self.contains(kind))
    }
}

impl fmt::Display for ChangelogMode {
    /// Flink's notation: `[I,UB,UA,D]`, with `PD` for deletes by key, and `[NONE]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<&str> = self
            .kinds()
            .map(|kind| match kind {
                RowKind::Insert => "I",
                RowKind::UpdateBefore => "UB",
                RowKind::UpdateAfter => "UA",
                RowKind::Delete if self.delete == DeleteKind::ByKey => "PD",
                RowKind::Delete => "D",
            })
            .collect();
        if letters.is_empty() { f.write_str("[NONE]") } else { write!(f, "[{}]", letters.join(",")) }
    }
}
