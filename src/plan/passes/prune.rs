//! Takes away columns and aggregates that nobody reads.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::join::Join;
use super::super::node::{Aggregate, Calc, Deduplicate, Op, Over, OverCall, Plan, Rank, Scan, SortKey};
use crate::expr::Expr;

pub(super) fn prune(plan: Plan) -> Plan {
    let all = (0..plan.schema.len()).collect();
    let names: Vec<String> = plan.schema.names().map(str::to_owned).collect();
    let pruned = keep(plan, &all);
    debug_assert!(pruned.kept.iter().copied().eq(0..names.len()));
    pruned.plan
}

/// A plan that has lost columns.
struct Pruned {
    plan: Plan,
    /// The columns of the old plan that are still there, ascending.
    kept: Vec<usize>,
}

impl Pruned {
    /// The new position of an old column.
    fn place(&self, column: usize) -> usize {
        self.kept.binary_search(&column).expect("a needed column is kept")
    }

    fn places(&self, columns: &[usize]) -> Vec<usize> {
        columns.iter().map(|&column| self.place(column)).collect()
    }

    fn expr(&self, expr: &Expr) -> Expr {
        expr.clone().map_columns(&mut |column| self.place(column))
    }

    fn sort_keys(&self, order: &[SortKey]) -> Vec<SortKey> {
        order.iter().map(|key| SortKey { column: self.place(key.column), ..*key }).collect()
    }

    /// Exactly these columns of the old plan, in this order.
    fn exactly(self, columns: &[usize]) -> Plan {
        if self.kept == columns {
            return self.plan;
        }
        let places = self.places(columns);
        let identity = self.plan.identity();
        let names = places.iter().map(|&p| self.plan.schema.columns[p].name.clone()).collect();
        let projection = places.iter().map(|&place| identity[place].clone()).collect();
        self.plan.calc(None, projection, names)
    }

    /// No more than the needed columns.
    fn only(self, needed: &Needed) -> Self {
        let kept: Vec<usize> = needed.iter().copied().collect();
        Self { plan: self.exactly(&kept), kept }
    }
}

type Needed = BTreeSet<usize>;

/// The plan with at least the needed columns.
fn keep(plan: Plan, needed: &Needed) -> Pruned {
    match &plan.op {
        Op::Scan(scan) => keep_of_scan(scan, &plan, needed),
        Op::Values(rows) => {
            let kept: Vec<usize> = needed.iter().copied().collect();
            let pick = |row: &crate::value::Row| kept.iter().map(|&c| row[c].clone()).collect();
            let op = Op::Values(rows.iter().map(pick).collect::<Arc<[_]>>());
            Pruned { plan: Plan::new(op, Vec::new(), plan.schema.project(&kept)), kept }
        }
        Op::Calc(calc) => keep_of_calc(calc, &plan, needed),
        Op::Watermark { column, expr } => {
            let needed = with(needed, [*column].into_iter().chain(expr.columns()));
            through(&plan, &needed, |input| Op::Watermark {
                column: input.place(*column),
                expr: input.expr(expr),
            })
        }
        Op::Aggregate(aggregate) => keep_of_aggregate(aggregate, &plan, needed),
        Op::Rank(rank) if rank.from_limit => {
            keep_of_limit(&plan, needed, &rank.order, |order| Op::Rank(Rank { order, ..rank.clone() }))
        }
        Op::Rank(rank) => keep_of_rank(rank, &plan, needed),
        Op::Deduplicate(dedup) => {
            let needed = with(needed, dedup.key.iter().copied().chain([dedup.time]));
            through(&plan, &needed, |input| {
                let (key, time) = (input.places(&dedup.key), input.place(dedup.time));
                Op::Deduplicate(Deduplicate { key, time, ..dedup.clone() })
            })
        }
        Op::Limit { .. } => keep_of_limit(&plan, needed, &[], |_| plan.op.clone()),
        Op::DropUpdateBefore => through(&plan, needed, |_| plan.op.clone()),
        Op::Sort { order } => {
            let needed = with(needed, order.iter().map(|key| key.column));
            through(&plan, &needed, |input| Op::Sort { order: input.sort_keys(order) })
        }
        Op::Over(over) => keep_of_over(over, &plan, needed),
        Op::Join(join) => keep_of_join(join, &plan, needed),
        Op::Expand(rows) => keep_of_expand(rows, &plan, needed),
        Op::Union => {
            let kept: Vec<usize> = needed.iter().copied().collect();
            let schema = plan.schema.project(&kept);
            let plan = plan.map_inputs(|input| keep(input, needed).exactly(&kept));
            Pruned { plan: Plan { schema, ..plan }, kept }
        }
        Op::ChangelogNormalize { key, condition, shared: false } => {
            keep_of_normalize(key, condition.as_ref(), &plan, needed)
        }
        Op::ChangelogNormalize { shared: true, .. } => {
            let (all, kept) = ((0..plan.schema.len()).collect(), needed.iter().copied().collect::<Vec<_>>());
            let plan = Pruned { plan: plan.map_inputs(whole), kept: all }.exactly(&kept);
            Pruned { plan, kept }
        }
        // Functions and sinks see all columns, and Flink takes none away below UNNEST.
        Op::FromChangelog(_) | Op::ToChangelog(_) | Op::Unnest(_) | Op::Sink(_) => {
            let kept = (0..plan.schema.len()).collect();
            Pruned { plan: plan.map_inputs(whole), kept }
        }
    }
}

