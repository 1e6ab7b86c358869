//! What events say about themselves, as Flink's METADATA columns.

use super::super::super::time::{Standard, parse_timestamp};
use super::Envelope;
use crate::value::{DataType, TypeKind, Value};

/// Something that an event says beside its rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::connect) struct EventMetadata {
    pub(in crate::connect) key: &'static str,
    /// The members on the way to the value.
    pub(super) path: &'static [&'static str],
    /// Whether the way starts at the line and not at the event in it, beside which the schema is.
    pub(super) of_line: bool,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Text,
    /// Milliseconds since 1970-01-01 00:00:00 UTC.
    Millis,
    Seconds,
    /// A timestamp as SQL writes it.
    Timestamp,
    Texts,
    TextMap,
    IntegerMap,
}

const fn of(key: &'static str, path: &'static [&'static str], kind: Kind) -> EventMetadata {
    EventMetadata { key, path, of_line: false, kind }
}

const DEBEZIUM: [EventMetadata; 7] = [
    EventMetadata { of_line: true, ..of("schema", &["schema"], Kind::Text) },
    of("ingestion-timestamp", &["ts_ms"], Kind::Millis),
    of("source.timestamp", &["source", "ts_ms"], Kind::Millis),
    of("source.database", &["source", "db"], Kind::Text),
    of("source.schema", &["source", "schema"], Kind::Text),
    of("source.table", &["source", "table"], Kind::Text),
    of("source.properties", &["source"], Kind::TextMap),
];

const CANAL: [EventMetadata; 6] = [
    of("database", &["database"], Kind::Text),
    of("table", &["table"], Kind::Text),
    of("sql-type", &["sqlType"], Kind::IntegerMap),
    of("pk-names", &["pkNames"], Kind::Texts),
    of("ingestion-timestamp", &["ts"], Kind::Millis),
    of("event-timestamp", &["es"], Kind::Millis),
];

const MAXWELL: [EventMetadata; 4] = [
    of("database", &["database"], Kind::Text),
    of("table", &["table"], Kind::Text),
    of("primary-key-columns", &["primary_key_columns"], Kind::Texts),
    of("ingestion-timestamp", &["ts"], Kind::Seconds),
];

const OGG: [EventMetadata; 4] = [
    of("table", &["table"], Kind::Text),
    of("primary-keys", &["primary_keys"], Kind::Texts),
    of("ingestion-timestamp", &["current_ts"], Kind::Timestamp),
    of("event-timestamp", &["op_ts"], Kind::Timestamp),
];

impl EventMetadata {
    /// What the events of a program say.
    pub(in crate::connect) fn all(envelope: Envelope) -> &'static [Self] {
        match envelope {
            Envelope::Debezium => &DEBEZIUM,
            Envelope::Canal => &CANAL,
            Envelope::Maxwell => &MAXWELL,
            Envelope::Ogg => &OGG,
            Envelope::Changelog => &[],
        }
    }

    /// The type of the values.
    pub(in crate::connect) fn data_type(self) -> DataType {
        match self.kind {
            Kind::Millis | Kind::Seconds => DataType::timestamp_ltz(3),
            Kind::Timestamp => DataType::timestamp_ltz(6),
            Kind::Text | Kind::Texts | Kind::TextMap | Kind::IntegerMap => self.json_type(),
        }
    }

    /// The type as which the member is read.
    pub(super) fn json_type(self) -> DataType {
        match self.kind {
            Kind::Text | Kind::Timestamp => DataType::string(),
            Kind::Millis | Kind::Seconds => DataType::bigint(),
            Kind::Texts => DataType::array(DataType::string()),
            Kind::TextMap => DataType::map(DataType::string(), DataType::string()),
            Kind::IntegerMap => DataType::map(DataType::string(), DataType::int()),
        }
    }

    /// The value of a member; nothing if it is no such value.
    pub(super) fn value(self, member: Value) -> Option<Value> {
        if member.is_null() {
            return Some(Value::NULL);
        }
        match self.kind {
            Kind::Millis => member.as_integer().map(|millis| Value::timestamp(millis, 0)),
            Kind::Seconds => {
                member.as_integer().map(|seconds| Value::timestamp(seconds.saturating_mul(1000), 0))
            }
            Kind::Timestamp => parse_timestamp(member.as_str()?, &TypeKind::Timestamp(6), Standard::Sql),
            Kind::Text | Kind::Texts | Kind::TextMap | Kind::IntegerMap => Some(member),
        }
    }
}
