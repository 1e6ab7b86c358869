//! Aggregate functions and GROUP BY.

use sqlparser::ast::{
    DuplicateTreatment, Expr as Ast, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArguments, NullTreatment, Spanned,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Aggregate, Op, Plan, unique_names};
use super::Binder;
use super::expr::{ExprBinder, condition};
use super::grouping::{GroupBy, GroupingSets};
use super::select::{AGGREGATES, GROUPINGS, Rest, WINDOWS};
use crate::expr::aggregate::{self, AggregateCall, AggregateFunction};
use crate::expr::function::{Argument, TypeMismatch};
use crate::expr::{Expr, ExprKind};
use crate::sql::Span;
use crate::value::{Column, DataType, Schema, Value};

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
    pub(super) group_by: GroupBy,
    pub(super) calls: Vec<AggregateRequest>,
    /// The arguments of GROUPING and its like.
    pub(super) groupings: Vec<Vec<Expr>>,
}

/// Refuses the clauses of a call that the function does not have, and that would have no effect.
pub(super) fn refuse_clauses(
    ast: &Ast,
    call: &Function,
    name: &str,
    aggregates: bool,
) -> Result<(), PlanError> {
    let list = match &call.args {
        FunctionArguments::List(list) => Some(list),
        FunctionArguments::None | FunctionArguments::Subquery(_) => None,
    };
    // The clauses of JSON functions are arguments.
    let is_json = name.starts_with("JSON_");
    // What Flink takes of ARRAY_AGG and does not heed: NULLs are elements, in the order of arrival.
    let is_void = |clause: &FunctionArgumentClause| match clause {
        FunctionArgumentClause::OrderBy(_)
        | FunctionArgumentClause::IgnoreOrRespectNulls(NullTreatment::RespectNulls) => name == "ARRAY_AGG",
        _ => false,
    };
    let has_clauses = list.is_some_and(|list| !list.clauses.iter().all(is_void)) && !is_json;
    let ignores = call.null_treatment == Some(NullTreatment::IgnoreNulls);
    let nulls = "Leave it out, and filter: FILTER (WHERE value IS NOT NULL).";
    let (what, instead) = if !call.within_group.is_empty() {
        ("WITHIN GROUP", "Leave it out: the values come in the order of their arrival.")
    } else if call.null_treatment.is_some() && !is_json && (name != "ARRAY_AGG" || ignores) {
        ("IGNORE NULLS or RESPECT NULLS", if aggregates { nulls } else { "Leave it out." })
    } else if has_clauses && aggregates {
        ("ORDER BY or another clause", "Leave it out: the values come in the order of their arrival.")
    } else if has_clauses {
        ("a clause", "Give the arguments alone.")
    } else if call.filter.is_some() && !aggregates {
        ("FILTER", "Only aggregate functions have FILTER; use CASE.")
    } else if list.is_some_and(|list| list.duplicate_treatment.is_some()) && !aggregates {
        ("DISTINCT or ALL", "Only aggregate functions have DISTINCT; use SELECT DISTINCT.")
    } else {
        return Ok(());
    };
    Err(PlanErrorKind::refused(format!("{name} with {what}"), instead).at(ast.span()))
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
        refuse_clauses(ast, call, name, true)?;
        if let FunctionArguments::List(list) = &call.args
            && list.clauses.iter().any(|clause| matches!(clause, FunctionArgumentClause::OrderBy(_)))
        {
            self.binder.notice(format!("ORDER BY in {name} has no effect, as in Flink"));
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
                _ => return Err(super::expr::strange_argument(arg, ast)),
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
        let syntax = aggregate::FUNCTIONS.iter().find(|(known, ..)| *known == name);
        let syntax = syntax.map_or("COUNT(*)", |(_, syntax, _)| syntax);
        Err(PlanErrorKind::from(TypeMismatch::new(problem).or(format!("Write {syntax}."))).at(ast.span()))
    }
}

