//! Upsert keys: the columns by which the changes of an operator follow each other.
//!
//! A set of columns is an upsert key when each row that the operator gives replaces the one with
//! the same values in these columns. Flink derives them from primary keys downwards; these are its
//! rules.

use super::node::{Calc, Op, Plan, Rank};
use crate::expr::{Expr, ExprKind};
use crate::value::TypeKind;

/// A set of columns, ascending.
pub type Key = Vec<usize>;

/// The upsert keys of a plan, smallest first: fewest columns, then the lowest positions.
///
/// A process table function has its partition columns as a key, whatever it emits; with row
/// semantics that is the empty set. Flink's sinks rely on it.
pub fn upsert_keys(plan: &Plan) -> Vec<Key> {
    let mut keys = derive(plan);
    for key in &mut keys {
        key.sort_unstable();
        key.dedup();
    }
    keys.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    keys.dedup();
    keys
}

/// The smallest upsert key that names a row: not the empty set, and not the partition columns of a
/// function that retracts or only appends.
pub fn identifying_key(plan: &Plan) -> Option<Key> {
    if matches!(plan.op, Op::ToChangelog(_)) {
        return None;
    }
    if let Op::FromChangelog(function) = &plan.op
        && !function.is_upsert()
    {
        return None;
    }
    if let Op::Calc(calc) = &plan.op {
        identifying_key(plan.input())?;
        return keys_through_calc(calc, vec![identifying_key(plan.input())?]).into_iter().next();
    }
    upsert_keys(plan).into_iter().find(|key| !key.is_empty())
}

fn derive(plan: &Plan) -> Vec<Key> {
    match &plan.op {
        Op::Scan(scan) => scan.key.clone().into_iter().collect(),
        Op::ChangelogNormalize { key, .. } | Op::Deduplicate(super::node::Deduplicate { key, .. }) => {
            vec![key.clone()]
        }
        Op::Calc(calc) => keys_through_calc(calc, upsert_keys(plan.input())),
        Op::Join(join) => super::join::keys_of_join(join, plan),
        Op::Aggregate(aggregate) => vec![(0..aggregate.keys.len()).collect()],
        Op::Rank(rank) => keys_of_rank(rank, plan.input()),
        Op::Over(over) => keys_with(&over.partition, plan.input()),
        Op::FromChangelog(function) => vec![(0..function.partition.as_ref().map_or(0, Vec::len)).collect()],
        Op::ToChangelog(function) => vec![(0..function.partition.as_ref().map_or(0, Vec::len)).collect()],
        Op::Watermark { .. } | Op::Limit { .. } | Op::Sort { .. } | Op::DropUpdateBefore => {
            upsert_keys(plan.input())
        }
        Op::Values(_) | Op::Union | Op::Sink(_) => Vec::new(),
    }
}

/// A projection keeps a key when it keeps all its columns; a column that is there several times
/// makes several keys.
fn keys_through_calc(calc: &Calc, keys: Vec<Key>) -> Vec<Key> {
    let kept: Vec<Option<usize>> = calc.projection.iter().map(column_that_stays).collect();
    let mut all = Vec::new();
    for key in keys {
        let mut made = vec![Key::new()];
        for column in key {
            let places = (0..kept.len()).filter(|&place| kept[place] == Some(column));
            let longer = |place| made.iter().map(move |key| key.iter().copied().chain([place]).collect());
            made = places.flat_map(longer).collect();
        }
        all.extend(made);
    }
    all
}

/// The keys of an input that is distributed by some columns: only in keys that contain these do
/// the changes of a row stay in order.
fn keys_with(columns: &[usize], input: &Plan) -> Vec<Key> {
    let mut keys = upsert_keys(input);
    keys.retain(|key| columns.iter().all(|column| key.contains(column)));
    keys
}

/// The column that an expression gives unchanged, possibly as a wider type.
fn column_that_stays(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        ExprKind::Column(column) => Some(*column),
        ExprKind::Cast { input, .. } if is_widening(&input.data_type.kind, &expr.data_type.kind) => {
            column_that_stays(input)
        }
        _ => None,
    }
}

/// Whether different values stay different when cast.
fn is_widening(from: &TypeKind, to: &TypeKind) -> bool {
    let width = |kind: &TypeKind| match kind {
        TypeKind::TinyInt => Some(1),
        TypeKind::SmallInt => Some(2),
        TypeKind::Int => Some(3),
        TypeKind::BigInt => Some(4),
        _ => None,
    };
    match (from, to) {
        (TypeKind::VarChar(a) | TypeKind::Char(a), TypeKind::VarChar(b)) => a <= b,
        _ if from == to => true,
        _ => matches!((width(from), width(to)), (Some(a), Some(b)) if a <= b),
    }
}

/// A single row of each partition needs no other key; a number makes the partition a key. What
/// stands for `ORDER BY … LIMIT` is taken as distributed by the order.
fn keys_of_rank(rank: &Rank, input: &Plan) -> Vec<Key> {
    if rank.start == 1 && rank.end == Some(1) && !rank.from_limit {
        return vec![rank.partition.clone()];
    }
    let mut keys = if rank.from_limit {
        let order: Vec<usize> = rank.order.iter().map(|key| key.column).collect();
        keys_with(&order, input)
    } else {
        keys_with(&rank.partition, input)
    };
    if rank.number {
        let number = input.schema.len();
        keys.push(rank.partition.iter().copied().chain([number]).collect());
    }
    keys
}
