//! Tables of files: looks at what a file begins with, writes the statement that connects a table to it, and says
//! what its lines are if they are changes that some program wrote.
//!
//! ```no_run
//! use rowkind::import::Import;
//!
//! let import = Import::of("orders.jsonl", None)?;
//! println!("{};", import.statement);
//! # Ok::<(), rowkind::import::ImportError>(())
//! ```

mod call;
mod csv;
mod envelope;
mod keyed;
mod merge;
mod shape;
mod text;

use std::fmt::Write;
use std::path::Path;

use serde_json::Value as Json;

use crate::connect::{ConnectError, Documents, Next, Sample};
use crate::sql::quoted_if_needed as quoted;
use crate::value::DataType;
use csv::Sheet;
use envelope::{By, Read};
use keyed::Keyed;
use shape::Object;

/// What was found in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The name of the table.
    pub table: String,
    /// The `CREATE TABLE` statement, without a semicolon.
    pub statement: String,
    /// What the file is and what was guessed, each as a line.
    pub remarks: Vec<String>,
    /// A query that reads the table as the changes that its rows mean, without a semicolon. There is none if they
    /// mean nothing but themselves, or the table gives the changes already.
    pub suggestion: Option<String>,
}

/// Why no table was made of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// There is nothing in it.
    #[error("there is nothing in \"{path}\"")]
    Empty {
        /// The file, folder or pattern.
        path: String,
    },
    /// It looks like JSON and is none.
    #[error("\"{path}\" is not read as JSON: {problem}")]
    NoJson {
        /// The file, folder or pattern.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// It is JSON, but not of objects.
    #[error("the JSON in \"{path}\" has no objects")]
    NoObjects {
        /// The file, folder or pattern.
        path: String,
    },
}

impl ImportError {
    /// The way out, as a sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Connect(error) => error.hint(),
            Self::Empty { .. } | Self::NoJson { .. } => None,
            Self::NoObjects { .. } => {
                Some("A table with one STRING column and the format raw takes any lines.".to_owned())
            }
        }
    }
}

/// How much of the files is looked at, in bytes.
const ENOUGH: usize = 1 << 20;

/// A table that is to be made.
struct Draft {
    columns: Vec<(String, DataType)>,
    /// The columns of the primary key, if there is one.
    key: Vec<String>,
    /// The format with its options.
    options: Vec<(String, String)>,
    remarks: Vec<String>,
}

impl Import {
    /// Looks at a file of CSV or JSON, or of keys with values of JSON, or at the files of a folder or pattern. Without a name the table is called as
    /// the file.
    ///
    /// # Errors
    /// There is no such file, it is empty or cannot be read, or it has neither lines of values nor objects.
    pub fn of(path: &str, name: Option<&str>) -> Result<Self, ImportError> {
        let sample = Sample::read(path, ENOUGH)?;
        let table = name.map_or_else(|| name_of(path), str::to_owned);
        let (mut draft, suggestion) = match kind_of(&sample) {
            Kind::Keyed(keyed) => keyed.draft(&table),
            Kind::Empty => return Err(ImportError::Empty { path: path.to_owned() }),
            Kind::Json => json(path, &table, &sample)?,
            Kind::Csv { tabs } => sheet(path, &table, &sample, tabs)?,
        };
        if !sample.is_whole {
            draft.remarks.push(format!("Only the first {} MiB were looked at.", ENOUGH >> 20));
        }
        let statement = draft.statement(&table, path);
        Ok(Self { table, statement, remarks: draft.remarks, suggestion })
    }
}

