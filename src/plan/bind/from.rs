//! FROM: tables, views, sub-queries and table functions.

use sqlparser::ast::{Ident, Spanned, TableAlias, TableFactor};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Op, Plan, Scan};
use super::scope::{Scope, nearest};
use super::{Binder, Visible, VisibleCte, table_name};
use crate::catalog::{ColumnSource, Entry, Table, TableMode, View};
use crate::connect::ConnectError;
use crate::expr::Expr;
use crate::sql::{self, Statement};
use crate::value::{Column, Schema};

/// How deep views and sub-queries may be nested.
const MAX_DEPTH: usize = 128;

impl Binder<'_> {
    /// A table, a sub-query, a function call or joins in brackets.
    pub(super) fn relation(
        &self,
        relation: &TableFactor,
        visible: &Visible,
    ) -> Result<(Plan, Scope), PlanError> {
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() > MAX_DEPTH {
            return Err(PlanErrorKind::unsupported("nesting this deep").at(relation.span()));
        }
        let bound = self.relation_at_depth(relation, visible);
        self.depth.set(self.depth.get() - 1);
        bound
    }

    fn relation_at_depth(
        &self,
        relation: &TableFactor,
        visible: &Visible,
    ) -> Result<(Plan, Scope), PlanError> {
        let (plan, name, alias) = match relation {
            TableFactor::Derived { subquery, alias, .. } => (self.query(subquery, visible)?, None, alias),
            TableFactor::Table { name, alias, args: None, version: None, .. } => {
                let name = match &name.0[..] {
                    // A common table expression has no catalog.
                    [part] => part.as_ident().cloned().map_or_else(|| table_name(name), Ok)?,
                    _ => table_name(name)?,
                };
                let plan = self.table(&name, visible)?;
                (plan, Some(name.value), alias)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                return self.from(std::slice::from_ref(table_with_joins), visible);
            }
            _ => match sql::table_function(relation).map_err(|error| Self::syntax(&error))? {
                Some(call) => {
                    let plan = self.table_function(&call, visible)?;
                    return aliased(plan, None, call.alias);
                }
                None => {
                    return Err(PlanErrorKind::unsupported(format!("FROM {relation}")).at(relation.span()));
                }
            },
        };
        aliased(plan, name.as_deref(), alias.as_ref())
    }

    /// A table, a view or a common table expression, by its name.
    pub(super) fn table(&self, name: &Ident, visible: &Visible) -> Result<Plan, PlanError> {
        if let Some(VisibleCte { cte, before }) = visible.cte(&name.value) {
            let plan = self.query(&cte.query, before)?;
            let (plan, _) = aliased(plan, None, Some(&cte.alias))?;
            return Ok(plan);
        }
        self.read.borrow_mut().push(name.value.clone());
        match self.catalog.get(&name.value) {
            Some(Entry::Table(table)) => Self::scan(&name.value, table).map_err(|kind| kind.at(name.span)),
            Some(Entry::View(view)) => self.view(&name.value, view).map_err(|error| error.or_at(name.span)),
            None => Err(self.no_such_table(name)),
        }
    }

    pub(super) fn no_such_table(&self, name: &Ident) -> PlanError {
        let nearest = nearest(&name.value, self.catalog.entries().map(|(name, _)| name));
        PlanErrorKind::NoSuchTable { name: name.value.clone(), nearest }.at(name.span)
    }

    fn view(&self, name: &str, view: &View) -> Result<Plan, PlanError> {
        if self.views.borrow().iter().any(|open| open == name) {
            let problem = format!("view \"{name}\" contains itself");
            return Err(PlanErrorKind::Definition { problem, hint: None }.into());
        }
        self.views.borrow_mut().push(name.to_owned());
        let plan = self.view_query(name, view);
        self.views.borrow_mut().pop();
        let mut plan = plan?;
        if let Some(names) = &view.column_names {
            rename(&mut plan, names);
        }
        Ok(plan)
    }

    fn view_query(&self, name: &str, view: &View) -> Result<Plan, PlanError> {
        let parsed = sql::parse(&view.query)
            .map_err(|error| PlanErrorKind::ViewSyntax { view: name.to_owned(), error })?;
        let Statement::Query(query) = parsed.statement else {
            return Err(PlanErrorKind::unsupported("a view that is no query").into());
        };
        self.query(&query, &Visible::default()).map_err(|error| match *error.kind {
            PlanErrorKind::InView { .. } => PlanError { span: None, ..error },
            // The place is in the view's text, not in the statement's.
            _ => PlanErrorKind::InView { view: name.to_owned(), error: Box::new(error) }.into(),
        })
    }

    /// The log of a table with its computed columns and its watermark. Upserts become changes of
    /// full rows.
    fn scan(name: &str, table: &Table) -> Result<Plan, PlanErrorKind> {
        if let Some(connector) = table.connector.as_ref().filter(|connector| !connector.is_source()) {
            return Err(ConnectError::NotASource { connector: connector.name() }.into());
        }
        let stored = table.stored_schema();
        let key = table.stored_key().map(<[usize]>::to_vec);
        let scan = Scan {
            table: table.id,
            name: name.to_owned(),
            columns: (0..stored.len()).collect(),
            changelog_mode: table.mode.changelog_mode(),
            key: key.clone(),
        };
        let plan = Plan::new(Op::Scan(scan), Vec::new(), stored);
        let upsert_key = match (table.mode, key) {
            (TableMode::Upsert, Some(key)) => Some(key),
            (TableMode::Upsert, None) => {
                return Err(PlanErrorKind::UpsertWithoutKey { table: name.to_owned() });
            }
            (TableMode::Append | TableMode::Retract, _) => None,
        };
        let Some(watermark) = &table.watermark else {
            return Ok(with_computed_columns(normalized(plan, upsert_key), table));
        };
        // The watermark looks at rows as they arrive, so it comes first.
        let plan = with_computed_columns(plan, table);
        let schema = plan.schema.clone();
        let op = Op::Watermark { column: watermark.column, expr: watermark.expr.clone() };
        let plan = Plan::new(op, vec![plan], schema);
        let place = |key: &usize| {
            let stored = |column: &usize| table.stored_index(*column) == Some(*key);
            (0..table.columns.len()).find(stored).expect("a stored column is a column")
        };
        let upsert_key = upsert_key.map(|key| key.iter().map(place).collect());
        Ok(normalized(plan, upsert_key))
    }
}

