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
pub struct Value(Repr);

/// How a value lies in memory. What is flat is copied as it is, sixteen bytes; there is one case
/// beside it, so that copying and dropping a value is one test.
enum Repr {
    Flat(Flat),
    Shared(Arc<Shared>),
}

#[derive(Clone, Copy)]
enum Flat {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(f32),
    Double(f64),
    Decimal(i64, u8),
    String(u8, [u8; INLINE]),
    Date(i32),
    Time(u32),
    Timestamp { nanos: u32, millis: i64 },
    Months(i32),
    Millis(i64),
}

enum Shared {
    Decimal(Decimal),
    String(Box<str>),
    Bytes(Box<[u8]>),
    List(Box<[Value]>),
    Entries(Box<[(Value, Value)]>),
}

/// A value as it is seen, however it lies in memory. The order of the variants is that of values
/// of different types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum View<'a> {
    Null,
    Boolean(bool),
    Integer(i64),
    Float(Total),
    Double(Total),
    Decimal(Decimal),
    String(&'a [u8]),
    Bytes(&'a [u8]),
    Date(i32),
    Time(u32),
    Timestamp { millis: i64, nanos: u32 },
    Months(i32),
    Millis(i64),
    List(&'a [Value]),
    Entries(&'a [(Value, Value)]),
}

impl Value {
    /// NULL
    pub const NULL: Self = Self(Repr::Flat(Flat::Null));

    /// A `BOOLEAN`.
    pub fn boolean(value: bool) -> Self {
        Self(Repr::Flat(Flat::Boolean(value)))
    }

    /// A `TINYINT`, `SMALLINT`, `INT` or `BIGINT`.
    pub fn integer(value: impl Into<i64>) -> Self {
        Self(Repr::Flat(Flat::Integer(value.into())))
    }

    /// A `FLOAT`.
    pub fn float(value: f32) -> Self {
        Self(Repr::Flat(Flat::Float(value)))
    }

    /// A `DOUBLE`.
    pub fn double(value: f64) -> Self {
        Self(Repr::Flat(Flat::Double(value)))
    }

    /// A `DECIMAL` with the decimal's scale.
    pub fn decimal(value: Decimal) -> Self {
        match i64::try_from(value.unscaled()) {
            Ok(unscaled) => Self(Repr::Flat(Flat::Decimal(unscaled, value.scale()))),
            Err(_) => Self::shared(Shared::Decimal(value)),
        }
    }

    /// A `CHAR` or `VARCHAR`.
    #[inline]
    pub fn string(text: &str) -> Self {
        let mut value = Self::NULL;
        value.set_string(text);
        value
    }

    /// Makes this a `CHAR` or `VARCHAR`. It is made in its place, which is faster than to move a value
    /// that was just made of small pieces.
    #[inline]
    pub fn set_string(&mut self, text: &str) {
        let length = match u8::try_from(text.len()) {
            Ok(length) if text.len() <= INLINE => length,
            _ => return *self = Self::long_string(text),
        };
        // What was there is dropped first, so that nothing is made beside the place and moved.
        *self = Self::NULL;
        *self = Self(Repr::Flat(Flat::String(length, [0; INLINE])));
        if let Repr::Flat(Flat::String(_, inline)) = &mut self.0 {
            copy_short(inline, text.as_bytes());
        }
    }

    #[inline(never)]
    fn long_string(text: &str) -> Self {
        Self::shared(Shared::String(text.into()))
    }

    /// A `BINARY` or `VARBINARY`.
    pub fn bytes(bytes: impl Into<Box<[u8]>>) -> Self {
        Self::shared(Shared::Bytes(bytes.into()))
    }

    /// A `DATE`, in days since 1970-01-01.
    pub fn date(days: i32) -> Self {
        Self(Repr::Flat(Flat::Date(days)))
    }

    /// A `TIME`, in milliseconds since midnight.
    pub fn time(millis: u32) -> Self {
        Self(Repr::Flat(Flat::Time(millis)))
    }

    /// A `TIMESTAMP` or `TIMESTAMP_LTZ`: milliseconds since 1970-01-01 00:00:00 (local or UTC),
    /// and the nanoseconds within that millisecond, 0 to 999,999.
    pub fn timestamp(millis: i64, nanos_of_milli: u32) -> Self {
        Self(Repr::Flat(Flat::Timestamp { nanos: nanos_of_milli, millis }))
    }

    /// An `INTERVAL YEAR TO MONTH`, in months.
    pub fn months(months: i32) -> Self {
        Self(Repr::Flat(Flat::Months(months)))
    }

    /// An `INTERVAL DAY TO SECOND`, in milliseconds.
    pub fn millis(millis: i64) -> Self {
        Self(Repr::Flat(Flat::Millis(millis)))
    }

    /// An `ARRAY` of these elements or a `ROW` of these fields.
    pub fn list(items: impl Into<Box<[Value]>>) -> Self {
        Self::shared(Shared::List(items.into()))
    }

    /// A `MAP` of keys to values, or a `MULTISET` of elements to counts, in the order in which
    /// they were put in.
    pub fn entries(entries: impl Into<Box<[(Value, Value)]>>) -> Self {
        Self::shared(Shared::Entries(entries.into()))
    }

    /// Whether this is NULL.
    pub fn is_null(&self) -> bool {
        matches!(self.0, Repr::Flat(Flat::Null))
    }

    /// The boolean.
    pub fn as_boolean(&self) -> Option<bool> {
        if let Repr::Flat(Flat::Boolean(value)) = self.0 { Some(value) } else { None }
    }

    /// The integer.
    pub fn as_integer(&self) -> Option<i64> {
        if let Repr::Flat(Flat::Integer(value)) = self.0 { Some(value) } else { None }
    }

    /// The `FLOAT`.
    pub fn as_float(&self) -> Option<f32> {
        if let Repr::Flat(Flat::Float(value)) = self.0 { Some(value) } else { None }
    }

    /// The `DOUBLE`.
    pub fn as_double(&self) -> Option<f64> {
        if let Repr::Flat(Flat::Double(value)) = self.0 { Some(value) } else { None }
    }

    /// The decimal.
    pub fn as_decimal(&self) -> Option<Decimal> {
        if let View::Decimal(decimal) = self.view() { Some(decimal) } else { None }
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::Flat(Flat::String(length, bytes)) => {
                Some(std::str::from_utf8(&bytes[..usize::from(*length)]).expect("inline text is UTF-8"))
            }
            Repr::Shared(shared) => {
                if let Shared::String(text) = &**shared {
                    Some(text)
                } else {
                    None
                }
            }
            Repr::Flat(_) => None,
        }
    }

    /// The bytes of a `BINARY`, or of a string's UTF-8.
    #[inline]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if let Repr::Flat(Flat::String(length, bytes)) = &self.0 {
            return Some(&bytes[..usize::from(*length)]);
        }
        if let View::String(bytes) | View::Bytes(bytes) = self.view() { Some(bytes) } else { None }
    }

    /// The `DATE`, in days since 1970-01-01.
    pub fn as_date(&self) -> Option<i32> {
        if let Repr::Flat(Flat::Date(days)) = self.0 { Some(days) } else { None }
    }

    /// The `TIME`, in milliseconds since midnight.
    pub fn as_time(&self) -> Option<u32> {
        if let Repr::Flat(Flat::Time(millis)) = self.0 { Some(millis) } else { None }
    }

    /// The timestamp: milliseconds, and nanoseconds within the millisecond.
    pub fn as_timestamp(&self) -> Option<(i64, u32)> {
        if let Repr::Flat(Flat::Timestamp { nanos, millis }) = self.0 { Some((millis, nanos)) } else { None }
    }

    /// The months of an interval.
    pub fn as_months(&self) -> Option<i32> {
        if let Repr::Flat(Flat::Months(months)) = self.0 { Some(months) } else { None }
    }

    /// The milliseconds of an interval.
    pub fn as_millis(&self) -> Option<i64> {
        if let Repr::Flat(Flat::Millis(millis)) = self.0 { Some(millis) } else { None }
    }

    /// The elements of an `ARRAY` or the fields of a `ROW`.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let View::List(items) = self.view() { Some(items) } else { None }
    }

    /// The entries of a `MAP` or `MULTISET`.
    pub fn as_entries(&self) -> Option<&[(Value, Value)]> {
        if let View::Entries(entries) = self.view() { Some(entries) } else { None }
    }

    // What is rare is apart, so that what is usual can be part of its caller.
    #[inline(never)]
    fn equals(&self, other: &Self) -> bool {
        self.view() == other.view()
    }

    #[inline(never)]
    fn compare(&self, other: &Self) -> Ordering {
        self.view().cmp(&other.view())
    }

    fn shared(shared: Shared) -> Self {
        Self(Repr::Shared(Arc::new(shared)))
    }

    #[inline]
    fn view(&self) -> View<'_> {
        match &self.0 {
            Repr::Flat(flat) => match flat {
                Flat::Null => View::Null,
                Flat::Boolean(value) => View::Boolean(*value),
                Flat::Integer(value) => View::Integer(*value),
                Flat::Float(value) => View::Float(Total(f64::from(*value))),
                Flat::Double(value) => View::Double(Total(*value)),
                Flat::Decimal(unscaled, scale) => View::Decimal(Decimal::new(i128::from(*unscaled), *scale)),
                Flat::String(length, bytes) => View::String(&bytes[..usize::from(*length)]),
                Flat::Date(days) => View::Date(*days),
                Flat::Time(millis) => View::Time(*millis),
                Flat::Timestamp { nanos, millis } => View::Timestamp { millis: *millis, nanos: *nanos },
                Flat::Months(months) => View::Months(*months),
                Flat::Millis(millis) => View::Millis(*millis),
            },
            Repr::Shared(shared) => match &**shared {
                Shared::Decimal(decimal) => View::Decimal(*decimal),
                Shared::String(text) => View::String(text.as_bytes()),
                Shared::Bytes(bytes) => View::Bytes(bytes),
                Shared::List(items) => View::List(items),
                Shared::Entries(entries) => View::Entries(entries),
            },
        }
    }
}