impl Draft {
    fn statement(&self, table: &str, path: &str) -> String {
        let mut text = format!("CREATE TABLE {} (\n", quoted(table));
        for (index, (name, data_type)) in self.columns.iter().enumerate() {
            let comma = if index + 1 < self.columns.len() || !self.key.is_empty() { "," } else { "" };
            let _ = writeln!(text, "  {} {data_type}{comma}", quoted(name));
        }
        if !self.key.is_empty() {
            let key: Vec<String> = self.key.iter().map(|name| quoted(name)).collect();
            let _ = writeln!(text, "  PRIMARY KEY ({}) NOT ENFORCED", key.join(", "));
        }
        text.push_str(") WITH (\n  'connector' = 'filesystem',\n");
        let _ = write!(text, "  'path' = {}", literal(path));
        for (key, value) in &self.options {
            let _ = write!(text, ",\n  '{key}' = {}", literal(value));
        }
        text.push_str("\n)");
        text
    }
}

enum Kind<'a> {
    Empty,
    Keyed(Keyed<'a>),
    Json,
    Csv { tabs: bool },
}

/// What the files are, as their names or else their lines or first characters say.
fn kind_of(sample: &Sample) -> Kind<'_> {
    let name = sample.first.to_string_lossy().to_ascii_lowercase();
    let name = [".gz", ".gzip", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let is = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let Some(first) = sample.texts.iter().find_map(|text| text.trim_start().chars().next()) else {
        return Kind::Empty;
    };
    if is(&[".csv"]) {
        return Kind::Csv { tabs: false };
    }
    if is(&[".tsv", ".tab"]) {
        return Kind::Csv { tabs: true };
    }
    if let Some(keyed) = Keyed::of(&sample.texts, sample.is_whole) {
        return Kind::Keyed(keyed);
    }
    if is(&[".json", ".jsonl", ".ndjson"]) || matches!(first, '{' | '[') {
        return Kind::Json;
    }
    Kind::Csv { tabs: false }
}

/// The table and the query for a sample of JSON.
fn json(path: &str, table: &str, sample: &Sample) -> Result<(Draft, Option<String>), ImportError> {
    let found = documents(path, sample)?;
    let mut object = Object::of(&found.documents);
    if object.members.is_empty() {
        return Err(ImportError::NoObjects { path: path.to_owned() });
    }
    let mut remarks = found.remarks;
    let read = envelope::recognise(&found.documents, &mut object, By::FormatOrQuery).map(|events| {
        remarks.extend(events.remarks);
        events.read
    });
    let (format, mut options, (mut columns, is_iso)) = match &read {
        Some(Read::Format(format)) => (format.name, format.options.clone(), format.row.columns()),
        Some(Read::Call(_) | Read::Merge(_)) | None => ("json", Vec::new(), object.columns()),
    };
    if let Some(Read::Format(format)) = &read {
        retype(&mut columns, &format.types);
    }
    options.insert(0, option("format", format));
    if found.is_multi_line {
        options.push(option(&format!("{format}.multi-line"), "true"));
    }
    if is_iso {
        options.push(option(&format!("{format}.timestamp-format.standard"), "ISO-8601"));
    }
    let suggestion = read.and_then(|read| read.query(table, &mut columns));
    Ok((Draft { columns, key: Vec::new(), options, remarks }, suggestion))
}

fn option(key: &str, value: &str) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

/// Gives columns the types that are known of them.
fn retype(columns: &mut [(String, DataType)], types: &[(String, DataType)]) {
    for (name, data_type) in columns {
        if let Some((_, known)) = types.iter().find(|(other, _)| other == name) {
            data_type.clone_from(known);
        }
    }
}

