//! METADATA columns: what is about a row and not in it.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::format::json::EventMetadata;
use crate::changelog::Changes;
use crate::value::{DataType, Value};

/// What a METADATA column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Metadata {
    /// Something about the file; these are Flink's.
    File(FileMetadata),
    /// The number of the line, counted from 1.
    Line,
    /// Something about the event, which is beside the row.
    Event(EventMetadata),
}

/// Something about a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FileMetadata {
    Path,
    Name,
    Size,
    ModificationTime,
}

impl FileMetadata {
    pub(super) const ALL: [Self; 4] = [Self::Path, Self::Name, Self::Size, Self::ModificationTime];

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Path => "file.path",
            Self::Name => "file.name",
            Self::Size => "file.size",
            Self::ModificationTime => "file.modification-time",
        }
    }

    fn data_type(self) -> DataType {
        match self {
            Self::Path | Self::Name => DataType::string(),
            Self::Size => DataType::bigint(),
            Self::ModificationTime => DataType::timestamp_ltz(3),
        }
    }

    fn of(self, path: &Path) -> Value {
        let metadata = fs::metadata(path).ok();
        match self {
            Self::Path => {
                let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
                Value::string(&absolute.to_string_lossy())
            }
            Self::Name => path.file_name().map_or(Value::NULL, |name| Value::string(&name.to_string_lossy())),
            Self::Size => metadata
                .and_then(|metadata| i64::try_from(metadata.len()).ok())
                .map_or(Value::NULL, Value::integer),
            Self::ModificationTime => metadata
                .and_then(|metadata| metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok())
                .and_then(|since| i64::try_from(since.as_millis()).ok())
                .map_or(Value::NULL, |millis| Value::timestamp(millis, 0)),
        }
    }
}

impl Metadata {
    /// The key of the line's number, which Flink does not have.
    pub(super) const LINE: &str = "line";

    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::File(file) => file.data_type(),
            Self::Line => DataType::bigint(),
            Self::Event(event) => event.data_type(),
        }
    }
}

/// Puts rows together from what a decoder gives and what is known beside it.
#[derive(Debug)]
pub(super) struct Layout {
    /// Where the value of each column comes from.
    sources: Vec<Source>,
    has_lines: bool,
    decoded: Changes,
    /// What is known of the file, for each column that wants it.
    of_file: Vec<Value>,
}

/// What a value is taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Source {
    /// A column of the decoder.
    Decoded(usize),
    File(FileMetadata),
    Line,
}

impl Layout {
    /// A layout over a decoder that gives so many columns.
    pub(super) fn new(sources: Vec<Source>, decoded: usize) -> Self {
        let has_lines = sources.contains(&Source::Line);
        Self { sources, has_lines, decoded: Changes::new(decoded), of_file: Vec::new() }
    }

    /// A file begins; a stream has no path.
    pub(super) fn begin(&mut self, path: Option<&Path>) {
        let of_file = self.sources.iter().map(|source| match (source, path) {
            (Source::File(file), Some(path)) => file.of(path),
            (Source::File(_) | Source::Line | Source::Decoded(_), _) => Value::NULL,
        });
        self.of_file = of_file.collect();
    }

    /// Whether records have to be decoded one by one, to know the line of each.
    pub(super) fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// Where the decoder puts its changes.
    pub(super) fn decoded(&mut self) -> &mut Changes {
        self.decoded.clear();
        &mut self.decoded
    }

    /// Appends the rows of what was decoded, which stand in a line.
    pub(super) fn fill(&self, line: u64, out: &mut Changes) {
        let line = Value::integer(i64::try_from(line).unwrap_or(i64::MAX));
        for change in self.decoded.iter() {
            let values = self.sources.iter().zip(&self.of_file).map(|(source, of_file)| match source {
                Source::Decoded(column) => change.row[*column].clone(),
                Source::File(_) => of_file.clone(),
                Source::Line => line.clone(),
            });
            out.push_values(change.kind, change.cause, values);
        }
    }
}
