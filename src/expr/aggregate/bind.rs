//! Which aggregate functions there are, and the types of their results.

use super::json::Members;
use super::number::Number;
use super::{AggregateFunction, Kind};
use crate::expr::build::CallError;
use crate::expr::function::{Argument, TypeMismatch};
use crate::value::{DataType, TypeKind, Value};

/// An aggregate function with the types of its arguments and of its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// The function.
    pub function: AggregateFunction,
    /// The types to which the arguments are cast before they reach it. Arguments that are part of
    /// the function, such as the separator of `LISTAGG`, are still there; they are not read.
    pub arguments: Vec<DataType>,
    /// The type of the result.
    pub data_type: DataType,
}

/// The names of all aggregate functions, how they are called and what they give.
pub const FUNCTIONS: &[(&str, &str, &str)] = &[
    (
        "COUNT",
        "COUNT(*), or COUNT([DISTINCT] value)",
        "How many rows there are, or values that are not NULL.",
    ),
    ("SUM", "SUM([DISTINCT] number)", "The sum, of the type of the numbers, which may wrap around."),
    ("AVG", "AVG([DISTINCT] number)", "The mean, of the type of the numbers."),
    ("MIN", "MIN(value)", "The smallest value."),
    ("MAX", "MAX(value)", "The largest value."),
    ("STDDEV_POP", "STDDEV_POP(number)", "The standard deviation of all values."),
    ("STDDEV_SAMP", "STDDEV_SAMP(number)", "The standard deviation of a sample."),
    ("STDDEV", "STDDEV(number)", "The standard deviation of a sample."),
    ("VAR_POP", "VAR_POP(number)", "The variance of all values."),
    ("VAR_SAMP", "VAR_SAMP(number)", "The variance of a sample."),
    ("VARIANCE", "VARIANCE(number)", "The variance of a sample."),
    ("LISTAGG", "LISTAGG([DISTINCT] string [, separator])", "All texts joined, with commas by default."),
    ("FIRST_VALUE", "FIRST_VALUE(value)", "The first value that is not NULL."),
    ("LAST_VALUE", "LAST_VALUE(value)", "The last value that is not NULL."),
    ("COLLECT", "COLLECT([DISTINCT] value)", "The values, with how often they occur."),
    ("ARRAY_AGG", "ARRAY_AGG([DISTINCT] value)", "The values in the order of their arrival."),
    ("JSON_OBJECTAGG", "JSON_OBJECTAGG([KEY] key VALUE value)", "A JSON object of keys and values."),
    ("JSON_ARRAYAGG", "JSON_ARRAYAGG(value)", "A JSON array of values."),
    (
        "PERCENTILE",
        "PERCENTILE(number, percentage [, frequency])",
        "The value below which a part of all lies.",
    ),
    ("SINGLE_VALUE", "SINGLE_VALUE(value)", "The value of the only row."),
];

/// The name of [`FUNCTIONS`] that a name in upper case stands for, without the clause of a JSON
/// aggregate.
fn base_name(upper: &str) -> &str {
    upper.strip_suffix("_ABSENT_ON_NULL").or(upper.strip_suffix("_NULL_ON_NULL")).unwrap_or(upper)
}

/// Whether a name in upper case is that of an aggregate function.
pub fn is_aggregate(name: &str) -> bool {
    let base = base_name(name);
    FUNCTIONS.iter().any(|(known, ..)| *known == base)
}

