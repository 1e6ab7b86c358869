//! Functions on regular expressions, which are Java's.

mod class;
mod java;
mod similar;

use std::rc::Rc;

use java::{Groups, JavaRegex, PatternError};
pub(super) use similar::similar;

use super::call::{Evaluated, count, text, text_or_null};
use super::parameter::Parameter::{self, Integer, Text};
use super::parameter::{STRING, check, check_or_null, gives, gives_nullable};
use super::string::utf16;
use super::{Call, Category, EvalError, Function};
use crate::value::{DataType, TypeKind, Value};

pub(super) static FUNCTIONS: &[Function] = &[
    Function {
        name: "REGEXP",
        syntax: "REGEXP(string, pattern)",
        summary: "Whether the regular expression matches somewhere in the string; an empty or wrong one never does.",
        example: Some(("REGEXP('abc123', '[0-9]+')", "TRUE")),
        typing: |args| check(args, TWO).map(|()| gives(args, TypeKind::Boolean)),
        eval: regexp,
        ..TEMPLATE
    },
    Function {
        name: "REGEXP_REPLACE",
        syntax: "REGEXP_REPLACE(string, pattern, replacement)",
        summary: "Puts the replacement, taken literally, in the place of every match.",
        example: Some(("REGEXP_REPLACE('foobar', 'oo|ar', '')", "fb")),
        typing: |args| check(args, &[&[Text, Text, Text]]).map(|()| gives(args, STRING)),
        eval: replace,
        ..TEMPLATE
    },
    Function {
        name: "REGEXP_EXTRACT",
        syntax: "REGEXP_EXTRACT(string, pattern [, group])",
        summary: "Gives a group of the first match, by default the whole match.",
        example: Some(("REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2)", "bar")),
        typing: |args| check(args, GROUP).map(|()| gives_nullable(args, STRING)),
        eval: extract,
        ..TEMPLATE
    },
    Function {
        name: "REGEXP_EXTRACT_ALL",
        syntax: "REGEXP_EXTRACT_ALL(string, pattern [, group])",
        summary: "Gives a group, by default the first one, of all matches.",
        example: Some(("REGEXP_EXTRACT_ALL('a1b22', '[0-9]+', 0)", "[1, 22]")),
        typing: |args| {
            check_or_null(args, GROUP)?;
            Ok(gives_nullable(args, DataType::array(DataType::string()).kind))
        },
        eval: extract_all,
        ..TEMPLATE
    },
    Function {
        name: "REGEXP_COUNT",
        syntax: "REGEXP_COUNT(string, pattern)",
        summary: "Gives the number of matches.",
        example: Some(("REGEXP_COUNT('abcabc', 'b')", "2")),
        eval: |call| match compiled(call.text(1))? {
            Some(regex) => count(regex.find_all(call.text(0)).count()),
            None => Ok(Value::NULL),
        },
        ..TEMPLATE
    },
    Function {
        name: "REGEXP_INSTR",
        syntax: "REGEXP_INSTR(string, pattern)",
        summary: "Gives the position of the first match, or 0.",
        example: Some(("REGEXP_INSTR('abc123', '[0-9]')", "4")),
        eval: position,
        ..TEMPLATE
    },
    Function {
        name: "REGEXP_SUBSTR",
        syntax: "REGEXP_SUBSTR(string, pattern)",
        summary: "Gives the first match, or NULL.",
        example: Some(("REGEXP_SUBSTR('abc123def', '[0-9]+')", "123")),
        typing: |args| check_or_null(args, TWO).map(|()| gives_nullable(args, STRING)),
        eval: |call| {
            let found = first(call)?;
            text_or_null(found.and_then(|groups| group(call.text(0), &groups, 0)))
        },
        ..TEMPLATE
    },
];

const TWO: &[&[Parameter]] = &[&[Text, Text]];

const GROUP: &[&[Parameter]] = &[&[Text, Text], &[Text, Text, Integer]];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: |args| check_or_null(args, TWO).map(|()| gives_nullable(args, TypeKind::Int)),
    eval: regexp,
    strict: true,
    deterministic: true,
};

/// The compiled pattern, or `None` if Java refuses it.
///
/// # Errors
/// The pattern has something that Java has and this has not.
fn compiled(pattern: &str) -> Result<Option<Rc<JavaRegex>>, EvalError> {
    match JavaRegex::cached(pattern) {
        Ok(regex) => Ok(Some(regex)),
        Err(PatternError::Invalid) => Ok(None),
        Err(PatternError::Unsupported(what)) => {
            Err(EvalError(format!("{what} is not supported in a regular expression")))
        }
    }
}

