//! Functions on maps.

use super::super::call::{Evaluated, failure};
use super::super::parameter::Parameter::{self, Array, Map, Text};
use super::super::parameter::{check, check_or_null, gives, gives_nullable};
use super::super::regexp::split;
use super::super::{Argument, Call, Category, Function, TypeMismatch};
use super::{array_of, common, element, same};
use crate::hash_map::hash_map_order;
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "MAP_KEYS",
        syntax: "MAP_KEYS(map)",
        summary: "Gives the keys of a map.",
        example: Some(("MAP_KEYS(MAP['b', 1, 'a', 2])", "[b, a]")),
        typing: |args| {
            let (key, _) = entry(args)?;
            Ok(array_of(args, key.clone()))
        },
        eval: |call| Ok(Value::list(call.entries(0).iter().map(|(key, _)| key.clone()).collect::<Vec<_>>())),
        ..TEMPLATE
    },
    Function {
        name: "MAP_VALUES",
        syntax: "MAP_VALUES(map)",
        summary: "Gives the values of a map.",
        example: Some(("MAP_VALUES(MAP['b', 1, 'a', 2])", "[1, 2]")),
        typing: |args| {
            let (_, value) = entry(args)?;
            Ok(array_of(args, value.clone()))
        },
        eval: |call| {
            Ok(Value::list(call.entries(0).iter().map(|(_, value)| value.clone()).collect::<Vec<_>>()))
        },
        ..TEMPLATE
    },
    Function {
        name: "MAP_ENTRIES",
        syntax: "MAP_ENTRIES(map)",
        summary: "Gives the entries of a map as rows of key and value.",
        example: Some(("MAP_ENTRIES(MAP['a', 1])", "[(a, 1)]")),
        typing: |args| {
            let (key, value) = entry(args)?;
            Ok(array_of(args, DataType::row([("key", key.clone()), ("value", value.clone())])))
        },
        eval: |call| {
            let entries = call.entries(0).iter();
            let rows = entries.map(|(key, value)| Value::list(vec![key.clone(), value.clone()]));
            Ok(Value::list(rows.collect::<Vec<_>>()))
        },
        ..TEMPLATE
    },
    Function {
        name: "MAP_FROM_ARRAYS",
        syntax: "MAP_FROM_ARRAYS(keys, values)",
        summary: "Makes a map of an array of keys and one of values.",
        example: Some(("MAP_FROM_ARRAYS(ARRAY['a', 'b'], ARRAY[1, 2])", "{a=1, b=2}")),
        typing: |args| {
            check(args, &[&[Array, Array]])?;
            let map = DataType::map(element(&args[0])?.clone(), element(&args[1])?.clone());
            Ok(gives(args, map.kind))
        },
        eval: from_arrays,
        ..TEMPLATE
    },
    Function {
        name: "MAP_UNION",
        syntax: "MAP_UNION(map, …)",
        summary: "Puts maps together; of entries with the same key the last one counts.",
        example: Some(("MAP_UNION(MAP['a', 1, 'b', 2], MAP['b', 3])", "{b=3, a=1}")),
        typing: |args| common(args, "maps", |kind| matches!(kind, TypeKind::Map(..))),
        eval: |call| Ok(union(call.args)),
        ..TEMPLATE
    },
    Function {
        name: "STR_TO_MAP",
        syntax: "STR_TO_MAP(string [, entry_delimiter, value_delimiter])",
        summary: "Splits a string into entries at a regular expression, by default \",\", and each into key and value at another one, by default \"=\".",
        example: Some(("STR_TO_MAP('a=1,b=2')", "{a=1, b=2}")),
        category: Category::String,
        typing: |args| {
            check(args, TEXTS)?;
            Ok(gives_nullable(args, DataType::map(DataType::string(), DataType::string()).kind))
        },
        eval: read_map,
        ..TEMPLATE
    },
];

const TEXTS: &[&[Parameter]] = &[&[Text], &[Text, Text, Text]];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Collection,
    typing: |args| entry(args).map(|(key, _)| array_of(args, key.clone())),
    eval: read_map,
    strict: true,
    deterministic: true,
};

/// The types of the keys and the values of the only argument.
fn entry<'a>(args: &[Argument<'a>]) -> Result<(&'a DataType, &'a DataType), TypeMismatch> {
    check_or_null(args, &[&[Map]])?;
    match &args[0].data_type.kind {
        TypeKind::Map(key, value) => Ok((key, value)),
        _ => Err(TypeMismatch::new("NULL needs a type here")
            .or("Write CAST(NULL AS MAP<STRING, INT>), or another type.")),
    }
}

/// As in Flink a key that comes twice stays twice.
fn from_arrays(call: &Call<'_>) -> Evaluated {
    let (keys, values) = (call.list(0), call.list(1));
    if keys.len() != values.len() {
        return failure(format!("there are {} keys, but {} values", keys.len(), values.len()));
    }
    Ok(Value::entries(keys.iter().cloned().zip(values.iter().cloned()).collect::<Vec<_>>()))
}

/// The entries of the last map come first, then those of the one before that have other keys.
fn union(maps: &[Value]) -> Value {
    let mut entries: Vec<(Value, Value)> = Vec::new();
    for (key, value) in maps.iter().rev().filter_map(Value::as_entries).flatten() {
        if !entries.iter().any(|(other, _)| same(other, key)) {
            entries.push((key.clone(), value.clone()));
        }
    }
    Value::entries(entries)
}

fn read_map(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let [entry_delimiter, value_delimiter] =
        if call.args.len() > 1 { [call.text(1), call.text(2)] } else { [",", "="] };
    let mut entries: Vec<(&str, Option<&str>)> = Vec::new();
    let parts = if string.is_empty() { Vec::new() } else { split(string, entry_delimiter, usize::MAX)? };
    for part in parts {
        let pair = split(part, value_delimiter, 2)?;
        let (key, value) = (pair[0], pair.get(1).copied());
        match entries.iter_mut().find(|(other, _)| *other == key) {
            Some(entry) => entry.1 = value,
            None => entries.push((key, value)),
        }
    }
    let value = |value: Option<&str>| value.map_or(Value::NULL, Value::string);
    let entries = hash_map_order(entries).into_iter().map(|(key, item)| (Value::string(key), value(item)));
    Ok(Value::entries(entries.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_begins_with_the_last_map() {
        let map = |entries: &[(i64, i64)]| {
            let entry = |&(key, value): &(i64, i64)| (Value::integer(key), Value::integer(value));
            Value::entries(entries.iter().map(entry).collect::<Vec<_>>())
        };
        let union = union(&[map(&[(1, 1), (2, 2)]), map(&[(2, 3), (4, 4)])]);
        assert_eq!(union, map(&[(2, 3), (4, 4), (1, 1)]));
    }
}
