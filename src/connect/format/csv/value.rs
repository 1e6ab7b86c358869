//! Values of columns from CSV.

use super::super::bytes::parse_bytes;
use super::super::number::{integer_range, integer_value, parse_decimal, parse_float, parse_integer, trim};
use super::super::time::{Standard, parse_local_time, parse_sql_date, parse_timestamp};
use super::CsvOptions;
use crate::value::{TypeKind, Value};

impl CsvOptions {
    /// The value of a type that a text is; `None` if it is none.
    pub(super) fn read(&self, text: &str, kind: &TypeKind) -> Option<Value> {
        match kind {
            TypeKind::Array(element) => {
                if text.is_empty() {
                    return Some(Value::list(vec![]));
                }
                let items = text.split(self.array_delimiter).map(|item| self.read_item(item, &element.kind));
                Some(Value::list(items.collect::<Option<Vec<_>>>()?))
            }
            TypeKind::Row(_) if text.is_empty() => Some(Value::NULL),
            TypeKind::Row(fields) => {
                let mut items = text.split(self.array_delimiter);
                let read = |field: &crate::value::Field| match items.next() {
                    Some(item) => self.read_item(item, &field.data_type.kind),
                    None => self.ignore_parse_errors.then_some(Value::NULL),
                };
                Some(Value::list(fields.iter().map(read).collect::<Option<Vec<_>>>()?))
            }
            _ if self.is_null(text) => Some(Value::NULL),
            kind => value_of_text(text, kind),
        }
    }

    fn read_item(&self, text: &str, kind: &TypeKind) -> Option<Value> {
        let text = if self.trim_spaces { trim(text) } else { text };
        if self.is_null(text) {
            return Some(Value::NULL);
        }
        value_of_text(text, kind).or_else(|| self.ignore_parse_errors.then_some(Value::NULL))
    }

    /// Whether a text stands for NULL.
    pub(super) fn is_null(&self, text: &str) -> bool {
        self.null_literal.as_deref() == Some(text) || (self.empty_string_as_null && text.is_empty())
    }
}

/// The value of a type without parts that a text is; `None` if it is none.
pub(in crate::connect) fn value_of_text(text: &str, kind: &TypeKind) -> Option<Value> {
    if let Some(range) = integer_range(kind) {
        return parse_integer(trim(text), range).map(|number| integer_value(number, kind));
    }
    match kind {
        TypeKind::Null => Some(Value::NULL),
        TypeKind::Boolean => Some(Value::boolean(trim(text).eq_ignore_ascii_case("true"))),
        TypeKind::Float | TypeKind::Double => parse_float(text, kind),
        TypeKind::Decimal { precision, scale } => parse_decimal(text, *precision, *scale),
        TypeKind::Char(_) | TypeKind::VarChar(_) => Some(Value::string(text)),
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => parse_bytes(text),
        TypeKind::Date => parse_sql_date(text).map(Value::date),
        TypeKind::Time(precision) => {
            let unit = 10_u32.pow(3 - u32::from(*precision).min(3));
            parse_local_time(text).map(|millis| Value::time(millis / unit * unit))
        }
        TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => {
            parse_timestamp(trim(text), kind, Standard::Sql)
        }
        TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::IntervalMonth
        | TypeKind::IntervalSecond
        | TypeKind::Array(_)
        | TypeKind::Map(..)
        | TypeKind::Multiset(_)
        | TypeKind::Row(_)
        | TypeKind::Bitmap => None,
    }
}
