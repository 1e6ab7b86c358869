//! Functions on numbers.

pub(super) mod floor;
pub(super) mod math;
pub(super) mod round;

use super::EvalError;
use crate::value::{TypeKind, Value};

/// What a function does with each kind of number.
struct ByKind {
    integer: fn(i64, &TypeKind) -> i64,
    float: fn(f32) -> f32,
    double: fn(f64) -> f64,
    decimal: fn(crate::value::Decimal) -> crate::value::Decimal,
}

impl ByKind {
    /// Computes the function for a number of a type.
    fn apply(&self, number: &Value, kind: &TypeKind) -> Result<Value, EvalError> {
        if let Some(integer) = number.as_integer() {
            return Ok(Value::integer((self.integer)(integer, kind)));
        }
        if let Some(double) = number.as_double() {
            return Ok(Value::double((self.double)(double)));
        }
        if let Some(float) = number.as_float() {
            return Ok(Value::float((self.float)(float)));
        }
        let decimal = number.as_decimal().expect("typing lets only numbers through");
        Ok(Value::decimal((self.decimal)(decimal)))
    }
}

/// An integer cut to the width of its type, as in Java.
#[expect(clippy::cast_possible_truncation, reason = "Java keeps the lower bits")]
fn wrap(integer: i128, kind: &TypeKind) -> i64 {
    match kind {
        TypeKind::TinyInt => i64::from(integer as i8),
        TypeKind::SmallInt => i64::from(integer as i16),
        TypeKind::Int => i64::from(integer as i32),
        _ => integer as i64,
    }
}
