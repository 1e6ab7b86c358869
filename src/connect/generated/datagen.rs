//! The options of Flink's `datagen`.

use super::super::ConnectError;
use super::super::options::{Options, bad_value};
use super::field::{Field, Length, Values};
use super::{LONGEST, key, null_rate};
use crate::value::{DataType, TypeKind};

/// How a column is made.
#[derive(Clone, Copy)]
enum Kind {
    Random,
    Sequence,
}

/// The length of texts and bytes whose type has no length.
const TEXT_LENGTH: i64 = 100;
const COLLECTION_LENGTH: i64 = 3;
/// Without a `max` intervals are of up to 10,000 years.
const MONTHS: i64 = 120_000;
/// What Java calls the minimum of FLOAT and DOUBLE, and Flink takes for it: the least that is more
/// than 0.
const FLOAT_MIN: f32 = f32::from_bits(1);
const DOUBLE_MIN: f64 = f64::from_bits(1);

/// The values of a column, and how many there are if there is an end.
pub(super) fn take(
    options: &mut Options<'_>,
    name: &str,
    data_type: &DataType,
) -> Result<(Field, Option<u64>), ConnectError> {
    let kinds = [("random", Kind::Random), ("sequence", Kind::Sequence)];
    match options.choice(key(name, "kind"), &kinds, false)? {
        Kind::Random => Ok((Taker { options, column: name }.field(name, data_type)?, None)),
        Kind::Sequence => sequence(options, name, &data_type.kind),
    }
}

fn sequence(
    options: &mut Options<'_>,
    name: &str,
    kind: &TypeKind,
) -> Result<(Field, Option<u64>), ConnectError> {
    let range = match kind {
        TypeKind::TinyInt => i64::from(i8::MIN)..=i64::from(i8::MAX),
        TypeKind::SmallInt => i64::from(i16::MIN)..=i64::from(i16::MAX),
        TypeKind::Int | TypeKind::Float | TypeKind::Double => i64::from(i32::MIN)..=i64::from(i32::MAX),
        TypeKind::BigInt
        | TypeKind::Char(_)
        | TypeKind::VarChar(_)
        | TypeKind::Binary(_)
        | TypeKind::VarBinary(_) => i64::MIN..=i64::MAX,
        TypeKind::Decimal { precision, scale } => {
            let largest = 10_i64.checked_pow(u32::from(precision.saturating_sub(*scale)));
            let largest = largest.map_or(i64::MAX, |power| power - 1);
            -largest..=largest
        }
        TypeKind::Null
        | TypeKind::Boolean
        | TypeKind::Date
        | TypeKind::Time(_)
        | TypeKind::Timestamp(_)
        | TypeKind::TimestampLtz(_)
        | TypeKind::IntervalMonth
        | TypeKind::IntervalSecond
        | TypeKind::Array(_)
        | TypeKind::Map(..)
        | TypeKind::Multiset(_)
        | TypeKind::Row(_)
        | TypeKind::Bitmap => {
            let expected = "'random', as only numbers, texts and bytes have sequences";
            return Err(bad_value(key(name, "kind"), "sequence", expected));
        }
    };
    let (start_key, end_key) = (key(name, "start"), key(name, "end"));
    let start = options.whole(start_key.clone(), range.clone())?;
    let end = options.whole(end_key.clone(), range)?;
    let missing = |key| ConnectError::MissingOption { connector: options.taker().to_owned(), key };
    let start = start.ok_or_else(|| missing(start_key))?;
    let end = end.ok_or_else(|| missing(end_key))?;
    let count = if start <= end { end.abs_diff(start).saturating_add(1) } else { 0 };
    let values = Values::Sequence { start, kind: kind.clone() };
    Ok((Field { values, null_rate: 0.0 }, Some(count)))
}

/// Takes the options of a column with random values.
struct Taker<'o, 'a> {
    options: &'o mut Options<'a>,
    /// The column, for messages.
    column: &'o str,
}

impl Taker<'_, '_> {
    /// The values of a column or of what is in it, which lies at a path such as `orders.element.id`.
    fn field(&mut self, path: &str, data_type: &DataType) -> Result<Field, ConnectError> {
        let values = self.values(path, data_type)?;
        let null_rate = match values {
            // Flink has none there.
            Values::Date | Values::Time | Values::Bytes(_) => 0.0,
            _ => null_rate(self.options, path, data_type.nullable)?,
        };
        Ok(Field { values, null_rate })
    }

