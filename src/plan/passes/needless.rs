//! Takes away what changes nothing: an outer join whose other side nobody reads, the aggregation of
//! rows that differ in the keys anyway, where every group is one row, and aggregates of a key.

use super::super::join::{Join, JoinKind};
use super::super::node::{Aggregate, Calc, Op, Plan};
use super::merge::merge;
use super::pushdown::push_down;
use super::unique::{Columns, are_unique, is_single_row};
use crate::expr::Expr;
use crate::expr::aggregate::AggregateCall;
use crate::value::{DataType, Value};

/// What is read of a plan from above.
struct Reads {
    /// The columns; all, if it is not known.
    columns: Option<Columns>,
    /// Whether equal rows count as one.
    as_a_set: bool,
}

/// Takes all of it away. What is above and what is below can then come together.
pub(super) fn remove_needless(plan: Plan) -> Plan {
    let removed = remove(merge(keys_for_values(plan.clone())), &Reads::ALL);
    if removed == plan { plan } else { push_down(merge(removed)) }
}

/// The plan with the key itself for what aggregates of a key give.
fn keys_for_values(plan: Plan) -> Plan {
    let plan = plan.map_inputs(keys_for_values);
    let Op::Aggregate(aggregate) = &plan.op else { return plan };
    let key_of = |call: &AggregateCall| {
        let is_value = matches!(call.function.name(), "MIN" | "MAX" | "AVG" | "FIRST_VALUE");
        let [column] = call.args[..] else { return None };
        let key = aggregate.keys.iter().position(|&key| key == column)?;
        (is_value && !call.distinct && call.filter.is_none()).then_some(key)
    };
    if !aggregate.calls.iter().any(|call| key_of(call).is_some()) {
        return plan;
    }
    let width = aggregate.keys.len();
    let types: Vec<DataType> = plan.schema.types().cloned().collect();
    let mut kept: Vec<usize> = (0..width).collect();
    let mut projection: Vec<Expr> = kept.iter().map(|&key| Expr::column(key, types[key].clone())).collect();
    let mut calls = Vec::new();
    for (place, call) in (width..).zip(&aggregate.calls) {
        let key = key_of(call).map(|key| Expr::column(key, types[key].clone()));
        if let Some(key) = key.and_then(|key| Expr::cast(key, types[place].clone(), false).ok()) {
            projection.push(key);
        } else {
            projection.push(Expr::column(kept.len(), types[place].clone()));
            kept.push(place);
            calls.push(call.clone());
        }
    }
    let op = Op::Aggregate(Aggregate { keys: aggregate.keys.clone(), calls });
    let grouped = Plan::new(op, plan.inputs, plan.schema.project(&kept));
    Plan::new(Op::Calc(Calc { condition: None, projection }), vec![grouped], plan.schema)
}

fn remove(plan: Plan, reads: &Reads) -> Plan {
    if let Op::Join(join) = &plan.op {
        if let Some(keeps_left) = needless_side(join, &plan, reads) {
            return without_join(plan, keeps_left, reads);
        }
        let width = plan.input().schema.len();
        let below = [reads.of_side(join, width, true), reads.of_side(join, width, false)];
        let mut below = below.iter();
        return plan.map_inputs(|input| remove(input, below.next().unwrap_or(&Reads::ALL)));
    }
    let below = reads.below(&plan);
    let plan = plan.map_inputs(|input| remove(input, &below));
    let Op::Aggregate(aggregate) = &plan.op else { return plan };
    if aggregate.keys.is_empty() {
        return plan;
    }
    let is_read = |call: usize| reads.has(aggregate.keys.len() + call);
    let is_single_row = aggregate.calls.is_empty() && is_single_row(plan.input());
    if is_single_row || are_unique(plan.input(), &aggregate.keys.iter().copied().collect()) {
        let Some(projection) = values_of_one(aggregate, &plan, is_read) else { return plan };
        let op = Op::Calc(Calc { condition: None, projection });
        return Plan::new(op, plan.inputs, plan.schema);
    }
    if let Some(joined) = below_join(aggregate, &plan, is_read) {
        return joined;
    }
    if (0..aggregate.calls.len()).any(is_read) { plan } else { plan.map_inputs(ungrouped_union) }
}

/// A union of which only the different rows matter, without what makes rows different below.
fn ungrouped_union(plan: Plan) -> Plan {
    match &plan.op {
        Op::Union => plan.map_inputs(ungrouped),
        Op::Calc(calc) if calc.plain_columns().is_some() && matches!(plan.input().op, Op::Union) => {
            plan.map_inputs(|union| union.map_inputs(ungrouped))
        }
        _ => plan,
    }
}

