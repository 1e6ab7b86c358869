//! The third pass: where a delete needs the whole row.

use super::super::join::{JoinKeys, input_keys};
use super::super::keys::{Claims, upsert_keys};
use super::super::node::{OnConflict, Op, Plan, Sink};
use super::updates::{UpdateKind, filters_beyond_key};
use crate::changelog::DeleteKind;

/// The plan with deletes such that every operator gets what it needs, if that can be had.
pub(super) fn satisfy_root(plan: Plan) -> Option<Plan> {
    let Op::Sink(sink) = &plan.op else { return satisfy(plan, DeleteKind::Full) };
    let input = plan.input();
    let by_key =
        sink.accepts.delete == DeleteKind::ByKey && sink.key.as_ref().is_none_or(|key| has_key(input, key));
    let wanted: &[DeleteKind] =
        if by_key { &[DeleteKind::ByKey, DeleteKind::Full] } else { &[DeleteKind::Full] };
    let input = wanted.iter().find_map(|&delete| satisfy(input.clone(), delete))?;
    let materialize = needs_materializer(sink, &input);
    let mut plan = plan;
    plan.inputs = vec![input];
    if let Op::Sink(sink) = &mut plan.op {
        sink.materialize = materialize;
    }
    Some(plan)
}

fn satisfy(plan: Plan, required: DeleteKind) -> Option<Plan> {
    match &plan.op {
        Op::Scan(scan) => {
            let given = scan.changelog_mode.delete;
            with_delete(plan, given, required)
        }
        Op::Values(_) => Some(plan),
        Op::Calc(calc) => {
            let required = if filters_beyond_key(calc, plan.input()) { DeleteKind::Full } else { required };
            forward(plan, required)
        }
        Op::Watermark { .. } | Op::DropUpdateBefore => forward(plan, required),
        Op::Union => {
            let inputs: Vec<Plan> =
                plan.inputs.iter().map(|input| satisfy(input.clone(), required)).collect::<Option<_>>()?;
            let by_key = inputs.iter().any(|i| i.changelog_mode().delete == DeleteKind::ByKey);
            let given = if by_key { DeleteKind::ByKey } else { plan.changelog_mode().delete };
            with_delete(Plan { inputs, ..plan }, given, required)
        }
        Op::ChangelogNormalize { condition, .. } => {
            if condition.is_none()
                && plan.update_kind() != UpdateKind::Both
                && let Some(input) = satisfy(plan.input().clone(), required)
            {
                return Some(input);
            }
            let input = satisfy(plan.input().clone(), DeleteKind::ByKey)?;
            Some(Plan { inputs: vec![input], ..plan })
        }
        Op::Join(join) => {
            let keys = join.keys(plan.input().schema.len());
            satisfy_join(plan, &keys, required)
        }
        Op::FromChangelog(_)
        | Op::Aggregate(_)
        | Op::Unnest(_)
        | Op::Expand(_)
        | Op::Rank(_)
        | Op::Deduplicate(_)
        | Op::Limit { .. }
        | Op::Sort { .. }
        | Op::Over(_) => with_full_deletes(plan),
        Op::ToChangelog(function) => {
            let by_key = plan.input().update_kind() != UpdateKind::Both && !function.requires_full_delete();
            let required = if by_key { DeleteKind::ByKey } else { DeleteKind::Full };
            let input = satisfy(plan.input().clone(), required)?;
            Some(Plan { inputs: vec![input], ..plan })
        }
        Op::Sink(_) => None,
    }
}

/// A join can do with the key of a deleted row if the row's key contains the join key; then its
/// own deletes may be by key, too.
fn satisfy_join(plan: Plan, keys: &JoinKeys, required: DeleteKind) -> Option<Plan> {
    let input = |(input, join): (&Plan, &Vec<usize>)| {
        let by_key = required == DeleteKind::ByKey
            && plan.update_kind() != UpdateKind::Both
            && keys.residual.is_none()
            && !input_keys(input, join).is_empty();
        satisfy(input.clone(), if by_key { DeleteKind::ByKey } else { DeleteKind::Full })
    };
    let inputs: Vec<Plan> =
        plan.inputs.iter().zip([&keys.left, &keys.right]).map(input).collect::<Option<_>>()?;
    let by_key = inputs.iter().any(|input| input.changelog_mode().delete == DeleteKind::ByKey);
    let given = if by_key { DeleteKind::ByKey } else { plan.changelog_mode().delete };
    with_delete(Plan { inputs, ..plan }, given, required)
}

fn with_full_deletes(plan: Plan) -> Option<Plan> {
    let inputs = plan.inputs.iter().map(|input| satisfy(input.clone(), DeleteKind::Full));
    let inputs = inputs.collect::<Option<_>>()?;
    Some(Plan { inputs, ..plan })
}

/// An operator that gives what its input gives.
fn forward(plan: Plan, required: DeleteKind) -> Option<Plan> {
    let input = satisfy(plan.input().clone(), required)?;
    let given = input.changelog_mode().delete;
    with_delete(Plan { inputs: vec![input], ..plan }, given, required)
}

/// Whole rows are good where the key is enough, not the other way round.
fn with_delete(mut plan: Plan, given: DeleteKind, required: DeleteKind) -> Option<Plan> {
    if given == DeleteKind::ByKey && required == DeleteKind::Full {
        return None;
    }
    if let Some(mode) = &mut plan.mode {
        mode.delete = given;
    }
    Some(plan)
}

fn has_key(plan: &Plan, key: &[usize]) -> bool {
    let mut key = key.to_vec();
    key.sort_unstable();
    upsert_keys(plan, Claims::All).contains(&key)
}

/// An upsert sink keeps all rows of a primary key when several upsert keys of the input may meet
/// in it.
fn needs_materializer(sink: &Sink, input: &Plan) -> bool {
    let Some(key) = &sink.key else { return false };
    let append = input.changelog_mode().is_append();
    if !sink.accepts.is_upsert() || (append && sink.on_conflict == OnConflict::Deduplicate) {
        return false;
    }
    // A single row without a key takes the place of another with any primary key.
    let is_single_row = upsert_keys(input, Claims::True).iter().any(Vec::is_empty);
    let keys = upsert_keys(input, Claims::All);
    let mut keys = keys.iter().filter(|key| !is_single_row || !key.is_empty());
    !keys.any(|upsert_key| upsert_key.iter().all(|column| key.contains(column)))
}
