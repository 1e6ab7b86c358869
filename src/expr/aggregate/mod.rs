//! stub
use super::CallError;
use crate::value::{DataType, Value};
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateFunction(pub String);
pub struct Bound {
    pub function: AggregateFunction,
    pub arguments: Vec<DataType>,
    pub result: DataType,
}
#[derive(Debug, Clone, PartialEq)]
pub struct AggregateCall {
    pub function: AggregateFunction,
    pub args: Vec<usize>,
    pub distinct: bool,
    pub filter: Option<usize>,
    pub data_type: DataType,
}
pub type State = i64;
pub fn is_aggregate(name: &str) -> bool {
    ["COUNT", "SUM", "MIN", "MAX", "AVG", "LISTAGG"].contains(&name)
}
pub fn names() -> Vec<&'static str> {
    vec!["COUNT"]
}
pub fn bind(name: &str, types: &[DataType], _d: bool, _g: bool) -> Result<Bound, CallError> {
    let result =
        if name == "COUNT" { DataType::bigint().not_null() } else { types[0].clone().with_nullable(true) };
    Ok(Bound { function: AggregateFunction(name.into()), arguments: types.to_vec(), result })
}
impl AggregateCall {
    pub fn over(self, _append: bool) -> Self {
        self
    }
    pub fn new_state(&self) -> State {
        0
    }
    pub fn accumulate(&self, s: &mut State, row: &[Value]) {
        *s += self.args.first().map_or(1, |a| {
            if self.function.0 == "COUNT" {
                i64::from(!row[*a].is_null())
            } else {
                row[*a].as_integer().unwrap_or(0)
            }
        });
    }
    pub fn retract(&self, s: &mut State, row: &[Value]) {
        *s -= self.args.first().map_or(1, |a| {
            if self.function.0 == "COUNT" {
                i64::from(!row[*a].is_null())
            } else {
                row[*a].as_integer().unwrap_or(0)
            }
        });
    }
    pub fn value(&self, s: &State) -> Value {
        Value::integer(*s)
    }
    pub fn text<'a>(&self, name: &dyn Fn(usize) -> &'a str) -> String {
        match self.args.first() {
            None => format!("{}(*)", self.function.0),
            Some(a) => format!("{}({})", self.function.0, name(*a)),
        }
    }
}
