//! `+ - * / %` over numbers, dates, times and intervals.

use super::{as_they_are, nullable_as};
use crate::expr::common_type::{common_type, decimal_digits};
use crate::expr::eval::exact_number;
use crate::expr::function::{Argument, Call, Category, EvalError, Function, Signature, TypeMismatch};
use crate::value::cast::wrap_integer;
use crate::value::time::{MILLIS_PER_DAY, add_months, add_months_to_millis};
use crate::value::{Decimal, TypeKind, Value};

/// `+`
pub(in crate::expr) static PLUS: Function = Function {
    name: "+",
    syntax: "value + value",
    summary: "The sum of two numbers or intervals, or a date or time moved by an interval.",
    example: Some(("1 + 2", "3")),
    category: Category::Arithmetic,
    typing: |args| match args {
        [_] => sign_type(args),
        _ => sum_type(args, true),
    },
    eval: |call| match call.args {
        [value] => Ok(value.clone()),
        _ => add(call, false),
    },
    strict: true,
    deterministic: true,
};

/// `-`
pub(in crate::expr) static MINUS: Function = Function {
    name: "-",
    syntax: "value - value, or -value",
    summary: "The difference of two numbers or intervals, a date or time moved back by an interval, or a value with the other sign.",
    example: Some(("5 - 7", "-2")),
    category: Category::Arithmetic,
    typing: |args| match args {
        [_] => sign_type(args),
        _ => sum_type(args, false),
    },
    eval: |call| match call.args {
        [value] => Ok(negate(value, call)),
        _ => add(call, true),
    },
    strict: true,
    deterministic: true,
};

/// `*`
pub(in crate::expr) static TIMES: Function = Function {
    name: "*",
    syntax: "value * value",
    summary: "The product of two numbers, or an interval so many times.",
    example: Some(("1.5 * 2", "3.0")),
    category: Category::Arithmetic,
    typing: product_type,
    eval: multiply,
    strict: true,
    deterministic: true,
};

/// `/`
pub(in crate::expr) static DIVIDE: Function = Function {
    name: "/",
    syntax: "number / number",
    summary: "The quotient of two numbers; integers are divided without a remainder.",
    example: Some(("7 / 2", "3")),
    category: Category::Arithmetic,
    typing: |args| number_type(args, quotient_digits),
    eval: divide,
    strict: true,
    deterministic: true,
};

/// `%`
pub(in crate::expr) static REMAINDER: Function = Function {
    name: "%",
    syntax: "number % number",
    summary: "The remainder of a division; it has the sign of the first number.",
    example: Some(("-7 % 3", "-1")),
    category: Category::Arithmetic,
    typing: remainder_type,
    eval: remainder,
    strict: true,
    deterministic: true,
};

/// Precision and scale of the result of two exact numbers.
type Digits = fn((i16, i16), (i16, i16)) -> (i16, i16);

fn sum_digits((p, s): (i16, i16), (q, t): (i16, i16)) -> (i16, i16) {
    let scale = s.max(t);
    ((p - s).max(q - t) + scale + 1, scale)
}

fn product_digits((p, s): (i16, i16), (q, t): (i16, i16)) -> (i16, i16) {
    (p + q + 1, s + t)
}

fn quotient_digits((p, s): (i16, i16), (q, t): (i16, i16)) -> (i16, i16) {
    let scale = (s + q + 1).max(6);
    (p - s + t + scale, scale)
}

fn remainder_digits((p, s): (i16, i16), (q, t): (i16, i16)) -> (i16, i16) {
    let scale = s.max(t);
    ((p - s).min(q - t) + scale, scale)
}

/// A decimal type of at most 38 digits: where more are wanted, whole digits come first, but six
/// digits of the fraction stay.
fn fit((precision, scale): (i16, i16)) -> TypeKind {
    let (precision, scale) =
        if precision <= 38 { (precision, scale) } else { (38, (38 - (precision - scale)).max(scale.min(6))) };
    TypeKind::Decimal {
        precision: u8::try_from(precision).unwrap_or(38),
        scale: u8::try_from(scale).unwrap_or(0),
    }
}

/// The type of `+number`, `-number` or `-interval`.
fn sign_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    let kind = &args[0].data_type.kind;
    if kind.is_numeric() || kind.is_interval() {
        return Ok(as_they_are(args, nullable_as(args, kind.clone())));
    }
    let mismatch = TypeMismatch::new(format!("{kind} has no sign"));
    Err(if kind.is_string() || *kind == TypeKind::Boolean {
        mismatch.or("Use CAST(… AS INT).")
    } else {
        mismatch
    })
}

