//! Powers, logarithms and trigonometry, on `DOUBLE`.
//!
//! Java computes some of them with the algorithms of fdlibm, others with processor-specific ones
//! that are nearly always correctly rounded. The `libm` crate has the former, the standard library
//! the like of the latter.

use std::f64::consts::{E, LN_2, PI};

use super::super::call::Evaluated;
use super::super::parameter::Parameter::{self, Number};
use super::super::parameter::{Typed, check, gives};
use super::super::{Argument, Call, Category, Function};
use crate::expr::function::TypeMismatch;
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "POWER",
        syntax: "POWER(base, exponent)",
        summary: "Raises a number to a power.",
        example: Some(("POWER(2, 10)", "1024.0")),
        typing: |args| doubles(args, &[&[Number, Number]]),
        eval: |call| two(call, f64::powf),
        ..TEMPLATE
    },
    Function {
        name: "SQRT",
        syntax: "SQRT(number)",
        summary: "Gives the square root.",
        example: Some(("SQRT(16)", "4.0")),
        eval: |call| one(call, f64::sqrt),
        ..TEMPLATE
    },
    Function {
        name: "EXP",
        syntax: "EXP(number)",
        summary: "Raises Euler's number to a power.",
        example: Some(("EXP(1)", "2.718281828459045")),
        eval: |call| one(call, f64::exp),
        ..TEMPLATE
    },
    Function {
        name: "LN",
        syntax: "LN(number)",
        summary: "Gives the natural logarithm.",
        example: Some(("LN(10)", "2.302585092994046")),
        eval: |call| one(call, f64::ln),
        ..TEMPLATE
    },
    Function {
        name: "LOG",
        syntax: "LOG([base,] number)",
        summary: "Gives the logarithm to a base, by default the natural one.",
        example: Some(("LOG(2, 8)", "3.0")),
        typing: |args| doubles(args, &[&[Number], &[Number, Number]]),
        eval: |call| {
            if call.args.len() == 1 { one(call, f64::ln) } else { two(call, |base, x| x.ln() / base.ln()) }
        },
        ..TEMPLATE
    },
    Function {
        name: "LOG2",
        syntax: "LOG2(number)",
        summary: "Gives the logarithm to base 2.",
        example: Some(("LOG2(8)", "3.0")),
        eval: |call| one(call, |x| x.ln() / LN_2),
        ..TEMPLATE
    },
    Function {
        name: "LOG10",
        syntax: "LOG10(number)",
        summary: "Gives the logarithm to base 10.",
        example: Some(("LOG10(1000)", "3.0")),
        eval: |call| one(call, libm::log10),
        ..TEMPLATE
    },
    Function {
        name: "SIN",
        syntax: "SIN(radians)",
        summary: "Gives the sine.",
        example: Some(("SIN(0)", "0.0")),
        eval: |call| one(call, f64::sin),
        ..TEMPLATE
    },
    Function {
        name: "COS",
        syntax: "COS(radians)",
        summary: "Gives the cosine.",
        example: Some(("COS(0)", "1.0")),
        eval: |call| one(call, f64::cos),
        ..TEMPLATE
    },
    Function {
        name: "TAN",
        syntax: "TAN(radians)",
        summary: "Gives the tangent.",
        example: Some(("TAN(0)", "0.0")),
        eval: |call| one(call, f64::tan),
        ..TEMPLATE
    },
    Function {
        name: "COT",
        syntax: "COT(radians)",
        summary: "Gives the cotangent.",
        example: Some(("COT(1)", "0.6420926159343306")),
        eval: |call| one(call, |x| 1.0 / x.tan()),
        ..TEMPLATE
    },
    Function {
        name: "ASIN",
        syntax: "ASIN(number)",
        summary: "Gives the arc sine in radians.",
        example: Some(("ASIN(1)", "1.5707963267948966")),
        eval: |call| one(call, libm::asin),
        ..TEMPLATE
    },
    Function {
        name: "ACOS",
        syntax: "ACOS(number)",
        summary: "Gives the arc cosine in radians.",
        example: Some(("ACOS(1)", "0.0")),
        eval: |call| one(call, libm::acos),
        ..TEMPLATE
    },
    Function {
        name: "ATAN",
        syntax: "ATAN(number)",
        summary: "Gives the arc tangent in radians.",
        example: Some(("ATAN(1)", "0.7853981633974483")),
        eval: |call| one(call, libm::atan),
        ..TEMPLATE
    },
    Function {
        name: "ATAN2",
        syntax: "ATAN2(y, x)",
        summary: "Gives the angle of a point in radians.",
        example: Some(("ATAN2(1, 1)", "0.7853981633974483")),
        typing: |args| {
            let signature = doubles(args, &[&[Number, Number]])?;
            let is_decimal = |arg: &Argument<'_>| matches!(arg.data_type.kind, TypeKind::Decimal { .. });
            // Flink plans such a call but cannot compile it.
            if is_decimal(&args[0]) != is_decimal(&args[1]) {
                return Err(TypeMismatch::new("takes two decimals or none").or("Use CAST(… AS DOUBLE)."));
            }
            Ok(signature)
        },
        eval: |call| two(call, libm::atan2),
        ..TEMPLATE
    },
    Function {
        name: "SINH",
        syntax: "SINH(number)",
        summary: "Gives the hyperbolic sine.",
        example: Some(("SINH(1)", "1.1752011936438014")),
        eval: |call| one(call, sinh),
        ..TEMPLATE
    },
    Function {
        name: "COSH",
        syntax: "COSH(number)",
        summary: "Gives the hyperbolic cosine.",
        example: Some(("COSH(1)", "1.543080634815244")),
        eval: |call| one(call, cosh),
        ..TEMPLATE
    },
    Function {
        name: "TANH",
        syntax: "TANH(number)",
        summary: "Gives the hyperbolic tangent.",
        example: Some(("TANH(1)", "0.7615941559557649")),
        eval: |call| one(call, tanh),
        ..TEMPLATE
    },
    Function {
        name: "DEGREES",
        syntax: "DEGREES(radians)",
        summary: "Converts radians to degrees.",
        example: Some(("DEGREES(PI())", "180.0")),
        eval: |call| one(call, |x| x * (180.0 / PI)),
        ..TEMPLATE
    },
    Function {
        name: "RADIANS",
        syntax: "RADIANS(degrees)",
        summary: "Converts degrees to radians.",
        example: Some(("RADIANS(180)", "3.141592653589793")),
        eval: |call| one(call, |x| x * (PI / 180.0)),
        ..TEMPLATE
    },
    Function {
        name: "PI",
        syntax: "PI()",
        summary: "Gives the ratio of a circle's circumference to its diameter.",
        example: Some(("PI()", "3.141592653589793")),
        typing: |args| doubles(args, &[&[]]),
        eval: |_| Ok(Value::double(PI)),
        ..TEMPLATE
    },
    Function {
        name: "E",
        syntax: "E()",
        summary: "Gives Euler's number.",
        example: Some(("E()", "2.718281828459045")),
        typing: |args| doubles(args, &[&[]]),
        eval: |_| Ok(Value::double(E)),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Arithmetic,
    typing: |args| doubles(args, &[&[Number]]),
    eval: |call| one(call, f64::sqrt),
    strict: true,
    deterministic: true,
};

