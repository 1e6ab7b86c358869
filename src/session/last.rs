//! What the last query gave, to be queried again as the table `_`.

use super::{Header, Session};
use crate::catalog::{ColumnSource, Table, TableColumn, TableMode};
use crate::changelog::{ChangelogMode, Changes, Encoder, Encoding};
use crate::plan::node::Plan;

/// The most changes that are kept: a result of any size has to run in little memory.
pub(super) const MOST: usize = 100_000;

/// The changes of a query that runs, as long as they are not too many.
pub(super) struct Last {
    changes: Changes,
    /// Makes retractions of upserts.
    encoder: Option<Encoder>,
    too_many: bool,
}

impl Last {
    /// Nothing yet of a plan's changes.
    pub(super) fn new(header: &Header, plan: &Plan) -> Self {
        let is_upsert = plan.input().mode.is_some_and(ChangelogMode::is_upsert);
        let key = header.key.clone().filter(|_| is_upsert);
        Self {
            changes: Changes::new(header.schema.len()),
            encoder: key.map(|key| Encoder::new(Encoding::Retract, key)),
            too_many: false,
        }
    }

    /// Keeps changes.
    pub(super) fn keep(&mut self, changes: &Changes) {
        if self.too_many {
            return;
        }
        match &mut self.encoder {
            Some(encoder) => changes.iter().for_each(|change| encoder.encode(change, &mut self.changes)),
            None => changes.iter().for_each(|change| self.changes.push_change(change)),
        }
        if self.changes.len() > MOST {
            *self = Self { changes: Changes::default(), encoder: None, too_many: true };
        }
    }
}

impl Session {
    /// Makes the table `_` of what a query gave; a result of too many changes has none.
    pub(super) fn keep_last(&mut self, last: Option<&Last>, header: Header) {
        let Some(last) = last.filter(|last| !last.too_many) else {
            self.engine.catalog.set_last(None);
            return;
        };
        let stored = |column| TableColumn { column, source: ColumnSource::Stored, comment: None };
        let columns: Vec<TableColumn> = header.schema.columns.into_iter().map(stored).collect();
        let names_rows = |key: &Vec<usize>| key.iter().all(|&i| !columns[i].column.data_type.nullable);
        let key = header.key.filter(names_rows);
        let id = self.engine.catalog.next_table_id();
        let mut table = Table::new(id, columns, key, TableMode::Retract);
        table.temporary = true;
        for change in last.changes.iter() {
            table.append(change.kind, change.cause, change.row);
        }
        self.engine.catalog.set_last(Some(table));
    }
}
