//! ALTER TABLE and ALTER VIEW.

use sqlparser::ast::{Ident, ObjectName};

use super::show::create_table;
use super::{Error, Outcome, Session, refused};
use crate::catalog::{Entry, Table};
use crate::exec::RunError;
use crate::expr::{Context, Expr};
use crate::plan::PlanErrorKind;
use crate::plan::bind::{Binder, nearest};
use crate::sql::statement::{
    AlterTable, AlterTableAction, AlterView, AlterViewAction, ColumnDefinition, ColumnPosition, CreateTable,
    CreateView, TableElements,
};
use crate::sql::{self, Statement};
use crate::value::{Column, RowText, Value};

impl Session {
    pub(super) fn alter_table(&mut self, alter: &AlterTable) -> Result<Outcome, Error> {
        let name = Binder::name(&alter.name)?;
        let Some(table) = self.altered(&name, "table", alter.if_exists)? else { return Ok(Outcome::Done) };
        let Entry::Table(table) = table else { return Ok(Outcome::Done) };
        if let AlterTableAction::RenameTable(to) = &alter.action {
            return self.rename(&name, to, Entry::Table(table));
        }
        // The statement that would make the table now, with the change in it.
        let mut create = definition_of(&name, &table)?;
        let renamed = change(&mut create, &alter.action, &table)?;
        let context = self.context();
        let binder = self.binder(&context);
        let bound = binder.bind_table(&create, table.id).map_err(|mut error| {
            // The place is in a text that nobody has written.
            error.span = None;
            error
        })?;
        let altered = with_log(bound.table, &table, renamed.as_ref(), &context)?;
        self.engine.catalog.put(name.value, table.temporary, Entry::Table(Box::new(altered)));
        Ok(Outcome::Done)
    }

    pub(super) fn alter_view(&mut self, alter: &AlterView) -> Result<Outcome, Error> {
        let name = Binder::name(&alter.name)?;
        let Some(entry) = self.altered(&name, "view", alter.if_exists)? else { return Ok(Outcome::Done) };
        let Entry::View(view) = entry else { return Ok(Outcome::Done) };
        match &alter.action {
            AlterViewAction::Rename(to) => self.rename(&name, to, Entry::View(view)),
            AlterViewAction::SetQuery { query, query_text } => {
                let create = CreateView {
                    name: alter.name.clone(),
                    temporary: view.temporary,
                    or_replace: true,
                    if_not_exists: false,
                    columns: Vec::new(),
                    comment: view.comment.clone(),
                    query: query.clone(),
                    query_text: query_text.clone(),
                };
                let context = self.context();
                let altered = self.binder(&context).bind_view(&create)?;
                self.engine.catalog.put(name.value, view.temporary, Entry::View(altered));
                Ok(Outcome::Done)
            }
        }
    }

    /// The table or view to alter, which nothing may be reading; none if it may be missing and is.
    fn altered(&self, name: &Ident, noun: &'static str, if_exists: bool) -> Result<Option<Entry>, Error> {
        match self.engine.catalog.get(&name.value) {
            None if if_exists => Ok(None),
            None => Err(self.missing(noun, &name.value, Some(name.span.into()))),
            Some(entry) if entry.noun() != noun => {
                let (name, span) = (name.value.clone(), Some(name.span.into()));
                Err(Error::WrongNoun { name, is: entry.noun(), not: noun, span })
            }
            Some(entry) => {
                self.check_unused(noun, name)?;
                Ok(Some(entry.clone()))
            }
        }
    }

    fn rename(&mut self, from: &Ident, to: &ObjectName, entry: Entry) -> Result<Outcome, Error> {
        let to = Binder::name(to)?;
        let temporary = match &entry {
            Entry::Table(table) => table.temporary,
            Entry::View(view) => view.temporary,
        };
        self.there_already(&to, temporary, false)?;
        self.engine.catalog.remove(&from.value, temporary);
        self.engine.catalog.put(to.value, temporary, entry);
        Ok(Outcome::Done)
    }
}

fn definition_of(name: &Ident, table: &Table) -> Result<CreateTable, Error> {
    let parsed = sql::parse(&create_table(&name.value, table))?;
    match parsed.statement {
        Statement::CreateTable(create) => Ok(*create),
        _ => Err(refused("this table cannot be altered", None)),
    }
}

/// Changes a definition. A column that gets another name is returned.
fn change(
    create: &mut CreateTable,
    action: &AlterTableAction,
    table: &Table,
) -> Result<Option<(String, String)>, Error> {
    let elements = &mut create.elements;
    match action {
        AlterTableAction::RenameColumn { from, to } => {
            place_of(elements, from)?;
            check_unread(table, from)?;
            for column in &mut elements.columns {
                rename(&mut column.name, from, to);
            }
            let watermark = elements.watermark.iter_mut().map(|(column, _)| column);
            for column in elements.primary_key.iter_mut().flatten().chain(watermark) {
                rename(column, from, to);
            }
            return Ok(Some((from.value.clone(), to.value.clone())));
        }
        AlterTableAction::Add(added) => {
            for column in &added.columns {
                put(elements, column.clone())?;
            }
            add_once(&mut elements.primary_key, added.primary_key.as_ref(), "a primary key")?;
            add_once(&mut elements.watermark, added.watermark.as_ref(), "a watermark")?;
        }
        AlterTableAction::Modify(modified) => {
            for column in &modified.columns {
                let place = place_of(elements, &column.name)?;
                elements.columns[place] = column.clone();
            }
            elements.primary_key = modified.primary_key.clone().or(elements.primary_key.take());
            elements.watermark = modified.watermark.clone().or(elements.watermark.take());
        }
        AlterTableAction::DropColumns(names) => {
            for name in names {
                let place = place_of(elements, name)?;
                check_unread(table, name)?;
                elements.columns.remove(place);
            }
        }
        AlterTableAction::DropPrimaryKey => elements.primary_key = None,
        AlterTableAction::DropWatermark => elements.watermark = None,
        AlterTableAction::SetOptions(options) => {
            for option in options {
                create.options.retain(|known| known.key.value != option.key.value);
                create.options.push(option.clone());
            }
        }
        AlterTableAction::ResetOptions(keys) => {
            create.options.retain(|known| keys.iter().all(|key| key.value != known.key.value));
        }
        AlterTableAction::RenameTable(_) => {}
    }
    Ok(None)
}

