//! Why a table cannot be connected, read or written.

use std::borrow::Cow;
use std::fmt;
use std::io;

use super::format::is_not_a;

/// Why a table cannot be connected, read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// An option that is needed is not given.
    #[error("{connector} needs the option '{key}'")]
    MissingOption {
        /// What needs it, such as `connector "filesystem"`.
        connector: String,
        /// The option.
        key: Cow<'static, str>,
    },
    /// There is no such connector.
    #[error("connector \"{name}\" does not exist")]
    NoSuchConnector {
        /// The name.
        name: String,
        /// The one that is like it.
        nearest: Option<String>,
        /// All there are.
        known: Vec<&'static str>,
    },
    /// There is no such format.
    #[error("format \"{name}\" does not exist")]
    NoSuchFormat {
        /// The name.
        name: String,
        /// The one that is like it.
        nearest: Option<String>,
        /// All there are.
        known: Vec<&'static str>,
    },
    /// The connector and its format have no such option.
    #[error("{connector} has no option '{key}'")]
    NoSuchOption {
        /// What does not have it, such as `connector "filesystem" with format "json"`.
        connector: String,
        /// The option.
        key: String,
        /// The one that is like it.
        nearest: Option<String>,
        /// All there are.
        known: Vec<Cow<'static, str>>,
    },
    /// The value of an option is not one of its values.
    #[error("'{value}' is not a value of the option '{key}'")]
    BadValue {
        /// The option.
        key: Cow<'static, str>,
        /// What was given.
        value: String,
        /// What can be given, as a phrase: `true or false`.
        expected: String,
    },
    /// Two options cannot be used together.
    #[error("the options '{first}' and '{second}' cannot be used together")]
    Conflict {
        /// One of them.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// The connector only writes.
    #[error("a table of connector \"{connector}\" cannot be read")]
    NotASource {
        /// The connector.
        connector: &'static str,
    },
    /// The connector only reads.
    #[error("a table of connector \"{connector}\" cannot be written")]
    NotASink {
        /// The connector.
        connector: &'static str,
    },
    /// The format has nothing for the type of a column.
    #[error("format \"{format}\" cannot hold column \"{column}\" of type {data_type}")]
    UnsupportedType {
        /// The format.
        format: &'static str,
        /// The column.
        column: String,
        /// Its type.
        data_type: String,
        /// What the format demands, as a sentence.
        rule: &'static str,
    },
    /// Rows are made up, and there is no way to make values of the type of a column.
    #[error("connector \"{connector}\" cannot make values of type {data_type} for column \"{column}\"")]
    NotGenerated {
        /// The connector.
        connector: &'static str,
        /// The column.
        column: String,
        /// Its type, or the one in it.
        data_type: String,
    },
    /// Neither the connector nor its format knows something of this name about a row.
    #[error("connector \"{connector}\" with this format has no metadata '{key}'")]
    NoSuchMetadata {
        /// The connector.
        connector: &'static str,
        /// The key.
        key: String,
        /// The one that is like it.
        nearest: Option<String>,
        /// All there are.
        known: Vec<&'static str>,
    },
    /// A METADATA column has a type that its values have no form in.
    #[error("METADATA column \"{column}\" cannot be of type {data_type}")]
    MetadataType {
        /// The column.
        column: String,
        /// Its type.
        data_type: String,
        /// The type of the values.
        given: String,
    },
    /// Standard input is wanted and cannot be had.
    #[error("standard input cannot be read here")]
    NoStdin,
    /// The operating system refuses a file or stream.
    #[error("cannot {action} \"{path}\": {reason}")]
    File {
        /// What was tried: `open`, `read` or `write`.
        action: &'static str,
        /// The file, or `stdin` and its like.
        path: String,
        /// What kind of failure it is; `BrokenPipe` means that nobody reads the output any more.
        kind: io::ErrorKind,
        /// What the system says.
        reason: String,
    },
    /// A compressed file is no such file, or cannot be written.
    #[error("\"{path}\" cannot be read or written with compression: {reason}")]
    Compressed {
        /// The file.
        path: String,
        /// What is wrong, as a phrase.
        reason: String,
    },
    /// An expression of the connector `faker` has something in it that does not exist.
    #[error("there is no \"#{{{name}}}\", in the option '{key}'")]
    NoSuchFaker {
        /// The option.
        key: Cow<'static, str>,
        /// What does not exist, such as `Name.frstName`.
        name: String,
        /// The one that is like it.
        nearest: Option<String>,
        /// All there are of the same provider, or all providers.
        known: Vec<&'static str>,
    },
    /// A text that was made up is no value of the type of its column.
    #[error("{}, made for column \"{column}\" of row {row} by '{expression}'", is_not_a(.text, .data_type))]
    Unfit {
        /// The text.
        text: String,
        /// The expression that made it.
        expression: String,
        /// The type.
        data_type: String,
        /// The column.
        column: String,
        /// The number of the row, counted from 1.
        row: u64,
    },
    /// A pipe is to be looked at before it is read.
    #[error("\"{path}\" is a pipe, which cannot be read twice")]
    ReadOnce {
        /// The pipe.
        path: String,
    },
    /// A directory or a pattern is to be read and has no files.
    #[error("there are no files in \"{path}\"")]
    NoFiles {
        /// The directory, or the path with `*` and the like.
        path: String,
    },
    /// What is read is not what the table's columns need.
    #[error("{place}: {problem}{}", of_column(column.as_deref()))]
    Data {
        /// Where.
        place: Place,
        /// The column, if it is about one.
        column: Option<String>,
        /// What is wrong, as a phrase.
        problem: String,
        /// The way out, as a sentence.
        hint: Option<String>,
    },
    /// A row cannot be written in the format.
    #[error("cannot write a row to \"{path}\": {problem}{}", of_column(column.as_deref()))]
    Row {
        /// The file, or `stdout` and its like.
        path: String,
        /// The column, if it is about one.
        column: Option<String>,
        /// What is wrong, as a phrase.
        problem: String,
        /// The way out, as a sentence.
        hint: Option<String>,
    },
}