fn normalized(plan: Plan, key: Option<Vec<usize>>) -> Plan {
    let Some(key) = key else { return plan };
    let schema = plan.schema.clone();
    Plan::new(Op::ChangelogNormalize { key, condition: None }, vec![plan], schema)
}

/// All columns of a table, over its stored ones.
fn with_computed_columns(plan: Plan, table: &Table) -> Plan {
    let mut stored = plan.identity().into_iter();
    let column = |column: &crate::catalog::TableColumn| {
        let mut expr = match &column.source {
            ColumnSource::Stored | ColumnSource::Metadata { .. } => {
                stored.next().expect("each stored column is scanned")
            }
            ColumnSource::Computed { expr, .. } => expr.clone(),
        };
        expr.data_type = column.column.data_type.clone();
        expr
    };
    let projection: Vec<Expr> = table.columns.iter().map(column).collect();
    plan.calc(None, projection, table.schema().names().map(str::to_owned).collect())
}

/// A plan under an alias, whose columns the alias may rename.
pub(super) fn aliased(
    mut plan: Plan,
    name: Option<&str>,
    alias: Option<&TableAlias>,
) -> Result<(Plan, Scope), PlanError> {
    let Some(alias) = alias else {
        let scope = Scope::of(name, &plan.schema);
        return Ok((plan, scope));
    };
    if !alias.columns.is_empty() {
        let (given, expected) = (alias.columns.len(), plan.schema.len());
        if given != expected {
            return Err(PlanErrorKind::ColumnNames { given, expected }.at(alias.name.span));
        }
        let names: Vec<String> = alias.columns.iter().map(|column| column.name.value.clone()).collect();
        rename(&mut plan, &names);
    }
    let scope = Scope::of(Some(&alias.name.value), &plan.schema);
    Ok((plan, scope))
}

fn rename(plan: &mut Plan, names: &[String]) {
    let columns = plan.schema.columns.iter().zip(names);
    plan.schema = Schema::new(
        columns.map(|(column, name)| Column::new(name.clone(), column.data_type.clone())).collect(),
    );
}
