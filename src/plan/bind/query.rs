//! Queries: common table expressions, set operations, VALUES, ORDER BY and LIMIT.

use std::sync::Arc;

use sqlparser::ast::{
    Expr as Ast, LimitClause, OrderByExpr, OrderByKind, Query, SetExpr, SetOperator, SetQuantifier, Spanned,
    Values,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Aggregate, Op, Plan, Rank, RankStrategy, SortKey};
use super::expr::{ExprBinder, whole_number};
use super::scope::Scope;
use super::select::{Item, Selected, order_item, schema_of};
use super::window::Direction;
use super::{Binder, Visible};
use crate::expr::{Expr, ExprKind, common_type};
use crate::sql::Span;
use crate::value::{Column, DataType, Row, Schema, TypeKind};

/// The rows of a result that are given.
struct Bounds {
    offset: u64,
    fetch: Option<u64>,
}

impl Binder<'_> {
    /// Binds a query with the common table expressions that it can see.
    pub(super) fn query(&self, query: &Query, visible: &Visible) -> Result<Plan, PlanError> {
        let Some(with) = &query.with else { return self.query_without_with(query, visible) };
        if with.recursive {
            let instead = "Leave RECURSIVE out, if no query reads itself.";
            return Err(PlanErrorKind::refused("WITH RECURSIVE", instead).at(with.with_token.0.span));
        }
        let own = visible.with(&with.cte_tables);
        let plan = self.query_without_with(query, &own)?;
        // What nobody reads must be right, too.
        for unread in own.ctes().take(with.cte_tables.len()).filter(|cte| !cte.is_read.get()) {
            self.query(&unread.cte.query, &unread.before)?;
        }
        Ok(plan)
    }

    fn query_without_with(&self, query: &Query, visible: &Visible) -> Result<Plan, PlanError> {
        let order = order_by(query)?;
        let bounds = bounds(query)?;
        let asts: Vec<&Ast> = order.iter().map(|key| &key.expr).collect();
        match &*query.body {
            SetExpr::Select(select) => {
                let selected = self.select(select, &asts, visible)?;
                self.ordered(selected, order, bounds.as_ref(), query.span().into())
            }
            body => {
                let plan = self.set_expr(body, visible)?;
                if order.is_empty() && bounds.is_none() {
                    return Ok(plan);
                }
                let scope = Scope::of(None, &plan.schema);
                let items = plan.identity().into_iter().zip(plan.schema.names());
                let span = body.span().into();
                let items = items.map(|(expr, name)| Item { expr, name: name.to_owned(), span });
                let items: Vec<Item> = items.collect();
                let mut keys = Vec::new();
                for ast in asts {
                    keys.push(match order_item(ast, &items)? {
                        Some(expr) => expr,
                        None => {
                            ExprBinder { binder: self, scope: &scope, collect: Err("ORDER BY") }.bind(ast)?
                        }
                    });
                }
                let selected = Selected { plan, items, order: keys, distinct: false };
                self.ordered(selected, order, bounds.as_ref(), query.span().into())
            }
        }
    }

    fn set_expr(&self, body: &SetExpr, visible: &Visible) -> Result<Plan, PlanError> {
        match body {
            SetExpr::Select(select) => {
                let selected = self.select(select, &[], visible)?;
                self.ordered(selected, &[], None, body.span().into())
            }
            SetExpr::Query(query) => self.query(query, visible),
            SetExpr::Values(values) => self.values(values, false),
            SetExpr::SetOperation { left, op: SetOperator::Union, set_quantifier, right } => {
                let all = matches!(set_quantifier, SetQuantifier::All);
                let left = self.set_expr(left, visible)?;
                let right_plan = self.set_expr(right, visible)?;
                let union = union(vec![left, right_plan], "the queries of UNION", right.span().into())?;
                Ok(if all { union } else { distinct(union) })
            }
            SetExpr::SetOperation {
                left,
                op: op @ (SetOperator::Intersect | SetOperator::Except),
                set_quantifier,
                right,
            } => {
                let all = matches!(set_quantifier, SetQuantifier::All);
                let (left, right_plan) = (self.set_expr(left, visible)?, self.set_expr(right, visible)?);
                super::set::intersect_or_except(*op, all, left, right_plan, right.span().into())
            }
            SetExpr::SetOperation { op, .. } => {
                Err(PlanErrorKind::refused(op.to_string(), "Use EXCEPT.").at(body.span()))
            }
            SetExpr::Table(table) if let Some(name) = &table.table_name => self.table(name, visible),
            _ => {
                let instead = "Use SELECT, VALUES or TABLE.";
                Err(PlanErrorKind::refused("this statement as a query", instead).at(body.span()))
            }
        }
    }

    /// `VALUES`. Rows of constants are computed here; others when the query runs. `untyped` says that
    /// the types of bare NULLs become clear by the table that takes the rows.
    pub(super) fn values(&self, values: &Values, untyped: bool) -> Result<Plan, PlanError> {
        let scope = Scope::default();
        let mut rows: Vec<Vec<Expr>> = Vec::with_capacity(values.rows.len());
        for row in &values.rows {
            let mut exprs = Vec::with_capacity(row.content.len());
            for ast in &row.content {
                exprs.push(ExprBinder { binder: self, scope: &scope, collect: Err("VALUES") }.bind(ast)?);
            }
            if let Some(first) = rows.first().filter(|first| first.len() != exprs.len()) {
                let what = "the rows of VALUES";
                let kind = PlanErrorKind::DifferentWidths { what, left: first.len(), right: exprs.len() };
                return Err(kind.at(row.opening_token.0.span));
            }
            rows.push(exprs);
        }
        let types = self.value_types(values, &rows, untyped)?;
        let schema: Schema = types
            .iter()
            .enumerate()
            .map(|(i, data_type)| Column::new(format!("EXPR${i}"), data_type.clone()))
            .collect();
        for row in &mut rows {
            for (expr, to) in row.iter_mut().zip(&types) {
                let to = to.clone().with_nullable(expr.data_type.nullable);
                *expr = Expr::cast(expr.clone(), to, false).map_err(PlanErrorKind::from)?.fold(&self.context);
            }
        }
        let literal = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(value) => Some(value.clone()),
            _ => None,
        };
        let constants: Option<Arc<[Row]>> =
            rows.iter().map(|row| row.iter().map(literal).collect::<Option<Row>>()).collect();
        if let Some(constants) = constants {
            return Ok(Plan::new(Op::Values(constants), Vec::new(), schema));
        }
        let names: Vec<String> = schema.names().map(str::to_owned).collect();
        let plans = rows.into_iter().map(|row| {
            let mut plan = one_row().calc(None, row, names.clone());
            plan.schema = schema.clone();
            plan
        });
        Ok(Plan::new(Op::Union, plans.collect(), schema))
    }

    /// Projects a `SELECT`, and orders and bounds it.
    fn ordered(
        &self,
        selected: Selected,
        keys: &[OrderByExpr],
        bounds: Option<&Bounds>,
        span: Span,
    ) -> Result<Plan, PlanError> {
        let Selected { plan, items, order, distinct: is_distinct } = selected;
        let schema = schema_of(&items);
        let width = items.len();
        let mut columns: Vec<Expr> = items.into_iter().map(|item| item.expr).collect();
        let mut names: Vec<String> = schema.names().map(str::to_owned).collect();
        let mut sort = Vec::with_capacity(order.len());
        for (expr, key) in order.into_iter().zip(keys) {
            let column = columns.iter().position(|column| *column == expr).unwrap_or_else(|| {
                columns.push(expr);
                names.push(format!("$o{}", columns.len() - 1));
                columns.len() - 1
            });
            let Direction { descending, nulls_first } = Direction::of(key);
            sort.push(SortKey { column, descending, nulls_first });
        }
        if is_distinct && columns.len() > width {
            let what = "ORDER BY a column that SELECT DISTINCT leaves out";
            let kind = PlanErrorKind::refused(what, "Select the column, too, or use GROUP BY.");
            return Err(kind.at(keys[0].expr.span()));
        }
        let mut plan = plan.calc(None, columns, names);
        if is_distinct {
            plan = distinct(plan);
        }
        if sort.is_empty() && bounds.is_none() {
            return Ok(plan);
        }
        let full = plan.schema.clone();
        let op = match bounds {
            Some(Bounds { fetch: Some(0), .. }) => Op::Values(Arc::new([])),
            Some(&Bounds { offset, fetch }) if sort.is_empty() => Op::Limit { offset, fetch },
            Some(Bounds { offset, fetch }) => Op::Rank(Rank {
                partition: Vec::new(),
                order: sort,
                start: offset + 1,
                end: fetch.map(|fetch| offset.saturating_add(fetch)),
                number: false,
                strategy: RankStrategy::Undefined,
                from_limit: true,
            }),
            None => {
                let by_time = plan.schema.columns[sort[0].column].data_type.is_time_attribute();
                if !by_time || sort[0].descending {
                    if self.strict {
                        let place = keys.first().map_or(span, |key| key.expr.span().into());
                        return Err(PlanErrorKind::UnboundedSort.at(place));
                    }
                    self.notice(
                        "Flink refuses ORDER BY without LIMIT; the rows are sorted when all are there",
                    );
                }
                Op::Sort { order: sort }
            }
        };
        let inputs = if matches!(op, Op::Values(_)) { Vec::new() } else { vec![plan] };
        let plan = Plan::new(op, inputs, full);
        if plan.schema.len() == width {
            return Ok(plan);
        }
        let mut columns = plan.identity();
        columns.truncate(width);
        Ok(plan.calc(None, columns, schema.names().map(str::to_owned).collect()))
    }

    /// The common type of each column. Where `untyped`, a column of nothing but bare NULLs keeps the
    /// type of NULL.
    fn value_types(
        &self,
        values: &Values,
        rows: &[Vec<Expr>],
        untyped: bool,
    ) -> Result<Vec<DataType>, PlanError> {
        let width = rows.first().map_or(0, Vec::len);
        let mut types = Vec::with_capacity(width);
        for column in 0..width {
            let all: Vec<&DataType> = rows.iter().map(|row| &row[column].data_type).collect();
            let place = |row: usize| values.rows[row].content[column].span();
            let null = all.iter().position(|data_type| data_type.kind == TypeKind::Null);
            if all.iter().all(|data_type| data_type.kind == TypeKind::Null) && untyped && !self.strict {
                types.push(DataType::new(TypeKind::Null));
                continue;
            }
            let is_untyped = self.strict || all.iter().all(|data_type| data_type.kind == TypeKind::Null);
            if let Some(row) = null.filter(|_| is_untyped) {
                return Err(PlanErrorKind::UntypedNull.at(place(row)));
            }
            let mut distinct: Vec<&DataType> = Vec::new();
            for data_type in all {
                if !distinct.contains(&data_type) {
                    distinct.push(data_type);
                }
            }
            let common = common_type(&distinct).ok_or_else(|| {
                let odd = distinct[distinct.len() - 1];
                let row = rows.iter().position(|row| row[column].data_type == *odd).unwrap_or_default();
                let kind = PlanErrorKind::NoCommonType {
                    what: "VALUES",
                    position: column + 1,
                    left: distinct[0].kind.to_string(),
                    right: odd.kind.to_string(),
                };
                kind.at(place(row))
            })?;
            types.push(common);
        }
        Ok(types)
    }
}

