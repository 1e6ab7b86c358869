//! The kind of a change.

use std::fmt;
use std::str::FromStr;

/// What a change does to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// `+I`, a new row.
    Insert,
    /// `-U`, the old image of an updated row.
    UpdateBefore,
    /// `+U`, the new image of an updated row.
    UpdateAfter,
    /// `-D`, a removed row.
    Delete,
}

impl RowKind {
    /// All kinds, in Flink's order.
    pub const ALL: [Self; 4] = [Self::Insert, Self::UpdateBefore, Self::UpdateAfter, Self::Delete];

    /// How the change counts: 1 when it adds a row, -1 when it takes one away.
    pub fn weight(self) -> i64 {
        match self {
            Self::Insert | Self::UpdateAfter => 1,
            Self::UpdateBefore | Self::Delete => -1,
        }
    }

    /// Whether the change adds a row.
    pub fn adds(self) -> bool {
        self.weight() > 0
    }

    /// The name in SQL: `INSERT`, `UPDATE_BEFORE`, `UPDATE_AFTER` or `DELETE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::UpdateBefore => "UPDATE_BEFORE",
            Self::UpdateAfter => "UPDATE_AFTER",
            Self::Delete => "DELETE",
        }
    }

    /// The kind with exactly this name in SQL.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The short name: `+I`, `-U`, `+U` or `-D`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Insert => "+I",
            Self::UpdateBefore => "-U",
            Self::UpdateAfter => "+U",
            Self::Delete => "-D",
        }
    }
}

impl fmt::Display for RowKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

impl FromStr for RowKind {
    type Err = ();

    /// Reads a short name.
    fn from_str(symbol: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|kind| kind.symbol() == symbol).ok_or(())
    }
}
