//! CREATE TABLE and CREATE VIEW.

use sqlparser::ast::{Ident, Select, SelectItem, SetExpr, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::keys::identifying_key;
use super::super::modes;
use super::super::node::Plan;
use super::Binder;
use super::connected::connector;
use super::expr::ExprBinder;
use super::scope::{Scope, nearest};
use crate::catalog::{ColumnSource, Table, TableColumn, TableId, TableMode, View, Watermark};
use crate::sql::statement::{ColumnDefinition, ColumnKind, CreateTable, CreateView, Setting};
use crate::value::{Column, DataType, Schema, TimeAttribute, TypeKind};

/// A bound CREATE TABLE.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The table.
    pub table: Table,
    /// The query of CREATE TABLE … AS, whose columns are the table's.
    pub query: Option<Plan>,
}

/// The options that a table in memory has.
const OPTIONS: [&str; 1] = ["changelog.mode"];

impl Binder<'_> {
    /// Binds a CREATE TABLE; the table gets the number `id`.
    ///
    /// # Errors
    /// When a column, the key, the watermark, an option or the query is wrong.
    pub fn bind_table(&self, create: &CreateTable, id: TableId) -> Result<Definition, PlanError> {
        if let Some(like) = &create.like {
            let instead = format!("SHOW CREATE TABLE {} gives a statement to start from.", like.table);
            let kind = PlanErrorKind::refused("CREATE TABLE … LIKE", instead);
            return Err(kind.at(super::expr::span_of_name(&like.table)));
        }
        let given_mode = if create.is_connected() { None } else { mode_option(&create.options)? };
        let query = create.query.as_ref().map(|query| self.bind_query(query)).transpose()?;
        let mut columns = match &query {
            Some(plan) => columns_of_query(create, plan)?,
            None => self.columns(&create.elements.columns)?,
        };
        let key = create.elements.primary_key.as_ref();
        let key = key.map(|names| primary_key(names, &mut columns, query.is_some())).transpose()?;
        let connector = connector(create, &columns, key.as_deref())?;
        let given_mode = connector.as_ref().map(TableMode::of).or(given_mode);
        let (key, mode) = match (given_mode, key, &query) {
            (Some(mode), key, _) => (key, mode),
            (None, Some(key), _) => (Some(key), TableMode::Upsert),
            (None, None, Some(plan)) if !self.strict => mode_of_query(plan, &mut columns),
            (None, None, _) => (None, TableMode::Append),
        };
        let mut table = Table::new(id, columns, key, mode);
        table.connector = connector;
        table.temporary = create.temporary;
        table.comment.clone_from(&create.comment);
        let option = |setting: &Setting| (setting.key.value.clone(), setting.value.value.clone());
        table.options = create.options.iter().map(option).collect();
        if mode == TableMode::Retract && given_mode.is_none() {
            // Columns and key do not tell that the query gave this mode, so SHOW CREATE TABLE has to.
            table.options.push(("changelog.mode".to_owned(), mode.to_string()));
        }
        if let Some((column, expr)) = &create.elements.watermark {
            let watermark = self.watermark(column, expr, &mut table)?;
            table.watermark = Some(watermark);
        }
        Ok(Definition { table, query })
    }

    fn columns(&self, definitions: &[ColumnDefinition]) -> Result<Vec<TableColumn>, PlanError> {
        let mut stored = Schema::default();
        for definition in definitions {
            if let ColumnKind::Physical(data_type) | ColumnKind::Metadata { data_type, .. } = &definition.kind
            {
                stored.columns.push(Column::new(definition.name.value.clone(), data_type.clone()));
            }
        }
        let scope = Scope::of(None, &stored);
        let mut columns: Vec<TableColumn> = Vec::new();
        for definition in definitions {
            let name = definition.name.value.clone();
            if columns.iter().any(|other| other.column.name == name) {
                return Err(PlanErrorKind::DuplicateColumn { name }.at(definition.name.span));
            }
            let (data_type, source) = match &definition.kind {
                ColumnKind::Physical(data_type) => (data_type.clone(), ColumnSource::Stored),
                ColumnKind::Computed(ast) => {
                    let mut binder =
                        ExprBinder { binder: self, scope: &scope, collect: Err("a computed column") };
                    let expr = binder.bind(ast)?;
                    if expr.data_type.kind == TypeKind::Null {
                        return Err(PlanErrorKind::UntypedNull.at(ast.span()));
                    }
                    (expr.data_type.clone(), ColumnSource::Computed { expr, text: ast.to_string() })
                }
                ColumnKind::Metadata { data_type, key, is_virtual } => {
                    let key = key.as_ref().map_or(&name, |key| &key.value).clone();
                    (data_type.clone(), ColumnSource::Metadata { key, is_virtual: *is_virtual })
                }
                ColumnKind::FromQuery => {
                    let problem = format!("column \"{name}\" has no type");
                    let hint = "Write the type behind the name, or AS and an expression.";
                    return Err(PlanErrorKind::definition(problem, hint).at(definition.name.span));
                }
            };
            let column = Column::new(name, data_type);
            columns.push(TableColumn { column, source, comment: definition.comment.clone() });
        }
        Ok(columns)
    }

    fn watermark(
        &self,
        name: &Ident,
        ast: &sqlparser::ast::Expr,
        table: &mut Table,
    ) -> Result<Watermark, PlanError> {
        let schema = table.schema();
        let column = schema
            .index_of(&name.value)
            .ok_or_else(|| PlanErrorKind::no_such_column(&name.value, schema.names()).at(name.span))?;
        let data_type = &schema.columns[column].data_type;
        let fits = match data_type.kind {
            TypeKind::Timestamp(precision) | TypeKind::TimestampLtz(precision) => precision <= 3,
            _ => false,
        };
        if !fits {
            let problem = format!(
                "a watermark needs a TIMESTAMP or TIMESTAMP_LTZ of precision 0 to 3, but column \"{}\" is {data_type}",
                name.value
            );
            let column = &name.value;
            let hint = match &data_type.kind {
                TypeKind::Timestamp(_) => format!("Declare it as {column} TIMESTAMP(3)."),
                TypeKind::TimestampLtz(_) => format!("Declare it as {column} TIMESTAMP_LTZ(3)."),
                kind if kind.is_string() => {
                    format!(
                        "Declare another column, ts AS TO_TIMESTAMP({column}), and the watermark for that."
                    )
                }
                kind if kind.is_integer() => format!(
                    "Declare another column, ts AS TO_TIMESTAMP_LTZ({column}, 3), and the watermark for that."
                ),
                _ => "Declare another column, ts TIMESTAMP(3), and the watermark for that.".to_owned(),
            };
            return Err(PlanErrorKind::definition(problem, hint).at(name.span));
        }
        let scope = Scope::of(None, &schema);
        let expr = ExprBinder { binder: self, scope: &scope, collect: Err("WATERMARK") }.bind(ast)?;
        if !expr.data_type.kind.is_timestamp() {
            let problem = format!("the watermark must be a timestamp, not {}", expr.data_type.kind);
            let hint = format!("Write WATERMARK FOR {0} AS {0} - INTERVAL '5' SECOND.", name.value);
            return Err(PlanErrorKind::definition(problem, hint).at(ast.span()));
        }
        table.columns[column].column.data_type.attribute = TimeAttribute::Rowtime;
        Ok(Watermark { column, expr, text: ast.to_string() })
    }

    /// Binds a CREATE VIEW.
    ///
    /// # Errors
    /// When the query or the names of the columns are wrong.
    pub fn bind_view(&self, create: &CreateView) -> Result<View, PlanError> {
        if let SetExpr::Select(select) = &*create.query.body {
            reject_duplicate_names(select)?;
        }
        // A view that is replaced must not come to read itself.
        self.views.borrow_mut().push((Self::name(&create.name)?.value, None));
        let plan = self.bind_query(&create.query);
        self.views.borrow_mut().pop();
        let mut schema = plan?.schema;
        let names: Vec<String> = create.columns.iter().map(|name| name.value.clone()).collect();
        for (i, name) in create.columns.iter().enumerate() {
            if names[..i].contains(&name.value) {
                return Err(PlanErrorKind::DuplicateColumn { name: name.value.clone() }.at(name.span));
            }
        }
        if !names.is_empty() {
            let (given, expected) = (names.len(), schema.len());
            if given != expected {
                return Err(PlanErrorKind::ColumnNames { given, expected }.at(create.columns[0].span));
            }
            for (column, name) in schema.columns.iter_mut().zip(&names) {
                column.name.clone_from(name);
            }
        }
        Ok(View {
            query: create.query_text.clone(),
            column_names: (!names.is_empty()).then_some(names),
            schema,
            comment: create.comment.clone(),
            temporary: create.temporary,
        })
    }
}

