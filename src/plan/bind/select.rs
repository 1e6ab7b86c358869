//! One `SELECT`.

use sqlparser::ast::{Distinct, Expr as Ast, Select, SelectItem, SelectItemQualifiedWildcardKind, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Plan, unique_names};
use super::aggregate::{AggregateRequest, Grouping};
use super::expr::{ExprBinder, condition};
use super::scope::Scope;
use super::sub_query::{self, SubQuery};
use super::window::WindowRequest;
use super::{Binder, Visible};
use crate::expr::Expr;
use crate::sql::Span;
use crate::value::{Column, Schema, TypeKind};

/// The aggregate and window functions of a `SELECT`, which are computed before its other
/// expressions. In those each stands as a column beyond all others.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) aggregates: Vec<AggregateRequest>,
    pub(super) windows: Vec<WindowRequest>,
    /// The arguments of GROUPING and its like.
    pub(super) groupings: Vec<Vec<Expr>>,
    /// Whether there is a GROUP BY.
    pub(super) grouped: bool,
    /// Where columns are read outside of aggregate functions.
    pub(super) places: Vec<(usize, Span)>,
}

/// The column that stands for the first GROUPING.
pub(super) const GROUPINGS: usize = 1 << 23;
/// The column that stands for the first aggregate.
pub(super) const AGGREGATES: usize = 1 << 24;
/// The column that stands for the first window function.
pub(super) const WINDOWS: usize = 1 << 25;
/// The column that stands for the value of the first sub-query.
pub(super) const SUB_QUERIES: usize = 1 << 26;

/// An expression of the select list with its name.
pub(super) struct Item {
    pub(super) expr: Expr,
    pub(super) name: String,
    /// Where it stands.
    pub(super) span: Span,
}

/// The columns that a `*` stands for.
fn columns_at(columns: Vec<(String, Expr)>, span: Span) -> impl Iterator<Item = Item> {
    columns.into_iter().map(move |(name, expr)| Item { expr, name, span })
}

/// A `SELECT` before its projection: `ORDER BY` can still read what the projection leaves out.
pub(super) struct Selected {
    pub(super) plan: Plan,
    pub(super) items: Vec<Item>,
    /// What `ORDER BY` orders by, over [`Self::plan`].
    pub(super) order: Vec<Expr>,
    pub(super) distinct: bool,
}

