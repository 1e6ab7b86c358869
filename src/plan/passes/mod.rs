//! The passes that simplify a plan before its modes are decided.
//!
//! They are those of Flink's optimizer that a user can see in the result: which columns are read
//! decides which updates are changes at all, and a filter that reaches `ChangelogNormalize` turns
//! updates into inserts and deletes.

mod fold;
mod join;
mod merge;
mod needless;
mod prune;
mod pushdown;
mod rank;
mod share;
mod unique;

use super::error::PlanError;
use super::node::Plan;
use crate::expr::Context;

/// A pass: its name and what it does.
type Pass = (&'static str, fn(Plan, &Context) -> Result<Plan, PlanError>);

/// The passes in their order.
const PASSES: [Pass; 10] = [
    ("fold constants", |plan, context| Ok(fold::fold(plan, context))),
    ("merge projections and filters", |plan, _| Ok(merge::merge(plan))),
    ("recognize ranks", |plan, _| rank::recognize(plan)),
    ("push filters down", |plan, _| Ok(pushdown::push_down(plan))),
    ("take away what changes nothing", |plan, _| Ok(needless::remove_needless(plan))),
    ("compute join keys", |plan, _| Ok(join::compute_keys(plan))),
    ("share normalized tables", |plan, _| Ok(share::share(plan))),
    ("prune columns", |plan, _| Ok(prune::prune(plan))),
    ("merge again", |plan, _| Ok(merge::merge(plan))),
    ("recognize deduplication", |plan, _| Ok(rank::deduplicate(plan))),
];

/// Simplifies a plan. `trace` is called after each pass that changed it, with the pass's name.
///
/// # Errors
/// When the plan has a window function that cannot be run.
pub fn run(
    plan: Plan,
    context: &Context,
    trace: &mut dyn FnMut(&'static str, &Plan),
) -> Result<Plan, PlanError> {
    PASSES.iter().try_fold(plan, |plan, (name, pass)| {
        let before = plan.clone();
        let plan = pass(plan, context)?;
        if plan != before {
            trace(name, &plan);
        }
        Ok(plan)
    })
}
