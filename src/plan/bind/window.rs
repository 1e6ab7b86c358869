//! Window functions.

use sqlparser::ast::{Expr as Ast, Function, OrderByExpr, OrderBySort, Spanned, WindowType};

use super::super::error::{PlanError, PlanErrorKind};
use super::super::node::{Op, Over, OverCall, Plan, SortKey};
use super::Binder;
use super::expr::{ExprBinder, scalar_args, whole_number};
use super::select::{Rest, WINDOWS};
use crate::expr::function::TypeMismatch;
use crate::expr::{Expr, ExprKind, aggregate, common_type, function};
use crate::sql::Span;
use crate::value::{Column, DataType};

/// A window function with its window.
#[derive(Debug, Clone)]
pub(super) struct WindowRequest {
    call: WindowCall,
    partition: Vec<Expr>,
    order: Vec<(Expr, Direction)>,
    data_type: DataType,
    /// Where it stands.
    pub(super) span: Span,
}

#[derive(Debug, Clone, PartialEq)]
enum WindowCall {
    RowNumber,
    /// LAG; LEAD with a negative offset.
    Lag {
        value: Expr,
        offset: i64,
        default: Option<Expr>,
    },
}

/// How a sort key is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) descending: bool,
    pub(super) nulls_first: bool,
}

impl Direction {
    /// NULL is the lowest value: first ascending, last descending.
    pub(super) fn of(order: &OrderByExpr) -> Self {
        let descending = matches!(order.options.sort, Some(OrderBySort::Desc));
        Self { descending, nulls_first: order.options.nulls_first.unwrap_or(!descending) }
    }
}

/// Whether a name is that of a function which needs OVER.
pub(super) fn is_window_function(name: &str) -> bool {
    matches!(
        name,
        "ROW_NUMBER" | "RANK" | "DENSE_RANK" | "LAG" | "LEAD" | "NTILE" | "PERCENT_RANK" | "CUME_DIST"
    )
}

/// Whether there is a function of this name, with OVER or without it, here or in Flink.
fn is_known(name: &str) -> bool {
    is_window_function(name) || aggregate::is_aggregate(name) || function::find(name).is_some()
}

impl WindowRequest {
    fn gives_the_same(&self, other: &Self) -> bool {
        self.call == other.call && self.partition == other.partition && self.order == other.order
    }

    pub(super) fn exprs_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let args = match &mut self.call {
            WindowCall::RowNumber => (None, None),
            WindowCall::Lag { value, default, .. } => (Some(value), default.as_mut()),
        };
        let order = self.order.iter_mut().map(|(expr, _)| expr);
        args.0.into_iter().chain(args.1).chain(&mut self.partition).chain(order)
    }
}

impl ExprBinder<'_, '_> {
    /// A call of a window function, which becomes a placeholder.
    pub(super) fn window_function(
        &mut self,
        ast: &Ast,
        call: &Function,
        name: &str,
    ) -> Result<Expr, PlanError> {
        let window = match &call.over {
            Some(WindowType::WindowSpec(window)) if self.collect.is_ok() => window,
            Some(WindowType::NamedWindow(_)) => {
                let instead = "Write the window behind OVER, in parentheses.";
                return Err(PlanErrorKind::refused("a named window", instead).at(ast.span()));
            }
            None => return Err(PlanErrorKind::MissingOver { name: name.to_owned() }.at(ast.span())),
            Some(_) => {
                let clause = self.collect.as_ref().err().copied().unwrap_or("this place");
                let name = name.to_owned();
                return Err(PlanErrorKind::MisplacedWindowFunction { name, clause }.at(ast.span()));
            }
        };
        super::aggregate::refuse_clauses(ast, call, name, false)?;
        let args = scalar_args(ast, call)?;
        let (request, data_type) = match name {
            "ROW_NUMBER" if !args.is_empty() => {
                let mismatch = TypeMismatch::new("ROW_NUMBER takes no arguments");
                let mismatch = mismatch.or("Write ROW_NUMBER() OVER (PARTITION BY … ORDER BY …).");
                return Err(PlanErrorKind::from(mismatch).at(ast.span()));
            }
            "ROW_NUMBER" => (WindowCall::RowNumber, DataType::bigint().not_null()),
            "LAG" => self.lag(ast, name, &args)?,
            "LEAD" if !self.binder.strict => {
                let notice =
                    "Flink has LEAD for batch jobs only; here a row is updated when the next one comes";
                self.binder.notice(notice);
                self.lag(ast, name, &args)?
            }
            "LEAD" => {
                let what = "LEAD over a stream";
                let instead = "LAG gives earlier rows; order the other way round.";
                return Err(PlanErrorKind::refused(what, instead).at(ast.span()));
            }
            _ if !is_known(name) => return Err(Self::no_such_function(ast, call)),
            _ => {
                let what = format!("{name} with OVER");
                let instead = "The window functions are ROW_NUMBER, LAG and LEAD.";
                return Err(PlanErrorKind::refused(what, instead).at(ast.span()));
            }
        };
        if window.window_frame.is_some() {
            let what = format!("{name} with a frame");
            return Err(PlanErrorKind::refused(what, "Leave ROWS or RANGE out.").at(ast.span()));
        }
        let mut partition = Vec::new();
        for ast in &window.partition_by {
            partition.push(self.bind(ast)?);
        }
        let mut order = Vec::new();
        for key in &window.order_by {
            order.push((self.bind(&key.expr)?, Direction::of(key)));
        }
        if order.is_empty() || (name != "ROW_NUMBER" && order.len() > 1) {
            let (function, one_column) = (name.to_owned(), name != "ROW_NUMBER");
            return Err(PlanErrorKind::WindowOrder { function, one_column }.at(ast.span()));
        }
        let span = ast.span().into();
        let request = WindowRequest { call: request, partition, order, data_type: data_type.clone(), span };
        let Ok(collected) = &mut self.collect else { unreachable!("checked above") };
        let known = collected.windows.iter().position(|other| other.gives_the_same(&request));
        let index = known.unwrap_or_else(|| {
            collected.windows.push(request);
            collected.windows.len() - 1
        });
        Ok(Expr::column(WINDOWS + index, data_type))
    }

