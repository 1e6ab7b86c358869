//! `||`, `LIKE` and `SIMILAR TO`.

use super::{as_they_are, expect_arguments, nullable_as};
use crate::expr::build::joined_kind;
use crate::expr::function::regexp::similar;
use crate::expr::function::{Argument, Call, Category, EvalError, Function, Signature, TypeMismatch};
use crate::value::{TypeKind, Value};

/// `||`
pub(in crate::expr) static CONCATENATE: Function = Function {
    name: "||",
    syntax: "string || string",
    summary: "Two texts joined.",
    example: Some(("'ab' || 'c'", "abc")),
    category: Category::String,
    typing: |args| {
        expect_strings(args, 2..=2)?;
        let kind = joined_kind(&args[0].data_type.kind, &args[1].data_type.kind);
        Ok(as_they_are(args, nullable_as(args, kind)))
    },
    eval: |call| {
        let (a, b) = (text(call, 0), text(call, 1));
        let mut joined = String::with_capacity(a.len() + b.len());
        joined.push_str(a);
        joined.push_str(b);
        Ok(Value::string(&joined))
    },
    strict: true,
    deterministic: true,
};

/// `LIKE`
pub(in crate::expr) static LIKE: Function = Function {
    name: "LIKE",
    syntax: "string LIKE pattern [ESCAPE character]",
    summary: "Whether a text matches a pattern, in which % stands for any text and _ for one character.",
    example: Some(("'abc' LIKE 'a%'", "TRUE")),
    category: Category::Comparison,
    typing: |args| {
        expect_strings(args, 2..=3)?;
        Ok(as_they_are(args, nullable_as(args, TypeKind::Boolean)))
    },
    eval: |call| {
        let escape = escape_of(call)?;
        like(text(call, 0), text(call, 1), escape).map(Value::boolean)
    },
    strict: true,
    deterministic: true,
};

/// `SIMILAR TO`
pub(in crate::expr) static SIMILAR_TO: Function = Function {
    name: "SIMILAR TO",
    syntax: "string SIMILAR TO pattern [ESCAPE character]",
    summary: "Whether a text matches a regular expression in which % stands for any text and _ for one character.",
    example: Some(("'abc' SIMILAR TO '(a|b)%'", "TRUE")),
    category: Category::Comparison,
    typing: |args| {
        expect_strings(args, 2..=3)?;
        Ok(as_they_are(args, nullable_as(args, TypeKind::Boolean)))
    },
    eval: |call| {
        let escape = escape_of(call)?;
        similar(text(call, 0), text(call, 1), escape).map(Value::boolean)
    },
    strict: true,
    deterministic: true,
};

fn expect_strings(
    args: &[Argument<'_>],
    counts: std::ops::RangeInclusive<usize>,
) -> Result<Signature, TypeMismatch> {
    if !counts.contains(&args.len()) {
        expect_arguments(args, *counts.start())?;
    }
    match args.iter().find(|arg| !arg.data_type.kind.is_string()) {
        None => Ok(as_they_are(args, args[0].data_type.clone())),
        Some(other) if other.data_type.kind == TypeKind::Null => {
            Err(TypeMismatch::new("NULL has no type here").or("Write CAST(NULL AS STRING)."))
        }
        Some(other) => Err(TypeMismatch::new(format!("takes text, not {}", other.data_type.kind))
            .or("Use CAST(… AS STRING).")),
    }
}

fn text<'a>(call: &Call<'a>, index: usize) -> &'a str {
    call.args[index].as_str().unwrap_or_default()
}

fn escape_of(call: &Call<'_>) -> Result<Option<char>, EvalError> {
    if call.args.len() < 3 {
        return Ok(None);
    }
    let escape = text(call, 2);
    let mut chars = escape.chars();
    match (chars.next(), chars.next()) {
        (Some(escape), None) => Ok(Some(escape)),
        _ => Err(EvalError(format!("the escape must be one character, not \"{escape}\""))),
    }
}

/// A part of a `LIKE` pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// This character.
    Exactly(char),
    /// `_`: any character but a line end.
    One,
    /// `%`: any text.
    Any,
}