/// Finds the aggregate function with this name, in any case, and types it for these arguments.
/// `COUNT(*)` has none. `JSON_OBJECTAGG_ABSENT_ON_NULL` and `JSON_ARRAYAGG_NULL_ON_NULL` are the
/// JSON aggregates with the clause that is not their default.
///
/// `grouped` says that every group has a row that counts: it is false without `GROUP BY` and with
/// a `FILTER`, where a result may be NULL although no value is.
///
/// # Errors
/// There is no such function, or it does not take these arguments.
pub fn bind(
    name: &str,
    args: &[Argument<'_>],
    distinct: bool,
    grouped: bool,
) -> Result<Aggregate, CallError> {
    let upper = name.to_ascii_uppercase();
    let base = base_name(&upper);
    let Some(&(known, syntax, _)) = FUNCTIONS.iter().find(|(known, ..)| *known == base) else {
        return Err(CallError::no_such_function(name));
    };
    let absent_on_null = match upper.strip_prefix(base) {
        Some("_ABSENT_ON_NULL") => true,
        Some("_NULL_ON_NULL") => false,
        _ => known == "JSON_ARRAYAGG",
    };
    match function_kind(known, args, distinct, absent_on_null) {
        Ok((kind, arguments)) => {
            let data_type = result_type(&kind, args, grouped);
            Ok(Aggregate { function: AggregateFunction { name: known, kind }, arguments, data_type })
        }
        Err(mismatch) => {
            let types: Vec<_> = args.iter().map(|arg| arg.data_type.kind.to_string()).collect();
            let call = format!("{known}({})", types.join(", "));
            Err(CallError::WrongArguments { call, mismatch, syntax })
        }
    }
}

fn mismatch<T>(problem: impl Into<String>) -> Result<T, TypeMismatch> {
    Err(TypeMismatch::new(problem))
}

/// What the function computes, and the types of its arguments.
fn function_kind(
    name: &str,
    args: &[Argument<'_>],
    distinct: bool,
    absent_on_null: bool,
) -> Result<(Kind, Vec<DataType>), TypeMismatch> {
    let mut arguments: Vec<_> = args.iter().map(|arg| arg.data_type.clone()).collect();
    let counts = match name {
        "COUNT" => 0..=1,
        "LISTAGG" => 1..=2,
        "JSON_OBJECTAGG" => 2..=2,
        "PERCENTILE" => 2..=3,
        _ => 1..=1,
    };
    if !counts.contains(&args.len()) {
        return mismatch(format!(
            "takes {} argument{}, not {}",
            counts.end(),
            if *counts.end() == 1 { "" } else { "s" },
            args.len()
        ));
    }
    if args.iter().any(|arg| arg.data_type.kind == TypeKind::Null) {
        return Err(TypeMismatch::new("NULL has no type here").or("Write CAST(NULL AS …)."));
    }
    if distinct && (args.is_empty() || matches!(name, "JSON_OBJECTAGG" | "JSON_ARRAYAGG" | "PERCENTILE")) {
        return mismatch("has no DISTINCT form");
    }
    let number = || match args.first().and_then(|arg| Number::of(arg.data_type)) {
        Some(number) => Ok(number),
        None => mismatch("takes numbers"),
    };
    let spread = |sample: bool, root: bool| number().map(|number| Kind::Spread { number, sample, root });
    let kind = match name {
        "COUNT" if args.is_empty() => Kind::CountRows,
        "COUNT" => Kind::Count,
        "SUM" => Kind::Sum(number()?),
        "AVG" => Kind::Average(number()?),
        "MIN" | "MAX" | "SINGLE_VALUE" => {
            let kind = &args[0].data_type.kind;
            let nested = matches!(
                kind,
                TypeKind::Array(_)
                    | TypeKind::Map(..)
                    | TypeKind::Multiset(_)
                    | TypeKind::Row(_)
                    | TypeKind::Bitmap
            );
            match name {
                "MIN" | "MAX" if nested || kind.is_binary() => {
                    return mismatch(format!("{kind} has no order"));
                }
                "MIN" => Kind::Min,
                "MAX" => Kind::Max,
                _ => Kind::Single,
            }
        }
        "STDDEV_POP" => spread(false, true)?,
        "STDDEV_SAMP" | "STDDEV" => spread(true, true)?,
        "VAR_POP" => spread(false, false)?,
        "VAR_SAMP" | "VARIANCE" => spread(true, false)?,
        "LISTAGG" => Kind::List(separator(args)?),
        "FIRST_VALUE" => Kind::First,
        "LAST_VALUE" => Kind::Last,
        "COLLECT" => Kind::Collect,
        "ARRAY_AGG" => Kind::Array,
        "JSON_ARRAYAGG" => Kind::JsonArray(members(args[0], absent_on_null)?),
        "JSON_OBJECTAGG" => {
            if !args[0].data_type.kind.is_string() {
                return Err(TypeMismatch::new("the key must be text").or("Use CAST(… AS STRING)."));
            }
            Kind::JsonObject(members(args[1], absent_on_null)?)
        }
        _ => {
            percentile_arguments(&mut arguments)?;
            Kind::Percentile
        }
    };
    Ok((kind, arguments))
}

fn separator(args: &[Argument<'_>]) -> Result<Box<str>, TypeMismatch> {
    if !args[0].data_type.kind.is_string() {
        return Err(TypeMismatch::new("joins texts").or("Use CAST(… AS STRING)."));
    }
    let Some(separator) = args.get(1) else { return Ok(",".into()) };
    match separator.literal.and_then(Value::as_str) {
        Some(separator) => Ok(separator.into()),
        None => mismatch("the separator must be a constant text"),
    }
}

fn members(arg: Argument<'_>, absent_on_null: bool) -> Result<Members, TypeMismatch> {
    match &arg.data_type.kind {
        kind @ (TypeKind::Date | TypeKind::Time(_) | TypeKind::IntervalMonth | TypeKind::IntervalSecond) => {
            Err(TypeMismatch::new(format!("{kind} has no form in JSON")).or("Use CAST(… AS STRING)."))
        }
        _ => Ok(Members { data_type: arg.data_type.clone(), absent_on_null, raw: false }),
    }
}

/// `PERCENTILE` computes with doubles.
fn percentile_arguments(arguments: &mut [DataType]) -> Result<(), TypeMismatch> {
    let as_double = |data_type: &DataType| DataType::double().with_nullable(data_type.nullable);
    if !arguments[0].kind.is_numeric() {
        return mismatch("takes numbers");
    }
    arguments[0] = as_double(&arguments[0]);
    arguments[1] = match &arguments[1].kind {
        kind if kind.is_numeric() => as_double(&arguments[1]),
        TypeKind::Array(element) if element.kind.is_numeric() => {
            DataType::array(as_double(element)).with_nullable(arguments[1].nullable)
        }
        _ => return mismatch("the percentage must be a number or an array of numbers"),
    };
    match arguments.get(2) {
        Some(frequency) if !frequency.kind.is_integer() => mismatch("the frequency must be an integer"),
        _ => Ok(()),
    }
}

fn result_type(kind: &Kind, args: &[Argument<'_>], grouped: bool) -> DataType {
    let Some(arg) = args.first().map(|arg| arg.data_type.clone().without_attribute()) else {
        return DataType::bigint().not_null();
    };
    // Where each group has a value, the result is one.
    let nullable = arg.nullable || !grouped;
    let of_number = |number: &Number, scale: fn(u8) -> u8| match number {
        Number::Decimal(digits) => DataType::decimal(38, scale(*digits)),
        _ => arg.clone(),
    };
    match kind {
        Kind::CountRows | Kind::Count => DataType::bigint().not_null(),
        Kind::Sum(number) => of_number(number, |scale| scale).with_nullable(nullable),
        Kind::Average(number) => of_number(number, |scale| scale.max(6)).with_nullable(nullable),
        // The spread of a sample of one value is NULL all the same, as in Flink.
        Kind::Spread { number, .. } => of_number(number, |scale| scale.max(6)).with_nullable(nullable),
        Kind::Min | Kind::Max | Kind::First | Kind::Last | Kind::Single => arg.with_nullable(nullable),
        Kind::List(_) => arg,
        Kind::Collect => DataType::new(TypeKind::Multiset(arg.into())).not_null(),
        Kind::Array => DataType::array(arg.clone()).with_nullable(arg.nullable),
        Kind::JsonObject(_) | Kind::JsonArray(_) => DataType::new(TypeKind::VarChar(2000)).not_null(),
        Kind::Percentile => match &args[1].data_type.kind {
            TypeKind::Array(_) => DataType::array(DataType::double()),
            _ => DataType::double(),
        },
    }
}
