//! Takes what a sub-query reads of the query around it out of its plan.
//!
//! Conditions that compare with the query around move up, until the sub-query stands by itself and
//! they say which of its rows belong to a row outside. On the way the columns that they read stay
//! in the projections, and become keys of aggregations and ranks.

use std::collections::BTreeSet;

use super::super::error::{PlanError, PlanErrorKind};
use super::super::join::{Join, JoinKind, joined};
use super::super::node::{Aggregate, Calc, Op, Plan, Rank};
use super::scope::OUTER;
use crate::expr::aggregate::AggregateCall;
use crate::expr::{Context, Expr};
use crate::value::{Column, Value};

/// A plan that stands by itself, and which of its rows belong to a row of the query around.
#[derive(Debug, Clone)]
pub(super) struct Correlated {
    pub(super) plan: Plan,
    /// What has to hold. Columns of the plan are counted from [`INNER`], those of the query around
    /// from 0.
    pub(super) conditions: Vec<Expr>,
    /// Whether no more than one row belongs to a row of the query around.
    pub(super) is_single: bool,
    /// The values of a row of the query around to which no row belongs, where there are aggregates.
    pub(super) on_empty: Option<Vec<Expr>>,
}

/// The first column of a sub-query in [`Correlated::conditions`].
const INNER: usize = 1 << 27;

impl Correlated {
    /// The conditions over the columns of the query around followed by those of the plan.
    pub(super) fn conditions_at(&self, width: usize) -> Vec<Expr> {
        let place = &mut |column: usize| match column {
            INNER..OUTER => column - INNER + width,
            _ => column,
        };
        self.conditions.iter().map(|condition| condition.clone().map_columns(place)).collect()
    }

    /// The columns of the plan that the conditions read.
    pub(super) fn inner_columns(&self) -> BTreeSet<usize> {
        let columns = self.conditions.iter().flat_map(Expr::columns);
        columns.filter(|column| (INNER..OUTER).contains(column)).map(|column| column - INNER).collect()
    }

    /// Says where the columns of the plan have gone.
    pub(super) fn move_inner(&mut self, place: impl Fn(usize) -> usize) {
        let place = &mut |column: usize| match column {
            INNER..OUTER => INNER + place(column - INNER),
            _ => column,
        };
        for condition in &mut self.conditions {
            *condition = condition.clone().map_columns(place);
        }
    }
}

/// Makes a plan stand by itself. The columns it had come first; others may follow.
///
/// # Errors
/// When it depends on the query around in a way that cannot be taken out, or, if `strict`, that
/// Flink does not take out.
pub(super) fn decorrelate(plan: Plan, strict: bool) -> Result<Correlated, PlanError> {
    let Pulled { plan, conditions, is_single, on_empty } = pull(plan, strict)?;
    let place = &mut |column: usize| if column >= OUTER { column - OUTER } else { column + INNER };
    let conditions = conditions.into_iter().map(|condition| condition.map_columns(place)).collect();
    Ok(Correlated { plan, conditions, is_single, on_empty })
}

/// A plan without the conditions on the query around, which are over its columns and [`OUTER`]
/// ones.
struct Pulled {
    plan: Plan,
    conditions: Vec<Expr>,
    is_single: bool,
    on_empty: Option<Vec<Expr>>,
}

fn pull(plan: Plan, strict: bool) -> Result<Pulled, PlanError> {
    match &plan.op {
        Op::Calc(calc) => pull_calc(calc, pull(plan.input().clone(), strict)?, &plan),
        Op::Aggregate(aggregate) => pull_aggregate(aggregate, pull(plan.input().clone(), strict)?, &plan),
        Op::Join(join) if depends(&plan) => pull_join(join, &plan, strict),
        Op::Rank(rank) if depends(&plan) && !strict => pull_rank(rank, pull(plan.input().clone(), strict)?),
        _ if depends(&plan) => Err(unsupported()),
        Op::Rank(rank) => {
            let is_single = rank.partition.is_empty() && rank.end == Some(rank.start);
            Ok(Pulled { is_single, ..alone(plan) })
        }
        Op::Limit { fetch, .. } => {
            let is_single = *fetch == Some(1);
            Ok(Pulled { is_single, ..alone(plan) })
        }
        Op::Values(rows) => {
            let is_single = rows.len() <= 1;
            Ok(Pulled { is_single, ..alone(plan) })
        }
        _ => Ok(alone(plan)),
    }
}