impl Binder<'_> {
    /// Binds a `SELECT`, and with it the expressions of `ORDER BY`, which may be names or
    /// positions of the select list.
    pub(super) fn select(
        &self,
        select: &Select,
        order: &[&Ast],
        visible: &Visible,
    ) -> Result<Selected, PlanError> {
        reject_unsupported(select)?;
        let (mut plan, scope) = self.from(&select.from, visible)?;
        if let Some(ast) = &select.selection {
            let mut binder = ExprBinder { binder: self, scope: &scope, collect: Err("WHERE") };
            let filter = condition("WHERE", binder.bind(ast)?, ast)?;
            plan = sub_query::filter(plan, scope.take_sub_queries(), filter)
                .map_err(|error| error.or_at(ast.span()))?;
        }
        let group = self.group_by(&select.group_by, &scope)?;
        let mut collected =
            Collected { grouped: !group.keys.is_empty() || group.sets.is_some(), ..Collected::default() };
        let mut items = self.items(&select.projection, &scope, &mut collected)?;
        let bind = |ast: &Ast, collected: &mut Collected| {
            ExprBinder { binder: self, scope: &scope, collect: Ok(collected) }.bind(ast)
        };
        let having = match &select.having {
            Some(ast) => Some(condition("HAVING", bind(ast, &mut collected)?, ast)?),
            None => None,
        };
        let qualify = match &select.qualify {
            Some(ast) => Some(condition("QUALIFY", bind(ast, &mut collected)?, ast)?),
            None => None,
        };
        let mut order_exprs = Vec::with_capacity(order.len());
        for ast in order {
            order_exprs.push(match order_item(ast, &items)? {
                Some(expr) => expr,
                None => bind(ast, &mut collected)?,
            });
        }
        let mut rest = Rest {
            items: &mut items,
            having,
            qualify,
            order: order_exprs,
            windows: collected.windows,
            places: Places {
                columns: collected.places,
                having: select.having.as_ref().map(|ast| ast.span().into()),
                qualify: select.qualify.as_ref().map(|ast| ast.span().into()),
                order: order.iter().map(|ast| ast.span().into()).collect(),
            },
            sub_queries: scope.take_sub_queries().into_iter().map(Some).collect(),
        };
        let grouped = group.is_there || !collected.aggregates.is_empty() || rest.having.is_some();
        if grouped {
            let mut grouping =
                Grouping { group_by: group, calls: collected.aggregates, groupings: collected.groupings };
            let exprs = grouping.exprs_mut();
            plan = sub_query::join_read(plan, &mut rest.sub_queries, exprs)
                .map_err(|error| error.or_at(select.span()))?;
            plan = grouping.apply(plan, &mut rest)?;
        }
        plan = sub_query::join_all(plan, &mut rest).map_err(|error| error.or_at(select.span()))?;
        if let Some(having) = rest.having.take() {
            plan = plan.filter(having);
        }
        if !rest.windows.is_empty() {
            plan = super::window::apply(plan, &mut rest)?;
        }
        if let Some(qualify) = rest.qualify.take() {
            plan = plan.filter(qualify);
        }
        let order = rest.order;
        let distinct = matches!(select.distinct, Some(Distinct::Distinct));
        Ok(Selected { plan, items, order, distinct })
    }

    fn items(
        &self,
        projection: &[SelectItem],
        scope: &Scope,
        collected: &mut Collected,
    ) -> Result<Vec<Item>, PlanError> {
        let mut items = Vec::new();
        for item in projection {
            match item {
                SelectItem::Wildcard(_) if scope.is_empty() => {
                    return Err(PlanErrorKind::StarWithoutFrom.at(item.span()));
                }
                SelectItem::Wildcard(_) => items.extend(columns_at(scope.all_columns(), item.span().into())),
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => {
                    let parts: Vec<_> = name.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
                    let columns = match &parts[..] {
                        [table] => Some(scope.columns_of(table)),
                        _ => None,
                    };
                    match (columns, scope.resolve(&parts)) {
                        (Some(Ok(columns)), _) => items.extend(columns_at(columns, item.span().into())),
                        (_, Ok(row)) => items.extend(all_fields(&row, item)?),
                        (Some(Err(error)), Err(_)) | (None, Err(error)) => return Err(error),
                    }
                }
                SelectItem::UnnamedExpr(ast) => {
                    let expr = ExprBinder { binder: self, scope, collect: Ok(&mut *collected) }.bind(ast)?;
                    let name = derived_name(ast).unwrap_or_else(|| format!("EXPR${}", items.len()));
                    items.push(Item { expr: typed(expr, ast)?, name, span: ast.span().into() });
                }
                SelectItem::ExprWithAlias { expr: ast, alias } => {
                    let expr = ExprBinder { binder: self, scope, collect: Ok(&mut *collected) }.bind(ast)?;
                    let (name, span) = (alias.value.clone(), ast.span().into());
                    items.push(Item { expr: typed(expr, ast)?, name, span });
                }
                _ => {
                    let instead = "Name the row by its column: r.*.";
                    let kind = PlanErrorKind::refused(format!("the select item {item}"), instead);
                    return Err(kind.at(item.span()));
                }
            }
        }
        Ok(items)
    }
}

/// The expressions that are still to be computed when aggregates and windows are built.
pub(super) struct Rest<'a> {
    pub(super) items: &'a mut Vec<Item>,
    pub(super) having: Option<Expr>,
    pub(super) qualify: Option<Expr>,
    pub(super) order: Vec<Expr>,
    pub(super) windows: Vec<WindowRequest>,
    /// The sub-queries that are not joined yet.
    pub(super) sub_queries: Vec<Option<SubQuery>>,
    /// Where all of them stand.
    pub(super) places: Places,
}

/// Where the expressions of a `SELECT` stand that are computed over groups.
#[derive(Debug, Default)]
pub(super) struct Places {
    columns: Vec<(usize, Span)>,
    having: Option<Span>,
    qualify: Option<Span>,
    order: Vec<Span>,
}

impl Places {
    /// Where a column is read within an expression, or else the expression.
    pub(super) fn of_column(&self, column: usize, within: Option<Span>) -> Option<Span> {
        let within = within?;
        let here = self.columns.iter().find(|(other, span)| *other == column && within.holds(*span));
        Some(here.map_or(within, |(_, span)| *span))
    }
}

