//! `ROW`, `ARRAY`, `MAP` and access to their elements.

use super::{as_they_are, expect_arguments};
use crate::expr::build::no_common_type;
use crate::expr::common_type::common_type;
use crate::expr::function::{Argument, Call, Category, EvalError, Function, Signature, TypeMismatch};
use crate::value::{DataType, TypeKind, Value};

/// `ROW`
pub(in crate::expr) static ROW: Function = Function {
    name: "ROW",
    syntax: "ROW(value, …)",
    summary: "A row of these fields.",
    example: Some(("ROW(1, 'x')", "(1, x)")),
    category: Category::Construction,
    typing: |args| {
        if args.iter().any(|arg| arg.data_type.kind == TypeKind::Null) {
            return Err(TypeMismatch::new("a field is NULL without a type").or("Write CAST(NULL AS …)."));
        }
        let field = |(i, arg): (usize, &Argument<'_>)| (format!("EXPR${i}"), arg.data_type.clone());
        Ok(as_they_are(args, DataType::row(args.iter().enumerate().map(field)).not_null()))
    },
    eval: |call| Ok(Value::list(call.args)),
    strict: false,
    deterministic: true,
};

/// `ARRAY`
pub(in crate::expr) static ARRAY: Function = Function {
    name: "ARRAY",
    syntax: "ARRAY[value, …]",
    summary: "An array of these elements, which take one type.",
    example: Some(("ARRAY[1, 2, 3]", "[1, 2, 3]")),
    category: Category::Construction,
    typing: |args| {
        if args.is_empty() {
            return Err(TypeMismatch::new("needs at least 1 element").or("Write CAST(NULL AS ARRAY<…>)."));
        }
        let types: Vec<_> = args.iter().map(|arg| arg.data_type).collect();
        let element = common_of(&types, "the elements")?;
        Ok(Signature {
            arguments: vec![element.clone(); args.len()],
            result: DataType::array(element).not_null(),
        })
    },
    eval: |call| Ok(Value::list(call.args)),
    strict: false,
    deterministic: true,
};

/// `MAP`
pub(in crate::expr) static MAP: Function = Function {
    name: "MAP",
    syntax: "MAP[key, value, …]",
    summary: "A map of these keys to these values; the last of equal keys counts.",
    example: Some(("MAP['a', 1]", "{a=1}")),
    category: Category::Construction,
    typing: |args| {
        if args.is_empty() || args.len() % 2 != 0 {
            return Err(TypeMismatch::new("needs keys and values in turn"));
        }
        let of = |offset: usize| -> Vec<_> {
            args.iter().skip(offset).step_by(2).map(|arg| arg.data_type).collect()
        };
        let (key, value) = (common_of(&of(0), "the keys")?, common_of(&of(1), "the values")?);
        let arguments = std::iter::repeat_n([key.clone(), value.clone()], args.len() / 2).flatten().collect();
        Ok(Signature { arguments, result: DataType::map(key, value).not_null() })
    },
    eval: |call| {
        let mut entries: Vec<(Value, Value)> = Vec::with_capacity(call.args.len() / 2);
        for pair in call.args.chunks_exact(2) {
            match entries.iter_mut().find(|(key, _)| *key == pair[0]) {
                Some((_, value)) => value.clone_from(&pair[1]),
                None => entries.push((pair[0].clone(), pair[1].clone())),
            }
        }
        Ok(Value::entries(entries))
    },
    strict: false,
    deterministic: true,
};

/// Access to an element: `array[1]`, `map['key']`.
pub(in crate::expr) static ITEM: Function = Function {
    name: "ITEM",
    syntax: "array[position], or map[key]",
    summary: "The element of an array at a position from 1, or the value of a map's key; NULL if there is none.",
    example: Some(("ARRAY[1, 2, 3][2]", "2")),
    category: Category::Collection,
    typing: item_type,
    eval: item,
    strict: true,
    deterministic: true,
};

fn common_of(types: &[&DataType], what: &str) -> Result<DataType, TypeMismatch> {
    common_type(types).ok_or_else(|| no_common_type(what, types))
}

fn item_type(args: &[Argument<'_>]) -> Result<Signature, TypeMismatch> {
    expect_arguments(args, 2)?;
    let index = args[1].data_type;
    match &args[0].data_type.kind {
        TypeKind::Array(element) => {
            if !index.kind.is_integer() && index.kind != TypeKind::Null {
                let mismatch = TypeMismatch::new(format!("an array has positions, not {}", index.kind));
                return Err(mismatch.or("Write the position as a whole number, counted from 1: array[1]."));
            }
            let int = DataType::int().with_nullable(index.nullable);
            let index = if index.kind == TypeKind::Null { int } else { index.clone() };
            let result = DataType::clone(element).with_nullable(true);
            Ok(Signature { arguments: vec![args[0].data_type.clone(), index], result })
        }
        TypeKind::Map(key, value) => {
            let Some(common) = common_type(&[key, index]) else {
                let problem = format!("the map's keys are {}, not {}", key.kind, index.kind);
                return Err(
                    TypeMismatch::new(problem).or(format!("Use CAST(… AS {}) for the key.", key.kind))
                );
            };
            // Texts are looked up as they are; other keys take the type of the map's.
            let index = if key.kind.is_string() && index.kind.is_string() { index.clone() } else { common };
            let index = if index.kind.is_string() { index } else { DataType::clone(key) };
            let result = DataType::clone(value).with_nullable(true);
            Ok(Signature { arguments: vec![args[0].data_type.clone(), index], result })
        }
        kind if kind.is_string() => Err(TypeMismatch::new(format!("{kind} has no elements"))
            .or("Use SUBSTRING(text, position, 1) for a character.")),
        kind => Err(TypeMismatch::new(format!("{kind} has no elements"))
            .or("Only an ARRAY, a MAP or a ROW has elements.")),
    }
}

fn item(call: &Call<'_>) -> Result<Value, EvalError> {
    let (container, index) = (&call.args[0], &call.args[1]);
    if let Some(items) = container.as_list() {
        let position = index.as_integer().unwrap_or_default();
        if position < 1 {
            return Err(EvalError(format!("array positions start at 1, not {position}")));
        }
        let item = usize::try_from(position - 1).ok().and_then(|position| items.get(position));
        return Ok(item.cloned().unwrap_or_default());
    }
    let mut entries = container.as_entries().unwrap_or_default().iter();
    Ok(entries.find(|(key, _)| key == index).map(|(_, value)| value.clone()).unwrap_or_default())
}
