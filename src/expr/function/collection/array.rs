//! Functions that count, change, cut and order an array.

use std::cmp::Ordering;

use super::super::call::{Evaluated, count, failure, text};
use super::super::parameter::Parameter::{self, Any, Array, Boolean, Int, Map, Text};
use super::super::parameter::{STRING, Typed, check, check_or_null, gives, gives_type, mismatch};
use super::super::{Argument, Call, Category, Function};
use super::{array_of, element, ordered_element};
use crate::value::cast::is_implicitly_castable;
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "CARDINALITY",
        syntax: "CARDINALITY(array) or CARDINALITY(map)",
        summary: "Gives the number of elements of an array or of entries of a map.",
        example: Some(("CARDINALITY(ARRAY[1, 2, 3])", "3")),
        typing: |args| check(args, &[&[Array], &[Map]]).map(|()| gives(args, TypeKind::Int)),
        eval: |call| match call.args[0].as_list() {
            Some(items) => count(items.len()),
            None => count(call.entries(0).len()),
        },
        ..TEMPLATE
    },
    Function {
        name: "ELEMENT",
        syntax: "ELEMENT(array)",
        summary: "Gives the only element of an array, or NULL if it is empty.",
        example: Some(("ELEMENT(ARRAY[5])", "5")),
        typing: |args| {
            check(args, &[&[Array]])?;
            let element = element(&args[0])?;
            let nullable = element.nullable || args[0].data_type.nullable;
            Ok(gives_type(args, DataType::new(element.kind.clone()).with_nullable(nullable)))
        },
        eval: |call| match call.list(0) {
            [] => Ok(Value::NULL),
            [element] => Ok(element.clone()),
            _ => failure("the array has more than one element"),
        },
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_APPEND",
        syntax: "ARRAY_APPEND(array, element)",
        summary: "Adds an element at the end of an array.",
        example: Some(("ARRAY_APPEND(ARRAY[1], 2)", "[1, 2]")),
        typing: longer_type,
        eval: |call| add(call, call.args[0].as_list().map(|items| [items, &call.args[1..]])),
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_PREPEND",
        syntax: "ARRAY_PREPEND(array, element)",
        summary: "Adds an element at the beginning of an array.",
        example: Some(("ARRAY_PREPEND(ARRAY[1], 0)", "[0, 1]")),
        typing: longer_type,
        eval: |call| add(call, call.args[0].as_list().map(|items| [&call.args[1..], items])),
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_REVERSE",
        syntax: "ARRAY_REVERSE(array)",
        summary: "Gives the elements in reverse order.",
        example: Some(("ARRAY_REVERSE(ARRAY[1, 2, 3])", "[3, 2, 1]")),
        typing: |args| same_type(args, &[&[Array]]),
        eval: |call| Ok(Value::list(call.list(0).iter().rev().cloned().collect::<Vec<_>>())),
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_SLICE",
        syntax: "ARRAY_SLICE(array, start [, end])",
        summary: "Gives the elements from one position to another; negative ones count from the end.",
        example: Some(("ARRAY_SLICE(ARRAY[1, 2, 3, 4], -2)", "[3, 4]")),
        typing: |args| same_type(args, &[&[Array, Int], &[Array, Int, Int]]),
        eval: slice,
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_SORT",
        syntax: "ARRAY_SORT(array [, ascending [, nulls_first]])",
        summary: "Orders the elements; NULL comes first where the order is ascending, unless told otherwise.",
        example: Some(("ARRAY_SORT(ARRAY[3, 1, 2], FALSE)", "[3, 2, 1]")),
        typing: |args| {
            let signature = same_type(args, &[&[Array], &[Array, Boolean], &[Array, Boolean, Boolean]])?;
            ordered_element(&args[0])?;
            Ok(signature)
        },
        eval: sort,
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_MAX",
        syntax: "ARRAY_MAX(array)",
        summary: "Gives the largest element that is not NULL.",
        example: Some(("ARRAY_MAX(ARRAY[1, 3, 2])", "3")),
        typing: extreme_type,
        eval: |call| Ok(extreme(call.list(0), Ordering::Greater)),
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_MIN",
        syntax: "ARRAY_MIN(array)",
        summary: "Gives the smallest element that is not NULL.",
        example: Some(("ARRAY_MIN(ARRAY['b', 'a'])", "a")),
        typing: extreme_type,
        eval: |call| Ok(extreme(call.list(0), Ordering::Less)),
        ..TEMPLATE
    },
    Function {
        name: "ARRAY_JOIN",
        syntax: "ARRAY_JOIN(array, delimiter [, null_replacement])",
        summary: "Joins strings with a delimiter; NULL is left out or replaced.",
        example: Some(("ARRAY_JOIN(ARRAY['a', CAST(NULL AS STRING), 'c'], '-', '?')", "a-?-c")),
        typing: join_type,
        eval: join,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Collection,
    typing: extreme_type,
    eval: slice,
    strict: true,
    deterministic: true,
};