/// A row without columns, for a query without FROM.
pub(super) fn one_row() -> Plan {
    Plan::new(Op::Values(Arc::new([Row::default()])), Vec::new(), Schema::default())
}

/// Queries with the common types of their columns. The names are those of the first.
pub(super) fn aligned(
    plans: Vec<Plan>,
    what: &'static str,
    span: Span,
) -> Result<(Vec<Plan>, Schema), PlanError> {
    let width = plans[0].schema.len();
    if let Some(other) = plans.iter().find(|plan| plan.schema.len() != width) {
        return Err(PlanErrorKind::DifferentWidths { what, left: width, right: other.schema.len() }.at(span));
    }
    let mut schema = plans[0].schema.clone();
    for (column, target) in schema.columns.iter_mut().enumerate() {
        let types: Vec<&DataType> = plans.iter().map(|plan| &plan.schema.columns[column].data_type).collect();
        let common = common_type(&types).ok_or_else(|| {
            let kind = PlanErrorKind::NoCommonType {
                what,
                position: column + 1,
                left: types[0].kind.to_string(),
                right: types[types.len() - 1].kind.to_string(),
            };
            kind.at(span)
        })?;
        // A time attribute stays one only if all are.
        let attribute = types[0].attribute;
        let same = types.iter().all(|data_type| data_type.attribute == attribute);
        target.data_type = if same { common.with_attribute(attribute) } else { common };
    }
    let plans: Result<Vec<Plan>, PlanError> = plans.into_iter().map(|plan| cast_to(plan, &schema)).collect();
    Ok((plans?, schema))
}

