//! UPDATE and DELETE.

use sqlparser::ast::{
    AssignmentTarget, Delete, Expr as Ast, FromTable, Ident, ObjectName, Spanned, TableFactor,
    TableWithJoins, Update,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Plan, unique_names};
use super::expr::{ExprBinder, condition};
use super::insert::Target;
use super::scope::Scope;
use super::{Binder, Visible, sub_query, table_name};
use crate::catalog::{Entry, Table, TableId, TableMode};
use crate::expr::Expr;

/// How rows are picked that no condition on a row alone picks.
const PICK: &str = "Pick the rows by a sub-query: WHERE id IN (SELECT …).";

/// Which rows of a table change.
#[derive(Debug, Clone)]
pub struct BoundChange {
    /// The table.
    pub table: TableId,
    /// Its name.
    pub name: String,
    /// The rows: the stored columns as they are and, for an UPDATE, as they become.
    pub plan: Plan,
}

impl Binder<'_> {
    /// Binds an UPDATE.
    ///
    /// # Errors
    /// When the table cannot be updated, or a name or a type is wrong.
    pub fn bind_update(&self, update: &Update) -> Result<BoundChange, PlanError> {
        let span = update.update_token.0.span;
        if update.from.is_some() {
            let instead = "Use sub-queries: SET a = (SELECT …) WHERE b IN (SELECT …).";
            return Err(PlanErrorKind::refused("UPDATE … FROM", instead).at(span));
        }
        let (name, table, plan, scope) = self.changing("UPDATE", &update.table)?;
        let plan = self.selected(plan, &scope, update.selection.as_ref())?;
        let stored = table.stored_schema();
        let target = Target::new(&name, table, &[])?;
        let old: Vec<Expr> = stored_columns(table, &plan);
        let mut new = old.clone();
        let mut seen = Vec::new();
        for assignment in &update.assignments {
            let AssignmentTarget::ColumnName(column) = &assignment.target else {
                let what = "SET of several columns at once";
                return Err(PlanErrorKind::refused(what, "Write SET a = …, b = ….").at(assignment.span()));
            };
            let column = only_part(column)?;
            let index = target.column(&column)?;
            if seen.contains(&index) {
                return Err(PlanErrorKind::AssignedTwice { name: column.value.clone() }.at(column.span));
            }
            seen.push(index);
            let value =
                ExprBinder { binder: self, scope: &scope, collect: Err("SET") }.bind(&assignment.value)?;
            let place = |error: PlanError| error.or_at(assignment.value.span());
            new[index] = target.assign(value, &stored.columns[index]).map_err(place)?;
        }
        let mut sub_queries: Vec<_> = scope.take_sub_queries().into_iter().map(Some).collect();
        let plan =
            sub_query::join_read(plan, &mut sub_queries, &mut new).map_err(|error| error.or_at(span))?;
        let names: Vec<&str> = stored.names().chain(stored.names()).collect();
        let plan = plan.calc(None, old.into_iter().chain(new).collect(), unique_names(names));
        Ok(BoundChange { table: table.id, name: name.value, plan: plan.collected(false) })
    }

    /// Binds a DELETE.
    ///
    /// # Errors
    /// When rows of the table cannot be deleted, or a name is wrong.
    pub fn bind_delete(&self, delete: &Delete) -> Result<BoundChange, PlanError> {
        let span = delete.delete_token.0.span;
        if delete.using.is_some() || !delete.tables.is_empty() {
            return Err(PlanErrorKind::refused("DELETE … USING", PICK).at(span));
        }
        if !delete.order_by.is_empty() || delete.limit.is_some() {
            return Err(PlanErrorKind::refused("ORDER BY and LIMIT of a DELETE", PICK).at(span));
        }
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let [from] = &from[..] else {
            let instead = "Write a DELETE for each.";
            return Err(PlanErrorKind::refused("DELETE from several tables", instead).at(span));
        };
        let (name, table, plan, scope) = self.changing("DELETE", from)?;
        let plan = self.selected(plan, &scope, delete.selection.as_ref())?;
        Ok(rows_of(name, table, plan))
    }

    /// Binds TRUNCATE TABLE: all rows of a table.
    ///
    /// # Errors
    /// When rows of the table cannot be deleted, or there is no such table.
    pub fn bind_truncate(&self, name: &ObjectName) -> Result<BoundChange, PlanError> {
        let name = table_name(name)?;
        let table = self.changeable("TRUNCATE", &name)?;
        let plan = self.table(&name, &Visible::default())?;
        Ok(rows_of(name, table, plan))
    }

    /// The table of an UPDATE or DELETE with its rows.
    fn changing(
        &self,
        verb: &'static str,
        from: &TableWithJoins,
    ) -> Result<(Ident, &Table, Plan, Scope), PlanError> {
        let TableFactor::Table { name, args: None, .. } = &from.relation else {
            let what = format!("{verb} of {}", from.relation);
            return Err(PlanErrorKind::refused(what, "Name a table.").at(from.span()));
        };
        if !from.joins.is_empty() {
            return Err(PlanErrorKind::refused(format!("{verb} with a join"), PICK).at(from.span()));
        }
        let name = table_name(name)?;
        let table = self.changeable(verb, &name)?;
        let (plan, scope) = self.relation(&from.relation, &Visible::default())?;
        Ok((name, table, plan, scope.seeing(&Visible::default())))
    }

    fn changeable(&self, verb: &'static str, name: &Ident) -> Result<&Table, PlanError> {
        let entry = self.catalog.get(&name.value);
        if let Some(Entry::Table(table)) = entry
            && let Some(connector) = &table.connector
        {
            let what = format!("{verb} of a table of connector \"{}\"", connector.name());
            return Err(PlanErrorKind::refused(what, "Only tables in memory can be changed.").at(name.span));
        }
        match entry {
            Some(Entry::Table(table)) if table.mode == TableMode::Append => {
                Err(PlanErrorKind::ChangeOfAppendTable { verb, table: name.value.clone() }.at(name.span))
            }
            Some(Entry::Table(table)) => Ok(table),
            Some(Entry::View(_)) => {
                Err(PlanErrorKind::InsertIntoView { name: name.value.clone() }.at(name.span))
            }
            None => Err(self.no_such_table(name)),
        }
    }

    fn selected(&self, plan: Plan, scope: &Scope, selection: Option<&Ast>) -> Result<Plan, PlanError> {
        let Some(ast) = selection else { return Ok(plan) };
        let bound = ExprBinder { binder: self, scope, collect: Err("WHERE") }.bind(ast)?;
        let filter = condition("WHERE", bound, ast)?;
        sub_query::filter(plan, scope.take_sub_queries(), filter).map_err(|error| error.or_at(ast.span()))
    }
}

/// The rows of a plan over a table, as they are stored.
fn rows_of(name: Ident, table: &Table, plan: Plan) -> BoundChange {
    let columns = stored_columns(table, &plan);
    let names = table.stored_schema().names().map(str::to_owned).collect();
    BoundChange { table: table.id, name: name.value, plan: plan.calc(None, columns, names).collected(false) }
}

/// The stored columns of a table, over all its columns.
fn stored_columns(table: &Table, plan: &Plan) -> Vec<Expr> {
    let columns = plan.identity().into_iter().zip(&table.columns);
    columns.filter(|(_, column)| column.is_stored()).map(|(expr, _)| expr).collect()
}

fn only_part(column: &ObjectName) -> Result<Ident, PlanError> {
    match &column.0[..] {
        [part] => part.as_ident().cloned(),
        _ => None,
    }
    .ok_or_else(|| {
        let instead = "Name the column without its table.";
        PlanErrorKind::refused(format!("SET of {column}"), instead).at(column.span())
    })
}