/// Copies up to [`INLINE`] bytes, in pieces of fixed lengths that overlap: that is faster than a copy
/// of any length.
#[inline]
fn copy_short(to: &mut [u8; INLINE], from: &[u8]) {
    let length = from.len();
    match length {
        0 => {}
        1 => to[0] = from[0],
        2..4 => {
            to[..2].copy_from_slice(&from[..2]);
            to[length - 2..length].copy_from_slice(&from[length - 2..]);
        }
        4..8 => {
            to[..4].copy_from_slice(&from[..4]);
            to[length - 4..length].copy_from_slice(&from[length - 4..]);
        }
        _ => {
            to[..8].copy_from_slice(&from[..8]);
            to[length - 8..length].copy_from_slice(&from[length - 8..]);
        }
    }
}

/// A floating point number in IEEE 754's total order.
#[derive(Clone, Copy)]
struct Total(f64);

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Total {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Clone for Value {
    #[inline]
    fn clone(&self) -> Self {
        match &self.0 {
            Repr::Flat(flat) => Self(Repr::Flat(*flat)),
            // Apart, so that the case above stays a copy of sixteen bytes.
            Repr::Shared(shared) => clone_shared(shared),
        }
    }
}

#[inline(never)]
fn clone_shared(shared: &Arc<Shared>) -> Value {
    Value(Repr::Shared(shared.clone()))
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // The tail of a short string is zero.
            (Repr::Flat(Flat::String(n, a)), Repr::Flat(Flat::String(m, b))) => n == m && a == b,
            (Repr::Flat(Flat::Integer(a)), Repr::Flat(Flat::Integer(b))) => a == b,
            (Repr::Flat(Flat::Decimal(a, s)), Repr::Flat(Flat::Decimal(b, t))) if s == t => a == b,
            _ => self.equals(other),
        }
    }
}

