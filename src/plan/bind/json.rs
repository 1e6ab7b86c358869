//! Calls of JSON functions, whose clauses become arguments.

use sqlparser::ast::{Expr as Ast, Function};

use super::super::error::PlanError;
use super::expr::ExprBinder;
use crate::expr::Expr;

/// Binds a call if it is one of a JSON function.
pub(super) fn bind(
    _binder: &mut ExprBinder<'_, '_>,
    _ast: &Ast,
    _call: &Function,
    _name: &str,
) -> Option<Result<Expr, PlanError>> {
    None
}
