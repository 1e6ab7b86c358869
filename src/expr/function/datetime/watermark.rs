//! Functions on watermarks.

use super::super::call::{Evaluated, failure};
use super::super::parameter::{Typed, check, gives_type, mismatch};
use super::super::{Argument, Call, Category, Function};
use crate::value::{DataType, TimeAttribute, TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "CURRENT_WATERMARK",
        syntax: "CURRENT_WATERMARK(rowtime)",
        summary: "Gives the watermark of the row's stream, or NULL as long as there is none.",
        typing: type_current,
        eval: |call| Ok(call.context.watermark.map_or(Value::NULL, |millis| Value::timestamp(millis, 0))),
        ..TEMPLATE
    },
    Function {
        name: "SOURCE_WATERMARK",
        syntax: "WATERMARK FOR rowtime AS SOURCE_WATERMARK()",
        summary: "Stands for the watermarks that a connector makes itself, only in CREATE TABLE.",
        typing: |args| {
            check(args, &[&[]])?;
            Ok(gives_type(args, DataType::timestamp_ltz(3)))
        },
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Temporal,
    typing: type_current,
    eval: source_watermark,
    strict: false,
    deterministic: false,
};

/// The column's own type, with the milliseconds that watermarks have.
fn type_current(args: &[Argument<'_>]) -> Typed {
    let kind = match args {
        [arg] if arg.data_type.attribute == TimeAttribute::Rowtime => match arg.data_type.kind {
            TypeKind::TimestampLtz(_) => TypeKind::TimestampLtz(3),
            _ => TypeKind::Timestamp(3),
        },
        _ => return mismatch("takes a column of event time"),
    };
    Ok(gives_type(args, DataType::new(kind)))
}

fn source_watermark(_: &Call<'_>) -> Evaluated {
    failure("SOURCE_WATERMARK() may only be used in CREATE TABLE")
}

#[cfg(test)]
mod tests {
    use crate::expr::{Context, Expr};
    use crate::value::{DataType, TimeAttribute, Value};

    #[test]
    fn the_watermark_is_null_until_there_is_one() {
        let column = DataType::timestamp_ltz(6).with_attribute(TimeAttribute::Rowtime);
        let call = Expr::call("CURRENT_WATERMARK", vec![Expr::column(0, column)]).expect("it is event time");
        assert_eq!(call.data_type, DataType::timestamp_ltz(3));
        let mut context = Context { time_zone: jiff::tz::TimeZone::UTC, now: 0, watermark: None };
        let row = [Value::timestamp(5000, 0)];
        assert_eq!(call.eval(&row, &context), Ok(Value::NULL));
        context.watermark = Some(1500);
        assert_eq!(call.eval(&row, &context), Ok(Value::timestamp(1500, 0)));
    }

    #[test]
    fn only_event_time_has_a_watermark() {
        let column = Expr::column(0, DataType::timestamp(3));
        assert!(Expr::call("CURRENT_WATERMARK", vec![column]).is_err());
    }
}
