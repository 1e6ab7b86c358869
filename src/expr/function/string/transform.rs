//! Functions that give a changed text.

use super::super::call::{Evaluated, text, text_or_null};
use super::super::parameter::Parameter::{Int, Integer, Text};
use super::super::parameter::{STRING, Typed, check, check_or_null, gives, gives_nullable, gives_type};
use super::super::{Argument, Call, Category, Function};
use super::utf16;
use crate::value::{DataType, MAX_LENGTH, TypeKind};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "UPPER",
        syntax: "UPPER(string)",
        summary: "Gives the string in upper case.",
        example: Some(("UPPER('Flink')", "FLINK")),
        typing: same_type,
        eval: |call| text(call.text(0).to_uppercase()),
        ..TEMPLATE
    },
    Function {
        name: "LOWER",
        syntax: "LOWER(string)",
        summary: "Gives the string in lower case.",
        example: Some(("LOWER('Flink')", "flink")),
        typing: same_type,
        eval: |call| text(call.text(0).to_lowercase()),
        ..TEMPLATE
    },
    Function {
        name: "INITCAP",
        syntax: "INITCAP(string)",
        summary: "Gives the string with the first letter of each word in upper case and all others in lower case; only ASCII letters change.",
        example: Some(("INITCAP('hello wORLD')", "Hello World")),
        typing: same_type,
        eval: init_cap,
        ..TEMPLATE
    },
    Function {
        name: "REVERSE",
        syntax: "REVERSE(string)",
        summary: "Gives the string backwards.",
        example: Some(("REVERSE('abc')", "cba")),
        typing: |args| check(args, &[&[Text]]).map(|()| gives_nullable(args, STRING)),
        eval: |call| text(call.text(0).chars().rev().collect::<String>()),
        ..TEMPLATE
    },
    Function {
        name: "REPEAT",
        syntax: "REPEAT(string, count)",
        summary: "Gives the string as many times as the count says.",
        example: Some(("REPEAT('ab', 3)", "ababab")),
        typing: |args| check(args, &[&[Text, Int]]).map(|()| gives(args, STRING)),
        eval: repeat,
        ..TEMPLATE
    },
    Function {
        name: "LPAD",
        syntax: "LPAD(string, length, pad)",
        summary: "Fills the string up on the left with the pad, or cuts it, to the length.",
        example: Some(("LPAD('7', 3, '0')", "007")),
        typing: pad_type,
        eval: |call| pad(call, true),
        ..TEMPLATE
    },
    Function {
        name: "RPAD",
        syntax: "RPAD(string, length, pad)",
        summary: "Fills the string up on the right with the pad, or cuts it, to the length.",
        example: Some(("RPAD('ab', 5, 'xy')", "abxyx")),
        typing: pad_type,
        eval: |call| pad(call, false),
        ..TEMPLATE
    },
    Function {
        name: "REPLACE",
        syntax: "REPLACE(string, search, replacement)",
        summary: "Puts the replacement in the place of every occurrence of the search text.",
        example: Some(("REPLACE('banana', 'an', 'X')", "bXXa")),
        typing: |args| check(args, &[&[Text, Text, Text]]).map(|()| gives(args, STRING)),
        eval: |call| text(call.text(0).replace(call.text(1), call.text(2))),
        ..TEMPLATE
    },
    Function {
        name: "OVERLAY",
        syntax: "OVERLAY(string PLACING text FROM start [FOR length])",
        summary: "Puts the text in the place of a part of the string, by default one of the text's length.",
        example: Some(("OVERLAY('abcdef' PLACING 'XY' FROM 2)", "aXYdef")),
        typing: overlay_type,
        eval: overlay,
        ..TEMPLATE
    },
    Function {
        name: "TRANSLATE",
        syntax: "TRANSLATE(string, from, to)",
        summary: "Replaces each character of \"from\" by the one at the same place in \"to\"; without one it is removed.",
        example: Some(("TRANSLATE('hello', 'el', 'ip')", "hippo")),
        typing: translate_type,
        eval: translate,
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "TRANSLATE3",
        syntax: "TRANSLATE3(string, from, to)",
        summary: "Another name of TRANSLATE.",
        example: Some(("TRANSLATE3('abc', 'a', 'x')", "xbc")),
        typing: translate_type,
        eval: translate,
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "CHR",
        syntax: "CHR(number)",
        summary: "Gives the character with the code of the number's lowest 8 bits, or an empty string for a negative number.",
        example: Some(("CHR(97)", "a")),
        typing: |args| check(args, &[&[Integer]]).map(|()| gives_nullable(args, STRING)),
        eval: chr,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: same_type,
    eval: chr,
    strict: true,
    deterministic: true,
};

