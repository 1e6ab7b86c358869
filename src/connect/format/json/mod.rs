//! The format `json`: a line is an object with a member for each column, or an array of such
//! objects.
//!
//! What is read and written is what Flink's format reads and writes. One thing differs: where
//! `json.ignore-parse-errors` makes a field NULL because it is an object or array, Flink's token
//! parser loses its place and may take the inner fields for columns; here the field is NULL and the
//! others are what they are.
//!
//! One thing is added: with `json.multi-line`, and the like of each format of events, a document may
//! take several lines, and a file may be one array of them.
//!
//! # How it is read
//!
//! The parser is written by hand. `serde_json` would do for the grammar, but not for the rest: a
//! number must reach a DECIMAL with its digits and a STRING with its spelling, columns that nobody
//! asked for must cost nothing but their length, and a flaw must name its byte. It would also be
//! the slowest part of a query by far. What makes this one fast is that lines resemble each other:
//! the text between two values, `,"region":`, is compared with that of the line before, and only if
//! it differs is it parsed as punctuation and a key.

mod cursor;
mod documents;
mod envelope;
mod read;
mod text;
mod value;
mod write;

pub(super) use documents::DocumentDecoder;
pub(crate) use documents::{Documents, Next};
pub(in crate::connect) use envelope::EventMetadata;
pub(super) use envelope::{Envelope, EnvelopeDecoder, EnvelopeEncoder, EnvelopeOptions};
pub(super) use read::JsonDecoder;
pub(super) use write::JsonEncoder;

use super::super::ConnectError;
use super::super::options::Options;
use super::time::Standard;
use crate::value::{DataType, Schema, TypeKind};

/// The options of the format.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent options")]
pub(in crate::connect) struct JsonOptions {
    keys: &'static Keys,
    /// Whether each column must have its member.
    fail_on_missing_field: bool,
    /// Whether a field that cannot be read is NULL, and a line that cannot be read is skipped.
    ignore_parse_errors: bool,
    /// Whether to follow the rules of Flink's token parser, not those of its older tree reader.
    by_token: bool,
    standard: Standard,
    null_keys: NullKeys,
    null_key_literal: String,
    plain_decimals: bool,
    ignore_null_fields: bool,
    /// Whether a document may take several lines, and the elements of an array are documents.
    multi_line: bool,
}

/// What becomes of an entry of a map whose key is NULL.
#[derive(Debug, Clone, Copy, PartialEq)]
enum NullKeys {
    Fail,
    Drop,
    Literal,
}

/// The keys of the options that all formats of JSON have, each behind the name of its format.
#[derive(Debug, PartialEq)]
struct Keys {
    ignore_parse_errors: &'static str,
    standard: &'static str,
    null_key_mode: &'static str,
    null_key_literal: &'static str,
    plain_decimals: &'static str,
    ignore_null_fields: &'static str,
    multi_line: &'static str,
}

/// The [`Keys`] of a format.
macro_rules! keys {
    ($format:literal) => {
        &Keys {
            ignore_parse_errors: concat!($format, ".ignore-parse-errors"),
            standard: concat!($format, ".timestamp-format.standard"),
            null_key_mode: concat!($format, ".map-null-key.mode"),
            null_key_literal: concat!($format, ".map-null-key.literal"),
            plain_decimals: concat!($format, ".encode.decimal-as-plain-number"),
            ignore_null_fields: concat!($format, ".encode.ignore-null-fields"),
            multi_line: concat!($format, ".multi-line"),
        }
    };
}
use keys;

const FAIL_ON_MISSING_FIELD: &str = "json.fail-on-missing-field";

impl JsonOptions {
    /// The options of the format `json`.
    pub(super) fn take(options: &mut Options<'_>) -> Result<Self, ConnectError> {
        let keys = keys!("json");
        let taken = Self {
            fail_on_missing_field: options.flag(FAIL_ON_MISSING_FIELD, false)?,
            by_token: options.flag("json.decode.json-parser.enabled", true)?,
            ..Self::take_of_events(keys, options)?
        };
        if taken.fail_on_missing_field && taken.ignore_parse_errors {
            let (first, second) = (FAIL_ON_MISSING_FIELD, keys.ignore_parse_errors);
            return Err(ConnectError::Conflict { first, second });
        }
        Ok(taken)
    }

    /// Whether a document may take several lines.
    pub(super) fn is_multi_line(&self) -> bool {
        self.multi_line
    }

    /// The options that formats of events have, too. Those are read with Flink's tree reader.
    fn take_of_events(keys: &'static Keys, options: &mut Options<'_>) -> Result<Self, ConnectError> {
        let standards = [("SQL", Standard::Sql), ("ISO-8601", Standard::Iso)];
        let null_keys = [("FAIL", NullKeys::Fail), ("DROP", NullKeys::Drop), ("LITERAL", NullKeys::Literal)];
        Ok(Self {
            keys,
            fail_on_missing_field: false,
            ignore_parse_errors: options.flag(keys.ignore_parse_errors, false)?,
            by_token: false,
            standard: options.choice(keys.standard, &standards, false)?,
            null_keys: options.choice(keys.null_key_mode, &null_keys, true)?,
            null_key_literal: options.text(keys.null_key_literal).unwrap_or("null").to_owned(),
            plain_decimals: options.flag(keys.plain_decimals, false)?,
            ignore_null_fields: options.flag(keys.ignore_null_fields, false)?,
            multi_line: options.flag(keys.multi_line, false)?,
        })
    }
}

/// Refuses columns that JSON has no form for.
pub(super) fn check_types(format: &'static str, schema: &Schema) -> Result<(), ConnectError> {
    match schema.columns.iter().find(|column| !has_form(&column.data_type)) {
        None => Ok(()),
        Some(column) => Err(ConnectError::UnsupportedType {
            format,
            column: column.name.clone(),
            data_type: column.data_type.to_string(),
            rule: "The keys of a map must be strings, and there are no bitmaps.",
        }),
    }
}

fn has_form(data_type: &DataType) -> bool {
    match &data_type.kind {
        TypeKind::Array(element) => has_form(element),
        TypeKind::Map(key, value) => key.kind.is_string() && has_form(value),
        TypeKind::Multiset(element) => element.kind.is_string(),
        TypeKind::Row(fields) => fields.iter().all(|field| has_form(&field.data_type)),
        TypeKind::Bitmap => false,
        _ => true,
    }
}

/// Whether a type is or holds a DECIMAL.
fn has_decimal(data_type: &DataType) -> bool {
    match &data_type.kind {
        TypeKind::Decimal { .. } => true,
        TypeKind::Array(element) | TypeKind::Multiset(element) => has_decimal(element),
        TypeKind::Map(key, value) => has_decimal(key) || has_decimal(value),
        TypeKind::Row(fields) => fields.iter().any(|field| has_decimal(&field.data_type)),
        _ => false,
    }
}
