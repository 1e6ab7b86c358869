//! Functions that look for an element in an array.

use super::super::call::count;
use super::super::parameter::Parameter::{Any, Array};
use super::super::parameter::{Typed, check, check_or_null, gives, gives_type, mismatch};
use super::super::{Argument, Category, Function};
use super::{element, same};
use crate::value::cast::is_implicitly_castable;
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "ARRAY_CONTAINS",
        syntax: "ARRAY_CONTAINS(array, element)",
        summary: "Whether an array has an element, which may be NULL.",
        example: Some(("ARRAY_CONTAINS(ARRAY[1, 2], 2)", "TRUE")),
        typing: |args| {
            let mut signature = needle_type(args)?;
            signature.result = DataType::boolean().with_nullable(args[0].data_type.nullable);
            Ok(signature)
        },
        eval: |call| {
            let found =
                call.args[0].as_list().map(|items| items.iter().any(|item| same(item, &call.args[1])));
            Ok(found.map_or(Value::NULL, Value::boolean))
        },
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_POSITION",
        syntax: "ARRAY_POSITION(array, element)",
        summary: "Gives the position of the first such element, or 0.",
        example: Some(("ARRAY_POSITION(ARRAY['a', 'b'], 'b')", "2")),
        typing: |args| {
            let mut signature = needle_type(args)?;
            signature.result = gives(args, TypeKind::Int).result;
            signature.result.nullable |= args[1].data_type.kind == TypeKind::Null;
            Ok(signature)
        },
        eval: |call| {
            let found = call.list(0).iter().position(|item| same(item, &call.args[1]));
            count(found.map_or(0, |index| index + 1))
        },
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_REMOVE",
        syntax: "ARRAY_REMOVE(array, element)",
        summary: "Removes all such elements from an array.",
        example: Some(("ARRAY_REMOVE(ARRAY[1, 2, 1], 1)", "[2]")),
        eval: |call| {
            let kept = call.args[0].as_list().map(|items| {
                items.iter().filter(|item| !same(item, &call.args[1])).cloned().collect::<Vec<_>>()
            });
            Ok(kept.map_or(Value::NULL, Value::list))
        },
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_DISTINCT",
        syntax: "ARRAY_DISTINCT(array)",
        summary: "Keeps the first of the elements that are the same.",
        example: Some(("ARRAY_DISTINCT(ARRAY[3, 1, 3])", "[3, 1]")),
        typing: |args| {
            check(args, &[&[Array]])?;
            Ok(gives(args, args[0].data_type.kind.clone()))
        },
        eval: |call| Ok(Value::list(distinct(call.list(0).iter()))),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Collection,
    typing: needle_type,
    eval: |call| Ok(call.args[0].clone()),
    strict: true,
    deterministic: true,
};

/// What is looked for takes the type of the elements; the result is the array's type.
fn needle_type(args: &[Argument<'_>]) -> Typed {
    if args.first().is_some_and(|arg| arg.data_type.kind == TypeKind::Null) {
        check(&args[..1], &[&[Array]])?;
    }
    check_or_null(args, &[&[Array, Any]])?;
    let (others, needle) = (element(&args[0])?, args[1].data_type);
    if !is_implicitly_castable(needle, others) {
        return mismatch(format!("{} is no element of {}", needle.kind, args[0].data_type.kind));
    }
    let array = args[0].data_type;
    let result = DataType::new(array.kind.clone()).with_nullable(array.nullable);
    let mut signature = gives_type(args, result);
    signature.arguments[1] = DataType::new(others.kind.clone());
    Ok(signature)
}

/// The values without repetitions, in order.
pub(super) fn distinct<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        if !kept.iter().any(|other| same(other, value)) {
            kept.push(value.clone());
        }
    }
    kept
}