/// The plan without an aggregation that only makes rows different.
fn ungrouped(plan: Plan) -> Plan {
    match &plan.op {
        Op::Aggregate(aggregate) if aggregate.calls.is_empty() && !aggregate.keys.is_empty() => {
            let columns = plan.input().identity();
            let projection = aggregate.keys.iter().map(|&key| columns[key].clone()).collect();
            let op = Op::Calc(Calc { condition: None, projection });
            Plan::new(op, plan.inputs, plan.schema)
        }
        Op::Calc(calc) => {
            let Op::Aggregate(aggregate) = &plan.input().op else { return plan };
            let kept = calc.plain_columns().map(Columns::from_iter);
            if !kept.is_some_and(|kept| kept.into_iter().eq(0..aggregate.keys.len())) {
                return plan;
            }
            let keys = aggregate.keys.clone();
            plan.map_inputs(|mut input| {
                input.op = Op::Aggregate(Aggregate { keys: keys.clone(), calls: Vec::new() });
                input.schema = input.schema.project(&(0..keys.len()).collect::<Vec<_>>());
                ungrouped(input)
            })
        }
        _ => plan,
    }
}

impl Reads {
    const ALL: Self = Self { columns: None, as_a_set: false };

    fn has(&self, column: usize) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.contains(&column))
    }

    /// What is read of the input of an operator.
    fn below(&self, plan: &Plan) -> Self {
        match &plan.op {
            Op::Calc(calc) => {
                let read = || {
                    let exprs = calc.projection.iter().enumerate().filter(|(column, _)| self.has(*column));
                    exprs.map(|(_, expr)| expr)
                };
                let columns = read().chain(&calc.condition).flat_map(Expr::columns).collect();
                // Flink sees through columns that stay as they are.
                let is_plain = calc.condition.is_none() && read().all(|expr| expr.as_column().is_some());
                Self { columns: Some(columns), as_a_set: self.as_a_set && is_plain }
            }
            Op::Aggregate(aggregate) => {
                let keys = aggregate.keys.len();
                let args = |call: usize| {
                    let call = &aggregate.calls[call];
                    call.args.iter().copied().chain(call.filter)
                };
                let calls = 0..aggregate.calls.len();
                let read: Vec<usize> = calls.clone().filter(|call| self.has(keys + call)).collect();
                let as_a_set = read.iter().all(|&call| aggregate.calls[call].distinct);
                // Otherwise Flink takes away what nobody reads when it is too late for the arguments.
                let calls = if as_a_set { read } else { calls.collect() };
                let columns = aggregate.keys.iter().copied().chain(calls.into_iter().flat_map(args));
                Self { columns: Some(columns.collect()), as_a_set }
            }
            Op::Expand(rows) => {
                let exprs = rows.iter().flat_map(|row| row.iter().enumerate());
                let read = exprs.filter(|(column, _)| self.has(*column));
                Self { columns: Some(read.flat_map(|(_, expr)| expr.columns()).collect()), as_a_set: false }
            }
            Op::Union => Self { columns: self.columns.clone(), as_a_set: false },
            _ => Self::ALL,
        }
    }

    /// What is read of one side of a join.
    fn of_side(&self, join: &Join, width: usize, is_left: bool) -> Self {
        let Some(columns) = &self.columns else { return Self::ALL };
        let columns = columns.iter().copied().chain(join.condition.iter().flat_map(Expr::columns));
        let columns = columns.filter(|&column| (column < width) == is_left);
        let shift = if is_left { 0 } else { width };
        Self { columns: Some(columns.map(|column| column - shift).collect()), as_a_set: false }
    }
}

/// Whether a join only gives the rows of one side: the other one is not read, does not take rows
/// away, and does not multiply them either, or that does not matter. Says whether it is the left
/// side that stays.
fn needless_side(join: &Join, plan: &Plan, reads: &Reads) -> Option<bool> {
    let columns = reads.columns.as_ref()?;
    let width = plan.input().schema.len();
    let keys = join.keys(width);
    let (keeps_left, keys) = match join.kind {
        JoinKind::Left => (true, keys.right),
        JoinKind::Right => (false, keys.left),
        JoinKind::Inner | JoinKind::Full | JoinKind::Semi | JoinKind::Anti => return None,
    };
    let other = &plan.inputs[usize::from(keeps_left)];
    let is_unread = columns.iter().all(|&column| (column < width) == keeps_left);
    let is_needless = is_unread && (reads.as_a_set || are_unique(other, &keys.into_iter().collect()));
    is_needless.then_some(keeps_left)
}

/// The side of a join that stays. In the place of the other one there are columns that nobody reads.
fn without_join(mut plan: Plan, keeps_left: bool, reads: &Reads) -> Plan {
    let width = plan.input().schema.len();
    let kept = plan.inputs.swap_remove(usize::from(!keeps_left));
    let shift = if keeps_left { 0 } else { width };
    let columns = reads.columns.iter().flatten().map(|column| column - shift).collect();
    let kept = remove(kept, &Reads { columns: Some(columns), as_a_set: reads.as_a_set });
    let here = shift..shift + kept.schema.len();
    let identity = kept.identity();
    let types = plan.schema.types().enumerate();
    let column = |(column, data_type): (usize, &DataType)| {
        if here.contains(&column) { identity[column - shift].clone() } else { unread(data_type) }
    };
    let op = Op::Calc(Calc { condition: None, projection: types.map(column).collect() });
    Plan::new(op, vec![kept], plan.schema)
}

