//! Base64, hexadecimal and binary digits.

use std::fmt::Write;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::super::call::{Evaluated, failure, text};
use super::super::parameter::Parameter::{self, Bytes, Integer, Text};
use super::super::parameter::{BYTES, STRING, Typed, check, check_or_null, gives, gives_nullable};
use super::super::{Argument, Call, Category, Function};
use super::charset::decode_utf8;
use crate::value::Value;

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "TO_BASE64",
        syntax: "TO_BASE64(value)",
        summary: "Writes the bytes of a string or binary in Base64.",
        example: Some(("TO_BASE64('hello')", "aGVsbG8=")),
        typing: |args| string(args, &[&[Text], &[Bytes]]),
        eval: |call| text(to_base64(call.bytes(0))),
        ..TEMPLATE
    },
    Function {
        name: "FROM_BASE64",
        syntax: "FROM_BASE64(string)",
        summary: "Reads Base64 and gives the bytes as a string.",
        example: Some(("FROM_BASE64('aGVsbG8=')", "hello")),
        eval: from_base64,
        ..TEMPLATE
    },
    Function {
        name: "HEX",
        syntax: "HEX(value)",
        summary: "Writes an integer, or the bytes of a string, in hexadecimal digits.",
        example: Some(("HEX(255)", "FF")),
        typing: |args| string(args, &[&[Integer], &[Text]]),
        eval: hex,
        ..TEMPLATE
    },
    Function {
        name: "UNHEX",
        syntax: "UNHEX(string)",
        summary: "Reads pairs of hexadecimal digits as bytes; anything else gives NULL.",
        example: Some(("UNHEX('616263')", "x'616263'")),
        typing: |args| check_or_null(args, &[&[Text]]).map(|()| gives_nullable(args, BYTES)),
        eval: |call| Ok(unhex(call.bytes(0)).map_or(Value::NULL, Value::bytes)),
        ..TEMPLATE
    },
    Function {
        name: "BIN",
        syntax: "BIN(number)",
        summary: "Writes an integer in binary digits.",
        example: Some(("BIN(10)", "1010")),
        typing: |args| string(args, &[&[Integer]]),
        eval: |call| text(format!("{:b}", call.integer(0))),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::String,
    typing: |args| string(args, &[&[Text]]),
    eval: hex,
    strict: true,
    deterministic: true,
};

fn string(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Typed {
    check(args, forms).map(|()| gives(args, STRING))
}

/// Java's decoder: padding may be missing, and unused bits need not be zero.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Bytes in Base64, with padding.
pub(in crate::expr::function) fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

fn from_base64(call: &Call<'_>) -> Evaluated {
    let encoded = call.text(0);
    let padding_is_whole = !encoded.ends_with('=') || encoded.len().is_multiple_of(4);
    match BASE64.decode(encoded) {
        Ok(bytes) if padding_is_whole => text(decode_utf8(&bytes)),
        _ => failure(format!("\"{encoded}\" is not Base64")),
    }
}

fn hex(call: &Call<'_>) -> Evaluated {
    if let Some(number) = call.args[0].as_integer() {
        return text(format!("{number:X}"));
    }
    text(call.bytes(0).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02X}");
        digits
    }))
}

/// An odd first digit counts for nothing but a zero byte, as in Flink.
fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |&byte: &u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (odd, pairs) = digits.split_at(digits.len() % 2);
    let odd = odd.iter().map(|byte| digit(byte).map(|_| 0));
    let pairs = pairs.chunks(2).map(|pair| Some(digit(&pair[0])? << 4 | digit(&pair[1])?));
    odd.chain(pairs).collect()
}