fn rename(column: &mut Ident, from: &Ident, to: &Ident) {
    if column.value == from.value {
        to.value.clone_into(&mut column.value);
    }
}

fn add_once<T: Clone>(there: &mut Option<T>, added: Option<&T>, what: &str) -> Result<(), Error> {
    match (there.is_some(), added) {
        (true, Some(_)) => Err(refused(&format!("the table has {what} already"), Some("Use MODIFY."))),
        (false, Some(added)) => {
            *there = Some(added.clone());
            Ok(())
        }
        (_, None) => Ok(()),
    }
}

/// Puts a new column where it is to stand: last, unless something else is said.
fn put(elements: &mut TableElements, column: ColumnDefinition) -> Result<(), Error> {
    let place = match &column.position {
        None => elements.columns.len(),
        Some(ColumnPosition::First) => 0,
        Some(ColumnPosition::After(other)) => place_of(elements, other)? + 1,
    };
    elements.columns.insert(place, column);
    Ok(())
}

fn place_of(elements: &TableElements, name: &Ident) -> Result<usize, Error> {
    let place = elements.columns.iter().position(|column| column.name.value == name.value);
    place.ok_or_else(|| {
        let names = elements.columns.iter().map(|column| column.name.value.as_str());
        let nearest = nearest(&name.value, names);
        PlanErrorKind::NoSuchColumn { name: name.value.clone(), nearest }.at(name.span).into()
    })
}

/// A column that a computed column or the watermark reads stays as it is.
fn check_unread(table: &Table, column: &Ident) -> Result<(), Error> {
    let schema = table.schema();
    let stored = schema.index_of(&column.value).and_then(|index| table.stored_index(index));
    let computed = table.columns.iter().find(|other| match &other.source {
        crate::catalog::ColumnSource::Computed { expr, .. } => {
            stored.is_some_and(|stored| expr.columns().contains(&stored))
        }
        crate::catalog::ColumnSource::Stored | crate::catalog::ColumnSource::Metadata { .. } => false,
    });
    let watermark = table.watermark.as_ref().filter(|watermark| {
        let index = schema.index_of(&column.value);
        index.is_some_and(|index| watermark.column == index || watermark.expr.columns().contains(&index))
    });
    let reader = match (computed, watermark) {
        (Some(computed), _) => format!("computed column \"{}\"", computed.column.name),
        (None, Some(_)) => "the watermark".to_owned(),
        (None, None) => return Ok(()),
    };
    Err(Error::Refused {
        problem: format!("{reader} reads column \"{}\"", column.value),
        hint: None,
        span: Some(column.span.into()),
    })
}

/// The altered table with the log of the old one: columns keep their values by their names, cast to
/// their types; new ones are NULL.
fn with_log(
    mut altered: Table,
    old: &Table,
    renamed: Option<&(String, String)>,
    context: &Context,
) -> Result<Table, Error> {
    let (before, after) = (old.stored_schema(), altered.stored_schema());
    let mut exprs = Vec::with_capacity(after.len());
    for Column { name, data_type } in &after.columns {
        let source = renamed.filter(|(_, to)| to == name).map_or(name, |(from, _)| from);
        let to = data_type.clone().with_nullable(true);
        exprs.push(match before.index_of(source) {
            Some(index) => {
                let value = Expr::column(index, before.columns[index].data_type.clone());
                Expr::cast(value, to, false)
                    .map_err(|error| Error::Plan(PlanErrorKind::from(error).into()))?
            }
            None => Expr::literal(Value::NULL, to),
        });
    }
    for change in old.log().iter() {
        let values = exprs.iter().map(|expr| expr.eval(change.row, context));
        let row: Vec<Value> = values.collect::<Result<_, _>>().map_err(|error| {
            let row = RowText::new(&before, context.time_zone.clone()).of(change.row);
            Error::Run(RunError::Eval { error, row, cause: change.cause })
        })?;
        let broken = after
            .columns
            .iter()
            .zip(&row)
            .find(|(column, value)| change.kind.adds() && !column.data_type.nullable && value.is_null());
        if let Some((column, _)) = broken {
            let problem = format!("column \"{}\" cannot be NOT NULL, for the table has rows", column.name);
            return Err(refused(&problem, Some("Add it without NOT NULL.")));
        }
        altered.append(change.kind, change.cause, &row);
    }
    Ok(altered)
}
