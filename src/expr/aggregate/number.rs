//! Sums, averages and variances of numbers.

use crate::value::cast::wrap_integer;
use crate::value::{DataType, Decimal, TypeKind, Value};

/// The type of the numbers that an aggregate takes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    /// An integer type, whose sums wrap around.
    Integer(TypeKind),
    Float,
    Double,
    /// Decimals with this scale.
    Decimal(u8),
}

impl Number {
    /// The number type of this name, if it is one.
    pub(super) fn of(data_type: &DataType) -> Option<Self> {
        match &data_type.kind {
            TypeKind::Float => Some(Self::Float),
            TypeKind::Double => Some(Self::Double),
            TypeKind::Decimal { scale, .. } => Some(Self::Decimal(*scale)),
            kind if kind.is_integer() => Some(Self::Integer(kind.clone())),
            _ => None,
        }
    }

    /// A number as a `DOUBLE`, for variances.
    pub(super) fn to_double(value: &Value) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "variances are computed with 53 bits")]
        let integer = value.as_integer().map(|value| value as f64);
        integer
            .or_else(|| value.as_double())
            .or_else(|| value.as_float().map(f64::from))
            .or_else(|| value.as_decimal().map(Decimal::to_f64))
    }

    /// A `DOUBLE` cast to the type of a variance of such numbers.
    #[expect(clippy::cast_possible_truncation, reason = "the result has the type of the argument")]
    pub(super) fn cast_double(&self, value: f64) -> Value {
        match self {
            Self::Integer(TypeKind::BigInt) => Value::integer(value as i64),
            Self::Integer(kind) => Value::integer(wrap_integer(i64::from(value as i32), kind)),
            Self::Float => Value::float(value as f32),
            Self::Double => Value::double(value),
            Self::Decimal(scale) => {
                Decimal::from_f64(value, 38, *scale.max(&6)).map_or(Value::NULL, Value::decimal)
            }
        }
    }
}

/// A sum of decimals in two halves, so that it needs no alignment to 16 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct DecimalSum {
    high: i64,
    low: u64,
    /// Whether there is a sum; there is none before the first value and after an overflow.
    known: bool,
}

impl DecimalSum {
    /// The sum of no values: unknown for `SUM`, zero for `AVG`.
    pub(super) fn new(known: bool) -> Self {
        Self { high: 0, low: 0, known }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the halves of a 128-bit integer"
    )]
    fn of(unscaled: i128) -> Self {
        Self { high: (unscaled >> 64) as i64, low: unscaled as u64, known: true }
    }

    fn unscaled(self) -> i128 {
        (i128::from(self.high) << 64) | i128::from(self.low)
    }

    /// The sum with a number of this scale added. As in Flink a `SUM` that overflowed starts anew,
    /// an `AVG` stays NULL.
    pub(super) fn plus(self, value: Decimal, scale: u8, restarts: bool) -> Self {
        if !self.known && !restarts {
            return self;
        }
        let sum = Decimal::new(if self.known { self.unscaled() } else { 0 }, scale).add(value, 38, scale);
        sum.map_or(Self::new(false), |sum| Self::of(sum.unscaled()))
    }

    /// The sum, if it is known.
    pub(super) fn get(self, scale: u8) -> Option<Decimal> {
        self.known.then(|| Decimal::new(self.unscaled(), scale))
    }
}

/// The mean of values and the sum of their squared distances from it, updated value by value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    count: i64,
    mean: f64,
    squares: f64,
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
impl Moments {
    pub(super) fn add(&mut self, value: f64) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
    }

    pub(super) fn remove(&mut self, value: f64) {
        self.count -= 1;
        if self.count == 0 {
            *self = Self::default();
            return;
        }
        let distance = value - self.mean;
        let mean = self.mean - distance / self.count as f64;
        self.squares -= distance * (value - mean);
        self.mean = mean;
    }

    /// The variance; there is none of no value, of a sample of one value, and, as in Flink, when
    /// removals left a negative sum of squares.
    pub(super) fn variance(self, sample: bool) -> Option<f64> {
        let count = if sample { self.count - 1 } else { self.count };
        (count > 0 && self.squares >= 0.0).then(|| self.squares / count as f64)
    }
}
