//! Decimals from and to text and binary numbers.

use std::fmt;
use std::str::FromStr;

use super::{Decimal, MAX_PRECISION, power};

/// Text is not a number, or not one that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a decimal number of up to 38 digits")]
pub struct NotADecimal;

/// What precedes the digits of a number below one.
const ZEROS: &str = "0.00000000000000000000000000000000000000";

/// The powers of ten that are exact as binary floating point numbers.
const FLOATS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The parts of a number in text: sign, digits with a point, and an exponent.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Parts<'a> {
    /// Reads `[+-]digits[.digits][e[+-]digits]` with at least one digit and nothing else.
    fn read(text: &'a str) -> Option<Self> {
        let (negative, text) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (number, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], read_exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let valid = digits(whole) && digits(fraction) && whole.len() + fraction.len() > 0;
        valid.then_some(Self { negative, whole, fraction, exponent })
    }

    /// The number as an integer over `10^scale`, rounded half up; `None` beyond 38 digits.
    fn scaled(&self, scale: u8) -> Option<i128> {
        // The digits up to this position count, the one after it rounds.
        let length = i64::try_from(self.whole.len()).ok()?;
        let wanted = length.saturating_add(self.exponent).saturating_add(i64::from(scale));
        let mut unscaled: u128 = 0;
        let mut seen = 0;
        let mut up = false;
        for byte in self.whole.bytes().chain(self.fraction.bytes()) {
            if seen >= wanted {
                up = seen == wanted && byte >= b'5';
                break;
            }
            unscaled = unscaled.checked_mul(10)?.checked_add(u128::from(byte - b'0'))?;
            seen += 1;
        }
        if unscaled > 0 && seen < wanted {
            let zeros = u8::try_from(wanted - seen).ok().filter(|&zeros| zeros <= MAX_PRECISION)?;
            unscaled = unscaled.checked_mul(power(zeros))?;
        }
        let unscaled = i128::try_from(unscaled + u128::from(up)).ok()?;
        Some(if self.negative { -unscaled } else { unscaled })
    }
}

/// An exponent; one that is too long to matter is cut to a huge one.
fn read_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = digits.parse().unwrap_or(i64::MAX / 4);
    Some(if negative { -value } else { value })
}

impl Decimal {
    /// Reads a number, with or without a point and an exponent, and rounds it half up to the
    /// scale; `None` if the text is no number or has more digits than the precision.
    pub fn parse(text: &str, precision: u8, scale: u8) -> Option<Self> {
        let unscaled = Parts::read(text)?.scaled(scale)?;
        (unscaled.unsigned_abs() < power(precision)).then_some(Self::new(unscaled, scale))
    }

    /// The number that a binary floating point number prints as, rounded half up to the scale;
    /// `None` if it has more digits than the precision or is not finite.
    pub fn from_f64(value: f64, precision: u8, scale: u8) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        Self::parse(&format!("{value:e}"), precision, scale)
    }

    /// The nearest binary floating point number.
    pub fn to_f64(self) -> f64 {
        // Within these bounds both numbers are exact, and so the quotient is correctly rounded.
        const EXACT: u64 = 1 << 53;
        if let Ok(unscaled) = i64::try_from(self.unscaled)
            && unscaled.unsigned_abs() <= EXACT
            && let Some(divisor) = FLOATS.get(usize::from(self.scale))
        {
            #[expect(clippy::cast_precision_loss, reason = "it is at most 2^53")]
            return unscaled as f64 / divisor;
        }
        format!("{}e-{}", self.unscaled, self.scale).parse().unwrap_or(f64::NAN)
    }

    /// Writes the number with all digits of its scale.
    pub fn write_to(self, out: &mut impl fmt::Write) -> fmt::Result {
        let mut buffer = itoa::Buffer::new();
        if self.unscaled < 0 {
            out.write_char('-')?;
        }
        let magnitude = self.unscaled.unsigned_abs();
        // 64-bit formatting is faster than 128-bit.
        let digits = match u64::try_from(magnitude) {
            Ok(small) => buffer.format(small),
            Err(_) => buffer.format(magnitude),
        };
        let scale = usize::from(self.scale);
        if scale == 0 {
            return out.write_str(digits);
        }
        if let Some(point) = digits.len().checked_sub(scale).filter(|&point| point > 0) {
            out.write_str(&digits[..point])?;
            out.write_char('.')?;
            return out.write_str(&digits[point..]);
        }
        out.write_str(&ZEROS[..2 + scale - digits.len()])?;
        out.write_str(digits)
    }
}

