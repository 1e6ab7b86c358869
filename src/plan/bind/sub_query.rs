//! Sub-queries of expressions, which become joins.
//!
//! While an expression is bound each sub-query in it is put aside, and a column stands for its
//! value. Then the sub-query is joined to the rows of the query: `IN` and `EXISTS` that a WHERE
//! demands as semi joins and anti joins, all others beside the row.

use sqlparser::ast::{BinaryOperator, Expr as Ast, Query, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::join::{JoinKind, joined};
use super::super::node::{Aggregate, Op, Plan};
use super::Binder;
use super::decorrelate::{Correlated, decorrelate};
use super::expr::ExprBinder;
use super::select::{Rest, SUB_QUERIES};
use crate::expr::aggregate::{self, AggregateCall};
use crate::expr::{Comparison, Expr, ExprKind};
use crate::value::{Column, DataType, Value};

/// A sub-query of an expression.
#[derive(Debug, Clone)]
pub(super) struct SubQuery {
    test: Test,
    /// The plan, and how it depends on a row of the query around.
    query: Correlated,
}

/// What is asked of a sub-query.
#[derive(Debug, Clone)]
enum Test {
    /// Its only value.
    Scalar,
    /// Whether it has a row.
    Exists,
    /// Whether it has a row with these values.
    In(Vec<Expr>),
    /// Whether a value compares so to all its values or, if not `all`, to one.
    Quantified { operand: Expr, comparison: Comparison, all: bool },
}

type Bound = Result<Expr, PlanError>;

impl ExprBinder<'_, '_> {
    /// `(SELECT …)` as a value.
    pub(super) fn scalar_sub_query(&mut self, ast: &Ast, query: &Query) -> Bound {
        let plan = self.sub_plan(query)?;
        if plan.schema.len() != 1 {
            return Err(
                PlanErrorKind::SubQueryWidth { expected: 1, given: plan.schema.len() }.at(query.span())
            );
        }
        let data_type = plan.schema.columns[0].data_type.clone().with_nullable(true);
        self.put_aside(ast, Test::Scalar, plan, data_type)
    }

    /// `EXISTS (SELECT …)`
    pub(super) fn exists(&mut self, ast: &Ast, query: &Query, negated: bool) -> Bound {
        let plan = self.sub_plan(query)?;
        let found = self.put_aside(ast, Test::Exists, plan, DataType::boolean().not_null())?;
        negated_if(found, negated, ast)
    }

    /// `needle IN (SELECT …)`
    pub(super) fn in_sub_query(&mut self, ast: &Ast, needle: &Ast, query: &Query, negated: bool) -> Bound {
        let needles = match needle {
            Ast::Tuple(items) => items.iter().map(|item| self.bind(item)).collect::<Result<Vec<_>, _>>()?,
            _ => vec![self.bind(needle)?],
        };
        let plan = self.sub_plan(query)?;
        if plan.schema.len() != needles.len() {
            let (expected, given) = (needles.len(), plan.schema.len());
            return Err(PlanErrorKind::SubQueryWidth { expected, given }.at(query.span()));
        }
        let nullable = needles.iter().any(|needle| needle.data_type.nullable)
            || plan.schema.types().any(|data_type| data_type.nullable);
        let data_type = DataType::boolean().with_nullable(nullable);
        let found = self.put_aside(ast, Test::In(needles), plan, data_type)?;
        negated_if(found, negated, ast)
    }

    /// `operand > ALL (SELECT …)` and its like.
    pub(super) fn quantified(
        &mut self,
        ast: &Ast,
        operand: &Ast,
        operator: &BinaryOperator,
        query: &Ast,
        all: bool,
    ) -> Bound {
        let Ast::Subquery(query) = query else {
            let instead = "Use ARRAY_CONTAINS(array, value), or AND and OR.";
            let kind = PlanErrorKind::refused("ALL or ANY of something but a sub-query", instead);
            return Err(kind.at(ast.span()));
        };
        let comparison = super::expr::comparison(operator);
        let comparison = comparison.ok_or_else(|| {
            let what = format!("the operator {operator} before ALL or ANY");
            PlanErrorKind::refused(what, "Use a comparison: =, <>, <, <=, > or >=.").at(ast.span())
        })?;
        match (comparison, all) {
            (Comparison::Equal, false) => return self.in_sub_query(ast, operand, query, false),
            (Comparison::NotEqual, true) => return self.in_sub_query(ast, operand, query, true),
            (Comparison::Equal, true) => {
                let instead = "Use NOT EXISTS (SELECT … WHERE … <> …).";
                return Err(PlanErrorKind::refused("= ALL", instead).at(ast.span()));
            }
            (Comparison::NotEqual, false) => {
                let instead = "Use EXISTS (SELECT … WHERE … <> …).";
                return Err(PlanErrorKind::refused("<> ANY", instead).at(ast.span()));
            }
            _ => {}
        }
        let operand = self.bind(operand)?;
        let plan = self.sub_plan(query)?;
        if plan.schema.len() != 1 {
            return Err(
                PlanErrorKind::SubQueryWidth { expected: 1, given: plan.schema.len() }.at(query.span())
            );
        }
        self.put_aside(ast, Test::Quantified { operand, comparison, all }, plan, DataType::boolean())
    }

    fn sub_plan(&self, query: &Query) -> Result<Plan, PlanError> {
        self.binder.query(query, &self.scope.seen_from_inside())
    }

    fn put_aside(&self, ast: &Ast, test: Test, plan: Plan, data_type: DataType) -> Bound {
        let query = decorrelate(plan, self.binder.strict).map_err(|error| error.or_at(ast.span()))?;
        let column = self.scope.add_sub_query(SubQuery { test, query });
        Ok(Expr::column(column, data_type))
    }
}

fn negated_if(found: Expr, negated: bool, ast: &Ast) -> Bound {
    if negated { Expr::not(found).map_err(|error| Binder::call_error(error, ast)) } else { Ok(found) }
}

/// The rows of a plan that satisfy a condition with sub-queries in it. The plan's columns keep
/// their positions; others may follow.
pub(super) fn filter(mut plan: Plan, sub_queries: Vec<SubQuery>, condition: Expr) -> Result<Plan, PlanError> {
    let mut conjuncts = condition.into_conjuncts();
    for (index, mut sub_query) in sub_queries.into_iter().enumerate() {
        let column = SUB_QUERIES + index;
        if let Some(place) = conjuncts.iter().position(|part| asks_for_rows(part, column))
            && let Some(exists) = sub_query.as_exists()
        {
            sub_query = exists;
            conjuncts[place] = Expr::column(column, DataType::boolean());
        }
        let demanded = conjuncts.iter().position(|part| demand(part, column).is_some());
        let uses = conjuncts.iter().filter(|part| part.columns().contains(&column)).count();
        match demanded {
            Some(place) if uses == 1 && sub_query.is_membership() => {
                let wanted = demand(&conjuncts.remove(place), column) == Some(true);
                plan = sub_query.semi_join(plan, wanted)?;
            }
            _ => {
                let (with_value, value) = sub_query.join(plan)?;
                plan = with_value;
                for part in &mut conjuncts {
                    *part = replaced(part, column, &value);
                }
            }
        }
    }
    Ok(match Expr::conjunction(conjuncts) {
        Some(condition) => plan.filter(condition),
        None => plan,
    })
}

/// Joins the sub-queries that some expressions read.
pub(super) fn join_read<'a>(
    mut plan: Plan,
    sub_queries: &mut [Option<SubQuery>],
    exprs: impl IntoIterator<Item = &'a mut Expr>,
) -> Result<Plan, PlanError> {
    let mut exprs: Vec<&mut Expr> = exprs.into_iter().collect();
    for (index, sub_query) in sub_queries.iter_mut().enumerate() {
        let column = SUB_QUERIES + index;
        if !exprs.iter().any(|expr| expr.columns().contains(&column)) {
            continue;
        }
        let Some(sub_query) = sub_query.take() else { continue };
        let (with_value, value) = sub_query.join(plan)?;
        plan = with_value;
        for expr in &mut exprs {
            **expr = replaced(expr, column, &value);
        }
    }
    Ok(plan)
}

