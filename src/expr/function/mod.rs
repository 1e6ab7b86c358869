//! The built-in scalar functions and operators.

#![expect(clippy::unnecessary_wraps, reason = "functions that cannot fail have the signature of all others")]

mod bitmap;
mod call;
mod collection;
mod datetime;
mod digits;
mod encoding;
pub(in crate::expr) mod foreign;
mod hash;
mod json;
mod number;
pub(in crate::expr) mod operator;
mod parameter;
mod random;
mod regexp;
mod string;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::Context;
use crate::value::{DataType, Value};

/// A built-in scalar function or operator.
pub struct Function {
    /// The name in upper case, or the operator's sign, such as `+`.
    pub name: &'static str,
    /// How it is called, for example `SUBSTRING(string, start [, length])`.
    pub syntax: &'static str,
    /// One sentence on what it gives.
    pub summary: &'static str,
    /// A call that runs as it stands and its result, as `SELECT` prints it; `None` where the
    /// result is different each time.
    pub example: Option<(&'static str, &'static str)>,
    /// The group under which `SHOW FUNCTIONS` lists it.
    pub category: Category,
    /// How it treats its arguments: checks their number and types and gives the result's type.
    pub typing: fn(&[Argument<'_>]) -> Result<Signature, TypeMismatch>,
    /// Computes the result of one call.
    pub eval: fn(&Call<'_>) -> Result<Value, EvalError>,
    /// Whether a NULL argument makes the result NULL without a call.
    pub strict: bool,
    /// Whether the same arguments always give the same result.
    pub deterministic: bool,
}

/// The group of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// `=`, `LIKE`, `IN` …
    Comparison,
    /// `AND`, `NOT`, `IS TRUE` …
    Logical,
    /// `+`, `ABS`, `POWER` …
    Arithmetic,
    /// `UPPER`, `REGEXP_EXTRACT` …
    String,
    /// `EXTRACT`, `DATE_FORMAT` …
    Temporal,
    /// `COALESCE`, `IF` …
    Conditional,
    /// `TYPEOF`, `CAST` …
    Conversion,
    /// `CARDINALITY`, `ARRAY_SORT` …
    Collection,
    /// `JSON_VALUE` …
    Json,
    /// `MD5`, `SHA256` …
    Hash,
    /// `ROW`, `ARRAY`, `MAP`
    Construction,
    /// `BITMAP_BUILD`, `BITMAP_AND` …
    Bitmap,
}

/// An argument as typing sees it.
#[derive(Debug, Clone, Copy)]
pub struct Argument<'a> {
    /// Its type.
    pub data_type: &'a DataType,
    /// Its value, if it is a constant literal.
    pub literal: Option<&'a Value>,
}

/// What typing decides.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The type to which each argument is cast before the call. The same type as the argument's
    /// means that nothing is cast.
    pub arguments: Vec<DataType>,
    /// The type of the result.
    pub result: DataType,
}

/// Why a call cannot be typed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct TypeMismatch {
    /// What is wrong, as a phrase that completes `FUNCTION(types): `.
    pub problem: String,
    /// What to do instead, as a sentence.
    pub way_out: Option<String>,
}

/// One call, with its arguments computed.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The values of the arguments.
    pub args: &'a [Value],
    /// The types of the arguments, after the casts of the signature.
    pub types: &'a [DataType],
    /// The type of the result.
    pub result: &'a DataType,
    /// Time zone and time.
    pub context: &'a Context,
}

/// Why a computation failed, as a phrase in lower case: `division by zero`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvalError(pub String);

impl Function {
    /// Whether a call with this many arguments gives the same for the same arguments. This is also
    /// so where a seed, or a text in place of the clock, leaves nothing to chance, but Flink goes by
    /// the name alone.
    pub fn is_repeatable(&self, arguments: usize) -> bool {
        let (name, deterministic) = (self.name, self.deterministic);
        deterministic || matches!((name, arguments), ("RAND" | "UNIX_TIMESTAMP", 1..) | ("RAND_INTEGER", 2..))
    }
}

impl TypeMismatch {
    /// A mismatch without a way out.
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), way_out: None }
    }

    /// The same mismatch with a way out.
    #[must_use]
    pub fn or(self, way_out: impl Into<String>) -> Self {
        Self { way_out: Some(way_out.into()), ..self }
    }
}

impl PartialEq for Function {
    /// Functions are static: the same function is the same place.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The tables of all functions, one for each file that holds some.
static TABLES: &[&[Function]] = &[
    string::join::FUNCTIONS,
    string::part::FUNCTIONS,
    string::printf::FUNCTIONS,
    string::search::FUNCTIONS,
    string::transform::FUNCTIONS,
    string::trim::FUNCTIONS,
    encoding::charset::FUNCTIONS,
    encoding::digits::FUNCTIONS,
    encoding::inet::FUNCTIONS,
    encoding::url::FUNCTIONS,
    regexp::FUNCTIONS,
    collection::array::FUNCTIONS,
    collection::map::FUNCTIONS,
    collection::search::FUNCTIONS,
    collection::set::FUNCTIONS,
    bitmap::FUNCTIONS,
    hash::FUNCTIONS,
    datetime::arithmetic::FUNCTIONS,
    datetime::extract::FUNCTIONS,
    datetime::text::FUNCTIONS,
    datetime::watermark::FUNCTIONS,
    json::construction::FUNCTIONS,
    json::query::FUNCTIONS,
    json::quote::FUNCTIONS,
    number::floor::FUNCTIONS,
    number::math::FUNCTIONS,
    number::round::FUNCTIONS,
    random::FUNCTIONS,
];

/// The function with this name, in any case.
pub fn find(name: &str) -> Option<&'static Function> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static Function>> =
        LazyLock::new(|| all().map(|function| (function.name, function)).collect());
    BY_NAME.get(name.to_ascii_uppercase().as_str()).copied()
}

/// All functions and operators.
pub fn all() -> impl Iterator<Item = &'static Function> {
    operator::ALL.iter().copied().chain(TABLES.iter().copied().flatten())
}
