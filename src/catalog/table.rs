//! Tables and their logs.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::changelog::{Cause, ChangelogMode, Changes, DeleteKind, RowKind};
use crate::connect::{Connector, SinkMode};
use crate::expr::Expr;
use crate::value::{Column, DataType, Row, Schema, Value};

/// The number of a table, unique in a session, also after it is dropped and made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub(super) u32);

/// A table: columns, key, mode, and the log of all its changes, or what it is connected to.
#[derive(Debug, Clone)]
pub struct Table {
    /// The table's number.
    pub id: TableId,
    /// The columns in the order of the declaration, computed ones too.
    pub columns: Vec<TableColumn>,
    /// The positions of the key columns in [`Self::columns`]. All of them are stored columns.
    pub primary_key: Option<Vec<usize>>,
    /// The declared watermark.
    pub watermark: Option<Watermark>,
    /// Which kinds of changes the table takes and gives.
    pub mode: TableMode,
    /// Where the rows are, if they are not in the log.
    pub connector: Option<Connector>,
    /// The options of `WITH`, as they were given.
    pub options: Vec<(String, String)>,
    /// What `COMMENT` says.
    pub comment: Option<String>,
    /// Whether it goes with the session and hides a permanent entry of the same name.
    pub temporary: bool,
    key: Option<Vec<usize>>,
    log: Changes,
    present: HashSet<Row>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableColumn {
    /// Name and type.
    pub column: Column,
    /// Where its values come from.
    pub source: ColumnSource,
    /// What `COMMENT` says.
    pub comment: Option<String>,
}

/// Where the values of a column come from.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnSource {
    /// The log, or the data of a connected table.
    Stored,
    /// What is about a row of a connected table and not in it. It is scanned as if it were stored.
    Metadata {
        /// What it is, such as `file.path`.
        key: String,
        /// Whether the table can be written, without the column.
        is_virtual: bool,
    },
    /// An expression over the stored columns.
    Computed {
        /// The expression; its columns are positions among the stored columns.
        expr: Expr,
        /// The expression as it was written.
        text: String,
    },
}

/// `WATERMARK FOR column AS expression`
#[derive(Debug, Clone, PartialEq)]
pub struct Watermark {
    /// The position of the column in [`Table::columns`].
    pub column: usize,
    /// The watermark that a row brings, over [`Table::columns`].
    pub expr: Expr,
    /// The expression as it was written.
    pub text: String,
}

/// Which kinds of changes a table takes and gives: the option `'changelog.mode'`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableMode {
    /// Only `+I`.
    Append,
    /// `+I`, `+U` and `-D` by the primary key; deletes may carry the key alone.
    Upsert,
    /// All four kinds.
    Retract,
}

impl TableMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Append, Self::Upsert, Self::Retract];

    /// The mode of a connected table: what comes out of it, or else what it takes. A table that takes
    /// everything is one of retract mode.
    pub fn of(connector: &Connector) -> Self {
        let sink_mode = match connector.sink_mode() {
            Some(SinkMode::Only(mode)) => Some(mode),
            Some(SinkMode::Any) | None => None,
        };
        match connector.source_mode().or(sink_mode) {
            Some(mode) if mode.is_append() => Self::Append,
            Some(mode) if mode.is_upsert() => Self::Upsert,
            Some(_) | None => Self::Retract,
        }
    }

    /// The kinds that a table of this mode takes and gives.
    pub fn changelog_mode(self) -> ChangelogMode {
        match self {
            Self::Append => ChangelogMode::APPEND,
            Self::Upsert => ChangelogMode::upsert(DeleteKind::ByKey),
            Self::Retract => ChangelogMode::RETRACT,
        }
    }
}

impl fmt::Display for TableMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Append => "append",
            Self::Upsert => "upsert",
            Self::Retract => "retract",
        })
    }
}

impl ColumnSource {
    /// Whether it is METADATA.
    pub fn is_metadata(&self) -> bool {
        matches!(self, Self::Metadata { .. })
    }
}

impl TableColumn {
    /// Whether the values are scanned, and not computed.
    pub fn is_stored(&self) -> bool {
        !matches!(self.source, ColumnSource::Computed { .. })
    }
}