/// A place in what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, or `stdin`.
    pub file: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The character in the line, counted from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

fn of_column(column: Option<&str>) -> String {
    column.map_or_else(String::new, |column| format!(", in column \"{column}\""))
}

impl ConnectError {
    /// The way out, as a sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchConnector { nearest, known, .. } | Self::NoSuchFormat { nearest, known, .. } => {
                Some(near_or_all(nearest.as_deref(), known))
            }
            Self::NoSuchOption { key, nearest, known, .. } => {
                let (_, alike) = same_group(key, known);
                Some(near_or_all(nearest.as_deref(), &alike))
            }
            Self::NoSuchFaker { nearest: Some(nearest), .. } => {
                Some(format!("Did you mean '#{{{nearest}}}'? .help faker lists all."))
            }
            Self::NoSuchFaker { known, .. } => {
                Some(format!("There are {}; .help faker lists all.", known.join(", ")))
            }
            Self::Unfit { .. } => Some("Give the column another type, or another expression.".to_owned()),
            Self::NoSuchMetadata { known, .. } if known.is_empty() => {
                Some("There is none: leave METADATA out.".to_owned())
            }
            Self::NoSuchMetadata { nearest, known, .. } => Some(near_or_all(nearest.as_deref(), known)),
            Self::MetadataType { given, .. } => Some(format!("The values are of type {given}.")),
            Self::BadValue { expected, .. } => Some(format!("It can be {expected}.")),
            Self::NotASource { .. } => Some("It is for INSERT INTO only.".to_owned()),
            Self::NotASink { .. } => Some("It is for queries only.".to_owned()),
            Self::UnsupportedType { rule, .. } => Some((*rule).to_owned()),
            Self::File { kind: io::ErrorKind::NotFound, action: "open", path, .. } => (!path
                .starts_with('/'))
            .then(|| "A relative path starts at the directory in which the program was started.".to_owned()),
            Self::NoStdin => Some(
                "It is the script or the terminal; give the script by name, and the data as standard input."
                    .to_owned(),
            ),
            Self::MissingOption { key, .. } => Some(format!("Add '{key}' = '…' to WITH.")),
            Self::Conflict { first, second } => Some(format!("Leave '{first}' or '{second}' out.")),
            Self::NotGenerated { .. } => {
                Some("Compute the column, as in CREATE TABLE … (column AS expression).".to_owned())
            }
            Self::Compressed { .. } | Self::File { .. } => None,
            Self::ReadOnce { .. } => {
                Some("Write the CREATE TABLE for it, or save what comes through it in a file.".to_owned())
            }
            Self::NoFiles { .. } => {
                Some("Files whose names begin with \".\" or \"_\" are not read.".to_owned())
            }
            Self::Data { hint, .. } | Self::Row { hint, .. } => hint.clone(),
        }
    }

    /// Whether somebody who read the output has gone away.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::File { kind: io::ErrorKind::BrokenPipe, .. })
    }

    /// A failure of the operating system.
    pub(super) fn file(action: &'static str, path: impl Into<String>, error: &io::Error) -> Self {
        Self::File { action, path: path.into(), kind: error.kind(), reason: reason_of(error) }
    }
}

/// Of many options those of the same group as a key, the smallest group that there is, and that
/// group: `csv.` of `csv.quote`.
pub(super) fn same_group<'a, 'k>(key: &'a str, known: &'k [Cow<'static, str>]) -> (&'a str, Vec<&'k str>) {
    let of_group =
        |group: &str| known.iter().map(Cow::as_ref).filter(|known| known.starts_with(group)).collect();
    let groups = key.match_indices('.').rev().map(|(end, _)| &key[..=end]);
    let mut groups = groups.map(|group| (group, of_group(group)));
    groups.find(|(_, alike): &(_, Vec<_>)| !alike.is_empty()).unwrap_or_else(|| ("", of_group("")))
}

fn near_or_all(nearest: Option<&str>, known: &[&str]) -> String {
    if let Some(nearest) = nearest {
        return format!("Did you mean '{nearest}'?");
    }
    let known: Vec<_> = known.iter().map(|name| format!("'{name}'")).collect();
    format!("There are {}.", known.join(", "))
}

/// What the system says, without the number of the error.
fn reason_of(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
