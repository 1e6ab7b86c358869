//! Flink SQL's data types.

use std::fmt;
use std::sync::Arc;

/// The length of `STRING` and `BYTES`, which are names for `VARCHAR(2147483647)` and
/// `VARBINARY(2147483647)`.
pub const MAX_LENGTH: u32 = 2_147_483_647;

/// The type of a column or an expression: a kind, whether NULL may occur, and whether the column
/// is a time attribute.
///
/// Its `Display` is Flink's notation, for example `DECIMAL(10, 2) NOT NULL`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DataType {
    /// What the values are.
    pub kind: TypeKind,
    /// Whether NULL may occur.
    pub nullable: bool,
    /// Whether a watermark or the processing time follows the column.
    pub attribute: TimeAttribute,
}

/// Whether a column of a timestamp type drives time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TimeAttribute {
    /// An ordinary column.
    #[default]
    None,
    /// Event time: the column has a watermark.
    Rowtime,
    /// Processing time: the column is `PROCTIME()`.
    Proctime,
}

/// A data type without its nullability.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// The type of a bare NULL, before a context gives it another one.
    Null,
    /// `BOOLEAN`
    Boolean,
    /// `TINYINT`, 8 bits.
    TinyInt,
    /// `SMALLINT`, 16 bits.
    SmallInt,
    /// `INT`, 32 bits.
    Int,
    /// `BIGINT`, 64 bits.
    BigInt,
    /// `FLOAT`, 32 bits.
    Float,
    /// `DOUBLE`, 64 bits.
    Double,
    /// `DECIMAL(p, s)`, exact, 1 to 38 digits.
    Decimal {
        /// The number of digits, 1 to 38.
        precision: u8,
        /// The digits after the point, 0 to the precision.
        scale: u8,
    },
    /// `CHAR(n)`, padded with blanks to n characters.
    Char(u32),
    /// `VARCHAR(n)`; `STRING` with [`MAX_LENGTH`].
    VarChar(u32),
    /// `BINARY(n)`, n bytes.
    Binary(u32),
    /// `VARBINARY(n)`; `BYTES` with [`MAX_LENGTH`].
    VarBinary(u32),
    /// `DATE`
    Date,
    /// `TIME(p)`, with p digits of a second.
    Time(u8),
    /// `TIMESTAMP(p)`, a date and time of day without a zone, with p digits of a second.
    Timestamp(u8),
    /// `TIMESTAMP_LTZ(p)`, an instant, shown in the session's time zone.
    TimestampLtz(u8),
    /// `INTERVAL YEAR TO MONTH`
    IntervalMonth,
    /// `INTERVAL DAY TO SECOND`
    IntervalSecond,
    /// `ARRAY<t>`
    Array(Arc<DataType>),
    /// `MAP<k, v>`
    Map(Arc<DataType>, Arc<DataType>),
    /// `MULTISET<t>`
    Multiset(Arc<DataType>),
    /// `ROW<name t, …>`
    Row(Arc<[Field]>),
    /// `BITMAP`, a set of 32-bit numbers.
    Bitmap,
}

/// A named part of a `ROW` type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The name, case-sensitive.
    pub name: String,
    /// The type.
    pub data_type: DataType,
}

impl DataType {
    /// A nullable type of this kind.
    pub fn new(kind: TypeKind) -> Self {
        Self { kind, nullable: true, attribute: TimeAttribute::None }
    }

    /// `BOOLEAN`
    pub fn boolean() -> Self {
        Self::new(TypeKind::Boolean)
    }

    /// `INT`
    pub fn int() -> Self {
        Self::new(TypeKind::Int)
    }

    /// `BIGINT`
    pub fn bigint() -> Self {
        Self::new(TypeKind::BigInt)
    }

    /// `DOUBLE`
    pub fn double() -> Self {
        Self::new(TypeKind::Double)
    }