impl Eq for Value {}

impl Default for Value {
    fn default() -> Self {
        Self::NULL
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Flat(Flat::Integer(a)), Repr::Flat(Flat::Integer(b))) => a.cmp(b),
            (Repr::Flat(Flat::Decimal(a, s)), Repr::Flat(Flat::Decimal(b, t))) if s == t => a.cmp(b),
            _ => self.compare(other),
        }
    }
}

impl Hash for Value {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Flat(Flat::Integer(value)) => state.write_i64(*value),
            Repr::Flat(Flat::String(length, bytes)) => state.write(&bytes[..usize::from(*length)]),
            // Equal decimals of different scales must hash alike. In 64 bits that is much faster.
            Repr::Flat(Flat::Decimal(unscaled, scale)) => {
                let (mut unscaled, mut scale) = (*unscaled, *scale);
                while scale > 0 && unscaled % 10 == 0 {
                    unscaled /= 10;
                    scale -= 1;
                }
                state.write_i128(unscaled.into());
            }
            _ => self.view().hash(state),
        }
    }
}

impl Hash for View<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null => state.write_u8(0),
            Self::Boolean(value) => state.write_u8(u8::from(*value)),
            Self::Integer(value) | Self::Millis(value) => state.write_i64(*value),
            Self::Float(value) | Self::Double(value) => state.write_u64(value.0.to_bits()),
            Self::Decimal(decimal) => state.write_i128(decimal.normalized().unscaled()),
            Self::String(bytes) | Self::Bytes(bytes) => state.write(bytes),
            Self::Date(value) | Self::Months(value) => state.write_i32(*value),
            Self::Time(value) => state.write_u32(*value),
            Self::Timestamp { millis, nanos } => {
                state.write_i64(*millis);
                state.write_u32(*nanos);
            }
            Self::List(items) => items.hash(state),
            Self::Entries(entries) => entries.hash(state),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            View::Null => f.write_str("NULL"),
            View::Boolean(value) => write!(f, "{value}"),
            View::Integer(value) => write!(f, "{value}"),
            View::Float(value) => write!(f, "{:?}f", value.0),
            View::Double(value) => write!(f, "{:?}", value.0),
            View::Decimal(decimal) => write!(f, "{decimal}"),
            View::String(bytes) => write!(f, "{:?}", String::from_utf8_lossy(bytes)),
            View::Bytes(bytes) => write!(f, "{bytes:x?}"),
            View::Date(days) => write!(f, "date {days}"),
            View::Time(millis) => write!(f, "time {millis}"),
            View::Timestamp { millis, nanos } => write!(f, "timestamp {millis}+{nanos}ns"),
            View::Months(months) => write!(f, "{months} months"),
            View::Millis(millis) => write!(f, "{millis} ms"),
            View::List(items) => items.fmt(f),
            View::Entries(entries) => f.debug_map().entries(entries.iter().map(|(k, v)| (k, v))).finish(),
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
        let letters = "abcdefghijklmnopqrst";
        for text in (0..letters.len()).map(|end| &letters[..end]).chain(["äöü€ and then some more", "äö"])
        {
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
