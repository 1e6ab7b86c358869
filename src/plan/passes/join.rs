//! Brings conditions to where a join can use them: below it, or into its keys.

use super::super::join::{Join, JoinKind, compare_as_they_are, joined};
use super::super::node::{Op, Plan};
use super::pushdown::filtered;
use crate::expr::{Comparison, Expr, common_type};

/// Which inputs of a join a condition reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Left,
    Right,
    Both,
}

fn reads(part: &Expr, left_width: usize) -> Reads {
    let columns = part.columns();
    if columns.iter().all(|&column| column < left_width) {
        Reads::Left
    } else if columns.iter().all(|&column| column >= left_width) {
        Reads::Right
    } else {
        Reads::Both
    }
}

/// Makes an inner side of a side that may be missing, where a condition above wants it to be there.
pub(super) fn simplified(mut plan: Plan, parts: &[Expr]) -> Plan {
    let Op::Join(join) = &plan.op else { return plan };
    let width = plan.input().schema.len();
    let rejects =
        |left: bool| parts.iter().any(|part| part.is_never_true_when(|column| (column < width) == left));
    let kind = match join.kind {
        JoinKind::Left if rejects(false) => JoinKind::Inner,
        JoinKind::Right if rejects(true) => JoinKind::Inner,
        JoinKind::Full => match (rejects(true), rejects(false)) {
            (true, true) => JoinKind::Inner,
            (true, false) => JoinKind::Left,
            (false, true) => JoinKind::Right,
            (false, false) => JoinKind::Full,
        },
        kind => kind,
    };
    if let Op::Join(join) = &mut plan.op {
        join.kind = kind;
    }
    plan
}

/// Whether a condition above a join can go into it or below it.
pub(super) fn takes(join: &Join, plan: &Plan, part: &Expr) -> bool {
    match (join.kind, reads(part, plan.input().schema.len())) {
        (JoinKind::Inner | JoinKind::Semi | JoinKind::Anti, _) => true,
        (JoinKind::Left, side) => side == Reads::Left,
        (JoinKind::Right, side) => side == Reads::Right,
        (JoinKind::Full, _) => false,
    }
}

/// The join under conditions that it takes.
pub(super) fn with_condition(mut plan: Plan, parts: Vec<Expr>) -> Plan {
    let width = plan.input().schema.len();
    let Op::Join(join) = &mut plan.op else { return plan };
    let kind = join.kind;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for part in parts {
        match (kind, reads(&part, width)) {
            (JoinKind::Right, _) | (JoinKind::Inner, Reads::Right) => right.push(part),
            (JoinKind::Inner, Reads::Both) => {
                join.condition = Expr::conjunction(join.condition.take().into_iter().chain([part]));
            }
            _ => left.push(part),
        }
    }
    below(plan, width, left, right)
}

/// Pushes the parts of the join's own condition below it that read one side, where rows of that
/// side without a match do not come out.
pub(super) fn push_condition(mut plan: Plan) -> Plan {
    let width = plan.input().schema.len();
    let Op::Join(join) = &mut plan.op else { return plan };
    let Some(condition) = join.condition.take() else { return plan };
    let (mut left, mut right, mut stays) = (Vec::new(), Vec::new(), Vec::new());
    for part in condition.into_conjuncts() {
        let side = match reads(&part, width) {
            // What is decided without a row, and anew for each, is decided for the rows that it can
            // keep from matching.
            _ if part.columns().is_empty() && part.is_deterministic() => Reads::Both,
            _ if part.columns().is_empty() && !matches!(join.kind, JoinKind::Inner | JoinKind::Right) => {
                Reads::Right
            }
            side => side,
        };
        match (side, join.kind) {
            (Reads::Left, JoinKind::Inner | JoinKind::Right | JoinKind::Semi) => left.push(part),
            (Reads::Right, JoinKind::Inner | JoinKind::Left | JoinKind::Semi | JoinKind::Anti) => {
                right.push(part);
            }
            _ => stays.push(part),
        }
    }
    join.condition = Expr::conjunction(stays);
    below(plan, width, left, right)
}

fn below(mut plan: Plan, width: usize, left: Vec<Expr>, right: Vec<Expr>) -> Plan {
    let right = right.into_iter().map(|part| part.map_columns(&mut |column| column - width));
    let right_input = plan.inputs.pop().expect("a join has two inputs");
    let left_input = plan.inputs.pop().expect("a join has two inputs");
    plan.inputs = vec![filtered(left_input, left), filtered(right_input, right.collect())];
    plan
}

