//! Functions that give a part of a text, or one of several texts.

use super::super::call::{Evaluated, text, text_or_null};
use super::super::parameter::Parameter::{self, Bytes, Int, Integer, Text};
use super::super::parameter::{
    STRING, Typed, check, check_or_null, check_rest, gives, gives_nullable, mismatch,
};
use super::super::{Argument, Call, Category, Function};
use super::utf16;
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "SUBSTRING",
        syntax: "SUBSTRING(string, start [, length]) or SUBSTRING(string FROM start [FOR length])",
        summary: "Gives the part of the string that begins at a position; a negative one counts from the end.",
        example: Some(("SUBSTRING('abcdef' FROM 2 FOR 3)", "bcd")),
        ..TEMPLATE
    },
    Function {
        name: "SUBSTR",
        syntax: "SUBSTR(string, start [, length])",
        summary: "Another name of SUBSTRING.",
        example: Some(("SUBSTR('abcdef', -2)", "ef")),
        ..TEMPLATE
    },
    Function {
        name: "LEFT",
        syntax: "LEFT(string, length)",
        summary: "Gives the first characters of the string.",
        example: Some(("LEFT('abc', 2)", "ab")),
        typing: end_type,
        eval: |call| text(first(call.text(0), usize::try_from(call.integer(1)).unwrap_or(0))),
        ..TEMPLATE
    },
    Function {
        name: "RIGHT",
        syntax: "RIGHT(string, length)",
        summary: "Gives the last characters of the string.",
        example: Some(("RIGHT('abc', 2)", "bc")),
        typing: end_type,
        eval: right,
        ..TEMPLATE
    },
    Function {
        name: "SPLIT_INDEX",
        syntax: "SPLIT_INDEX(string, delimiter, index)",
        summary: "Splits the string at the delimiter, a string or a character's number, and gives a piece by its index from 0.",
        example: Some(("SPLIT_INDEX('a,b,c', ',', 1)", "b")),
        typing: |args| {
            check(args, &[&[Text, Text, Int], &[Text, Int, Int]]).map(|()| gives_nullable(args, STRING))
        },
        eval: split_index,
        ..TEMPLATE
    },
    Function {
        name: "SPLIT",
        syntax: "SPLIT(string, delimiter)",
        summary: "Splits the string at the delimiter, or into its characters if the delimiter is empty.",
        example: Some(("SPLIT('a,b,,c', ',')", "[a, b, , c]")),
        category: Category::Collection,
        typing: |args| {
            check_or_null(args, &[&[Text, Text]])?;
            Ok(gives(args, DataType::array(DataType::string()).kind))
        },
        eval: split,
        ..TEMPLATE
    },
    Function {
        name: "ELT",
        syntax: "ELT(index, value, …)",
        summary: "Gives one of the values by its position from 1, or NULL if there is none.",
        example: Some(("ELT(2, 'a', 'b', 'c')", "b")),
        typing: elt_type,
        eval: elt,
        strict: false,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: |args| part_type(args, &[&[Text, Int], &[Text, Int, Int]]),
    eval: substring,
    strict: true,
    deterministic: true,
};

fn end_type(args: &[Argument<'_>]) -> Typed {
    part_type(args, &[&[Text, Int]])
}

/// A `VARCHAR` of the string's length, NULL or not.
fn part_type(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Typed {
    check(args, forms)?;
    let kind = match args[0].data_type.kind {
        TypeKind::Char(length) => TypeKind::VarChar(length),
        ref kind => kind.clone(),
    };
    Ok(gives_nullable(args, kind))
}

/// A start before the string gives an empty one, whatever the length; a negative length NULL.
fn substring(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let length = match call.get(2) {
        Some(_) => usize::try_from(call.integer(2)).ok(),
        None => Some(usize::MAX),
    };
    let Some(length) = length else { return text_or_null(None::<&str>) };
    let skipped = match call.integer(1) {
        start @ 1.. => usize::try_from(start - 1).ok(),
        0 => Some(0),
        start => {
            let characters = string.chars().count();
            usize::try_from(start.unsigned_abs()).ok().and_then(|back| characters.checked_sub(back))
        }
    };
    let rest = skipped.map_or("", |skipped| &string[first(string, skipped).len()..]);
    text(first(rest, length))
}

/// The first characters of a string.
fn first(string: &str, characters: usize) -> &str {
    string.char_indices().nth(characters).map_or(string, |(end, _)| &string[..end])
}

fn right(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let length = usize::try_from(call.integer(1)).unwrap_or(0);
    let dropped = string.chars().count().saturating_sub(length);
    text(&string[first(string, dropped).len()..])
}

/// As in Flink an empty string has no pieces, an empty delimiter splits at white space, and a
/// number is a delimiter if it is one of a Latin-1 character.
fn split_index(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let Ok(index) = usize::try_from(call.integer(2)) else { return text_or_null(None::<&str>) };
    if string.is_empty() {
        return text_or_null(None::<&str>);
    }
    let piece = match call.args[1].as_str() {
        Some("") => string.split(is_java_whitespace).nth(index),
        Some(delimiter) => string.split(delimiter).nth(index),
        None => match u8::try_from(call.integer(1)) {
            Ok(0) | Err(_) => None,
            Ok(code) => string.split(char::from(code)).nth(index),
        },
    };
    text_or_null(piece)
}

/// What Java's `Character.isWhitespace` holds: no non-breaking blanks, but the four separators.
fn is_java_whitespace(c: char) -> bool {
    let non_breaking = matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{85}');
    (c.is_whitespace() && !non_breaking) || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn split(call: &Call<'_>) -> Evaluated {
    let (string, delimiter) = (call.text(0), call.text(1));
    let pieces: Vec<Value> = if delimiter.is_empty() {
        utf16::units(string).iter().map(|&unit| Value::string(&utf16::text(&[unit]))).collect()
    } else {
        string.split(delimiter).map(Value::string).collect()
    };
    Ok(Value::list(pieces))
}

/// The longest of the values' types; it has a fixed length if all have the same one.
fn elt_type(args: &[Argument<'_>]) -> Typed {
    if check_rest(args, &[Integer, Bytes], Bytes, true).is_err() {
        check_rest(args, &[Integer, Text], Text, true)?;
    }
    if args[0].literal.and_then(Value::as_integer).is_some_and(|index| index < 0) {
        return mismatch("takes an index from 0");
    }
    let kinds = args[1..].iter().map(|arg| &arg.data_type.kind);
    let kind = kinds.cloned().reduce(|a, b| longest(&a, &b)).unwrap_or(STRING);
    let mut signature = gives_nullable(args, kind.clone());
    for argument in &mut signature.arguments[1..] {
        argument.kind = kind.clone();
    }
    Ok(signature)
}

fn longest(a: &TypeKind, b: &TypeKind) -> TypeKind {
    use TypeKind::{Binary, Char, Null, VarBinary, VarChar};
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Char(a) | VarChar(a), Char(b) | VarChar(b)) => VarChar(*a.max(b)),
        (Binary(a) | VarBinary(a), Binary(b) | VarBinary(b)) => VarBinary(*a.max(b)),
        (Null, kind) | (kind, _) => kind.clone(),
    }
}

fn elt(call: &Call<'_>) -> Evaluated {
    let index = call.args[0].as_integer().and_then(|index| usize::try_from(index).ok());
    let value = index.filter(|&index| index > 0).and_then(|index| call.get(index));
    Ok(value.cloned().unwrap_or(Value::NULL))
}
