//! Objects and arrays as the text of a STRING.
//!
//! Flink reads them as trees and writes those: without blanks, with a key once, and with floating
//! point numbers as it holds them.

use super::super::Flaw;
use super::cursor::{Cursor, Token, closing};
use crate::value::display::write_double;
use crate::value::json::{write_json_string, write_scaled};

/// An array or object whose members are being read.
enum Open {
    /// The text up to the last member.
    Array(String),
    /// The keys and the texts of their values, and the key of the one that comes.
    Object(Vec<(String, String)>, String),
}

/// The text of the array or object that comes, which is `depth` deep. Numbers with a fraction or an
/// exponent are exact decimals, or DOUBLEs.
pub(super) fn tree_text(cursor: &mut Cursor<'_>, exact: bool, depth: usize) -> Result<String, Flaw> {
    let mut scratch = String::new();
    let mut around: Vec<Open> = vec![];
    loop {
        let mut text = String::new();
        match cursor.token(&mut scratch)? {
            Token::String(string) => write_json_string(&mut text, string),
            Token::Number(number) => {
                write_number(&mut text, number, exact);
                if text.ends_with(INFINITY) {
                    text = format!("\"{text}\"");
                }
            }
            Token::Boolean(boolean) => text.push_str(if boolean { "true" } else { "false" }),
            Token::Null => text.push_str("null"),
            Token::Open => {
                let close = closing(cursor.peek());
                cursor.open(depth + around.len())?;
                cursor.skip_blanks();
                let mut open = Open::new(close);
                if cursor.peek() != close {
                    open.read_key(cursor)?;
                    around.push(open);
                    continue;
                }
                cursor.at += 1;
                text = open.into_text();
            }
        }
        loop {
            let Some(open) = around.last_mut() else { return Ok(text) };
            open.add(text);
            if cursor.next_member(open.close())? {
                open.read_key(cursor)?;
                break;
            }
            text = around.pop().map(Open::into_text).unwrap_or_default();
        }
    }
}

impl Open {
    fn new(close: u8) -> Self {
        if close == b'}' { Self::Object(vec![], String::new()) } else { Self::Array("[".to_owned()) }
    }

    fn close(&self) -> u8 {
        match self {
            Self::Array(_) => b']',
            Self::Object(..) => b'}',
        }
    }

    /// Reads the key of the member that comes, if there are keys.
    fn read_key(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Flaw> {
        if let Self::Object(_, key) = self {
            let mut scratch = String::new();
            cursor.string(&mut scratch)?.clone_into(key);
            cursor.colon()?;
        }
        Ok(())
    }

    /// Adds a member. A key that comes again keeps its place and gets the new value.
    fn add(&mut self, value: String) {
        match self {
            Self::Array(text) => {
                if text.len() > 1 {
                    text.push(',');
                }
                text.push_str(&value);
            }
            Self::Object(members, key) => match members.iter_mut().find(|(other, _)| other == key) {
                Some((_, old)) => *old = value,
                None => members.push((std::mem::take(key), value)),
            },
        }
    }

    fn into_text(self) -> String {
        let (mut text, close) = match self {
            Self::Array(text) => (text, ']'),
            Self::Object(members, _) => {
                let mut text = "{".to_owned();
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        text.push(',');
                    }
                    write_json_string(&mut text, key);
                    text.push(':');
                    text.push_str(value);
                }
                (text, '}')
            }
        };
        text.push(close);
        text
    }
}

const INFINITY: &str = "Infinity";

/// Appends a number as the tree holds it: an integer, an exact decimal without zeros at its end, or
/// a DOUBLE, which may be infinite.
pub(super) fn write_number(out: &mut String, number: &str, exact: bool) {
    if !number.contains(['.', 'e', 'E']) {
        out.push_str(if number == "-0" { "0" } else { number });
    } else if exact {
        write_exact(out, number);
    } else {
        // Writing into a string cannot fail.
        let _ = write_double(out, number.parse().unwrap_or(f64::NAN));
    }
}

/// Writes a number as a `BigDecimal` without zeros at its end.
fn write_exact(out: &mut String, number: &str) {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |number| ("-", number));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        out.push('0');
        return;
    }
    let length = |text: &str| i32::try_from(text.len()).unwrap_or(i32::MAX);
    let zeros = length(&digits) - length(digits.trim_end_matches('0'));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    out.push_str(sign);
    let scale = length(fraction).saturating_sub(zeros).saturating_sub(exponent);
    let _ = write_scaled(out, significant, scale);
}