impl Table {
    /// A table without rows, options and comment.
    pub fn new(
        id: TableId,
        columns: Vec<TableColumn>,
        primary_key: Option<Vec<usize>>,
        mode: TableMode,
    ) -> Self {
        let width = columns.iter().filter(|column| column.is_stored()).count();
        let mut table = Self {
            id,
            columns,
            primary_key,
            watermark: None,
            mode,
            connector: None,
            options: Vec::new(),
            comment: None,
            temporary: false,
            key: None,
            log: Changes::new(width),
            present: HashSet::new(),
        };
        let stored = |&column: &usize| table.stored_index(column).expect("key columns are stored");
        table.key = table.primary_key.as_ref().map(|key| key.iter().map(stored).collect());
        table
    }

    /// All columns.
    pub fn schema(&self) -> Schema {
        self.columns.iter().map(|column| column.column.clone()).collect()
    }

    /// The stored columns.
    pub fn stored_schema(&self) -> Schema {
        self.columns.iter().filter(|c| c.is_stored()).map(|column| column.column.clone()).collect()
    }

    /// The stored columns as a scan gives them: METADATA has the types that the connector has for it.
    pub fn scanned_schema(&self) -> Schema {
        let metadata_type = |key: &str| self.connector.as_ref()?.metadata_type(key);
        let scanned = self.columns.iter().filter_map(|column| match &column.source {
            ColumnSource::Stored => Some(column.column.clone()),
            ColumnSource::Metadata { key, .. } => {
                let data_type = metadata_type(key).unwrap_or_else(|| column.column.data_type.clone());
                Some(Column::new(column.column.name.clone(), data_type))
            }
            ColumnSource::Computed { .. } => None,
        });
        scanned.collect()
    }

    /// The types of the stored columns.
    pub fn stored_types(&self) -> impl Iterator<Item = &DataType> {
        self.columns.iter().filter(|c| c.is_stored()).map(|column| &column.column.data_type)
    }

    /// The position of a column among the stored ones.
    pub fn stored_index(&self, column: usize) -> Option<usize> {
        let is_stored = self.columns.get(column)?.is_stored();
        is_stored.then(|| self.columns[..column].iter().filter(|c| c.is_stored()).count())
    }

    /// Where the values of the stored column at a position among the stored ones come from.
    pub fn stored_source(&self, stored: usize) -> Option<&ColumnSource> {
        self.columns.iter().filter(|column| column.is_stored()).nth(stored).map(|column| &column.source)
    }

    /// The positions of the key columns among the stored ones.
    pub fn stored_key(&self) -> Option<&[usize]> {
        self.key.as_deref()
    }

    /// All changes since the table was made, over the stored columns, as they were received.
    pub fn log(&self) -> &Changes {
        &self.log
    }

    /// The rows that the log adds up to, in the order in which they came, as if they came now.
    pub fn rows(&self, arrival: i64) -> Changes {
        let by_key = self.key.as_ref().filter(|_| self.mode == TableMode::Upsert);
        let mut is_there = vec![false; self.log.len()];
        let mut places: HashMap<Row, Vec<usize>> = HashMap::new();
        for (place, change) in self.log.iter().enumerate() {
            let id = by_key.and_then(|_| self.key_of(change.row)).unwrap_or_else(|| change.row.into());
            let places = places.entry(id).or_default();
            // A row of a key takes the place of the one before.
            if (by_key.is_some() || !change.kind.adds())
                && let Some(before) = places.pop()
            {
                is_there[before] = false;
            }
            if change.kind.adds() {
                is_there[place] = true;
                places.push(place);
            }
        }
        let mut rows = Changes::new(self.log.width());
        for (change, _) in self.log.iter().zip(is_there).filter(|(_, is_there)| *is_there) {
            rows.push(RowKind::Insert, Cause { arrival, ..change.cause }, change.row);
        }
        rows
    }

    /// Appends a change to the log as it is.
    pub fn append(&mut self, kind: RowKind, cause: Cause, row: &[Value]) {
        if self.mode == TableMode::Upsert
            && let Some(key) = self.key_of(row)
        {
            match kind {
                RowKind::Insert | RowKind::UpdateAfter => self.present.insert(key),
                RowKind::Delete => self.present.remove(&key),
                RowKind::UpdateBefore => false,
            };
        }
        self.log.push(kind, cause, row);
    }

    /// The kind with which a row of `INSERT … VALUES` is stored: in an upsert table a row for a
    /// key that is there is an update.
    pub fn insert_kind(&self, row: &[Value]) -> RowKind {
        match self.key_of(row) {
            Some(key) if self.mode == TableMode::Upsert && self.present.contains(&key) => {
                RowKind::UpdateAfter
            }
            _ => RowKind::Insert,
        }
    }

    fn key_of(&self, row: &[Value]) -> Option<Row> {
        Some(self.key.as_ref()?.iter().map(|&column| row[column].clone()).collect())
    }
}
