//! Exact decimal numbers of up to 38 digits.
//!
//! A number is an integer and a scale. Arithmetic computes the exact result and rounds it half up
//! to the scale that the caller gives; what does not fit the precision is `None`, which SQL shows
//! as NULL.

mod arithmetic;
mod text;

pub use text::NotADecimal;

use std::cmp::Ordering;
use std::fmt;

use super::DataType;

/// The most digits that a `DECIMAL` can have.
pub const MAX_PRECISION: u8 = 38;

/// The most digits of a decimal that Flink keeps in 64 bits; some of its rules differ beyond.
pub(super) const MAX_COMPACT_PRECISION: u8 = 18;

/// An exact decimal number: an integer and how many of its digits stand after the point.
#[derive(Debug, Clone, Copy, Default)]
pub struct Decimal {
    unscaled: i128,
    scale: u8,
}

impl Decimal {
    /// `unscaled / 10^scale`
    pub fn new(unscaled: i128, scale: u8) -> Self {
        Self { unscaled, scale }
    }

    /// The number without its point: 12.50 has 1250.
    pub fn unscaled(self) -> i128 {
        self.unscaled
    }

    /// The digits after the point: 12.50 has 2.
    pub fn scale(self) -> u8 {
        self.scale
    }

    /// The number of digits, without leading zeros and at least 1: 0.05 has 1, 12.50 has 4.
    pub fn digits(self) -> u8 {
        let mut digits = 1;
        while digits < MAX_PRECISION && self.unscaled.unsigned_abs() >= power(digits) {
            digits += 1;
        }
        digits
    }

    /// The type of a literal that reads as this number: 0.05 is a `DECIMAL(3, 2)`.
    pub fn literal_type(self) -> DataType {
        let precision = self.digits().max(self.scale + 1).min(MAX_PRECISION);
        DataType::decimal(precision, self.scale).not_null()
    }

    /// The same number without zeros at the end of its fraction.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        while self.scale > 0 && self.unscaled % 10 == 0 {
            self.unscaled /= 10;
            self.scale -= 1;
        }
        self
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::new(i128::from(value), 0)
    }
}

/// `10^exponent`, for exponents up to 38.
pub(super) fn power_of_ten(exponent: u8) -> i128 {
    POWERS[usize::from(exponent)]
}

/// `10^exponent` without a sign, for exponents up to 38.
fn power(exponent: u8) -> u128 {
    power_of_ten(exponent).unsigned_abs()
}

const POWERS: [i128; 39] = {
    let mut powers = [1; 39];
    let mut i = 1;
    while i < 39 {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal {}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.scale == other.scale {
            return self.unscaled.cmp(&other.unscaled);
        }
        // What fits 64 bits can be scaled up by as many digits as those have.
        let scale = self.scale.max(other.scale);
        if let (Ok(a), Ok(b)) = (i64::try_from(self.unscaled), i64::try_from(other.unscaled))
            && scale <= MAX_COMPACT_PRECISION
        {
            let scaled = |unscaled: i64, from: u8| i128::from(unscaled) * power_of_ten(scale - from);
            return scaled(a, self.scale).cmp(&scaled(b, other.scale));
        }
        // Whole parts first, so that nothing is scaled beyond 38 digits.
        let (a, b) = (power_of_ten(self.scale), power_of_ten(other.scale));
        let whole = (self.unscaled / a).cmp(&(other.unscaled / b));
        whole.then_with(|| {
            let left = self.unscaled % a * power_of_ten(scale - self.scale);
            let right = other.unscaled % b * power_of_ten(scale - other.scale);
            left.cmp(&right)
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}
