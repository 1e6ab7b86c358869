//! INTERSECT and EXCEPT, written as joins and aggregations as Flink does.

use sqlparser::ast::SetOperator;

use super::super::error::{PlanError, PlanErrorKind};
use super::super::join::{JoinKind, joined};
use super::super::node::{Aggregate, Op, Plan, Unnest};
use super::query::{aligned, distinct};
use crate::expr::aggregate::{self, AggregateCall};
use crate::expr::{Comparison, Expr};
use crate::sql::Span;
use crate::value::{Column, DataType, Schema, TypeKind, Value};

/// The rows of two queries that are in both, or in the first and not in the second.
pub(super) fn intersect_or_except(
    op: SetOperator,
    all: bool,
    left: Plan,
    right: Plan,
    span: Span,
) -> Result<Plan, PlanError> {
    let is_intersect = op == SetOperator::Intersect;
    let what = if is_intersect { "the queries of INTERSECT" } else { "the queries of EXCEPT" };
    let (plans, schema) = aligned(vec![left, right], what, span)?;
    let [left, right] = <[Plan; 2]>::try_from(plans).expect("two queries stay two");
    if all {
        return counted(is_intersect, left, right, &schema);
    }
    let left = with_types_of(left, &schema);
    let width = schema.len();
    let ours = left.identity();
    let theirs = right.identity().into_iter().map(|expr| expr.map_columns(&mut |column| column + width));
    let parts = ours.into_iter().zip(theirs).map(|(a, b)| call("IS NOT DISTINCT FROM", vec![a, b]));
    let condition = Expr::conjunction(parts.collect::<Result<Vec<_>, _>>()?);
    let kind = if is_intersect { JoinKind::Semi } else { JoinKind::Anti };
    let plan = distinct(joined(left, right, kind, condition));
    Ok(Plan { schema, ..plan })
}

/// The plan with columns that may be NULL where those of the result may. Flink makes new columns of
/// them, which are no key any more.
fn with_types_of(plan: Plan, schema: &Schema) -> Plan {
    let nullable = |schema: &Schema| schema.types().map(|data_type| data_type.nullable).collect::<Vec<_>>();
    let wanted = nullable(schema);
    if nullable(&plan.schema) == wanted {
        return plan;
    }
    let columns = plan.identity().into_iter().zip(wanted).map(|(mut column, nullable)| {
        column.data_type.nullable |= nullable;
        column
    });
    plan.calc(None, columns.collect(), schema.names().map(str::to_owned).collect())
}

/// `INTERSECT ALL` and `EXCEPT ALL`: how often a row is on either side says how often it comes out.
fn counted(is_intersect: bool, left: Plan, right: Plan, schema: &Schema) -> Result<Plan, PlanError> {
    let width = schema.len();
    let marked = |plan: Plan, is_left: bool| {
        let mut columns = plan.identity();
        let mark = |here: bool| {
            Expr::literal(if here { Value::boolean(true) } else { Value::NULL }, DataType::boolean())
        };
        columns.extend([mark(is_left), mark(!is_left)]);
        let names = schema.names().map(str::to_owned).chain(["$left".to_owned(), "$right".to_owned()]);
        plan.calc(None, columns, names.collect())
    };
    let both = [marked(left, true), marked(right, false)];
    let union_schema: Schema = schema
        .columns
        .iter()
        .cloned()
        .chain(["$left", "$right"].map(|name| Column::new(name, DataType::boolean())))
        .collect();
    let union = Plan::new(Op::Union, both.into(), union_schema);
    let calls = vec![count_of(&union, width)?, count_of(&union, width + 1)?];
    let columns = schema.columns.iter().cloned();
    let counts = ["$left", "$right"].map(|name| Column::new(name, DataType::bigint().not_null()));
    let op = Op::Aggregate(Aggregate { keys: (0..width).collect(), calls });
    let grouped = Plan::new(op, vec![union], columns.chain(counts).collect());

    let [left, right] = [width, width + 1].map(|column| Expr::column(column, DataType::bigint().not_null()));
    let zero = || Expr::literal(Value::integer(0), DataType::bigint().not_null());
    let compare = |op, a: &Expr, b: &Expr| {
        Expr::compare(op, a.clone(), b.clone()).map_err(|error| PlanError::from(PlanErrorKind::from(error)))
    };
    let (condition, times) = if is_intersect {
        let there = vec![
            compare(Comparison::Greater, &left, &zero())?,
            compare(Comparison::Greater, &right, &zero())?,
        ];
        let fewer = compare(Comparison::Greater, &left, &right)?;
        let times = Expr::case(vec![(fewer, right)], Some(left)).map_err(PlanErrorKind::from)?;
        (Expr::and(there).map_err(PlanErrorKind::from)?, times)
    } else {
        (compare(Comparison::Greater, &left, &right)?, call("-", vec![left, right])?)
    };
    let mut projection = grouped.identity();
    projection.truncate(width);
    projection.push(times);
    let names: Vec<String> = schema.names().map(str::to_owned).chain(["$times".to_owned()]).collect();
    let counted = grouped.calc(Some(condition), projection, names);
    let times = Expr::column(width, counted.schema.columns[width].data_type.clone());
    let unnest = Unnest { collection: times, elements: 0, ordinality: false, keeps_left: false };
    let repeated_schema = counted.schema.clone();
    let repeated = Plan::new(Op::Unnest(unnest), vec![counted], repeated_schema);
    let mut columns = repeated.identity();
    columns.truncate(width);
    Ok(repeated.calc(None, columns, schema.names().map(str::to_owned).collect()))
}

fn count_of(input: &Plan, column: usize) -> Result<AggregateCall, PlanError> {
    let expr = Expr::column(column, DataType::new(TypeKind::Boolean));
    let bound = aggregate::bind("COUNT", &[expr.as_argument()], false, true).map_err(PlanErrorKind::from)?;
    debug_assert_eq!(input.schema.columns[column].data_type.kind, TypeKind::Boolean);
    Ok(AggregateCall {
        function: bound.function,
        args: vec![column],
        distinct: false,
        filter: None,
        data_type: bound.data_type,
        retracts: true,
    })
}

fn call(name: &str, args: Vec<Expr>) -> Result<Expr, PlanError> {
    Expr::call(name, args).map_err(|error| PlanErrorKind::from(error).into())
}
