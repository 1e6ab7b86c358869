//! Absolute values, signs, rounding and remainders, which keep the type of the number.

use super::super::call::{Evaluated, failure};
use super::super::digits::Digits;
use super::super::operator::REMAINDER;
use super::super::parameter::Parameter::{self, Exact, Int, Number};
use super::super::parameter::{Typed, check, gives, mismatch};
use super::super::{Argument, Call, Category, Function};
use super::{ByKind, wrap};
use crate::value::{Decimal, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "ABS",
        syntax: "ABS(number)",
        summary: "Gives the absolute value.",
        example: Some(("ABS(-5)", "5")),
        typing: |args| {
            check(args, ONE)?;
            Ok(gives(args, args[0].data_type.kind.clone()))
        },
        eval: |call| {
            let by_kind = ByKind {
                integer: |value, kind| wrap(i128::from(value).abs(), kind),
                float: f32::abs,
                double: f64::abs,
                decimal: |value| Decimal::new(value.unscaled().abs(), value.scale()),
            };
            by_kind.apply(&call.args[0], &call.types[0].kind)
        },
        ..TEMPLATE
    },
    Function {
        name: "SIGN",
        syntax: "SIGN(number)",
        summary: "Gives -1, 0 or 1, the sign of the number, in its type.",
        example: Some(("SIGN(-3)", "-1")),
        typing: |args| {
            check(args, ONE)?;
            reject_small_integers(args)?;
            Ok(gives(args, args[0].data_type.kind.clone()))
        },
        eval: |call| {
            let by_kind = ByKind {
                integer: |value, _| value.signum(),
                float: |value| if value == 0.0 { value } else { value.signum() },
                double: |value| if value == 0.0 { value } else { value.signum() },
                decimal: |value| {
                    let sign = Decimal::new(value.unscaled().signum(), 0);
                    sign.rescale(38, value.scale()).unwrap_or(sign)
                },
            };
            by_kind.apply(&call.args[0], &call.types[0].kind)
        },
        ..TEMPLATE
    },
    Function {
        name: "ROUND",
        syntax: "ROUND(number [, places])",
        summary: "Rounds to so many places after the point, by default 0, or before it if negative; halves go away from zero.",
        example: Some(("ROUND(2.345, 2)", "2.35")),
        typing: |args| round_type(args),
        eval: round,
        ..TEMPLATE
    },
    Function {
        name: "TRUNCATE",
        syntax: "TRUNCATE(number [, places])",
        summary: "Cuts the number after so many places, by default 0, or before the point if negative.",
        example: Some(("TRUNCATE(42.345, 2)", "42.34")),
        typing: |args| {
            let signature = round_type(args)?;
            reject_small_integers(args)?;
            Ok(signature)
        },
        eval: truncate,
        ..TEMPLATE
    },
    Function {
        name: "MOD",
        syntax: "MOD(number, number)",
        summary: "Gives the remainder of a division; it has the sign of the first number.",
        example: Some(("MOD(-7, 3)", "-1")),
        typing: |args| {
            check(args, &[&[Exact, Exact]])?;
            (REMAINDER.typing)(args)
        },
        eval: |call| (REMAINDER.eval)(call),
        ..TEMPLATE
    },
];

const ONE: &[&[Parameter]] = &[&[Number]];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Arithmetic,
    typing: |args| round_type(args),
    eval: round,
    strict: true,
    deterministic: true,
};

/// Flink plans these calls but cannot compile them.
fn reject_small_integers(args: &[Argument<'_>]) -> Result<(), super::super::TypeMismatch> {
    let kind = &args[0].data_type.kind;
    if matches!(kind, TypeKind::TinyInt | TypeKind::SmallInt) {
        return Err(super::super::TypeMismatch::new(format!("takes no {kind}")).or("Use CAST(… AS INT)."));
    }
    Ok(())
}

/// A decimal keeps only the digits after the point that constant places leave, and one digit more
/// before it.
fn round_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Number], &[Number, Int]])?;
    let kind = args[0].data_type.kind.clone();
    let TypeKind::Decimal { precision, scale } = kind else { return Ok(gives(args, kind)) };
    let places = match args.get(1) {
        None => Some(0),
        Some(places) => places.literal.and_then(Value::as_integer),
    };
    let kind = match places {
        Some(places) if places < i64::from(scale) => {
            let kept = u8::try_from(places).unwrap_or(0);
            TypeKind::Decimal { precision: (1 + precision - scale + kept).min(38), scale: kept }
        }
        _ => kind,
    };
    if args.len() > 1 && args[1].literal.is_some_and(Value::is_null) {
        return mismatch("takes places that are not NULL");
    }
    Ok(gives(args, kind))
}

