//! Tables `WITH ('connector' = '…')`.

use std::sync::Arc;

use sqlparser::ast::Ident;

use super::super::error::{PlanError, PlanErrorKind};
use super::Binder;
use crate::catalog::{ColumnSource, Table, TableColumn, TableMode, Variant};
use crate::connect::{ConnectError, Connector};
use crate::sql::statement::{ColumnKind, CreateTable, Setting};
use crate::sql::{Span, TableOptions};
use crate::value::Schema;

impl CreateTable {
    /// Whether the rows are elsewhere, and not in memory.
    pub(super) fn is_connected(&self) -> bool {
        self.options.iter().any(|option| option.key.value == "connector")
    }
}

/// What a table with these columns and this key is connected to; nothing if it is in memory.
pub(super) fn connector(
    create: &CreateTable,
    columns: &[TableColumn],
    key: Option<&[usize]>,
) -> Result<Option<Connector>, PlanError> {
    if !create.is_connected() {
        return reject_metadata(create).map(|()| None);
    }
    let options: Vec<_> = create.options.iter().map(pair).collect();
    connect(&options, columns, key).map(Some).map_err(|error| {
        let place = place(&error, create, columns);
        let error = PlanError::from(PlanErrorKind::from(error));
        match place {
            Some(place) => error.or_at(place),
            None => error,
        }
    })
}

impl Binder<'_> {
    /// A table with the options of a hint in the place of its own. The same hint gives the same.
    pub(super) fn variant(
        &self,
        name: &Ident,
        table: &Table,
        hint: &TableOptions,
    ) -> Result<Arc<Variant>, PlanError> {
        if table.connector.is_none() {
            let problem =
                format!("table \"{}\" is in memory, and a hint cannot change its options", name.value);
            let instead = "The hint OPTIONS is for tables WITH ('connector' = '…').";
            return Err(PlanErrorKind::definition(problem, instead).at(hint.span));
        }
        if let Some(option) = hint.options.iter().find(|option| option.key.value == "connector") {
            let problem = format!("a hint cannot change the connector of table \"{}\"", name.value);
            let instead = "CREATE TABLE makes a table of another connector.";
            return Err(PlanErrorKind::definition(problem, instead).at(option.key.span));
        }
        let given: Vec<_> = hint.options.iter().map(pair).collect();
        let mut variants = self.variants.borrow_mut();
        let same = |known: &&Arc<Variant>| known.origin == table.id && known.hint == given;
        if let Some(known) = variants.iter().find(same) {
            return Ok(known.clone());
        }
        let mut options = table.options.clone();
        options.retain(|(key, _)| given.iter().all(|(other, _)| other != key));
        options.extend(given.iter().cloned());
        let connector = connect(&options, &table.columns, table.primary_key.as_deref()).map_err(|error| {
            let place = option_place(&error, &hint.options).unwrap_or(hint.span);
            PlanErrorKind::from(error).at(place)
        })?;
        let id = self.catalog.coming_table_ids().nth(variants.len()).expect("numbers do not end");
        let mode = TableMode::of(&connector);
        let mut changed = Table::new(id, table.columns.clone(), table.primary_key.clone(), mode);
        changed.watermark.clone_from(&table.watermark);
        changed.connector = Some(connector);
        changed.options = options;
        let variant = Arc::new(Variant { origin: table.id, hint: given, table: changed });
        variants.push(variant.clone());
        Ok(variant)
    }
}

fn pair(option: &Setting) -> (String, String) {
    (option.key.value.clone(), option.value.value.clone())
}

/// What these options connect a table with these columns and this key to.
fn connect(
    options: &[(String, String)],
    columns: &[TableColumn],
    key: Option<&[usize]>,
) -> Result<Connector, ConnectError> {
    let physical = columns.iter().filter(|column| column.source == ColumnSource::Stored);
    let physical: Schema = physical.map(|column| column.column.clone()).collect();
    let stored = columns.iter().filter(|column| column.is_stored()).enumerate();
    let metadata = stored.filter_map(|(position, column)| match &column.source {
        ColumnSource::Metadata { key, .. } => Some((position, &column.column, key.as_str())),
        ColumnSource::Stored | ColumnSource::Computed { .. } => None,
    });
    let metadata: Vec<_> = metadata.collect();
    let key = key.unwrap_or_default().iter();
    let key: Vec<usize> = key.filter_map(|&i| physical.index_of(&columns[i].column.name)).collect();
    match Connector::from_options(options, &physical, &key) {
        Ok(connector) if !metadata.is_empty() => connector.with_metadata(metadata),
        connector => connector,
    }
}

/// Nothing is known about the rows of a table in memory but themselves.
fn reject_metadata(create: &CreateTable) -> Result<(), PlanError> {
    let mut columns = create.elements.columns.iter();
    let Some(column) = columns.find(|column| matches!(column.kind, ColumnKind::Metadata { .. })) else {
        return Ok(());
    };
    let hint = "Connected tables have METADATA; PROCTIME() is when a row came.";
    Err(PlanErrorKind::refused("a METADATA column of a table in memory", hint).at(column.name.span))
}

/// Where a statement says what is wrong: an option or a column.
fn place(error: &ConnectError, create: &CreateTable, columns: &[TableColumn]) -> Option<Span> {
    let column = |name: &str| {
        let mut columns = create.elements.columns.iter();
        columns.find(|column| column.name.value == name).map(|column| column.name.span.into())
    };
    match error {
        ConnectError::NoSuchMetadata { key, .. } => {
            let has_key = |column: &&TableColumn| match &column.source {
                ColumnSource::Metadata { key: wanted, .. } => wanted == key,
                ColumnSource::Stored | ColumnSource::Computed { .. } => false,
            };
            columns.iter().find(has_key).and_then(|found| column(&found.column.name))
        }
        ConnectError::UnsupportedType { column: name, .. }
        | ConnectError::NotGenerated { column: name, .. }
        | ConnectError::MetadataType { column: name, .. } => column(name),
        _ => option_place(error, &create.options),
    }
}

/// The option that is wrong.
fn option_place(error: &ConnectError, options: &[Setting]) -> Option<Span> {
    let option = |key: &str| options.iter().rev().find(|option| option.key.value == key);
    let value = |key: &str| option(key).map(|option| option.value.span);
    match error {
        ConnectError::NoSuchOption { key, .. } => option(key).map(|option| option.key.span),
        ConnectError::BadValue { key, .. } | ConnectError::NoSuchFaker { key, .. } => value(key),
        ConnectError::Conflict { second, .. } => value(second),
        ConnectError::NoSuchConnector { .. } | ConnectError::MissingOption { .. } => value("connector"),
        ConnectError::NoSuchFormat { .. } => value("format"),
        _ => None,
    }
}
