//! Scalar expressions and aggregates over rows: their types, and how they are computed. Nothing
//! here knows row kinds, plans or where a row came from.

pub mod aggregate;
mod build;
mod common_type;
mod comparable;
mod conjunct;
mod display;
mod eval;
pub mod function;
mod rewrite;

use std::fmt;

use crate::sql::Span;
use crate::value::{DataType, Value};
use function::Function;

pub use build::CallError;
pub use common_type::common_type;
pub use display::ExprDisplay;

/// A typed expression over the columns of one row.
///
/// Two expressions are equal when they compute the same thing in the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// The type of the result, with its nullability.
    pub data_type: DataType,
}

/// What an expression computes.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// The value of a column of the row.
    Column(usize),
    /// A constant.
    Literal(Value),
    /// `CAST(input AS data_type)`, or `TRY_CAST`, which gives NULL instead of failing.
    Cast {
        /// The expression to convert.
        input: Box<Expr>,
        /// Whether a failure gives NULL.
        lenient: bool,
    },
    /// A comparison of two operands of one type; NULL if one of them is NULL.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `AND` of two or more conditions, with three-valued logic.
    And(Vec<Expr>),
    /// `OR` of two or more conditions, with three-valued logic.
    Or(Vec<Expr>),
    /// `CASE WHEN condition THEN result … ELSE otherwise END`; all results have the data type.
    Case {
        /// The conditions with their results.
        branches: Vec<(Expr, Expr)>,
        /// The result when no condition is TRUE.
        otherwise: Box<Expr>,
    },
    /// A field of a `ROW`, by its position; NULL if the row is NULL.
    Field {
        /// The row.
        input: Box<Expr>,
        /// The position of the field.
        index: usize,
    },
    /// A call of a function or an operator.
    Call {
        /// What is called.
        function: &'static Function,
        /// The arguments.
        args: Vec<Expr>,
        /// The types of the arguments, side by side for the function to see.
        types: Box<[DataType]>,
        /// Where it is written.
        place: CallPlace,
    },
}

/// Where a call is written in the statement, if that is known; only calls that are not deterministic
/// have a place. It is no part of what is computed: all places are equal.
#[derive(Debug, Clone, Default)]
pub struct CallPlace(Option<Box<Span>>);

impl PartialEq for CallPlace {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A call whose result is not always the same for the same arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonDeterministicCall {
    /// The function.
    pub function: &'static Function,
    /// Whether it has arguments.
    pub has_arguments: bool,
    /// Where it is written, if that is known.
    pub place: Option<Span>,
}

impl fmt::Display for NonDeterministicCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.function.name;
        match (self.has_arguments, self.function.syntax.contains('(')) {
            (true, _) => write!(f, "{name}(…)"),
            (false, true) => write!(f, "{name}()"),
            (false, false) => f.write_str(name),
        }
    }
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// What an expression may know beside its row.
#[derive(Debug, Clone)]
pub struct Context {
    /// The session's time zone.
    pub time_zone: jiff::tz::TimeZone,
    /// The time of the row, in milliseconds since 1970-01-01 00:00:00 UTC: the arrival of the log
    /// entry that caused it. `PROCTIME()`, `NOW()` and their like give it.
    pub now: i64,
    /// The watermark of the row's stream in the same unit, once there is one. `CURRENT_WATERMARK`
    /// gives it.
    pub watermark: Option<i64>,
}

impl Expr {
    /// A column of the row.
    pub fn column(index: usize, data_type: DataType) -> Self {
        Self { kind: ExprKind::Column(index), data_type }
    }

    /// A constant.
    pub fn literal(value: Value, data_type: DataType) -> Self {
        Self { kind: ExprKind::Literal(value), data_type }
    }
}
