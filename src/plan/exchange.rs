//! Where the changes of an input are brought together by some columns, which Flink's plans show as an
//! `Exchange`.

use super::node::{Op, Plan};

/// The columns by which the changes of an input are brought together, if they have to be; none of
/// them where all changes go to one place.
pub(super) fn exchanged_by(plan: &Plan, port: usize) -> Option<Vec<usize>> {
    let columns = match &plan.op {
        Op::Join(join) => {
            let keys = join.keys(plan.input().schema.len());
            if port == 0 { keys.left } else { keys.right }
        }
        Op::Aggregate(aggregate) => aggregate.keys.clone(),
        Op::Rank(rank) => rank.partition.clone(),
        Op::Deduplicate(dedup) => dedup.key.clone(),
        Op::Over(over) => over.partition.clone(),
        Op::ChangelogNormalize { key, .. } => key.clone(),
        Op::FromChangelog(function) => function.partition.clone()?,
        Op::ToChangelog(function) => function.partition.clone()?,
        Op::Limit { .. } | Op::Sort { .. } => Vec::new(),
        Op::Scan(_)
        | Op::Values(_)
        | Op::Calc(_)
        | Op::Watermark { .. }
        | Op::Unnest(_)
        | Op::Expand(_)
        | Op::Union
        | Op::DropUpdateBefore
        | Op::Sink(_) => return None,
    };
    let is_in_one_place = match &plan.inputs[port].op {
        Op::Limit { .. } => true,
        Op::Rank(rank) => rank.from_limit,
        _ => false,
    };
    (!columns.is_empty() || !is_in_one_place).then_some(columns)
}

/// Whether an operator is an aggregation that Flink can do in two phases, first where the rows are
/// and then by the key: all its functions can merge what was aggregated before.
pub(super) fn is_two_phase(plan: &Plan) -> bool {
    let Op::Aggregate(aggregate) = &plan.op else { return false };
    let merges = |name| !matches!(name, "FIRST_VALUE" | "LAST_VALUE" | "JSON_ARRAYAGG");
    exchanged_by(plan, 0).is_some() && aggregate.calls.iter().all(|call| merges(call.function.name()))
}