impl Rest<'_> {
    /// Rewrites all expressions, of which the place is known where they have one.
    pub(super) fn rewrite(
        &mut self,
        mut change: impl FnMut(&Expr, Option<Span>, &Places) -> Result<Expr, PlanError>,
    ) -> Result<(), PlanError> {
        let Places { having, qualify, order, .. } = &self.places;
        let items = self.items.iter_mut().map(|item| (&mut item.expr, Some(item.span)));
        let windows = self.windows.iter_mut().flat_map(|window| {
            let span = window.span;
            window.exprs_mut().map(move |expr| (expr, Some(span)))
        });
        let having = self.having.iter_mut().map(|expr| (expr, *having));
        let qualify = self.qualify.iter_mut().map(|expr| (expr, *qualify));
        let order = self.order.iter_mut().zip(order.iter().map(|span| Some(*span)));
        let sub_queries = self.sub_queries.iter_mut().flatten().flat_map(SubQuery::exprs_mut);
        let sub_queries = sub_queries.map(|expr| (expr, None));
        let all = items.chain(windows).chain(having).chain(qualify).chain(order).chain(sub_queries);
        for (expr, span) in all {
            *expr = change(expr, span, &self.places)?;
        }
        Ok(())
    }
}

/// A NULL without a type is of no use as a column.
fn typed(expr: Expr, ast: &Ast) -> Result<Expr, PlanError> {
    match expr.data_type.kind {
        TypeKind::Null => Err(PlanErrorKind::UntypedNull.at(ast.span())),
        _ => Ok(expr),
    }
}

/// `r.*` of a row.
fn all_fields(row: &Expr, item: &SelectItem) -> Result<Vec<Item>, PlanError> {
    let TypeKind::Row(fields) = row.data_type.kind.clone() else {
        let data_type = row.data_type.kind.to_string();
        return Err(PlanErrorKind::NoFields { name: "*".to_owned(), data_type }.at(item.span()));
    };
    let field = |(index, field): (usize, &crate::value::Field)| {
        let expr = row.clone().field(index).map_err(|error| PlanErrorKind::from(error).at(item.span()))?;
        Ok(Item { expr, name: field.name.clone(), span: item.span().into() })
    };
    fields.iter().enumerate().map(field).collect()
}

/// The name that a column of the result has without AS.
fn derived_name(ast: &Ast) -> Option<String> {
    match ast {
        Ast::Identifier(name) => Some(name.value.clone()),
        Ast::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()),
        Ast::CompoundFieldAccess { access_chain, .. } => match access_chain.last()? {
            sqlparser::ast::AccessExpr::Dot(Ast::Identifier(name)) => Some(name.value.clone()),
            _ => None,
        },
        // A function that is called without parentheses is named after itself.
        Ast::Function(function) if matches!(function.args, sqlparser::ast::FunctionArguments::None) => {
            Some(function.name.to_string())
        }
        Ast::Nested(inner) => derived_name(inner),
        _ => None,
    }
}

/// The select item that an `ORDER BY` names, by position or by alias.
pub(super) fn order_item(ast: &Ast, items: &[Item]) -> Result<Option<Expr>, PlanError> {
    if let Some(position) = super::expr::whole_number(ast) {
        let index = usize::try_from(position).ok().and_then(|position| position.checked_sub(1));
        let item = index.and_then(|index| items.get(index));
        let item = item
            .ok_or_else(|| PlanErrorKind::NoSuchPosition { position, columns: items.len() }.at(ast.span()))?;
        return Ok(Some(item.expr.clone()));
    }
    let Ast::Identifier(name) = ast else { return Ok(None) };
    Ok(items.iter().find(|item| item.name == name.value).map(|item| item.expr.clone()))
}

/// The columns of expressions with names.
pub(super) fn schema_of(items: &[Item]) -> Schema {
    let names = unique_names(items.iter().map(|item| item.name.as_str()));
    names.into_iter().zip(items).map(|(name, item)| Column::new(name, item.expr.data_type.clone())).collect()
}

fn reject_unsupported(select: &Select) -> Result<(), PlanError> {
    let (what, instead) = if select.top.is_some() {
        ("TOP", "Use LIMIT at the end of the query.")
    } else if select.into.is_some() {
        ("SELECT INTO", "Use INSERT INTO t SELECT ….")
    } else if !select.lateral_views.is_empty() {
        ("LATERAL VIEW", "Use CROSS JOIN UNNEST(…).")
    } else if !select.named_window.is_empty() {
        ("WINDOW", "Write the window behind OVER, in parentheses.")
    } else if matches!(select.distinct, Some(Distinct::On(_))) {
        ("DISTINCT ON", "Use ROW_NUMBER() OVER (PARTITION BY … ORDER BY …) and keep the rows with number 1.")
    } else {
        return Ok(());
    };
    Err(PlanErrorKind::refused(what, instead).at(select.select_token.0.span))
}
