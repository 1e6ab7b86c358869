//! Values in the order in which they arrived.

use std::collections::{BTreeMap, VecDeque};

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use crate::value::Value;

/// Values in the order of their arrival, of which the earliest of equal ones can be removed
/// without a search. Its first and last values are at hand.
#[derive(Debug, Clone, Default)]
pub(super) struct Sequence {
    next: u64,
    values: BTreeMap<u64, Value>,
    places: HashMap<Value, VecDeque<u64>, RandomState>,
}

impl Sequence {
    pub(super) fn push(&mut self, value: &Value) {
        self.values.insert(self.next, value.clone());
        self.places.entry(value.clone()).or_default().push_back(self.next);
        self.next += 1;
    }

    /// Removes the earliest value equal to this one; an absent value changes nothing.
    pub(super) fn remove(&mut self, value: &Value) {
        let Some(places) = self.places.get_mut(value) else { return };
        if let Some(place) = places.pop_front() {
            self.values.remove(&place);
        }
        if places.is_empty() {
            self.places.remove(value);
        }
    }

    pub(super) fn first(&self) -> Option<&Value> {
        self.values.first_key_value().map(|(_, value)| value)
    }

    pub(super) fn last(&self) -> Option<&Value> {
        self.values.last_key_value().map(|(_, value)| value)
    }
}

/// Removes the earliest value equal to this one from a list that is written out in full anyway.
pub(super) fn remove_earliest(values: &mut Vec<Value>, value: &Value) {
    if let Some(place) = values.iter().position(|other| other == value) {
        values.remove(place);
    }
}

/// How often each value is in a group.
pub(super) type Counts = HashMap<Value, i64, RandomState>;

/// Counts a value in; says whether it is the first of its kind.
pub(super) fn count_in(counts: &mut Counts, value: &Value) -> bool {
    let count = counts.entry_ref(value).or_insert(0);
    *count += 1;
    *count == 1
}

/// Counts a value out; says whether it was the last of its kind. An absent value changes nothing.
pub(super) fn count_out(counts: &mut Counts, value: &Value) -> bool {
    match counts.get_mut(value) {
        None => false,
        Some(count) if *count > 1 => {
            *count -= 1;
            false
        }
        Some(_) => counts.remove(value).is_some(),
    }
}
