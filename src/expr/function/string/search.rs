//! Functions that look into a text: lengths, positions and tests.

use std::sync::LazyLock;

use regex::Regex;

use super::super::call::{Evaluated, count, failure};
use super::super::parameter::Parameter::{self, Bytes, Int, Number, Text};
use super::super::parameter::{Typed, check, check_or_null, gives, gives_type};
use super::super::{Argument, Call, Category, Function};
use crate::value::{DataType, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "CHAR_LENGTH",
        syntax: "CHAR_LENGTH(string)",
        summary: "Gives the number of characters.",
        example: Some(("CHAR_LENGTH('äöü')", "3")),
        typing: |args| int(args, &[&[Text]]),
        eval: |call| count(call.text(0).chars().count()),
        ..TEMPLATE
    },
    Function {
        name: "CHARACTER_LENGTH",
        syntax: "CHARACTER_LENGTH(string)",
        summary: "Another name of CHAR_LENGTH.",
        example: Some(("CHARACTER_LENGTH('abc')", "3")),
        typing: |args| int(args, &[&[Text]]),
        eval: |call| count(call.text(0).chars().count()),
        ..TEMPLATE
    },
    Function {
        name: "POSITION",
        syntax: "POSITION(search IN string [FROM start])",
        summary: "Gives the position of the first occurrence of the search text, or 0.",
        example: Some(("POSITION('na' IN 'banana')", "3")),
        ..TEMPLATE
    },
    Function {
        name: "LOCATE",
        syntax: "LOCATE(search, string [, start])",
        summary: "Gives the position of the first occurrence of the search text from a start, or 0.",
        example: Some(("LOCATE('na', 'banana', 4)", "5")),
        ..TEMPLATE
    },
    Function {
        name: "INSTR",
        syntax: "INSTR(string, search [, start [, occurrence]])",
        summary: "Gives the position of an occurrence of the search text, or 0; a negative start searches backwards from the end.",
        example: Some(("INSTR('banana', 'na')", "3")),
        typing: |args| int(args, &[&[Text, Text], &[Text, Text, Int], &[Text, Text, Int, Int]]),
        eval: instr,
        ..TEMPLATE
    },
    Function {
        name: "ASCII",
        syntax: "ASCII(string)",
        summary: "Gives the first byte of the string as a signed number, or 0 if the string is empty.",
        example: Some(("ASCII('abc')", "97")),
        typing: |args| int(args, &[&[Text]]),
        eval: |call| {
            let first = call.bytes(0).first().map_or(0, |&byte| byte.cast_signed());
            Ok(Value::integer(first))
        },
        ..TEMPLATE
    },
    Function {
        name: "STARTSWITH",
        syntax: "STARTSWITH(value, start)",
        summary: "Whether a string or binary starts with another.",
        example: Some(("STARTSWITH('banana', 'ba')", "TRUE")),
        typing: end_type,
        eval: |call| Ok(Value::boolean(call.bytes(0).starts_with(call.bytes(1)))),
        ..TEMPLATE
    },
    Function {
        name: "ENDSWITH",
        syntax: "ENDSWITH(value, end)",
        summary: "Whether a string or binary ends with another.",
        example: Some(("ENDSWITH('banana', 'NA')", "FALSE")),
        typing: end_type,
        eval: |call| Ok(Value::boolean(call.bytes(0).ends_with(call.bytes(1)))),
        ..TEMPLATE
    },
    Function {
        name: "IS_DECIMAL",
        syntax: "IS_DECIMAL(string)",
        summary: "Whether the string can be read as a number; any number can, even NULL.",
        example: Some(("IS_DECIMAL('-1.5e3')", "TRUE")),
        typing: test_type,
        eval: |call| test(call, &DECIMAL, TypeKind::is_numeric),
        category: Category::Conditional,
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "IS_DIGIT",
        syntax: "IS_DIGIT(string)",
        summary: "Whether the string has digits only; any integer does, even NULL.",
        example: Some(("IS_DIGIT('12')", "TRUE")),
        typing: test_type,
        eval: |call| test(call, &DIGITS, TypeKind::is_integer),
        category: Category::Conditional,
        strict: false,
        ..TEMPLATE
    },
    Function {
        name: "IS_ALPHA",
        syntax: "IS_ALPHA(string)",
        summary: "Whether the string has letters only.",
        example: Some(("IS_ALPHA('ab1')", "FALSE")),
        typing: test_type,
        eval: |call| test(call, &LETTERS, |_| false),
        category: Category::Conditional,
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
    typing: |args| int(args, &[&[Text, Text], &[Text, Text, Int]]),
    eval: locate,
    strict: true,
    deterministic: true,
};