/// Joins the sub-queries of the expressions that are still to be computed.
pub(super) fn join_all(mut plan: Plan, rest: &mut Rest<'_>) -> Result<Plan, PlanError> {
    for (index, sub_query) in std::mem::take(&mut rest.sub_queries).into_iter().enumerate() {
        let Some(sub_query) = sub_query else { continue };
        let (with_value, value) = sub_query.join(plan)?;
        plan = with_value;
        rest.rewrite(|expr, _, _| Ok(replaced(expr, SUB_QUERIES + index, &value)))?;
    }
    Ok(plan)
}

/// Whether a part of a condition is `value > 0`.
fn asks_for_rows(part: &Expr, column: usize) -> bool {
    let ExprKind::Compare(comparison, left, right) = &part.kind else { return false };
    let (comparison, bound) = match (left.as_column(), right.as_column()) {
        (Some(left), _) if left == column => (*comparison, right),
        (_, Some(right)) if right == column => (comparison.flipped(), left),
        _ => return false,
    };
    let ExprKind::Literal(bound) = &bound.kind else { return false };
    comparison == Comparison::Greater && bound.as_integer() == Some(0)
}

/// Whether a part of a condition demands that a test is TRUE, or that it is not.
fn demand(part: &Expr, column: usize) -> Option<bool> {
    if part.as_column() == Some(column) {
        return Some(true);
    }
    (part.as_negation()?.as_column()? == column).then_some(false)
}

