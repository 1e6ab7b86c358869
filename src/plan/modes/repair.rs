//! What is done where Flink refuses: upserts of `FROM_CHANGELOG` become changes of full rows.

use super::super::node::{Op, Plan};

/// The plan with a `ChangelogNormalize` above each upsert `FROM_CHANGELOG`, or nothing if there is
/// none to put.
pub(super) fn normalize_upserts(plan: Plan) -> Option<Plan> {
    let mut count = 0;
    let plan = wrap(plan, &mut count);
    (count > 0).then_some(plan)
}

fn wrap(plan: Plan, count: &mut usize) -> Plan {
    let plan = match plan.op {
        // What is normalised already stays so.
        Op::ChangelogNormalize { .. } => return plan,
        _ => plan.map_inputs(|input| wrap(input, count)),
    };
    let key = match &plan.op {
        Op::FromChangelog(function) if function.is_upsert() => {
            (0..function.partition.as_ref().map_or(0, Vec::len)).collect()
        }
        _ => return plan,
    };
    *count += 1;
    let schema = plan.schema.clone();
    Plan::new(Op::ChangelogNormalize { key, condition: None, shared: false }, vec![plan], schema)
}
