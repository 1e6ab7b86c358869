//! Upsert keys: the columns by which the changes of an operator follow each other.
//!
//! A set of columns is an upsert key when each row that the operator gives replaces the one with
//! the same values in these columns. Flink derives them from primary keys downwards; these are its
//! rules.

use super::join::keys_of_join;
use super::node::{Calc, Deduplicate, Op, Plan, Rank};
use crate::expr::{Expr, ExprKind};
use crate::value::TypeKind;

/// A set of columns, ascending.
pub type Key = Vec<usize>;

/// Which keys of table functions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claims {
    /// The partition columns of any function, whatever it emits, as in Flink; with row semantics
    /// that is the empty set. Flink's sinks rely on it.
    All,
    /// The partition columns of a function that emits upserts. Only these name a row.
    True,
}

/// The upsert keys of a plan, smallest first: fewest columns, then the lowest positions.
pub fn upsert_keys(plan: &Plan, claims: Claims) -> Vec<Key> {
    let mut keys = derive(plan, claims);
    for key in &mut keys {
        key.sort_unstable();
        key.dedup();
    }
    keys.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    keys.dedup();
    keys
}

/// The smallest upsert key that names a row.
pub fn identifying_key(plan: &Plan) -> Option<Key> {
    upsert_keys(plan, Claims::True).into_iter().find(|key| !key.is_empty())
}

fn derive(plan: &Plan, claims: Claims) -> Vec<Key> {
    let partition = |columns: &Option<Vec<usize>>| vec![(0..columns.as_ref().map_or(0, Vec::len)).collect()];
    match &plan.op {
        Op::Scan(scan) => scan.key.clone().into_iter().collect(),
        Op::ChangelogNormalize { key, .. } | Op::Deduplicate(Deduplicate { key, .. }) => vec![key.clone()],
        Op::Calc(calc) => keys_through_calc(calc, upsert_keys(plan.input(), claims)),
        Op::Join(join) => keys_of_join(join, plan, claims),
        Op::Aggregate(aggregate) => vec![(0..aggregate.keys.len()).collect()],
        Op::Rank(rank) => keys_of_rank(rank, plan.input(), claims),
        Op::Over(over) => keys_with(&over.partition, plan.input(), claims),
        Op::FromChangelog(function) if claims == Claims::All || function.is_upsert() => {
            partition(&function.partition)
        }
        Op::ToChangelog(function) if claims == Claims::All => partition(&function.partition),
        Op::Watermark { .. } | Op::Limit { .. } | Op::Sort { .. } | Op::DropUpdateBefore => {
            upsert_keys(plan.input(), claims)
        }
        Op::FromChangelog(_)
        | Op::ToChangelog(_)
        | Op::Values(_)
        | Op::Union
        | Op::Unnest(_)
        | Op::Expand(_)
        | Op::Sink(_) => Vec::new(),
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
pub(super) fn keys_with(columns: &[usize], input: &Plan, claims: Claims) -> Vec<Key> {
    let mut keys = upsert_keys(input, claims);
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
fn keys_of_rank(rank: &Rank, input: &Plan, claims: Claims) -> Vec<Key> {
    if rank.start == 1 && rank.end == Some(1) && !rank.from_limit {
        return vec![rank.partition.clone()];
    }
    let mut keys = if rank.from_limit {
        let order: Vec<usize> = rank.order.iter().map(|key| key.column).collect();
        keys_with(&order, input, claims)
    } else {
        keys_with(&rank.partition, input, claims)
    };
    if rank.number {
        let number = input.schema.len();
        keys.push(rank.partition.iter().copied().chain([number]).collect());
    }
    keys
}
