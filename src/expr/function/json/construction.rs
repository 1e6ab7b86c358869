//! Functions that make JSON of values.

use super::super::call::{Evaluated, failure, text};
use super::super::parameter::Parameter::{Any, Text};
use super::super::parameter::{STRING, Typed, check, check_or_null, gives, gives_type, mismatch};
use super::super::{Argument, Call, Category, EvalError, Function, TypeMismatch};
use super::clause;
use super::document::{Json, java_order};
use crate::value::json::{write_json, write_json_string};
use crate::value::{DataType, TypeKind};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "JSON_STRING",
        syntax: "JSON_STRING(value)",
        summary: "Writes the value as JSON.",
        example: Some(("JSON_STRING(ARRAY[1, 2])", "[1,2]")),
        typing: |args| {
            check_or_null(args, &[&[Any]])?;
            check_convertible(args[0].data_type)?;
            Ok(gives(args, STRING))
        },
        eval: |call| {
            let mut json = String::new();
            write_json(&mut json, &call.args[0], &call.types[0]);
            text(json)
        },
        strict: true,
        ..TEMPLATE
    },
    Function {
        name: "JSON_OBJECT",
        syntax: "JSON_OBJECT([[KEY] key VALUE value, …] [{NULL | ABSENT} ON NULL])",
        summary: "Makes a JSON object; values written by JSON_OBJECT, JSON_ARRAY and JSON become part of it.",
        example: Some((r"JSON_OBJECT(KEY 'b' VALUE 1, KEY 'a' VALUE JSON_ARRAY(2))", r#"{"a":[2],"b":1}"#)),
        typing: type_object,
        eval: object,
        ..TEMPLATE
    },
    Function {
        name: "JSON_ARRAY",
        syntax: "JSON_ARRAY([value, …] [{NULL | ABSENT} ON NULL])",
        summary: "Makes a JSON array, by default without NULLs; values written by JSON_OBJECT, JSON_ARRAY and JSON become part of it.",
        example: Some(("JSON_ARRAY(1, 'a', CAST(NULL AS INT), TRUE)", r#"[1,"a",true]"#)),
        ..TEMPLATE
    },
    Function {
        name: "JSON",
        syntax: "JSON(string)",
        summary: "Puts JSON text as it is into a JSON_OBJECT or a JSON_ARRAY, and can be called nowhere else.",
        example: Some((r#"JSON_ARRAY(JSON('{"a": 1}'))"#, r#"[{"a":1}]"#)),
        typing: |_| mismatch("may only be a value in JSON_OBJECT or JSON_ARRAY"),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Json,
    typing: type_array,
    eval: array,
    strict: false,
    deterministic: true,
};

/// Checks that JSON has a form for values of this type.
fn check_convertible(data_type: &DataType) -> Result<(), TypeMismatch> {
    let refused = |kind: &TypeKind| Err(TypeMismatch::new(format!("cannot write {kind} as JSON")));
    match &data_type.kind {
        TypeKind::Array(element) => check_convertible(element),
        TypeKind::Row(fields) => fields.iter().try_for_each(|field| check_convertible(&field.data_type)),
        TypeKind::Map(key, value) if key.kind.is_string() => check_convertible(value),
        TypeKind::Multiset(element) if element.kind.is_string() => Ok(()),
        TypeKind::Map(..) | TypeKind::Multiset(_) => {
            Err(TypeMismatch::new("can write only maps with keys of type STRING as JSON"))
        }
        kind if matches!(kind, TypeKind::Date | TypeKind::Time(_) | TypeKind::Bitmap)
            || kind.is_interval() =>
        {
            refused(kind)
        }
        _ => Ok(()),
    }
}

fn type_object(args: &[Argument<'_>]) -> Typed {
    check_construction(args, 2)?;
    for pair in args[2..].chunks_exact(2) {
        check(&pair[..1], &[&[Text]])?;
        if pair[0].data_type.nullable {
            return mismatch("takes only keys that are NOT NULL");
        }
    }
    Ok(gives_type(args, DataType::string().not_null()))
}

fn type_array(args: &[Argument<'_>]) -> Typed {
    check_construction(args, 1)?;
    Ok(gives_type(args, DataType::string().not_null()))
}

/// Checks the clauses and the values, each the last of so many arguments.
fn check_construction(args: &[Argument<'_>], width: usize) -> Result<(), TypeMismatch> {
    let malformed = || TypeMismatch::new("takes its clauses as literals");
    let [on_null, forms, items @ ..] = args else { return Err(malformed()) };
    clause(on_null, &["NULL", "ABSENT"])?;
    let forms = forms.literal.and_then(|literal| literal.as_str()).ok_or_else(malformed)?;
    if forms.len() * width != items.len() {
        return Err(malformed());
    }
    for (form, item) in forms.bytes().zip(items.chunks_exact(width)) {
        let value = &item[width - 1];
        match form {
            b'v' => {
                check(std::slice::from_ref(value), &[&[Any]])?;
                check_convertible(value.data_type)?;
            }
            b'j' | b'p' => check_or_null(std::slice::from_ref(value), &[&[Text]])?,
            _ => return Err(malformed()),
        }
    }
    Ok(())
}

/// The value at this index as JSON, or `None` if it is left out.
fn item(call: &Call<'_>, index: usize, form: u8) -> Result<Option<String>, EvalError> {
    let value = &call.args[index];
    if value.is_null() {
        return Ok((call.text(0) == "NULL").then(|| "null".to_owned()));
    }
    Ok(Some(match form {
        b'j' => call.text(index).to_owned(),
        b'p' if call.text(index).trim().is_empty() => "null".to_owned(),
        b'p' => match Json::parse(call.text(index)) {
            Some(json) => json.to_json(),
            None => return Err(EvalError("the text in JSON() is not JSON".to_owned())),
        },
        _ => {
            let mut json = String::new();
            write_json(&mut json, value, &call.types[index]);
            json
        }
    }))
}

fn object(call: &Call<'_>) -> Evaluated {
    let mut members: Vec<(&str, String)> = Vec::new();
    for (i, form) in call.text(1).bytes().enumerate() {
        let key = 2 + 2 * i;
        if call.args[key].is_null() {
            return failure("a key of JSON_OBJECT is NULL");
        }
        if let Some(value) = item(call, key + 1, form)? {
            members.push((call.text(key), value));
        }
    }
    // A later member takes the place of an earlier one of the same name, and sorting is stable.
    members.reverse();
    members.sort_by(|(a, _), (b, _)| java_order(a, b));
    members.dedup_by(|(later, _), (earlier, _)| later == earlier);
    let mut json = String::from("{");
    for (i, (key, value)) in members.iter().enumerate() {
        if i > 0 {
            json.push(',');
        }
        write_json_string(&mut json, key);
        json.push(':');
        json.push_str(value);
    }
    json.push('}');
    text(json)
}

fn array(call: &Call<'_>) -> Evaluated {
    let mut json = String::from("[");
    for (i, form) in call.text(1).bytes().enumerate() {
        if let Some(value) = item(call, 2 + i, form)? {
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&value);
        }
    }
    json.push(']');
    text(json)
}
