//! Computes constants, and takes away filters that are always TRUE and inputs that are never read.

use std::sync::Arc;

use super::super::node::{Op, Plan};
use crate::expr::{Context, Expr};

pub(super) fn fold(plan: Plan, context: &Context) -> Plan {
    let mut plan = plan.map_inputs(|input| fold(input, context));
    match &mut plan.op {
        Op::Calc(calc) => {
            for expr in &mut calc.projection {
                *expr = simplified(expr.clone(), context);
            }
            calc.condition = calc.condition.take().map(|condition| simplified(condition, context));
            if calc.condition.as_ref().is_some_and(Expr::is_true) {
                calc.condition = None;
            }
            if calc.condition.as_ref().is_some_and(Expr::is_never_true) {
                return Plan::new(Op::Values(Arc::new([])), Vec::new(), plan.schema);
            }
        }
        Op::Join(join) => {
            join.condition = join.condition.take().map(|condition| simplified(condition, context));
            if join.condition.as_ref().is_some_and(Expr::is_true) {
                join.condition = None;
            }
        }
        Op::Expand(rows) => {
            for expr in rows.iter_mut().flatten() {
                *expr = simplified(expr.clone(), context);
            }
        }
        Op::Unnest(unnest) => unnest.collection = simplified(unnest.collection.clone(), context),
        Op::Scan(_)
        | Op::Values(_)
        | Op::Watermark { .. }
        | Op::Aggregate(_)
        | Op::Rank(_)
        | Op::Deduplicate(_)
        | Op::Limit { .. }
        | Op::Sort { .. }
        | Op::Over(_)
        | Op::Union
        | Op::FromChangelog(_)
        | Op::ToChangelog(_)
        | Op::ChangelogNormalize { .. }
        | Op::DropUpdateBefore
        | Op::Sink(_) => {}
    }
    plan
}

fn simplified(expr: Expr, context: &Context) -> Expr {
    expr.fold(context).simplify()
}