impl FromStr for Decimal {
    type Err = NotADecimal;

    /// Reads a number exactly: the scale is the number of digits after the point.
    fn from_str(text: &str) -> Result<Self, NotADecimal> {
        let parts = Parts::read(text).ok_or(NotADecimal)?;
        let length = i64::try_from(parts.fraction.len()).map_err(|_| NotADecimal)?;
        let scale = u8::try_from(length.saturating_sub(parts.exponent).max(0)).map_err(|_| NotADecimal)?;
        if scale > MAX_PRECISION {
            return Err(NotADecimal);
        }
        let unscaled = parts.scaled(scale).ok_or(NotADecimal)?;
        if unscaled.unsigned_abs() < power(MAX_PRECISION) {
            Ok(Self::new(unscaled, scale))
        } else {
            Err(NotADecimal)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str, precision: u8, scale: u8) -> String {
        Decimal::parse(text, precision, scale).map_or("NULL".to_owned(), |value| value.to_string())
    }

    #[test]
    fn text_with_point_and_exponent_is_rounded_to_the_scale() {
        assert_eq!(parsed("12.345", 4, 1), "12.3");
        assert_eq!(parsed("1.5e2", 5, 1), "150.0");
        assert_eq!(parsed("-.05", 5, 1), "-0.1");
        assert_eq!(parsed("1e-400", 38, 18), "0.000000000000000000");
        assert_eq!(
            parsed("12345678901234567890123456789012345678", 38, 0),
            "12345678901234567890123456789012345678"
        );
        assert_eq!(
            parsed("0.12345678901234567890123456789012345678901", 38, 38),
            "0.12345678901234567890123456789012345679"
        );
        for not_a_number in ["", "-", ".", "1.2.3", "1e", "12x", "1e5.0", "１"] {
            assert_eq!(parsed(not_a_number, 38, 0), "NULL", "{not_a_number}");
        }
        assert_eq!(parsed("1e400", 38, 0), "NULL");
        assert_eq!(parsed("0e400", 38, 0), "0");
    }

    #[test]
    fn doubles_become_the_number_that_they_print_as() {
        assert_eq!(Decimal::from_f64(1.005, 10, 2).unwrap().to_string(), "1.01");
        assert_eq!(Decimal::from_f64(-1.5, 4, 2).unwrap().to_string(), "-1.50");
        assert_eq!(Decimal::from_f64(1e20, 4, 2), None);
        assert_eq!(Decimal::from_f64(f64::NAN, 4, 2), None);
        let wide: Decimal = "12345678901234567890.5".parse().unwrap();
        assert!((wide.to_f64() - 1.234_567_890_123_456_8e19).abs() < 1.0);
        assert!((Decimal::new(25, 1).to_f64() - 2.5).abs() < f64::EPSILON);
    }

    #[test]
    fn a_literal_has_a_digit_before_the_point() {
        for (text, data_type) in [
            ("1.50", "DECIMAL(3, 2) NOT NULL"),
            ("0.05", "DECIMAL(3, 2) NOT NULL"),
            (".5", "DECIMAL(2, 1) NOT NULL"),
            ("0.1234567890123456789", "DECIMAL(20, 19) NOT NULL"),
        ] {
            assert_eq!(text.parse::<Decimal>().unwrap().literal_type().to_string(), data_type);
        }
    }

    #[test]
    fn numbers_are_written_with_all_digits_of_their_scale() {
        assert_eq!(Decimal::new(5, 3).to_string(), "0.005");
        assert_eq!(Decimal::new(-250, 2).to_string(), "-2.50");
        assert_eq!(Decimal::new(0, 2).to_string(), "0.00");
        assert_eq!(Decimal::new(7, 0).to_string(), "7");
    }
}