fn replaced(expr: &Expr, column: usize, value: &Expr) -> Expr {
    let replace = &mut |part: &Expr| {
        Ok::<_, std::convert::Infallible>((part.as_column() == Some(column)).then(|| value.clone()))
    };
    match expr.try_replace(replace) {
        Ok(expr) => expr,
        Err(never) => match never {},
    }
}

impl SubQuery {
    /// The test whether there is a row, of a sub-query that counts all rows.
    fn as_exists(&self) -> Option<Self> {
        let (Test::Scalar, Op::Calc(calc)) = (&self.test, &self.query.plan.op) else { return None };
        let Op::Aggregate(aggregate) = &self.query.plan.input().op else { return None };
        let [count] = &aggregate.calls[..] else { return None };
        let counts_rows = count.function.name() == "COUNT" && count.args.is_empty() && count.filter.is_none();
        let is_all = calc.condition.is_none() && calc.projection[0].as_column() == Some(0);
        if !counts_rows || !is_all || !aggregate.keys.is_empty() || !self.query.conditions.is_empty() {
            return None;
        }
        let plan = self.query.plan.input().input().clone();
        Some(Self { test: Test::Exists, query: Correlated { plan, ..self.query.clone() } })
    }

    fn is_membership(&self) -> bool {
        matches!(self.test, Test::Exists | Test::In(_))
    }

    /// The expressions over the columns of the query around.
    pub(super) fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let own: Vec<&mut Expr> = match &mut self.test {
            Test::Scalar | Test::Exists => Vec::new(),
            Test::In(needles) => needles.iter_mut().collect(),
            Test::Quantified { operand, .. } => vec![operand],
        };
        own.into_iter().chain(&mut self.query.conditions)
    }

    /// The rows for which the test is TRUE or, if not `wanted`, FALSE.
    fn semi_join(self, left: Plan, wanted: bool) -> Result<Plan, PlanError> {
        let width = left.schema.len();
        let mut parts = self.query.conditions_at(width);
        if let Test::In(needles) = &self.test {
            for (needle, column) in needles.iter().zip(columns_at(&self.query.plan, width)) {
                let nullable = needle.data_type.nullable || column.data_type.nullable;
                let equal = Expr::compare(Comparison::Equal, needle.clone(), column.clone())
                    .map_err(PlanErrorKind::from)?;
                // What is not known to differ is not NOT IN.
                parts.push(if wanted || !nullable {
                    equal
                } else {
                    let unknown = Expr::call("IS NULL", vec![equal.clone()]).map_err(PlanErrorKind::from)?;
                    Expr::or(vec![equal, unknown]).map_err(PlanErrorKind::from)?
                });
            }
        }
        let kind = if wanted { JoinKind::Semi } else { JoinKind::Anti };
        Ok(joined(left, self.query.plan, kind, Expr::conjunction(parts)))
    }

    /// The rows with what the test gives for each, and where that is.
    fn join(self, left: Plan) -> Result<(Plan, Expr), PlanError> {
        match self.test {
            Test::Scalar => self.query.join_scalar(left),
            Test::Exists => self.query.join_exists(left),
            Test::In(needles) => self.query.join_in(left, &needles),
            Test::Quantified { operand, comparison, all } => {
                self.query.join_quantified(left, &operand, comparison, all)
            }
        }
    }
}

/// The columns of a plan when it stands to the right of so many columns.
fn columns_at(plan: &Plan, width: usize) -> Vec<Expr> {
    let columns = plan.schema.types().enumerate();
    columns.map(|(i, data_type)| Expr::column(width + i, data_type.clone())).collect()
}

