//! Conditions as lists of parts, and expressions as trees whose parts can be replaced.

use super::{Expr, ExprKind};

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
