//! Finds state by key.

use std::hash::{BuildHasher, Hash, Hasher};
use std::hint::black_box;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::changelog::Changes;
use crate::value::Value;

/// A dense number for each key that is there: the place of its state.
///
/// Keys are stored once, side by side. The place of a removed key is used again.
#[derive(Debug, Default)]
pub(super) struct KeyIndex {
    columns: Vec<usize>,
    hasher: FixedState,
    table: HashTable<u32>,
    keys: Vec<Value>,
    slots: usize,
    free: Vec<u32>,
}

/// With so many keys or rows state no longer lies in the fast memory of a processor.
pub(super) const LARGE: usize = 8192;

/// Where a key's state is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The key was there.
    Found(usize),
    /// The key is new.
    New(usize),
}

impl Slot {
    /// The place, whether the key is new or not.
    pub(super) fn place(self) -> usize {
        match self {
            Self::Found(place) | Self::New(place) => place,
        }
    }
}

impl KeyIndex {
    /// An index by these columns of the rows.
    pub(super) fn new(columns: Vec<usize>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// The hashes of the keys of rows that are looked for next.
    ///
    /// Of a large index, and of the state beside it, what is needed for all of them is brought near at
    /// once: to wait for memory row by row takes more time than all else. `touch` reads of the state at
    /// a place.
    pub(super) fn hashes(&self, rows: &Changes, touch: impl Fn(usize) -> bool) -> Vec<u64> {
        let hashes: Vec<u64> = rows.iter().map(|change| self.hash(change.row)).collect();
        if self.slots >= LARGE && rows.len() > 1 {
            // The first key with the same few bits of its hash is the right one, nearly always.
            let likely = |&hash: &u64| self.table.find(hash, |_| true).map(|&slot| slot as usize);
            let places: Vec<usize> = hashes.iter().filter_map(likely).collect();
            let width = self.columns.len();
            let key = |&place: &usize| self.keys.get(place * width).is_some_and(Value::is_null);
            black_box(places.iter().filter(|place| key(place)).count());
            black_box(places.iter().filter(|&&place| touch(place)).count());
        }
        hashes
    }

    /// The place of the row's key.
    pub(super) fn find(&self, row: &[Value]) -> Option<usize> {
        self.find_hashed(self.hash(row), row)
    }

    /// The place of the row's key, whose hash is known.
    pub(super) fn find_hashed(&self, hash: u64, row: &[Value]) -> Option<usize> {
        let found = self.table.find(hash, |&slot| self.is_key_of(slot, row));
        found.map(|&slot| slot as usize)
    }

    /// The place of the row's key, which is added if it is not there.
    pub(super) fn find_or_insert(&mut self, row: &[Value]) -> Slot {
        self.find_or_insert_hashed(self.hash(row), row)
    }

    /// The place of the row's key, whose hash is known. The key is added if it is not there.
    pub(super) fn find_or_insert_hashed(&mut self, hash: u64, row: &[Value]) -> Slot {
        if let Some(&slot) = self.table.find(hash, |&slot| self.is_key_of(slot, row)) {
            return Slot::Found(slot as usize);
        }
        let width = self.columns.len();
        let place = if let Some(place) = self.free.pop() {
            let start = place as usize * width;
            for (value, &column) in self.keys[start..start + width].iter_mut().zip(&self.columns) {
                *value = row[column].clone();
            }
            place
        } else {
            self.keys.extend(self.columns.iter().map(|&column| row[column].clone()));
            self.slots += 1;
            u32::try_from(self.slots - 1).expect("an index holds fewer than 2^32 keys")
        };
        let Self { hasher, keys, table, .. } = self;
        let rehash = |&slot: &u32| {
            let start = slot as usize * width;
            hash_values(hasher, keys[start..start + width].iter())
        };
        table.insert_unique(hash, place, rehash);
        Slot::New(place as usize)
    }

    /// Takes away the key at a place.
    pub(super) fn remove(&mut self, place: usize) {
        let width = self.columns.len();
        let range = place * width..(place + 1) * width;
        let hash = hash_values(&self.hasher, self.keys[range.clone()].iter());
        if let Ok(entry) = self.table.find_entry(hash, |&slot| slot as usize == place) {
            let (slot, _) = entry.remove();
            self.free.push(slot);
            self.keys[range].fill(Value::NULL);
        }
    }

    /// The key at a place.
    pub(super) fn key(&self, place: usize) -> &[Value] {
        let width = self.columns.len();
        &self.keys[place * width..(place + 1) * width]
    }

    /// How many places there are, used or free: the length of the state beside it.
    pub(super) fn places(&self) -> usize {
        self.slots
    }

    fn hash(&self, row: &[Value]) -> u64 {
        hash_values(&self.hasher, self.columns.iter().map(|&column| &row[column]))
    }

    fn is_key_of(&self, slot: u32, row: &[Value]) -> bool {
        let key = self.key(slot as usize);
        key.iter().zip(&self.columns).all(|(value, &column)| *value == row[column])
    }
}

fn hash_values<'a>(hasher: &FixedState, values: impl Iterator<Item = &'a Value>) -> u64 {
    let mut state = hasher.build_hasher();
    for value in values {
        value.hash(&mut state);
    }
    state.finish()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::changelog::{Cause, RowKind};

    fn row(key: i64) -> [Value; 2] {
        [Value::string("payload"), Value::integer(key)]
    }

    #[test]
    fn a_key_keeps_its_place_until_it_is_removed_and_the_place_is_used_again() {
        let mut index = KeyIndex::new(vec![1]);
        assert_eq!(index.find_or_insert(&row(7)), Slot::New(0));
        assert_eq!(index.find_or_insert(&row(8)), Slot::New(1));
        assert_eq!(index.find_or_insert(&row(7)), Slot::Found(0));
        index.remove(0);
        assert_eq!(index.find(&row(7)), None);
        assert_eq!(index.find_or_insert(&row(9)), Slot::New(0));
        assert_eq!(index.key(0), [Value::integer(9)]);
        assert_eq!(index.places(), 2);
    }

    #[test]
    fn what_is_brought_near_is_the_state_of_the_keys() {
        let mut index = KeyIndex::new(vec![1]);
        for key in 0..20_000 {
            index.find_or_insert(&row(key));
        }
        let mut rows = Changes::new(2);
        for key in [5, -1, 9000, 5] {
            rows.push(RowKind::Insert, Cause::default(), &row(key));
        }
        let touched = RefCell::new(Vec::new());
        let hashes = index.hashes(&rows, |place| {
            touched.borrow_mut().push(place);
            true
        });
        let found = rows.iter().zip(hashes).map(|(change, hash)| index.find_hashed(hash, change.row));
        assert_eq!(found.collect::<Vec<_>>(), [Some(5), None, Some(9000), Some(5)]);
        assert!([5, 9000].iter().all(|place| touched.borrow().contains(place)));
    }

    #[test]
    fn null_keys_and_the_empty_key_are_keys() {
        let mut index = KeyIndex::new(vec![0]);
        assert_eq!(index.find_or_insert(&[Value::NULL]), Slot::New(0));
        assert_eq!(index.find_or_insert(&[Value::NULL]), Slot::Found(0));
        let mut global = KeyIndex::new(Vec::new());
        assert_eq!(global.find_or_insert(&row(1)), Slot::New(0));
        assert_eq!(global.find_or_insert(&row(2)), Slot::Found(0));
    }
}
