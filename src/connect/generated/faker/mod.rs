//! The options of `flink-faker`: each column has an expression of Datafaker, whose text becomes a value of
//! its type.

mod expression;
mod pattern;
mod provider;
mod time;

use super::super::ConnectError;
use super::super::format::value_of_text;
use super::super::options::Options;
use super::field::{Field, Values};
use super::random::Random;
use super::{LONGEST, key, null_rate};
use crate::value::time::split_millis;
use crate::value::{DataType, TypeKind, Value};
use expression::Expression;

pub use provider::expressions;

/// An expression with the type of the values that its texts become.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fake {
    expression: Expression,
    data_type: DataType,
}

/// A text of an expression that is no value of its type.
#[derive(Debug)]
pub(super) struct Unfit {
    text: String,
    expression: String,
    data_type: DataType,
}

/// What the values of a column are.
pub(super) fn take(
    options: &mut Options<'_>,
    column: &str,
    data_type: &DataType,
) -> Result<(Field, Option<u64>), ConnectError> {
    let values = values(options, column, column, data_type)?;
    let null_rate = null_rate(options, column, data_type.nullable)?;
    Ok((Field { values, null_rate }, None))
}

/// What the values are at a path, such as `person.name`. The elements of an array or a multiset are at the
/// path of the whole.
fn values(
    options: &mut Options<'_>,
    column: &str,
    path: &str,
    data_type: &DataType,
) -> Result<Values, ConnectError> {
    let within = |options: &mut Options<'_>, path: &str, data_type: &DataType| {
        Ok(Field { values: values(options, column, path, data_type)?, null_rate: 0.0 })
    };
    Ok(match &data_type.kind {
        TypeKind::Array(element) => {
            let length = length(options, path)?;
            Values::Array(Box::new(within(options, path, element)?), length)
        }
        TypeKind::Multiset(element) => {
            let length = length(options, path)?;
            Values::Bag(Box::new(within(options, path, element)?), length)
        }
        TypeKind::Map(keys, values) => {
            let length = length(options, path)?;
            let keys = within(options, &format!("{path}.key"), keys)?;
            let values = within(options, &format!("{path}.value"), values)?;
            Values::Map(Box::new(keys), Box::new(values), length)
        }
        TypeKind::Row(fields) => {
            let fields = fields.iter();
            let fields =
                fields.map(|field| within(options, &format!("{path}.{}", field.name), &field.data_type));
            Values::Row(fields.collect::<Result<_, ConnectError>>()?)
        }
        TypeKind::Null
        | TypeKind::Binary(_)
        | TypeKind::VarBinary(_)
        | TypeKind::IntervalMonth
        | TypeKind::IntervalSecond
        | TypeKind::Bitmap => {
            return Err(ConnectError::NotGenerated {
                connector: "faker",
                column: column.to_owned(),
                data_type: data_type.to_string(),
            });
        }
        TypeKind::Boolean
        | TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Decimal { .. }
        | TypeKind::Char(_)
        | TypeKind::VarChar(_)
        | TypeKind::Date
        | TypeKind::Time(_)
        | TypeKind::Timestamp(_)
        | TypeKind::TimestampLtz(_) => {
            let key = key(path, "expression");
            options.offer(key.clone(), &expressions().collect::<Vec<_>>());
            let text = options.required(key.clone())?;
            let expression = Expression::parse(&key, text)?;
            Values::Fake(Fake { expression, data_type: data_type.clone() })
        }
    })
}

/// How many elements a collection has.
fn length(options: &mut Options<'_>, path: &str) -> Result<i64, ConnectError> {
    Ok(options.whole(key(path, "length"), 1..=LONGEST)?.unwrap_or(1))
}

impl Fake {
    /// A value, in a row whose time is so many milliseconds after 1970-01-01 00:00:00 UTC.
    pub(super) fn value(&self, random: &mut Random, time: i64) -> Result<Value, Box<Unfit>> {
        let text = self.expression.text(random, time);
        value_of(&text, &self.data_type.kind).ok_or_else(|| {
            Box::new(Unfit {
                text,
                expression: self.expression.to_string(),
                data_type: self.data_type.clone(),
            })
        })
    }
}

/// The value that a text is. Dates and times may be those of a timestamp, and instants are in UTC.
fn value_of(text: &str, kind: &TypeKind) -> Option<Value> {
    let timestamp = || value_of_text(text, &TypeKind::Timestamp(3))?.as_timestamp();
    match kind {
        TypeKind::TimestampLtz(precision) => value_of_text(text, &TypeKind::Timestamp(*precision)),
        TypeKind::Date => value_of_text(text, kind)
            .or_else(|| timestamp().map(|(millis, _)| Value::date(split_millis(millis).0))),
        TypeKind::Time(_) => value_of_text(text, kind)
            .or_else(|| timestamp().map(|(millis, _)| Value::time(split_millis(millis).1 / 1000 * 1000))),
        kind => value_of_text(text, kind),
    }
}

impl Unfit {
    /// The error of a column, in the row of this number, counted from 1.
    pub(super) fn in_column(self, column: &str, row: u64) -> ConnectError {
        ConnectError::Unfit {
            text: self.text,
            expression: self.expression,
            data_type: self.data_type.to_string(),
            column: column.to_owned(),
            row,
        }
    }
}
