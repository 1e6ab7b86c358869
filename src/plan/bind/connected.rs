//! Tables `WITH ('connector' = '…')`.

use super::super::error::{PlanError, PlanErrorKind};
use crate::catalog::{ColumnSource, TableColumn};
use crate::connect::{ConnectError, Connector};
use crate::sql::Span;
use crate::sql::statement::{ColumnKind, CreateTable};
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
    let options = create.options.iter();
    let options: Vec<_> = options.map(|o| (o.key.value.clone(), o.value.value.clone())).collect();
    let connector = Connector::from_options(&options, &physical, &key);
    let connector = match connector {
        Ok(connector) if !metadata.is_empty() => connector.with_metadata(metadata),
        connector => connector,
    };
    connector.map(Some).map_err(|error| {
        let place = place(&error, create, columns);
        let error = PlanError::from(PlanErrorKind::from(error));
        match place {
            Some(place) => error.or_at(place),
            None => error,
        }
    })
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
    let option = |key: &str| create.options.iter().rev().find(|option| option.key.value == key);
    let value = |key: &str| option(key).map(|option| option.value.span);
    let column = |name: &str| {
        let mut columns = create.elements.columns.iter();
        columns.find(|column| column.name.value == name).map(|column| column.name.span.into())
    };
    match error {
        ConnectError::NoSuchOption { key, .. } => option(key).map(|option| option.key.span),
        ConnectError::BadValue { key, .. } | ConnectError::NoSuchFaker { key, .. } => value(key),
        ConnectError::Conflict { second, .. } => value(second),
        ConnectError::NoSuchConnector { .. } | ConnectError::MissingOption { .. } => value("connector"),
        ConnectError::NoSuchFormat { .. } => value("format"),
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
        _ => None,
    }
}