impl Correlated {
    fn join_scalar(self, left: Plan) -> Result<(Plan, Expr), PlanError> {
        let query = if self.is_single { self } else { self.single_value()? };
        let width = left.schema.len();
        let conditions = query.conditions_at(width);
        let right = columns_at(&query.plan, width);
        let value = right[0].clone().nullable();
        let value = match (&query.on_empty, right.last()) {
            // Without a row the aggregates are those of no rows.
            (Some(empty), Some(marker)) if !query.conditions.is_empty() && !empty[0].is_null_literal() => {
                let missing = call("IS NULL", vec![marker.clone().nullable()])?;
                let value = Expr::case(vec![(missing, empty[0].clone())], Some(value));
                value.map_err(PlanErrorKind::from)?.nullable()
            }
            _ => value,
        };
        Ok((joined(left, query.plan, JoinKind::Left, Expr::conjunction(conditions)), value))
    }

    /// A sub-query that fails when it has a second row.
    fn single_value(mut self) -> Result<Self, PlanError> {
        let keys: Vec<usize> = self.inner_columns().into_iter().collect();
        let value = &self.plan.schema.columns[0];
        let call = aggregate_call("SINGLE_VALUE", vec![0], &self.plan)?;
        let columns = keys.iter().map(|&key| self.plan.schema.columns[key].clone());
        let column = Column::new(value.name.clone(), call.data_type.clone());
        let schema = columns.chain([column]).collect();
        let aggregate = Op::Aggregate(Aggregate { keys: keys.clone(), calls: vec![call] });
        let plan = Plan::new(aggregate, vec![self.plan], schema);
        // The value comes first, the keys behind it.
        let mut columns = plan.identity();
        columns.rotate_right(1);
        let mut names: Vec<String> = plan.schema.names().map(str::to_owned).collect();
        names.rotate_right(1);
        self.plan = plan.calc(None, columns, names);
        let place = |column: usize| 1 + keys.iter().position(|key| *key == column).expect("it is a key");
        self.move_inner(place);
        Ok(self)
    }

    fn join_exists(self, left: Plan) -> Result<(Plan, Expr), PlanError> {
        let keys: Vec<usize> = self.inner_columns().into_iter().collect();
        let query = self.distinct(&keys);
        let width = left.schema.len();
        let conditions = query.conditions_at(width);
        let marker = columns_at(&query.plan, width)[keys.len()].clone().nullable();
        let plan = joined(left, query.plan, JoinKind::Left, Expr::conjunction(conditions));
        Ok((plan, call("IS NOT NULL", vec![marker])?))
    }

    /// Beside each row how many rows there are, how many values, and whether one is equal.
    fn join_in(self, left: Plan, needles: &[Expr]) -> Result<(Plan, Expr), PlanError> {
        let [needle] = needles else {
            let what = "IN with several columns in a larger expression";
            return Err(PlanErrorKind::refused(what, "Use EXISTS (SELECT … WHERE … = … AND … = …).").into());
        };
        let keys: Vec<usize> = self.inner_columns().into_iter().collect();
        let with_value: Vec<usize> =
            [0].into_iter().chain(keys.iter().copied().filter(|&k| k != 0)).collect();
        let members = self.clone().distinct(&with_value);
        let calls = vec![
            aggregate_call("COUNT", Vec::new(), &self.plan)?,
            aggregate_call("COUNT", vec![0], &self.plan)?,
        ];
        let totals = self.aggregated(&keys, calls);

        let width = left.schema.len();
        let conditions = totals.conditions_at(width);
        let right = columns_at(&totals.plan, width);
        let (all, known) = (right[keys.len()].clone().nullable(), right[keys.len() + 1].clone().nullable());
        let kind = if conditions.is_empty() { JoinKind::Inner } else { JoinKind::Left };
        let plan = joined(left, totals.plan, kind, Expr::conjunction(conditions));

        let width = plan.schema.len();
        let mut conditions = members.conditions_at(width);
        let right = columns_at(&members.plan, width);
        let equal = Expr::compare(Comparison::Equal, needle.clone(), right[0].clone());
        conditions.push(equal.map_err(PlanErrorKind::from)?);
        let member = right[with_value.len()].clone().nullable();
        let plan = joined(plan, members.plan, JoinKind::Left, Expr::conjunction(conditions));

        let truth = |value| Expr::literal(Value::boolean(value), DataType::boolean());
        let unknown = Expr::literal(Value::NULL, DataType::boolean());
        let none =
            Expr::or(vec![call("IS NULL", vec![all.clone()])?, compared(Comparison::Equal, &all, &zero())?]);
        let branches = vec![
            (none.map_err(PlanErrorKind::from)?, truth(false)),
            (call("IS NULL", vec![needle.clone()])?, unknown.clone()),
            (call("IS NOT NULL", vec![member])?, truth(true)),
            (compared(Comparison::Less, &known, &all)?, unknown),
        ];
        Ok((plan, Expr::case(branches, Some(truth(false))).map_err(PlanErrorKind::from)?))
    }