impl ExprBinder<'_, '_> {
    /// `GROUPING(key)`, `GROUPING_ID(key, …)` and `GROUP_ID()`, which become placeholders.
    pub(super) fn grouping_function(
        &mut self,
        ast: &Ast,
        call: &Function,
        name: &str,
    ) -> Result<Expr, PlanError> {
        let asts = super::expr::scalar_args(ast, call)?;
        if asts.is_empty() != (name == "GROUP_ID") {
            let problem =
                format!("{name} takes {} columns of GROUP BY", if asts.is_empty() { "some" } else { "no" });
            let way_out = match name {
                "GROUP_ID" => "Write GROUP_ID(), or GROUPING_ID(column, …).".to_owned(),
                name => format!("Write {name}(column)."),
            };
            return Err(PlanErrorKind::from(TypeMismatch::new(problem).or(way_out)).at(ast.span()));
        }
        let args = asts.into_iter().map(|arg| self.aggregate_arg(arg)).collect::<Result<Vec<_>, _>>()?;
        match &mut self.collect {
            Ok(collected) => {
                collected.groupings.push(args);
                let column = GROUPINGS + collected.groupings.len() - 1;
                Ok(Expr::column(column, DataType::bigint().not_null()))
            }
            Err(clause) => {
                let clause = *clause;
                Err(PlanErrorKind::MisplacedAggregate { name: name.to_owned(), clause }.at(ast.span()))
            }
        }
    }
}

impl Grouping {
    /// The expressions over the rows that are grouped.
    pub(super) fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let calls = self.calls.iter_mut().flat_map(|call| call.args.iter_mut().chain(&mut call.filter));
        let groupings = self.groupings.iter_mut().flatten();
        self.group_by.keys.iter_mut().chain(calls).chain(groupings)
    }

    /// Puts the aggregation on a plan, and makes the other expressions read its result.
    pub(super) fn apply(self, plan: Plan, rest: &mut Rest<'_>) -> Result<Plan, PlanError> {
        let scope = plan.schema.clone();
        let keys = &self.group_by.keys;
        let mut columns = keys.clone();
        // Under GROUPING SETS a key may be NULL where the row has a value.
        let first = if self.group_by.sets.is_some() { keys.len() } else { 0 };
        let mut place = |expr: &Expr| {
            let found = columns[first..].iter().position(|column| column == expr);
            found.map_or_else(
                || {
                    columns.push(expr.clone());
                    columns.len() - 1
                },
                |place| place + first,
            )
        };
        let call = |request: &AggregateRequest| AggregateCall {
            function: request.function.clone(),
            args: request.args.iter().map(&mut place).collect(),
            distinct: request.distinct,
            filter: request.filter.as_ref().map(&mut place),
            data_type: request.data_type.clone(),
            retracts: true,
        };
        let mut calls: Vec<AggregateCall> = self.calls.iter().map(call).collect();
        let names: Vec<String> =
            columns.iter().enumerate().map(|(i, expr)| name_of(expr, &scope, i)).collect();
        let mut input = plan.calc(None, columns, unique_names(names.iter().map(String::as_str)));
        let mut width = keys.len();
        if let Some(sets) = &self.group_by.sets {
            input = expanded(input, sets, width);
            // The marker of the set is one more key, behind the others.
            width += 1;
            for call in &mut calls {
                call.args.iter_mut().chain(&mut call.filter).for_each(|column| *column += 1);
            }
        }
        let names = self.result_names(rest, &scope);
        let types = input.schema.types().take(width).chain(calls.iter().map(|call| &call.data_type));
        let columns = names.into_iter().zip(types);
        let schema: Schema = columns.map(|(name, data_type)| Column::new(name, data_type.clone())).collect();
        let op = Op::Aggregate(Aggregate { keys: (0..width).collect(), calls });
        let plan = Plan::new(op, vec![input], schema);
        rest.rewrite(|expr, span, places| {
            let place = |column| places.of_column(column, span);
            self.rewrite(expr, &scope, &plan.schema, place).map_err(|error| match span {
                Some(span) => error.or_at(span),
                None => error,
            })
        })?;
        Ok(plan)
    }

    /// Replaces keys and aggregates by the columns of the aggregation.
    fn rewrite(
        &self,
        expr: &Expr,
        scope: &Schema,
        result: &Schema,
        place_of: impl Fn(usize) -> Option<Span>,
    ) -> Result<Expr, PlanError> {
        let keys = &self.group_by.keys;
        let column = |column: usize| Expr::column(column, result.columns[column].data_type.clone());
        let first_call = keys.len() + usize::from(self.group_by.sets.is_some());
        expr.try_replace(&mut |part| {
            if let Some(key) = keys.iter().position(|key| key == part) {
                return Ok(Some(column(key)));
            }
            match part.kind {
                ExprKind::Column(column) if column >= WINDOWS => Ok(Some(part.clone())),
                ExprKind::Column(place) if place >= AGGREGATES => {
                    Ok(Some(column(first_call + place - AGGREGATES)))
                }
                ExprKind::Column(place) if place >= GROUPINGS => self
                    .grouping(&self.groupings[place - GROUPINGS], &column(keys.len().min(result.len() - 1)))
                    .map(Some),
                ExprKind::Column(column) => {
                    let kind = PlanErrorKind::NotGrouped { name: scope.columns[column].name.clone() };
                    Err(PlanError { span: place_of(column), ..kind.into() })
                }
                _ => Ok(None),
            }
        })
    }

    /// Which of some keys a row leaves out.
    fn grouping(&self, args: &[Expr], marker: &Expr) -> Result<Expr, PlanError> {
        let mut keys = Vec::with_capacity(args.len());
        for arg in args {
            let key = self.group_by.keys.iter().position(|key| key == arg).ok_or_else(|| {
                let mismatch = TypeMismatch::new("the arguments of GROUPING must be columns of GROUP BY");
                PlanErrorKind::from(mismatch.or("Add the column to GROUP BY."))
            })?;
            keys.push(key);
        }
        match &self.group_by.sets {
            Some(sets) => Ok(sets.id_of(&keys, marker)?),
            None => Ok(Expr::literal(Value::integer(0), DataType::bigint().not_null())),
        }
    }

    /// The columns of the aggregation are named after the select items that are nothing else.
    fn result_names(&self, rest: &Rest<'_>, scope: &Schema) -> Vec<String> {
        let item_name = |is_it: &dyn Fn(&Expr) -> bool| {
            rest.items.iter().find(|item| is_it(&item.expr)).map(|item| item.name.clone())
        };
        let keys = self.group_by.keys.iter().enumerate();
        let keys =
            keys.map(|(i, key)| item_name(&|expr| expr == key).unwrap_or_else(|| name_of(key, scope, i)));
        let marker = self.group_by.sets.iter().map(|_| "$e".to_owned());
        let calls = (0..self.calls.len()).map(|i| {
            item_name(&|expr| expr.as_column() == Some(AGGREGATES + i))
                .unwrap_or_else(|| format!("$f{}", self.group_by.keys.len() + i))
        });
        let keys = keys.chain(marker);
        let names: Vec<String> = keys.chain(calls).collect();
        unique_names(names.iter().map(String::as_str))
    }
}

