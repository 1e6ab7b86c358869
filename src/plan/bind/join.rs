//! Joins in a FROM clause.

use sqlparser::ast::{
    Expr as Ast, Ident, Join as JoinAst, JoinConstraint, JoinOperator, ObjectName, Spanned, TableWithJoins,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::join::{JoinKind, joined};
use super::super::node::Plan;
use super::expr::{ExprBinder, condition};
use super::query::one_row;
use super::scope::{Scope, Shared};
use super::{Binder, Visible};
use crate::expr::{Comparison, Expr};

impl Binder<'_> {
    /// Binds a FROM clause: tables with a comma between them are joined without a condition.
    pub(super) fn from(
        &self,
        from: &[TableWithJoins],
        visible: &Visible,
    ) -> Result<(Plan, Scope), PlanError> {
        let mut bound: Option<(Plan, Scope)> = None;
        for TableWithJoins { relation, joins } in from {
            let before = bound.take().unwrap_or_else(|| (one_row(), Scope::default()));
            let is_first = before.0.schema.is_empty();
            let beside = self.lateral(&before, relation, JoinKind::Inner, &JoinConstraint::None, visible)?;
            let mut tables = match beside {
                Some(tables) => tables,
                None if is_first => self.relation(relation, visible)?,
                None => cross(before, self.relation(relation, visible)?),
            };
            for join in joins {
                tables = self.join(tables, join, visible)?;
            }
            bound = Some(tables);
        }
        let (plan, scope) = bound.unwrap_or_else(|| (one_row(), Scope::default()));
        if let Some(name) = scope.name_given_twice() {
            return Err(PlanErrorKind::DuplicateRelation { name: name.value.clone() }.at(name.span));
        }
        Ok((plan, scope.seeing(visible)))
    }

    fn join(
        &self,
        left: (Plan, Scope),
        join: &JoinAst,
        visible: &Visible,
    ) -> Result<(Plan, Scope), PlanError> {
        let (kind, constraint) = kind_of(join)?;
        if let Some(tables) = self.lateral(&left, &join.relation, kind, constraint, visible)? {
            return Ok(tables);
        }
        let right = self.relation(&join.relation, visible)?;
        let both = left.1.beside(&right.1).seeing(visible);
        let (condition, merged) = match constraint {
            JoinConstraint::On(ast) => (Some(self.on(ast, &both)?), Vec::new()),
            JoinConstraint::Using(names) => {
                let names: Vec<Ident> = names.iter().filter_map(only_part).collect();
                using(&names, &left.1, &right.1)?
            }
            JoinConstraint::Natural => {
                let names: Vec<Ident> = left.1.names_in_common(&right.1).map(Ident::new).collect();
                using(&names, &left.1, &right.1)?
            }
            JoinConstraint::None => (None, Vec::new()),
            JoinConstraint::UsingAlias(..) => {
                let instead = "Leave the alias out: the columns have no table.";
                return Err(PlanErrorKind::refused("USING with an alias", instead).at(join.relation.span()));
            }
        };
        let scope = both.padded(left.0.schema.len(), kind).merging(merged, kind);
        Ok((joined(left.0, right.0, kind, condition), scope))
    }

    fn on(&self, ast: &Ast, scope: &Scope) -> Result<Expr, PlanError> {
        let bound = ExprBinder { binder: self, scope, collect: Err("ON") }.bind(ast)?;
        if scope.has_sub_queries() {
            let instead = "Put it into a sub-query of FROM, or into WHERE if the join is an inner one.";
            return Err(PlanErrorKind::refused("a sub-query in ON", instead).at(ast.span()));
        }
        condition("ON", bound, ast)
    }
}

fn cross(left: (Plan, Scope), right: (Plan, Scope)) -> (Plan, Scope) {
    let scope = left.1.beside(&right.1);
    (joined(left.0, right.0, JoinKind::Inner, None), scope)
}

fn kind_of(join: &JoinAst) -> Result<(JoinKind, &JoinConstraint), PlanError> {
    let joined = match &join.join_operator {
        JoinOperator::CrossJoin(constraint) => return Ok((JoinKind::Inner, constraint)),
        JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => (JoinKind::Inner, constraint),
        JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => (JoinKind::Left, constraint),
        JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
            (JoinKind::Right, constraint)
        }
        JoinOperator::FullOuter(constraint) => (JoinKind::Full, constraint),
        _ => {
            let instead = "Use JOIN, LEFT JOIN, or CROSS JOIN LATERAL (SELECT …).";
            return Err(PlanErrorKind::refused("this kind of join", instead).at(join.relation.span()));
        }
    };
    match joined {
        (_, JoinConstraint::None) => Err(PlanErrorKind::JoinWithoutCondition.at(join.relation.span())),
        joined => Ok(joined),
    }
}

fn only_part(name: &ObjectName) -> Option<Ident> {
    name.0.last().and_then(|part| part.as_ident()).cloned()
}

/// A column of USING that one side of the join does not have.
fn one_sided(mut error: PlanError, side: &'static str) -> PlanError {
    if let PlanErrorKind::NoSuchColumn { name, .. } = *error.kind {
        error.kind = Box::new(PlanErrorKind::NotOnBothSides { name, side });
    }
    error
}

/// The condition of USING, and each name with its column on either side.
fn using(names: &[Ident], left: &Scope, right: &Scope) -> Result<(Option<Expr>, Vec<Shared>), PlanError> {
    let width = left.schema().len();
    let mut merged = Vec::with_capacity(names.len());
    for name in names {
        let ours = left.resolve(std::slice::from_ref(name)).map_err(|error| one_sided(error, "left"))?;
        let theirs = right.resolve(std::slice::from_ref(name)).map_err(|error| one_sided(error, "right"))?;
        let theirs = theirs.map_columns(&mut |column| column + width);
        merged.push(Shared { name: name.value.clone(), left: ours, right: theirs });
    }
    let equal = |shared: &Shared| {
        Expr::compare(Comparison::Equal, shared.left.clone(), shared.right.clone())
            .map_err(PlanErrorKind::from)
    };
    let parts: Vec<Expr> = merged
        .iter()
        .zip(names)
        .map(|(shared, name)| equal(shared).map_err(|kind| kind.at(name.span)))
        .collect::<Result<_, _>>()?;
    Ok((Expr::conjunction(parts), merged))
}
