//! Values: small, context-free, cheap to clone.
//!
//! A value does not know its type; the schema does. It takes 16 bytes: strings of up to
//! [`INLINE`] bytes lie inside it, longer ones behind one shared pointer; a decimal is a scaled
//! integer. How it is laid out is nobody else's business: build values with the constructors and
//! read them with the accessors.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::decimal::Decimal;

/// A row: its values, one for each column.
pub type Row = Box<[Value]>;

/// The longest string in bytes that lies inside a [`Value`].
const INLINE: usize = 14;

/// One value of any type, or NULL.
///
/// Equality, order and hash are those of keys, not of SQL: NULL equals NULL and is the lowest,
/// floating point numbers are ordered totally. Values of different types have some fixed order.
#[derive(Clone, Default)]
pub struct Value(Repr);

#[derive(Clone, Default)]
enum Repr {
    #[default]
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f32),
    Double(f64),
    Decimal(i64, u8),
    BigDecimal(Arc<Decimal>),
    Inline(u8, [u8; INLINE]),
    String(Arc<Box<str>>),
    Bytes(Arc<Box<[u8]>>),
    Date(i32),
    Time(u32),
    Timestamp {
        nanos: u32,
        millis: i64,
    },
    Months(i32),
    Millis(i64),
    List(Arc<Box<[Value]>>),
    Entries(Arc<Box<[(Value, Value)]>>),
}

impl Value {
    /// NULL
    pub const NULL: Self = Self(Repr::Null);

    /// A `BOOLEAN`.
    pub fn boolean(value: bool) -> Self {
        Self(Repr::Boolean(value))
    }

    /// A `TINYINT`, `SMALLINT`, `INT` or `BIGINT`.
    pub fn integer(value: impl Into<i64>) -> Self {
        Self(Repr::Integer(value.into()))
    }

    /// A `FLOAT`.
    pub fn float(value: f32) -> Self {
        Self(Repr::Float(value))
    }

    /// A `DOUBLE`.
    pub fn double(value: f64) -> Self {
        Self(Repr::Double(value))
    }

    /// A `DECIMAL` with the decimal's scale.
    pub fn decimal(value: Decimal) -> Self {
        match i64::try_from(value.unscaled()) {
            Ok(unscaled) => Self(Repr::Decimal(unscaled, value.scale())),
            Err(_) => Self(Repr::BigDecimal(Arc::new(value))),
        }
    }

    /// A `CHAR` or `VARCHAR`.
    pub fn string(text: &str) -> Self {
        let bytes = text.as_bytes();
        match u8::try_from(bytes.len()) {
            Ok(length) if bytes.len() <= INLINE => {
                let mut inline = [0; INLINE];
                inline[..bytes.len()].copy_from_slice(bytes);
                Self(Repr::Inline(length, inline))
            }
            _ => Self(Repr::String(Arc::new(text.into()))),
        }
    }

    /// A `BINARY` or `VARBINARY`.
    pub fn bytes(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(Repr::Bytes(Arc::new(bytes.into())))
    }

    /// A `DATE`, in days since 1970-01-01.
    pub fn date(days: i32) -> Self {
        Self(Repr::Date(days))
    }

    /// A `TIME`, in milliseconds since midnight.
    pub fn time(millis: u32) -> Self {
        Self(Repr::Time(millis))
    }

    /// A `TIMESTAMP` or `TIMESTAMP_LTZ`: milliseconds since 1970-01-01 00:00:00 (local or UTC),
    /// and the nanoseconds within that millisecond, 0 to 999,999.
    pub fn timestamp(millis: i64, nanos_of_milli: u32) -> Self {
        Self(Repr::Timestamp { nanos: nanos_of_milli, millis })
    }

    /// An `INTERVAL YEAR TO MONTH`, in months.
    pub fn months(months: i32) -> Self {
        Self(Repr::Months(months))
    }

    /// An `INTERVAL DAY TO SECOND`, in milliseconds.
    pub fn millis(millis: i64) -> Self {
        Self(Repr::Millis(millis))
    }

    /// An `ARRAY` of these elements or a `ROW` of these fields.
    pub fn list(items: impl Into<Box<[Value]>>) -> Self {
        Self(Repr::List(Arc::new(items.into())))
    }

    /// A `MAP` of keys to values, or a `MULTISET` of elements to counts, in the order in which
    /// they were put in.
    pub fn entries(entries: impl Into<Box<[(Value, Value)]>>) -> Self {
        Self(Repr::Entries(Arc::new(entries.into())))
    }

