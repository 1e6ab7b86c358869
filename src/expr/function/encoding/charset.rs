//! Text in different character sets.

use super::super::call::{Evaluated, failure, text};
use super::super::parameter::Parameter::{Bytes, Text};
use super::super::parameter::{BYTES, STRING, check, gives};
use super::super::{Call, Category, Function};
use crate::value::Value;

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "ENCODE",
        syntax: "ENCODE(string, charset)",
        summary: "Gives the string's bytes in a character set: US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE, UTF-16LE or UTF-32.",
        example: Some(("ENCODE('a', 'UTF-16BE')", "x'0061'")),
        category: Category::String,
        typing: |args| check(args, &[&[Text, Text]]).map(|()| gives(args, BYTES)),
        eval: encode,
        strict: true,
        deterministic: true,
    },
    Function {
        name: "DECODE",
        syntax: "DECODE(bytes, charset)",
        summary: "Reads bytes as text in a character set: US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE, UTF-16LE or UTF-32.",
        example: Some(("DECODE(x'616263', 'UTF-8')", "abc")),
        category: Category::String,
        typing: |args| check(args, &[&[Bytes, Text]]).map(|()| gives(args, STRING)),
        eval: decode,
        strict: true,
        deterministic: true,
    },
];

/// The character sets that Flink documents, and UTF-32.
#[derive(Clone, Copy)]
enum Charset {
    Ascii,
    Latin1,
    Utf8,
    Utf16,
    Utf16Be,
    Utf16Le,
    Utf32,
}

impl Charset {
    /// The character set with one of the names that Java knows, in any case.
    fn find(name: &str) -> Option<Self> {
        Some(match name.to_ascii_uppercase().as_str() {
            "US-ASCII" | "ASCII" | "ISO646-US" | "646" => Self::Ascii,
            "ISO-8859-1" | "ISO8859-1" | "ISO8859_1" | "ISO_8859-1" | "8859_1" | "LATIN1" | "L1" => {
                Self::Latin1
            }
            "UTF-8" | "UTF8" => Self::Utf8,
            "UTF-16" | "UTF_16" | "UNICODE" | "UTF16" => Self::Utf16,
            "UTF-16BE" | "UTF_16BE" => Self::Utf16Be,
            "UTF-16LE" | "UTF_16LE" => Self::Utf16Le,
            "UTF-32" | "UTF32" | "UTF_32" => Self::Utf32,
            _ => return None,
        })
    }

    fn encode(self, text: &str) -> Vec<u8> {
        let narrow = |limit: char| -> Vec<u8> {
            text.chars().map(|c| if c <= limit { u8::try_from(c).unwrap_or(b'?') } else { b'?' }).collect()
        };
        match self {
            Self::Ascii => narrow('\u{7f}'),
            Self::Latin1 => narrow('\u{ff}'),
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf16 if text.is_empty() => Vec::new(),
            Self::Utf16 => [vec![0xfe, 0xff], Self::Utf16Be.encode(text)].concat(),
            Self::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Self::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Self::Utf32 => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        }
    }

    /// Bytes that stand for nothing become U+FFFD.
    fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Ascii => bytes
                .iter()
                .map(|&byte| if byte.is_ascii() { char::from(byte) } else { '\u{fffd}' })
                .collect(),
            Self::Latin1 => bytes.iter().copied().map(char::from).collect(),
            Self::Utf8 => decode_utf8(bytes),
            Self::Utf16 => match bytes {
                [0xff, 0xfe, rest @ ..] => Self::Utf16Le.decode(rest),
                [0xfe, 0xff, rest @ ..] => Self::Utf16Be.decode(rest),
                _ => Self::Utf16Be.decode(bytes),
            },
            Self::Utf16Be => decode_utf16(bytes, u16::from_be_bytes),
            Self::Utf16Le => decode_utf16(bytes, u16::from_le_bytes),
            Self::Utf32 => bytes
                .chunks(4)
                .map(|unit| {
                    let code = unit.try_into().ok().map(u32::from_be_bytes);
                    code.and_then(char::from_u32).unwrap_or('\u{fffd}')
                })
                .collect(),
        }
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect();
    if bytes.len() % 2 == 1 {
        text.push('\u{fffd}');
    }
    text
}

/// UTF-8 as Java reads it: malformed bytes become U+FFFD, an encoded surrogate a single one.
pub(super) fn decode_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        let error = match std::str::from_utf8(rest) {
            Ok(valid) => {
                text.push_str(valid);
                return text;
            }
            Err(error) => error,
        };
        let (valid, invalid) = rest.split_at(error.valid_up_to());
        text.push_str(&String::from_utf8_lossy(valid));
        text.push('\u{fffd}');
        let skipped = match invalid {
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
            _ => error.error_len().unwrap_or(invalid.len()),
        };
        rest = &invalid[skipped..];
    }
}

fn charset<'a>(call: &Call<'a>) -> Result<Charset, &'a str> {
    let name = call.text(1);
    Charset::find(name).ok_or(name)
}

fn encode(call: &Call<'_>) -> Evaluated {
    match charset(call) {
        Ok(charset) => Ok(Value::bytes(charset.encode(call.text(0)))),
        Err(name) => failure(format!("the character set \"{name}\" is not known")),
    }
}

fn decode(call: &Call<'_>) -> Evaluated {
    match charset(call) {
        Ok(charset) => text(charset.decode(call.bytes(0))),
        Err(name) => failure(format!("the character set \"{name}\" is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_bytes_become_as_many_replacements_as_in_java() {
        assert_eq!(decode_utf8(b"\xed\xa0\x80a"), "\u{fffd}a");
        assert_eq!(decode_utf8(b"\xc0\xaf"), "\u{fffd}\u{fffd}");
        assert_eq!(decode_utf8(b"\xf0\x9f\x98"), "\u{fffd}");
        assert_eq!(decode_utf8("ä€😀".as_bytes()), "ä€😀");
    }

    #[test]
    fn every_character_set_reads_what_it_writes() {
        for name in ["UTF-8", "UTF-16", "UTF-16BE", "UTF-16LE", "UTF-32"] {
            let charset = Charset::find(name).unwrap();
            assert_eq!(charset.decode(&charset.encode("aä€😀")), "aä€😀", "{name}");
        }
    }
}
