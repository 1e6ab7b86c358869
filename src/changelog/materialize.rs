//! The table that a changelog adds up to.

use std::collections::HashMap;

use super::{Change, RowKind};
use crate::value::{Row, Value};

/// A table made by applying changes one after the other.
///
/// With a key, `+I` and `+U` put the row for their key, `-D` removes it by its key, and `-U` removes
/// it until a new one comes: a filter may let no new one pass. Without a key the table is a multiset: `+I` and `+U` add a row, `-U` and `-D` remove
/// one equal row if there is one. Rows keep the order in which they came; an updated row of a
/// keyed table keeps its place.
#[derive(Debug, Clone, Default)]
pub struct Materialized {
    key: Option<Vec<usize>>,
    rows: Vec<Option<Row>>,
    /// Where each key is, or, without a key, each row.
    places: HashMap<Row, Vec<usize>>,
    /// Without a key nobody asks where rows are until one is removed, and perhaps none ever is.
    has_places: bool,
    len: usize,
}

impl Materialized {
    /// An empty table, with the positions of its key columns if it has a key.
    pub fn new(key: Option<Vec<usize>>) -> Self {
        Self { has_places: key.is_some(), key, ..Self::default() }
    }

    /// Applies a change. A `-U` or `-D` of an absent row does nothing; returns whether the change
    /// found what it needs.
    pub fn apply(&mut self, change: Change<'_>) -> bool {
        let Some(key) = &self.key else { return self.apply_to_multiset(change) };
        let key: Row = key.iter().map(|&column| change.row[column].clone()).collect();
        match change.kind {
            RowKind::Insert | RowKind::UpdateAfter => {
                if let Some(place) = self.place(&key) {
                    let before = self.rows[place].replace(change.row.into());
                    self.len += usize::from(before.is_none());
                } else {
                    self.append(key, change.row);
                }
                true
            }
            RowKind::UpdateBefore => {
                let before = self.place(&key).and_then(|place| self.rows[place].take());
                self.len -= usize::from(before.is_some());
                before.is_some()
            }
            RowKind::Delete => self.remove(&key),
        }
    }

    /// The place of a key, whether or not its row is there.
    fn place(&self, key: &[Value]) -> Option<usize> {
        self.places.get(key).and_then(|places| places.last()).copied()
    }

    fn apply_to_multiset(&mut self, change: Change<'_>) -> bool {
        if !change.kind.adds() {
            self.find_places();
            return self.remove(change.row);
        }
        if self.has_places {
            self.append(change.row.into(), change.row);
        } else {
            self.rows.push(Some(change.row.into()));
            self.len += 1;
        }
        true
    }

    fn find_places(&mut self) {
        if !self.has_places {
            self.has_places = true;
            for (place, row) in self.rows.iter().enumerate() {
                let row = row.clone().expect("no row was removed while places were not known");
                self.places.entry(row).or_default().push(place);
            }
        }
    }

    fn append(&mut self, key: Row, row: &[Value]) {
        self.places.entry(key).or_default().push(self.rows.len());
        self.rows.push(Some(row.into()));
        self.len += 1;
    }

    fn remove(&mut self, key: &[Value]) -> bool {
        let Some(places) = self.places.get_mut(key) else { return false };
        let place = places.pop().expect("a key that is kept has a place");
        if places.is_empty() {
            self.places.remove(key);
        }
        let was_there = self.rows[place].take().is_some();
        self.len -= usize::from(was_there);
        if self.rows.len() > 2 * self.len + 16 {
            self.compact();
        }
        was_there
    }

    /// Closes the gaps that removed rows left.
    fn compact(&mut self) {
        let mut moved = vec![0; self.rows.len()];
        let mut next = 0;
        for (place, row) in self.rows.iter().enumerate() {
            moved[place] = next;
            next += usize::from(row.is_some());
        }
        self.places.retain(|_, places| places.iter().all(|&place| self.rows[place].is_some()));
        self.rows.retain(Option::is_some);
        for place in self.places.values_mut().flatten() {
            *place = moved[*place];
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The rows, in the order in which they came.
    pub fn rows(&self) -> impl Iterator<Item = &[Value]> {
        self.rows.iter().flatten().map(|row| &**row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::Cause;

    fn rows_after(key: Option<Vec<usize>>, changes: &[(&str, i64, &str)]) -> Vec<(i64, String)> {
        let mut table = Materialized::new(key);
        for (kind, id, name) in changes {
            let row = [Value::integer(*id), Value::string(name)];
            table.apply(Change { kind: kind.parse().unwrap(), row: &row, cause: Cause::default() });
        }
        let row = |row: &[Value]| (row[0].as_integer().unwrap(), row[1].as_str().unwrap().to_owned());
        table.rows().map(row).collect()
    }

    #[test]
    fn a_key_replaces_in_place_and_a_delete_needs_the_key_alone() {
        let changes = [("+I", 1, "a"), ("+I", 2, "b"), ("-U", 1, "a"), ("+U", 1, "c"), ("-D", 2, "")];
        assert_eq!(rows_after(Some(vec![0]), &changes), [(1, "c".to_owned())]);
    }

    #[test]
    fn an_old_row_without_a_new_one_is_gone_and_a_new_one_comes_to_its_place() {
        let changes = [("+I", 1, "a"), ("+I", 2, "b"), ("-U", 1, "a")];
        assert_eq!(rows_after(Some(vec![0]), &changes), [(2, "b".to_owned())]);
        let more = [changes.as_slice(), &[("+U", 1, "c")]].concat();
        assert_eq!(rows_after(Some(vec![0]), &more), [(1, "c".to_owned()), (2, "b".to_owned())]);
        let mut all: Vec<_> = (0..40).flat_map(|id| [("+I", id, "x"), ("-U", id, "x")]).collect();
        all.extend([("+I", 90, "x"), ("-D", 90, "x"), ("+U", 7, "y")]);
        assert_eq!(rows_after(Some(vec![0]), &all), [(7, "y".to_owned())]);
    }

    #[test]
    fn without_a_key_duplicates_are_counted_and_absent_rows_are_not_retracted() {
        let changes = [("+I", 1, "a"), ("+I", 1, "a"), ("-D", 1, "a"), ("-D", 9, "x")];
        assert_eq!(rows_after(None, &changes), [(1, "a".to_owned())]);
    }

    #[test]
    fn many_removals_keep_the_remaining_rows_in_order() {
        let mut changes: Vec<_> = (0..100).map(|id| ("+I", id, "x")).collect();
        changes.extend((0..100).filter(|id| id % 10 != 0).map(|id| ("-D", id, "x")));
        let ids: Vec<_> = rows_after(None, &changes).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, (0..100).step_by(10).collect::<Vec<_>>());
    }
}