/// The plan with all its columns.
fn whole(plan: Plan) -> Plan {
    let all: Vec<usize> = (0..plan.schema.len()).collect();
    keep(plan, &all.iter().copied().collect()).exactly(&all)
}

fn with(needed: &Needed, more: impl IntoIterator<Item = usize>) -> Needed {
    needed.iter().copied().chain(more).collect()
}

/// An operator that gives the columns of its input.
fn through(plan: &Plan, needed: &Needed, op: impl FnOnce(&Pruned) -> Op) -> Pruned {
    let input = keep(plan.input().clone(), needed);
    let op = op(&input);
    let schema = plan.schema.project(&input.kept);
    let kept = input.kept;
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept }
}

fn keep_of_scan(scan: &Scan, plan: &Plan, needed: &Needed) -> Pruned {
    let kept: Vec<usize> = needed.iter().copied().collect();
    let place = |column: &usize| kept.binary_search(column).ok();
    let scan = Scan {
        columns: kept.iter().map(|&column| scan.columns[column]).collect(),
        key: scan.key.as_ref().and_then(|key| key.iter().map(place).collect()),
        ..scan.clone()
    };
    Pruned { plan: Plan::new(Op::Scan(scan), Vec::new(), plan.schema.project(&kept)), kept }
}

fn keep_of_calc(calc: &Calc, plan: &Plan, needed: &Needed) -> Pruned {
    let kept: Vec<usize> = needed.iter().copied().collect();
    let projection: Vec<&Expr> = kept.iter().map(|&column| &calc.projection[column]).collect();
    let read = projection.iter().copied().chain(&calc.condition).flat_map(Expr::columns).collect();
    let input = keep(plan.input().clone(), &read);
    let calc = Calc {
        condition: calc.condition.as_ref().map(|condition| input.expr(condition)),
        projection: projection.into_iter().map(|expr| input.expr(expr)).collect(),
    };
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(Op::Calc(calc), vec![input.plan], schema), kept }
}

