//! Functions on URLs.

use std::fmt::Write;

use super::super::call::{Evaluated, text, text_or_null};
use super::super::parameter::Parameter::Text;
use super::super::parameter::{STRING, check, check_or_null, gives_nullable};
use super::super::{Call, Category, Function};
use super::charset::decode_utf8;
use super::java_url::JavaUrl;

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "URL_ENCODE",
        syntax: "URL_ENCODE(string)",
        summary: "Writes the string as in an HTML form: + for a blank, %XX for most characters.",
        example: Some(("URL_ENCODE('a b&ä')", "a+b%26%C3%A4")),
        eval: |call| text(encode(call.bytes(0))),
        ..TEMPLATE
    },
    Function {
        name: "URL_DECODE",
        syntax: "URL_DECODE(string)",
        summary: "Reads a string of an HTML form, or gives NULL if it is malformed.",
        example: Some(("URL_DECODE('a+b%26')", "a b&")),
        eval: |call| text_or_null(decode(call.text(0))),
        ..TEMPLATE
    },
    Function {
        name: "PARSE_URL",
        syntax: "PARSE_URL(url, part [, key])",
        summary: "Gives a part of a URL: HOST, PATH, QUERY, REF, PROTOCOL, AUTHORITY, FILE or USERINFO; with a key the value in the QUERY.",
        example: Some(("PARSE_URL('http://h/a?x=1&y=2', 'QUERY', 'y')", "2")),
        typing: |args| {
            check(args, &[&[Text, Text], &[Text, Text, Text]]).map(|()| gives_nullable(args, STRING))
        },
        eval: parse_url,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: |args| check_or_null(args, &[&[Text]]).map(|()| gives_nullable(args, STRING)),
    eval: parse_url,
    strict: true,
    deterministic: true,
};

/// As Java's `URLEncoder` does, which leaves letters, digits and `.-*_` as they are.
fn encode(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'.' | b'-' | b'*' | b'_' => encoded.push(char::from(byte)),
            b' ' => encoded.push('+'),
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

/// `None` if a `%` has no two hexadecimal digits.
fn decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? << 4 | digit()?).ok()?
            }
            _ => byte,
        });
    }
    Some(decode_utf8(&bytes))
}

fn parse_url(call: &Call<'_>) -> Evaluated {
    let part = call.text(1);
    text_or_null(JavaUrl::parse(call.text(0)).and_then(|url| {
        if call.args.len() > 2 {
            return if part == "QUERY" { query_value(&url.query?, call.text(2)) } else { None };
        }
        match part {
            "HOST" => Some(url.host),
            "PATH" => Some(url.path),
            "QUERY" => url.query,
            "REF" => url.reference,
            "PROTOCOL" => Some(url.protocol),
            "AUTHORITY" => url.authority,
            "FILE" => Some(url.file()),
            "USERINFO" => url.user_info,
            _ => None,
        }
    }))
}

/// The value of the first `key=value` with this key.
fn query_value(query: &str, key: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
}
