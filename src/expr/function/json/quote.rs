//! Functions on JSON strings.

use std::fmt::Write;

use super::super::call::{Evaluated, failure, text};
use super::super::parameter::Parameter::Text;
use super::super::parameter::{STRING, check, gives};
use super::super::string::utf16;
use super::super::{Call, Category, Function};
use super::document::Json;

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "JSON_QUOTE",
        syntax: "JSON_QUOTE(string)",
        summary: "Writes the string as a JSON string in ASCII.",
        example: Some((r#"JSON_QUOTE('a "b" ä')"#, r#""a \"b\" \u00e4""#)),
        eval: |call| text(quote(call.text(0))),
        ..TEMPLATE
    },
    Function {
        name: "JSON_UNQUOTE",
        syntax: "JSON_UNQUOTE(string)",
        summary: "Gives what a JSON string stands for; every other string stays as it is.",
        example: Some((r#"JSON_UNQUOTE('"a\u00e4"')"#, "aä")),
        eval: unquote,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: |args| check(args, &[&[Text]]).map(|()| gives(args, STRING)),
    eval: unquote,
    strict: true,
    deterministic: true,
};

/// Flink escapes the code point at every UTF-16 code unit, so that a character beyond the first
/// 65,536 is followed by the second half of its pair.
fn quote(string: &str) -> String {
    let mut out = String::from("\"");
    let mut units = [0; 2];
    for c in string.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' => out.push_str("\\/"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_ascii() => out.push(c),
            c => {
                // Writing into a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
                if let [_, second] = c.encode_utf16(&mut units) {
                    let _ = write!(out, "\\u{second:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}

fn unquote(call: &Call<'_>) -> Evaluated {
    let string = call.text(0);
    let inner = string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let Some(inner) = inner.filter(|_| Json::parse(string).is_some()) else { return text(string) };
    match unescape(&utf16::units(inner)) {
        Ok(units) => text(utf16::text(&units)),
        Err(Malformed::Escape) => text(string),
        Err(Malformed::End) => failure("the string ends within an escape"),
    }
}

/// Why escapes cannot be read, which happens only behind the end of the first JSON value.
enum Malformed {
    Escape,
    End,
}

fn unescape(units: &[u16]) -> Result<Vec<u16>, Malformed> {
    let mut out = Vec::with_capacity(units.len());
    let mut rest = units;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != u16::from(b'\\') {
            out.push(*first);
            continue;
        }
        let Some((&escaped, tail)) = rest.split_first() else { return Err(Malformed::Escape) };
        rest = tail;
        out.push(match u8::try_from(escaped) {
            Ok(b'"' | b'\\' | b'/') => escaped,
            Ok(b'b') => 8,
            Ok(b'f') => 12,
            Ok(b'n') => u16::from(b'\n'),
            Ok(b'r') => u16::from(b'\r'),
            Ok(b't') => u16::from(b'\t'),
            Ok(b'u') => {
                let digits = rest.get(..4).ok_or(Malformed::End)?;
                rest = &rest[4..];
                u16::from_str_radix(&utf16::text(digits), 16).map_err(|_| Malformed::Escape)?
            }
            _ => return Err(Malformed::Escape),
        });
    }
    Ok(out)
}
