//! What the author of a plan should know though nothing is wrong.

mod flink;
mod own;

pub use flink::{Tuning, of_flink};
pub use own::of_rowkind;

use super::node::{Op, Plan};
use crate::changelog::RowKind;

/// Notices about a plan with modes, each one line.
pub fn of(plan: &Plan) -> Vec<String> {
    let mut notices = Vec::new();
    plan.visit(&mut |plan| {
        if let Op::ToChangelog(function) = &plan.op
            && function.mapped
        {
            notices.extend(unused_entries(plan));
        }
    });
    notices
}

/// Entries of a mapping for kinds that the input never gives. `-U` is not given because nobody
/// asks for it when it is not mapped, so only what is mapped counts.
fn unused_entries(plan: &Plan) -> Option<String> {
    let Op::ToChangelog(function) = &plan.op else { return None };
    let mode = plan.input().changelog_mode();
    let unused: Vec<&str> = RowKind::ALL
        .into_iter()
        .filter(|&kind| function.code(kind).is_some() && !mode.contains(kind))
        .map(RowKind::name)
        .collect();
    let given: Vec<&str> = mode.kinds().map(RowKind::name).collect();
    (!unused.is_empty()).then(|| {
        format!(
            "the input of TO_CHANGELOG only gives {}: the mapping of {} is never used",
            given.join(", "),
            unused.join(" and ")
        )
    })
}