    /// Beside each row the largest or smallest value, and how many there are.
    fn join_quantified(
        self,
        left: Plan,
        operand: &Expr,
        comparison: Comparison,
        all: bool,
    ) -> Result<(Plan, Expr), PlanError> {
        // Greater than all is greater than the largest, greater than one than the smallest.
        let upward = matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual);
        let extreme = if upward == all { "MAX" } else { "MIN" };
        let keys: Vec<usize> = self.inner_columns().into_iter().collect();
        let calls = vec![
            aggregate_call("COUNT", Vec::new(), &self.plan)?,
            aggregate_call("COUNT", vec![0], &self.plan)?,
            aggregate_call(extreme, vec![0], &self.plan)?,
        ];
        let query = self.aggregated(&keys, calls);
        let width = left.schema.len();
        let conditions = query.conditions_at(width);
        let right = columns_at(&query.plan, width);
        let [count, known, extreme] = &right[keys.len()..] else {
            unreachable!("there are three aggregates")
        };
        // Without a correlation there is always one row.
        let kind = if query.conditions.is_empty() { JoinKind::Inner } else { JoinKind::Left };
        let plan = joined(left, query.plan, kind, Expr::conjunction(conditions));
        let truth = |value| Expr::literal(Value::boolean(value), DataType::boolean());
        let result = compared(comparison, operand, extreme)?;
        let decided = call(if all { "IS FALSE" } else { "IS TRUE" }, vec![result.clone()])?;
        let branches = vec![
            (call("IS NULL", vec![count.clone().nullable()])?, truth(all)),
            (compared(Comparison::Equal, count, &zero())?, truth(all)),
            (decided, truth(!all)),
            (compared(Comparison::Greater, count, known)?, Expr::literal(Value::NULL, DataType::boolean())),
        ];
        Ok((plan, Expr::case(branches, Some(result)).map_err(PlanErrorKind::from)?))
    }

    /// The different values of some columns, with TRUE beside each.
    fn distinct(self, keys: &[usize]) -> Self {
        let mut query = self.aggregated(keys, Vec::new());
        let mut columns = query.plan.identity();
        columns.push(Expr::literal(Value::boolean(true), DataType::boolean().not_null()));
        let names = query.plan.schema.names().map(str::to_owned).chain(["$m".to_owned()]).collect();
        query.plan = query.plan.calc(None, columns, names);
        query
    }

    fn aggregated(mut self, keys: &[usize], calls: Vec<AggregateCall>) -> Self {
        let columns = keys.iter().map(|&key| self.plan.schema.columns[key].clone());
        let results = calls.iter().enumerate();
        let results = results.map(|(i, call)| Column::new(format!("$f{i}"), call.data_type.clone()));
        let schema = columns.chain(results).collect();
        let op = Op::Aggregate(Aggregate { keys: keys.to_vec(), calls });
        self.plan = Plan::new(op, vec![self.plan], schema);
        self.move_inner(|column| keys.iter().position(|key| *key == column).expect("it is a key"));
        self
    }
}

fn zero() -> Expr {
    Expr::literal(Value::integer(0), DataType::bigint())
}

/// A comparison of two operands that may be NULL.
fn compared(comparison: Comparison, left: &Expr, right: &Expr) -> Result<Expr, PlanError> {
    let compared = Expr::compare(comparison, left.clone().nullable(), right.clone().nullable());
    compared.map_err(|error| PlanErrorKind::from(error).into())
}

fn call(name: &str, args: Vec<Expr>) -> Result<Expr, PlanError> {
    Expr::call(name, args).map_err(|error| PlanErrorKind::from(error).into())
}

fn aggregate_call(name: &str, args: Vec<usize>, input: &Plan) -> Result<AggregateCall, PlanError> {
    let columns = input.identity();
    let arguments: Vec<_> = args.iter().map(|&arg| columns[arg].as_argument()).collect();
    let bound = aggregate::bind(name, &arguments, false, false).map_err(PlanErrorKind::from)?;
    let (function, data_type) = (bound.function, bound.data_type);
    Ok(AggregateCall { function, args, distinct: false, filter: None, data_type, retracts: true })
}

impl Expr {
    fn nullable(mut self) -> Self {
        self.data_type.nullable = true;
        self
    }

    fn is_null_literal(&self) -> bool {
        matches!(&self.kind, ExprKind::Literal(value) if value.is_null())
    }
}
