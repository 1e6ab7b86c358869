//! The second pass: where an update needs its old image.

use std::collections::BTreeSet;

use super::super::join::{JoinKeys, input_keys};
use super::super::keys::{Claims, keys_with, upsert_keys};
use super::super::monotonic::{moves_forward, stays};
use super::super::node::{Calc, Op, Plan, RankStrategy, Sink};
use super::kinds::{ModifyKinds, provided};
use crate::expr::Expr;

/// How updates are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UpdateKind {
    /// There are no updates.
    None,
    /// `+U` alone.
    OnlyAfter,
    /// `-U` and `+U`.
    Both,
}

impl UpdateKind {
    /// This kind for an input that updates, and none for one that does not.
    fn for_input(self, kinds: ModifyKinds) -> Self {
        if kinds.update { self } else { Self::None }
    }
}

/// The plan with modes such that it gives updates in the required way, if that can be had.
///
/// An operator that cannot choose gives what it has; its consumer sees that it is not what was
/// required, except for a function with row semantics, which takes what it gets.
pub(super) fn satisfy(plan: Plan, required: UpdateKind) -> Option<Plan> {
    match &plan.op {
        Op::Sink(sink) => {
            let wanted = sink_requirements(sink, plan.input());
            let input = wanted.iter().find_map(|&update| satisfy_exactly(plan.input().clone(), update))?;
            Some(with_inputs(plan, vec![input], UpdateKind::None))
        }
        Op::Scan(scan) => {
            let mode = scan.changelog_mode;
            let kinds = provided(&plan);
            if mode.update_before && required == UpdateKind::OnlyAfter {
                let schema = plan.schema.clone();
                let scan = plan.with_mode(kinds, UpdateKind::Both);
                let dropped = Plan::new(Op::DropUpdateBefore, vec![scan], schema);
                return Some(dropped.with_mode(kinds, UpdateKind::OnlyAfter));
            }
            let given = match (mode.update_before, mode.update_after) {
                (true, _) => UpdateKind::Both,
                (false, true) => UpdateKind::OnlyAfter,
                (false, false) => UpdateKind::None,
            };
            Some(plan.with_mode(kinds, given))
        }
        Op::Values(_) => {
            let kinds = provided(&plan);
            Some(plan.with_mode(kinds, UpdateKind::None))
        }
        Op::Calc(calc) => {
            if required == UpdateKind::OnlyAfter && filters_beyond_key(calc, plan.input()) {
                return None;
            }
            forward(plan, required)
        }
        Op::Expand(_) => forward(plan, UpdateKind::Both),
        Op::Unnest(_) | Op::Watermark { .. } | Op::DropUpdateBefore => forward(plan, required),
        Op::Union => satisfy_union(plan, required),
        Op::ChangelogNormalize { .. } => {
            let wanted = UpdateKind::OnlyAfter.for_input(provided(plan.input()));
            choose_after(plan, wanted, required)
        }
        Op::Aggregate(_) | Op::Limit { .. } | Op::Over(_) | Op::Sort { .. } | Op::Deduplicate(_) => {
            let wanted = UpdateKind::Both.for_input(provided(plan.input()));
            choose_after(plan, wanted, required)
        }
        Op::Join(join) => {
            let keys = join.keys(plan.input().schema.len());
            satisfy_join(plan, &keys, required)
        }
        Op::Rank(_) => satisfy_rank(plan, required),
        Op::FromChangelog(function) => {
            let given = if function.is_upsert() { UpdateKind::OnlyAfter } else { UpdateKind::Both };
            choose_after(plan, UpdateKind::None, given)
        }
        Op::ToChangelog(_) => satisfy_to_changelog(plan),
    }
}

/// Like [`satisfy`], and checks that the plan gives what is required.
fn satisfy_exactly(plan: Plan, required: UpdateKind) -> Option<Plan> {
    satisfy(plan, required).filter(|plan| plan.update_kind() == required)
}

/// An operator that gives what its input gives.
fn forward(plan: Plan, required: UpdateKind) -> Option<Plan> {
    let required = required.for_input(provided(plan.input()));
    let input = satisfy_exactly(plan.input().clone(), required)?;
    let given = input.update_kind();
    Some(with_inputs(plan, vec![input], given))
}

/// An operator that needs one thing of its input and can give either.
fn choose_after(plan: Plan, wanted: UpdateKind, given: UpdateKind) -> Option<Plan> {
    let input = satisfy_exactly(plan.input().clone(), wanted)?;
    let given = given.for_input(provided(&plan));
    Some(with_inputs(plan, vec![input], given))
}

/// A union cannot turn one way into the other, and takes no mixture.
fn satisfy_union(plan: Plan, required: UpdateKind) -> Option<Plan> {
    let input = |input: &Plan| satisfy(input.clone(), required.for_input(provided(input)));
    let inputs: Vec<Plan> = plan.inputs.iter().map(input).collect::<Option<_>>()?;
    let mut kinds = inputs.iter().map(Plan::update_kind).filter(|&kind| kind != UpdateKind::None);
    let given = kinds.next().unwrap_or(UpdateKind::None);
    kinds.all(|kind| kind == given).then_some(())?;
    Some(with_inputs(plan, inputs, given))
}

