//! What a join remembers of one of its inputs.

use std::hash::{BuildHasher, Hash, Hasher};
use std::hint::black_box;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::super::super::keyed::LARGE;
use crate::value::Value;

/// The rows of one input, found by their join key, and each by itself.
///
/// A row is known by its unique key, or as a whole where the input has none; equal rows are
/// counted. The rows of a join key are chained in the order of their arrival, which is the order in
/// which matches are emitted.
pub(super) struct Side {
    width: usize,
    /// The join key.
    join: Vec<usize>,
    /// The columns by which a row is known.
    identity: Vec<usize>,
    /// Whether a new row takes the place of one with the same identity.
    replaces: bool,
    rows: Vec<Value>,
    records: Vec<Record>,
    /// Records by identity.
    by_identity: HashTable<u32>,
    /// Chains by join key.
    by_join: HashTable<Chain>,
    free: Vec<u32>,
    hasher: FixedState,
}

#[derive(Clone, Copy)]
struct Record {
    /// How many equal rows there are.
    count: u32,
    /// How many rows of the other input match, where that is of interest.
    matches: u32,
    previous: u32,
    next: u32,
}

/// The first and the last record of a join key.
#[derive(Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
}

const NONE: u32 = u32::MAX;

/// The hashes of a row of one of the sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hashes {
    join: u64,
    identity: u64,
}

impl Side {
    pub(super) fn new(width: usize, join: Vec<usize>, unique: Option<Vec<usize>>) -> Self {
        Self {
            width,
            join,
            replaces: unique.is_some(),
            identity: unique.unwrap_or_else(|| (0..width).collect()),
            rows: Vec::new(),
            records: Vec::new(),
            by_identity: HashTable::new(),
            by_join: HashTable::new(),
            free: Vec::new(),
            hasher: FixedState::default(),
        }
    }

    /// The number of columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The columns of the join key.
    pub(super) fn join(&self) -> &[usize] {
        &self.join
    }

    /// The hashes of a row of this side.
    pub(super) fn hashes(&self, row: &[Value]) -> Hashes {
        Hashes { join: self.hash(&self.join, row), identity: self.hash(&self.identity, row) }
    }

    /// Brings near what rows of these hashes need, all at once: to wait for memory row by row takes more
    /// time than all else. The rows are the side's own, or those of the other one.
    pub(super) fn touch(&self, hashes: &[Hashes], own: bool) {
        if self.records.len() < LARGE || hashes.len() < 2 {
            return;
        }
        // The first one with the same few bits of its hash is the right one, nearly always.
        let chains = hashes.iter().filter_map(|hashes| self.by_join.find(hashes.join, |_| true));
        let mut ids: Vec<u32> = chains.map(|chain| if own { chain.last } else { chain.first }).collect();
        if own {
            ids.extend(hashes.iter().filter_map(|hashes| self.by_identity.find(hashes.identity, |_| true)));
        }
        black_box(ids.iter().filter(|&&id| self.row(id).first().is_some_and(Value::is_null)).count());
        black_box(ids.iter().filter(|&&id| self.records[id as usize].next == NONE).count());
    }

    /// Takes a row in; `matches` is the number of rows that match it on the other side. Returns
    /// whether it took the place of another.
    pub(super) fn add(&mut self, row: &[Value], hashes: Hashes, matches: u32) -> bool {
        let found = self.by_identity.find(hashes.identity, |&id| self.is_same(id, row)).copied();
        if let Some(id) = found {
            let record = &mut self.records[id as usize];
            if !self.replaces {
                record.count += 1;
                record.matches = matches;
                return false;
            }
            if self.join.iter().all(|&column| self.row(id)[column] == row[column]) {
                self.records[id as usize].matches = matches;
                let start = id as usize * self.width;
                self.rows[start..start + self.width].clone_from_slice(row);
            } else {
                self.take_out(id, hashes.identity);
                self.put_in(row, hashes, matches);
            }
            return true;
        }
        self.put_in(row, hashes, matches);
        false
    }

    /// Takes a row out, if it is there.
    pub(super) fn remove(&mut self, row: &[Value], hashes: Hashes) {
        let found = self.by_identity.find(hashes.identity, |&id| self.is_same(id, row)).copied();
        let Some(id) = found else { return };
        let record = &mut self.records[id as usize];
        record.count -= 1;
        if record.count == 0 {
            self.take_out(id, hashes.identity);
        }
    }

