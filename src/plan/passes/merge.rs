//! Makes one `Calc` of several that follow each other, and takes away those that do nothing.

use super::super::node::{Calc, Op, Plan};
use crate::expr::Expr;

pub(super) fn merge(plan: Plan) -> Plan {
    let plan = plan.map_inputs(merge);
    let Op::Calc(outer) = &plan.op else { return plan };
    let plan = match &plan.input().op {
        Op::Calc(inner) if can_merge(outer, inner) => {
            let condition = Expr::conjunction(inner.condition.iter().cloned().chain(
                outer.condition.iter().map(|condition| condition.clone().substitute(&inner.projection)),
            ));
            let projection =
                outer.projection.iter().map(|expr| expr.clone().substitute(&inner.projection)).collect();
            let input = plan.input().input().clone();
            let op = Op::Calc(Calc { condition, projection });
            return merge(Plan::new(op, vec![input], plan.schema));
        }
        _ => plan,
    };
    match &plan.op {
        // The names may differ: they are those of the topmost operator.
        Op::Calc(calc) if calc.is_identity(&plan.input().schema) => {
            let mut input = plan.input().clone();
            input.schema = plan.schema;
            input
        }
        _ => plan,
    }
}

/// An expression that gives something else each time must stay computed once.
fn can_merge(outer: &Calc, inner: &Calc) -> bool {
    let uses = |column| {
        outer.condition.iter().chain(&outer.projection).filter(|e| e.columns().contains(&column)).count()
    };
    inner.projection.iter().enumerate().all(|(column, expr)| expr.is_deterministic() || uses(column) <= 1)
}