/// The parts of a pattern. The escape makes a following `%`, `_` or escape an ordinary character.
struct Parts<'a> {
    rest: std::str::Chars<'a>,
    escape: Option<char>,
}

impl Parts<'_> {
    fn next(&mut self) -> Result<Option<Part>, EvalError> {
        let Some(c) = self.rest.next() else { return Ok(None) };
        if Some(c) == self.escape {
            return match self.rest.next() {
                Some(escaped) if matches!(escaped, '%' | '_') || Some(escaped) == self.escape => {
                    Ok(Some(Part::Exactly(escaped)))
                }
                _ => Err(EvalError(format!("the escape \"{c}\" must precede %, _ or itself"))),
            };
        }
        Ok(Some(match c {
            '%' => Part::Any,
            '_' => Part::One,
            c => Part::Exactly(c),
        }))
    }
}

fn like(text: &str, pattern: &str, escape: Option<char>) -> Result<bool, EvalError> {
    let escaped = escape.is_some_and(|escape| pattern.contains(escape));
    if !escaped && !pattern.contains('_') {
        return Ok(contains_in_order(text, pattern));
    }
    if escaped {
        // A wrong escape is an error wherever it stands.
        let mut parts = Parts { rest: pattern.chars(), escape };
        while parts.next()?.is_some() {}
    }
    matches_parts(text, Parts { rest: pattern.chars(), escape })
}

/// Whether the text is made of the pieces between the `%` of a pattern, in order.
fn contains_in_order(text: &str, pattern: &str) -> bool {
    let Some((first, pieces)) = pattern.split_once('%') else { return text == pattern };
    let Some(rest) = text.strip_prefix(first) else { return false };
    let (middle, last) = pieces.rsplit_once('%').unwrap_or(("", pieces));
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    for piece in middle.split('%').filter(|piece| !piece.is_empty()) {
        let Some(place) = rest.find(piece) else { return false };
        rest = &rest[place + piece.len()..];
    }
    true
}

fn matches_parts(text: &str, mut parts: Parts<'_>) -> Result<bool, EvalError> {
    let mut rest = text.chars();
    // Where to go on when the text after a % does not match: one character later.
    let mut retry: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let matched = match parts.next()? {
            Some(Part::Any) => {
                retry = Some((parts.rest.clone(), rest.clone()));
                true
            }
            Some(Part::One) => rest.next().is_some_and(|c| !is_line_end(c)),
            Some(Part::Exactly(wanted)) => rest.next() == Some(wanted),
            None if rest.as_str().is_empty() => return Ok(true),
            None => false,
        };
        if matched {
            continue;
        }
        match &mut retry {
            None => return Ok(false),
            Some((pattern, start)) => {
                if start.next().is_none() {
                    return Ok(false);
                }
                parts.rest = pattern.clone();
                rest = start.clone();
            }
        }
    }
}

/// What Java's `.` does not match.
fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_matches_whole_texts() {
        for (text, pattern, matches) in [
            ("abc", "a%", true),
            ("abc", "_b_", true),
            ("abc", "a%c%", true),
            ("abc", "b", false),
            ("", "%", true),
            ("abc", "", false),
            ("aXbXc", "a%X%c", true),
            ("aab", "a%ab", true),
            ("abab", "%ab", true),
            ("a\nb", "a_b", false),
            ("a\nb", "a%b", true),
            ("x💚", "x_", true),
            ("a_c", r"a\_c", false),
            (r"a\xc", r"a\_c", true),
        ] {
            assert_eq!(like(text, pattern, None), Ok(matches), "{text} LIKE {pattern}");
        }
    }

    #[test]
    fn an_escape_makes_wildcards_ordinary() {
        assert_eq!(like("a%c", r"a\%c", Some('\\')), Ok(true));
        assert_eq!(like("abc", r"a\%c", Some('\\')), Ok(false));
        assert_eq!(like("a!c", "a!!c", Some('!')), Ok(true));
        let wrong = EvalError("the escape \"!\" must precede %, _ or itself".to_owned());
        assert_eq!(like("ab", "a!b", Some('!')), Err(wrong.clone()));
        assert_eq!(like("x", "a!", Some('!')), Err(wrong));
    }
}