fn alone(plan: Plan) -> Pulled {
    Pulled { plan, conditions: Vec::new(), is_single: false, on_empty: None }
}

fn unsupported() -> PlanError {
    let what = "a sub-query that reads the query around it in this place";
    let hint = "Compare with the columns outside in the WHERE of the sub-query, or write a join.";
    PlanErrorKind::refused(what, hint).into()
}

fn is_outer(expr: &Expr) -> bool {
    expr.columns().into_iter().any(|column| column >= OUTER)
}

/// Whether a plan reads the query around.
fn depends(plan: &Plan) -> bool {
    let mut found = false;
    plan.visit(&mut |plan| {
        found |= match &plan.op {
            Op::Calc(calc) => calc.condition.iter().chain(&calc.projection).any(is_outer),
            Op::Join(join) => join.condition.iter().any(is_outer),
            _ => false,
        };
    });
    found
}

fn pull_calc(calc: &Calc, input: Pulled, plan: &Plan) -> Result<Pulled, PlanError> {
    if calc.projection.iter().any(is_outer) {
        return Err(unsupported());
    }
    let parts = calc.condition.clone().into_iter().flat_map(Expr::into_conjuncts);
    let (outer, own): (Vec<Expr>, Vec<Expr>) = parts.partition(is_outer);
    let on_empty = input.on_empty.filter(|_| calc.condition.is_none()).map(|values| {
        let compute = |expr: &Expr| {
            let context = Context { time_zone: jiff::tz::TimeZone::UTC, now: 0, watermark: None };
            expr.clone().substitute(&values).fold(&context)
        };
        calc.projection.iter().map(compute).collect()
    });
    let conditions: Vec<Expr> = input.conditions.into_iter().chain(outer).collect();
    // What the conditions read stays.
    let mut projection = calc.projection.clone();
    let mut names: Vec<String> = plan.schema.names().map(str::to_owned).collect();
    let identity = input.plan.identity();
    let read: BTreeSet<usize> = conditions.iter().flat_map(Expr::columns).filter(|&c| c < OUTER).collect();
    for &column in &read {
        if !projection.iter().any(|expr| expr.as_column() == Some(column)) {
            projection.push(identity[column].clone());
            names.push(format!("$c{}", projection.len() - 1));
        }
    }
    let place = &mut |column: usize| match column {
        OUTER.. => column,
        _ => projection.iter().position(|expr| expr.as_column() == Some(column)).expect("it was added"),
    };
    let conditions = conditions.into_iter().map(|condition| condition.map_columns(place)).collect();
    let mut schema_columns: Vec<Column> = plan.schema.columns.clone();
    let added = projection[schema_columns.len()..].iter().zip(&names[schema_columns.len()..]);
    let added: Vec<Column> = added.map(|(e, name)| Column::new(name.clone(), e.data_type.clone())).collect();
    schema_columns.extend(added);
    let op = Op::Calc(Calc { condition: Expr::conjunction(own), projection });
    let plan = Plan::new(op, vec![input.plan], schema_columns.into_iter().collect());
    Ok(Pulled { plan, conditions, is_single: input.is_single, on_empty })
}

/// The inner column that a condition wants equal to something outside.
fn key_of(condition: &Expr) -> Option<usize> {
    let (left, right, _) = condition.as_equality()?;
    let inner = |expr: &Expr| expr.as_column().filter(|&column| column < OUTER);
    let outer = |expr: &Expr| {
        let columns = expr.columns();
        !columns.is_empty() && columns.iter().all(|&column| column >= OUTER)
    };
    match (inner(left), inner(right)) {
        (Some(column), None) if outer(right) => Some(column),
        (None, Some(column)) if outer(left) => Some(column),
        _ => None,
    }
}

