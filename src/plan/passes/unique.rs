//! Which columns have no two rows in common.

use std::collections::BTreeSet;

use super::super::join::{Join, JoinKind};
use super::super::node::{Op, Plan};
use crate::value::Row;

/// Some columns of a plan.
pub(super) type Columns = BTreeSet<usize>;

/// Whether no two rows of a plan are equal in some columns, as far as Flink sees before it decides
/// how to run the plan: not through a cast, be it one that only allows NULL, and not what the number of a rank says.
pub(super) fn are_unique(plan: &Plan, columns: &Columns) -> bool {
    match &plan.op {
        Op::Scan(scan) => scan.key.as_ref().is_some_and(|key| {
            key.iter().all(|column| columns.contains(column) && !may_be_null(plan, *column))
        }),
        Op::ChangelogNormalize { key, .. } => key.iter().all(|column| {
            columns.contains(column) && may_be_null(plan, *column) == may_be_null(plan.input(), *column)
        }),
        Op::Values(rows) => {
            let of_row = |row: &Row| columns.iter().map(|&c| row[c].clone()).collect::<Vec<_>>();
            let values: Vec<_> = rows.iter().map(of_row).collect();
            values.iter().enumerate().all(|(i, row)| !values[..i].contains(row))
        }
        Op::Calc(calc) => {
            let below = |&column: &usize| {
                let expr = &calc.projection[column];
                let same = |below: &usize| may_be_null(plan.input(), *below) == expr.data_type.nullable;
                expr.as_column().filter(same)
            };
            are_unique(plan.input(), &columns.iter().filter_map(below).collect())
        }
        Op::Aggregate(aggregate) => (0..aggregate.keys.len()).all(|key| columns.contains(&key)),
        Op::Join(join) => are_unique_in_join(join, plan, columns),
        Op::Rank(_) | Op::Over(_) => {
            let width = plan.input().schema.len();
            are_unique(plan.input(), &columns.iter().copied().filter(|&column| column < width).collect())
        }
        Op::Watermark { .. } | Op::Limit { .. } | Op::Sort { .. } | Op::DropUpdateBefore => {
            are_unique(plan.input(), columns)
        }
        Op::Deduplicate(_)
        | Op::Expand(_)
        | Op::Unnest(_)
        | Op::Union
        | Op::FromChangelog(_)
        | Op::ToChangelog(_)
        | Op::Sink(_) => false,
    }
}

fn may_be_null(plan: &Plan, column: usize) -> bool {
    plan.schema.columns[column].data_type.nullable
}

/// Columns of both sides are unique where those of each side are. Columns of one side are unique
/// where, besides, a row has one match at most and does not come without one from the other side.
fn are_unique_in_join(join: &Join, plan: &Plan, columns: &Columns) -> bool {
    let [left, right] = &plan.inputs[..] else { return false };
    let width = left.schema.len();
    if join.kind.gives_left_only() {
        return are_unique(left, columns);
    }
    let ours: Columns = columns.iter().copied().filter(|&column| column < width).collect();
    let theirs: Columns = columns.iter().filter_map(|column| column.checked_sub(width)).collect();
    let keys = join.keys(width);
    let one_match = |side: &Plan, keys: &[usize]| are_unique(side, &keys.iter().copied().collect());
    match (ours.is_empty(), theirs.is_empty()) {
        (false, false) => are_unique(left, &ours) && are_unique(right, &theirs),
        (false, true) => {
            matches!(join.kind, JoinKind::Inner | JoinKind::Left)
                && are_unique(left, &ours)
                && one_match(right, &keys.right)
        }
        (true, false) => {
            matches!(join.kind, JoinKind::Inner | JoinKind::Right)
                && are_unique(right, &theirs)
                && one_match(left, &keys.left)
        }
        (true, true) => false,
    }
}

/// Whether there is one row at most.
pub(super) fn is_single_row(plan: &Plan) -> bool {
    match &plan.op {
        Op::Limit { fetch: Some(0 | 1), .. } => true,
        Op::Rank(rank) if rank.from_limit => rank.end == Some(rank.start),
        Op::Calc(_) => is_single_row(plan.input()),
        _ => false,
    }
}
