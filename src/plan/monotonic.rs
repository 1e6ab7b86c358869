//! Columns that only ever move one way.

use super::modes::is_append_only;
use super::node::{Op, Plan, SortKey};

/// Where the values of a column go when its row is updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// Nowhere.
    Constant,
    Up,
    Down,
}

/// Whether an update of a row never moves it back in an order.
pub(super) fn moves_forward(plan: &Plan, order: &[SortKey]) -> bool {
    order.iter().all(|key| match direction(plan, key.column) {
        Some(Direction::Constant) => true,
        Some(Direction::Up) => key.descending,
        Some(Direction::Down) => !key.descending,
        None => false,
    })
}

fn direction(plan: &Plan, column: usize) -> Option<Direction> {
    match &plan.op {
        Op::Calc(calc) if calc.condition.is_none() => {
            direction(plan.input(), calc.projection[column].as_column()?)
        }
        Op::Aggregate(aggregate) if is_known_to_append(plan.input()) => {
            let Some(call) = column.checked_sub(aggregate.keys.len()) else {
                return Some(Direction::Constant);
            };
            match aggregate.calls[call].function.name() {
                "COUNT" | "MAX" => Some(Direction::Up),
                "MIN" => Some(Direction::Down),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a plan only appends, and Flink's planner knows it: of table functions it knows nothing.
fn is_known_to_append(plan: &Plan) -> bool {
    let mut functions = false;
    plan.visit(&mut |plan| functions |= matches!(plan.op, Op::FromChangelog(_) | Op::ToChangelog(_)));
    !functions && is_append_only(plan)
}
