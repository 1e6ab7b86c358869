//! The type that several types have in common.
//!
//! Flink has two rules. The rule of SQL's own constructs, [`common_type`], is that of `CASE`,
//! `UNION`, `VALUES`, `ARRAY[…]` and comparisons. The rule of functions, [`argument_type`], is
//! that of `COALESCE`, `GREATEST` and their like; it differs for floating point numbers and times.

use std::sync::Arc;

use crate::value::{DataType, Field, TypeKind};

/// The type to which the branches of a `CASE`, the columns of a `UNION` or the elements of an
/// array are cast; `None` if they have nothing in common, or if none has a type.
///
/// Of `FLOAT` and `DOUBLE` the first one wins; texts of different lengths are `VARCHAR`.
pub fn common_type(types: &[&DataType]) -> Option<DataType> {
    fold(types, common_kind)
}

/// The type to which the arguments of `COALESCE`, `GREATEST` or `LEAST` are cast.
pub(super) fn argument_type(types: &[&DataType]) -> Option<DataType> {
    fold(types, argument_kind)
}

fn fold(types: &[&DataType], merge: fn(&TypeKind, &TypeKind) -> Option<TypeKind>) -> Option<DataType> {
    let mut common: Option<TypeKind> = None;
    for data_type in types.iter().filter(|data_type| data_type.kind != TypeKind::Null) {
        common = Some(match common {
            None => data_type.kind.clone(),
            Some(kind) => merge(&kind, &data_type.kind)?,
        });
    }
    let nullable = types.iter().any(|data_type| data_type.nullable || data_type.kind == TypeKind::Null);
    let mut result = DataType::new(common?).with_nullable(nullable);
    // A time attribute survives where all have it.
    if let Some(first) = types.first()
        && types.iter().all(|data_type| data_type.attribute == first.attribute)
    {
        result.attribute = first.attribute;
    }
    Some(result)
}

fn common_kind(a: &TypeKind, b: &TypeKind) -> Option<TypeKind> {
    use TypeKind as K;
    match (a, b) {
        (a, b) if a == b => Some(a.clone()),
        (a, b) if a.is_approximate() && b.is_approximate() => Some(a.clone()),
        (K::Decimal { .. }, b) if b.is_approximate() => Some(K::Double),
        (a, K::Decimal { .. }) if a.is_approximate() => Some(K::Double),
        (a, b) if a.is_timestamp() && b.is_timestamp() => Some(common_timestamp(a, b)),
        (a, b) => same_rule_kind(a, b, common_kind),
    }
}

/// Times of different precision have the kind of the last and the larger precision; times of
/// different kind and one precision have the kind of the first.
fn common_timestamp(a: &TypeKind, b: &TypeKind) -> TypeKind {
    let (p, q) = (timestamp_precision(a), timestamp_precision(b));
    match b {
        _ if p == q => a.clone(),
        TypeKind::Timestamp(_) => TypeKind::Timestamp(p.max(q)),
        _ => TypeKind::TimestampLtz(p.max(q)),
    }
}

fn timestamp_precision(kind: &TypeKind) -> u8 {
    match kind {
        TypeKind::Timestamp(precision) | TypeKind::TimestampLtz(precision) => *precision,
        _ => 0,
    }
}

fn argument_kind(a: &TypeKind, b: &TypeKind) -> Option<TypeKind> {
    use TypeKind as K;
    match (a, b) {
        (a, b) if a == b => Some(a.clone()),
        (a, b) if a.is_approximate() && b.is_approximate() => Some(K::Double),
        (K::Decimal { .. }, b) if b.is_approximate() => Some(b.clone()),
        (a, K::Decimal { .. }) if a.is_approximate() => Some(K::Double),
        (K::Date, K::Timestamp(_)) | (K::Timestamp(_), K::Date) => Some(K::Date),
        (K::Time(precision), K::Timestamp(_)) | (K::Timestamp(_), K::Time(precision)) => {
            Some(K::Time(*precision))
        }
        (K::Timestamp(p), K::Timestamp(q)) => Some(K::Timestamp(*p.max(q))),
        (a, b) if a.is_timestamp() && b.is_timestamp() => {
            Some(K::TimestampLtz(timestamp_precision(a).max(timestamp_precision(b))))
        }
        (a, b) => same_rule_kind(a, b, argument_kind),
    }
}

