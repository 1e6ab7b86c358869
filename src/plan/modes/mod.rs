//! Which kinds of changes flow along each edge of a plan.
//!
//! Three passes, as in Flink's planner. The first goes from the leaves up and finds which of
//! insert, update and delete each operator may emit, and whether its consumer takes them. The
//! second goes from the root down and finds where an update needs its old image (`-U`). The third
//! finds where a delete needs the whole row, and takes away a `ChangelogNormalize` that nobody
//! needs. Where no assignment exists the query is refused, or, unless Flink's own rules are asked
//! for, repaired: upserts of `FROM_CHANGELOG` are normalised.

mod deletes;
mod error;
mod kinds;
mod repair;
mod updates;

pub use error::{Mismatch, ModeError, Rewrite, UnsupportedChanges};

use super::node::{Op, Plan};
use crate::changelog::{ChangelogMode, DeleteKind};
use updates::UpdateKind;

/// A plan with its modes, and what was done to it that Flink would not do.
#[derive(Debug, Clone, PartialEq)]
pub struct Moded {
    /// The plan. Every operator has a mode.
    pub plan: Plan,
    /// Whether upserts of `FROM_CHANGELOG` are normalised where Flink refuses the query.
    pub repaired: bool,
}

/// Decides the modes of a plan.
///
/// # Errors
/// When an operator or the sink cannot take what its input gives. Unless `strict`, upserts of
/// `FROM_CHANGELOG` are normalised first, and only what then remains is an error.
pub fn infer(plan: Plan, strict: bool) -> Result<Moded, ModeError> {
    match infer_as_flink(&plan) {
        Ok(plan) => Ok(Moded { plan, repaired: false }),
        Err(ModeError::Mismatch(mismatch)) if !strict => {
            let Some(repaired) = repair::normalize_upserts(plan) else {
                return Err(ModeError::Mismatch(mismatch));
            };
            Ok(Moded { plan: infer_as_flink(&repaired)?, repaired: true })
        }
        Err(error) => Err(error),
    }
}

/// Whether a plan can only append.
pub fn is_append_only(plan: &Plan) -> bool {
    kinds::provided(plan).is_insert_only()
}

fn infer_as_flink(plan: &Plan) -> Result<Plan, ModeError> {
    kinds::check(plan)?;
    let root = kinds::provided(plan);
    let wanted: &[UpdateKind] = match (&plan.op, root.update) {
        (Op::Sink(_), _) | (_, false) => &[UpdateKind::None],
        (_, true) => &[UpdateKind::OnlyAfter, UpdateKind::Both],
    };
    let moded = wanted.iter().find_map(|&update| updates::satisfy(plan.clone(), update));
    let moded = moded.ok_or_else(|| error::mismatch(plan))?;
    deletes::satisfy_root(moded).ok_or_else(|| error::mismatch(plan))
}

impl Plan {
    /// The mode of a moded plan.
    pub fn changelog_mode(&self) -> ChangelogMode {
        self.mode.unwrap_or(ChangelogMode::EMPTY)
    }

    /// Whether changes of this plan are by a key, without their old image.
    fn update_kind(&self) -> UpdateKind {
        let mode = self.changelog_mode();
        match (mode.update_before, mode.update_after) {
            (_, false) => UpdateKind::None,
            (false, true) => UpdateKind::OnlyAfter,
            (true, true) => UpdateKind::Both,
        }
    }

    fn with_mode(mut self, kinds: kinds::ModifyKinds, update: UpdateKind) -> Self {
        self.mode = Some(ChangelogMode {
            insert: kinds.insert,
            update_before: update == UpdateKind::Both,
            update_after: update != UpdateKind::None,
            delete: if kinds.delete { DeleteKind::Full } else { DeleteKind::None },
        });
        self
    }
}
