//! Aggregate functions and GROUP BY.

use sqlparser::ast::{
    DuplicateTreatment, Expr as Ast, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Spanned,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Aggregate, Op, Plan, unique_names};
use super::Binder;
use super::expr::{ExprBinder, condition};
use super::select::{AGGREGATES, Rest, WINDOWS};
use crate::expr::aggregate::{self, AggregateCall, AggregateFunction};
use crate::expr::function::{Argument, TypeMismatch};
use crate::expr::{Expr, ExprKind};
use crate::sql::Span;
use crate::value::{Column, DataType, Schema};

/// An aggregate function over the rows of a scope.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AggregateRequest {
    function: AggregateFunction,
    args: Vec<Expr>,
    distinct: bool,
    filter: Option<Expr>,
    data_type: DataType,
}

/// GROUP BY with the aggregates beside it.
pub(super) struct Grouping {
    pub(super) keys: Vec<Expr>,
    pub(super) calls: Vec<AggregateRequest>,
}

impl ExprBinder<'_, '_> {
    /// A call of an aggregate function, which becomes a placeholder.
    pub(super) fn aggregate_function(
        &mut self,
        ast: &Ast,
        call: &Function,
        name: &str,
    ) -> Result<Expr, PlanError> {
        let (grouped, clause) = match &self.collect {
            Ok(collected) => (collected.grouped, None),
            Err(clause) => (false, Some(*clause)),
        };
        if let Some(clause) = clause {
            return Err(PlanErrorKind::MisplacedAggregate { name: name.to_owned(), clause }.at(ast.span()));
        }
        let is_json = name.starts_with("JSON_");
        let (name, args, distinct, over_json) = if is_json {
            let (name, asts, over_json) = super::json::aggregate_parts(call, name)?;
            let args = asts.into_iter().map(|arg| self.aggregate_arg(arg)).collect::<Result<_, _>>()?;
            (name, args, false, over_json)
        } else {
            let (args, distinct) = self.aggregate_args(ast, call)?;
            (name.to_owned(), args, distinct, false)
        };
        let filter = match &call.filter {
            Some(filter) => {
                let mut inner = ExprBinder { binder: self.binder, scope: self.scope, collect: Err("FILTER") };
                Some(condition("FILTER", inner.bind(filter)?, filter)?)
            }
            None => None,
        };
        if distinct && args.len() > 1 && name == "COUNT" {
            return Err(PlanErrorKind::DistinctOfSeveral.at(ast.span()));
        }
        let arguments: Vec<Argument<'_>> = args.iter().map(Expr::as_argument).collect();
        let bound = aggregate::bind(&name, &arguments, distinct, grouped && filter.is_none());
        let bound = bound.map_err(|error| Binder::call_error(error, ast))?;
        let mut casted = Vec::with_capacity(args.len());
        for (arg, to) in args.into_iter().zip(&bound.arguments) {
            casted.push(Expr::cast(arg, to.clone(), false).map_err(|error| Binder::call_error(error, ast))?);
        }
        let data_type = bound.data_type.clone();
        let request = AggregateRequest {
            function: if over_json { bound.function.over_json() } else { bound.function },
            args: casted,
            distinct,
            filter,
            data_type: data_type.clone(),
        };
        let Ok(collected) = &mut self.collect else { unreachable!("checked above") };
        let known = collected.aggregates.iter().position(|other| *other == request);
        let index = known.unwrap_or_else(|| {
            collected.aggregates.push(request);
            collected.aggregates.len() - 1
        });
        Ok(Expr::column(AGGREGATES + index, data_type))
    }

    fn aggregate_arg(&mut self, arg: &Ast) -> Result<Expr, PlanError> {
        let collect = Err("an aggregate function");
        ExprBinder { binder: self.binder, scope: self.scope, collect }.bind(arg)
    }

    fn aggregate_args(&mut self, ast: &Ast, call: &Function) -> Result<(Vec<Expr>, bool), PlanError> {
        let FunctionArguments::List(list) = &call.args else { return Ok((Vec::new(), false)) };
        let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
        let mut args = Vec::new();
        for arg in &list.args {
            match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => {}
                FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)) => {
                    args.push(self.aggregate_arg(arg)?);
                }
                _ => return Err(PlanErrorKind::unsupported(format!("the argument {arg}")).at(ast.span())),
            }
        }
        let is_star =
            list.args.iter().any(|arg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Wildcard)));
        let name = call.name.to_string().to_uppercase();
        let problem = match (list.args.len(), is_star) {
            (0, _) => format!("{name} needs an argument"),
            (1, true) if name != "COUNT" => format!("{name} takes no *"),
            (2.., true) => format!("{name} takes no argument beside *"),
            _ => return Ok((args, distinct)),
        };
        Err(PlanErrorKind::from(TypeMismatch::new(problem)).at(ast.span()))
    }
}

