//! Functions that put arrays together.

use super::super::parameter::{Typed, mismatch};
use super::super::{Argument, Category, Function};
use super::search::distinct;
use super::{common, same};
use crate::value::{TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "ARRAY_CONCAT",
        syntax: "ARRAY_CONCAT(array, …)",
        summary: "Gives the elements of all arrays one after the other.",
        example: Some(("ARRAY_CONCAT(ARRAY[1], ARRAY[2, 3])", "[1, 2, 3]")),
        typing: |args| common(args, "arrays", is_array),
        eval: |call| {
            let items = call.args.iter().filter_map(Value::as_list).flatten();
            Ok(Value::list(items.cloned().collect::<Vec<_>>()))
        },
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_UNION",
        syntax: "ARRAY_UNION(array, array)",
        summary: "Gives the elements of both arrays without repetitions.",
        example: Some(("ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3])", "[1, 2, 3]")),
        eval: |call| Ok(Value::list(distinct(call.list(0).iter().chain(call.list(1))))),
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_EXCEPT",
        syntax: "ARRAY_EXCEPT(array, array)",
        summary: "Gives the elements of the first array that the second one lacks, without repetitions.",
        example: Some(("ARRAY_EXCEPT(ARRAY[1, 2, 1, 3], ARRAY[2])", "[1, 3]")),
        eval: |call| {
            let lacks = |item: &&Value| !call.list(1).iter().any(|other| same(other, item));
            Ok(Value::list(distinct(call.list(0).iter().filter(lacks))))
        },
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_INTERSECT",
        syntax: "ARRAY_INTERSECT(array, array)",
        summary: "Gives the elements of the first array that the second one has too, without repetitions.",
        example: Some(("ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2, 3])", "[2]")),
        eval: |call| {
            let has = |item: &&Value| call.list(1).iter().any(|other| same(other, item));
            Ok(Value::list(distinct(call.list(0).iter().filter(has))))
        },
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Collection,
    typing: two_arrays,
    eval: |call| Ok(call.args[0].clone()),
    strict: true,
    deterministic: true,
};

fn is_array(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Array(_))
}

fn two_arrays(args: &[Argument<'_>]) -> Typed {
    if args.len() == 2 { common(args, "arrays", is_array) } else { mismatch("takes (ARRAY, ARRAY)") }
}
