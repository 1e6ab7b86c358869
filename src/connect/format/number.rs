//! Numbers from text, by the rules of Java.
//!
//! The `scan_` functions read what is common straight from the bytes, exactly, and give up on the
//! rest; the `parse_` functions take whole texts. Two things that Java reads are refused: hexadecimal
//! floating point numbers, and digits that are neither ASCII nor full-width.

use std::borrow::Cow;

use jiff::tz::TimeZone;

use super::Output;
use crate::value::cast::cast;
use crate::value::json::write_scaled;
use crate::value::{DataType, Decimal, TypeKind, Value};

/// The digits that fit 64 bits whatever they are.
const SAFE_DIGITS: usize = 18;

const POWERS: [i64; SAFE_DIGITS + 1] = {
    let mut powers = [1; SAFE_DIGITS + 1];
    let mut i = 1;
    while i <= SAFE_DIGITS {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};

/// The lowest and the highest number of an integer type, and of the intervals, which are integers
/// here.
pub(super) fn integer_range(kind: &TypeKind) -> Option<(i64, i64)> {
    Some(match kind {
        TypeKind::TinyInt => (i64::from(i8::MIN), i64::from(i8::MAX)),
        TypeKind::SmallInt => (i64::from(i16::MIN), i64::from(i16::MAX)),
        TypeKind::Int | TypeKind::IntervalMonth => (i64::from(i32::MIN), i64::from(i32::MAX)),
        TypeKind::BigInt | TypeKind::IntervalSecond => (i64::MIN, i64::MAX),
        _ => return None,
    })
}

/// The value of an integer in a type of [`integer_range`].
pub(super) fn integer_value(number: i64, kind: &TypeKind) -> Value {
    match kind {
        TypeKind::IntervalMonth => Value::months(i32::try_from(number).unwrap_or_default()),
        TypeKind::IntervalSecond => Value::millis(number),
        _ => Value::integer(number),
    }
}

/// An integer `-?digits` of up to 18 digits at a place, and where it ends. A leading zero is left
/// to others, as is what follows.
#[inline]
pub(super) fn scan_integer(bytes: &[u8], at: usize) -> Option<(i64, usize)> {
    let negative = bytes.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let (number, end) = scan_digits(bytes, start);
    let length = end - start;
    if length == 0 || length > SAFE_DIGITS || (length > 1 && bytes[start] == b'0') {
        return None;
    }
    Some((if negative { -number } else { number }, end))
}

/// A decimal `-?digits[.digits]` of few digits at a place, as an integer over `10^scale`, and where
/// it ends. What has more digits than the scale or a leading zero is left to others.
#[inline]
pub(super) fn scan_decimal(bytes: &[u8], at: usize, scale: u8) -> Option<(i64, usize)> {
    let negative = bytes.get(at) == Some(&b'-');
    let start = at + usize::from(negative);
    let (whole, point) = scan_digits(bytes, start);
    let length = point - start;
    if length == 0 || length + usize::from(scale) > SAFE_DIGITS || (length > 1 && bytes[start] == b'0') {
        return None;
    }
    let mut number = whole;
    let mut end = point;
    let mut places = usize::from(scale);
    if bytes.get(point) == Some(&b'.') {
        let (fraction, fraction_end) = scan_digits(bytes, point + 1);
        let length = fraction_end - point - 1;
        if length == 0 || length > places {
            return None;
        }
        number = number * POWERS[length] + fraction;
        places -= length;
        end = fraction_end;
    }
    number *= POWERS[places];
    Some((if negative { -number } else { number }, end))
}

/// Digits at a place; the number is wrong if there are too many. One after the other is faster than
/// eight at once, as long as the processor guesses right how many there are.
#[inline]
fn scan_digits(bytes: &[u8], at: usize) -> (i64, usize) {
    let mut end = at;
    let mut number = 0_i64;
    while let Some(&byte) = bytes.get(end) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number.wrapping_mul(10).wrapping_add(i64::from(digit));
        end += 1;
    }
    (number, end)
}

/// A decimal that [`scan_decimal`] read, if it has no more digits than the precision; else NULL.
#[inline]
pub(super) fn decimal_value(unscaled: i64, precision: u8, scale: u8) -> Value {
    let fits = usize::from(precision) > SAFE_DIGITS || {
        let limit = POWERS[usize::from(precision)];
        -limit < unscaled && unscaled < limit
    };
    if fits { Value::decimal(Decimal::new(i128::from(unscaled), scale)) } else { Value::NULL }
}

/// What Java's `trim` leaves of a text.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// An integer as Java's `parseInt` reads it: digits and a sign.
pub(super) fn parse_integer(text: &str, (lowest, highest): (i64, i64)) -> Option<i64> {
    let text = ascii_digits(text);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: i64 = text.parse().ok().filter(|_| valid)?;
    (lowest..=highest).contains(&number).then_some(number)
}

/// A decimal as Java's `BigDecimal` reads it, rounded half up to the scale; NULL if it has too many
/// digits, and `None` if the text is no number.
pub(super) fn parse_decimal(text: &str, precision: u8, scale: u8) -> Option<Value> {
    let text = ascii_digits(text);
    is_decimal(text.as_bytes())
        .then(|| Decimal::parse(&text, precision, scale).map_or(Value::NULL, Value::decimal))
}

