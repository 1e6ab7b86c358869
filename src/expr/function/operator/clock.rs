//! The functions that tell the time: that of the row they are computed for.

use super::expect_arguments;
use crate::expr::function::{Argument, Call, Category, Function, Signature, TypeMismatch};
use crate::value::time::{drop_zone, split_millis};
use crate::value::{DataType, TimeAttribute, TypeKind, Value};

/// A function without arguments that depends on the time.
macro_rules! clock {
    ($name:ident, $sql:literal, $syntax:literal, $summary:literal, $type:expr, $eval:expr) => {
        #[doc = concat!("`", $syntax, "`")]
        pub(in crate::expr) static $name: Function = Function {
            name: $sql,
            syntax: $syntax,
            summary: $summary,
            example: None,
            category: Category::Temporal,
            typing: |args| without_arguments(args, $type),
            eval: |call| {
                let tell: fn(&Call<'_>) -> Value = $eval;
                Ok(tell(call))
            },
            strict: false,
            deterministic: false,
        };
    };
}

clock!(
    CURRENT_DATE,
    "CURRENT_DATE",
    "CURRENT_DATE",
    "Today, in the session's time zone.",
    DataType::new(TypeKind::Date),
    |call| Value::date(split_millis(local(call)).0)
);
clock!(
    CURRENT_TIME,
    "CURRENT_TIME",
    "CURRENT_TIME",
    "The time of day, in the session's time zone.",
    DataType::new(TypeKind::Time(0)),
    time_of_day
);
clock!(
    LOCALTIME,
    "LOCALTIME",
    "LOCALTIME",
    "The time of day, in the session's time zone.",
    DataType::new(TypeKind::Time(0)),
    time_of_day
);
clock!(
    CURRENT_TIMESTAMP,
    "CURRENT_TIMESTAMP",
    "CURRENT_TIMESTAMP",
    "The current instant.",
    DataType::timestamp_ltz(3),
    instant
);
clock!(NOW, "NOW", "NOW()", "The current instant.", DataType::timestamp_ltz(3), instant);
clock!(
    CURRENT_ROW_TIMESTAMP,
    "CURRENT_ROW_TIMESTAMP",
    "CURRENT_ROW_TIMESTAMP()",
    "The instant at which the row is processed.",
    DataType::timestamp_ltz(3),
    instant
);
clock!(
    LOCALTIMESTAMP,
    "LOCALTIMESTAMP",
    "LOCALTIMESTAMP",
    "The date and time of day, in the session's time zone.",
    DataType::timestamp(3),
    |call| Value::timestamp(local(call), 0)
);
clock!(
    PROCTIME,
    "PROCTIME",
    "PROCTIME()",
    "The processing time, as a time attribute.",
    DataType::timestamp_ltz(3).with_attribute(TimeAttribute::Proctime),
    instant
);

fn without_arguments(args: &[Argument<'_>], result: DataType) -> Result<Signature, TypeMismatch> {
    expect_arguments(args, 0)?;
    Ok(Signature { arguments: Vec::new(), result: result.not_null() })
}

fn local(call: &Call<'_>) -> i64 {
    drop_zone(call.context.now, &call.context.time_zone)
}

fn instant(call: &Call<'_>) -> Value {
    Value::timestamp(call.context.now, 0)
}

/// The time of day in whole seconds.
fn time_of_day(call: &Call<'_>) -> Value {
    let (_, millis) = split_millis(local(call));
    Value::time(millis / 1000 * 1000)
}
