//! `GROUP BY`.

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::Operator;
use crate::changelog::{Changes, RowKind};
use crate::expr::aggregate::{AggregateCall, State};
use crate::value::{RowText, Value};

/// One row for each key: the key, then the aggregates.
///
/// The first row of a key gives `+I`. A later one gives the old and the new result, or nothing if
/// they are equal. When no row is left the result is deleted. What retracts from a key that is not
/// there is ignored.
pub(in super::super) struct Aggregate {
    calls: Vec<AggregateCall>,
    update_before: bool,
    groups: KeyIndex,
    /// The states of a group lie side by side at its place.
    states: Vec<State>,
    /// How many rows each group has.
    rows: Vec<i64>,
    before: Vec<Value>,
    after: Vec<Value>,
    /// How an input row is shown in an error.
    row_text: RowText,
}

impl Aggregate {
    pub(in super::super) fn new(keys: Vec<usize>, calls: Vec<AggregateCall>, update_before: bool, row_text: RowText) -> Self {
        Self {
            calls,
            update_before,
            groups: KeyIndex::new(keys),
            states: Vec::new(),
            rows: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            row_text,
        }
    }

    /// The place of the group of a row, made if the row adds to it; none if the row retracts from
    /// a group that is not there.
    fn group(&mut self, row: &[Value], adds: bool) -> Option<Slot> {
        if !adds {
            return self.groups.find(row).map(Slot::Found);
        }
        let slot = self.groups.find_or_insert(row);
        if let Slot::New(place) = slot {
            let width = self.calls.len();
            if self.rows.len() < self.groups.places() {
                self.rows.push(0);
                self.states.extend(self.calls.iter().map(AggregateCall::new_state));
            } else {
                self.rows[place] = 0;
                let states = &mut self.states[place * width..(place + 1) * width];
                states.iter_mut().zip(&self.calls).for_each(|(state, call)| *state = call.new_state());
            }
        }
        Some(slot)
    }
}

impl Operator for Aggregate {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let width = self.calls.len();
        for change in input.iter() {
            let adds = change.kind.adds();
            let Some(slot) = self.group(change.row, adds) else { continue };
            let place = slot.place();
            let states = &mut self.states[place * width..(place + 1) * width];
            let values = |states: &[State], into: &mut Vec<Value>| {
                into.clear();
                into.extend(self.calls.iter().zip(states).map(|(call, state)| call.value(state)));
            };
            let is_new = matches!(slot, Slot::New(_));
            if !is_new {
                values(states, &mut self.before);
            }
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
                let row = key.iter().cloned().chain(self.before.drain(..));
                out.push_values(RowKind::Delete, change.cause, row);
                states.iter_mut().zip(&self.calls).for_each(|(state, call)| *state = call.new_state());
                self.groups.remove(place);
                continue;
            }
            values(states, &mut self.after);
            let kind = if is_new {
                RowKind::Insert
            } else if self.before == self.after {
                continue;
            } else {
                if self.update_before {
                    let row = key.iter().cloned().chain(self.before.drain(..));
                    out.push_values(RowKind::UpdateBefore, change.cause, row);
                }
                RowKind::UpdateAfter
            };
            let row = key.iter().cloned().chain(self.after.drain(..));
            out.push_values(kind, change.cause, row);
        }
        Ok(())
    }
}
