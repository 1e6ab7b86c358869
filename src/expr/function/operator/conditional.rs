//! `COALESCE`, `IF`, `NULLIF`, `GREATEST`, `LEAST` and `TYPEOF`.

use std::cmp::Ordering;

use super::{as_they_are, expect_arguments};
use crate::expr::Comparison;
use crate::expr::build::no_common_type;
use crate::expr::common_type::{argument_type, common_type};
use crate::expr::function::{Argument, Call, Category, Function, Signature, TypeMismatch};
use crate::value::{DataType, TypeKind, Value};

/// `COALESCE`
pub(in crate::expr) static COALESCE: Function = Function {
    name: "COALESCE",
    syntax: "COALESCE(value, value, …)",
    summary: "The first value that is not NULL.",
    example: Some(("COALESCE(CAST(NULL AS INT), 5)", "5")),
    category: Category::Conditional,
    typing: first_type,
    eval: |call| Ok(first_value(call)),
    strict: false,
    deterministic: true,
};

/// `IFNULL`
pub(in crate::expr) static IFNULL: Function = Function {
    name: "IFNULL",
    syntax: "IFNULL(value, replacement)",
    summary: "The value, or the replacement if it is NULL.",
    example: Some(("IFNULL(CAST(NULL AS STRING), '-')", "-")),
    category: Category::Conditional,
    typing: |args| {
        expect_arguments(args, 2)?;
        first_type(args)
    },
    eval: |call| Ok(first_value(call)),
    strict: false,
    deterministic: true,
};

/// `IF`
pub(in crate::expr) static IF: Function = Function {
    name: "IF",
    syntax: "IF(condition, result, otherwise)",
    summary: "The result if the condition is TRUE, or else the other value.",
    example: Some(("IF(1 > 0, 'yes', 'no')", "yes")),
    category: Category::Conditional,
    typing: |args| {
        expect_arguments(args, 3)?;
        let condition = args[0].data_type;
        if !matches!(condition.kind, TypeKind::Boolean | TypeKind::Null) {
            return Err(TypeMismatch::new(format!("the condition must be BOOLEAN, not {}", condition.kind)));
        }
        let types = [args[1].data_type, args[2].data_type];
        let common = common_type(&types).ok_or_else(|| no_common_type("the results", &types))?;
        if has_no_order(&common.kind) || common.kind.is_interval() {
            return Err(TypeMismatch::new(format!("the result cannot be {}", common.kind)).or("Use CASE."));
        }
        // As in Flink an unknown condition counts as a NULL result.
        let nullable = common.nullable || condition.nullable;
        let boolean = DataType::boolean().with_nullable(condition.nullable);
        Ok(Signature {
            arguments: vec![boolean, common.clone(), common.clone()],
            result: common.with_nullable(nullable),
        })
    },
    eval: |call| Ok(call.args[if call.args[0].as_boolean() == Some(true) { 1 } else { 2 }].clone()),
    strict: false,
    deterministic: true,
};

/// `NULLIF`
pub(in crate::expr) static NULLIF: Function = Function {
    name: "NULLIF",
    syntax: "NULLIF(value, other)",
    summary: "NULL if the two values are equal, or else the first one.",
    example: Some(("NULLIF(5, 6)", "5")),
    category: Category::Conditional,
    typing: |args| {
        expect_arguments(args, 2)?;
        Ok(as_they_are(args, args[0].data_type.clone().with_nullable(true)))
    },
    eval: |call| {
        let equal = Comparison::Equal.compare(&call.args[0], &call.args[1]);
        Ok(if equal == Some(true) { Value::NULL } else { call.args[0].clone() })
    },
    strict: false,
    deterministic: true,
};

/// `GREATEST`
pub(in crate::expr) static GREATEST: Function = Function {
    name: "GREATEST",
    syntax: "GREATEST(value, value, …)",
    summary: "The largest of the values, or NULL if one is NULL.",
    example: Some(("GREATEST(1, 3, 2)", "3")),
    category: Category::Conditional,
    typing: extreme_type,
    eval: |call| Ok(extreme(call, Ordering::Greater)),
    strict: true,
    deterministic: true,
};

/// `LEAST`
pub(in crate::expr) static LEAST: Function = Function {
    name: "LEAST",
    syntax: "LEAST(value, value, …)",
    summary: "The smallest of the values, or NULL if one is NULL.",
    example: Some(("LEAST(1.5, 2)", "1.5")),
    category: Category::Conditional,
    typing: extreme_type,
    eval: |call| Ok(extreme(call, Ordering::Less)),
    strict: true,
    deterministic: true,
};

/// `TYPEOF`
pub(in crate::expr) static TYPEOF: Function = Function {
    name: "TYPEOF",
    syntax: "TYPEOF(value [, in_full])",
    summary: "The type of an expression, with STRING and BYTES in full if so asked.",
    example: Some(("TYPEOF(1.5)", "DECIMAL(2, 1) NOT NULL")),
    category: Category::Conversion,
    typing: |args| {
        let in_full = args.get(1).map(|arg| &arg.data_type.kind);
        if args.is_empty() || args.len() > 2 || in_full.is_some_and(|kind| *kind != TypeKind::Boolean) {
            return Err(TypeMismatch::new("takes a value and, if at all, a BOOLEAN"));
        }
        Ok(as_they_are(args, DataType::string()))
    },
    eval: |call| {
        let data_type = &call.types[0];
        let in_full = call.args.get(1).and_then(Value::as_boolean) == Some(true);
        let text =
            if in_full { data_type.in_full() } else { data_type.clone().without_attribute().to_string() };
        Ok(Value::string(&text))
    },
    strict: false,
    deterministic: true,
};

/// All arguments have one type; the result is NULL only if all may be.
fn first_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    let common = all_alike(args)?;
    let nullable = args.iter().all(|arg| arg.data_type.nullable);
    Ok(Signature { arguments: vec![common.clone(); args.len()], result: common.with_nullable(nullable) })
}

fn all_alike(args: &[Argument<'_>]) -> Result<DataType, TypeMismatch> {
    if args.is_empty() {
        return Err(TypeMismatch::new("takes at least 1 argument"));
    }
    let types: Vec<_> = args.iter().map(|arg| arg.data_type).collect();
    argument_type(&types).ok_or_else(|| no_common_type("the arguments", &types))
}

fn first_value(call: &Call<'_>) -> Value {
    call.args.iter().find(|value| !value.is_null()).cloned().unwrap_or_default()
}

fn extreme_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    let common = all_alike(args)?;
    if has_no_order(&common.kind) {
        return Err(TypeMismatch::new(format!("{} has no order", common.kind)));
    }
    Ok(Signature { arguments: vec![common.clone(); args.len()], result: common })
}

fn has_no_order(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Array(_) | TypeKind::Map(..) | TypeKind::Multiset(_) | TypeKind::Row(_) | TypeKind::Bitmap
    )
}

fn extreme(call: &Call<'_>, wanted: Ordering) -> Value {
    let better = |best: &'_ Value, value: &'_ Value| value.cmp(best) == wanted;
    let best = call.args.iter().reduce(|best, value| if better(best, value) { value } else { best });
    best.cloned().unwrap_or_default()
}
