//! Floating point numbers as the decimal digits that Java prints, to be rounded as such.

use std::fmt::Write;

use crate::value::display::write_double;

/// A positive number as its shortest decimal digits, without zeros at either end.
pub(super) struct Digits {
    digits: Vec<u8>,
    /// How many of the digits stand before the point; negative if zeros follow it first.
    pub point: i64,
}

impl Digits {
    pub(super) fn of(number: f64) -> Self {
        let mut text = String::new();
        // The digits that Java prints are those that it rounds.
        let _ = write_double(&mut text, number);
        let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
        let zeros = all.iter().take_while(|&&digit| digit == 0).count();
        let signed = |length: usize| i64::try_from(length).unwrap_or(0);
        let point = signed(whole.len()) + exponent.parse().unwrap_or(0) - signed(zeros);
        Self { digits: all[zeros..].to_vec(), point }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.point = 0;
        }
        self
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Rounded half up to so many digits.
    pub(super) fn rounded(&self, length: usize) -> Self {
        let mut digits = self.digits[..self.digits.len().min(length)].to_vec();
        let mut point = self.point;
        if self.digits.get(length).is_some_and(|&digit| digit >= 5) {
            let kept = digits.iter().rposition(|&digit| digit != 9);
            if let Some(last) = kept {
                digits.truncate(last + 1);
                digits[last] += 1;
            } else {
                digits = vec![1];
                point += 1;
            }
        }
        Self { digits, point }.trimmed()
    }

    /// With so many digits after the point.
    pub(super) fn fixed(&self, places: usize) -> String {
        let rounded = self.rounded_at(i64::try_from(places).unwrap_or(i64::MAX));
        let digit = |at: i64| {
            let index = usize::try_from(at + rounded.point).ok();
            let digit = index.and_then(|index| rounded.digits.get(index)).copied().unwrap_or(0);
            char::from(b'0' + digit)
        };
        let whole = rounded.point.max(1);
        let mut out: String = (-whole..0).map(digit).collect();
        if places > 0 {
            out.push('.');
            out.extend((0..i64::try_from(places).unwrap_or(0)).map(digit));
        }
        out
    }

    /// With one digit before and so many after the point, and an exponent of at least two digits.
    pub(super) fn scientific(&self, places: usize) -> String {
        let rounded = self.rounded(places + 1);
        let digit = |at: usize| char::from(b'0' + rounded.digits.get(at).copied().unwrap_or(0));
        let mut out = String::from(digit(0));
        if places > 0 {
            out.push('.');
            out.extend((1..=places).map(digit));
        }
        let exponent = if rounded.is_zero() { 0 } else { rounded.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", exponent.abs());
        out
    }

    /// Rounded half up to so many digits after the point, or before it if negative.
    pub(super) fn rounded_at(&self, places: i64) -> Self {
        match usize::try_from(self.point.saturating_add(places)) {
            Ok(length) => self.rounded(length),
            Err(_) => Self { digits: Vec::new(), point: 0 },
        }
    }

    /// The nearest floating point number.
    pub(super) fn to_f64(&self) -> f64 {
        let digits: String = self.digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
        format!("0{digits}e{}", self.point - i64::try_from(self.digits.len()).unwrap_or(0))
            .parse()
            .unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_goes_half_up_on_the_shortest_digits() {
        assert_eq!(Digits::of(1.005).fixed(2), "1.01");
        assert_eq!(Digits::of(0.5).fixed(0), "1");
        assert_eq!(Digits::of(0.05).fixed(1), "0.1");
        assert_eq!(Digits::of(0.04).fixed(1), "0.0");
        assert_eq!(Digits::of(0.004).fixed(1), "0.0");
        assert_eq!(Digits::of(99.999).fixed(2), "100.00");
        assert_eq!(Digits::of(1e20).fixed(1), "100000000000000000000.0");
        assert_eq!(Digits::of(9.9996).scientific(3), "1.000e+01");
        assert_eq!(Digits::of(0.0).scientific(2), "0.00e+00");
    }

    #[test]
    fn digits_are_rounded_at_a_place_and_read_back() {
        let rounded = |number, places| Digits::of(number).rounded_at(places).to_f64();
        for (number, places, expected) in [
            (1.005, 2, 1.01),
            (12345.678, -2, 12300.0),
            (0.4, 0, 0.0),
            (0.5, 0, 1.0),
            (5.0, -1, 10.0),
            (5.0, -3, 0.0),
            (1.5e-300, 300, 2e-300),
            (1e300, 2, 1e300),
        ] {
            assert!(
                (rounded(number, places) - expected).abs() <= f64::EPSILON * expected,
                "{number} {places}"
            );
        }
    }
}