/// The option `'changelog.mode'`; other options are unknown.
fn mode_option(options: &[Setting]) -> Result<Option<TableMode>, PlanError> {
    let mut found = None;
    for option in options {
        let key = option.key.value.as_str();
        if key != "changelog.mode" {
            let problem = format!("table option '{key}' does not exist");
            let hint = nearest(key, OPTIONS).map(|near| format!("Did you mean '{near}'?"));
            let hint = hint.unwrap_or_else(|| format!("The only option is '{}'.", OPTIONS[0]));
            return Err(PlanErrorKind::definition(problem, hint).at(option.key.span));
        }
        let value = option.value.value.as_str();
        found = Some(TableMode::ALL.into_iter().find(|mode| mode.to_string() == value).ok_or_else(|| {
            let problem = format!("'changelog.mode' cannot be '{value}'");
            let hint = "It is 'append', 'upsert' or 'retract'.";
            PlanErrorKind::definition(problem, hint).at(option.value.span)
        })?);
    }
    Ok(found)
}

fn columns_of_query(create: &CreateTable, plan: &Plan) -> Result<Vec<TableColumn>, PlanError> {
    if let Some(definition) = create.elements.columns.first() {
        let what = "a column list in CREATE TABLE … AS";
        let instead = "Leave the list out, and name the columns in the query: AS SELECT … AS name.";
        return Err(PlanErrorKind::refused(what, instead).at(definition.name.span));
    }
    let column = |column: &Column| TableColumn {
        column: Column::new(
            column.name.clone(),
            column.data_type.clone().with_attribute(TimeAttribute::None),
        ),
        source: ColumnSource::Stored,
        comment: None,
    };
    Ok(plan.schema.columns.iter().map(column).collect())
}

