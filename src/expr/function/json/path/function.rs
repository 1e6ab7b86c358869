//! The functions at the end of a path, such as `$.a.length()`.

use super::super::document::{Json, Number};
use super::{Path, PathError, Step, invalid};

/// A parameter of a function.
#[derive(Debug, Clone)]
pub(super) enum Parameter {
    /// A path from the root of the document.
    Path(Path),
    /// A value.
    Json(Json),
}

/// What the function gives for a value of the document.
pub(super) fn compute(
    name: &str,
    parameters: &[Parameter],
    node: &Json,
    root: &Json,
    strict: bool,
) -> Result<Json, PathError> {
    let values = || -> Result<Vec<Json>, PathError> {
        let value = |parameter: &Parameter| match parameter {
            Parameter::Json(value) => Ok(value.clone()),
            Parameter::Path(path) => {
                Ok(path.read(root, root, strict)?.map_or(Json::Null, std::borrow::Cow::into_owned))
            }
        };
        parameters.iter().map(value).collect()
    };
    match name {
        "avg" | "sum" | "min" | "max" | "stddev" => aggregate(name, node, &values()?),
        "length" | "size" => length(parameters.first(), node, root, strict),
        "concat" => Ok(Json::String(concat(node, &values()?))),
        "append" => Ok(append(node, values()?)),
        "keys" => Ok(match node {
            Json::Object(members) => Json::Array(members.keys().cloned().map(Json::String).collect()),
            _ => Json::Null,
        }),
        "first" => element(node, 0),
        "last" => element(node, -1),
        "index" => match values()?.first().and_then(to_double) {
            // Java cuts the fraction off in the same way.
            #[expect(clippy::cast_possible_truncation)]
            Some(index) => element(node, index as i32),
            None => invalid("index() takes a number"),
        },
        _ => Err(PathError::Invalid(format!("there is no function {name}() in paths"))),
    }
}

fn to_double(value: &Json) -> Option<f64> {
    match value {
        Json::Number(number) => Some(number.to_double()),
        Json::Double(value) => Some(*value),
        _ => None,
    }
}

/// The numbers of the array and of the parameters.
fn aggregate(name: &str, node: &Json, values: &[Json]) -> Result<Json, PathError> {
    let mut numbers = Vec::new();
    let own = if matches!(node, Json::Array(_)) { Some(node) } else { None };
    for value in own.into_iter().chain(values) {
        match value {
            Json::Array(items) => numbers.extend(items.iter().filter_map(to_double)),
            other => numbers.extend(to_double(other)),
        }
    }
    if numbers.is_empty() {
        return Err(PathError::Invalid(format!("{name}() has no numbers")));
    }
    // Arrays are far shorter than 2^52 elements.
    #[expect(clippy::cast_precision_loss)]
    let count = numbers.len() as f64;
    let sum: f64 = numbers.iter().sum();
    Ok(Json::Double(match name {
        "sum" => sum,
        "avg" => sum / count,
        "min" => numbers.iter().copied().fold(f64::INFINITY, f64::min),
        "max" => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        _ => {
            let squares: f64 = numbers.iter().map(|number| number * number).sum();
            (squares / count - sum * sum / count / count).sqrt()
        }
    }))
}

/// The number of elements or members. A path as parameter counts what is below its end: the library
/// adds a wildcard to it, but still takes one value of a path that led to one.
fn length(parameter: Option<&Parameter>, node: &Json, root: &Json, strict: bool) -> Result<Json, PathError> {
    let count = match (parameter, node) {
        (Some(Parameter::Json(_)), _) => return invalid("length() takes a path"),
        (Some(Parameter::Path(path)), _) => {
            let mut path = path.clone();
            if !matches!(path.steps.last(), Some(Step::Function(..)) | None) {
                path.steps.push(Step::Wildcard);
            }
            match path.read(root, root, strict)?.as_deref() {
                Some(Json::Array(items)) => Some(items.len()),
                _ => own_length(node),
            }
        }
        (None, node) => own_length(node),
    };
    let count = count.and_then(|count| i64::try_from(count).ok());
    Ok(count.map_or(Json::Null, |count| Json::Number(Number::from(count))))
}

fn own_length(node: &Json) -> Option<usize> {
    match node {
        Json::Array(items) => Some(items.len()),
        Json::Object(members) => Some(members.len()),
        _ => None,
    }
}

fn concat(node: &Json, values: &[Json]) -> String {
    let mut text = String::new();
    if let Json::Array(items) = node {
        for item in items {
            if let Json::String(item) = item {
                text.push_str(item);
            }
        }
    }
    for value in values {
        let items =
            if let Json::Array(items) = value { items.as_slice() } else { std::slice::from_ref(value) };
        for item in items.iter().filter(|item| **item != Json::Null) {
            text.push_str(&item.clone().into_text());
        }
    }
    text
}

fn append(node: &Json, values: Vec<Json>) -> Json {
    let mut node = node.clone();
    if let Json::Array(items) = &mut node {
        items.extend(values);
    }
    node
}

/// The element with this index, from the end if it is negative.
fn element(node: &Json, index: i32) -> Result<Json, PathError> {
    let Json::Array(items) = node else { return invalid("only an array has elements") };
    let position = match usize::try_from(index) {
        Ok(position) => Some(position),
        Err(_) => items.len().checked_sub(index.unsigned_abs() as usize),
    };
    match position.and_then(|position| items.get(position)) {
        Some(item) => Ok(item.clone()),
        None => invalid("the array has no such element"),
    }
}