/// `UNION ALL` of queries.
pub(super) fn union(plans: Vec<Plan>, what: &'static str, span: Span) -> Result<Plan, PlanError> {
    let (plans, schema) = aligned(plans, what, span)?;
    // Nested unions become one.
    let flat = plans.into_iter().flat_map(|plan| match plan.op {
        Op::Union => plan.inputs,
        _ => vec![plan],
    });
    Ok(Plan::new(Op::Union, flat.collect(), schema))
}

fn cast_to(plan: Plan, schema: &Schema) -> Result<Plan, PlanError> {
    let same = plan.schema.types().zip(schema.types()).all(|(a, b)| a.kind == b.kind);
    if same {
        return Ok(plan);
    }
    let names = schema.names().map(str::to_owned).collect();
    let cast = |(expr, to): (Expr, &DataType)| {
        let to = to.clone().with_nullable(expr.data_type.nullable);
        Expr::cast(expr, to, false).map_err(|error| PlanErrorKind::from(error).into())
    };
    let projection =
        plan.identity().into_iter().zip(schema.types()).map(cast).collect::<Result<_, PlanError>>()?;
    Ok(plan.calc(None, projection, names))
}

/// Each different row once.
pub(super) fn distinct(plan: Plan) -> Plan {
    let (keys, schema) = ((0..plan.schema.len()).collect(), plan.schema.clone());
    Plan::new(Op::Aggregate(Aggregate { keys, calls: Vec::new() }), vec![plan], schema)
}