/// The positions of the key columns, which become NOT NULL. Those of a query must be so already.
fn primary_key(
    names: &[Ident],
    columns: &mut [TableColumn],
    of_query: bool,
) -> Result<Vec<usize>, PlanError> {
    let mut key = Vec::new();
    for name in names {
        let problem = |problem: String, hint: &str| PlanErrorKind::definition(problem, hint).at(name.span);
        let Some(index) = columns.iter().position(|column| column.column.name == name.value) else {
            let names = columns.iter().map(|column| column.column.name.as_str());
            return Err(PlanErrorKind::no_such_column(&name.value, names).at(name.span));
        };
        if key.contains(&index) {
            let twice = format!("column \"{}\" is in the primary key twice", name.value);
            return Err(problem(twice, "Name it once."));
        }
        let column = &mut columns[index];
        if !column.is_stored() {
            return Err(problem(
                format!("column \"{}\" is computed and cannot be in a primary key", name.value),
                "Take a column with a type for the key.",
            ));
        }
        if of_query && column.column.data_type.nullable {
            let hint = "Wrap it in COALESCE(…, value), or create the table first and use INSERT INTO.";
            return Err(problem(
                format!("column \"{}\" of the query can be NULL and cannot be in a primary key", name.value),
                hint,
            ));
        }
        let data_type: &mut DataType = &mut column.column.data_type;
        data_type.nullable = false;
        key.push(index);
    }
    Ok(key)
}

/// The mode that fits a query: append if it only inserts, upsert by its key if it updates by one,
/// else retract.
fn mode_of_query(plan: &Plan, columns: &mut [TableColumn]) -> (Option<Vec<usize>>, TableMode) {
    if modes::is_append_only(plan) {
        return (None, TableMode::Append);
    }
    let moded = modes::infer(plan.clone(), false);
    let is_upsert = moded.is_ok_and(|moded| moded.plan.changelog_mode().is_upsert());
    match identifying_key(plan).filter(|_| is_upsert) {
        Some(key) => {
            for &column in &key {
                columns[column].column.data_type.nullable = false;
            }
            (Some(key), TableMode::Upsert)
        }
        None => (None, TableMode::Retract),
    }
}

/// A view cannot have two columns of one name that its author wrote.
fn reject_duplicate_names(select: &Select) -> Result<(), PlanError> {
    let mut names: Vec<&Ident> = Vec::new();
    for item in &select.projection {
        let name = match item {
            SelectItem::ExprWithAlias { alias, .. } => alias,
            SelectItem::UnnamedExpr(sqlparser::ast::Expr::Identifier(name)) => name,
            SelectItem::UnnamedExpr(sqlparser::ast::Expr::CompoundIdentifier(parts)) => match parts.last() {
                Some(name) => name,
                None => continue,
            },
            _ => continue,
        };
        if names.iter().any(|other| other.value == name.value) {
            return Err(PlanErrorKind::DuplicateColumn { name: name.value.clone() }.at(name.span));
        }
        names.push(name);
    }
    Ok(())
}
