//! Aggregate functions, which take rows in and back out.
//!
//! [`bind`] finds a function and types it; an [`AggregateCall`] applies it to columns of the input,
//! with a [`State`] for each group. States are small and lie side by side in the operator's
//! memory; what grows with the group is behind a pointer.

mod bind;
mod json;
mod number;
mod percentile;
mod sequence;
mod state;

/// What is wrong with a sub-query that must give one value and gives several.
pub const MORE_THAN_ONE_ROW: &str = "the sub-query gives more than one row";
#[cfg(test)]
mod tests;

use super::function::EvalError;
use crate::value::{DataType, Value};

pub use bind::{Aggregate, FUNCTIONS, bind, is_aggregate};
pub use state::State;

use number::Number;

/// An aggregate function with what its typing decided.
///
/// Two functions are equal when they compute the same.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateFunction {
    name: &'static str,
    kind: Kind,
}

/// What an aggregate function computes.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    CountRows,
    Count,
    Sum(Number),
    Average(Number),
    Min,
    Max,
    /// Variance or, if `root`, standard deviation, of all values or, if `sample`, of a sample.
    Spread {
        number: Number,
        sample: bool,
        root: bool,
    },
    /// `LISTAGG` with its separator.
    List(Box<str>),
    First,
    Last,
    Collect,
    Array,
    JsonObject(json::Members),
    JsonArray(json::Members),
    Single,
    Percentile,
}

/// An aggregate function applied to columns of the input.
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateCall {
    /// The function.
    pub function: AggregateFunction,
    /// The input columns that are its arguments; none for `COUNT(*)`.
    pub args: Vec<usize>,
    /// Whether equal values count once.
    pub distinct: bool,
    /// A BOOLEAN input column; rows in which it is not TRUE do not count.
    pub filter: Option<usize>,
    /// The type of the result.
    pub data_type: DataType,
    /// Whether rows may be taken back out. Where they are not, less is remembered.
    pub retracts: bool,
}

impl AggregateFunction {
    /// The name in upper case, as `COUNT`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The same function over text that is JSON already, such as what `JSON_OBJECT` gives. It has
    /// a meaning for `JSON_OBJECTAGG` and `JSON_ARRAYAGG` alone.
    #[must_use]
    pub fn over_json(mut self) -> Self {
        if let Kind::JsonObject(members) | Kind::JsonArray(members) = &mut self.kind {
            members.raw = true;
        }
        self
    }
}

impl AggregateCall {
    /// The call as Flink's plans write it; `name_of` gives the names of the input's columns.
    pub fn text<'a>(&self, name_of: &dyn Fn(usize) -> &'a str) -> String {
        let args: Vec<&str> = self.args.iter().map(|&column| name_of(column)).collect();
        let args = if args.is_empty() { "*".to_owned() } else { args.join(", ") };
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        let filter = self.filter.map(|column| format!(" FILTER {}", name_of(column))).unwrap_or_default();
        format!("{}({distinct}{args}){filter}", self.function.name)
    }

    /// The state of a group without rows.
    pub fn new_state(&self) -> State {
        State::new(&self.function.kind, self.distinct, self.retracts)
    }

    /// Takes a row into a group.
    ///
    /// # Errors
    /// The aggregate cannot take the row: a second row for a scalar sub-query, or a key that a JSON
    /// object has already.
    pub fn accumulate(&self, state: &mut State, row: &[Value]) -> Result<(), EvalError> {
        if self.passes(row) { state.accumulate(self, row) } else { Ok(()) }
    }

    /// Takes a row of a group back out.
    pub fn retract(&self, state: &mut State, row: &[Value]) {
        if self.passes(row) {
            state.retract(self, row);
        }
    }

    /// The value of the aggregate over the rows that are in.
    pub fn value(&self, state: &State) -> Value {
        state.value(self)
    }

    fn passes(&self, row: &[Value]) -> bool {
        self.filter.is_none_or(|column| row[column].as_boolean() == Some(true))
    }

    /// The first argument of a row.
    fn argument<'a>(&self, row: &'a [Value]) -> &'a Value {
        self.args.first().map_or(&Value::NULL, |&column| &row[column])
    }
}
