//! Functions on arrays and maps.

pub(super) mod array;
pub(super) mod map;
pub(super) mod search;
pub(super) mod set;

use super::parameter::Typed;
use super::{Argument, Signature, TypeMismatch};
use crate::expr::Comparison;
use crate::expr::common_type::argument_type;
use crate::value::{DataType, TypeKind, Value};

/// The type of the elements of an array.
fn element<'a>(arg: &Argument<'a>) -> Result<&'a DataType, TypeMismatch> {
    match &arg.data_type.kind {
        TypeKind::Array(element) => Ok(element),
        _ => Err(TypeMismatch::new("takes an ARRAY")),
    }
}

/// The type of the elements of an array if they can be ordered.
fn ordered_element<'a>(arg: &Argument<'a>) -> Result<&'a DataType, TypeMismatch> {
    let element = element(arg)?;
    let kind = &element.kind;
    if kind.is_numeric() || kind.is_string() || kind.is_binary() || kind.is_datetime() || kind.is_interval() {
        return Ok(element);
    }
    Err(TypeMismatch::new(format!("elements of type {kind} have no order")))
}

/// Whether elements are the same: NULL is NULL, and NaN is not even NaN.
fn same(a: &Value, b: &Value) -> bool {
    match (a.is_null(), b.is_null()) {
        (false, false) => Comparison::Equal.compare(a, b) == Some(true),
        (a, b) => a && b,
    }
}

/// All arguments and the result have the type that the arguments have in common.
fn common(args: &[Argument<'_>], what: &str, fits: fn(&TypeKind) -> bool) -> Typed {
    if args.is_empty() || args.iter().any(|arg| !fits(&arg.data_type.kind)) {
        return Err(TypeMismatch::new(format!("takes {what} only")));
    }
    let types: Vec<_> = args.iter().map(|arg| arg.data_type).collect();
    let result =
        argument_type(&types).ok_or_else(|| TypeMismatch::new("the arguments have no common type"))?;
    let arguments =
        args.iter().map(|arg| DataType::new(result.kind.clone()).with_nullable(arg.data_type.nullable));
    Ok(Signature { arguments: arguments.collect(), result })
}

/// The array type of these elements, NULL where an argument may be.
fn array_of(args: &[Argument<'_>], element: DataType) -> Signature {
    super::parameter::gives(args, DataType::array(element).kind)
}
