//! Functions that look into JSON documents.

use std::borrow::Cow;

use super::super::call::{Evaluated, failure};
use super::super::parameter::Parameter::Text;
use super::super::parameter::{Typed, check_or_null, gives_type, mismatch};
use super::super::{Argument, Call, Category, EvalError, Function, TypeMismatch};
use super::clause;
use super::document::Json;
use super::path::{ModePath, PathError};
use crate::value::cast::cast;
use crate::value::display::write_double;
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "JSON_VALUE",
        syntax: "JSON_VALUE(json, path [RETURNING type] [action ON EMPTY] [action ON ERROR])",
        summary: "Gives the scalar to which the path leads, as STRING, BOOLEAN, INT or DOUBLE; an action is NULL, ERROR or DEFAULT value.",
        example: Some((r#"JSON_VALUE('{"a": {"b": 7}}', '$.a.b' RETURNING INT)"#, "7")),
        typing: type_value,
        eval: value,
        ..TEMPLATE
    },
    Function {
        name: "JSON_QUERY",
        syntax: "JSON_QUERY(json, path [RETURNING type] [wrapper WRAPPER] [action ON EMPTY] [action ON ERROR])",
        summary: "Gives the object or array to which the path leads as JSON, or as ARRAY<STRING>; a wrapper makes an array of other values.",
        example: Some((r#"JSON_QUERY('{"a": [{"b": 1}, {"b": 2}]}', '$.a[*].b')"#, "[1,2]")),
        typing: type_query,
        eval: query,
        ..TEMPLATE
    },
    Function {
        name: "JSON_EXISTS",
        syntax: "JSON_EXISTS(json, path [{TRUE | FALSE | UNKNOWN | ERROR} ON ERROR])",
        summary: "Whether the path leads to something.",
        example: Some((r#"JSON_EXISTS('{"a": 1}', 'lax $.b')"#, "FALSE")),
        typing: |args| {
            check_document(args, &[2, 3])?;
            if let Some(arg) = args.get(2) {
                clause(arg, &["TRUE", "FALSE", "UNKNOWN", "ERROR"])?;
            }
            Ok(gives_type(args, DataType::boolean()))
        },
        eval: exists,
        ..TEMPLATE
    },
    Function {
        name: "IS JSON",
        syntax: "string IS [NOT] JSON [VALUE | SCALAR | ARRAY | OBJECT]",
        summary: "Whether the string begins with a JSON value of this kind.",
        example: Some(("'[1, 2]' IS JSON ARRAY", "TRUE")),
        typing: |args| {
            let [document, kind] = args else { return mismatch("takes a STRING") };
            check_or_null(&[*document], &[&[Text]])?;
            clause(kind, &["VALUE", "SCALAR", "ARRAY", "OBJECT"])?;
            Ok(gives_type(args, DataType::boolean().not_null()))
        },
        eval: is_json,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Json,
    typing: type_value,
    eval: value,
    strict: false,
    deterministic: true,
};

/// Checks the document, the path and how many arguments there are.
fn check_document(args: &[Argument<'_>], counts: &[usize]) -> Result<(), TypeMismatch> {
    if !counts.contains(&args.len()) {
        return Err(TypeMismatch::new("takes (STRING, STRING)"));
    }
    check_or_null(&args[..2], &[&[Text, Text]])
}

fn type_value(args: &[Argument<'_>]) -> Typed {
    check_document(args, &[2, 7])?;
    let Some(returning) = args.get(2) else { return Ok(gives_type(args, DataType::string())) };
    match returning.data_type.kind {
        TypeKind::VarChar(_) | TypeKind::Boolean | TypeKind::Int | TypeKind::Double => {}
        ref kind => return mismatch(format!("cannot return {kind}, only STRING, BOOLEAN, INT or DOUBLE")),
    }
    for (action, default) in [(3, 4), (5, 6)] {
        if clause(&args[action], &["NULL", "ERROR", "DEFAULT"])? == "DEFAULT" {
            let default = &args[default];
            if default.literal.is_none() {
                return mismatch("takes only constants as DEFAULT");
            }
            if !has_java_text(&default.data_type.kind) {
                return mismatch(format!("cannot take a {} as DEFAULT", default.data_type.kind));
            }
        }
    }
    Ok(gives_type(args, returning.data_type.clone().with_nullable(true)))
}

fn type_query(args: &[Argument<'_>]) -> Typed {
    check_document(args, &[2, 6])?;
    let Some(returning) = args.get(2) else { return Ok(gives_type(args, DataType::string())) };
    clause(&args[3], &["WITHOUT", "CONDITIONAL", "UNCONDITIONAL"])?;
    let (actions, is_returnable) = match &returning.data_type.kind {
        TypeKind::Array(element) => {
            (&["NULL", "ERROR", "EMPTY ARRAY"][..], matches!(element.kind, TypeKind::VarChar(_)))
        }
        kind => (&["NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT"][..], matches!(kind, TypeKind::VarChar(_))),
    };
    if !is_returnable {
        return mismatch(format!("cannot return {}, only STRING or ARRAY<STRING>", returning.data_type.kind));
    }
    clause(&args[4], actions)?;
    clause(&args[5], actions)?;
    Ok(gives_type(args, returning.data_type.clone().with_nullable(true)))
}

/// What came of the path.
enum Found<'a> {
    Value(Cow<'a, Json>),
    Empty,
    Error(String),
}

/// Follows the path in the document. What it found must be of the right kind; if it is not, that is
/// an error in mode strict, and counts as empty in mode lax.
///
/// # Errors
/// The path is one that Flink cannot follow.
fn find<'a>(
    path: &'a ModePath,
    document: Option<&'a Json>,
    check: fn(Cow<'a, Json>) -> Result<Cow<'a, Json>, String>,
) -> Result<Found<'a>, EvalError> {
    let found = match document {
        None if path.strict => return Ok(Found::Error("the text is not JSON".to_owned())),
        None => return Ok(Found::Empty),
        Some(Json::Null) => return Ok(Found::Error("the document is null".to_owned())),
        Some(document) => path.read(document),
    };
    let phrase = match found {
        Ok(Some(value)) if *value != Json::Null => match check(value) {
            Ok(value) => return Ok(Found::Value(value)),
            Err(phrase) => phrase,
        },
        Ok(_) => "the path leads to null".to_owned(),
        Err(PathError::Invalid(phrase)) => return Ok(Found::Error(phrase)),
        Err(PathError::Unsupported(phrase)) => return Err(EvalError(phrase)),
    };
    Ok(if path.strict { Found::Error(phrase) } else { Found::Empty })
}

fn value(call: &Call<'_>) -> Evaluated {
    if call.args[0].is_null() || call.args[1].is_null() {
        return Ok(Value::NULL);
    }
    let document = Json::parse(call.text(0));
    let path = ModePath::cached(call.text(1));
    let found = find(&path, document.as_ref(), |value| {
        if value.is_scalar() { Ok(value) } else { Err("the path leads to no scalar".to_owned()) }
    })?;
    let (action, phrase) = match found {
        Found::Value(value) => return returned(call, value.into_owned()),
        Found::Empty => (3, "the path leads nowhere".to_owned()),
        Found::Error(phrase) => (5, phrase),
    };
    match call.get(action).and_then(Value::as_str) {
        Some("ERROR") => failure(phrase),
        Some("DEFAULT") => default(call, action + 1),
        _ => Ok(Value::NULL),
    }
}

/// The scalar as a value of the returned type. Only a number with a point or an exponent is a
/// `DOUBLE`, and `ON ERROR` does not help where the type is another.
fn returned(call: &Call<'_>, value: Json) -> Evaluated {
    let fitting = match (&call.result.kind, &value) {
        (TypeKind::Boolean, Json::Boolean(value)) => Some(Value::boolean(*value)),
        (TypeKind::Int, Json::Number(number)) => number.as_int().map(Value::integer),
        (TypeKind::Double, Json::Number(number)) => number.as_fraction().map(Value::double),
        (TypeKind::VarChar(_), _) => return cut(call, &value.into_text()),
        _ => None,
    };
    fitting.ok_or_else(|| EvalError(format!("{} is not a {} of JSON", value.to_json(), call.result.kind)))
}

/// Text as the returned type, which may be too short for it.
fn cut(call: &Call<'_>, text: &str) -> Evaluated {
    let zone = &call.context.time_zone;
    cast(&Value::string(text), &DataType::string(), call.result, zone).map_err(|error| EvalError(error.0))
}

/// The default, which must have the very type that Flink's code expects.
fn default(call: &Call<'_>, index: usize) -> Evaluated {
    let (value, kind) = (&call.args[index], &call.types[index].kind);
    match (&call.result.kind, kind) {
        _ if value.is_null() => Ok(Value::NULL),
        (TypeKind::VarChar(_), _) => cut(call, &java_text(value)),
        (TypeKind::Boolean, TypeKind::Boolean) | (TypeKind::Int, TypeKind::Int) => Ok(value.clone()),
        (result, _) => failure(format!("a DEFAULT of type {kind} is not a {result}")),
    }
}

/// Whether a default of this type can be returned as `STRING`.
fn has_java_text(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Null | TypeKind::Boolean | TypeKind::Date | TypeKind::Time(_) | TypeKind::Double)
        || kind.is_string()
        || kind.is_integer()
        || kind.is_interval()
        || matches!(kind, TypeKind::Decimal { .. })
}

/// The value as Java prints what Flink holds for it: days for a date.
fn java_text(value: &Value) -> String {
    if let Some(text) = value.as_str() {
        text.to_owned()
    } else if let Some(number) = value.as_double() {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = write_double(&mut text, number);
        text
    } else {
        let number = value.as_date().map(i64::from).or_else(|| value.as_time().map(i64::from));
        let number = number.or_else(|| value.as_integer()).or_else(|| value.as_millis());
        let number = number.or_else(|| value.as_months().map(i64::from));
        let number = number.map(|number| number.to_string());
        let number = number.or_else(|| value.as_decimal().map(|number| number.to_string()));
        number.or_else(|| value.as_boolean().map(|value| value.to_string())).unwrap_or_default()
    }
}

fn query(call: &Call<'_>) -> Evaluated {
    if call.args[0].is_null() || call.args[1].is_null() {
        return Ok(Value::NULL);
    }
    let document = Json::parse(call.text(0));
    let path = ModePath::cached(call.text(1));
    let check = match call.get(3).and_then(Value::as_str) {
        Some("CONDITIONAL") => |value: Cow<'_, Json>| match *value {
            Json::Array(_) => Ok(Cow::Owned(value.into_owned())),
            _ => Ok(Cow::Owned(Json::Array(vec![value.into_owned()]))),
        },
        Some("UNCONDITIONAL") => |value: Cow<'_, Json>| Ok(Cow::Owned(Json::Array(vec![value.into_owned()]))),
        _ => |value: Cow<'_, Json>| {
            if value.is_scalar() {
                Err("the path leads to no array or object".to_owned())
            } else {
                Ok(Cow::Owned(value.into_owned()))
            }
        },
    };
    let (action, phrase) = match find(&path, document.as_ref(), check)? {
        Found::Value(value) => match (&call.result.kind, value.into_owned()) {
            (TypeKind::Array(_), Json::Array(items)) => return Ok(texts(items)),
            (TypeKind::Array(_), _) => (5, "the path leads to no array".to_owned()),
            (_, value) => return cut(call, &value.to_json()),
        },
        Found::Empty => (4, "the path leads nowhere".to_owned()),
        Found::Error(phrase) => (5, phrase),
    };
    match (call.get(action).and_then(Value::as_str), &call.result.kind) {
        (Some("ERROR"), _) => failure(phrase),
        (Some("EMPTY ARRAY"), TypeKind::Array(_)) => Ok(Value::list(Vec::new())),
        (Some("EMPTY ARRAY"), _) => cut(call, "[]"),
        (Some("EMPTY OBJECT"), _) => cut(call, "{}"),
        _ => Ok(Value::NULL),
    }
}

fn texts(items: Vec<Json>) -> Value {
    let text = |item| match item {
        Json::Null => Value::NULL,
        item => Value::string(&item.into_text()),
    };
    Value::list(items.into_iter().map(text).collect::<Vec<_>>())
}

fn exists(call: &Call<'_>) -> Evaluated {
    if call.args[0].is_null() || call.args[1].is_null() {
        return Ok(Value::NULL);
    }
    let document = Json::parse(call.text(0));
    let path = ModePath::cached(call.text(1));
    let phrase = match find(&path, document.as_ref(), Ok)? {
        Found::Value(_) => return Ok(Value::boolean(true)),
        Found::Empty => return Ok(Value::boolean(false)),
        Found::Error(phrase) => phrase,
    };
    match call.get(2).and_then(Value::as_str) {
        Some("TRUE") => Ok(Value::boolean(true)),
        Some("UNKNOWN") => Ok(Value::NULL),
        Some("ERROR") => failure(phrase),
        _ => Ok(Value::boolean(false)),
    }
}

fn is_json(call: &Call<'_>) -> Evaluated {
    let value = if call.args[0].is_null() { None } else { Json::parse(call.text(0)) };
    Ok(Value::boolean(match (call.text(1), value) {
        (_, None) => false,
        ("SCALAR", Some(value)) => value.is_scalar(),
        ("ARRAY", Some(value)) => matches!(value, Json::Array(_)),
        ("OBJECT", Some(value)) => matches!(value, Json::Object(_)),
        (_, Some(_)) => true,
    }))
}
