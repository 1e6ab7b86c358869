//! The four operations, remainder and rounding.

use std::cmp::Ordering;

use ethnum::U256;

use super::{Decimal, MAX_PRECISION, power, power_of_ten};

impl Decimal {
    /// The sum, rounded half up to the scale; `None` if it has more digits than the precision.
    pub fn add(self, other: Self, precision: u8, scale: u8) -> Option<Self> {
        if self.scale == other.scale {
            let sum = self.unscaled.checked_add(other.unscaled)?;
            return Self::new(sum, self.scale).rescale(precision, scale);
        }
        let (a, b) = aligned(self, other)?;
        let common = self.scale.max(other.scale);
        let sum = if a.negative == b.negative {
            Wide { magnitude: a.magnitude.checked_add(b.magnitude)?, negative: a.negative }
        } else if a.magnitude >= b.magnitude {
            Wide { magnitude: a.magnitude - b.magnitude, negative: a.negative }
        } else {
            Wide { magnitude: b.magnitude - a.magnitude, negative: b.negative }
        };
        sum.round(common, precision, scale)
    }

    /// The difference, rounded half up to the scale; `None` if it has more digits than the
    /// precision.
    pub fn sub(self, other: Self, precision: u8, scale: u8) -> Option<Self> {
        self.add(Self::new(-other.unscaled, other.scale), precision, scale)
    }

    /// The product, rounded half up to the scale; `None` if it has more digits than the precision.
    pub fn mul(self, other: Self, precision: u8, scale: u8) -> Option<Self> {
        let exact = self.scale + other.scale;
        if exact <= MAX_PRECISION
            && let Some(product) = self.unscaled.checked_mul(other.unscaled)
        {
            return Self::new(product, exact).rescale(precision, scale);
        }
        let magnitude = U256::from(self.unscaled.unsigned_abs()) * U256::from(other.unscaled.unsigned_abs());
        let negative = (self.unscaled < 0) != (other.unscaled < 0);
        Wide { magnitude, negative }.round(exact, precision, scale)
    }

    /// The quotient, rounded half up to the scale; `None` if it has more digits than the precision,
    /// or if the divisor is zero.
    pub fn div(self, other: Self, precision: u8, scale: u8) -> Option<Self> {
        if other.unscaled == 0 {
            return None;
        }
        let shift = i16::from(scale) - i16::from(self.scale) + i16::from(other.scale);
        let (mut dividend, mut divisor) =
            (U256::from(self.unscaled.unsigned_abs()), U256::from(other.unscaled.unsigned_abs()));
        if shift >= 0 {
            // A dividend that is wider than 256 bits has a quotient of more than 38 digits.
            dividend = dividend.checked_mul(wide_power(shift.unsigned_abs())?)?;
        } else {
            divisor = divisor.checked_mul(wide_power(shift.unsigned_abs())?)?;
        }
        let negative = (self.unscaled < 0) != (other.unscaled < 0);
        Wide { magnitude: divide_half_up(dividend, divisor), negative }.round(scale, precision, scale)
    }

    /// The remainder, which has the sign of the dividend; `None` if it has more digits than the
    /// precision, or if the divisor is zero.
    pub fn rem(self, other: Self, precision: u8, scale: u8) -> Option<Self> {
        if other.unscaled == 0 {
            return None;
        }
        let (a, b) = aligned(self, other)?;
        let remainder = Wide { magnitude: a.magnitude % b.magnitude, negative: a.negative };
        remainder.round(self.scale.max(other.scale), precision, scale)
    }

    /// The same number with another scale, rounded half up; `None` if it has more digits than the
    /// precision.
    pub fn rescale(self, precision: u8, scale: u8) -> Option<Self> {
        let unscaled = match scale.cmp(&self.scale) {
            Ordering::Equal => self.unscaled,
            Ordering::Greater => self.unscaled.checked_mul(power_of_ten(scale - self.scale))?,
            Ordering::Less => {
                let divisor = power_of_ten(self.scale - scale);
                let (quotient, remainder) = (self.unscaled / divisor, self.unscaled % divisor);
                let up = remainder.unsigned_abs() >= divisor.unsigned_abs() - remainder.unsigned_abs();
                if up { quotient + self.unscaled.signum() } else { quotient }
            }
        };
        (unscaled.unsigned_abs() < power(precision)).then_some(Self::new(unscaled, scale))
    }

    /// The whole part, which drops the fraction: -2.5 has -2.
    pub fn whole(self) -> i128 {
        self.unscaled / power_of_ten(self.scale)
    }
}

/// A sign and up to 256 bits.
struct Wide {
    magnitude: U256,
    negative: bool,
}

impl Wide {
    /// This integer over `10^from` as a decimal of the precision and scale, rounded half up.
    fn round(self, from: u8, precision: u8, scale: u8) -> Option<Decimal> {
        let magnitude = if scale >= from {
            self.magnitude.checked_mul(wide_power(u16::from(scale - from))?)?
        } else {
            divide_half_up(self.magnitude, wide_power(u16::from(from - scale))?)
        };
        let magnitude = u128::try_from(magnitude).ok().filter(|&value| value < power(precision))?;
        let unscaled = i128::try_from(magnitude).ok()?;
        Some(Decimal::new(if self.negative { -unscaled } else { unscaled }, scale))
    }
}

