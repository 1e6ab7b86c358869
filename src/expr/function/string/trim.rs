//! Functions that take characters off the ends of a text.

use super::super::call::{Evaluated, text};
use super::super::parameter::Parameter::{self, Text};
use super::super::parameter::{STRING, Typed, check, check_or_null, gives, mismatch};
use super::super::{Argument, Call, Category, Function};
use crate::value::{TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "TRIM",
        syntax: "TRIM([[BOTH | LEADING | TRAILING] [characters] FROM] string)",
        summary: "Removes the characters, by default blanks, from one end or both ends of the string.",
        example: Some(("TRIM(LEADING 'x' FROM 'xxaxx')", "axx")),
        typing: trim_type,
        eval: |call| {
            let side = call.text(0);
            trim(call.text(2), call.text(1), side != "TRAILING", side != "LEADING")
        },
        ..TEMPLATE
    },
    Function {
        name: "LTRIM",
        syntax: "LTRIM(string [, characters])",
        summary: "Removes the characters, by default blanks, from the start of the string.",
        example: Some(("LTRIM('xyxabc', 'xy')", "abc")),
        eval: |call| trim(call.text(0), characters(call), true, false),
        ..TEMPLATE
    },
    Function {
        name: "RTRIM",
        syntax: "RTRIM(string [, characters])",
        summary: "Removes the characters, by default blanks, from the end of the string.",
        example: Some(("RTRIM('abcxx', 'x')", "abc")),
        eval: |call| trim(call.text(0), characters(call), false, true),
        ..TEMPLATE
    },
    Function {
        name: "BTRIM",
        syntax: "BTRIM(string [, characters])",
        summary: "Removes the characters, by default blanks, from both ends of the string.",
        example: Some(("BTRIM('xyaxy', 'xy')", "a")),
        typing: |args| check_or_null(args, FORMS).map(|()| gives(args, STRING)),
        ..TEMPLATE
    },
];

const FORMS: &[&[Parameter]] = &[&[Text], &[Text, Text]];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: |args| check(args, FORMS).map(|()| gives(args, as_varchar(&args[0]))),
    eval: |call| trim(call.text(0), characters(call), true, true),
    strict: true,
    deterministic: true,
};

/// Called with the side, `BOTH`, `LEADING` or `TRAILING`, as a literal, then the characters, then
/// the string.
fn trim_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Text, Text, Text]])?;
    match args[0].literal.and_then(Value::as_str) {
        Some("BOTH" | "LEADING" | "TRAILING") => Ok(gives(args, as_varchar(&args[2]))),
        _ => mismatch("takes BOTH, LEADING or TRAILING"),
    }
}

/// The `VARCHAR` of the same length.
fn as_varchar(arg: &Argument<'_>) -> TypeKind {
    match arg.data_type.kind {
        TypeKind::Char(length) | TypeKind::VarChar(length) => TypeKind::VarChar(length),
        _ => STRING,
    }
}

fn characters<'a>(call: &Call<'a>) -> &'a str {
    if call.args.len() > 1 { call.text(1) } else { " " }
}

fn trim(string: &str, characters: &str, start: bool, end: bool) -> Evaluated {
    let trimmed = |c: char| characters.contains(c);
    let string = if start { string.trim_start_matches(trimmed) } else { string };
    text(if end { string.trim_end_matches(trimmed) } else { string })
}