/// Each row once for each set: with NULL for the keys that the set leaves out, and a marker of the
/// set behind the keys.
fn expanded(input: Plan, sets: &GroupingSets, width: usize) -> Plan {
    let identity = input.identity();
    let marker = |missing: u64| {
        let missing = i64::try_from(missing).unwrap_or(i64::MAX);
        Expr::literal(Value::integer(missing), DataType::bigint().not_null())
    };
    let row = |&missing: &u64| {
        let mut row = identity.clone();
        for (key, expr) in row.iter_mut().enumerate().take(width) {
            let data_type = expr.data_type.clone().with_nullable(true);
            if sets.leaves_out(missing, key) {
                *expr = Expr::literal(Value::NULL, data_type);
            }
        }
        row.insert(width, marker(missing));
        row
    };
    let rows = sets.missing.iter().map(row).collect();
    let mut columns = input.schema.columns.clone();
    for (key, column) in columns.iter_mut().enumerate().take(width) {
        column.data_type.nullable |= sets.may_leave_out(key);
    }
    columns.insert(width, Column::new("$e", DataType::bigint().not_null()));
    Plan::new(Op::Expand(rows), vec![input], columns.into_iter().collect())
}

fn name_of(expr: &Expr, scope: &Schema, position: usize) -> String {
    match expr.as_column() {
        Some(column) if column < scope.len() => scope.columns[column].name.clone(),
        _ => format!("$f{position}"),
    }
}
