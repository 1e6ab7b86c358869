//! What stands beside each row of the tables before it: `UNNEST` and `LATERAL` sub-queries.

use sqlparser::ast::{
    Expr as Ast, FunctionArg, FunctionArgExpr, JoinConstraint, ObjectName, Query, Spanned, TableAlias,
    TableFactor,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::join::{JoinKind, joined};
use super::super::node::{Op, Plan, Unnest, unique_names};
use super::decorrelate::decorrelate;
use super::expr::{ExprBinder, condition};
use super::from::aliased;
use super::scope::Scope;
use super::{Binder, Visible};
use crate::expr::Expr;
use crate::expr::function::TypeMismatch;
use crate::value::{Column, DataType, Schema, TypeKind};

impl Binder<'_> {
    /// Joins what depends on the row before it; nothing if the relation does not.
    pub(super) fn lateral(
        &self,
        left: &(Plan, Scope),
        relation: &TableFactor,
        kind: JoinKind,
        constraint: &JoinConstraint,
        visible: &Visible,
    ) -> Result<Option<(Plan, Scope)>, PlanError> {
        let (plan, scope) = match relation {
            TableFactor::Table { name, args: Some(args), alias, with_ordinality, .. } if is_unnest(name) => {
                let [FunctionArg::Unnamed(FunctionArgExpr::Expr(collection))] = &args.args[..] else {
                    return Err(PlanErrorKind::refused(
                        "UNNEST of several collections",
                        "Write an UNNEST for each.",
                    )
                    .at(relation.span()));
                };
                self.unnest(left, collection, alias.as_ref(), *with_ordinality, kind, visible)?
            }
            TableFactor::Derived { lateral: true, subquery, alias, .. } => {
                self.lateral_query(left, subquery, alias.as_ref(), kind, visible)?
            }
            _ => return Ok(None),
        };
        let filter = match constraint {
            JoinConstraint::None => None,
            JoinConstraint::On(ast) => {
                let bound = ExprBinder { binder: self, scope: &scope, collect: Err("ON") }.bind(ast)?;
                let filter = condition("ON", bound, ast)?.fold(&self.context);
                (!filter.is_true()).then_some((filter, ast))
            }
            _ => {
                let what = "USING or NATURAL beside UNNEST or LATERAL";
                return Err(PlanErrorKind::refused(what, "Use ON a = b.").at(relation.span()));
            }
        };
        match filter {
            None => Ok(Some((plan, scope))),
            Some((filter, _)) if kind == JoinKind::Inner => Ok(Some((plan.filter(filter), scope))),
            Some((_, ast)) => {
                let what = "a condition other than TRUE for a LEFT JOIN with UNNEST or LATERAL";
                Err(PlanErrorKind::refused(what, "Write ON TRUE, or JOIN instead of LEFT JOIN.")
                    .at(ast.span()))
            }
        }
    }

    /// `UNNEST(collection)`: a row for each element.
    fn unnest(
        &self,
        left: &(Plan, Scope),
        ast: &Ast,
        alias: Option<&TableAlias>,
        ordinality: bool,
        kind: JoinKind,
        visible: &Visible,
    ) -> Result<(Plan, Scope), PlanError> {
        let scope = left.1.clone().seeing(visible);
        let collection = ExprBinder { binder: self, scope: &scope, collect: Err("UNNEST") }.bind(ast)?;
        let mut columns = element_columns(&collection).map_err(|kind| kind.at(ast.span()))?;
        let elements = columns.len();
        if ordinality {
            columns.push(Column::new("ORDINALITY", DataType::int().not_null()));
        }
        let keeps_left = match kind {
            JoinKind::Inner => false,
            JoinKind::Left => true,
            _ => {
                let instead = "Use CROSS JOIN, or LEFT JOIN … ON TRUE.";
                return Err(PlanErrorKind::refused("this kind of join with UNNEST", instead).at(ast.span()));
            }
        };
        for column in &mut columns {
            column.data_type.nullable |= keeps_left;
        }
        // An alias names the columns before they stand beside others.
        let element = Plan::new(Op::Union, Vec::new(), Schema::new(columns));
        let (element, right) = aliased(element, None, alias)?;
        let all = left.0.schema.columns.iter().chain(&element.schema.columns);
        let names = unique_names(all.clone().map(|column| column.name.as_str()));
        let schema =
            all.zip(names).map(|(column, name)| Column::new(name, column.data_type.clone())).collect();
        let op = Op::Unnest(Unnest { collection, elements, ordinality, keeps_left });
        let plan = Plan::new(op, vec![left.0.clone()], schema);
        Ok((plan, left.1.beside(&right)))
    }

    /// `LATERAL (SELECT …)`: the rows of a sub-query that reads the row before it.
    fn lateral_query(
        &self,
        left: &(Plan, Scope),
        query: &Query,
        alias: Option<&TableAlias>,
        kind: JoinKind,
        visible: &Visible,
    ) -> Result<(Plan, Scope), PlanError> {
        if !matches!(kind, JoinKind::Inner | JoinKind::Left) {
            let instead = "Use CROSS JOIN, or LEFT JOIN … ON TRUE.";
            return Err(PlanErrorKind::refused("this kind of join with LATERAL", instead).at(query.span()));
        }
        let inside = left.1.clone().seeing(visible).seen_from_inside();
        let plan = self.query(query, &inside)?;
        let (plan, right) = aliased(plan, None, alias)?;
        let (before, width) = (left.0.schema.len(), plan.schema.len());
        let correlated = decorrelate(plan, self.strict).map_err(|error| error.or_at(query.span()))?;
        let conditions = Expr::conjunction(correlated.conditions_at(before));
        let plan = joined(left.0.clone(), correlated.plan, kind, conditions);
        // The columns that only the conditions read are nobody's.
        let mut columns = plan.identity();
        columns.truncate(before + width);
        let names = plan.schema.names().take(before + width).map(str::to_owned).collect();
        Ok((plan.calc(None, columns, names), left.1.beside(&right).padded(before, kind)))
    }
}

fn is_unnest(name: &ObjectName) -> bool {
    name.to_string().eq_ignore_ascii_case("UNNEST")
}

/// The columns that an element of a collection has.
fn element_columns(collection: &Expr) -> Result<Vec<Column>, PlanErrorKind> {
    let column = |name: &str, data_type: &DataType| Column::new(name, data_type.clone());
    Ok(match &collection.data_type.kind {
        TypeKind::Array(element) | TypeKind::Multiset(element) => match &element.kind {
            TypeKind::Row(fields) => fields
                .iter()
                .map(|field| {
                    let nullable = field.data_type.nullable || element.nullable;
                    Column::new(field.name.clone(), field.data_type.clone().with_nullable(nullable))
                })
                .collect(),
            _ => vec![column("EXPR$0", element)],
        },
        TypeKind::Map(key, value) => vec![column("KEY", key), column("VALUE", value)],
        kind => {
            let problem = format!("UNNEST takes an ARRAY, a MAP or a MULTISET, not {kind}");
            let instead = "SPLIT(text, ',') makes an ARRAY of a text.";
            return Err(TypeMismatch::new(problem).or(instead).into());
        }
    })
}
