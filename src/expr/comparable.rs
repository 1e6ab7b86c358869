//! What can be compared with what, and which casts that takes.

use super::common_type::common_type;
use super::function::TypeMismatch;
use super::{Comparison, Expr, ExprKind};
use crate::value::cast::is_castable;
use crate::value::{DataType, TypeKind};

/// Both sides of a comparison with one type, or with types whose values compare as they are.
pub(super) fn comparable(
    operator: Comparison,
    left: Expr,
    right: Expr,
) -> Result<(Expr, Expr), TypeMismatch> {
    use TypeKind as K;
    let equality = matches!(operator, Comparison::Equal | Comparison::NotEqual);
    let (left_type, right_type) = (left.data_type.clone(), right.data_type.clone());
    let (a, b) = (left_type.kind.clone(), right_type.kind.clone());
    let mismatch = || {
        let mismatch = TypeMismatch::new(format!("{a} and {b} cannot be compared"));
        match (is_castable(&left_type, &right_type), is_castable(&right_type, &left_type)) {
            (true, _) => mismatch.or(format!("Use CAST(… AS {b}) for the {a}.")),
            (false, true) => mismatch.or(format!("Use CAST(… AS {a}) for the {b}.")),
            (false, false) => mismatch.or("Compare values of one type."),
        }
    };
    let refuse = || Err(mismatch());
    let is_nested =
        |kind: &TypeKind| matches!(kind, K::Array(_) | K::Map(..) | K::Multiset(_) | K::Row(_) | K::Bitmap);
    match (&a, &b) {
        (K::Null, K::Null) => Ok((left.coerce(&K::Boolean), right.coerce(&K::Boolean))),
        (K::Null, kind) => Ok((left.coerce(kind), right)),
        (kind, K::Null) => Ok((left, right.coerce(kind))),
        (a, b) if is_nested(a) || is_nested(b) => {
            if !equality {
                return Err(
                    TypeMismatch::new(format!("{a} and {b} have no order")).or("Compare them with = or <>.")
                );
            }
            match (a, b) {
                (K::Array(_), K::Array(_)) | (K::Map(..), K::Map(..)) | (K::Row(_), K::Row(_)) => {}
                (a, b) if a == b => {}
                _ => return refuse(),
            }
            match common_type(&[&left.data_type, &right.data_type]) {
                Some(common) => Ok((left.coerce(&common.kind), right.coerce(&common.kind))),
                None if matches!(a, K::Row(_)) => refuse(),
                // Arrays of different elements are just not equal.
                None => Ok((left, right)),
            }
        }
        // Exact numbers compare by their value; a cast could lose digits.
        (a, b) if a.is_numeric() && b.is_numeric() && !a.is_approximate() && !b.is_approximate() => {
            Ok((left, right))
        }
        (a, b) if (a.is_string() && b.is_string()) || (a.is_binary() && b.is_binary()) => Ok((left, right)),
        (K::Timestamp(_), K::TimestampLtz(_)) | (K::TimestampLtz(_), K::Timestamp(_)) => {
            let widest = K::TimestampLtz(9);
            Ok((left.coerce(&widest), right.coerce(&widest)))
        }
        (K::Timestamp(_), K::Timestamp(_))
        | (K::TimestampLtz(_), K::TimestampLtz(_))
        | (K::Time(_), K::Time(_)) => Ok((left, right)),
        (a, b) if a.is_string() != b.is_string() => {
            let other = if a.is_string() { b } else { a };
            if other.is_numeric() && equality {
                return Err(TypeMismatch::new(format!("{a} and {b} cannot be compared without CAST"))
                    .or("Write CAST(… AS STRING) around the number."));
            }
            // Text that is no such value is unknown when compared for equality.
            let adapt = |text: Expr| {
                let lenient = equality && !matches!(text.kind, ExprKind::Literal(_));
                text.cast(DataType::new(other.clone()), lenient)
            };
            if other.is_interval() || other.is_binary() || *other == K::Null {
                return refuse();
            }
            // In Flink a text is never equal to a boolean.
            if *other == K::Boolean && equality {
                return Ok((left, right));
            }
            if a.is_string() { Ok((adapt(left)?, right)) } else { Ok((left, adapt(right)?)) }
        }
        _ => match common_type(&[&left.data_type, &right.data_type]) {
            Some(common) => Ok((left.coerce(&common.kind), right.coerce(&common.kind))),
            None => refuse(),
        },
    }
}

/// Both sides of `IS DISTINCT FROM`. Unlike for equality, floating point numbers keep all their
/// digits.
pub(super) fn indistinct(left: Expr, right: Expr) -> Result<(Expr, Expr), TypeMismatch> {
    let (a, b) = (&left.data_type.kind, &right.data_type.kind);
    let doubles = |kind: &TypeKind| matches!(kind, TypeKind::Double | TypeKind::Decimal { .. });
    if (a.is_approximate() && b.is_numeric() || b.is_approximate() && a.is_numeric())
        && (doubles(a) || doubles(b))
    {
        return Ok((left.coerce(&TypeKind::Double), right.coerce(&TypeKind::Double)));
    }
    comparable(Comparison::Equal, left, right)
}
