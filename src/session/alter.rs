//! ALTER TABLE and ALTER VIEW.

use sqlparser::ast::{Ident, ObjectName};

use super::show::create_table;
use super::{Error, Outcome, Session, refused};
use crate::catalog::{Entry, Table};
use crate::exec::RunError;
use crate::expr::{Context, Expr};
use crate::plan::PlanErrorKind;
use crate::plan::bind::Binder;
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
        let Entry::Table(table) = table else { unreachable!("the noun is checked") };
        if let AlterTableAction::RenameTable(to) = &alter.action {
            return self.rename(&name, to, Entry::Table(table));
        }
        // The statement that would make the table now, with the change in it.
        let mut create = definition_of(&name, &table)?;
        let place = sql::Span::from(name.span);
        let renamed = change(&mut create, &alter.action, &table).map_err(|error| error.or_at(place))?;
        let context = self.context();
        let binder = self.binder(&context);
        let bound = binder.bind_table(&create, table.id).map_err(|mut error| {
            error.span = error.span.filter(|span| span.start.line < UNWRITTEN);
            error.or_at(place)
        })?;
        let altered = with_log(bound.table, &table, renamed.as_ref(), &context);
        let altered = altered.map_err(|error| error.or_at(place))?;
        self.engine.catalog.put(name.value, table.temporary, Entry::Table(Box::new(altered)));
        Ok(Outcome::Done)
    }

    pub(super) fn alter_view(&mut self, alter: &AlterView) -> Result<Outcome, Error> {
        let name = Binder::name(&alter.name)?;
        let Some(entry) = self.altered(&name, "view", alter.if_exists)? else { return Ok(Outcome::Done) };
        let Entry::View(view) = entry else { unreachable!("the noun is checked") };
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
                Err(Error::WrongNoun { name, is: entry.noun(), not: noun, verb: "ALTER", span })
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
        self.there_already(&to, temporary, "ALTER", false)?;
        self.engine.catalog.remove(&from.value, temporary);
        self.engine.catalog.put(to.value, temporary, entry);
        Ok(Outcome::Done)
    }
}

/// The first line of what nobody has written: the definition of a table as it is.
const UNWRITTEN: u32 = 1 << 16;

/// The statement that would make a table. Its places are beyond those of what was written.
fn definition_of(name: &Ident, table: &Table) -> Result<CreateTable, Error> {
    let text = "\n".repeat(UNWRITTEN as usize) + &create_table(&name.value, table);
    match sql::parse(&text)?.statement {
        Statement::CreateTable(create) => Ok(*create),
        other => unreachable!("{other:?} is no definition of a table"),
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
            check_unread(table, from, false)?;
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
            modify_there(&mut elements.primary_key, modified.primary_key.as_ref(), "primary key")?;
            modify_there(&mut elements.watermark, modified.watermark.as_ref(), "watermark")?;
        }
        AlterTableAction::DropColumns(names) => {
            for name in names {
                let place = place_of(elements, name)?;
                check_unread(table, name, true)?;
                if elements.columns.len() == 1 {
                    let hint = "DROP the table, or ADD another column first.";
                    return Err(refused("a table needs a column", hint, Some(name.span.into())));
                }
                elements.columns.remove(place);
            }
        }
        AlterTableAction::DropPrimaryKey => drop_there(&mut elements.primary_key, "primary key")?,
        AlterTableAction::DropWatermark => drop_there(&mut elements.watermark, "watermark")?,
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
        (true, Some(_)) => {
            Err(refused(format!("the table has {what} already"), "Use MODIFY instead of ADD.", None))
        }
        (false, Some(added)) => {
            *there = Some(added.clone());
            Ok(())
        }
        (_, None) => Ok(()),
    }
}

fn modify_there<T: Clone>(there: &mut Option<T>, modified: Option<&T>, what: &str) -> Result<(), Error> {
    match (there.is_some(), modified) {
        (false, Some(_)) => {
            Err(refused(format!("the table has no {what}"), "Use ADD instead of MODIFY.", None))
        }
        (true, Some(modified)) => {
            *there = Some(modified.clone());
            Ok(())
        }
        (_, None) => Ok(()),
    }
}

fn drop_there<T>(there: &mut Option<T>, what: &str) -> Result<(), Error> {
    match there.take() {
        Some(_) => Ok(()),
        None => {
            Err(refused(format!("the table has no {what}"), "SHOW CREATE TABLE shows what it has.", None))
        }
    }
}

/// Puts a new column where it is to stand: last, unless something else is said.
fn put(elements: &mut TableElements, column: ColumnDefinition) -> Result<(), Error> {
    if elements.columns.iter().any(|other| other.name.value == column.name.value) {
        let name = column.name.value.clone();
        return Err(PlanErrorKind::DuplicateColumn { name }.at(column.name.span).into());
    }
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
        PlanErrorKind::no_such_column(&name.value, names).at(name.span).into()
    })
}

/// A column that a computed column or the watermark reads stays as it is, and one of the primary key
/// is not `dropped`.
fn check_unread(table: &Table, column: &Ident, dropped: bool) -> Result<(), Error> {
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
    let key = table
        .primary_key
        .as_ref()
        .filter(|key| dropped && schema.index_of(&column.value).is_some_and(|index| key.contains(&index)));
    let (reader, dropping) = match (computed, watermark, key) {
        (Some(computed), ..) => {
            let name = &computed.column.name;
            (format!("computed column \"{name}\""), format!("DROP {name}"))
        }
        (None, Some(_), _) => ("the watermark".to_owned(), "DROP WATERMARK".to_owned()),
        (None, None, Some(_)) => ("the primary key".to_owned(), "DROP PRIMARY KEY".to_owned()),
        (None, None, None) => return Ok(()),
    };
    let hint = format!("ALTER TABLE … {dropping} first.");
    Err(refused(format!("{reader} reads column \"{}\"", column.value), hint, Some(column.span.into())))
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
            let problem = format!(
                "column \"{}\" cannot be NOT NULL, for the table has rows with NULL there",
                column.name
            );
            return Err(refused(problem, "Give it without NOT NULL.", None));
        }
        altered.append(change.kind, change.cause, &row);
    }
    Ok(altered)
}
