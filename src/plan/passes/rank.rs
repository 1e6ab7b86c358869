//! Recognizes `ROW_NUMBER() OVER (…)` under a condition on the number as a rank, and a rank of
//! one row by time as a deduplication.

use super::super::error::{PlanError, PlanErrorKind};
use super::super::modes;
use super::super::node::{Calc, Deduplicate, Op, Over, OverCall, Plan, Rank, RankStrategy};
use super::merge::merge;
use crate::expr::{Comparison, Expr, ExprKind};
use crate::value::{DataType, TimeAttribute, Value};

/// Turns each `ROW_NUMBER` into a rank.
///
/// # Errors
/// When a `ROW_NUMBER` has no condition that bounds it: then every new row could change the
/// numbers of all others.
pub(super) fn recognize(plan: Plan) -> Result<Plan, PlanError> {
    let plan = match (&plan.op, plan.inputs.first().map(|input| &input.op)) {
        (Op::Calc(calc), Some(Op::Over(over))) if over.calls == [OverCall::RowNumber] => {
            ranked(&plan, calc, over).ok_or_else(|| unbounded(over))?
        }
        (_, Some(Op::Over(over))) if over.calls.contains(&OverCall::RowNumber) => {
            return Err(unbounded(over));
        }
        _ => plan,
    };
    plan.try_map_inputs(recognize)
}

fn unbounded(over: &Over) -> PlanError {
    PlanError { span: over.place, ..PlanErrorKind::UnboundedRowNumber.into() }
}

fn ranked(plan: &Plan, calc: &Calc, over: &Over) -> Option<Plan> {
    let window = plan.input();
    let number = window.input().schema.len();
    let mut range = Range { start: 1, end: None };
    let mut stays = Vec::new();
    for part in calc.condition.clone()?.into_conjuncts() {
        if !range.narrow(&part, number) {
            stays.push(part);
        }
    }
    let Range { start, end } = range;
    let end = end?;
    let rank = Rank {
        partition: over.partition.clone(),
        order: over.order.clone(),
        start,
        end: Some(end),
        number: true,
        strategy: RankStrategy::Undefined,
        from_limit: false,
    };
    let ranked = Plan::new(Op::Rank(rank), vec![window.input().clone()], window.schema.clone());
    // A range of one number makes the number a constant.
    let mut columns = ranked.identity();
    if start == end {
        let value = Value::integer(i64::try_from(end).ok()?);
        columns[number] = Expr::literal(value, DataType::bigint().not_null());
    }
    let calc = Calc {
        condition: Expr::conjunction(stays).map(|condition| condition.substitute(&columns)),
        projection: calc.projection.iter().map(|expr| expr.clone().substitute(&columns)).collect(),
    };
    Some(merge(Plan::new(Op::Calc(calc), vec![ranked], plan.schema.clone())))
}

struct Range {
    start: u64,
    end: Option<u64>,
}

impl Range {
    /// Takes in a condition on the number; returns whether it was one.
    fn narrow(&mut self, part: &Expr, number: usize) -> bool {
        let ExprKind::Compare(comparison, left, right) = &part.kind else { return false };
        let (comparison, bound) = match (left.as_uncast_column(), right.as_uncast_column()) {
            (Some(column), None) if column == number => (*comparison, right),
            (None, Some(column)) if column == number => (comparison.flipped(), left),
            _ => return false,
        };
        let ExprKind::Literal(bound) = &bound.kind else { return false };
        let Some(bound) = bound.as_integer() else { return false };
        let bound = u64::try_from(bound).unwrap_or(0);
        let (start, end) = match comparison {
            Comparison::Equal => (bound, Some(bound)),
            Comparison::Less => (1, Some(bound.saturating_sub(1))),
            Comparison::LessOrEqual => (1, Some(bound)),
            Comparison::Greater => (bound + 1, None),
            Comparison::GreaterOrEqual => (bound.max(1), None),
            Comparison::NotEqual => return false,
        };
        self.start = self.start.max(start);
        self.end = match (self.end, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        true
    }
}

/// Turns ranks of one row by a time attribute, over inputs that only append, into deduplications.
pub(super) fn deduplicate(plan: Plan) -> Plan {
    let plan = plan.map_inputs(deduplicate);
    let Op::Rank(rank) = &plan.op else { return plan };
    let [order] = rank.order[..] else { return plan };
    let attribute = plan.input().schema.columns[order.column].data_type.attribute;
    let one = rank.start == 1 && rank.end == Some(1) && !rank.number && !rank.from_limit;
    if !one || attribute == TimeAttribute::None || !modes::is_append_only(plan.input()) {
        return plan;
    }
    let dedup = Deduplicate {
        key: rank.partition.clone(),
        time: order.column,
        rowtime: attribute == TimeAttribute::Rowtime,
        keep_last: order.descending,
    };
    Plan::new(Op::Deduplicate(dedup), plan.inputs, plan.schema)
}