fn unread(data_type: &DataType) -> Expr {
    Expr::literal(Value::NULL, data_type.clone().with_nullable(true))
}

/// The keys and results over a group of one row, if all functions that are read give the value
/// itself. Flink knows three that do.
fn values_of_one(aggregate: &Aggregate, plan: &Plan, is_read: impl Fn(usize) -> bool) -> Option<Vec<Expr>> {
    let columns = plan.input().identity();
    let keys = aggregate.keys.iter().map(|&key| Some(columns[key].clone()));
    let calls = aggregate.calls.iter().enumerate().map(|(i, call)| {
        if !is_read(i) {
            return Some(unread(&call.data_type));
        }
        let is_value = matches!(call.function.name(), "SUM" | "MIN" | "MAX") && call.filter.is_none();
        let [column] = call.args[..] else { return None };
        is_value.then(|| Expr::cast(columns[column].clone(), call.data_type.clone(), false).ok()).flatten()
    });
    keys.chain(calls).collect()
}

/// The grouping of one side of an inner join instead of that of its result, where the result needs
/// none then: the keys are of one side, each row has one match, and the functions give the value
/// itself however often it comes.
///
/// Flink weighs the costs. It gains where the side that is grouped has a single key.
fn below_join(aggregate: &Aggregate, plan: &Plan, is_read: impl Fn(usize) -> bool) -> Option<Plan> {
    let (join_plan, columns) = match &plan.input().op {
        Op::Calc(Calc { condition: None, projection }) => {
            (plan.input().input(), projection.iter().map(Expr::as_column).collect::<Option<Vec<_>>>()?)
        }
        _ => (plan.input(), (0..plan.input().schema.len()).collect()),
    };
    let Op::Join(join @ Join { kind: JoinKind::Inner, .. }) = &join_plan.op else { return None };
    let width = join_plan.input().schema.len();
    let join_keys = join.keys(width);
    if join_keys.residual.is_some() || join_keys.left.is_empty() {
        return None;
    }
    let keys: Columns = aggregate.keys.iter().map(|&key| columns[key]).collect();
    let is_left = *keys.first()? < width;
    let is_ours = |column: usize| (column < width) == is_left;
    let calls: Vec<(usize, &AggregateCall)> =
        aggregate.calls.iter().enumerate().filter(|(call, _)| is_read(*call)).collect();
    let is_value = |call: &AggregateCall| {
        matches!(call.function.name(), "MIN" | "MAX")
            && call.filter.is_none()
            && call.args.iter().all(|&column| is_ours(columns[column]))
    };
    if !keys.iter().all(|&key| is_ours(key)) || !calls.iter().all(|(_, call)| is_value(call)) {
        return None;
    }

    let shift = if is_left { 0 } else { width };
    let keys: Columns = keys.iter().map(|key| key - shift).collect();
    let (our_join, their_join) =
        if is_left { (join_keys.left, join_keys.right) } else { (join_keys.right, join_keys.left) };
    let our_keys: Columns = keys.iter().copied().chain(our_join).collect();
    let their_keys: Columns = their_join.into_iter().collect();
    let (ours, theirs) = (usize::from(!is_left), usize::from(is_left));
    let inputs = &join_plan.inputs;
    let is_unique = [are_unique(&inputs[ours], &our_keys), are_unique(&inputs[theirs], &their_keys)];
    let (side, side_keys) = match is_unique {
        [true, false] if are_unique(&inputs[ours], &keys) => (theirs, their_keys),
        [false, true] if calls.is_empty() => (ours, our_keys),
        _ => return None,
    };
    if side_keys.len() != 1 {
        return None;
    }
    let mut joined = join_plan.clone();
    joined.inputs[side] = grouped(&joined.inputs[side], &side_keys);
    let input = Plan { inputs: vec![joined], ..plan.input().clone() };
    let input = if columns.len() == join_plan.schema.len() && matches!(plan.input().op, Op::Join(_)) {
        input.inputs.into_iter().next()?
    } else {
        input
    };
    let plan = Plan { inputs: vec![input], ..plan.clone() };
    let projection = values_of_one(aggregate, &plan, is_read)?;
    let op = Op::Calc(Calc { condition: None, projection });
    Some(Plan::new(op, plan.inputs, plan.schema))
}

/// The different values of some columns. In the place of the others there are columns that nobody
/// reads.
fn grouped(plan: &Plan, keys: &Columns) -> Plan {
    let keys: Vec<usize> = keys.iter().copied().collect();
    let schema = plan.schema.clone();
    let op = Op::Aggregate(Aggregate { keys: keys.clone(), calls: Vec::new() });
    let grouped = Plan::new(op, vec![plan.clone()], schema.project(&keys));
    let column = |(column, data_type): (usize, &DataType)| match keys.iter().position(|&key| key == column) {
        Some(place) => Expr::column(place, data_type.clone()),
        None => unread(data_type),
    };
    let projection = schema.types().enumerate().map(column).collect();
    Plan::new(Op::Calc(Calc { condition: None, projection }), vec![grouped], schema)
}
