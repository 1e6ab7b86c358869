//! Random numbers and identifiers.
//!
//! With a seed, the numbers are those of Java's `Random`. Each call begins the sequence anew, so
//! a seed gives the same number for every row.

use super::call::{Evaluated, text};
use super::parameter::Parameter::{self, Int};
use super::parameter::{Typed, check, gives, gives_type};
use super::{Argument, Call, Category, EvalError, Function};
use crate::value::{DataType, TypeKind, Value};

pub(super) static FUNCTIONS: &[Function] = &[
    Function {
        name: "RAND",
        syntax: "RAND([seed])",
        summary: "Gives a random number from 0 to below 1, the same one for the same seed.",
        typing: |args| random(args, &[&[], &[Int]], TypeKind::Double),
        eval: rand,
        ..TEMPLATE
    },
    Function {
        name: "RAND_INTEGER",
        syntax: "RAND_INTEGER([seed,] bound)",
        summary: "Gives a random integer from 0 to below the bound, the same one for the same seed.",
        typing: |args| random(args, &[&[Int], &[Int, Int]], TypeKind::Int),
        eval: rand_integer,
        ..TEMPLATE
    },
    Function {
        name: "UUID",
        syntax: "UUID()",
        summary: "Gives a random universally unique identifier of 36 characters.",
        category: Category::String,
        typing: |args| {
            check(args, &[&[]])?;
            Ok(gives_type(args, DataType::new(TypeKind::Char(36)).not_null()))
        },
        eval: |_| uuid(),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Arithmetic,
    typing: |args| random(args, &[], TypeKind::Int),
    eval: rand,
    strict: true,
    deterministic: false,
};

fn random(args: &[Argument<'_>], forms: &[&[Parameter]], kind: TypeKind) -> Typed {
    check(args, forms).map(|()| gives(args, kind))
}

/// Unpredictable bytes from the operating system.
fn entropy<const N: usize>() -> Result<[u8; N], EvalError> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(EvalError(format!("no random numbers are available: {error}"))),
    }
}

fn rand(call: &Call<'_>) -> Evaluated {
    let mut random = match call.get(0) {
        Some(_) => JavaRandom::new(call.integer(0)),
        None => JavaRandom::new(i64::from_le_bytes(entropy()?)),
    };
    Ok(Value::double(random.next_double()))
}

fn rand_integer(call: &Call<'_>) -> Evaluated {
    let (mut random, bound) = match call.get(1) {
        Some(_) => (JavaRandom::new(call.integer(0)), call.integer(1)),
        None => (JavaRandom::new(i64::from_le_bytes(entropy()?)), call.integer(0)),
    };
    match i32::try_from(bound) {
        Ok(bound) if bound > 0 => Ok(Value::integer(random.next_below(bound))),
        _ => Err(EvalError("the bound is not positive".to_owned())),
    }
}

/// A version 4 identifier as RFC 9562 writes it.
fn uuid() -> Evaluated {
    let bits = u128::from_be_bytes(entropy()?);
    let version = bits & !(0xf << 76) | (4 << 76);
    let variant = version & !(0b11 << 62) | (0b10 << 62);
    let digits = format!("{variant:032x}");
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    text(parts.join("-"))
}

/// Java's linear congruential generator of 48 bits.
struct JavaRandom(i64);

impl JavaRandom {
    const MULTIPLIER: i64 = 0x0005_deec_e66d;
    const MASK: i64 = (1 << 48) - 1;

    fn new(seed: i64) -> Self {
        Self((seed ^ Self::MULTIPLIER) & Self::MASK)
    }

    /// The next bits, up to 32, as a signed number.
    fn next(&mut self, bits: u32) -> i32 {
        self.0 = self.0.wrapping_mul(Self::MULTIPLIER).wrapping_add(0xb) & Self::MASK;
        #[expect(clippy::cast_possible_truncation, reason = "Java keeps the lower 32 bits")]
        let next = (self.0 >> (48 - bits)) as i32;
        next
    }

    fn next_double(&mut self) -> f64 {
        let bits = (i64::from(self.next(26)) << 27) + i64::from(self.next(27));
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let fraction = bits as f64 / (1_i64 << 53) as f64;
        fraction
    }

    fn next_below(&mut self, bound: i32) -> i32 {
        if bound & (bound - 1) == 0 {
            let scaled = (i64::from(bound) * i64::from(self.next(31))) >> 31;
            return i32::try_from(scaled).expect("the result is below the bound");
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            // Bits beyond the last whole multiple of the bound would favour low numbers.
            if bits.checked_sub(value).and_then(|start| start.checked_add(bound - 1)).is_some() {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_numbers_of_java() {
        let double = |seed| JavaRandom::new(seed).next_double();
        assert!((double(5) - 0.730_519_863_614_471).abs() < f64::EPSILON);
        assert!((double(-1) - 0.268_942_630_880_504_96).abs() < f64::EPSILON);
        let below = |seed, bound| JavaRandom::new(seed).next_below(bound);
        assert_eq!(
            [below(1, 100), below(42, 7), below(42, 16), below(42, 1_000_000_000)],
            [85, 1, 11, 562_431_130]
        );
    }

    #[test]
    fn an_identifier_has_its_version_and_variant_in_place() {
        let id = uuid().unwrap();
        let id = id.as_str().unwrap();
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]));
        assert_ne!(uuid().unwrap().as_str(), Some(id));
    }
}