    /// Whether this is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self.0, Repr::Null)
    }

    /// The boolean.
    pub fn as_boolean(&self) -> Option<bool> {
        if let Repr::Boolean(value) = self.0 { Some(value) } else { None }
    }

    /// The integer.
    pub fn as_integer(&self) -> Option<i64> {
        if let Repr::Integer(value) = self.0 { Some(value) } else { None }
    }

    /// The `FLOAT`.
    pub fn as_float(&self) -> Option<f32> {
        if let Repr::Float(value) = self.0 { Some(value) } else { None }
    }

    /// The `DOUBLE`.
    pub fn as_double(&self) -> Option<f64> {
        if let Repr::Double(value) = self.0 { Some(value) } else { None }
    }

    /// The decimal.
    pub fn as_decimal(&self) -> Option<Decimal> {
        match &self.0 {
            Repr::Decimal(unscaled, scale) => Some(Decimal::new(i128::from(*unscaled), *scale)),
            Repr::BigDecimal(decimal) => Some(**decimal),
            _ => None,
        }
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::Inline(length, bytes) => {
                Some(std::str::from_utf8(&bytes[..usize::from(*length)]).expect("inline text is UTF-8"))
            }
            Repr::String(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes of a `BINARY`, or of a string's UTF-8.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Repr::Inline(length, bytes) => Some(&bytes[..usize::from(*length)]),
            Repr::String(text) => Some(text.as_bytes()),
            Repr::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The `DATE`, in days since 1970-01-01.
    pub fn as_date(&self) -> Option<i32> {
        if let Repr::Date(days) = self.0 { Some(days) } else { None }
    }

    /// The `TIME`, in milliseconds since midnight.
    pub fn as_time(&self) -> Option<u32> {
        if let Repr::Time(millis) = self.0 { Some(millis) } else { None }
    }

    /// The timestamp: milliseconds, and nanoseconds within the millisecond.
    pub fn as_timestamp(&self) -> Option<(i64, u32)> {
        if let Repr::Timestamp { nanos, millis } = self.0 { Some((millis, nanos)) } else { None }
    }

    /// The months of an interval.
    pub fn as_months(&self) -> Option<i32> {
        if let Repr::Months(months) = self.0 { Some(months) } else { None }
    }

    /// The milliseconds of an interval.
    pub fn as_millis(&self) -> Option<i64> {
        if let Repr::Millis(millis) = self.0 { Some(millis) } else { None }
    }

    /// The elements of an `ARRAY` or the fields of a `ROW`.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Repr::List(items) = &self.0 { Some(items) } else { None }
    }

    /// The entries of a `MAP` or `MULTISET`.
    pub fn as_entries(&self) -> Option<&[(Value, Value)]> {
        if let Repr::Entries(entries) = &self.0 { Some(entries) } else { None }
    }
}