/// The type of the only argument.
fn same_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Text]])?;
    Ok(gives(args, args[0].data_type.kind.clone()))
}

fn init_cap(call: &Call<'_>) -> Evaluated {
    let mut in_word = false;
    text(
        call.text(0)
            .chars()
            .map(|c| {
                let first = !in_word;
                in_word = c.is_ascii_alphanumeric();
                if first { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            })
            .collect::<String>(),
    )
}

fn repeat(call: &Call<'_>) -> Evaluated {
    let count = usize::try_from(call.integer(1)).unwrap_or(0);
    let string = call.text(0);
    let length = string.len().checked_mul(count).filter(|&length| length <= MAX_LENGTH as usize);
    if length.is_none() {
        return super::super::call::failure("the repeated string is too long");
    }
    text(string.repeat(count))
}

fn pad_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Text, Int, Text]]).map(|()| gives(args, STRING))
}

/// NULL for a negative length or an empty pad.
fn pad(call: &Call<'_>, left: bool) -> Evaluated {
    let (string, pad) = (utf16::units(call.text(0)), utf16::units(call.text(2)));
    let Some(length) = usize::try_from(call.integer(1)).ok().filter(|_| !pad.is_empty()) else {
        return text_or_null(None::<&str>);
    };
    let kept = &string[..string.len().min(length)];
    let filling = pad.iter().copied().cycle().take(length - kept.len());
    let units: Vec<u16> = if left {
        filling.chain(kept.iter().copied()).collect()
    } else {
        kept.iter().copied().chain(filling).collect()
    };
    text(utf16::text(&units))
}

/// A `VARCHAR` with room for both texts.
fn overlay_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Text, Text, Int], &[Text, Text, Int, Int]])?;
    let length = |arg: &Argument<'_>| match arg.data_type.kind {
        TypeKind::Char(length) | TypeKind::VarChar(length) => length,
        _ => MAX_LENGTH,
    };
    let length = length(&args[0]).saturating_add(length(&args[1])).min(MAX_LENGTH);
    Ok(gives(args, TypeKind::VarChar(length)))
}

/// As in Flink a start outside of the string changes nothing, and a length below 1 drops the rest.
fn overlay(call: &Call<'_>) -> Evaluated {
    let (string, placed) = (utf16::units(call.text(0)), utf16::units(call.text(1)));
    let Some(start) =
        usize::try_from(call.integer(2)).ok().filter(|start| (1..=string.len()).contains(start))
    else {
        return text(call.text(0));
    };
    let length = match call.get(3) {
        Some(_) => usize::try_from(call.integer(3)).unwrap_or(0),
        None => placed.len(),
    };
    let mut units = string[..start - 1].to_vec();
    units.extend(&placed);
    if length > 0 {
        units.extend(string.get(start - 1 + length..).unwrap_or_default());
    }
    text(utf16::text(&units))
}

/// Only the string's NULL makes the result NULL.
fn translate_type(args: &[Argument<'_>]) -> Typed {
    check_or_null(args, &[&[Text, Text, Text]])?;
    Ok(gives_type(args, DataType::string().with_nullable(args[0].data_type.nullable)))
}

fn translate(call: &Call<'_>) -> Evaluated {
    let part = |index: usize| call.args[index].as_str();
    let Some(string) = part(0) else { return text_or_null(None::<&str>) };
    let from = part(1).unwrap_or("");
    let to: Vec<char> = part(2).unwrap_or("").chars().collect();
    let replaced = |c: char| match from.chars().position(|other| other == c) {
        Some(place) => to.get(place).copied(),
        None => Some(c),
    };
    text(string.chars().filter_map(replaced).collect::<String>())
}

fn chr(call: &Call<'_>) -> Evaluated {
    let Ok(number) = u64::try_from(call.integer(0)) else { return text("") };
    let [code, ..] = number.to_le_bytes();
    text(char::from(code).to_string())
}