fn order_by(query: &Query) -> Result<&[OrderByExpr], PlanError> {
    match &query.order_by {
        None => Ok(&[]),
        Some(order) => match &order.kind {
            OrderByKind::Expressions(keys) => Ok(keys),
            OrderByKind::All(_) => {
                Err(PlanErrorKind::refused("ORDER BY ALL", "List the columns.").at(query.span()))
            }
        },
    }
}

fn bounds(query: &Query) -> Result<Option<Bounds>, PlanError> {
    let number = |clause: &'static str, ast: &Ast| {
        whole_number(ast).ok_or_else(|| PlanErrorKind::InvalidLimit { clause }.at(ast.span()))
    };
    let (mut offset, mut fetch) = (None, None);
    match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, offset: skipped, .. }) => {
            fetch = limit.as_ref().map(|limit| number("LIMIT", limit)).transpose()?;
            offset = skipped.as_ref().map(|offset| number("OFFSET", &offset.value)).transpose()?;
        }
        Some(LimitClause::OffsetCommaLimit { offset: skipped, limit }) => {
            fetch = Some(number("LIMIT", limit)?);
            offset = Some(number("OFFSET", skipped)?);
        }
        None => {}
    }
    if let Some(clause) = &query.fetch {
        let place = clause.quantity.as_ref().map_or_else(|| query.span(), Spanned::span);
        if clause.percent {
            return Err(PlanErrorKind::refused("FETCH of a percentage", "Give a number of rows.").at(place));
        }
        if clause.with_ties {
            let instead = "Number the rows with ROW_NUMBER(), or fetch more.";
            return Err(PlanErrorKind::refused("FETCH … WITH TIES", instead).at(place));
        }
        let Some(quantity) = &clause.quantity else {
            return Err(PlanErrorKind::InvalidLimit { clause: "FETCH" }.at(place));
        };
        fetch = Some(number("FETCH", quantity)?);
    }
    let bounded = offset.is_some() || fetch.is_some();
    Ok(bounded.then(|| Bounds { offset: offset.unwrap_or(0), fetch }))
}