/// The inner columns that the conditions fix; they must be equalities.
fn keys_of(conditions: &[Expr]) -> Result<Vec<usize>, PlanError> {
    let mut keys = Vec::new();
    for condition in conditions {
        let key = key_of(condition).ok_or_else(unsupported)?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

fn pull_aggregate(aggregate: &Aggregate, input: Pulled, plan: &Plan) -> Result<Pulled, PlanError> {
    let is_single = aggregate.keys.is_empty();
    let on_empty = is_single.then(|| aggregate.calls.iter().map(empty_value).collect());
    let keys = keys_of(&input.conditions)?;
    if keys.is_empty() {
        let plan = Plan { inputs: vec![input.plan], ..plan.clone() };
        return Ok(Pulled { plan, conditions: Vec::new(), is_single, on_empty });
    }
    let own = aggregate.keys.len();
    let all: Vec<usize> = aggregate.keys.iter().chain(&keys).copied().collect();
    let added = keys.iter().enumerate().map(|(i, &key)| {
        let data_type = input.plan.schema.columns[key].data_type.clone();
        Column::new(format!("$k{i}"), data_type)
    });
    let mut columns = plan.schema.columns.clone();
    columns.splice(own..own, added);
    let op = Op::Aggregate(Aggregate { keys: all, calls: aggregate.calls.clone() });
    let grouped = Plan::new(op, vec![input.plan], columns.into_iter().collect());
    // The columns of the aggregation come first, the keys behind them.
    let identity = grouped.identity();
    let order: Vec<usize> =
        (0..own).chain(own + keys.len()..identity.len()).chain(own..own + keys.len()).collect();
    let projection: Vec<Expr> = order.iter().map(|&column| identity[column].clone()).collect();
    let names = order.iter().map(|&column| grouped.schema.columns[column].name.clone()).collect();
    let first_key = plan.schema.len();
    let place = &mut |column: usize| match column {
        OUTER.. => column,
        _ => first_key + keys.iter().position(|key| *key == column).expect("it is a key"),
    };
    let conditions = input.conditions.into_iter().map(|condition| condition.map_columns(place)).collect();
    Ok(Pulled { plan: grouped.calc(None, projection, names), conditions, is_single, on_empty })
}

/// What an aggregate gives when there are no rows.
fn empty_value(call: &AggregateCall) -> Expr {
    let value = call.value(&call.new_state());
    let value = if call.function.name() == "COUNT" { value } else { Value::NULL };
    Expr::literal(value, call.data_type.clone())
}

fn pull_join(join: &Join, plan: &Plan, strict: bool) -> Result<Pulled, PlanError> {
    if join.kind != JoinKind::Inner {
        return Err(unsupported());
    }
    let [left, right] = &plan.inputs[..] else { return Err(unsupported()) };
    let (left, right) = (pull(left.clone(), strict)?, pull(right.clone(), strict)?);
    let (old_left, old_right) = (plan.inputs[0].schema.len(), plan.inputs[1].schema.len());
    let (new_left, new_right) = (left.plan.schema.len(), right.plan.schema.len());
    let from_left = left.conditions;
    let shift = &mut |column: usize| if column >= OUTER { column } else { column + new_left };
    let from_right = right.conditions.into_iter().map(|condition| condition.map_columns(shift));
    let place = &mut |column: usize| match column {
        OUTER.. => column,
        _ if column >= old_left => column - old_left + new_left,
        _ => column,
    };
    let parts = join.condition.clone().into_iter().flat_map(Expr::into_conjuncts);
    let parts = parts.map(|part| part.map_columns(place));
    let (outer, own): (Vec<Expr>, Vec<Expr>) = parts.partition(is_outer);
    let both = joined(left.plan, right.plan, JoinKind::Inner, Expr::conjunction(own));
    // The columns that were there come first.
    let order: Vec<usize> = (0..old_left)
        .chain(new_left..new_left + old_right)
        .chain(old_left..new_left)
        .chain(new_left + old_right..new_left + new_right)
        .collect();
    let identity = both.identity();
    let names: Vec<String> = order.iter().map(|&column| both.schema.columns[column].name.clone()).collect();
    let projection = order.iter().map(|&column| identity[column].clone()).collect();
    let back = &mut |column: usize| match column {
        OUTER.. => column,
        _ => order.iter().position(|place| *place == column).expect("each column is there"),
    };
    let conditions = from_left.into_iter().chain(from_right).chain(outer);
    let conditions = conditions.map(|condition| condition.map_columns(back)).collect();
    Ok(Pulled { plan: both.calc(None, projection, names), conditions, is_single: false, on_empty: None })
}

/// A rank of each group of rows that belong together outside.
fn pull_rank(rank: &Rank, input: Pulled) -> Result<Pulled, PlanError> {
    if rank.number {
        return Err(unsupported());
    }
    let keys = keys_of(&input.conditions)?;
    let is_single = rank.partition.is_empty() && rank.end == Some(rank.start);
    let partition = keys.into_iter().chain(rank.partition.iter().copied()).collect();
    let schema = input.plan.schema.clone();
    let op = Op::Rank(Rank { partition, from_limit: false, ..rank.clone() });
    let plan = Plan::new(op, vec![input.plan], schema);
    Ok(Pulled { plan, conditions: input.conditions, is_single, on_empty: None })
}
