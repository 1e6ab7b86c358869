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

/// Whether an update of a row leaves it where it is in an order.
pub(super) fn stays(plan: &Plan, order: &[SortKey]) -> bool {
    order.iter().all(|key| direction(plan, key.column) == Some(Direction::Constant))
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

/// Whether an update can move a row back after all: a NULL that comes first is left behind by the
/// first value.
pub(crate) fn can_move_back(plan: &Plan, order: &[SortKey]) -> bool {
    order.iter().any(|key| {
        let is_nullable = plan.schema.columns[key.column].data_type.nullable;
        key.nulls_first && is_nullable && direction(plan, key.column) != Some(Direction::Constant)
    })
}

fn direction(plan: &Plan, column: usize) -> Option<Direction> {
    match &plan.op {
        Op::Calc(calc) if calc.condition.is_none() => {
            let expr = &calc.projection[column];
            let constant = |column| direction(plan.input(), column) == Some(Direction::Constant);
            match expr.as_column() {
                Some(column) => direction(plan.input(), column),
                None if expr.is_deterministic() => {
                    expr.columns().into_iter().all(constant).then_some(Direction::Constant)
                }
                None => None,
            }
        }
        Op::ChangelogNormalize { key, .. } => key.contains(&column).then_some(Direction::Constant),
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
        // A row that is updated in a key goes from one group to another.
        Op::Aggregate(aggregate) if column < aggregate.keys.len() => {
            let constant = |&key: &usize| direction(plan.input(), key) == Some(Direction::Constant);
            aggregate.keys.iter().all(constant).then_some(Direction::Constant)
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