fn pair<'a>(args: &[Argument<'a>]) -> Result<[&'a TypeKind; 2], TypeMismatch> {
    let [a, b] = args else {
        return Err(TypeMismatch::new(format!("takes 2 operands, not {}", args.len())));
    };
    Ok([&a.data_type.kind, &b.data_type.kind])
}

fn refusal([a, b]: [&TypeKind; 2]) -> TypeMismatch {
    let interval = |kind: &TypeKind| kind.is_numeric() || kind.is_interval();
    if a.is_datetime() && b.is_datetime() {
        return TypeMismatch::new(format!("{a} and {b} cannot be subtracted"))
            .or("Use TIMESTAMPDIFF(unit, from, to).");
    }
    if a.is_datetime() && b.is_numeric() {
        return TypeMismatch::new(format!("{a} can be moved by an interval only"))
            .or("Write INTERVAL '1' DAY for a day.");
    }
    if a.is_string() && (interval(b) || b.is_string()) {
        return TypeMismatch::new(format!("{a} is no number")).or("Use CAST, or || to join texts.");
    }
    if interval(a) && b.is_string() {
        return TypeMismatch::new(format!("{b} is no number")).or("Use CAST, or || to join texts.");
    }
    let mismatch = TypeMismatch::new(format!("{a} and {b} do not go together"));
    match (a, b) {
        (TypeKind::Boolean, _) | (_, TypeKind::Boolean) => mismatch.or("Use CAST(… AS INT) for the BOOLEAN."),
        _ => mismatch,
    }
}

/// The type of a sum, which may move a date or time, or of a difference.
fn sum_type(args: &[Argument<'_>], plus: bool) -> Result<Signature, TypeMismatch> {
    let kinds @ [a, b] = pair(args)?;
    let kind = match (a, b) {
        (a, b) if a.is_numeric() && b.is_numeric() => return number_type(args, sum_digits),
        (a, b) if a.is_interval() && a == b => a,
        (a, b) if a.is_datetime() && b.is_interval() => a,
        (a, b) if plus && a.is_interval() && b.is_datetime() => b,
        _ => return Err(refusal(kinds)),
    };
    Ok(as_they_are(args, nullable_as(args, kind.clone())))
}

fn product_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    let [a, b] = pair(args)?;
    let kind = match (a, b) {
        (a, b) if a.is_interval() && b.is_integer() => a,
        (a, b) if a.is_integer() && b.is_interval() => b,
        (a, b) if a.is_interval() || b.is_interval() => {
            return Err(TypeMismatch::new("an interval can be multiplied by an integer only"));
        }
        _ => return number_type(args, product_digits),
    };
    Ok(as_they_are(args, nullable_as(args, kind.clone())))
}

