//! Joins: which rows they give, and by which keys they find matches.

use super::keys::{Claims, Key, keys_with, upsert_keys};
use super::node::{Op, Plan, unique_names};
use crate::expr::Expr;
use crate::value::{Schema, TypeKind};

/// A join of two inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// Which rows it gives.
    pub kind: JoinKind,
    /// When two rows match, over the left row followed by the right one; always without one.
    pub condition: Option<Expr>,
}

/// Which rows a join gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinKind {
    /// The pairs that match.
    Inner,
    /// Also the left rows without a match, beside NULLs.
    Left,
    /// Also the right rows without a match, beside NULLs.
    Right,
    /// Also the rows of both sides without a match, beside NULLs.
    Full,
    /// The left rows with a match, once.
    Semi,
    /// The left rows without a match.
    Anti,
}

/// The columns that have to be equal for two rows to match, and what has to hold beside.
#[derive(Debug, Clone, PartialEq)]
pub struct JoinKeys {
    /// The columns of the left input.
    pub left: Vec<usize>,
    /// The columns of the right input, in the same order.
    pub right: Vec<usize>,
    /// Whether NULL matches NULL, for each pair.
    pub null_safe: Vec<bool>,
    /// What is left of the condition, over the left row followed by the right one.
    pub residual: Option<Expr>,
}

impl JoinKind {
    /// The name in Flink's plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inner => "InnerJoin",
            Self::Left => "LeftOuterJoin",
            Self::Right => "RightOuterJoin",
            Self::Full => "FullOuterJoin",
            Self::Semi => "LeftSemiJoin",
            Self::Anti => "LeftAntiJoin",
        }
    }

    /// Whether left rows come out without a match, beside NULLs.
    pub fn keeps_left(self) -> bool {
        matches!(self, Self::Left | Self::Full)
    }

    /// Whether right rows come out without a match, beside NULLs.
    pub fn keeps_right(self) -> bool {
        matches!(self, Self::Right | Self::Full)
    }

    /// Whether the columns of the right input are not part of the result.
    pub fn gives_left_only(self) -> bool {
        matches!(self, Self::Semi | Self::Anti)
    }
}

impl Join {
    /// The keys of the join of a left input with this many columns.
    pub fn keys(&self, left_width: usize) -> JoinKeys {
        let mut keys =
            JoinKeys { left: Vec::new(), right: Vec::new(), null_safe: Vec::new(), residual: None };
        let mut residual = Vec::new();
        for part in self.condition.iter().cloned().flat_map(Expr::into_conjuncts) {
            match equal_columns(&part, left_width) {
                Some((left, right, null_safe)) => {
                    keys.left.push(left);
                    keys.right.push(right - left_width);
                    keys.null_safe.push(null_safe);
                }
                None => residual.push(part),
            }
        }
        keys.residual = Expr::conjunction(residual);
        keys
    }
}

/// A join of two plans. A side that may be missing has columns that may be NULL.
pub fn joined(left: Plan, right: Plan, kind: JoinKind, condition: Option<Expr>) -> Plan {
    let nullable = |schema: &Schema, padded: bool| {
        let columns = schema.columns.iter().cloned();
        columns
            .map(move |mut column| {
                column.data_type.nullable |= padded;
                column
            })
            .collect::<Vec<_>>()
    };
    let mut columns = nullable(&left.schema, kind.keeps_right());
    if !kind.gives_left_only() {
        columns.extend(nullable(&right.schema, kind.keeps_left()));
    }
    let names = unique_names(columns.iter().map(|column| column.name.as_str()));
    for (column, name) in columns.iter_mut().zip(names) {
        column.name = name;
    }
    Plan::new(Op::Join(Join { kind, condition }), vec![left, right], Schema::new(columns))
}

/// The column of the left and that of the right input that a condition wants equal.
fn equal_columns(part: &Expr, left_width: usize) -> Option<(usize, usize, bool)> {
    let (left, right, null_safe) = part.as_equality()?;
    let (a, b) = (left.as_column()?, right.as_column()?);
    if !compare_as_they_are(&left.data_type.kind, &right.data_type.kind) {
        return None;
    }
    match (a < left_width, b < left_width) {
        (true, false) => Some((a, b, null_safe)),
        (false, true) => Some((b, a, null_safe)),
        _ => None,
    }
}

/// Whether equal values of the two types are the same value.
pub(super) fn compare_as_they_are(left: &TypeKind, right: &TypeKind) -> bool {
    let decimal = |kind: &TypeKind| matches!(kind, TypeKind::Decimal { .. });
    left == right
        || (left.is_integer() && right.is_integer())
        || (left.is_string() && right.is_string())
        || (decimal(left) && decimal(right))
}

/// The upsert keys of a join input that survive its distribution and name a row.
pub fn input_keys(input: &Plan, join: &[usize]) -> Vec<Key> {
    keys_with(join, input, Claims::True)
}

/// The upsert keys of a join.
pub(super) fn keys_of_join(join: &Join, plan: &Plan, claims: Claims) -> Vec<Key> {
    let [left, right] = &plan.inputs[..] else { return Vec::new() };
    let width = left.schema.len();
    let keys = join.keys(width);
    let left_keys = keys_with(&keys.left, left, claims);
    if join.kind.gives_left_only() {
        return left_keys;
    }
    let shifted = |key: Key| key.into_iter().map(|column| column + width).collect::<Key>();
    let right_keys: Vec<Key> = keys_with(&keys.right, right, claims).into_iter().map(shifted).collect();
    let is_unique = |input: &Plan, join: &[usize]| {
        upsert_keys(input, claims).iter().any(|key| key.iter().all(|column| join.contains(column)))
    };
    let mut all: Vec<Key> = left_keys
        .iter()
        .flat_map(|left| right_keys.iter().map(|right| [left.clone(), right.clone()].concat()))
        .collect();
    if is_unique(right, &keys.right) && !join.kind.keeps_right() {
        all.extend(left_keys);
    }
    if is_unique(left, &keys.left) && !join.kind.keeps_left() {
        all.extend(right_keys);
    }
    all
}

/// What is known of the rows of a join input, as Flink's plans say it.
pub(super) fn input_spec(input: &Plan, join: &[usize]) -> &'static str {
    let keys = upsert_keys(input, Claims::True);
    if keys.is_empty() {
        "NoUniqueKey"
    } else if keys.iter().any(|key| key.iter().all(|column| join.contains(column))) {
        "JoinKeyContainsUniqueKey"
    } else {
        "HasUniqueKey"
    }
}