fn places(call: &Call<'_>) -> i64 {
    if call.args.len() > 1 { call.integer(1) } else { 0 }
}

fn round(call: &Call<'_>) -> Evaluated {
    let (number, places) = (&call.args[0], places(call));
    if let Some(decimal) = number.as_decimal() {
        return Ok(round_decimal(decimal, places, call, |value| value.rescale(38, 0)));
    }
    if let Some(integer) = number.as_integer() {
        let rounded = at_places(Decimal::from(integer), places, |value| value.rescale(38, 0));
        let rounded = rounded.map_or(0, Decimal::unscaled);
        return Ok(Value::integer(wrap(rounded, &call.result.kind)));
    }
    let float = number.as_float();
    let value = float.map_or_else(|| call.double(0), f64::from);
    if !value.is_finite() {
        return failure("the number is not finite");
    }
    let rounded = Digits::of(value.abs()).rounded_at(places).to_f64();
    let rounded = if value < 0.0 && rounded > 0.0 { -rounded } else { rounded };
    Ok(float_or_double(rounded, float.is_some()))
}

/// As in Flink a floating point number becomes a `DECIMAL(38, 18)` first.
fn truncate(call: &Call<'_>) -> Evaluated {
    let (number, places) = (&call.args[0], places(call));
    let whole = |value: Decimal| Some(Decimal::new(value.whole(), 0));
    if let Some(decimal) = number.as_decimal() {
        return Ok(round_decimal(decimal, places, call, whole));
    }
    if let Some(integer) = number.as_integer() {
        let cut = at_places(Decimal::from(integer), places, whole).map_or(0, Decimal::unscaled);
        return Ok(Value::integer(wrap(cut, &call.result.kind)));
    }
    let float = number.as_float();
    let value = float.map_or_else(|| call.double(0), f64::from);
    let Some(decimal) = Decimal::from_f64(value, 38, 18) else {
        return failure("the number is out of the range of DECIMAL(38, 18)");
    };
    let cut = at_places(decimal, places, whole).unwrap_or(decimal).to_f64();
    Ok(float_or_double(cut, float.is_some()))
}

#[expect(clippy::cast_possible_truncation, reason = "a FLOAT is the nearest one")]
fn float_or_double(value: f64, float: bool) -> Value {
    if float { Value::float(value as f32) } else { Value::double(value) }
}

/// The number without its digits beyond some places, with as many places as it keeps; `None`
/// beyond 38 digits. The function makes a number whole.
fn at_places(value: Decimal, places: i64, whole: fn(Decimal) -> Option<Decimal>) -> Option<Decimal> {
    if places >= i64::from(value.scale()) {
        return Some(value);
    }
    // As a number of units of the last place that stays.
    let dropped = i64::from(value.scale()) - places;
    let Some(dropped) = u8::try_from(dropped).ok().filter(|&dropped| dropped <= 38) else {
        return Some(Decimal::new(0, 0));
    };
    let units = whole(Decimal::new(value.unscaled(), dropped))?.unscaled();
    if let Ok(scale) = u8::try_from(places) {
        return Some(Decimal::new(units, scale));
    }
    let unit = 10_i128.checked_pow(u32::try_from(places.unsigned_abs()).ok()?)?;
    Decimal::new(units.checked_mul(unit)?, 0).rescale(38, 0)
}

/// Where the places are not constant, the result's type has the scale of the number, and Flink
/// takes the digits of the rounded number for digits of that scale: 1.25 becomes 0.13. So does
/// this.
fn round_decimal(
    value: Decimal,
    places: i64,
    call: &Call<'_>,
    whole: fn(Decimal) -> Option<Decimal>,
) -> Value {
    let scale = match call.result.kind {
        TypeKind::Decimal { scale, .. } => scale,
        _ => value.scale(),
    };
    let rounded = at_places(value, places, whole);
    rounded.map_or(Value::NULL, |rounded| Value::decimal(Decimal::new(rounded.unscaled(), scale)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_rounded_on_both_sides_of_its_point() {
        let rounded = |text: &str, places| {
            let value = at_places(text.parse().unwrap(), places, |value| value.rescale(38, 0));
            value.map_or("NULL".to_owned(), |value| value.to_string())
        };
        assert_eq!(rounded("12.345", 2), "12.35");
        assert_eq!(rounded("12.345", -1), "10");
        assert_eq!(rounded("-15", -1), "-20");
        assert_eq!(rounded("12.345", 5), "12.345");
        assert_eq!(rounded("12.345", -1000), "0");
        assert_eq!(rounded(&"9".repeat(38), -1), "NULL");
    }
}
