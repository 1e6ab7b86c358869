//! Brings filters nearer to the sources, above all into `ChangelogNormalize`.

use super::super::node::{Calc, Op, Plan};
use super::join;
use super::merge::merge;
use crate::expr::Expr;

pub(super) fn push_down(plan: Plan) -> Plan {
    let plan = match &plan.op {
        Op::Calc(Calc { condition: Some(condition), .. }) => push_conjuncts(plan.clone(), condition.clone()),
        Op::Join(_) => join::push_condition(plan),
        _ => plan,
    };
    plan.map_inputs(push_down)
}

/// Pushes the parts of a condition below the input where the input allows it.
fn push_conjuncts(mut plan: Plan, condition: Expr) -> Plan {
    let parts = condition.into_conjuncts();
    let input = join::simplified(plan.inputs.remove(0), &parts);
    let (below, stays): (Vec<Expr>, Vec<Expr>) = parts.into_iter().partition(|part| can_push(&input, part));
    let input = if below.is_empty() { input } else { push_below(input, below) };
    if let Op::Calc(calc) = &mut plan.op {
        calc.condition = Expr::conjunction(stays);
    }
    plan.inputs = vec![input];
    merge(plan)
}

/// Whether a part of a condition can go below the input. One that decides anew for each row goes
/// down like any other, as in Flink.
fn can_push(input: &Plan, part: &Expr) -> bool {
    match &input.op {
        Op::ChangelogNormalize { .. } | Op::Union => true,
        Op::Join(join) => join::takes(join, input, part),
        Op::Unnest(_) => {
            let width = input.input().schema.len();
            part.columns().iter().all(|&column| column < width)
        }
        Op::Expand(_) => part.columns().is_empty(),
        Op::Aggregate(aggregate) => {
            let columns = part.columns();
            let decides = !columns.is_empty() || !part.is_deterministic();
            let keys = aggregate.keys.len();
            keys > 0 && decides && columns.iter().all(|&column| column < keys)
        }
        _ => false,
    }
}

fn push_below(plan: Plan, parts: Vec<Expr>) -> Plan {
    match &plan.op {
        Op::ChangelogNormalize { key, condition, shared } => {
            let (on_key, beyond): (Vec<Expr>, Vec<Expr>) =
                parts.into_iter().partition(|part| part.columns().iter().all(|c| key.contains(c)));
            let condition = Expr::conjunction(condition.iter().cloned().chain(beyond));
            let op = Op::ChangelogNormalize { key: key.clone(), condition, shared: *shared };
            let input = plan.input().clone();
            let input = match Expr::conjunction(on_key) {
                Some(on_key) => merge(input.filter(on_key)),
                None => input,
            };
            Plan::new(op, vec![input], plan.schema)
        }
        Op::Aggregate(aggregate) => {
            let keys = aggregate.keys.clone();
            plan.map_inputs(|input| {
                let parts = parts.iter().map(|part| part.clone().map_columns(&mut |column| keys[column]));
                filtered(input, parts.collect())
            })
        }
        Op::Join(_) => join::with_condition(plan, parts),
        Op::Union | Op::Unnest(_) | Op::Expand(_) => plan.map_inputs(|input| filtered(input, parts.clone())),
        _ => filtered(plan, parts),
    }
}

pub(super) fn filtered(plan: Plan, parts: Vec<Expr>) -> Plan {
    match Expr::conjunction(parts) {
        Some(condition) => merge(plan.filter(condition)),
        None => plan,
    }
}
