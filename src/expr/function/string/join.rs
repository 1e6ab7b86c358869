//! Functions that put texts together.

use super::super::call::{Evaluated, text, text_or_null};
use super::super::parameter::Parameter::Text;
use super::super::parameter::{STRING, Typed, check_rest, gives};
use super::super::{Argument, Call, Category, Function};
use crate::value::Value;

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "CONCAT",
        syntax: "CONCAT(string, …)",
        summary: "Gives the strings one after the other, or NULL if one of them is NULL.",
        example: Some(("CONCAT('a', 'b', 'c')", "abc")),
        category: Category::String,
        typing: some_texts,
        eval: |call| text(call.args.iter().filter_map(Value::as_str).collect::<String>()),
        strict: true,
        deterministic: true,
    },
    Function {
        name: "CONCAT_WS",
        syntax: "CONCAT_WS(separator, string, …)",
        summary: "Gives the strings that are not NULL with the separator between them.",
        example: Some(("CONCAT_WS('-', 'a', CAST(NULL AS STRING), 'c')", "a-c")),
        category: Category::String,
        typing: some_texts,
        eval: concat_with_separator,
        strict: false,
        deterministic: true,
    },
];

fn some_texts(args: &[Argument<'_>]) -> Typed {
    check_rest(args, &[Text], Text, false).map(|()| gives(args, STRING))
}

fn concat_with_separator(call: &Call<'_>) -> Evaluated {
    let separator = call.args[0].as_str();
    let parts: Vec<&str> = call.args[1..].iter().filter_map(Value::as_str).collect();
    text_or_null(separator.map(|separator| parts.join(separator)))
}
