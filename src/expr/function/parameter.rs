//! The vocabulary in which functions say which arguments they take and what they give.

use super::{Argument, Signature, TypeMismatch};
use crate::value::{DataType, TypeKind};

/// What typing decides about a call, or why it cannot be typed.
pub(super) type Typed = Result<Signature, TypeMismatch>;

/// The types that one parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parameter {
    /// `CHAR` and `VARCHAR`.
    Text,
    /// `BINARY` and `VARBINARY`.
    Bytes,
    /// Up to `INT`: Flink plans a call with a `BIGINT` too, but cannot compile it.
    Int,
    /// Up to `BIGINT`.
    Integer,
    /// Integers and decimals.
    Exact,
    /// Integers, decimals and floating point numbers.
    Number,
    /// `BOOLEAN`
    Boolean,
    /// `TIMESTAMP` and `TIMESTAMP_LTZ`.
    Timestamp,
    /// `ARRAY`
    Array,
    /// `MAP`
    Map,
    /// `BITMAP`
    Bitmap,
    /// Every type.
    Any,
}

impl Parameter {
    fn takes(self, kind: &TypeKind) -> bool {
        match self {
            Self::Text => kind.is_string(),
            Self::Bytes => kind.is_binary(),
            Self::Int => kind.is_integer() && *kind != TypeKind::BigInt,
            Self::Integer => kind.is_integer(),
            Self::Exact => kind.is_integer() || matches!(kind, TypeKind::Decimal { .. }),
            Self::Number => kind.is_numeric(),
            Self::Boolean => *kind == TypeKind::Boolean,
            Self::Timestamp => kind.is_timestamp(),
            Self::Array => matches!(kind, TypeKind::Array(_)),
            Self::Map => matches!(kind, TypeKind::Map(..)),
            Self::Bitmap => *kind == TypeKind::Bitmap,
            Self::Any => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "STRING",
            Self::Bytes => "BYTES",
            Self::Int => "INT",
            Self::Integer => "BIGINT",
            Self::Exact => "exact number",
            Self::Number => "number",
            Self::Boolean => "BOOLEAN",
            Self::Timestamp => "TIMESTAMP",
            Self::Array => "ARRAY",
            Self::Map => "MAP",
            Self::Bitmap => "BITMAP",
            Self::Any => "any type",
        }
    }
}

/// Checks that the arguments have one of the forms; a bare NULL fits none.
pub(super) fn check(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Result<(), TypeMismatch> {
    check_forms(args, forms, false)
}

/// Checks that the arguments have one of the forms; a bare NULL fits every parameter.
pub(super) fn check_or_null(args: &[Argument<'_>], forms: &[&[Parameter]]) -> Result<(), TypeMismatch> {
    check_forms(args, forms, true)
}

fn check_forms(args: &[Argument<'_>], forms: &[&[Parameter]], null: bool) -> Result<(), TypeMismatch> {
    let fits = |form: &&[Parameter]| {
        form.len() == args.len() && args.iter().zip(*form).all(|(arg, &parameter)| fits(arg, parameter, null))
    };
    if forms.iter().any(fits) {
        return Ok(());
    }
    reject_bare_null(args, null)?;
    let forms: Vec<String> = forms.iter().map(|form| form_text(form, None)).collect();
    Err(TypeMismatch::new(format!("takes {}", forms.join(" or "))))
}

/// Checks the first arguments and that all others, of which there may be none, are of one kind.
pub(super) fn check_rest(
    args: &[Argument<'_>],
    first: &[Parameter],
    rest: Parameter,
    null: bool,
) -> Result<(), TypeMismatch> {
    let fit = args.len() >= first.len()
        && args.iter().zip(first).all(|(arg, &parameter)| fits(arg, parameter, null))
        && args[first.len()..].iter().all(|arg| fits(arg, rest, null));
    if fit {
        return Ok(());
    }
    reject_bare_null(args, null)?;
    Err(TypeMismatch::new(format!("takes {}", form_text(first, Some(rest)))))
}

fn fits(arg: &Argument<'_>, parameter: Parameter, null: bool) -> bool {
    match arg.data_type.kind {
        TypeKind::Null => null,
        ref kind => parameter.takes(kind),
    }
}

fn reject_bare_null(args: &[Argument<'_>], null: bool) -> Result<(), TypeMismatch> {
    if !null && args.iter().any(|arg| arg.data_type.kind == TypeKind::Null) {
        return Err(
            TypeMismatch::new("NULL needs a type here").or("Write CAST(NULL AS STRING), or another type.")
        );
    }
    Ok(())
}

fn form_text(form: &[Parameter], rest: Option<Parameter>) -> String {
    let mut names: Vec<&str> = form.iter().map(|parameter| parameter.name()).collect();
    if form.is_empty() && rest.is_none() {
        return "no arguments".to_owned();
    }
    let rest = rest.map(|rest| format!("{} …", rest.name()));
    names.extend(rest.as_deref());
    format!("({})", names.join(", "))
}

/// The arguments as they are, and a result that may be NULL where one of them may.
pub(super) fn gives(args: &[Argument<'_>], kind: TypeKind) -> Signature {
    let nullable = args.iter().any(|arg| arg.data_type.nullable);
    gives_type(args, DataType::new(kind).with_nullable(nullable))
}

/// The arguments as they are, and a result that may always be NULL.
pub(super) fn gives_nullable(args: &[Argument<'_>], kind: TypeKind) -> Signature {
    gives_type(args, DataType::new(kind))
}

/// The arguments as they are, and a result of this very type.
pub(super) fn gives_type(args: &[Argument<'_>], result: DataType) -> Signature {
    Signature { arguments: args.iter().map(|arg| arg.data_type.clone()).collect(), result }
}

/// The kind of `STRING`.
pub(super) const STRING: TypeKind = TypeKind::VarChar(crate::value::MAX_LENGTH);

/// The kind of `BYTES`.
pub(super) const BYTES: TypeKind = TypeKind::VarBinary(crate::value::MAX_LENGTH);

/// A mismatch with this phrase.
pub(super) fn mismatch(phrase: impl Into<String>) -> Typed {
    Err(TypeMismatch::new(phrase))
}