/// A Java regular expression that has to match a whole text.
#[derive(Debug, Clone)]
pub(super) struct FullMatch(Rc<JavaRegex>);

impl FullMatch {
    /// A pattern with Java's letters for flags, or `None` if Java refuses it.
    ///
    /// # Errors
    /// The pattern has something that Java has and this has not.
    pub(super) fn new(pattern: &str, flags: &str) -> Result<Option<Self>, EvalError> {
        let start = if flags.is_empty() { String::new() } else { format!("(?{flags})") };
        // A comment at the end of the pattern ends with the line.
        let end = if flags.contains('x') { "\n" } else { "" };
        Ok(compiled(&format!("{start}\\A(?:{pattern}{end})\\z"))?.map(Self))
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// The pieces of a text between the matches of a pattern, as Java's `String.split` gives them: at
/// most so many pieces, and without a limit no empty ones at the end.
///
/// # Errors
/// The pattern is no regular expression, or one that is not supported.
pub(super) fn split<'a>(text: &'a str, pattern: &str, most: usize) -> Result<Vec<&'a str>, EvalError> {
    let regex = compiled(pattern)?;
    let regex = regex.ok_or_else(|| EvalError(format!("\"{pattern}\" is not a regular expression")))?;
    let mut pieces = Vec::new();
    let mut copied = 0;
    for (start, end) in regex.find_all(text).filter_map(|groups| groups[0]) {
        if pieces.len() + 1 >= most {
            break;
        }
        // An empty match at the beginning cuts nothing off.
        if end > 0 {
            pieces.push(&text[copied..start]);
            copied = end;
        }
    }
    if copied == 0 && pieces.is_empty() {
        return Ok(vec![text]);
    }
    pieces.push(&text[copied..]);
    while most == usize::MAX && pieces.len() > 1 && pieces.last().is_some_and(|piece| piece.is_empty()) {
        pieces.pop();
    }
    Ok(pieces)
}

/// The first match of the second argument in the first.
fn first(call: &Call<'_>) -> Result<Option<Groups>, EvalError> {
    Ok(compiled(call.text(1))?.and_then(|regex| regex.find_at(call.text(0), 0)))
}

/// The text of a group, if there is such a group and it took part in the match.
fn group<'a>(text: &'a str, groups: &Groups, index: usize) -> Option<&'a str> {
    let (start, end) = (*groups.get(index)?)?;
    Some(&text[start..end])
}

fn regexp(call: &Call<'_>) -> Evaluated {
    if call.text(1).is_empty() {
        return Ok(Value::boolean(false));
    }
    let regex = compiled(call.text(1))?;
    Ok(Value::boolean(regex.is_some_and(|regex| regex.is_match(call.text(0)))))
}

fn replace(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let Some(regex) = compiled(call.text(1))? else { return Ok(Value::NULL) };
    let mut replaced = String::new();
    let mut copied = 0;
    for (start, end) in regex.find_all(string).filter_map(|groups| groups[0]) {
        replaced.push_str(&string[copied..start]);
        replaced.push_str(call.text(2));
        copied = end;
    }
    replaced.push_str(&string[copied..]);
    text(replaced)
}

fn extract(call: &Call<'_>) -> Evaluated {
    let index = if call.args.len() > 2 { call.integer(2) } else { 0 };
    let Ok(index) = usize::try_from(index) else { return Ok(Value::NULL) };
    let found = first(call)?;
    text_or_null(found.and_then(|groups| group(call.text(0), &groups, index)))
}

fn extract_all(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let Some(regex) = compiled(call.text(1))? else { return Ok(Value::NULL) };
    let index = if call.args.len() > 2 { call.integer(2) } else { 1 };
    let Some(index) = usize::try_from(index).ok().filter(|&index| index <= regex.group_count()) else {
        return Ok(Value::NULL);
    };
    let found =
        regex.find_all(string).map(|groups| group(string, &groups, index).map_or(Value::NULL, Value::string));
    Ok(Value::list(found.collect::<Vec<_>>()))
}

/// Positions count UTF-16 code units.
fn position(call: &Call<'_>) -> Evaluated {
    let Some(regex) = compiled(call.text(1))? else { return Ok(Value::NULL) };
    let start = regex.find_at(call.text(0), 0).and_then(|groups| groups[0]);
    count(start.map_or(0, |(start, _)| utf16::units(&call.text(0)[..start]).len() + 1))
}