/// A join gives what its inputs give. `+U` alone is enough of an input whose key contains the join
/// key, for then the new row has the matches of the old one, if what else the condition reads is in
/// that key too. (Flink does not look at the latter.)
fn satisfy_join(plan: Plan, keys: &JoinKeys, required: UpdateKind) -> Option<Plan> {
    let by_key = required == UpdateKind::OnlyAfter;
    let width = plan.input().schema.len();
    let residual: BTreeSet<usize> = keys.residual.iter().flat_map(Expr::columns).collect();
    let (left_residual, right_residual): (Vec<usize>, Vec<usize>) =
        residual.into_iter().partition(|&column| column < width);
    let left_decides = [&keys.left[..], &left_residual].concat();
    let right_residual = right_residual.into_iter().map(|column| column - width);
    let right_decides = keys.right.iter().copied().chain(right_residual).collect();
    let input = |(input, decides): (&Plan, &Vec<usize>)| {
        let kinds = provided(input);
        if by_key && kinds.update && input_keys(input, decides).is_empty() {
            return None;
        }
        let wanted = if by_key { UpdateKind::OnlyAfter } else { UpdateKind::Both };
        satisfy_exactly(input.clone(), wanted.for_input(kinds))
    };
    let inputs: Vec<Plan> =
        plan.inputs.iter().zip([&left_decides, &right_decides]).map(input).collect::<Option<_>>()?;
    let given = if by_key { UpdateKind::OnlyAfter } else { UpdateKind::Both };
    let given = given.for_input(provided(&plan));
    Some(with_inputs(plan, inputs, given))
}

/// A rank keeps as little as its input allows: of one that appends, or updates rows and only moves
/// them forward, what is beyond the last number can be forgotten. Rows that can be deleted as well
/// must not move at all; Flink forgets even then, and is wrong after a delete.
fn satisfy_rank(mut plan: Plan, required: UpdateKind) -> Option<Plan> {
    let Op::Rank(rank) = &mut plan.op else { return None };
    let input = &plan.inputs[0];
    let kinds = provided(input);
    let has_key = || !keys_with(&rank.partition, input, Claims::True).is_empty();
    rank.strategy = if kinds.is_insert_only() {
        RankStrategy::AppendFast
    } else if has_key()
        && if kinds.delete { stays(input, &rank.order) } else { moves_forward(input, &rank.order) }
    {
        RankStrategy::UpdateFast
    } else {
        RankStrategy::Retract
    };
    let wanted = match rank.strategy {
        RankStrategy::UpdateFast => UpdateKind::OnlyAfter,
        _ => UpdateKind::Both,
    };
    let wanted = wanted.for_input(kinds);
    choose_after(plan, wanted, required)
}

/// `+U` alone is enough where the mapping has no code for `-U` and a key says what each update
/// replaces: the partition columns themselves, or, with row semantics, any key of the input.
fn satisfy_to_changelog(plan: Plan) -> Option<Plan> {
    let Op::ToChangelog(function) = &plan.op else { return None };
    let kinds = provided(plan.input());
    let keys = upsert_keys(plan.input(), Claims::All);
    let both = UpdateKind::Both.for_input(kinds);
    let only_after = UpdateKind::OnlyAfter.for_input(kinds);
    let input = match &function.partition {
        Some(partition) => {
            let mut partition = partition.clone();
            partition.sort_unstable();
            let by_key = !function.requires_update_before() && keys.contains(&partition);
            satisfy_exactly(plan.input().clone(), if by_key { only_after } else { both })
        }
        None if !function.requires_update_before() && keys.iter().any(|key| !key.is_empty()) => {
            satisfy_exactly(plan.input().clone(), only_after).or_else(|| satisfy(plan.input().clone(), both))
        }
        None => satisfy(plan.input().clone(), both),
    }?;
    Some(with_inputs(plan, vec![input], UpdateKind::None))
}

/// An upsert sink takes `+U` alone if the input's changes follow each other by its primary key.
fn sink_requirements(sink: &Sink, input: &Plan) -> Vec<UpdateKind> {
    let kinds = provided(input);
    let both = UpdateKind::Both.for_input(kinds);
    let only_after = UpdateKind::OnlyAfter.for_input(kinds);
    if !sink.accepts.is_upsert() {
        return vec![both];
    }
    let follows_key = match &sink.key {
        Some(key) => {
            let mut key = key.clone();
            key.sort_unstable();
            upsert_keys(input, Claims::All).contains(&key)
        }
        None => true,
    };
    if follows_key { vec![only_after, both] } else { vec![both] }
}

/// Whether a filter reads columns beside one upsert key: then an update can leave the filter, and
/// its old image is needed to take the row away.
pub(super) fn filters_beyond_key(calc: &Calc, input: &Plan) -> bool {
    let Some(condition) = &calc.condition else { return false };
    let columns = condition.columns();
    !upsert_keys(input, Claims::All).iter().any(|key| columns.iter().all(|column| key.contains(column)))
}

fn with_inputs(mut plan: Plan, inputs: Vec<Plan>, given: UpdateKind) -> Plan {
    let kinds = provided(&plan);
    plan.inputs = inputs;
    plan.with_mode(kinds, given)
}