impl Repr {
    /// A number for each type, so that values of different types have an order and a hash.
    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Boolean(_) => 1,
            Self::Integer(_) => 2,
            Self::Float(_) => 3,
            Self::Double(_) => 4,
            Self::Decimal(..) | Self::BigDecimal(_) => 5,
            Self::Inline(..) | Self::String(_) => 6,
            Self::Bytes(_) => 7,
            Self::Date(_) => 8,
            Self::Time(_) => 9,
            Self::Timestamp { .. } => 10,
            Self::Months(_) => 11,
            Self::Millis(_) => 12,
            Self::List(_) => 13,
            Self::Entries(_) => 14,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // An inline string is never as long as a shared one, and its tail is zero.
            (Repr::Inline(n, a), Repr::Inline(m, b)) => n == m && a == b,
            (Repr::Integer(a), Repr::Integer(b)) => a == b,
            (Repr::Decimal(a, s), Repr::Decimal(b, t)) if s == t => a == b,
            (Repr::Inline(..), Repr::String(_)) | (Repr::String(_), Repr::Inline(..)) => false,
            _ => self.cmp(other) == Ordering::Equal,
        }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Null, Repr::Null) => Ordering::Equal,
            (Repr::Boolean(a), Repr::Boolean(b)) => a.cmp(b),
            (Repr::Integer(a), Repr::Integer(b)) | (Repr::Millis(a), Repr::Millis(b)) => a.cmp(b),
            (Repr::Float(a), Repr::Float(b)) => a.total_cmp(b),
            (Repr::Double(a), Repr::Double(b)) => a.total_cmp(b),
            (Repr::Date(a), Repr::Date(b)) | (Repr::Months(a), Repr::Months(b)) => a.cmp(b),
            (Repr::Time(a), Repr::Time(b)) => a.cmp(b),
            (Repr::Timestamp { nanos: a, millis: b }, Repr::Timestamp { nanos: c, millis: d }) => {
                b.cmp(d).then(a.cmp(c))
            }
            (Repr::List(a), Repr::List(b)) => a.cmp(b),
            (Repr::Entries(a), Repr::Entries(b)) => a.cmp(b),
            (a, b) => a.rank().cmp(&b.rank()).then_with(|| {
                match (self.as_decimal(), other.as_decimal(), self.as_bytes(), other.as_bytes()) {
                    (Some(a), Some(b), _, _) => a.cmp(&b),
                    (_, _, Some(a), Some(b)) => a.cmp(b),
                    _ => Ordering::Equal,
                }
            }),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Null => state.write_u8(0),
            Repr::Boolean(value) => state.write_u8(u8::from(*value)),
            Repr::Integer(value) | Repr::Millis(value) => state.write_i64(*value),
            Repr::Float(value) => state.write_u32(value.to_bits()),
            Repr::Double(value) => state.write_u64(value.to_bits()),
            // Equal decimals of different scales must hash alike.
            Repr::Decimal(..) | Repr::BigDecimal(_) => {
                let decimal = self.as_decimal().unwrap_or_default().normalized();
                state.write_i128(decimal.unscaled());
            }
            Repr::Inline(length, bytes) => state.write(&bytes[..usize::from(*length)]),
            Repr::String(text) => state.write(text.as_bytes()),
            Repr::Bytes(bytes) => state.write(bytes),
            Repr::Date(value) | Repr::Months(value) => state.write_i32(*value),
            Repr::Time(value) => state.write_u32(*value),
            Repr::Timestamp { nanos, millis } => {
                state.write_i64(*millis);
                state.write_u32(*nanos);
            }
            Repr::List(items) => items.hash(state),
            Repr::Entries(entries) => entries.hash(state),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Null => f.write_str("NULL"),
            Repr::Boolean(value) => write!(f, "{value}"),
            Repr::Integer(value) => write!(f, "{value}"),
            Repr::Float(value) => write!(f, "{value:?}f"),
            Repr::Double(value) => write!(f, "{value:?}"),
            Repr::Decimal(..) | Repr::BigDecimal(_) => {
                write!(f, "{}", self.as_decimal().unwrap_or_default())
            }
            Repr::Inline(..) | Repr::String(_) => write!(f, "{:?}", self.as_str().unwrap_or("")),
            Repr::Bytes(bytes) => write!(f, "{bytes:x?}"),
            Repr::Date(days) => write!(f, "date {days}"),
            Repr::Time(millis) => write!(f, "time {millis}"),
            Repr::Timestamp { nanos, millis } => write!(f, "timestamp {millis}+{nanos}ns"),
            Repr::Months(months) => write!(f, "{months} months"),
            Repr::Millis(millis) => write!(f, "{millis} ms"),
            Repr::List(items) => items.fmt(f),
            Repr::Entries(entries) => f.debug_map().entries(entries.iter().map(|(k, v)| (k, v))).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_sixteen_bytes() {
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn short_and_long_strings_read_back_and_compare_by_their_bytes() {
        for text in ["", "a", "exactly-14-byt", "fifteen bytes..", "äöü€ and then some more"] {
            assert_eq!(Value::string(text).as_str(), Some(text));
        }
        assert!(Value::string("exactly-14-byt") < Value::string("exactly-14-byte"));
        assert_ne!(Value::string("a"), Value::string("a\0"));
    }

    #[test]
    fn null_is_the_lowest_value_and_equals_itself() {
        assert_eq!(Value::NULL, Value::NULL);
        assert!(Value::NULL < Value::boolean(false));
        assert!(Value::NULL < Value::integer(i64::MIN));
    }

    #[test]
    fn decimals_are_compared_by_their_number() {
        let small = Value::decimal(Decimal::new(150, 2));
        let same = Value::decimal(Decimal::new(15, 1));
        let big = Value::decimal(Decimal::new(i128::from(i64::MAX) * 100, 2));
        assert_eq!(small, same);
        assert!(small < big);
    }
}
