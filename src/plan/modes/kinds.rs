//! The first pass: which changes each operator may emit, and whether its consumer takes them.

use super::super::join::JoinKind;
use super::super::node::{Op, Plan};
use super::super::words::in_words;
use super::error::{ModeError, UnsupportedChanges};
use crate::changelog::{ChangelogMode, DeleteKind};

/// Which changes an operator may emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ModifyKinds {
    pub(super) insert: bool,
    pub(super) update: bool,
    pub(super) delete: bool,
}

impl ModifyKinds {
    pub(super) const INSERT: Self = Self { insert: true, update: false, delete: false };
    const ALL: Self = Self { insert: true, update: true, delete: true };

    pub(super) fn is_insert_only(self) -> bool {
        !self.update && !self.delete
    }

    fn union(self, other: Self) -> Self {
        Self {
            insert: self.insert || other.insert,
            update: self.update || other.update,
            delete: self.delete || other.delete,
        }
    }

    fn beyond(self, accepted: Self) -> Self {
        Self {
            insert: self.insert && !accepted.insert,
            update: self.update && !accepted.update,
            delete: self.delete && !accepted.delete,
        }
    }
}

impl From<ChangelogMode> for ModifyKinds {
    fn from(mode: ChangelogMode) -> Self {
        Self { insert: mode.insert, update: mode.update_after, delete: mode.delete != DeleteKind::None }
    }
}

impl From<ModifyKinds> for ChangelogMode {
    fn from(kinds: ModifyKinds) -> Self {
        Self {
            insert: kinds.insert,
            update_before: kinds.update,
            update_after: kinds.update,
            delete: if kinds.delete { DeleteKind::Full } else { DeleteKind::None },
        }
    }
}

/// The changes that a plan may emit.
pub(super) fn provided(plan: &Plan) -> ModifyKinds {
    let input = || provided(plan.input());
    match &plan.op {
        Op::Scan(scan) => scan.changelog_mode.into(),
        Op::Values(_) | Op::ToChangelog(_) | Op::Sort { .. } => ModifyKinds::INSERT,
        Op::Calc(_) | Op::Unnest(_) | Op::Expand(_) | Op::Watermark { .. } | Op::DropUpdateBefore => input(),
        Op::Aggregate(_) => {
            let input = input();
            ModifyKinds { insert: true, update: true, delete: !input.is_insert_only() }
        }
        Op::Limit { .. } if input().is_insert_only() => ModifyKinds::INSERT,
        Op::Deduplicate(dedup) if !dedup.keep_last && input().is_insert_only() => ModifyKinds::INSERT,
        Op::Over(_) if plan.is_ordered_by_time() => ModifyKinds::INSERT,
        Op::Rank(_) | Op::Limit { .. } | Op::Deduplicate(_) | Op::Over(_) | Op::ChangelogNormalize { .. } => {
            ModifyKinds::ALL
        }
        Op::Union => plan.inputs.iter().map(provided).fold(ModifyKinds::INSERT, ModifyKinds::union),
        Op::Join(join) if matches!(join.kind, JoinKind::Inner | JoinKind::Semi) => {
            plan.inputs.iter().map(provided).fold(ModifyKinds::INSERT, ModifyKinds::union)
        }
        Op::Join(_) => ModifyKinds::ALL,
        Op::FromChangelog(function) => function.changelog_mode().into(),
        Op::Sink(_) => ModifyKinds { insert: false, update: false, delete: false },
    }
}

/// Checks that every operator takes what its inputs may emit.
pub(super) fn check(plan: &Plan) -> Result<(), ModeError> {
    for input in &plan.inputs {
        if let Some(accepted) = accepted(plan) {
            check_producer(plan, accepted, input)?;
        }
        check(input)?;
    }
    Ok(())
}

/// What an operator accepts; none if it hands the question on to its consumer.
fn accepted(plan: &Plan) -> Option<ModifyKinds> {
    match &plan.op {
        Op::Calc(_)
        | Op::Unnest(_)
        | Op::Expand(_)
        | Op::Watermark { .. }
        | Op::Union
        | Op::DropUpdateBefore => None,
        Op::FromChangelog(_) => Some(ModifyKinds::INSERT),
        Op::Sort { .. } if !plan.sorts_at_the_end() => Some(ModifyKinds::INSERT),
        Op::Over(_) if plan.is_ordered_by_time() => Some(ModifyKinds::INSERT),
        Op::Sink(sink) => Some(sink.accepts.into()),
        Op::Scan(_)
        | Op::Values(_)
        | Op::Aggregate(_)
        | Op::Rank(_)
        | Op::Deduplicate(_)
        | Op::Limit { .. }
        | Op::Sort { .. }
        | Op::Over(_)
        | Op::Join(_)
        | Op::ToChangelog(_)
        | Op::ChangelogNormalize { .. } => Some(ModifyKinds::ALL),
    }
}

/// Finds the operator that emits what the consumer does not accept, through those that only hand
/// changes on.
fn check_producer(consumer: &Plan, accepted: ModifyKinds, producer: &Plan) -> Result<(), ModeError> {
    let beyond = provided(producer).beyond(accepted);
    if beyond.is_insert_only() {
        return Ok(());
    }
    if self::accepted(producer).is_none() {
        for input in &producer.inputs {
            check_producer(consumer, accepted, input)?;
        }
    }
    Err(ModeError::Unsupported(Box::new(UnsupportedChanges {
        consumer: consumer.clone(),
        producer: producer.clone(),
        producer_text: in_words(producer),
        accepted: accepted.into(),
        given: provided(producer).into(),
        update: beyond.update,
        delete: beyond.delete,
        rewrites: Vec::new(),
    })))
}

impl Plan {
    /// Whether this is an `ORDER BY` that no time attribute leads, whose rows come when the input
    /// has ended.
    pub fn sorts_at_the_end(&self) -> bool {
        let Op::Sort { order } = &self.op else { return false };
        let data_type = &self.input().schema.columns[order[0].column].data_type;
        order[0].descending || !data_type.is_time_attribute()
    }

    /// Whether a window is ordered by a time attribute, so that its rows are final.
    pub fn is_ordered_by_time(&self) -> bool {
        let Op::Over(over) = &self.op else { return false };
        !over.looks_ahead()
            && matches!(over.order[..], [key]
            if !key.descending && self.input().schema.columns[key.column].data_type.is_time_attribute())
    }
}