/// Arguments and result are `DOUBLE`.
fn doubles(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Typed {
    check(args, forms)?;
    let mut signature = gives(args, TypeKind::Double);
    for argument in &mut signature.arguments {
        *argument = DataType::double().with_nullable(argument.nullable);
    }
    Ok(signature)
}

#[expect(clippy::unnecessary_wraps, reason = "it is the last expression of a function")]
fn one(call: &Call<'_>, compute: fn(f64) -> f64) -> Evaluated {
    Ok(Value::double(compute(call.double(0))))
}

#[expect(clippy::unnecessary_wraps, reason = "it is the last expression of a function")]
fn two(call: &Call<'_>, compute: fn(f64, f64) -> f64) -> Evaluated {
    Ok(Value::double(compute(call.double(0), call.double(1))))
}

/// Where the hyperbolic functions are but an exponential.
const LARGE: f64 = 22.0;

/// The logarithm of the largest number.
const OVERFLOW: f64 = 709.782_712_893_384;

/// Half of e^x without overflow where the half does not overflow.
fn half_exp(x: f64) -> f64 {
    if x < OVERFLOW {
        return 0.5 * libm::exp(x);
    }
    let root = libm::exp(0.5 * x);
    0.5 * root * root
}

fn sinh(x: f64) -> f64 {
    let magnitude = x.abs();
    let half = 0.5_f64.copysign(x);
    if !x.is_finite() || magnitude < 2.0_f64.powi(-28) {
        return x;
    }
    if magnitude >= LARGE {
        return half_exp(magnitude).copysign(x);
    }
    let t = libm::expm1(magnitude);
    if magnitude < 1.0 { half * (2.0 * t - t * t / (t + 1.0)) } else { half * (t + t / (t + 1.0)) }
}

fn cosh(x: f64) -> f64 {
    let magnitude = x.abs();
    if magnitude < 0.5 * LN_2 {
        let t = libm::expm1(magnitude);
        let w = 1.0 + t;
        return 1.0 + t * t / (w + w);
    }
    if magnitude < LARGE {
        let t = libm::exp(magnitude);
        return 0.5 * t + 0.5 / t;
    }
    half_exp(magnitude)
}

fn tanh(x: f64) -> f64 {
    let magnitude = x.abs();
    if x.is_nan() || magnitude < 2.0_f64.powi(-55) {
        return x;
    }
    let value = if magnitude >= LARGE {
        1.0
    } else if magnitude >= 1.0 {
        1.0 - 2.0 / (libm::expm1(2.0 * magnitude) + 2.0)
    } else {
        let t = libm::expm1(-2.0 * magnitude);
        -t / (t + 2.0)
    };
    value.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyperbolic_functions_go_on_where_an_exponential_overflows() {
        assert!(sinh(710.0).is_finite() && cosh(-710.0).is_finite());
        assert!(sinh(-720.0) == f64::NEG_INFINITY && cosh(720.0) == f64::INFINITY);
        assert!(sinh(-1e-300) < 0.0 && (tanh(-800.0) + 1.0).abs() < f64::EPSILON);
        assert!(sinh(f64::NAN).is_nan() && cosh(f64::NAN).is_nan() && tanh(f64::NAN).is_nan());
    }

    #[test]
    fn logarithms_of_powers_of_ten_are_whole() {
        for exponent in 0..300 {
            let power: f64 = format!("1e{exponent}").parse().unwrap();
            assert!((libm::log10(power) - f64::from(exponent)).abs() < f64::EPSILON, "1e{exponent}");
        }
    }
}
