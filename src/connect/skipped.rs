//! What was left out because it is no row.

use std::fmt;

use super::ConnectError;

/// Records that were left out, as an option such as `json.ignore-parse-errors` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// How many.
    pub records: u64,
    /// What is wrong with the first of them.
    pub first: ConnectError,
}

impl Skipped {
    /// Adds those that come behind others.
    pub(crate) fn add(all: &mut Option<Self>, more: Self) {
        match all {
            Some(all) => all.records += more.records,
            None => *all = Some(more),
        }
    }

    /// All of several inputs, one behind the other.
    pub(crate) fn of_all(parts: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut all = None;
        parts.into_iter().for_each(|part| Self::add(&mut all, part));
        all
    }
}

/// As one line: `3 records were skipped; the first: a.csv:2:1: "x" is not an INT, in column "id"`.
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.records {
            1 => write!(f, "1 record was skipped: {}", self.first),
            records => write!(f, "{records} records were skipped; the first: {}", self.first),
        }
    }
}
