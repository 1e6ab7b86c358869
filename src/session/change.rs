//! UPDATE, DELETE and TRUNCATE: playing the database whose changes are captured.
//!
//! Flink has these statements for batch jobs only. Here they write into the log of a table what such
//! a database would: a retract table gets the old and the new row, an upsert table the new row, or
//! the key alone where a row is gone, as in a compacted topic.

use sqlparser::ast::{Delete, ObjectName, Update};

use super::{Error, Outcome, Receiver, Session, refused};
use crate::catalog::TableMode;
use crate::changelog::{Cause, Changes, Materialized, RowKind};
use crate::exec;
use crate::plan::bind::BoundChange;
use crate::plan::{PlanErrorKind, determinism};
use crate::value::{Row, RowText, Value};

impl Session {
    pub(super) fn update(&mut self, update: &Update, receiver: &mut dyn Receiver) -> Result<Outcome, Error> {
        self.check_lenient("UPDATE")?;
        let context = self.context();
        let (bound, _) = self.bind(&context, receiver, |binder| binder.bind_update(update))?;
        let rows = self.rows_to_change(&bound, receiver)?;
        self.check_not_null(&bound, &rows)?;
        let arrival = self.now();
        // All keys that go are gone before the first new one comes, which may be the same.
        for row in &rows {
            let (old, new) = row.split_at(row.len() / 2);
            let gone = self.tombstone(&bound, old, Some(new));
            self.engine.append(bound.table, &gone, arrival).map_err(exec::RunError::from)?;
        }
        for row in &rows {
            let (old, new) = row.split_at(row.len() / 2);
            let images = self.images(&bound, old, new);
            self.engine.append(bound.table, &images, arrival).map_err(exec::RunError::from)?;
        }
        Ok(Outcome::Updated { table: bound.name, rows: rows.len() })
    }

    pub(super) fn delete(&mut self, delete: &Delete, receiver: &mut dyn Receiver) -> Result<Outcome, Error> {
        self.check_lenient("DELETE")?;
        let context = self.context();
        let (bound, _) = self.bind(&context, receiver, |binder| binder.bind_delete(delete))?;
        self.delete_rows(bound, receiver)
    }

    pub(super) fn truncate(
        &mut self,
        name: &ObjectName,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        self.check_lenient("TRUNCATE")?;
        let context = self.context();
        let (bound, _) = self.bind(&context, receiver, |binder| binder.bind_truncate(name))?;
        self.delete_rows(bound, receiver)
    }

    fn delete_rows(&mut self, bound: BoundChange, receiver: &mut dyn Receiver) -> Result<Outcome, Error> {
        let rows = self.rows_to_change(&bound, receiver)?;
        let arrival = self.now();
        for row in &rows {
            let gone = self.tombstone(&bound, row, None);
            self.engine.append(bound.table, &gone, arrival).map_err(exec::RunError::from)?;
        }
        Ok(Outcome::Deleted { table: bound.name, rows: rows.len() })
    }

    fn check_lenient(&self, statement: &str) -> Result<(), Error> {
        if self.settings.strict {
            let hint = "Insert changes instead, or SET 'rowkind.strict' = 'false'.";
            return Err(refused(format!("{statement} is not there in Flink's streaming mode"), hint, None));
        }
        Ok(())
    }

    /// The rows that change, as the table has them now.
    fn rows_to_change(
        &mut self,
        bound: &BoundChange,
        receiver: &mut dyn Receiver,
    ) -> Result<Vec<Row>, Error> {
        let context = self.context();
        let plan = self.moded(bound.plan.clone(), &context, receiver)?;
        let mut dataflow =
            exec::build(&plan, &context, exec::SinkOptions::default(), self.interrupted.clone());
        let mut replay = self.replay(&dataflow)?;
        let catalog = &self.engine.catalog;
        // What is not always the same is computed once for each row that is there.
        if determinism::recomputes(&plan, catalog) {
            replay = replay.of_rows(&dataflow, catalog, context.now);
        }
        replay.hurry();
        let mut out = Changes::new(dataflow.width());
        let mut rows = Materialized::new(None);
        while replay.step(&self.engine.catalog, &mut dataflow, context.now, &mut out)? {
            for change in out.iter() {
                rows.apply(change);
            }
            out.clear();
        }
        dataflow.finish(&mut out)?;
        for change in out.iter() {
            rows.apply(change);
        }
        Ok(rows.rows().map(Row::from).collect())
    }

    /// All or nothing: no row may break the table's constraints.
    fn check_not_null(&self, bound: &BoundChange, rows: &[Row]) -> Result<(), Error> {
        let Some(table) = self.engine.catalog.table_by_id(bound.table) else { return Ok(()) };
        let stored = table.stored_schema();
        for row in rows {
            let new = &row[row.len() / 2..];
            let broken = stored.columns.iter().zip(new);
            let broken =
                broken.into_iter().find(|(column, value)| !column.data_type.nullable && value.is_null());
            if let Some((column, _)) = broken {
                let row_text = RowText::new(&stored, self.settings.time_zone.clone());
                let (table, column) = (bound.name.clone(), column.name.clone());
                let row = row_text.of(new);
                return Err(PlanErrorKind::NullInNotNullColumn { table, column, row }.into());
            }
        }
        Ok(())
    }

    /// What goes into the log for a row that goes, or whose key does: in an upsert table the key
    /// alone.
    fn tombstone(&self, bound: &BoundChange, old: &[Value], new: Option<&[Value]>) -> Changes {
        let mut changes = Changes::new(old.len());
        let Some(table) = self.engine.catalog.table_by_id(bound.table) else { return changes };
        match (table.mode, table.stored_key(), new) {
            (TableMode::Upsert, Some(key), new) => {
                let stays = new.is_some_and(|new| key.iter().all(|&column| old[column] == new[column]));
                let alone =
                    |column: usize| if key.contains(&column) { old[column].clone() } else { Value::NULL };
                if !stays {
                    changes.push_values(RowKind::Delete, Cause::default(), (0..old.len()).map(alone));
                }
            }
            (_, _, None) => changes.push(RowKind::Delete, Cause::default(), old),
            // The old row comes with the new one.
            (_, _, Some(_)) => {}
        }
        changes
    }

    /// What goes into the log for a row that becomes another: in an upsert table the new row, in a
    /// retract table both.
    fn images(&self, bound: &BoundChange, old: &[Value], new: &[Value]) -> Changes {
        let mut changes = Changes::new(old.len());
        match self.engine.catalog.table_by_id(bound.table) {
            Some(table) if table.mode == TableMode::Upsert => {
                changes.push(table.insert_kind(new), Cause::default(), new);
            }
            _ => {
                changes.push(RowKind::UpdateBefore, Cause::default(), old);
                changes.push(RowKind::UpdateAfter, Cause::default(), new);
            }
        }
        changes
    }
}
