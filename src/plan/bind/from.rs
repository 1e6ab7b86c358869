//! FROM: tables, views, sub-queries and table functions.

use std::sync::Arc;

use sqlparser::ast::{Ident, Spanned, TableAlias, TableFactor};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Op, Plan, Scan};
use super::scope::{Scope, nearest};
use super::{Binder, Visible, VisibleCte, table_name};
use crate::catalog::{ColumnSource, Entry, Table, TableMode, View};
use crate::connect::ConnectError;
use crate::expr::Expr;
use crate::sql::{self, Span, Statement, TableOptions};
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
            let instead = "Insert a part of the query into a table, and read that.";
            return Err(PlanErrorKind::refused("nesting this deep", instead).at(relation.span()));
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
            TableFactor::Table {
                name, alias, args: None, version: None, sample: None, partitions, ..
            } if partitions.is_empty() => {
                let (name, hint) = sql::table_options(name).map_err(|error| Self::syntax(&error))?;
                let name = match &name.0[..] {
                    // A common table expression has no catalog.
                    [part] => part.as_ident().cloned().map_or_else(|| table_name(&name), Ok)?,
                    _ => table_name(&name)?,
                };
                let plan = match hint {
                    Some(hint) => self.table_with_options(&name, &hint, visible)?,
                    None => self.table(&name, visible)?,
                };
                (plan, Some(name), alias)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                return self.from(std::slice::from_ref(table_with_joins), visible);
            }
            _ => {
                let call = sql::table_function(relation).map_err(|error| Self::syntax(&error))?;
                let call = call.ok_or_else(|| {
                    let (what, instead) = clause_of(relation);
                    PlanErrorKind::refused(what, instead).at(relation.span())
                })?;
                let plan = self.table_function(&call, visible)?;
                return aliased(plan, None, call.alias);
            }
        };
        aliased(plan, name.as_ref(), alias.as_ref())
    }

    /// A table, a view or a common table expression, by its name.
    pub(super) fn table(&self, name: &Ident, visible: &Visible) -> Result<Plan, PlanError> {
        if let Some(VisibleCte { cte, before, is_read }) = visible.cte(&name.value) {
            is_read.set(true);
            let plan = self.query(&cte.query, before)?;
            let (plan, _) = aliased(plan, None, Some(&cte.alias))?;
            return Ok(plan);
        }
        self.read.borrow_mut().push(name.value.clone());
        match self.catalog.get(&name.value) {
            Some(Entry::Table(table)) => {
                self.scan(name, table, Vec::new()).map_err(|kind| kind.at(name.span))
            }
            Some(Entry::View(view)) => self.view(name, view).map_err(|error| error.or_at(name.span)),
            None => Err(self.no_such_table(name)),
        }
    }

    /// A table with the options of a hint in the place of its own.
    fn table_with_options(
        &self,
        name: &Ident,
        hint: &TableOptions,
        visible: &Visible,
    ) -> Result<Plan, PlanError> {
        let not_a_table = |what| {
            let problem = format!("\"{}\" is a {what}, and has no options", name.value);
            let instead = "Write the hint behind the name of the table that its query reads.";
            PlanErrorKind::definition(problem, instead).at(hint.span)
        };
        if visible.cte(&name.value).is_some() {
            return Err(not_a_table("common table expression"));
        }
        self.read.borrow_mut().push(name.value.clone());
        match self.catalog.get(&name.value) {
            Some(Entry::Table(table)) => {
                let variant = self.variant(name, table, hint)?;
                let scan = self.scan(name, &variant.table, variant.hint.clone());
                scan.map_err(|kind| kind.at(name.span))
            }
            Some(Entry::View(_)) => Err(not_a_table("view")),
            None => Err(self.no_such_table(name)),
        }
    }

    pub(super) fn no_such_table(&self, name: &Ident) -> PlanError {
        let nearest = nearest(&name.value, self.catalog.entries().map(|(name, _)| name));
        PlanErrorKind::NoSuchTable { name: name.value.clone(), nearest }.at(name.span)
    }

    fn view(&self, name: &Ident, view: &View) -> Result<Plan, PlanError> {
        let place = Some(name.span.into());
        let name = &name.value;
        if self.views.borrow().iter().any(|(open, _)| open == name) {
            let problem = format!("view \"{name}\" contains itself");
            let hint = format!("Give it another query: ALTER VIEW {name} AS SELECT ….");
            return Err(PlanErrorKind::definition(problem, hint).into());
        }
        self.views.borrow_mut().push((name.clone(), place));
        let plan = self.view_query(name, view);
        self.views.borrow_mut().pop();
        let mut plan = without_places(plan?);
        if let Some(names) = &view.column_names {
            rename(&mut plan, names);
        }
        Ok(plan)
    }

    fn view_query(&self, name: &str, view: &View) -> Result<Plan, PlanError> {
        let parsed = sql::parse(&view.query)
            .map_err(|error| Self::in_view(name, PlanErrorKind::Syntax(error).into()))?;
        let Statement::Query(query) = parsed.statement else { unreachable!("a view is a query") };
        self.query(&query, &Visible::default()).map_err(|error| match *error.kind {
            PlanErrorKind::InView { .. } => PlanError { span: None, ..error },
            // The place is in the view's text, not in the statement's.
            _ => Self::in_view(name, error),
        })
    }

    fn in_view(name: &str, error: PlanError) -> PlanError {
        PlanErrorKind::InView { view: name.to_owned(), error: Box::new(error) }.into()
    }

    /// The log of a table with its computed columns and its watermark. Upserts become changes of
    /// full rows.
    fn scan(
        &self,
        name: &Ident,
        table: &Table,
        options: Vec<(String, String)>,
    ) -> Result<Plan, PlanErrorKind> {
        let place = self.place_in_statement(name.span.into());
        let name = &name.value;
        if let Some(connector) = table.connector.as_ref().filter(|connector| !connector.is_source()) {
            return Err(ConnectError::NotASource { connector: connector.name() }.into());
        }
        let scanned = table.scanned_schema();
        let key = table.stored_key().map(<[usize]>::to_vec);
        let scan = Scan {
            table: table.id,
            name: name.clone(),
            options,
            columns: (0..scanned.len()).collect(),
            changelog_mode: table.mode.changelog_mode(),
            key: key.clone(),
        };
        let plan = with_declared_types(Plan::new(Op::Scan(scan), Vec::new(), scanned), table)?;
        let upsert_key = match (table.mode, key) {
            (TableMode::Upsert, Some(key)) => Some(key),
            (TableMode::Upsert, None) => {
                return Err(PlanErrorKind::UpsertWithoutKey { table: name.clone() });
            }
            (TableMode::Append | TableMode::Retract, _) => None,
        };
        let Some(watermark) = &table.watermark else {
            return Ok(with_computed_columns(normalized(plan, upsert_key), table, place));
        };
        // The watermark looks at rows as they arrive, so it comes first.
        let plan = with_computed_columns(plan, table, place);
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

/// The plan of a view, whose functions stand in the view's text and not in the statement's.
fn without_places(plan: Plan) -> Plan {
    let mut plan = plan.map_inputs(without_places);
    match &mut plan.op {
        Op::Over(over) => over.place = None,
        Op::FromChangelog(function) => Arc::make_mut(function).place = None,
        _ => {}
    }
    plan
}

fn normalized(plan: Plan, key: Option<Vec<usize>>) -> Plan {
    let Some(key) = key else { return plan };
    let schema = plan.schema.clone();
    Plan::new(Op::ChangelogNormalize { key, condition: None, shared: false }, vec![plan], schema)
}

/// The stored columns of a table with their declared types, over its scan.
fn with_declared_types(plan: Plan, table: &Table) -> Result<Plan, PlanErrorKind> {
    let declared = table.stored_schema();
    if declared.types().zip(plan.schema.types()).all(|(declared, scanned)| declared.kind == scanned.kind) {
        return Ok(Plan { schema: declared, ..plan });
    }
    let columns = plan.identity().into_iter().zip(declared.types());
    let columns = columns.map(|(column, declared)| Expr::cast(column, declared.clone(), false));
    let columns = columns.collect::<Result<_, _>>().map_err(PlanErrorKind::from)?;
    Ok(plan.calc(None, columns, declared.names().map(str::to_owned).collect()))
}

/// All columns of a table, over its stored ones. What computes the others stands where the table is
/// read.
fn with_computed_columns(plan: Plan, table: &Table, place: Span) -> Plan {
    let mut stored = plan.identity().into_iter();
    let column = |column: &crate::catalog::TableColumn| {
        let mut expr = match &column.source {
            ColumnSource::Stored | ColumnSource::Metadata { .. } => {
                stored.next().expect("each stored column is scanned")
            }
            ColumnSource::Computed { expr, .. } => expr.clone().wholly_written_at(place),
        };
        expr.data_type = column.column.data_type.clone();
        expr
    };
    let projection: Vec<Expr> = table.columns.iter().map(column).collect();
    plan.calc(None, projection, table.schema().names().map(str::to_owned).collect())
}

/// What of an item of FROM is not there, in the words of the query, and what there is instead.
fn clause_of(relation: &TableFactor) -> (String, &'static str) {
    let (what, instead) = match relation {
        TableFactor::Table { version: Some(_), .. } => {
            ("FOR SYSTEM_TIME AS OF", "Leave it out: a join follows the changes of both tables.")
        }
        TableFactor::Table { sample: Some(_), .. } => {
            ("TABLESAMPLE", "Use a condition, such as WHERE MOD(id, 10) = 0.")
        }
        TableFactor::MatchRecognize { .. } => {
            ("MATCH_RECOGNIZE", "LAG(…) OVER (PARTITION BY … ORDER BY …) reads the rows before.")
        }
        TableFactor::Pivot { .. } => {
            ("PIVOT", "Use an aggregate with a filter for each column: SUM(v) FILTER (WHERE k = 1).")
        }
        TableFactor::Unpivot { .. } => ("UNPIVOT", "Use UNION ALL of one SELECT for each column."),
        TableFactor::NestedJoin { .. } => {
            ("an alias of a join", "Write a sub-query: (SELECT * FROM a JOIN b ON …) AS x.")
        }
        other => return (format!("FROM {other}"), "Read a table, a sub-query or a table function."),
    };
    (what.to_owned(), instead)
}

/// A plan under an alias, whose columns the alias may rename.
pub(super) fn aliased(
    mut plan: Plan,
    name: Option<&Ident>,
    alias: Option<&TableAlias>,
) -> Result<(Plan, Scope), PlanError> {
    let Some(alias) = alias else {
        let scope = Scope::of(name, &plan.schema);
        return Ok((plan, scope));
    };
    if !alias.columns.is_empty() {
        let (given, expected) = (alias.columns.len(), plan.schema.len());
        if given != expected {
            let names = alias.columns.iter().map(|column| Span::from(column.name.span));
            let names = names.reduce(Span::union).expect("there are names");
            return Err(PlanErrorKind::ColumnNames { given, expected }.at(names));
        }
        let names: Vec<String> = alias.columns.iter().map(|column| column.name.value.clone()).collect();
        rename(&mut plan, &names);
    }
    let scope = Scope::of(Some(&alias.name), &plan.schema).aliasing(name);
    Ok((plan, scope))
}

fn rename(plan: &mut Plan, names: &[String]) {
    let columns = plan.schema.columns.iter().zip(names);
    plan.schema = Schema::new(
        columns.map(|(column, name)| Column::new(name.clone(), column.data_type.clone())).collect(),
    );
}
