//! `NOT`, `IS NULL`, `IS TRUE` and their like, `IS DISTINCT FROM`.

use super::{as_they_are, expect_arguments, nullable_as};
use crate::expr::eval::compare_values;
use crate::expr::function::{Argument, Call, Category, Function, Signature, TypeMismatch};
use crate::value::{DataType, TypeKind, Value};

/// `NOT`
pub(in crate::expr) static NOT: Function = Function {
    name: "NOT",
    syntax: "NOT condition",
    summary: "TRUE for FALSE and FALSE for TRUE; NULL stays NULL.",
    example: Some(("NOT TRUE", "FALSE")),
    category: Category::Logical,
    typing: |args| {
        expect_boolean(args)?;
        Ok(as_they_are(args, nullable_as(args, TypeKind::Boolean)))
    },
    eval: |call| Ok(call.args[0].as_boolean().map_or(Value::NULL, |value| Value::boolean(!value))),
    strict: true,
    deterministic: true,
};

/// A test of one value that is never NULL itself.
macro_rules! test {
    ($name:ident, $sql:literal, $summary:literal, $example:literal, $typing:expr, $eval:expr) => {
        #[doc = concat!("`", $sql, "`")]
        pub(in crate::expr) static $name: Function = Function {
            name: $sql,
            syntax: concat!("value ", $sql),
            summary: $summary,
            example: Some(($example, "TRUE")),
            category: Category::Logical,
            typing: $typing,
            eval: |call| {
                let test: fn(&Value) -> bool = $eval;
                Ok(Value::boolean(test(&call.args[0])))
            },
            strict: false,
            deterministic: true,
        };
    };
}

test!(IS_NULL, "IS NULL", "Whether a value is NULL.", "CAST(NULL AS INT) IS NULL", any_type, Value::is_null);
test!(IS_NOT_NULL, "IS NOT NULL", "Whether a value is not NULL.", "1 IS NOT NULL", any_type, |value| !value
    .is_null());
test!(IS_TRUE, "IS TRUE", "Whether a condition is TRUE.", "1 < 2 IS TRUE", truth_type, |value| value
    .as_boolean()
    == Some(true));
test!(
    IS_NOT_TRUE,
    "IS NOT TRUE",
    "Whether a condition is FALSE or NULL.",
    "1 > 2 IS NOT TRUE",
    truth_type,
    |value| value.as_boolean() != Some(true)
);
test!(IS_FALSE, "IS FALSE", "Whether a condition is FALSE.", "1 > 2 IS FALSE", truth_type, |value| value
    .as_boolean()
    == Some(false));
test!(
    IS_NOT_FALSE,
    "IS NOT FALSE",
    "Whether a condition is TRUE or NULL.",
    "1 < 2 IS NOT FALSE",
    truth_type,
    |value| value.as_boolean() != Some(false)
);
test!(
    IS_UNKNOWN,
    "IS UNKNOWN",
    "Whether a condition is NULL.",
    "CAST(NULL AS BOOLEAN) IS UNKNOWN",
    truth_type,
    Value::is_null
);
test!(
    IS_NOT_UNKNOWN,
    "IS NOT UNKNOWN",
    "Whether a condition is not NULL.",
    "1 < 2 IS NOT UNKNOWN",
    truth_type,
    |value| !value.is_null()
);

/// `IS DISTINCT FROM`
pub(in crate::expr) static IS_DISTINCT_FROM: Function = Function {
    name: "IS DISTINCT FROM",
    syntax: "value IS DISTINCT FROM value",
    summary: "Whether two values differ, where NULL is a value like any other.",
    example: Some(("1 IS DISTINCT FROM NULL", "TRUE")),
    category: Category::Comparison,
    typing: distinct_type,
    eval: |call| Ok(Value::boolean(is_distinct(call))),
    strict: false,
    deterministic: true,
};

/// `IS NOT DISTINCT FROM`
pub(in crate::expr) static IS_NOT_DISTINCT_FROM: Function = Function {
    name: "IS NOT DISTINCT FROM",
    syntax: "value IS NOT DISTINCT FROM value",
    summary: "Whether two values are equal, where NULL is a value like any other.",
    example: Some(("1 IS NOT DISTINCT FROM 1", "TRUE")),
    category: Category::Comparison,
    typing: distinct_type,
    eval: |call| Ok(Value::boolean(!is_distinct(call))),
    strict: false,
    deterministic: true,
};

fn any_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    expect_arguments(args, 1)?;
    Ok(as_they_are(args, DataType::boolean().not_null()))
}

fn truth_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    expect_boolean(args)?;
    Ok(as_they_are(args, DataType::boolean().not_null()))
}

fn expect_boolean(args: &[Argument<'_>]) -> Result<(), TypeMismatch> {
    expect_arguments(args, 1)?;
    match &args[0].data_type.kind {
        TypeKind::Boolean | TypeKind::Null => Ok(()),
        kind => Err(TypeMismatch::new(format!("needs a BOOLEAN, not {kind}"))
            .or("Compare the value with another one.")),
    }
}

fn distinct_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    expect_arguments(args, 2)?;
    Ok(as_they_are(args, DataType::boolean().not_null()))
}

/// Whether this is `IS [NOT] DISTINCT FROM`, whose operands are cast like those of a comparison.
pub(in crate::expr) fn is_distinction(function: &Function) -> bool {
    *function == IS_DISTINCT_FROM || *function == IS_NOT_DISTINCT_FROM
}

fn is_distinct(call: &Call<'_>) -> bool {
    let (a, b) = (&call.args[0], &call.args[1]);
    match (a.is_null(), b.is_null()) {
        (true, true) => false,
        (false, false) => compare_values(a, b).is_none_or(std::cmp::Ordering::is_ne),
        _ => true,
    }
}
