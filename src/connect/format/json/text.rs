//! Objects and arrays as the text of a STRING.
//!
//! Flink reads them as trees and writes those: without blanks, with a key once, and with floating
//! point numbers as it holds them.

use super::super::Flaw;
use super::cursor::{Cursor, Token};
use crate::value::display::write_double;
use crate::value::json::{write_json_string, write_scaled};

/// Appends the text of the value that comes, which is `depth` deep. Numbers with a fraction or an
/// exponent are exact decimals, or DOUBLEs.
pub(super) fn write_tree(
    cursor: &mut Cursor<'_>,
    out: &mut String,
    exact: bool,
    depth: usize,
) -> Result<(), Flaw> {
    let mut scratch = String::new();
    match cursor.token(&mut scratch)? {
        Token::String(text) => write_json_string(out, text),
        Token::Number(number) => {
            let start = out.len();
            write_number(out, number, exact);
            if out.ends_with(INFINITY) {
                out.insert(start, '"');
                out.push('"');
            }
        }
        Token::Boolean(boolean) => out.push_str(if boolean { "true" } else { "false" }),
        Token::Null => out.push_str("null"),
        Token::Open if cursor.peek() == b'{' => {
            cursor.open(depth)?;
            let mut members: Vec<(String, String)> = vec![];
            cursor.members(b'}', |cursor| {
                let key = cursor.string(&mut scratch)?.to_owned();
                cursor.skip_blanks();
                cursor.expect(b':')?;
                cursor.skip_blanks();
                let mut value = String::new();
                write_tree(cursor, &mut value, exact, depth + 1)?;
                // A key that comes again keeps its place and gets the new value.
                match members.iter_mut().find(|(other, _)| *other == key) {
                    Some((_, old)) => *old = value,
                    None => members.push((key, value)),
                }
                Ok(())
            })?;
            out.push('{');
            for (i, (key, value)) in members.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_json_string(out, key);
                out.push(':');
                out.push_str(value);
            }
            out.push('}');
        }
        Token::Open => {
            cursor.open(depth)?;
            out.push('[');
            let mut first = true;
            cursor.members(b']', |cursor| {
                if !std::mem::take(&mut first) {
                    out.push(',');
                }
                write_tree(cursor, out, exact, depth + 1)
            })?;
            out.push(']');
        }
    }
    Ok(())
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
    write_scaled(out, significant, scale);
}