/// A `DOUBLE` or `FLOAT` as Java's `parseDouble` and `parseFloat` read it.
pub(super) fn parse_float(text: &str, kind: &TypeKind) -> Option<Value> {
    if is_decimal(text.as_bytes()) {
        return match kind {
            TypeKind::Float => text.parse().map(Value::float).ok(),
            _ => text.parse().map(Value::double).ok(),
        };
    }
    let text = Value::string(text);
    cast(&text, &DataType::string(), &DataType::new(kind.clone()), &TimeZone::UTC).ok()
}

/// Writes a decimal: plain with all digits of its scale, or as Flink's formats do by themselves, as
/// a `BigDecimal` without zeros at its end, `1E+2`.
#[inline]
pub(super) fn write_decimal(out: &mut Output, decimal: Decimal, plain: bool) {
    match i64::try_from(decimal.unscaled()) {
        // In 64 bits all of it is much faster.
        Ok(unscaled) => write_small_decimal(out, unscaled, decimal.scale(), plain),
        Err(_) if plain => write_plain(out, decimal),
        Err(_) => write_shortest(out, decimal.normalized()),
    }
}

fn write_small_decimal(out: &mut Output, mut unscaled: i64, mut scale: u8, plain: bool) {
    if !plain {
        while scale > 0 && unscaled % 10 == 0 {
            unscaled /= 10;
            scale -= 1;
        }
        if scale == 0 && unscaled % 10 == 0 && unscaled != 0 {
            return write_shortest(out, Decimal::new(unscaled.into(), scale));
        }
    }
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(unscaled.unsigned_abs());
    match digits.len().checked_sub(scale.into()) {
        Some(point @ 1..) => {
            if unscaled < 0 {
                out.push('-');
            }
            out.push_str(&digits[..point]);
            if scale > 0 {
                out.push('.');
                out.push_str(&digits[point..]);
            }
        }
        _ if plain => write_plain(out, Decimal::new(unscaled.into(), scale)),
        _ => write_shortest(out, Decimal::new(unscaled.into(), scale)),
    }
}

fn write_plain(out: &mut Output, decimal: Decimal) {
    // Writing into memory cannot fail.
    let _ = decimal.write_to(out);
}

/// Writes a decimal without zeros at the end of its fraction.
fn write_shortest(out: &mut Output, decimal: Decimal) {
    if decimal.unscaled() < 0 {
        out.push('-');
    }
    let digits = decimal.unscaled().unsigned_abs().to_string();
    let ends_before_the_point = decimal.scale() == 0 && decimal.unscaled() != 0;
    let significant = if ends_before_the_point { digits.trim_end_matches('0') } else { &digits };
    let zeros = i32::try_from(digits.len() - significant.len()).unwrap_or_default();
    let _ = write_scaled(out, significant, i32::from(decimal.scale()) - zeros);
}

/// Whether bytes are `[+-]digits[.digits][e[+-]digits]` with a digit and an exponent of 32 bits.
fn is_decimal(bytes: &[u8]) -> bool {
    let unsigned = if let [b'+' | b'-', rest @ ..] = bytes { rest } else { bytes };
    let (number, exponent) = match unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let mut points = 0;
    let mut digits = 0;
    for byte in number {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' => points += 1,
            _ => return false,
        }
    }
    let is_exponent = |exponent: &[u8]| {
        let text = std::str::from_utf8(exponent).unwrap_or_default();
        text.parse::<i32>().is_ok_and(|exponent| exponent.unsigned_abs() < 1 << 30)
    };
    digits > 0 && points <= 1 && exponent.is_none_or(is_exponent)
}

/// The text with ASCII digits for full-width ones, which Java takes too.
fn ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let digit = |c: char| {
        let digit = u32::from(c).checked_sub(0xFF10).filter(|&digit| digit < 10);
        digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(c)
    };
    Cow::Owned(text.chars().map(digit).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_integer_is_scanned_as_it_is_parsed(number in any::<i64>(), digits in 0_u32..19, tail in ".{0,9}") {
            let number = number % 10_i64.pow(digits);
            let text = format!("{number}{tail}");
            let expected = (!tail.starts_with(|c: char| c.is_ascii_digit())).then_some((number, text.len() - tail.len()));
            prop_assume!(expected.is_some());
            prop_assert_eq!(scan_integer(text.as_bytes(), 0), expected);
        }

        #[test]
        fn a_decimal_is_scanned_as_it_is_parsed(whole in -99_999_999_i64..99_999_999, fraction in "(\\.[0-9]{0,5})?") {
            let text = format!("{whole}{fraction},");
            let scanned = scan_decimal(text.as_bytes(), 0, 4);
            if let Some((unscaled, end)) = scanned {
                prop_assert_eq!(end, text.len() - 1);
                let parsed = parse_decimal(&text[..end], 18, 4);
                prop_assert_eq!(Some(Value::decimal(Decimal::new(i128::from(unscaled), 4))), parsed);
            } else {
                prop_assert!(fraction == "." || fraction.len() > 5);
            }
        }
    }
}