impl Grouping {
    /// The expressions over the rows that are grouped.
    pub(super) fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let calls = self.calls.iter_mut().flat_map(|call| call.args.iter_mut().chain(&mut call.filter));
        self.keys.iter_mut().chain(calls)
    }

    /// Puts the aggregation on a plan, and makes the other expressions read its result.
    pub(super) fn apply(self, plan: Plan, rest: &mut Rest<'_>) -> Result<Plan, PlanError> {
        let scope = plan.schema.clone();
        let mut columns = self.keys.clone();
        let mut place = |expr: &Expr| {
            columns.iter().position(|column| column == expr).unwrap_or_else(|| {
                columns.push(expr.clone());
                columns.len() - 1
            })
        };
        let call = |request: &AggregateRequest| AggregateCall {
            function: request.function.clone(),
            args: request.args.iter().map(&mut place).collect(),
            distinct: request.distinct,
            filter: request.filter.as_ref().map(&mut place),
            data_type: request.data_type.clone(),
            retracts: true,
        };
        let calls: Vec<AggregateCall> = self.calls.iter().map(call).collect();
        let names: Vec<String> =
            columns.iter().enumerate().map(|(i, expr)| name_of(expr, &scope, i)).collect();
        let input = plan.calc(None, columns, unique_names(names.iter().map(String::as_str)));

        let width = self.keys.len();
        let result_names = self.result_names(rest, &scope);
        let types =
            self.keys.iter().map(|key| &key.data_type).chain(calls.iter().map(|call| &call.data_type));
        let schema: Schema = result_names
            .into_iter()
            .zip(types)
            .map(|(name, data_type)| Column::new(name, data_type.clone()))
            .collect();
        let keys = (0..width).collect();
        let plan = Plan::new(Op::Aggregate(Aggregate { keys, calls }), vec![input], schema);
        rest.rewrite(|expr, span, places| {
            self.rewrite(expr, &scope, |column| places.of_column(column, span))
        })?;
        Ok(plan)
    }

    /// Replaces keys and aggregates by the columns of the aggregation.
    fn rewrite(
        &self,
        expr: &Expr,
        scope: &Schema,
        place: impl Fn(usize) -> Option<Span>,
    ) -> Result<Expr, PlanError> {
        expr.try_replace(&mut |part| {
            if let Some(key) = self.keys.iter().position(|key| key == part) {
                return Ok(Some(Expr::column(key, self.keys[key].data_type.clone())));
            }
            match part.kind {
                ExprKind::Column(column) if column >= WINDOWS => Ok(Some(part.clone())),
                ExprKind::Column(column) if column >= AGGREGATES => {
                    Ok(Some(Expr::column(self.keys.len() + column - AGGREGATES, part.data_type.clone())))
                }
                ExprKind::Column(column) => {
                    let kind = PlanErrorKind::NotGrouped { name: scope.columns[column].name.clone() };
                    Err(PlanError { span: place(column), ..kind.into() })
                }
                _ => Ok(None),
            }
        })
    }

    /// The columns of the aggregation are named after the select items that are nothing else.
    fn result_names(&self, rest: &Rest<'_>, scope: &Schema) -> Vec<String> {
        let item_name = |is_it: &dyn Fn(&Expr) -> bool| {
            rest.items.iter().find(|item| is_it(&item.expr)).map(|item| item.name.clone())
        };
        let keys = self
            .keys
            .iter()
            .enumerate()
            .map(|(i, key)| item_name(&|expr| expr == key).unwrap_or_else(|| name_of(key, scope, i)));
        let calls = (0..self.calls.len()).map(|i| {
            item_name(&|expr| expr.as_column() == Some(AGGREGATES + i))
                .unwrap_or_else(|| format!("$f{}", self.keys.len() + i))
        });
        let names: Vec<String> = keys.chain(calls).collect();
        unique_names(names.iter().map(String::as_str))
    }
}

fn name_of(expr: &Expr, scope: &Schema, position: usize) -> String {
    match expr.as_column() {
        Some(column) if column < scope.len() => scope.columns[column].name.clone(),
        _ => format!("$f{position}"),
    }
}