/// What both rules say alike; `merge` is the rule for the parts of a type.
fn same_rule_kind(
    a: &TypeKind,
    b: &TypeKind,
    merge: fn(&TypeKind, &TypeKind) -> Option<TypeKind>,
) -> Option<TypeKind> {
    use TypeKind as K;
    let part = |a: &DataType, b: &DataType| fold(&[a, b], merge).map(Arc::new);
    match (a, b) {
        (a, b) if a.is_integer() && b.is_integer() => {
            Some(if integer_digits(a) >= integer_digits(b) { a.clone() } else { b.clone() })
        }
        (a, b) if a.is_integer() && b.is_approximate() => Some(b.clone()),
        (a, b) if a.is_approximate() && b.is_integer() => Some(a.clone()),
        (a, b) if a.is_numeric() && b.is_numeric() => {
            let (left, right) = (decimal_digits(a)?, decimal_digits(b)?);
            let whole = (left.0 - left.1).max(right.0 - right.1);
            let scale = left.1.max(right.1).min(38 - whole);
            Some(K::Decimal { precision: whole + scale, scale })
        }
        (K::Char(n), K::Char(m)) if n == m => Some(a.clone()),
        (a, b) if a.is_string() && b.is_string() => Some(K::VarChar(length(a).max(length(b)))),
        (a, b) if a.is_binary() && b.is_binary() => Some(K::VarBinary(length(a).max(length(b)))),
        (K::Time(p), K::Time(q)) => Some(K::Time(*p.max(q))),
        (K::Array(a), K::Array(b)) => part(a, b).map(K::Array),
        (K::Multiset(a), K::Multiset(b)) => part(a, b).map(K::Multiset),
        (K::Map(a, b), K::Map(c, d)) => Some(K::Map(part(a, c)?, part(b, d)?)),
        (K::Row(a), K::Row(b)) if a.len() == b.len() => {
            let field = |(a, b): (&Field, &Field)| {
                let data_type = fold(&[&a.data_type, &b.data_type], merge)?;
                Some(Field { name: a.name.clone(), data_type })
            };
            a.iter().zip(b.iter()).map(field).collect::<Option<Arc<[_]>>>().map(K::Row)
        }
        _ => None,
    }
}

fn integer_digits(kind: &TypeKind) -> u8 {
    decimal_digits(kind).map_or(0, |(precision, _)| precision)
}

/// The precision and scale of an exact number, integers included.
pub(super) fn decimal_digits(kind: &TypeKind) -> Option<(u8, u8)> {
    match kind {
        TypeKind::TinyInt => Some((3, 0)),
        TypeKind::SmallInt => Some((5, 0)),
        TypeKind::Int => Some((10, 0)),
        TypeKind::BigInt => Some((19, 0)),
        TypeKind::Decimal { precision, scale } => Some((*precision, *scale)),
        _ => None,
    }
}