/// The type of the first argument, NULL where an argument may be.
fn same_type(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Typed {
    reject_null_array(args)?;
    check_or_null(args, forms)?;
    Ok(gives(args, args[0].data_type.kind.clone()))
}

fn reject_null_array(args: &[Argument<'_>]) -> Result<(), super::super::TypeMismatch> {
    if args.first().is_some_and(|arg| arg.data_type.kind == TypeKind::Null) {
        check(&args[..1], &[&[Array]])?;
    }
    Ok(())
}

/// The element takes the type of the others; with one that may be NULL all may. As in Flink a real
/// cast to a type that may be NULL makes the result one that may be NULL too.
fn longer_type(args: &[Argument<'_>]) -> Typed {
    reject_null_array(args)?;
    check_or_null(args, &[&[Array, Any]])?;
    let others = element(&args[0])?;
    let added = args[1].data_type;
    if !is_implicitly_castable(added, others) {
        return mismatch(format!("{} cannot be an element of {}", added.kind, args[0].data_type.kind));
    }
    let as_it_is = added.kind == others.kind || (added.kind.is_string() && others.kind.is_string());
    let nullable = added.nullable || added.kind == TypeKind::Null || (!as_it_is && others.nullable);
    let element = DataType::new(others.kind.clone()).with_nullable(others.nullable || nullable);
    let mut signature = array_of(args, element);
    signature.result.nullable |= nullable;
    signature.arguments[1] = DataType::new(others.kind.clone()).with_nullable(nullable);
    Ok(signature)
}

fn add(_: &Call<'_>, parts: Option<[&[Value]; 2]>) -> Evaluated {
    Ok(parts.map_or(Value::NULL, |parts| Value::list(parts.concat())))
}

/// A start and an end outside of the array are moved to its ends, if they leave something.
fn slice(call: &Call<'_>) -> Evaluated {
    let items = call.list(0);
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    // Positions from 1; 0 is the first one too.
    let position = |index: usize| match call.integer(index) {
        0 => 1,
        negative @ ..0 => length + negative + 1,
        positive => positive,
    };
    let start = position(1);
    let end = if call.args.len() > 2 { position(2) } else { length };
    let (start, end) = (start.max(1), end.min(length));
    let range = usize::try_from(start - 1).ok().zip(usize::try_from(end).ok());
    let kept = range.and_then(|(start, end)| items.get(start..end)).unwrap_or_default();
    Ok(Value::list(kept.to_vec()))
}

fn sort(call: &Call<'_>) -> Evaluated {
    let ascending = call.args.len() < 2 || call.boolean(1);
    let nulls_first = if call.args.len() > 2 { call.boolean(2) } else { ascending };
    let (nulls, mut sorted): (Vec<_>, Vec<_>) = call.list(0).iter().cloned().partition(Value::is_null);
    sorted.sort_by(|a, b| if ascending { a.cmp(b) } else { b.cmp(a) });
    Ok(Value::list(if nulls_first { [nulls, sorted].concat() } else { [sorted, nulls].concat() }))
}

fn extreme_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Array]])?;
    Ok(gives_type(args, DataType::new(ordered_element(&args[0])?.kind.clone())))
}

/// The first element that no other one surpasses; as in Flink NaN stays where it comes first.
fn extreme(items: &[Value], wanted: Ordering) -> Value {
    let surpasses = |a: &Value, b: &Value| match (a.as_double(), b.as_double()) {
        (Some(a), Some(b)) => a.partial_cmp(&b) == Some(wanted),
        _ => match (a.as_float(), b.as_float()) {
            (Some(a), Some(b)) => a.partial_cmp(&b) == Some(wanted),
            _ => a.cmp(b) == wanted,
        },
    };
    let candidates = items.iter().filter(|item| !item.is_null());
    candidates
        .reduce(|best, item| if surpasses(item, best) { item } else { best })
        .cloned()
        .unwrap_or_default()
}

fn join_type(args: &[Argument<'_>]) -> Typed {
    reject_null_array(args)?;
    check_or_null(args, &[&[Array, Text], &[Array, Text, Text]])?;
    if !element(&args[0])?.kind.is_string() {
        return mismatch("takes an ARRAY<STRING>");
    }
    Ok(gives(args, STRING))
}

fn join(call: &Call<'_>) -> Evaluated {
    let replacement = call.get(2).and_then(Value::as_str);
    let parts = call.list(0).iter().filter_map(|item| item.as_str().or(replacement));
    text(parts.collect::<Vec<_>>().join(call.text(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_and_a_leading_nan_win() {
        let double = Value::double;
        assert_eq!(extreme(&[Value::NULL, double(1.0), double(3.0)], Ordering::Greater), double(3.0));
        assert_eq!(extreme(&[double(f64::NAN), double(1.0)], Ordering::Greater), double(f64::NAN));
        assert_eq!(extreme(&[double(1.0), double(f64::NAN)], Ordering::Greater), double(1.0));
        assert_eq!(extreme(&[Value::NULL], Ordering::Less), Value::NULL);
    }
}