/// Both numbers as integers over the larger of the two scales.
fn aligned(a: Decimal, b: Decimal) -> Option<(Wide, Wide)> {
    let scale = a.scale.max(b.scale);
    let widen = |value: Decimal| {
        let factor = wide_power(u16::from(scale - value.scale))?;
        let magnitude = U256::from(value.unscaled.unsigned_abs()).checked_mul(factor)?;
        Some(Wide { magnitude, negative: value.unscaled < 0 })
    };
    Some((widen(a)?, widen(b)?))
}

/// `10^exponent`, or `None` if it is wider than 256 bits.
fn wide_power(exponent: u16) -> Option<U256> {
    let low = u8::try_from(exponent.min(u16::from(MAX_PRECISION))).ok()?;
    let high = u8::try_from(exponent - u16::from(low)).ok().filter(|&high| high <= MAX_PRECISION)?;
    U256::from(power(low)).checked_mul(U256::from(power(high)))
}

fn divide_half_up(dividend: U256, divisor: U256) -> U256 {
    // The hardware's widths are much faster than 256 bits.
    if let (Ok(a), Ok(b)) = (u128::try_from(dividend), u128::try_from(divisor)) {
        let (quotient, remainder) = (a / b, a % b);
        return U256::from(if remainder >= b - remainder { quotient + 1 } else { quotient });
    }
    let (quotient, remainder) = (dividend / divisor, dividend % divisor);
    if remainder >= divisor - remainder { quotient + U256::ONE } else { quotient }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_order_is_the_sign_of_the_difference(
            unscaled in any::<[i64; 2]>(),
            scales in [0_u8..=19, 0_u8..=19],
            digits in [0_u32..19, 0_u32..19],
        ) {
            let decimal = |i: usize| Decimal::new((unscaled[i] % 10_i64.pow(digits[i])).into(), scales[i]);
            let difference = decimal(0).sub(decimal(1), 38, scales[0].max(scales[1]));
            let sign = difference.expect("it has at most 38 digits").unscaled().cmp(&0);
            prop_assert_eq!(decimal(0).cmp(&decimal(1)), sign);
        }
    }

    fn number(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    fn shown(value: Option<Decimal>) -> String {
        value.map_or("NULL".to_owned(), |value| value.to_string())
    }

    #[test]
    fn sums_and_products_are_exact_and_round_half_up_to_the_result_scale() {
        assert_eq!(shown(number("123.45").add(number("6.5"), 6, 2)), "129.95");
        assert_eq!(shown(number("-0.01").sub(number("3.0"), 6, 2)), "-3.01");
        assert_eq!(shown(number("123.45").mul(number("6.5"), 10, 3)), "802.425");
        let c = number("99999999.500000000000000000");
        assert_eq!(shown(number("-0.01").add(c, 38, 17)), "99999999.49000000000000000");
        assert_eq!(shown(c.mul(c, 38, 6)), "9999999900000000.250000");
        assert_eq!(
            shown(number("1.000000000000000001").add(number("123.45"), 38, 17)),
            "124.45000000000000000"
        );
    }

    #[test]
    fn quotients_have_the_result_scale() {
        assert_eq!(shown(number("123.45").div(number("6.5"), 11, 7)), "18.9923077");
        assert_eq!(shown(number("-0.01").div(number("3"), 16, 13)), "-0.0033333333333");
        assert_eq!(shown(number("1").div(number("3"), 38, 6)), "0.333333");
        assert_eq!(shown(number("0.00000046").div(number("1"), 38, 6)), "0.000000");
        assert_eq!(shown(number("1").div(number("0.00"), 38, 6)), "NULL");
    }

    #[test]
    fn a_remainder_has_the_sign_of_the_dividend() {
        assert_eq!(shown(number("123.45").rem(number("6.5"), 5, 2)), "6.45");
        assert_eq!(shown(number("-7.5").rem(number("2"), 5, 1)), "-1.5");
        assert_eq!(shown(number("7").rem(number("0"), 5, 1)), "NULL");
    }

    #[test]
    fn rounding_goes_half_away_from_zero_and_overflow_is_null() {
        assert_eq!(shown(number("2.505").rescale(5, 1)), "2.5");
        assert_eq!(shown(number("-2.55").rescale(5, 1)), "-2.6");
        assert_eq!(shown(number("99.999").rescale(5, 1)), "100.0");
        assert_eq!(shown(number("99.95").rescale(3, 1)), "NULL");
        assert_eq!(shown(Decimal::new(power_of_ten(37), 0).rescale(38, 2)), "NULL");
        let nines = Decimal::new(power_of_ten(38) - 1, 0);
        assert_eq!(shown(nines.add(number("1"), 38, 0)), "NULL");
        assert_eq!(shown(nines.mul(nines, 38, 0)), "NULL");
    }
}
