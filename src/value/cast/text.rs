//! Reading booleans, numbers and times from text.

use super::CastError;
use crate::value::decimal::{Decimal, MAX_COMPACT_PRECISION};
use crate::value::{Value, time};

fn not_a(text: &str, type_name: &str) -> CastError {
    CastError(format!("\"{text}\" is not a {type_name}"))
}

/// `t`, `true`, `y`, `yes`, `1` and their opposites, in any case.
pub(super) fn parse_boolean(text: &str) -> Result<bool, CastError> {
    let is_one_of = |words: [&str; 5]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_one_of(["t", "true", "y", "yes", "1"]) {
        Ok(true)
    } else if is_one_of(["f", "false", "n", "no", "0"]) {
        Ok(false)
    } else {
        Err(not_a(text, "BOOLEAN"))
    }
}

pub(super) fn parse_date(text: &str) -> Result<i32, CastError> {
    time::parse_date(text).ok_or_else(|| not_a(text, "DATE"))
}

pub(super) fn parse_time(text: &str) -> Result<u32, CastError> {
    time::parse_time(text).ok_or_else(|| not_a(text, "TIME"))
}

pub(super) fn parse_timestamp(text: &str, precision: u8) -> Result<(i64, u32), CastError> {
    time::parse_timestamp(text, precision).ok_or_else(|| not_a(text, "TIMESTAMP"))
}

/// Digits with an optional sign and an optional fraction, which is dropped; blanks around it.
pub(super) fn parse_integer(text: &str, lowest: i64, highest: i64) -> Result<i64, CastError> {
    let trimmed = text.trim_matches(' ');
    let (negative, number) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let (digits, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if number.is_empty() || !all_digits(digits) || !all_digits(fraction) {
        return Err(not_a(text, "number"));
    }
    let magnitude = digits
        .bytes()
        .try_fold(0_i128, |value, digit| value.checked_mul(10)?.checked_add(i128::from(digit - b'0')));
    let value = magnitude.map(|value| if negative { -value } else { value });
    let value = value.and_then(|value| i64::try_from(value).ok());
    value
        .filter(|value| (lowest..=highest).contains(value))
        .ok_or_else(|| CastError(format!("\"{text}\" is out of range")))
}

/// A number as Java's `Double.parseDouble` reads it: also `NaN`, `Infinity` and a type suffix.
pub(super) fn parse_double(text: &str) -> Result<f64, CastError> {
    java_float(text).and_then(|number| number.parse().ok()).ok_or_else(|| not_a(text, "number"))
}

/// Like [`parse_double`], rounded to a `FLOAT` at once.
pub(super) fn parse_float(text: &str) -> Result<f32, CastError> {
    java_float(text).and_then(|number| number.parse().ok()).ok_or_else(|| not_a(text, "number"))
}

/// The text as Rust can parse it, if Java could.
fn java_float(text: &str) -> Option<&str> {
    let trimmed = text.trim_matches(|c| c <= ' ');
    let unsigned = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
    if matches!(unsigned, "NaN" | "Infinity") {
        return Some(trimmed);
    }
    let number = trimmed.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(trimmed);
    let starts_with_number = |c: char| c.is_ascii_digit() || c == '.';
    let unsigned = number.strip_prefix(['-', '+']).unwrap_or(number);
    unsigned.starts_with(starts_with_number).then_some(number)
}

/// A decimal; one that does not fit is an error, unlike in casts between numbers.
///
/// As in Flink, short text for a precision of up to 18 digits may end in one wrong character,
/// and leading zeros count as digits; blanks, tabs and line ends may surround it.
pub(super) fn parse_decimal(text: &str, precision: u8, scale: u8) -> Result<Value, CastError> {
    let decimal = if precision > MAX_COMPACT_PRECISION || text.len() > usize::from(MAX_COMPACT_PRECISION) {
        let ascii: String = text.chars().map(|c| ascii_digit(c).unwrap_or(c)).collect();
        Decimal::parse(ascii.trim_matches([' ', '\n', '\t']), precision, scale)
    } else {
        parse_compact(text.as_bytes(), precision, scale)
    };
    decimal
        .map(Value::decimal)
        .ok_or_else(|| CastError(format!("\"{text}\" is not a DECIMAL({precision}, {scale})")))
}

/// The ASCII digit for a full-width one, which Java's `BigDecimal` takes too.
fn ascii_digit(c: char) -> Option<char> {
    let digit = u32::from(c).checked_sub(0xFF10).filter(|&digit| digit < 10)?;
    char::from_digit(digit, 10)
}

/// Flink's reader of short decimals, step by step.
fn parse_compact(bytes: &[u8], precision: u8, scale: u8) -> Option<Decimal> {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t');
    let mut rest = bytes.iter().copied().skip_while(|&byte| is_blank(byte)).peekable();
    let negative = *rest.peek()? == b'-';
    if negative || *rest.peek()? == b'+' {
        rest.next();
        rest.peek()?;
    }
    let mut unscaled: i128 = 0;
    let (mut length, mut point) = (0_i32, None);
    let mut last = 0;
    for byte in rest.by_ref() {
        last = byte;
        match byte {
            b'0'..=b'9' => {
                unscaled = unscaled * 10 + i128::from(byte - b'0');
                length += 1;
            }
            b'.' if point.is_none() => point = Some(length),
            b'.' => return None,
            // The character that ends the number is not looked at again, unless it is an E.
            _ => break,
        }
        last = 0;
    }
    let mut exponent = 0;
    if matches!(last, b'e' | b'E')
        && let Some(&sign) = rest.peek()
    {
        if matches!(sign, b'-' | b'+') {
            rest.next();
            rest.peek()?;
        }
        // Like the number, the exponent may end in a character that is not looked at.
        while exponent < 40
            && let Some(byte) = rest.next()
            && byte.is_ascii_digit()
        {
            exponent = exponent * 10 + i32::from(byte - b'0');
        }
        if sign == b'-' {
            exponent = -exponent;
        }
    }
    if !rest.all(is_blank) {
        return None;
    }
    let shift = exponent - (length - point.unwrap_or(length)) + i32::from(scale);
    if length + shift > i32::from(precision) {
        return None;
    }
    let digits = Decimal::new(if negative { -unscaled } else { unscaled }, 0);
    let places = u8::try_from(shift.unsigned_abs()).ok()?;
    let shifted = if shift >= 0 {
        digits.rescale(38, places)?.unscaled()
    } else if places <= MAX_COMPACT_PRECISION {
        Decimal::new(digits.unscaled(), places).rescale(38, 0)?.unscaled()
    } else {
        return None;
    };
    Some(Decimal::new(shifted, scale))
}
