//! `GROUP BY`.

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::Operator;
use crate::changelog::{Change, Changes, RowKind};
use crate::expr::aggregate::{AggregateCall, State};
use crate::value::{RowText, Value};

/// One row for each key: the key, then the aggregates.
///
/// The first row of a key gives `+I`. A later one gives the old and the new result, or nothing if
/// they are equal. When no row is left the result is deleted. What retracts from a key that is not
/// there is ignored.
pub(in crate::exec) struct Aggregate {
    calls: Vec<AggregateCall>,
    update_before: bool,
    groups: KeyIndex,
    /// The states of a group lie side by side at its place.
    states: Vec<State>,
    /// The result of each group as it was emitted last, at the same places.
    results: Vec<Value>,
    /// How many rows each group has.
    rows: Vec<i64>,
    after: Vec<Value>,
    /// How an input row is shown in an error.
    row_text: RowText,
}

impl Aggregate {
    pub(in crate::exec) fn new(
        keys: Vec<usize>,
        calls: Vec<AggregateCall>,
        update_before: bool,
        row_text: RowText,
    ) -> Self {
        Self {
            calls,
            update_before,
            groups: KeyIndex::new(keys),
            states: Vec::new(),
            results: Vec::new(),
            rows: Vec::new(),
            after: Vec::new(),
            row_text,
        }
    }

    /// The place of the group of a row, made if the row adds to it; none if the row retracts from
    /// a group that is not there.
    fn group(&mut self, row: &[Value], hash: u64, adds: bool) -> Option<Slot> {
        if !adds {
            return self.groups.find_hashed(hash, row).map(Slot::Found);
        }
        let slot = self.groups.find_or_insert_hashed(hash, row);
        if self.rows.len() < self.groups.places() {
            self.rows.push(0);
            self.states.extend(self.calls.iter().map(AggregateCall::new_state));
            self.results.resize(self.states.len(), Value::NULL);
        }
        Some(slot)
    }

    fn change(&mut self, change: Change<'_>, hash: u64, out: &mut Changes) -> Result<(), RunError> {
        let adds = change.kind.adds();
        let Some(slot) = self.group(change.row, hash, adds) else { return Ok(()) };
        let place = slot.place();
        let values = place * self.calls.len()..(place + 1) * self.calls.len();
        let (states, results) = (&mut self.states[values.clone()], &mut self.results[values]);
        for (call, state) in self.calls.iter().zip(&mut *states) {
            if adds {
                call.accumulate(state, change.row).map_err(|error| RunError::Eval {
                    error,
                    row: self.row_text.of(change.row),
                    cause: change.cause,
                })?;
            } else {
                call.retract(state, change.row);
            }
        }
        self.rows[place] += change.kind.weight();
        let key = self.groups.key(place);
        if self.rows[place] == 0 {
            out.push_joined(RowKind::Delete, change.cause, key, results);
            states.iter_mut().zip(&self.calls).for_each(|(state, call)| *state = call.new_state());
            results.fill(Value::NULL);
            self.groups.remove(place);
            return Ok(());
        }
        self.after.clear();
        self.after.extend(self.calls.iter().zip(&*states).map(|(call, state)| call.value(state)));
        if matches!(slot, Slot::New(_)) {
            out.push_joined(RowKind::Insert, change.cause, key, &self.after);
        } else if *results == *self.after {
            return Ok(());
        } else {
            if self.update_before {
                out.push_joined(RowKind::UpdateBefore, change.cause, key, results);
            }
            out.push_joined(RowKind::UpdateAfter, change.cause, key, &self.after);
        }
        results.swap_with_slice(&mut self.after);
        Ok(())
    }
}

impl Operator for Aggregate {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let hashes = self.groups.hashes(input, |place| {
            let start = place * self.calls.len();
            self.rows[place] == 0 || self.results.get(start).is_some_and(Value::is_null)
        });
        input.iter().zip(hashes).try_for_each(|(change, hash)| self.change(change, hash, out))
    }
}