/// The type of an operation on two numbers: the wider integer, what floating point numbers have
/// in common, or a decimal of so many digits.
fn number_type(args: &[Argument<'_>], digits: Digits) -> Result<Signature, TypeMismatch> {
    let kinds @ [a, b] = pair(args)?;
    if !a.is_numeric() || !b.is_numeric() {
        return Err(refusal(kinds));
    }
    if (a.is_integer() && b.is_integer()) || a.is_approximate() || b.is_approximate() {
        let common = common_type(&[args[0].data_type, args[1].data_type]).ok_or_else(|| refusal(kinds))?;
        let result = nullable_as(args, common.kind.clone());
        // Integers are computed with 64 bits and cut to their type afterwards.
        if common.kind.is_integer() {
            return Ok(as_they_are(args, result));
        }
        return Ok(Signature { arguments: vec![common.clone(), common], result });
    }
    decimal_type(args, digits)
}

fn decimal_type(args: &[Argument<'_>], digits: Digits) -> Result<Signature, TypeMismatch> {
    let kinds @ [a, b] = pair(args)?;
    let (Some((p, s)), Some((q, t))) = (decimal_digits(a), decimal_digits(b)) else {
        return Err(refusal(kinds));
    };
    let kind = fit(digits((p.into(), s.into()), (q.into(), t.into())));
    Ok(as_they_are(args, nullable_as(args, kind)))
}

/// The remainder of integers has the type of the second one.
fn remainder_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    let [a, b] = pair(args)?;
    if a.is_approximate() || b.is_approximate() {
        return Err(
            TypeMismatch::new("the remainder needs exact numbers").or("Use CAST(… AS DECIMAL(10, 2)).")
        );
    }
    // A remainder of whole numbers is smaller than the second one.
    if is_whole(a) && is_whole(b) {
        return Ok(as_they_are(args, nullable_as(args, b.clone())));
    }
    decimal_type(args, remainder_digits)
}

fn is_whole(kind: &TypeKind) -> bool {
    kind.is_integer() || matches!(kind, TypeKind::Decimal { scale: 0, .. })
}

/// An operation on two numbers, each way that numbers are kept.
struct Operation {
    integer: fn(i64, i64) -> Option<i64>,
    float: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
    decimal: fn(Decimal, Decimal, u8, u8) -> Option<Decimal>,
}

const ADDITION: Operation = Operation {
    integer: |a, b| Some(a.wrapping_add(b)),
    float: |a, b| a + b,
    double: |a, b| a + b,
    decimal: Decimal::add,
};

const SUBTRACTION: Operation = Operation {
    integer: |a, b| Some(a.wrapping_sub(b)),
    float: |a, b| a - b,
    double: |a, b| a - b,
    decimal: Decimal::sub,
};

const MULTIPLICATION: Operation = Operation {
    integer: |a, b| Some(a.wrapping_mul(b)),
    float: |a, b| a * b,
    double: |a, b| a * b,
    decimal: Decimal::mul,
};

const DIVISION: Operation = Operation {
    integer: |a, b| if b == 0 { None } else { Some(a.wrapping_div(b)) },
    float: |a, b| a / b,
    double: |a, b| a / b,
    decimal: Decimal::div,
};

const REMAINDERING: Operation = Operation {
    integer: |a, b| if b == 0 { None } else { Some(a.wrapping_rem(b)) },
    float: |a, b| a % b,
    double: |a, b| a % b,
    decimal: Decimal::rem,
};

fn division_by_zero() -> EvalError {
    EvalError("division by zero".to_owned())
}

/// Computes with numbers. Floating point numbers have the type of the result already; a decimal
/// that does not fit is NULL.
#[inline]
fn compute(call: &Call<'_>, operation: &Operation) -> Result<Value, EvalError> {
    let (a, b) = (&call.args[0], &call.args[1]);
    let value = match &call.result.kind {
        TypeKind::Decimal { precision, scale } => match (exact_number(a), exact_number(b)) {
            (Some(a), Some(b)) => {
                Some((operation.decimal)(a, b, *precision, *scale).map_or(Value::NULL, Value::decimal))
            }
            _ => None,
        },
        // A division of constants by zero has integers in place of its doubles.
        kind => match (a.as_integer(), b.as_integer()) {
            (Some(a), Some(b)) => {
                let value = (operation.integer)(a, b).ok_or_else(division_by_zero)?;
                Some(Value::integer(wrap_integer(value, kind)))
            }
            _ => match (a.as_double(), b.as_double(), a.as_float(), b.as_float()) {
                (Some(a), Some(b), ..) => Some(Value::double((operation.double)(a, b))),
                (_, _, Some(a), Some(b)) => Some(Value::float((operation.float)(a, b))),
                _ => None,
            },
        },
    };
    value.ok_or_else(|| EvalError(format!("cannot compute {a:?} with {b:?}")))
}

fn add(call: &Call<'_>, minus: bool) -> Result<Value, EvalError> {
    if call.result.kind.is_numeric() {
        return compute(call, if minus { &SUBTRACTION } else { &ADDITION });
    }
    let (a, b) = (&call.args[0], &call.args[1]);
    let sign = if minus { -1 } else { 1 };
    Ok(match (a.as_months(), b.as_months(), a.as_millis(), b.as_millis()) {
        (Some(a), Some(b), ..) => Value::months(a.wrapping_add(b.wrapping_mul(sign))),
        (_, _, Some(a), Some(b)) => Value::millis(a.wrapping_add(b.wrapping_mul(sign.into()))),
        (Some(months), None, ..) => move_by_months(b, months),
        (None, Some(months), ..) => move_by_months(a, months.wrapping_mul(sign)),
        (_, _, Some(millis), None) => move_by_millis(b, millis),
        (_, _, None, Some(millis)) => move_by_millis(a, millis.wrapping_mul(sign.into())),
        _ => return Err(EvalError(format!("cannot add {b:?} to {a:?}"))),
    })
}

/// A date or timestamp so many months later; a time of day stays.
fn move_by_months(value: &Value, months: i32) -> Value {
    if let Some(days) = value.as_date() {
        return Value::date(add_months(days, months));
    }
    match value.as_timestamp() {
        Some((millis, nanos)) => Value::timestamp(add_months_to_millis(millis, months), nanos),
        None => value.clone(),
    }
}

/// A date, which moves by whole days, a time of day, which stays within its day, or a timestamp,
/// so many milliseconds later.
fn move_by_millis(value: &Value, millis: i64) -> Value {
    if let Some(days) = value.as_date() {
        let moved = i64::from(days).wrapping_add(millis / MILLIS_PER_DAY);
        return Value::date(i32::try_from(moved).unwrap_or(if moved < 0 { i32::MIN } else { i32::MAX }));
    }
    if let Some(time) = value.as_time() {
        let moved = i64::from(time).wrapping_add(millis).rem_euclid(MILLIS_PER_DAY);
        return Value::time(u32::try_from(moved).expect("a day has fewer than 2^32 milliseconds"));
    }
    match value.as_timestamp() {
        Some((start, nanos)) => Value::timestamp(start.wrapping_add(millis), nanos),
        None => value.clone(),
    }
}

fn negate(value: &Value, call: &Call<'_>) -> Value {
    if let Some(integer) = value.as_integer() {
        return Value::integer(wrap_integer(integer.wrapping_neg(), &call.result.kind));
    }
    if let Some(decimal) = value.as_decimal() {
        return Value::decimal(Decimal::new(-decimal.unscaled(), decimal.scale()));
    }
    if let Some(double) = value.as_double() {
        return Value::double(-double);
    }
    if let Some(float) = value.as_float() {
        return Value::float(-float);
    }
    if let Some(months) = value.as_months() {
        return Value::months(months.wrapping_neg());
    }
    value.as_millis().map_or(Value::NULL, |millis| Value::millis(millis.wrapping_neg()))
}

fn multiply(call: &Call<'_>) -> Result<Value, EvalError> {
    if call.result.kind.is_numeric() {
        return compute(call, &MULTIPLICATION);
    }
    let (a, b) = (&call.args[0], &call.args[1]);
    let (interval, factor) = if b.as_integer().is_some() { (a, b) } else { (b, a) };
    if let Some(factor) = factor.as_integer() {
        if let Some(months) = interval.as_months() {
            let product = i64::from(months).wrapping_mul(factor);
            let wrapped = wrap_integer(product, &TypeKind::Int);
            return Ok(Value::months(i32::try_from(wrapped).expect("an INT has 32 bits")));
        }
        if let Some(millis) = interval.as_millis() {
            return Ok(Value::millis(millis.wrapping_mul(factor)));
        }
    }
    Err(EvalError(format!("cannot multiply {interval:?} by {factor:?}")))
}

fn divide(call: &Call<'_>) -> Result<Value, EvalError> {
    refuse_zero(call)?;
    compute(call, &DIVISION)
}

fn remainder(call: &Call<'_>) -> Result<Value, EvalError> {
    refuse_zero(call)?;
    if let (Some(a), Some(b)) = (call.args[0].as_decimal(), call.args[1].as_integer())
        && call.result.kind.is_integer()
    {
        let remainder = a.unscaled() % i128::from(b);
        return Ok(i64::try_from(remainder).map_or(Value::NULL, Value::integer));
    }
    compute(call, &REMAINDERING)
}

/// Exact numbers cannot be divided by zero, floating point numbers can.
fn refuse_zero(call: &Call<'_>) -> Result<(), EvalError> {
    let zero = exact_number(&call.args[1]).is_some_and(|divisor| divisor.unscaled() == 0);
    if zero { Err(division_by_zero()) } else { Ok(()) }
}

/// What an operator that cannot fail does with two integers, before the result is cut to its type.
#[inline]
pub(in crate::expr) fn integer_operation(function: &Function) -> Option<fn(i64, i64) -> i64> {
    if *function == PLUS {
        Some(i64::wrapping_add)
    } else if *function == MINUS {
        Some(i64::wrapping_sub)
    } else if *function == TIMES {
        Some(i64::wrapping_mul)
    } else {
        None
    }
}

/// Whether a division of constants fails already because of its zero divisor: Flink computes
/// those exactly.
pub(in crate::expr) fn is_constant_zero_division(function: &Function, divisor: &Value) -> bool {
    let zero = divisor.as_double() == Some(0.0) || divisor.as_float() == Some(0.0);
    *function == DIVIDE && zero
}
