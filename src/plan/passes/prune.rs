//! Takes away columns and aggregates that nobody reads.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::join::Join;
use super::super::node::{
    Aggregate, Calc, Deduplicate, Op, Over, OverCall, Plan, Rank, Scan, SortKey, Unnest,
};
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
        Op::Rank(rank) => keep_of_rank(rank, &plan, needed),
        Op::Deduplicate(dedup) => {
            let needed = with(needed, dedup.key.iter().copied().chain([dedup.time]));
            through(&plan, &needed, |input| {
                let (key, time) = (input.places(&dedup.key), input.place(dedup.time));
                Op::Deduplicate(Deduplicate { key, time, ..dedup.clone() })
            })
        }
        Op::Limit { .. } | Op::DropUpdateBefore => through(&plan, needed, |_| plan.op.clone()),
        Op::Sort { order } => {
            let needed = with(needed, order.iter().map(|key| key.column));
            through(&plan, &needed, |input| Op::Sort { order: input.sort_keys(order) })
        }
        Op::Over(over) => keep_of_over(over, &plan, needed),
        Op::Join(join) => keep_of_join(join, &plan, needed),
        Op::Unnest(unnest) => keep_of_unnest(unnest, &plan, needed),
        Op::Expand(rows) => keep_of_expand(rows, &plan, needed),
        Op::Union => {
            let kept: Vec<usize> = needed.iter().copied().collect();
            let schema = plan.schema.project(&kept);
            let plan = plan.map_inputs(|input| keep(input, needed).exactly(&kept));
            Pruned { plan: Plan { schema, ..plan }, kept }
        }
        Op::ChangelogNormalize { key, condition } => {
            let columns = key.iter().copied().chain(condition.iter().flat_map(Expr::columns));
            let needed = with(needed, columns);
            through(&plan, &needed, |input| Op::ChangelogNormalize {
                key: input.places(key),
                condition: condition.as_ref().map(|condition| input.expr(condition)),
            })
        }
        // Functions and sinks see all columns.
        Op::FromChangelog(_) | Op::ToChangelog(_) | Op::Sink(_) => {
            let kept = (0..plan.schema.len()).collect();
            let plan = plan.map_inputs(|input| {
                let all: Vec<usize> = (0..input.schema.len()).collect();
                keep(input, &all.iter().copied().collect()).exactly(&all)
            });
            Pruned { plan, kept }
        }
    }
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

fn keep_of_aggregate(aggregate: &Aggregate, plan: &Plan, needed: &Needed) -> Pruned {
    let keys = aggregate.keys.len();
    let kept: Vec<usize> = (0..plan.schema.len()).filter(|c| *c < keys || needed.contains(c)).collect();
    let calls: Vec<_> = kept[keys..].iter().map(|&column| &aggregate.calls[column - keys]).collect();
    let read = calls.iter().flat_map(|call| call.args.iter().copied().chain(call.filter));
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
    let left = keep(plan.inputs[0].clone(), &left_needed);
    let right = keep(plan.inputs[1].clone(), &right_needed);
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

fn keep_of_expand(rows: &[Vec<Expr>], plan: &Plan, needed: &Needed) -> Pruned {
    let kept: Vec<usize> = needed.iter().copied().collect();
    let read = rows.iter().flat_map(|row| kept.iter().flat_map(|&column| row[column].columns())).collect();
    let input = keep(plan.input().clone(), &read);
    let row = |row: &Vec<Expr>| kept.iter().map(|&column| input.expr(&row[column])).collect();
    let op = Op::Expand(rows.iter().map(row).collect());
    let schema = plan.schema.project(&kept);
    Pruned { plan: Plan::new(op, vec![input.plan], schema), kept }
}

/// The columns of the elements all stay.
fn keep_of_unnest(unnest: &Unnest, plan: &Plan, needed: &Needed) -> Pruned {
    let width = plan.input().schema.len();
    let read = needed.iter().copied().filter(|&column| column < width).chain(unnest.collection.columns());
    let input = keep(plan.input().clone(), &read.collect());
    let op = Op::Unnest(Unnest { collection: input.expr(&unnest.collection), ..unnest.clone() });
    let kept: Vec<usize> = input.kept.iter().copied().chain(width..plan.schema.len()).collect();
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
