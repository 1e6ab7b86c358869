//! Operators, constructors, conditional functions and the clock: what the language itself has.

mod arithmetic;
mod clock;
mod conditional;
mod construction;
mod logic;
mod pattern;

use super::{Argument, Function, Signature, TypeMismatch};
use crate::value::{DataType, TypeKind};

pub(super) use arithmetic::REMAINDER;
pub(in crate::expr) use arithmetic::{integer_operation, is_constant_zero_division};
pub(in crate::expr) use conditional::{IF, NULLIF};
pub(in crate::expr) use construction::{ITEM, ROW};
pub(in crate::expr) use logic::is_distinction;
pub(in crate::expr) use logic::{IS_NOT_DISTINCT_FROM, IS_NOT_NULL, IS_NULL, NOT};

/// All functions of this module.
pub(super) static ALL: &[&Function] = &[
    &arithmetic::PLUS,
    &arithmetic::MINUS,
    &arithmetic::TIMES,
    &arithmetic::DIVIDE,
    &arithmetic::REMAINDER,
    &logic::NOT,
    &logic::IS_NULL,
    &logic::IS_NOT_NULL,
    &logic::IS_TRUE,
    &logic::IS_NOT_TRUE,
    &logic::IS_FALSE,
    &logic::IS_NOT_FALSE,
    &logic::IS_UNKNOWN,
    &logic::IS_NOT_UNKNOWN,
    &logic::IS_DISTINCT_FROM,
    &logic::IS_NOT_DISTINCT_FROM,
    &pattern::CONCATENATE,
    &pattern::LIKE,
    &pattern::SIMILAR_TO,
    &conditional::COALESCE,
    &conditional::IFNULL,
    &conditional::IF,
    &conditional::NULLIF,
    &conditional::GREATEST,
    &conditional::LEAST,
    &conditional::TYPEOF,
    &construction::ROW,
    &construction::ARRAY,
    &construction::MAP,
    &construction::ITEM,
    &clock::CURRENT_DATE,
    &clock::CURRENT_TIME,
    &clock::LOCALTIME,
    &clock::CURRENT_TIMESTAMP,
    &clock::NOW,
    &clock::CURRENT_ROW_TIMESTAMP,
    &clock::LOCALTIMESTAMP,
    &clock::PROCTIME,
];

/// The types of the arguments as they are: nothing is cast.
fn unchanged(args: &[Argument<'_>]) -> Vec<DataType> {
    args.iter().map(|arg| arg.data_type.clone()).collect()
}

/// A result that is NULL where an argument is.
fn nullable_as(args: &[Argument<'_>], kind: TypeKind) -> DataType {
    DataType::new(kind).with_nullable(args.iter().any(|arg| arg.data_type.nullable))
}

/// Refuses any number of arguments but this one.
fn expect_arguments(args: &[Argument<'_>], count: usize) -> Result<(), TypeMismatch> {
    if args.len() == count {
        return Ok(());
    }
    let plural = if count == 1 { "" } else { "s" };
    Err(TypeMismatch::new(format!("takes {count} argument{plural}, not {}", args.len())))
}

/// A signature that casts nothing.
fn as_they_are(args: &[Argument<'_>], result: DataType) -> Signature {
    Signature { arguments: unchanged(args), result }
}
