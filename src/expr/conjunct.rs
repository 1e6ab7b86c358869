//! Conditions as lists of parts, and expressions as trees whose parts can be replaced.

use super::function::operator::{IS_NOT_DISTINCT_FROM, IS_NOT_NULL, NOT};
use super::{Comparison, Expr, ExprKind};

impl Expr {
    /// The column that this expression is, if it is nothing else.
    pub fn as_column(&self) -> Option<usize> {
        match self.kind {
            ExprKind::Column(column) => Some(column),
            _ => None,
        }
    }

    /// The column that this expression is, under a cast or not.
    pub fn as_uncast_column(&self) -> Option<usize> {
        match &self.kind {
            ExprKind::Cast { input, .. } => input.as_uncast_column(),
            _ => self.as_column(),
        }
    }

    /// The operands of `=` or `IS NOT DISTINCT FROM`, and whether NULL equals NULL.
    pub fn as_equality(&self) -> Option<(&Self, &Self, bool)> {
        match &self.kind {
            ExprKind::Compare(Comparison::Equal, left, right) => Some((left, right, false)),
            ExprKind::Call { function, args, .. } if **function == IS_NOT_DISTINCT_FROM => {
                let [left, right] = &args[..] else { return None };
                Some((left, right, true))
            }
            _ => None,
        }
    }

    /// Whether the value depends on how far event time has come.
    pub fn reads_watermark(&self) -> bool {
        self.any(&mut |part| {
            matches!(&part.kind, ExprKind::Call { function, .. } if function.name == "CURRENT_WATERMARK")
        })
    }

    /// The condition that this one negates, if it is `NOT` of another.
    pub fn as_negation(&self) -> Option<&Self> {
        match &self.kind {
            ExprKind::Call { function, args, .. } if **function == NOT => args.first(),
            _ => None,
        }
    }

    /// Whether a condition is never TRUE for rows in which some columns are NULL, as far as its form
    /// shows.
    pub fn is_never_true_when(&self, is_null: impl Fn(usize) -> bool + Copy) -> bool {
        match &self.kind {
            ExprKind::And(parts) => parts.iter().any(|part| part.is_never_true_when(is_null)),
            ExprKind::Or(parts) => parts.iter().all(|part| part.is_never_true_when(is_null)),
            ExprKind::Call { function, args, .. } if **function == IS_NOT_NULL => {
                args[0].is_null_when(is_null)
            }
            _ => self.is_never_true() || self.is_null_when(is_null),
        }
    }

    /// Whether an expression is NULL when some columns are, as far as its form shows.
    fn is_null_when(&self, is_null: impl Fn(usize) -> bool + Copy) -> bool {
        match &self.kind {
            ExprKind::Column(column) => is_null(*column),
            ExprKind::Literal(value) => value.is_null(),
            ExprKind::Cast { input, .. } | ExprKind::Field { input, .. } => input.is_null_when(is_null),
            ExprKind::Compare(_, left, right) => left.is_null_when(is_null) || right.is_null_when(is_null),
            ExprKind::Call { function, args, .. } => {
                function.strict && args.iter().any(|arg| arg.is_null_when(is_null))
            }
            ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Case { .. } => false,
        }
    }

    /// The parts of a condition that all have to hold.
    pub fn into_conjuncts(self) -> Vec<Self> {
        match self.kind {
            ExprKind::And(parts) => parts.into_iter().flat_map(Self::into_conjuncts).collect(),
            _ => vec![self],
        }
    }

    /// The condition that all parts hold; none if there is no part.
    pub fn conjunction(parts: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut parts: Vec<Self> = parts.into_iter().flat_map(Self::into_conjuncts).collect();
        match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(Self::and(parts).expect("parts of conditions are conditions")),
        }
    }

    /// The expression with parts replaced: `replace` gives another expression for a part, or
    /// nothing, and then the parts of that part are looked at.
    ///
    /// # Errors
    /// The first error of `replace`.
    pub fn try_replace<E>(
        &self,
        replace: &mut impl FnMut(&Self) -> Result<Option<Self>, E>,
    ) -> Result<Self, E> {
        if let Some(other) = replace(self)? {
            return Ok(other);
        }
        let mut failed = None;
        let replaced = self.clone().map_children(|child| match failed {
            Some(_) => child,
            None => child.try_replace(replace).unwrap_or_else(|error| {
                failed = Some(error);
                child.clone()
            }),
        });
        failed.map_or(Ok(replaced), Err)
    }
}
