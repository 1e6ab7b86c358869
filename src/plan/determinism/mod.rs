//! Non-deterministic updates: values that are computed anew where a row is taken back.
//!
//! A change that takes a row back has to carry the values with which the row was given. A call such
//! as `UUID()` gives others, and so does METADATA, which belongs to the event and not to the row.
//! That does no harm where rows are only appended, or are taken back by a key that is computed from
//! columns alone. Each operator therefore says of which columns of its input it needs the same values
//! again, from the sink down. These are the rules of Flink's planner, which refuses such queries when
//! `'table.optimizer.non-deterministic-update.strategy'` is `'TRY_RESOLVE'`.

mod check;
mod update;

pub use update::{NonDeterministicUpdate, Recomputed};

use super::node::Plan;
use crate::catalog::Catalog;
use check::{Rules, check};

/// The setting that says what happens with non-deterministic updates.
pub const STRATEGY: &str = "table.optimizer.non-deterministic-update.strategy";

/// Where Flink would compute a value anew that is needed again.
pub fn in_flink(plan: &Plan, catalog: &Catalog) -> Option<Box<NonDeterministicUpdate>> {
    check(plan, catalog, Rules::FLINK).err()
}

/// Whether a plan with modes computes values anew that are needed again.
pub fn recomputes(plan: &Plan, catalog: &Catalog) -> bool {
    check(plan, catalog, Rules::HERE).is_err()
}

/// What is to be known of a plan with modes, if values are computed anew here or in Flink. If
/// `strict`, Flink's rules count and nothing is said.
///
/// # Errors
/// If `refuses`, the first value that is computed anew.
pub fn judge(
    plan: &Plan,
    catalog: &Catalog,
    refuses: bool,
    strict: bool,
) -> Result<Option<String>, Box<NonDeterministicUpdate>> {
    let check = |rules| check(plan, catalog, rules);
    let Err(in_flink) = check(Rules::FLINK) else { return Ok(None) };
    if strict {
        return if refuses { Err(in_flink) } else { Ok(None) };
    }
    match (check(Rules::HERE), check(Rules::THERE)) {
        (Err(update), _) if refuses => Err(update),
        (Err(update), _) => Ok(Some(update.notice())),
        (Ok(()), Err(update)) => Ok(Some(update.notice_where_resolved(refuses))),
        (Ok(()), Ok(())) => Ok(refuses.then(|| in_flink.notice_where_undue())),
    }
}
