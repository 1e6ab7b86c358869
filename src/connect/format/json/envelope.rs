//! Formats whose lines are change events: an operation and the row before and after it.
//!
//! They are those of Flink, `debezium-json`, `canal-json`, `maxwell-json` and `ogg-json`, and
//! `changelog-json`, which is `{"op":"+I","data":{…}}`.

mod metadata;
mod read;
mod write;

pub(in crate::connect) use metadata::EventMetadata;
pub(in crate::connect::format) use read::EnvelopeDecoder;
pub(in crate::connect::format) use write::EnvelopeEncoder;

use regex::Regex;

use super::super::super::ConnectError;
use super::super::super::options::Options;
use super::{JsonOptions, Keys, keys};
use crate::changelog::RowKind;

/// Who writes such events.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::connect) enum Envelope {
    Debezium,
    Canal,
    Maxwell,
    Ogg,
    Changelog,
}

/// The options of such a format.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::connect) struct EnvelopeOptions {
    envelope: Envelope,
    json: JsonOptions,
    /// Whether the event is the member `payload`, beside its schema.
    in_payload: bool,
    /// The databases whose events are read.
    databases: Option<Pattern>,
    /// The tables whose events are read.
    tables: Option<Pattern>,
}

/// What an operation code means.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operation {
    Insert,
    Update,
    Delete,
    /// One side of an update, or any other change, by itself.
    Single(RowKind),
    /// Nothing that changes a row, such as a statement that creates a table.
    Nothing,
}

/// A regular expression that must fit a whole text.
#[derive(Debug, Clone)]
struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Pattern {
    fn take(key: &'static str, options: &mut Options<'_>) -> Result<Option<Self>, ConnectError> {
        let Some(text) = options.text(key) else { return Ok(None) };
        match Regex::new(&format!("^(?:{text})$")) {
            Ok(regex) => Ok(Some(Self(regex))),
            Err(_) => Err(ConnectError::BadValue {
                key,
                value: text.to_owned(),
                expected: "a regular expression".to_owned(),
            }),
        }
    }
}

impl Envelope {
    /// The format of this name, if it is one of these.
    pub(in crate::connect::format) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|envelope| envelope.name() == name)
    }

    const ALL: [Self; 5] = [Self::Debezium, Self::Canal, Self::Maxwell, Self::Ogg, Self::Changelog];

    pub(in crate::connect::format) fn name(self) -> &'static str {
        match self {
            Self::Debezium => "debezium-json",
            Self::Canal => "canal-json",
            Self::Maxwell => "maxwell-json",
            Self::Ogg => "ogg-json",
            Self::Changelog => "changelog-json",
        }
    }

    fn keys(self) -> &'static Keys {
        match self {
            Self::Debezium => keys!("debezium-json"),
            Self::Canal => keys!("canal-json"),
            Self::Maxwell => keys!("maxwell-json"),
            Self::Ogg => keys!("ogg-json"),
            Self::Changelog => keys!("changelog-json"),
        }
    }

    /// The members with the row before the change, with the row after it, and with the operation.
    fn members(self) -> [&'static str; 3] {
        match self {
            Self::Debezium => ["before", "after", "op"],
            Self::Canal | Self::Maxwell => ["old", "data", "type"],
            Self::Ogg => ["before", "after", "op_type"],
            Self::Changelog => ["", "data", "op"],
        }
    }

    /// Whether the rows are in arrays, since an event is about several.
    fn has_lists(self) -> bool {
        self == Self::Canal
    }

    /// Whether the row before an update has only the columns that change, and a deleted row is where
    /// others have the row after the change.
    fn has_differences(self) -> bool {
        matches!(self, Self::Canal | Self::Maxwell)
    }

    fn operation(self, code: &str) -> Option<Operation> {
        Some(match (self, code) {
            (Self::Debezium, "c" | "r")
            | (Self::Canal, "INSERT")
            | (Self::Maxwell, "insert")
            | (Self::Ogg, "I") => Operation::Insert,
            (Self::Debezium, "u")
            | (Self::Canal, "UPDATE")
            | (Self::Maxwell, "update")
            | (Self::Ogg, "U") => Operation::Update,
            (Self::Debezium, "d")
            | (Self::Canal, "DELETE")
            | (Self::Maxwell, "delete")
            | (Self::Ogg, "D") => Operation::Delete,
            (Self::Canal, "CREATE") => Operation::Nothing,
            (Self::Changelog, code) => {
                Operation::Single(RowKind::ALL.into_iter().find(|kind| kind.symbol() == code)?)
            }
            _ => return None,
        })
    }

    /// The codes that are written for a row that comes and one that goes.
    fn codes(self) -> [&'static str; 2] {
        match self {
            Self::Debezium => ["c", "d"],
            Self::Canal => ["INSERT", "DELETE"],
            Self::Maxwell => ["insert", "delete"],
            Self::Ogg => ["I", "D"],
            Self::Changelog => ["+I", "-D"],
        }
    }
}

impl EnvelopeOptions {
    pub(in crate::connect::format) fn take(
        envelope: Envelope,
        options: &mut Options<'_>,
    ) -> Result<Self, ConnectError> {
        let json = JsonOptions::take_of_events(envelope.keys(), options)?;
        let mut taken = Self { envelope, json, in_payload: false, databases: None, tables: None };
        match envelope {
            Envelope::Debezium => taken.in_payload = options.flag("debezium-json.schema-include", false)?,
            Envelope::Canal => {
                taken.databases = Pattern::take("canal-json.database.include", options)?;
                taken.tables = Pattern::take("canal-json.table.include", options)?;
            }
            Envelope::Maxwell | Envelope::Ogg | Envelope::Changelog => {}
        }
        Ok(taken)
    }

    /// Whether an event may take several lines.
    pub(in crate::connect::format) fn is_multi_line(&self) -> bool {
        self.json.multi_line
    }

    /// What events say beside their rows.
    pub(in crate::connect::format) fn metadata(&self) -> &'static [EventMetadata] {
        EventMetadata::all(self.envelope)
    }
}
