//! The format `csv`: a line of values with commas between them.
//!
//! What is read and written is what Flink's format reads and writes, and so what Jackson does: a
//! value in quotes may hold line ends, blanks belong to a value, NULL needs a literal, and a text is
//! written in quotes if it is long or has any character up to the delimiter, such as a blank. Two
//! things are added: `csv.header`, and `csv.write-bigdecimal-in-scientific-notation`, which Flink
//! has and does not heed in files.

mod read;
mod record;
mod value;
mod write;

pub(super) use read::CsvDecoder;
pub(in crate::connect) use value::value_of_text;
pub(super) use write::CsvEncoder;

use super::super::ConnectError;
use super::super::options::Options;
use crate::value::{DataType, Schema, TypeKind};

/// The options of the format.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent options")]
pub(in crate::connect) struct CsvOptions {
    delimiter: char,
    quote: Option<char>,
    escape: Option<char>,
    array_delimiter: char,
    null_literal: Option<String>,
    /// Whether lines that begin with `#`, and lines of blanks, are skipped.
    allow_comments: bool,
    /// Whether a value that cannot be read is NULL, and a line that cannot be read is skipped.
    ignore_parse_errors: bool,
    plain_decimals: bool,
    /// Whether the first line has the names of the columns.
    header: bool,
    trim_spaces: bool,
    ignore_trailing_unmappable: bool,
    allow_trailing_comma: bool,
    fail_on_missing_columns: bool,
    empty_string_as_null: bool,
    ignore_first_line: bool,
}

const QUOTE: &str = "csv.quote-character";
const DISABLE_QUOTE: &str = "csv.disable-quote-character";
const HEADER: &str = "csv.header";
const IGNORE_FIRST_LINE: &str = "csv.ignore-first-line";

impl CsvOptions {
    pub(super) fn take(options: &mut Options<'_>) -> Result<Self, ConnectError> {
        let quote = options.character(QUOTE, false)?;
        let disable_quote = options.flag(DISABLE_QUOTE, false)?;
        if disable_quote && quote.is_some() {
            return Err(ConnectError::Conflict { first: QUOTE, second: DISABLE_QUOTE });
        }
        let taken = Self {
            delimiter: options.character("csv.field-delimiter", true)?.unwrap_or(','),
            quote: if disable_quote { None } else { Some(quote.unwrap_or('"')) },
            escape: options.character("csv.escape-character", false)?,
            array_delimiter: options.character("csv.array-element-delimiter", false)?.unwrap_or(';'),
            null_literal: options.text("csv.null-literal").map(str::to_owned),
            allow_comments: options.flag("csv.allow-comments", false)?,
            ignore_parse_errors: options.flag("csv.ignore-parse-errors", false)?,
            plain_decimals: !options.flag("csv.write-bigdecimal-in-scientific-notation", true)?,
            header: options.flag(HEADER, false)?,
            trim_spaces: options.flag("csv.trim-spaces", false)?,
            ignore_trailing_unmappable: options.flag("csv.ignore-trailing-unmappable", false)?,
            allow_trailing_comma: options.flag("csv.allow-trailing-comma", true)?,
            fail_on_missing_columns: options.flag("csv.fail-on-missing-columns", false)?,
            empty_string_as_null: options.flag("csv.empty-string-as-null", false)?,
            ignore_first_line: options.flag(IGNORE_FIRST_LINE, false)?,
        };
        if taken.header && taken.ignore_first_line {
            return Err(ConnectError::Conflict { first: HEADER, second: IGNORE_FIRST_LINE });
        }
        Ok(taken)
    }
}

/// Refuses columns that CSV has no form for.
pub(super) fn check_types(schema: &Schema) -> Result<(), ConnectError> {
    match schema.columns.iter().find(|column| !has_form(&column.data_type)) {
        None => Ok(()),
        Some(column) => Err(ConnectError::UnsupportedType {
            format: "csv",
            column: column.name.clone(),
            data_type: column.data_type.to_string(),
            rule: "Values are strings, numbers, booleans, dates and times, and arrays and rows of those.",
        }),
    }
}

fn has_form(data_type: &DataType) -> bool {
    match &data_type.kind {
        TypeKind::Array(element) => is_simple(&element.kind),
        TypeKind::Row(fields) => fields.iter().all(|field| is_simple(&field.data_type.kind)),
        kind => is_simple(kind),
    }
}

fn is_simple(kind: &TypeKind) -> bool {
    match kind {
        TypeKind::Null
        | TypeKind::Boolean
        | TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Decimal { .. }
        | TypeKind::Char(_)
        | TypeKind::VarChar(_)
        | TypeKind::Binary(_)
        | TypeKind::VarBinary(_)
        | TypeKind::Date
        | TypeKind::Time(_)
        | TypeKind::Timestamp(_)
        | TypeKind::TimestampLtz(_) => true,
        TypeKind::IntervalMonth
        | TypeKind::IntervalSecond
        | TypeKind::Array(_)
        | TypeKind::Map(..)
        | TypeKind::Multiset(_)
        | TypeKind::Row(_)
        | TypeKind::Bitmap => false,
    }
}