/// The table and the query for a sample of lines of values.
fn sheet(
    path: &str,
    table: &str,
    sample: &Sample,
    tabs: bool,
) -> Result<(Draft, Option<String>), ImportError> {
    let empty = || ImportError::Empty { path: path.to_owned() };
    let sheet = Sheet::of(&sample.texts, sample.is_whole, tabs).ok_or_else(empty)?;
    let mut options = vec![option("format", "csv")];
    let mut remarks = Vec::new();
    if sheet.delimiter != ',' {
        let text = if sheet.delimiter == '\t' { "\\t".to_owned() } else { sheet.delimiter.to_string() };
        options.push(option("csv.field-delimiter", &text));
    }
    if sheet.has_header {
        options.push(option("csv.ignore-first-line", "true"));
        remarks.push("The first line was taken for the names of the columns.".to_owned());
    }
    if let Some(null) = sheet.null {
        options.push(option("csv.null-literal", null));
    }
    let documents: Vec<Json> = sheet
        .records
        .iter()
        .map(|record| {
            let members = sheet.names.iter().cloned().zip(record.iter().cloned().map(Json::String));
            Json::Object(members.collect())
        })
        .collect();
    let mut object = Object::of_members(sheet.names.iter().cloned().zip(sheet.shapes.iter().cloned()));
    let columns = sheet.names.iter().zip(&sheet.shapes);
    let mut columns: Vec<_> = columns.map(|(name, shape)| (name.clone(), shape.data_type(false))).collect();
    let suggestion = envelope::recognise_columns(&documents, &mut object).and_then(|events| {
        remarks.extend(events.remarks);
        events.read.query(table, &mut columns)
    });
    Ok((Draft { columns, key: Vec::new(), options, remarks }, suggestion))
}

/// The documents of a sample of JSON.
struct Found {
    documents: Vec<Json>,
    /// Whether some take several lines.
    is_multi_line: bool,
    remarks: Vec<String>,
}

/// The documents: one a line if the first line is one, or else wherever they begin and end.
fn documents(path: &str, sample: &Sample) -> Result<Found, ImportError> {
    let no_json = |problem: String| ImportError::NoJson { path: path.to_owned(), problem };
    let lines = || sample.texts.iter().flat_map(|text| text.lines()).map(str::trim);
    let first = lines().find(|line| !line.is_empty()).unwrap_or_default();
    let mut found = Found { documents: Vec::new(), is_multi_line: false, remarks: Vec::new() };
    let first_value = serde_json::from_str::<Json>(first);
    if first_value.is_ok() {
        let count = lines().count();
        for (index, line) in lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            match serde_json::from_str::<Json>(line) {
                Ok(Json::Array(items)) => found.documents.extend(items),
                Ok(document) => found.documents.push(document),
                Err(_) if index + 1 == count && !sample.is_whole => {}
                Err(error) if found.documents.is_empty() => return Err(no_json(error.to_string())),
                Err(_) if found.remarks.is_empty() => found.remarks.push(format!(
                    "Line {} is no JSON; with 'json.ignore-parse-errors' = 'true' such lines are skipped.",
                    index + 1
                )),
                Err(_) => {}
            }
        }
        return Ok(found);
    }
    found.is_multi_line = true;
    for (index, text) in sample.texts.iter().enumerate() {
        let is_cut = index + 1 == sample.texts.len() && !sample.is_whole;
        let mut places = Documents::default();
        let mut at = 0;
        loop {
            let next = places.next(text, at, !is_cut).map_err(|(at, expected)| {
                let line = text[..at].lines().count().max(1);
                no_json(format!("{expected} is expected in line {line}"))
            })?;
            let Next::At(start, end) = next else { break };
            let line = text[..start].lines().count().max(1);
            let document = serde_json::from_str(&text[start..end]);
            found.documents.push(
                document.map_err(|error| {
                    no_json(format!("{error}, in the document that begins in line {line}"))
                })?,
            );
            at = end;
        }
    }
    Ok(found)
}

/// The name of a table for the files of a path: that of the file without what stands behind its first point, or of
/// the folder.
fn name_of(path: &str) -> String {
    let path = path.trim_end_matches('/');
    let is_plain = |part: &&str| !part.contains(['*', '?', '[']);
    let part = Path::new(path).iter().rev().filter_map(|part| part.to_str()).find(is_plain).unwrap_or("t");
    let stem = part.split('.').find(|stem| !stem.is_empty()).unwrap_or("t");
    let name: String = stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_numeric()) { format!("t_{name}") } else { name }
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