/// Makes columns of the expressions that have to be equal, so that the join can find matches by
/// them.
pub(super) fn compute_keys(plan: Plan) -> Plan {
    let plan = plan.map_inputs(compute_keys);
    let Op::Join(join) = &plan.op else { return plan };
    let Some(condition) = join.condition.clone() else { return plan };
    let kind = join.kind;
    let (left_width, right_width) = (plan.inputs[0].schema.len(), plan.inputs[1].schema.len());
    let (mut left, mut right) = (plan.inputs[0].identity(), plan.inputs[1].identity());
    let mut parts = Vec::new();
    for part in condition.into_conjuncts() {
        match sides(&part, left_width) {
            Some((ours, theirs)) => {
                let theirs = theirs.map_columns(&mut |column| column - left_width);
                let (ours, theirs) = (place(&mut left, ours), place(&mut right, theirs));
                parts.push((part, Some((ours, theirs))));
            }
            None => parts.push((part, None)),
        }
    }
    if left.len() == left_width && right.len() == right_width {
        return plan;
    }
    let new_width = left.len();
    let shift =
        &mut |column: usize| if column < left_width { column } else { column - left_width + new_width };
    let parts: Vec<Expr> = parts
        .into_iter()
        .map(|(part, key)| match key {
            Some((ours, theirs)) => {
                let null_safe = part.as_equality().is_some_and(|(_, _, null_safe)| null_safe);
                let ours = Expr::column(ours, left[ours].data_type.clone());
                let theirs = Expr::column(new_width + theirs, right[theirs].data_type.clone());
                equal(ours, theirs, null_safe)
            }
            None => part.map_columns(shift),
        })
        .collect();
    let schema = plan.schema;
    let mut inputs = plan.inputs.into_iter();
    let (left_plan, right_plan) =
        (inputs.next().expect("a left input"), inputs.next().expect("a right input"));
    let both = joined(extended(left_plan, left), extended(right_plan, right), kind, Expr::conjunction(parts));
    // The new columns are nobody else's.
    let identity = both.identity();
    let kept =
        (0..left_width).chain(if kind.gives_left_only() { 0..0 } else { new_width..new_width + right_width });
    let projection = kept.map(|column| identity[column].clone()).collect();
    both.calc(None, projection, schema.names().map(str::to_owned).collect())
}

/// The left and the right side of an equality, if each reads one input and they compare as keys.
fn sides(part: &Expr, left_width: usize) -> Option<(Expr, Expr)> {
    let (a, b, _) = part.as_equality()?;
    if a.columns().is_empty() || b.columns().is_empty() {
        return None;
    }
    let (left, right) = match (reads(a, left_width), reads(b, left_width)) {
        (Reads::Left, Reads::Right) => (a.clone(), b.clone()),
        (Reads::Right, Reads::Left) => (b.clone(), a.clone()),
        _ => return None,
    };
    if compare_as_they_are(&left.data_type.kind, &right.data_type.kind) {
        return Some((left, right));
    }
    let common = common_type(&[&left.data_type, &right.data_type])?;
    let cast = |expr: Expr| {
        let to = common.clone().with_nullable(expr.data_type.nullable);
        Expr::cast(expr, to, false).ok()
    };
    Some((cast(left)?, cast(right)?))
}

fn equal(left: Expr, right: Expr, null_safe: bool) -> Expr {
    let equal = if null_safe {
        Expr::call("IS NOT DISTINCT FROM", vec![left, right]).ok()
    } else {
        Expr::compare(Comparison::Equal, left, right).ok()
    };
    equal.expect("what was compared can be compared")
}

/// The position of an expression among columns, to which it is added if it is not there.
fn place(columns: &mut Vec<Expr>, expr: Expr) -> usize {
    columns.iter().position(|column| *column == expr).unwrap_or_else(|| {
        columns.push(expr);
        columns.len() - 1
    })
}

fn extended(plan: Plan, columns: Vec<Expr>) -> Plan {
    if columns.len() == plan.schema.len() {
        return plan;
    }
    let names = plan.schema.names().map(str::to_owned);
    let added = (plan.schema.len()..columns.len()).map(|column| format!("$j{column}"));
    let names = names.chain(added).collect();
    plan.calc(None, columns, names)
}
