//! What the values of a column are.

use std::fmt::Write;

use indexmap::IndexMap;

use super::faker::{Fake, Unfit};
use super::random::Random;
use crate::value::time::{split_millis, truncate_timestamp};
use crate::value::{Decimal, TypeKind, Value};

/// What the values of a column are, or of what is in it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub(super) values: Values,
    /// How many of the values are NULL, from 0 to 1.
    pub(super) null_rate: f64,
}

/// What values there are.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    /// Numbers that go up by one.
    Sequence {
        start: i64,
        kind: TypeKind,
    },
    Boolean,
    Integer {
        min: i64,
        max: i64,
    },
    Float {
        min: f64,
        max: f64,
    },
    Double {
        min: f64,
        max: f64,
    },
    Decimal {
        min: f64,
        max: f64,
        precision: u8,
        scale: u8,
    },
    /// Hexadecimal digits, as Flink has them.
    Text(Length),
    Bytes(Length),
    Months {
        min: i64,
        max: i64,
    },
    Millis {
        min: i64,
        max: i64,
    },
    Date,
    Time,
    /// The time of the row, or up to so many milliseconds before it.
    Timestamp {
        precision: u8,
        max_past: i64,
    },
    Array(Box<Field>, i64),
    Map(Box<Field>, Box<Field>, i64),
    /// So many elements, each as often as a random number says.
    Multiset(Box<Field>, i64),
    /// So many elements, each as often as it came.
    Bag(Box<Field>, i64),
    Row(Vec<Field>),
    /// Texts of an expression, as values of the type.
    Fake(Fake),
}

/// How long a text is, in digits, or how many bytes there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Length {
    pub(super) length: i64,
    /// Whether it is shorter, and by how much, at random.
    pub(super) varies: bool,
}

/// The most that an element of a random MULTISET is in it.
const MOST: i64 = 10;

impl Field {
    /// The value in the row of this number, counted from 0, whose time is so many milliseconds after
    /// 1970-01-01 00:00:00 UTC.
    ///
    /// # Errors
    /// An expression made a text that is no value of its type.
    pub(super) fn value(&self, random: &mut Random, number: u64, time: i64) -> Result<Value, Box<Unfit>> {
        if random.happens(self.null_rate) {
            return Ok(Value::NULL);
        }
        Ok(match &self.values {
            Values::Sequence { start, kind } => in_sequence(start.wrapping_add_unsigned(number), kind),
            Values::Boolean => Value::boolean(random.next() >> 63 == 1),
            Values::Integer { min, max } => Value::integer(random.within(*min, *max)),
            #[expect(clippy::cast_possible_truncation, reason = "both bounds are numbers of 32 bits")]
            Values::Float { min, max } => Value::float(random.between(*min, *max) as f32),
            Values::Double { min, max } => Value::double(random.between(*min, *max)),
            Values::Decimal { min, max, precision, scale } => {
                let number = Decimal::from_f64(random.between(*min, *max), *precision, *scale);
                number.map_or(Value::NULL, Value::decimal)
            }
            Values::Text(length) => {
                let length = length.draw(random);
                Value::string(&hexadecimal(random, length))
            }
            Values::Bytes(length) => {
                let length = length.draw(random);
                Value::bytes(bytes(random, length))
            }
            #[expect(clippy::cast_possible_truncation, reason = "both bounds are of 32 bits")]
            Values::Months { min, max } => Value::months(random.within(*min, *max) as i32),
            Values::Millis { min, max } => Value::millis(random.within(*min, *max)),
            Values::Date => Value::date(split_millis(time).0),
            Values::Time => Value::time(split_millis(time).1 / 1000 * 1000),
            Values::Timestamp { precision, max_past } => {
                let past = if *max_past > 0 { random.within(0, *max_past) } else { 0 };
                let (millis, nanos) = truncate_timestamp(time.saturating_sub(past), 0, *precision);
                Value::timestamp(millis, nanos)
            }
            Values::Array(element, length) => {
                let elements = (0..*length).map(|_| element.value(random, number, time));
                Value::list(elements.collect::<Result<Vec<_>, _>>()?)
            }
            Values::Map(keys, values, length) => entries(*length, || {
                Ok((keys.value(random, number, time)?, values.value(random, number, time)?))
            })?,
            Values::Multiset(element, length) => entries(*length, || {
                Ok((element.value(random, number, time)?, Value::integer(random.within(1, MOST))))
            })?,
            Values::Bag(element, length) => {
                let mut counts: IndexMap<Value, i64> = IndexMap::new();
                for _ in 0..*length {
                    *counts.entry(element.value(random, number, time)?).or_default() += 1;
                }
                let entries = counts.into_iter().map(|(element, count)| (element, Value::integer(count)));
                Value::entries(entries.collect::<Vec<_>>())
            }
            Values::Row(fields) => {
                let fields = fields.iter().map(|field| field.value(random, number, time));
                Value::list(fields.collect::<Result<Vec<_>, _>>()?)
            }
            Values::Fake(fake) => fake.value(random, time)?,
        })
    }
}

impl Length {
    fn draw(self, random: &mut Random) -> usize {
        // As in Flink one that varies is not the whole length.
        let length =
            if self.varies && self.length > 1 { random.within(1, self.length - 1) } else { self.length };
        usize::try_from(length).unwrap_or_default()
    }
}

/// A number of a sequence as a value.
fn in_sequence(number: i64, kind: &TypeKind) -> Value {
    match kind {
        #[expect(clippy::cast_precision_loss, reason = "as in Flink, large numbers are rounded")]
        TypeKind::Float => Value::float(number as f32),
        #[expect(clippy::cast_precision_loss, reason = "the numbers are of 32 bits")]
        TypeKind::Double => Value::double(number as f64),
        TypeKind::Decimal { precision, scale } => {
            let number = Decimal::new(number.into(), 0).rescale(*precision, *scale);
            number.map_or(Value::NULL, Value::decimal)
        }
        TypeKind::Char(_) | TypeKind::VarChar(_) => Value::string(&number.to_string()),
        // As in Flink, whatever the length of the type is.
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => Value::bytes(number.to_be_bytes().to_vec()),
        _ => Value::integer(number),
    }
}

fn hexadecimal(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 15);
    while text.len() < length {
        let digits = random.next();
        write!(text, "{digits:016x}").expect("a string takes all that is written");
    }
    text.truncate(length);
    text
}

fn bytes(random: &mut Random, length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length + 7);
    while bytes.len() < length {
        bytes.extend_from_slice(&random.next().to_be_bytes());
    }
    bytes.truncate(length);
    bytes
}

/// As many entries, but the first alone of those with one key.
fn entries(
    count: i64,
    mut entry: impl FnMut() -> Result<(Value, Value), Box<Unfit>>,
) -> Result<Value, Box<Unfit>> {
    let mut entries = IndexMap::new();
    for _ in 0..count {
        let (key, value) = entry()?;
        entries.entry(key).or_insert(value);
    }
    Ok(Value::entries(entries.into_iter().collect::<Vec<_>>()))
}