    /// The records of a join key, in the order of their arrival. The key is that of a row of the
    /// other side.
    pub(super) fn matching(&self, row: &[Value], columns: &[usize], hashes: Hashes) -> Matching<'_> {
        let is_chain = |chain: &Chain| {
            let first = self.row(chain.first);
            self.join.iter().zip(columns).all(|(&ours, &theirs)| first[ours] == row[theirs])
        };
        let chain = self.by_join.find(hashes.join, is_chain);
        Matching { side: self, next: chain.map_or(NONE, |chain| chain.first) }
    }

    /// The row of a record.
    pub(super) fn row(&self, id: u32) -> &[Value] {
        let start = id as usize * self.width;
        &self.rows[start..start + self.width]
    }

    /// How many equal rows a record stands for.
    pub(super) fn count(&self, id: u32) -> u32 {
        self.records[id as usize].count
    }

    /// How many rows of the other side match a record.
    pub(super) fn matches(&self, id: u32) -> u32 {
        self.records[id as usize].matches
    }

    /// Sets how many rows of the other side match a record.
    pub(super) fn set_matches(&mut self, id: u32, matches: u32) {
        self.records[id as usize].matches = matches;
    }

    fn put_in(&mut self, row: &[Value], hashes: Hashes, matches: u32) {
        let id = if let Some(id) = self.free.pop() {
            let start = id as usize * self.width;
            self.rows[start..start + self.width].clone_from_slice(row);
            id
        } else {
            self.rows.extend_from_slice(row);
            self.records.push(Record { count: 0, matches: 0, previous: NONE, next: NONE });
            u32::try_from(self.records.len() - 1).expect("an input has fewer than 2^32 rows at a time")
        };
        let previous = self.append_to_chain(id, row, hashes.join);
        self.records[id as usize] = Record { count: 1, matches, previous, next: NONE };
        let Self { hasher, rows, width, identity, by_identity, .. } = self;
        let rehash = |&id: &u32| {
            let start = id as usize * *width;
            hash_values(hasher, identity, &rows[start..start + *width])
        };
        by_identity.insert_unique(hashes.identity, id, rehash);
    }

    /// Makes a record the last of its chain; returns the one before it.
    fn append_to_chain(&mut self, id: u32, row: &[Value], hash: u64) -> u32 {
        let Self { hasher, rows, width, join, by_join, records, .. } = self;
        let row_of = |id: u32| {
            let start = id as usize * *width;
            &rows[start..start + *width]
        };
        let is_chain = |chain: &Chain| {
            let first = row_of(chain.first);
            join.iter().all(|&column| first[column] == row[column])
        };
        if let Some(chain) = by_join.find_mut(hash, is_chain) {
            let previous = std::mem::replace(&mut chain.last, id);
            records[previous as usize].next = id;
            return previous;
        }
        let rehash = |chain: &Chain| hash_values(hasher, join, row_of(chain.first));
        by_join.insert_unique(hash, Chain { first: id, last: id }, rehash);
        NONE
    }

    fn take_out(&mut self, id: u32, identity: u64) {
        if let Ok(entry) = self.by_identity.find_entry(identity, |&other| other == id) {
            entry.remove();
        }
        let Record { previous, next, .. } = self.records[id as usize];
        let hash = self.hash(&self.join, self.row(id));
        let is_end = |chain: &Chain| chain.first == id || chain.last == id;
        if (previous == NONE || next == NONE)
            && let Ok(mut entry) = self.by_join.find_entry(hash, is_end)
        {
            let chain = entry.get_mut();
            if chain.first == chain.last {
                entry.remove();
            } else if chain.first == id {
                chain.first = next;
            } else {
                chain.last = previous;
            }
        }
        if previous != NONE {
            self.records[previous as usize].next = next;
        }
        if next != NONE {
            self.records[next as usize].previous = previous;
        }
        let start = id as usize * self.width;
        self.rows[start..start + self.width].fill(Value::NULL);
        self.free.push(id);
    }

    fn is_same(&self, id: u32, row: &[Value]) -> bool {
        let known = self.row(id);
        self.identity.iter().all(|&column| known[column] == row[column])
    }

    fn hash(&self, columns: &[usize], row: &[Value]) -> u64 {
        hash_values(&self.hasher, columns, row)
    }
}

fn hash_values(hasher: &FixedState, columns: &[usize], row: &[Value]) -> u64 {
    let mut state = hasher.build_hasher();
    for &column in columns {
        row[column].hash(&mut state);
    }
    state.finish()
}

/// The records of a join key.
pub(super) struct Matching<'a> {
    side: &'a Side,
    next: u32,
}

impl Iterator for Matching<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let id = self.next;
        if id == NONE {
            return None;
        }
        self.next = self.side.records[id as usize].next;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: i64, payload: i64) -> [Value; 2] {
        [Value::integer(key), Value::integer(payload)]
    }

    fn add(side: &mut Side, row: &[Value]) -> bool {
        side.add(row, side.hashes(row), 0)
    }

    fn remove(side: &mut Side, row: &[Value]) {
        side.remove(row, side.hashes(row));
    }

    fn matching(side: &Side, key: i64) -> Matching<'_> {
        let key = row(key, 0);
        side.matching(&key, &[0], side.hashes(&key))
    }

    fn payloads(side: &Side, key: i64) -> Vec<i64> {
        let ids = matching(side, key);
        ids.map(|id| side.row(id)[1].as_integer().expect("a payload is an integer")).collect()
    }

    #[test]
    fn rows_of_a_join_key_come_in_the_order_of_arrival_whatever_was_taken_out() {
        let mut side = Side::new(2, vec![0], None);
        for payload in 1..=4 {
            add(&mut side, &row(7, payload));
        }
        add(&mut side, &row(8, 9));
        for gone in [1, 3] {
            remove(&mut side, &row(7, gone));
        }
        add(&mut side, &row(7, 5));
        assert_eq!(payloads(&side, 7), [2, 4, 5]);
        remove(&mut side, &row(7, 5));
        add(&mut side, &row(7, 6));
        assert_eq!(payloads(&side, 7), [2, 4, 6]);
        for gone in [2, 4, 6] {
            remove(&mut side, &row(7, gone));
        }
        assert!(payloads(&side, 7).is_empty());
        assert_eq!(payloads(&side, 8), [9]);
    }

    #[test]
    fn equal_rows_are_counted_and_a_unique_key_replaces() {
        let mut side = Side::new(2, vec![0], None);
        assert!(!add(&mut side, &row(1, 1)));
        assert!(!add(&mut side, &row(1, 1)));
        let id = matching(&side, 1).next().expect("the row is there");
        assert_eq!(side.count(id), 2);
        remove(&mut side, &row(1, 1));
        assert_eq!(payloads(&side, 1), [1]);

        let mut unique = Side::new(2, vec![0], Some(vec![0]));
        add(&mut unique, &row(1, 1));
        assert!(add(&mut unique, &row(1, 2)));
        assert_eq!(payloads(&unique, 1), [2]);
        remove(&mut unique, &row(1, 99));
        assert!(payloads(&unique, 1).is_empty());
    }
}
