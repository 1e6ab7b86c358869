//! What a changelog adds up to: how many changes of each kind, and how many rows.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};

use super::view::Ending;
use crate::changelog::{Change, Materialized, RowKind};
use crate::value::Value;

/// Counts changes and the rows of the table that they add up to.
///
/// The rows are counted by applying the changes to a table. Where the table would cost too much it is given
/// up: from then on rows with a key are counted by the hashes of their keys, and others by the weights of
/// their changes, which is right for every changelog without a key that takes away only what is there.
#[derive(Debug)]
pub struct Tally {
    counts: Counts,
    /// The changes that take away a row that is not there.
    astray: usize,
    key: Option<Vec<usize>>,
    table: Table,
}

/// How many changes of each kind there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([usize; 4]);

#[derive(Debug)]
enum Table {
    Kept { table: Materialized, changes_left: usize },
    Hashed(Hashed),
    Counted { rows: usize },
}

/// The keys that are there.
#[derive(Debug, Default)]
struct Hashed {
    hashes: HashSet<u64, foldhash::fast::FixedState>,
    state: foldhash::fast::RandomState,
}

/// After how many changes the table is given up.
const KEPT: usize = 10_000;

impl Counts {
    /// Counts a change.
    pub fn count(&mut self, kind: RowKind) {
        self.0[place(kind)] += 1;
    }

    /// How many there are of all kinds.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

impl fmt::Display for Counts {
    /// `5 changes (+I 2, -U 1, +U 1, -D 1)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = RowKind::ALL.into_iter().map(|kind| (kind, self.0[place(kind)]));
        let kinds: Vec<String> =
            kinds.filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{kind} {count}")).collect();
        f.write_str(&counted(self.total(), "change"))?;
        if kinds.is_empty() { Ok(()) } else { write!(f, " ({})", kinds.join(", ")) }
    }
}

impl Tally {
    /// Nothing yet, with the key by which rows replace each other.
    pub(super) fn new(key: Option<Vec<usize>>) -> Self {
        Self::giving_up(key, KEPT)
    }

    /// Nothing yet, with a table that is kept whatever it costs.
    pub fn with_table(key: Option<Vec<usize>>) -> Self {
        Self::giving_up(key, usize::MAX)
    }

    fn giving_up(key: Option<Vec<usize>>, changes_left: usize) -> Self {
        let table = Table::Kept { table: Materialized::new(key.clone()), changes_left };
        Self { counts: Counts::default(), astray: 0, key, table }
    }

    /// Counts a change.
    pub fn count(&mut self, change: Change<'_>) {
        self.counts.count(change.kind);
        match &mut self.table {
            Table::Counted { rows } if change.kind.adds() => *rows += 1,
            Table::Counted { rows } => *rows = rows.saturating_sub(1),
            Table::Hashed(hashed) => {
                let key = self.key.as_deref().unwrap_or_default();
                self.astray += usize::from(!hashed.apply(key, change));
            }
            Table::Kept { table, changes_left } => {
                self.astray += usize::from(!table.apply(change));
                *changes_left -= 1;
                if *changes_left == 0 {
                    self.table = match &self.key {
                        Some(key) => Table::Hashed(Hashed::of(key, table)),
                        None => Table::Counted { rows: table.len() },
                    };
                }
            }
        }
    }

    /// Forgets how many changes there were, but not what they added up to.
    pub(super) fn start_over(&mut self) {
        self.counts = Counts::default();
        self.astray = 0;
    }

    /// Whether there is nothing to show of a query: it stopped before its first change.
    pub(super) fn is_nothing(&self, ending: Ending) -> bool {
        ending != Ending::Complete && self.counts.total() == 0
    }

    /// What the changes add up to, in a form in which there are so many of them:
    /// `3 changes (+I 2, +U 1) → 1 row`.
    pub fn in_form(&self, counts: &Counts) -> impl fmt::Display {
        let sum = format!("{counts} → {}", counted(self.rows(), "row"));
        match self.astray {
            0 => sum,
            1 => sum + "; 1 change takes away a row that is not there",
            n => format!("{sum}; {n} changes take away rows that are not there"),
        }
    }

    /// The table, if it is kept.
    pub fn table(&self) -> Option<&Materialized> {
        match &self.table {
            Table::Kept { table, .. } => Some(table),
            Table::Hashed(_) | Table::Counted { .. } => None,
        }
    }

    fn rows(&self) -> usize {
        match &self.table {
            Table::Kept { table, .. } => table.len(),
            Table::Hashed(hashed) => hashed.hashes.len(),
            Table::Counted { rows } => *rows,
        }
    }
}

impl Hashed {
    /// The keys of a table's rows.
    fn of(key: &[usize], table: &Materialized) -> Self {
        let mut hashed = Self::default();
        for row in table.rows() {
            let hash = hashed.hash(key, row);
            hashed.hashes.insert(hash);
        }
        hashed
    }

    fn hash(&self, key: &[usize], row: &[Value]) -> u64 {
        let mut hasher = self.state.build_hasher();
        for &column in key {
            row[column].hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Applies a change. Returns whether it found what it needs.
    fn apply(&mut self, key: &[usize], change: Change<'_>) -> bool {
        let hash = self.hash(key, change.row);
        if change.kind.adds() {
            self.hashes.insert(hash);
            true
        } else {
            self.hashes.remove(&hash)
        }
    }
}

fn place(kind: RowKind) -> usize {
    match kind {
        RowKind::Insert => 0,
        RowKind::UpdateBefore => 1,
        RowKind::UpdateAfter => 2,
        RowKind::Delete => 3,
    }
}

impl fmt::Display for Tally {
    /// `5 changes (+I 2, -U 1, +U 1, -D 1) → 1 row`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_form(&self.counts).fmt(f)
    }
}

/// `1 row`, `2 rows`
pub(super) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::Cause;

    fn count(tally: &mut Tally, kind: RowKind, id: i64) {
        tally.count(Change { kind, row: &[Value::integer(id)], cause: Cause::default() });
    }

    #[test]
    fn a_changelog_is_summed_up_by_its_kinds_and_its_rows() {
        let mut tally = Tally::new(None);
        assert_eq!(tally.to_string(), "0 changes → 0 rows");
        for (kind, id) in [(RowKind::Insert, 1), (RowKind::UpdateBefore, 1), (RowKind::UpdateAfter, 2)] {
            count(&mut tally, kind, id);
        }
        assert_eq!(tally.to_string(), "3 changes (+I 1, -U 1, +U 1) → 1 row");
        count(&mut tally, RowKind::Delete, 9);
        assert!(tally.to_string().ends_with(" → 1 row; 1 change takes away a row that is not there"));
    }

    #[test]
    fn many_rows_are_counted_by_weight_and_keyed_rows_by_their_key() {
        let rows = i64::try_from(KEPT).unwrap() + 7;
        let (mut plain, mut keyed) = (Tally::new(None), Tally::new(Some(vec![0])));
        for id in 0..rows {
            count(&mut plain, RowKind::Insert, id);
            count(&mut keyed, RowKind::UpdateAfter, id % 5);
        }
        for (kind, id) in [(RowKind::UpdateBefore, 1), (RowKind::UpdateAfter, 1), (RowKind::Delete, 2)] {
            count(&mut keyed, kind, id);
        }
        count(&mut plain, RowKind::Delete, 3);
        assert!(plain.table().is_none());
        assert!(plain.to_string().ends_with("→ 10006 rows"), "{plain}");
        assert!(keyed.to_string().ends_with("→ 4 rows"), "{keyed}");
    }
}