    fn values(&mut self, path: &str, data_type: &DataType) -> Result<Values, ConnectError> {
        Ok(match &data_type.kind {
            TypeKind::Boolean => Values::Boolean,
            TypeKind::TinyInt => self.integer(path, i8::MIN.into(), i8::MAX.into())?,
            TypeKind::SmallInt => self.integer(path, i16::MIN.into(), i16::MAX.into())?,
            TypeKind::Int => self.integer(path, i32::MIN.into(), i32::MAX.into())?,
            TypeKind::BigInt => self.integer(path, i64::MIN, i64::MAX)?,
            TypeKind::Float => {
                let (min, max) = self.reals(path, FLOAT_MIN.into(), f32::MAX.into(), f32::MAX.into())?;
                Values::Float { min, max }
            }
            TypeKind::Double => {
                let (min, max) = self.reals(path, DOUBLE_MIN, f64::MAX, f64::MAX)?;
                Values::Double { min, max }
            }
            TypeKind::Decimal { precision, scale } => {
                let (precision, scale) = (*precision, *scale);
                let largest = 10_f64.powi(i32::from(precision) - i32::from(scale));
                let largest = largest - 10_f64.powi(-i32::from(scale));
                let (min, max) = self.reals(path, DOUBLE_MIN, f64::MAX, largest)?;
                Values::Decimal { min, max, precision, scale }
            }
            TypeKind::Char(length) => Values::Text(Length { length: i64::from(*length), varies: false }),
            TypeKind::VarChar(length) => Values::Text(self.length(path, *length, 1)?),
            TypeKind::Binary(length) => Values::Bytes(Length { length: i64::from(*length), varies: false }),
            TypeKind::VarBinary(length) => Values::Bytes(self.length(path, *length, 0)?),
            TypeKind::Date => Values::Date,
            TypeKind::Time(_) => Values::Time,
            TypeKind::Timestamp(precision) | TypeKind::TimestampLtz(precision) => {
                let max_past = self.options.duration(key(path, "max-past"))?.unwrap_or_default();
                let max_past = i64::try_from(max_past.as_millis()).unwrap_or(i64::MAX);
                Values::Timestamp { precision: *precision, max_past }
            }
            TypeKind::IntervalMonth => {
                let (min, max) = self.wholes(path, (0, MONTHS), i64::from(i32::MIN)..=i64::from(i32::MAX))?;
                Values::Months { min, max }
            }
            TypeKind::IntervalSecond => {
                let (min, max) = self.wholes(path, (i64::MIN, i64::MAX), i64::MIN..=i64::MAX)?;
                Values::Millis { min, max }
            }
            TypeKind::Array(element) => {
                let length = self.count(path)?;
                Values::Array(Box::new(self.field(&format!("{path}.element"), element)?), length)
            }
            TypeKind::Multiset(element) => {
                let length = self.count(path)?;
                Values::Multiset(Box::new(self.field(&format!("{path}.element"), element)?), length)
            }
            TypeKind::Map(keys, values) => {
                let length = self.count(path)?;
                let keys = self.field(&format!("{path}.key"), keys)?;
                let values = self.field(&format!("{path}.value"), values)?;
                Values::Map(Box::new(keys), Box::new(values), length)
            }
            TypeKind::Row(fields) => {
                let fields = fields.iter();
                let fields =
                    fields.map(|field| self.field(&format!("{path}.{}", field.name), &field.data_type));
                Values::Row(fields.collect::<Result<_, _>>()?)
            }
            TypeKind::Null | TypeKind::Bitmap => {
                return Err(ConnectError::NotGenerated {
                    connector: "datagen",
                    column: self.column.to_owned(),
                    data_type: data_type.to_string(),
                });
            }
        })
    }

    fn integer(&mut self, path: &str, least: i64, most: i64) -> Result<Values, ConnectError> {
        let (min, max) = self.wholes(path, (least, most), least..=most)?;
        Ok(Values::Integer { min, max })
    }

    /// The bounds of whole numbers, both of which may occur.
    fn wholes(
        &mut self,
        path: &str,
        (min, max): (i64, i64),
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<(i64, i64), ConnectError> {
        let most = *range.end();
        let min = self.options.whole(key(path, "min"), range)?.unwrap_or(min);
        let max_key = key(path, "max");
        match self.options.whole(max_key, min..=most)? {
            Some(max) => Ok((min, max)),
            None if min <= max => Ok((min, max)),
            None => {
                let expected = format!("a whole number up to {max} without 'fields.{path}.max'");
                Err(bad_value(key(path, "min"), &min.to_string(), &expected))
            }
        }
    }

    /// The bounds of numbers that are not whole; the upper one does not occur. Those that are out of
    /// the type's reach count as the nearest that is not.
    fn reals(&mut self, path: &str, min: f64, max: f64, largest: f64) -> Result<(f64, f64), ConnectError> {
        let min = self.options.real(key(path, "min"))?.unwrap_or(min).clamp(-largest, largest);
        let given = self.options.real(key(path, "max"))?;
        let max = given.unwrap_or(max).clamp(-largest, largest);
        if min < max {
            return Ok((min, max));
        }
        Err(match given {
            Some(max) => bad_value(key(path, "max"), &max.to_string(), &format!("a number above {min}")),
            None => bad_value(key(path, "min"), &min.to_string(), &format!("a number below {max}")),
        })
    }

    /// How long the values of VARCHAR and VARBINARY are.
    fn length(&mut self, path: &str, longest: u32, least: i64) -> Result<Length, ConnectError> {
        let longest = i64::from(longest);
        let default = if longest == i64::from(crate::value::MAX_LENGTH) { TEXT_LENGTH } else { longest };
        let length = self.options.whole(key(path, "length"), least..=longest.min(LONGEST))?;
        let varies = self.options.flag(key(path, "var-len"), false)?;
        Ok(Length { length: length.unwrap_or(default), varies })
    }

    /// How many elements collections have.
    fn count(&mut self, path: &str) -> Result<i64, ConnectError> {
        Ok(self.options.whole(key(path, "length"), 0..=LONGEST)?.unwrap_or(COLLECTION_LENGTH))
    }
}