    /// `STRING`
    pub fn string() -> Self {
        Self::new(TypeKind::VarChar(MAX_LENGTH))
    }

    /// `DECIMAL(precision, scale)`
    pub fn decimal(precision: u8, scale: u8) -> Self {
        Self::new(TypeKind::Decimal { precision, scale })
    }

    /// `TIMESTAMP(precision)`
    pub fn timestamp(precision: u8) -> Self {
        Self::new(TypeKind::Timestamp(precision))
    }

    /// `TIMESTAMP_LTZ(precision)`
    pub fn timestamp_ltz(precision: u8) -> Self {
        Self::new(TypeKind::TimestampLtz(precision))
    }

    /// `ARRAY<element>`
    pub fn array(element: DataType) -> Self {
        Self::new(TypeKind::Array(Arc::new(element)))
    }

    /// `MAP<key, value>`
    pub fn map(key: DataType, value: DataType) -> Self {
        Self::new(TypeKind::Map(Arc::new(key), Arc::new(value)))
    }

    /// `ROW<name type, …>`
    pub fn row<N: Into<String>>(fields: impl IntoIterator<Item = (N, DataType)>) -> Self {
        let field = |(name, data_type): (N, DataType)| Field { name: name.into(), data_type };
        Self::new(TypeKind::Row(fields.into_iter().map(field).collect()))
    }

    /// The same type without NULL.
    #[must_use]
    pub fn not_null(self) -> Self {
        self.with_nullable(false)
    }

    /// The same type with or without NULL.
    #[must_use]
    pub fn with_nullable(mut self, nullable: bool) -> Self {
        self.nullable = nullable;
        self
    }

    /// The same type as a time attribute, or as an ordinary column.
    #[must_use]
    pub fn with_attribute(mut self, attribute: TimeAttribute) -> Self {
        self.attribute = attribute;
        self
    }

    /// The same type as an ordinary column.
    #[must_use]
    pub fn without_attribute(self) -> Self {
        self.with_attribute(TimeAttribute::None)
    }

    /// Flink's long notation, which has no short names: `VARCHAR(2147483647)` for `STRING`,
    /// `TIMESTAMP(3) WITH LOCAL TIME ZONE` for `TIMESTAMP_LTZ(3)`.
    pub fn in_full(&self) -> String {
        let kind = match &self.kind {
            TypeKind::VarChar(length) => format!("VARCHAR({length})"),
            TypeKind::VarBinary(length) => format!("VARBINARY({length})"),
            TypeKind::TimestampLtz(precision) => format!("TIMESTAMP({precision}) WITH LOCAL TIME ZONE"),
            TypeKind::Array(element) => format!("ARRAY<{}>", element.in_full()),
            TypeKind::Multiset(element) => format!("MULTISET<{}>", element.in_full()),
            TypeKind::Map(key, value) => format!("MAP<{}, {}>", key.in_full(), value.in_full()),
            TypeKind::Row(fields) => {
                let field = |field: &Field| {
                    format!("`{}` {}", field.name.replace('`', "``"), field.data_type.in_full())
                };
                format!("ROW<{}>", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            kind => kind.to_string(),
        };
        if self.nullable { kind } else { format!("{kind} NOT NULL") }
    }

    /// Whether the column drives event time or processing time.
    pub fn is_time_attribute(&self) -> bool {
        self.attribute != TimeAttribute::None
    }
}

impl TypeKind {
    /// `CHAR` or `VARCHAR` of any length.
    pub fn is_string(&self) -> bool {
        matches!(self, Self::Char(_) | Self::VarChar(_))
    }

    /// `BINARY` or `VARBINARY` of any length.
    pub fn is_binary(&self) -> bool {
        matches!(self, Self::Binary(_) | Self::VarBinary(_))
    }

    /// `TINYINT` to `BIGINT`.
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::TinyInt | Self::SmallInt | Self::Int | Self::BigInt)
    }