/// The length of a text or binary type.
pub(super) fn length(kind: &TypeKind) -> u32 {
    match kind {
        TypeKind::Char(length)
        | TypeKind::VarChar(length)
        | TypeKind::Binary(length)
        | TypeKind::VarBinary(length) => *length,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(kind: TypeKind) -> DataType {
        DataType::new(kind)
    }

    fn common(types: &[DataType]) -> String {
        let types: Vec<_> = types.iter().collect();
        common_type(&types).map_or("none".to_owned(), |data_type| data_type.to_string())
    }

    fn argument(types: &[DataType]) -> String {
        let types: Vec<_> = types.iter().collect();
        argument_type(&types).map_or("none".to_owned(), |data_type| data_type.to_string())
    }

    #[test]
    fn numbers_meet_in_the_wider_type() {
        let (int, decimal) = (DataType::int().not_null(), DataType::decimal(2, 1).not_null());
        assert_eq!(common(&[int.clone(), decimal]), "DECIMAL(11, 1) NOT NULL");
        assert_eq!(common(&[int.clone(), DataType::bigint()]), "BIGINT");
        assert_eq!(common(&[DataType::decimal(10, 2), DataType::bigint()]), "DECIMAL(21, 2)");
        assert_eq!(common(&[DataType::decimal(38, 18), DataType::decimal(38, 0)]), "DECIMAL(38, 0)");
        assert_eq!(common(&[int, kind(TypeKind::Float)]), "FLOAT");
    }

    #[test]
    fn of_floating_point_types_the_first_wins_in_a_case_and_the_larger_in_a_coalesce() {
        let (float, double) = (kind(TypeKind::Float), DataType::double());
        let decimal = DataType::decimal(10, 2);
        assert_eq!(common(&[float.clone(), double.clone()]), "FLOAT");
        assert_eq!(common(&[double.clone(), float.clone()]), "DOUBLE");
        assert_eq!(common(&[decimal.clone(), float.clone()]), "DOUBLE");
        assert_eq!(argument(&[float.clone(), double]), "DOUBLE");
        assert_eq!(argument(&[decimal.clone(), float.clone()]), "FLOAT");
        assert_eq!(argument(&[float, decimal]), "DOUBLE");
    }

    #[test]
    fn texts_of_one_length_stay_char() {
        let char = |length| kind(TypeKind::Char(length)).not_null();
        assert_eq!(common(&[char(3), char(3)]), "CHAR(3) NOT NULL");
        assert_eq!(common(&[char(1), char(3)]), "VARCHAR(3) NOT NULL");
        assert_eq!(common(&[char(1), DataType::string()]), "STRING");
        assert_eq!(common(&[char(1), DataType::int()]), "none");
    }

    #[test]
    fn times_follow_precision_and_order() {
        let (local, ltz) = (DataType::timestamp, DataType::timestamp_ltz);
        assert_eq!(common(&[local(3), ltz(3)]), "TIMESTAMP(3)");
        assert_eq!(common(&[local(0), ltz(3)]), "TIMESTAMP_LTZ(3)");
        assert_eq!(common(&[ltz(3), local(9)]), "TIMESTAMP(9)");
        assert_eq!(common(&[ltz(6), local(3)]), "TIMESTAMP(6)");
        assert_eq!(common(&[local(3), kind(TypeKind::Date)]), "none");
        assert_eq!(argument(&[ltz(3), local(9)]), "TIMESTAMP_LTZ(9)");
        assert_eq!(argument(&[local(3), kind(TypeKind::Date)]), "DATE");
    }

    #[test]
    fn null_takes_the_type_of_the_others_and_makes_it_nullable() {
        let null = kind(TypeKind::Null);
        assert_eq!(common(&[null.clone(), DataType::int().not_null()]), "INT");
        assert_eq!(common(&[null.clone(), null]), "none");
    }

    #[test]
    fn nested_types_meet_part_by_part() {
        let row = DataType::row([("a", DataType::int()), ("b", DataType::string())]);
        let other = DataType::row([("x", DataType::bigint()), ("y", kind(TypeKind::Char(1)))]);
        assert_eq!(common(&[row, other]), "ROW<`a` BIGINT, `b` STRING>");
        let array = DataType::array(DataType::int());
        let not_null = DataType::array(DataType::bigint().not_null()).not_null();
        assert_eq!(common(&[array, not_null]), "ARRAY<BIGINT>");
    }
}