/// What Java's `Double.parseDouble` reads.
static DECIMAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^ [\x00-\x20]* [+-]? ( NaN | Infinity | (
              ( [0-9]+ \.? [0-9]* | \. [0-9]+ ) ( [eE] [+-]? [0-9]+ )?
            | 0 [xX] ( [0-9a-fA-F]+ \.? | [0-9a-fA-F]* \. [0-9a-fA-F]+ ) [pP] [+-]? [0-9]+
        ) [fFdD]? ) [\x00-\x20]* $",
    )
});

/// Digits of any script within the first 65,536 characters, of which Java's are one unit long.
static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[\p{Nd}&&[\u{0}-\u{ffff}]]+$"));

static LETTERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[\p{L}&&[\u{0}-\u{ffff}]]+$"));

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well-formed")
}

fn int(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Typed {
    check(args, forms).map(|()| gives(args, TypeKind::Int))
}

fn end_type(args: &[Argument<'_>]) -> Typed {
    check_or_null(args, &[&[Text, Text], &[Bytes, Bytes]]).map(|()| gives(args, TypeKind::Boolean))
}

fn test_type(args: &[Argument<'_>]) -> Typed {
    check(args, &[&[Text], &[Number]]).map(|()| gives_type(args, DataType::boolean().not_null()))
}

/// Text by its pattern, numbers by their type.
fn test(call: &Call<'_>, pattern: &Regex, of_type: fn(&TypeKind) -> bool) -> Evaluated {
    let kind = &call.types[0].kind;
    let passes = if kind.is_string() {
        call.args[0].as_str().is_some_and(|string| pattern.is_match(string))
    } else {
        of_type(kind)
    };
    Ok(Value::boolean(passes))
}

fn locate(call: &Call<'_>) -> Evaluated {
    let start = if call.args.len() > 2 { call.integer(2) } else { 1 };
    count(find(call.text(1), call.text(0), usize::try_from(start).unwrap_or(0)))
}

/// The position of the first occurrence that does not begin before a start, or 0. An empty search
/// text is found at the beginning, whatever the start.
fn find(string: &str, search: &str, start: usize) -> usize {
    if search.is_empty() {
        return 1;
    }
    let Some((skipped, _)) = string.char_indices().nth(start.saturating_sub(1)) else { return 0 };
    let found = string[skipped..].find(search);
    found.map_or(0, |found| string[..skipped + found].chars().count() + 1)
}

fn instr(call: &Call<'_>) -> Evaluated {
    let (string, search) = (call.text(0), call.text(1));
    let start = if call.args.len() > 2 { call.integer(2) } else { 1 };
    let occurrence = if call.args.len() > 3 { call.integer(3) } else { 1 };
    if occurrence <= 0 {
        return failure("the occurrence is not positive");
    }
    let distance = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
    if start >= 0 {
        return count(nth(string, search, distance, occurrence));
    }
    // Backwards means forwards in the reversed string.
    let reversed = |text: &str| text.chars().rev().collect::<String>();
    let position = nth(&reversed(string), &reversed(search), distance, occurrence);
    let end = string.chars().count() + 2;
    count(if position == 0 { 0 } else { end - position - search.chars().count() })
}

/// The position of the nth occurrence from a start, or 0; a start of 0 finds nothing.
fn nth(string: &str, search: &str, mut start: usize, occurrence: i64) -> usize {
    let mut position = 0;
    for _ in 0..occurrence {
        if start == 0 {
            return 0;
        }
        position = find(string, search, start);
        if position == 0 || search.is_empty() {
            return position;
        }
        start = position + 1;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_an_empty_text_is_found_at_once() {
        assert_eq!(find("😀bb", "b", 0), 2);
        assert_eq!(find("😀bb", "b", 3), 3);
        assert_eq!(find("abcabc", "c", 7), 0);
        assert_eq!(find("", "", 9), 1);
        assert_eq!(find("", "a", 1), 0);
    }

    #[test]
    fn an_occurrence_may_overlap_the_one_before() {
        assert_eq!(nth("aaaa", "aa", 1, 2), 2);
        assert_eq!(nth("abcabc", "c", 1, 3), 0);
        assert_eq!(nth("abc", "a", 0, 1), 0);
    }
}