/// An aggregate that nobody reads is not computed, but what it reads is still read: Flink takes
/// calls away when the columns are settled.
fn keep_of_aggregate(aggregate: &Aggregate, plan: &Plan, needed: &Needed) -> Pruned {
    let keys = aggregate.keys.len();
    let kept: Vec<usize> = (0..plan.schema.len()).filter(|c| *c < keys || needed.contains(c)).collect();
    let calls: Vec<_> = kept[keys..].iter().map(|&column| &aggregate.calls[column - keys]).collect();
    let read = aggregate.calls.iter().flat_map(|call| call.args.iter().copied().chain(call.filter));
    let read = aggregate.keys.iter().copied().chain(read).collect();
    let input = keep(plan.input().clone(), &read);
    let calls = calls.into_iter().map(|call| {
        let mut call = call.clone();
        call.args = input.places(&call.args);
        call.filter = call.filter.map(|column| input.place(column));
        call
    });
    let op = Op::Aggregate(Aggregate { calls: calls.collect(), keys: input.places(&aggregate.keys) });
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept }
}

fn keep_of_join(join: &Join, plan: &Plan, needed: &Needed) -> Pruned {
    let width = plan.input().schema.len();
    let read = with(needed, join.condition.iter().flat_map(Expr::columns));
    let left_needed = read.iter().copied().filter(|&column| column < width).collect();
    let right_needed = read.iter().filter_map(|column| column.checked_sub(width)).collect();
    // A key that is not needed is no key above the join either.
    let left = keep(plan.inputs[0].clone(), &left_needed).only(&left_needed);
    let right = keep(plan.inputs[1].clone(), &right_needed).only(&right_needed);
    let mut place = |column: usize| match column.checked_sub(width) {
        None => left.place(column),
        Some(column) => left.kept.len() + right.place(column),
    };
    let condition = join.condition.as_ref().map(|condition| condition.clone().map_columns(&mut place));
    let mut kept = left.kept.clone();
    if !join.kind.gives_left_only() {
        kept.extend(right.kept.iter().map(|column| column + width));
    }
    let op = Op::Join(Join { kind: join.kind, condition });
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(op, vec![left.plan, right.plan], schema), kept }
}

fn keep_of_normalize(key: &[usize], condition: Option<&Expr>, plan: &Plan, needed: &Needed) -> Pruned {
    let needed = with(needed, key.iter().copied().chain(condition.into_iter().flat_map(Expr::columns)));
    let kept: Vec<usize> = needed.iter().copied().collect();
    // A watermark needs its column, but a change of that alone is no change above it.
    let input = keep(plan.input().clone(), &needed).exactly(&kept);
    let input = Pruned { plan: input, kept };
    let op = Op::ChangelogNormalize {
        key: input.places(key),
        condition: condition.map(|condition| input.expr(condition)),
        shared: false,
    };
    let schema = plan.schema.project(&input.kept);
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept: input.kept }
}

/// `LIMIT`, with or without an order, whose input keeps its columns: Flink takes none away below.
/// Even a projection right below goes above instead, unless the order needs what it computes or
/// there is a filter with it.
fn keep_of_limit(
    plan: &Plan,
    needed: &Needed,
    order: &[SortKey],
    op: impl FnOnce(Vec<SortKey>) -> Op,
) -> Pruned {
    let input = plan.input();
    let lifted = match &input.op {
        Op::Calc(calc) => lifted_order(calc, input.input(), order).map(|order| (calc, order)),
        _ => None,
    };
    let Some((calc, order)) = lifted else {
        let kept = (0..plan.schema.len()).collect();
        let inputs = vec![whole(input.clone())];
        return Pruned { plan: Plan::new(op(order.to_vec()), inputs, plan.schema.clone()), kept };
    };
    let below = input.input().clone();
    let read = if is_read_whole(&below) {
        (0..below.schema.len()).collect()
    } else {
        calc.projection.iter().flat_map(Expr::columns).collect()
    };
    let below = keep(below, &read);
    let op = op(below.sort_keys(&order));
    let kept: Vec<usize> = needed.iter().copied().collect();
    let projection = kept.iter().map(|&column| below.expr(&calc.projection[column])).collect();
    let schema = below.plan.schema.clone();
    let limited = Plan::new(op, vec![below.plan], schema);
    let op = Op::Calc(Calc { condition: None, projection });
    Pruned { plan: Plan::new(op, vec![limited], plan.schema.project(&kept)), kept }
}

