//! What stands before a table that is written.

use super::super::RunError;
use super::super::keyed::{KeyIndex, Slot};
use super::super::operator::Operator;
use crate::changelog::{Change, Changes, RowKind};
use crate::plan::node::OnConflict;
use crate::value::{Row, RowText, Value};

/// Refuses NULL in NOT NULL columns, or leaves such rows out.
pub(in crate::exec) struct Enforce {
    /// The NOT NULL columns with their names.
    pub(in crate::exec) columns: Vec<(usize, String)>,
    pub(in crate::exec) table: String,
    /// The key, if deletes may carry it alone: then nothing else of them is looked at (FLINK-40477).
    pub(in crate::exec) key_of_deletes: Option<Vec<usize>>,
    /// Whether a row with a NULL is left out silently: `'table.exec.sink.not-null-enforcer' = 'DROP'`.
    pub(in crate::exec) drops: bool,
    pub(in crate::exec) row_text: RowText,
}

impl Operator for Enforce {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            let key = self.key_of_deletes.as_ref().filter(|_| change.kind == RowKind::Delete);
            let is_missing =
                |column: usize| change.row[column].is_null() && key.is_none_or(|key| key.contains(&column));
            match self.columns.iter().find(|(column, _)| is_missing(*column)) {
                None => out.push_change(change),
                Some(_) if self.drops => {}
                Some((_, name)) => {
                    return Err(RunError::NullInNotNullColumn {
                        column: name.clone(),
                        table: self.table.clone(),
                        row: self.row_text.of(change.row),
                    });
                }
            }
        }
        Ok(())
    }
}

/// Makes a deletion of a `-U` that no `+U` of the same primary key follows: the row has left the
/// query, and an upsert table that passes over `-U` would keep it.
pub(in crate::exec) struct DeleteLone {
    /// The primary key.
    pub(in crate::exec) key: Vec<usize>,
}

impl Operator for DeleteLone {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for (index, change) in input.iter().enumerate() {
            let same_key = |other: &Change<'_>| self.key.iter().all(|&c| other.row[c] == change.row[c]);
            // What follows an update belongs to the same cause.
            let is_followed = || {
                let rest = (index + 1..input.len()).map(|next| input.get(next));
                let mut rest = rest.take_while(|next| next.cause == change.cause);
                rest.any(|next| next.kind.adds() && same_key(&next))
            };
            let kind = match change.kind {
                RowKind::UpdateBefore if !is_followed() => RowKind::Delete,
                kind => kind,
            };
            out.push(kind, change.cause, change.row);
        }
        Ok(())
    }
}

/// Keeps all rows of each primary key, so that the last one that is still there is the table's.
///
/// Added rows give `+I` or `+U`; taking away the last one gives the one before it, or `-D`; taking
/// away another one gives nothing, as does taking away an unknown one. With an upsert key a row
/// replaces the one with the same upsert key.
pub(in crate::exec) struct Materialize {
    index: KeyIndex,
    upsert_key: Option<Vec<usize>>,
    on_conflict: OnConflict,
    table: String,
    row_text: RowText,
    rows: Vec<Vec<Row>>,
}

impl Materialize {
    pub(in crate::exec) fn new(
        key: Vec<usize>,
        upsert_key: Option<Vec<usize>>,
        on_conflict: OnConflict,
        table: String,
        row_text: RowText,
    ) -> Self {
        let index = KeyIndex::new(key);
        Self { index, upsert_key, on_conflict, table, row_text, rows: Vec::new() }
    }

    fn is_same(&self, a: &[Value], b: &[Value]) -> bool {
        match &self.upsert_key {
            Some(key) => key.iter().all(|&column| a[column] == b[column]),
            None => a == b,
        }
    }
}

impl Operator for Materialize {
    fn process(&mut self, _port: usize, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        for change in input.iter() {
            if change.kind.adds() {
                let place = match self.index.find_or_insert(change.row) {
                    Slot::New(place) => {
                        self.rows.resize_with(self.index.places(), Vec::new);
                        place
                    }
                    Slot::Found(place) => place,
                };
                let known = self.rows[place].iter().position(|row| self.is_same(row, change.row));
                let replaces = if self.upsert_key.is_some() { known } else { None };
                let is_first = self.rows[place].is_empty();
                if !is_first && replaces.is_none() {
                    match self.on_conflict {
                        OnConflict::Unspecified | OnConflict::Deduplicate => {}
                        OnConflict::Nothing => continue,
                        OnConflict::Error => {
                            let (table, row) = (self.table.clone(), self.row_text.of(change.row));
                            return Err(RunError::KeyConflict { table, row });
                        }
                    }
                }
                match replaces {
                    Some(position) => self.rows[place][position] = change.row.into(),
                    None => self.rows[place].push(change.row.into()),
                }
                let kind = if is_first { RowKind::Insert } else { RowKind::UpdateAfter };
                out.push(kind, change.cause, change.row);
                continue;
            }
            let Some(place) = self.index.find(change.row) else { continue };
            let known = self.rows[place].iter().position(|row| self.is_same(row, change.row));
            let Some(position) = known else { continue };
            self.rows[place].remove(position);
            match self.rows[place].last() {
                None => {
                    out.push(RowKind::Delete, change.cause, change.row);
                    self.index.remove(place);
                }
                Some(last) if position == self.rows[place].len() => {
                    out.push(RowKind::UpdateAfter, change.cause, last);
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
