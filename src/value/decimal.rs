//! Exact decimal numbers of up to 38 digits.

use std::cmp::Ordering;
use std::fmt;

/// The most digits that a `DECIMAL` can have.
pub const MAX_PRECISION: u8 = 38;

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

/// `10^exponent`, for exponents up to 38.
pub(super) fn power_of_ten(exponent: u8) -> i128 {
    10_i128.pow(u32::from(exponent))
}

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
        // Whole parts first, so that nothing is scaled beyond 38 digits.
        let (a, b) = (power_of_ten(self.scale), power_of_ten(other.scale));
        let whole = (self.unscaled / a).cmp(&(other.unscaled / b));
        whole.then_with(|| {
            let scale = self.scale.max(other.scale);
            let left = self.unscaled % a * power_of_ten(scale - self.scale);
            let right = other.unscaled % b * power_of_ten(scale - other.scale);
            left.cmp(&right)
        })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scale == 0 {
            return write!(f, "{}", self.unscaled);
        }
        let sign = if self.unscaled < 0 { "-" } else { "" };
        let digits = self.unscaled.unsigned_abs();
        let point = power_of_ten(self.scale).unsigned_abs();
        let width = usize::from(self.scale);
        write!(f, "{sign}{}.{:0width$}", digits / point, digits % point)
    }
}