    /// `FLOAT` or `DOUBLE`.
    pub fn is_approximate(&self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    /// Integers, decimals and floating point numbers.
    pub fn is_numeric(&self) -> bool {
        self.is_integer() || self.is_approximate() || matches!(self, Self::Decimal { .. })
    }

    /// `TIMESTAMP` or `TIMESTAMP_LTZ`.
    pub fn is_timestamp(&self) -> bool {
        matches!(self, Self::Timestamp(_) | Self::TimestampLtz(_))
    }

    /// `DATE`, `TIME` and the timestamps.
    pub fn is_datetime(&self) -> bool {
        self.is_timestamp() || matches!(self, Self::Date | Self::Time(_))
    }

    /// One of the two `INTERVAL` types.
    pub fn is_interval(&self) -> bool {
        matches!(self, Self::IntervalMonth | Self::IntervalSecond)
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if !self.nullable {
            f.write_str(" NOT NULL")?;
        }
        match self.attribute {
            TimeAttribute::None => Ok(()),
            TimeAttribute::Rowtime => f.write_str(" *ROWTIME*"),
            TimeAttribute::Proctime => f.write_str(" *PROCTIME*"),
        }
    }
}

impl fmt::Display for TypeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Boolean => f.write_str("BOOLEAN"),
            Self::TinyInt => f.write_str("TINYINT"),
            Self::SmallInt => f.write_str("SMALLINT"),
            Self::Int => f.write_str("INT"),
            Self::BigInt => f.write_str("BIGINT"),
            Self::Float => f.write_str("FLOAT"),
            Self::Double => f.write_str("DOUBLE"),
            Self::Decimal { precision, scale } => write!(f, "DECIMAL({precision}, {scale})"),
            Self::Char(length) => write!(f, "CHAR({length})"),
            Self::VarChar(MAX_LENGTH) => f.write_str("STRING"),
            Self::VarChar(length) => write!(f, "VARCHAR({length})"),
            Self::Binary(length) => write!(f, "BINARY({length})"),
            Self::VarBinary(MAX_LENGTH) => f.write_str("BYTES"),
            Self::VarBinary(length) => write!(f, "VARBINARY({length})"),
            Self::Date => f.write_str("DATE"),
            Self::Time(precision) => write!(f, "TIME({precision})"),
            Self::Timestamp(precision) => write!(f, "TIMESTAMP({precision})"),
            Self::TimestampLtz(precision) => write!(f, "TIMESTAMP_LTZ({precision})"),
            Self::IntervalMonth => f.write_str("INTERVAL MONTH"),
            Self::IntervalSecond => f.write_str("INTERVAL SECOND(3)"),
            Self::Array(element) => write!(f, "ARRAY<{element}>"),
            Self::Map(key, value) => write!(f, "MAP<{key}, {value}>"),
            Self::Multiset(element) => write!(f, "MULTISET<{element}>"),
            Self::Bitmap => f.write_str("BITMAP"),
            Self::Row(fields) => {
                f.write_str("ROW<")?;
                for (i, field) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    let name = field.name.replace('`', "``");
                    write!(f, "{comma}`{name}` {}", field.data_type)?;
                }
                f.write_str(">")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_flink_writes_them() {
        let nested = DataType::row([("a", DataType::int().not_null()), ("b", DataType::string())]);
        assert_eq!(nested.to_string(), "ROW<`a` INT NOT NULL, `b` STRING>");
        assert_eq!(DataType::decimal(10, 2).not_null().to_string(), "DECIMAL(10, 2) NOT NULL");
        let map = DataType::map(DataType::string(), DataType::bigint().not_null());
        assert_eq!(map.to_string(), "MAP<STRING, BIGINT NOT NULL>");
        let rowtime = DataType::timestamp(3).with_attribute(TimeAttribute::Rowtime);
        assert_eq!(rowtime.to_string(), "TIMESTAMP(3) *ROWTIME*");
    }
}