    /// LAG or LEAD.
    fn lag(&mut self, ast: &Ast, name: &str, args: &[&Ast]) -> Result<(WindowCall, DataType), PlanError> {
        let (1..=3, [value, rest @ ..]) = (args.len(), args) else {
            let problem = format!("{name} takes 1 to 3 arguments, not {}", args.len());
            let mismatch =
                TypeMismatch::new(problem).or(format!("Write {name}(value [, offset [, default]])."));
            return Err(PlanErrorKind::from(mismatch).at(ast.span()));
        };
        let value = self.bind(value)?;
        let offset = match rest.first() {
            Some(offset) => whole_number(offset).ok_or_else(|| {
                let (function, argument) = (name.to_owned(), "offset");
                PlanErrorKind::WindowArgument { function, argument, least: 0 }.at(offset.span())
            })?,
            None => 1,
        };
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        let offset = if name == "LEAD" { -offset } else { offset };
        let Some(default) = rest.get(1) else {
            let data_type = value.data_type.clone().with_nullable(true);
            return Ok((WindowCall::Lag { value, offset, default: None }, data_type));
        };
        let default = self.bind(default)?;
        let common = common_type(&[&value.data_type, &default.data_type]);
        let common = common.ok_or_else(|| {
            let (a, b) = (&value.data_type.kind, &default.data_type.kind);
            let problem =
                format!("the value and the default of {name} are {a} and {b}, which have no common type");
            let mismatch = TypeMismatch::new(problem).or(format!("Use CAST(… AS {a}) for the default."));
            PlanErrorKind::from(mismatch).at(ast.span())
        })?;
        // The default decides whether NULL may occur.
        let data_type = common.clone().with_nullable(default.data_type.nullable);
        let cast = |expr: Expr| {
            let to = common.clone().with_nullable(expr.data_type.nullable);
            Expr::cast(expr, to, false).map_err(|error| Binder::call_error(error, ast))
        };
        let call = WindowCall::Lag { value: cast(value)?, offset, default: Some(cast(default)?) };
        Ok((call, data_type))
    }
}

/// Puts the windows on a plan, one operator for each window, and makes the other expressions read
/// their results.
pub(super) fn apply(mut plan: Plan, rest: &mut Rest<'_>) -> Result<Plan, PlanError> {
    let requests = std::mem::take(&mut rest.windows);
    let mut places = vec![0; requests.len()];
    let mut done = vec![false; requests.len()];
    for first in 0..requests.len() {
        if done[first] {
            continue;
        }
        let window = &requests[first];
        let same: Vec<usize> = (first..requests.len())
            .filter(|&i| requests[i].partition == window.partition && requests[i].order == window.order)
            .collect();
        let width = plan.schema.len();
        let mut columns = plan.identity();
        let mut names: Vec<String> = plan.schema.names().map(str::to_owned).collect();
        let mut place = |expr: &Expr| {
            columns.iter().position(|column| column == expr).unwrap_or_else(|| {
                columns.push(expr.clone());
                names.push(format!("$w{}", columns.len() - 1));
                columns.len() - 1
            })
        };
        let partition = window.partition.iter().map(&mut place).collect();
        let sort_key = |(expr, direction): &(Expr, Direction)| SortKey {
            column: place(expr),
            descending: direction.descending,
            nulls_first: direction.nulls_first,
        };
        let order = window.order.iter().map(sort_key).collect();
        let mut calls = Vec::new();
        for &i in &same {
            calls.push(match &requests[i].call {
                WindowCall::RowNumber => OverCall::RowNumber,
                WindowCall::Lag { value, offset, default } => OverCall::Lag {
                    column: place(value),
                    offset: *offset,
                    default: default.as_ref().map(&mut place),
                },
            });
        }
        if columns.len() > width {
            plan = plan.calc(None, columns, names);
        }
        let mut schema = plan.schema.clone();
        for &i in &same {
            places[i] = schema.len();
            done[i] = true;
            schema.columns.push(Column::new(format!("$w{}", schema.len()), requests[i].data_type.clone()));
        }
        let over = Over { partition, order, calls, place: Some(window.span) };
        plan = Plan::new(Op::Over(over), vec![plan], schema);
    }
    rest.rewrite(|expr, _, _| {
        expr.try_replace(&mut |part| {
            Ok(match part.kind {
                ExprKind::Column(column) if column >= WINDOWS => {
                    Some(Expr::column(places[column - WINDOWS], part.data_type.clone()))
                }
                _ => None,
            })
        })
    })?;
    Ok(plan)
}
