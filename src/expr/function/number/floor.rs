//! Rounding down and up: numbers to whole ones, times to units.

use super::super::call::Evaluated;
use super::super::datetime::round;
use super::super::parameter::Parameter::Number;
use super::super::parameter::{Typed, check, gives};
use super::super::{Argument, Call, Category, Function};
use super::ByKind;
use crate::value::{Decimal, TypeKind};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "FLOOR",
        syntax: "FLOOR(number) or FLOOR(time TO unit)",
        summary: "Rounds a number down to a whole one, or a time to a unit.",
        example: Some(("FLOOR(TIMESTAMP '2024-05-17 13:45:30' TO HOUR)", "2024-05-17 13:00:00")),
        eval: |call| {
            let by_kind = ByKind {
                integer: |value, _| value,
                float: f32::floor,
                double: f64::floor,
                decimal: |value| whole(value, -1),
            };
            eval(call, &by_kind, false)
        },
        ..TEMPLATE
    },
    Function {
        name: "CEIL",
        syntax: "CEIL(number) or CEIL(time TO unit)",
        summary: "Rounds a number up to a whole one, or a time to a unit.",
        example: Some(("CEIL(-1.2)", "-1")),
        ..TEMPLATE
    },
    Function {
        name: "CEILING",
        syntax: "CEILING(number) or CEILING(time TO unit)",
        summary: "Another name of CEIL.",
        example: Some(("CEILING(1.2)", "2")),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Arithmetic,
    typing: whole_type,
    eval: ceil,
    strict: true,
    deterministic: true,
};

fn whole_type(args: &[Argument<'_>]) -> Typed {
    if args.len() > 1 {
        return round::round_type(args);
    }
    check(args, &[&[Number]])?;
    let kind = match args[0].data_type.kind {
        TypeKind::Decimal { precision, .. } => TypeKind::Decimal { precision, scale: 0 },
        ref kind => kind.clone(),
    };
    Ok(gives(args, kind))
}

fn ceil(call: &Call<'_>) -> Evaluated {
    let by_kind = ByKind {
        integer: |value, _| value,
        float: f32::ceil,
        double: f64::ceil,
        decimal: |value| whole(value, 1),
    };
    eval(call, &by_kind, true)
}

fn eval(call: &Call<'_>, by_kind: &ByKind, up: bool) -> Evaluated {
    if call.args.len() > 1 {
        return round::round(call, up);
    }
    by_kind.apply(&call.args[0], &call.types[0].kind)
}

/// The next whole number in a direction, unless it is one.
fn whole(value: Decimal, direction: i128) -> Decimal {
    let whole = Decimal::new(value.whole(), 0);
    let beyond = if direction > 0 { whole < value } else { whole > value };
    if beyond { Decimal::new(whole.unscaled() + direction, 0) } else { whole }
}