/// The order in terms of a projection's input, if the projection can go above.
fn lifted_order(calc: &Calc, below: &Plan, order: &[SortKey]) -> Option<Vec<SortKey>> {
    if calc.condition.is_some() || is_filtered(below) {
        return None;
    }
    let key = |key: &SortKey| Some(SortKey { column: calc.projection[key.column].as_column()?, ..*key });
    order.iter().map(key).collect()
}

/// Whether a filter was pushed into a source.
fn is_filtered(plan: &Plan) -> bool {
    match &plan.op {
        Op::ChangelogNormalize { condition, .. } => condition.is_some() || is_filtered(plan.input()),
        Op::Calc(calc) => calc.condition.is_some() || is_filtered(plan.input()),
        Op::Watermark { .. } => is_filtered(plan.input()),
        _ => false,
    }
}

/// Whether no projection above is pushed below: a source of itself keeps its columns.
fn is_read_whole(plan: &Plan) -> bool {
    match &plan.op {
        Op::Scan(_) | Op::Unnest(_) | Op::Limit { .. } => true,
        Op::Rank(rank) => rank.from_limit,
        Op::ChangelogNormalize { .. } | Op::Watermark { .. } => is_read_whole(plan.input()),
        _ => false,
    }
}

fn keep_of_expand(rows: &[Vec<Expr>], plan: &Plan, needed: &Needed) -> Pruned {
    let kept: Vec<usize> = needed.iter().copied().collect();
    let read = rows.iter().flat_map(|row| kept.iter().flat_map(|&column| row[column].columns())).collect();
    let input = keep(plan.input().clone(), &read);
    let row = |row: &Vec<Expr>| kept.iter().map(|&column| input.expr(&row[column])).collect();
    let op = Op::Expand(rows.iter().map(row).collect());
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept }
}

fn keep_of_rank(rank: &Rank, plan: &Plan, needed: &Needed) -> Pruned {
    let width = plan.input().schema.len();
    let number = rank.number && needed.contains(&width);
    let columns = rank.partition.iter().copied().chain(rank.order.iter().map(|key| key.column));
    let read = needed.iter().copied().filter(|&column| column < width).chain(columns).collect();
    let input = keep(plan.input().clone(), &read);
    let op = Op::Rank(Rank {
        partition: input.places(&rank.partition),
        order: input.sort_keys(&rank.order),
        number,
        ..rank.clone()
    });
    let kept: Vec<usize> = input.kept.iter().copied().chain(number.then_some(width)).collect();
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept }
}

fn keep_of_over(over: &Over, plan: &Plan, needed: &Needed) -> Pruned {
    let width = plan.input().schema.len();
    let calls: Vec<usize> = needed.iter().filter_map(|column| column.checked_sub(width)).collect();
    let mut read: Needed = needed.iter().copied().filter(|&column| column < width).collect();
    read.extend(over.partition.iter().copied().chain(over.order.iter().map(|key| key.column)));
    for &call in &calls {
        match &over.calls[call] {
            OverCall::RowNumber => {}
            OverCall::Lag { column, default, .. } => read.extend([*column].into_iter().chain(*default)),
        }
    }
    let input = keep(plan.input().clone(), &read);
    let call = |call: &OverCall| match call {
        OverCall::RowNumber => OverCall::RowNumber,
        OverCall::Lag { column, offset, default } => OverCall::Lag {
            column: input.place(*column),
            offset: *offset,
            default: default.map(|column| input.place(column)),
        },
    };
    let op = Op::Over(Over {
        partition: input.places(&over.partition),
        order: input.sort_keys(&over.order),
        calls: calls.iter().map(|&i| call(&over.calls[i])).collect(),
        place: over.place,
    });
    let kept: Vec<usize> = input.kept.iter().copied().chain(calls.iter().map(|call| width + call)).collect();
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept }
}
