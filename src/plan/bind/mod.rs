//! Resolves the names of a statement against the catalog and types every expression.

mod aggregate;
mod change;
mod connected;
mod decorrelate;
mod expr;
mod from;
mod grouping;
mod insert;
mod join;
mod json;
mod lateral;
mod literal;
mod query;
mod scope;
mod select;
mod set;
mod sub_query;
mod table;
mod table_function;
mod window;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use sqlparser::ast::{Cte, Expr as Ast, Ident, ObjectName, Query, Spanned};

pub use change::BoundChange;
pub use insert::{BoundInsert, BoundSource};
use scope::Scope;
pub use scope::nearest;
pub use table::Definition;
pub use table_function::changelog_parameters;

use super::error::{PlanError, PlanErrorKind};
use super::node::Plan;
use crate::catalog::{Catalog, Variant};
use crate::expr::Context;
use crate::sql::{self, ParseError, Span};

/// Binds statements against a catalog.
pub struct Binder<'a> {
    catalog: &'a Catalog,
    context: Context,
    /// Whether only what Flink accepts is accepted.
    strict: bool,
    /// The views that are being bound, so that a view does not contain itself, each with its place in
    /// the text that reads it; none of one that is being made.
    views: RefCell<Vec<(String, Option<Span>)>>,
    /// The uids of the table functions so far.
    uids: RefCell<BTreeSet<String>>,
    /// The tables and views that were read so far.
    read: RefCell<Vec<String>>,
    /// The tables with other options that hints have made so far.
    variants: RefCell<Vec<Arc<Variant>>>,
    /// What the author of the statement should know.
    notices: RefCell<Vec<String>>,
    depth: Cell<usize>,
}

/// What a query can see beside the catalog.
#[derive(Debug, Clone, Default)]
struct Visible {
    ctes: Option<Rc<VisibleCte>>,
    /// The tables of the query around it, if it is a sub-query of an expression.
    outer: Option<Rc<Scope>>,
}

/// A common table expression, with what was visible where it was written.
#[derive(Debug)]
struct VisibleCte {
    cte: Cte,
    before: Visible,
    /// Whether something has read it.
    is_read: Cell<bool>,
}

impl Visible {
    /// This and the common table expressions of a WITH clause, of which each sees those before it.
    fn with(&self, ctes: &[Cte]) -> Self {
        ctes.iter().fold(self.clone(), |before, cte| {
            let outer = before.outer.clone();
            Self {
                ctes: Some(Rc::new(VisibleCte { cte: cte.clone(), before, is_read: Cell::new(false) })),
                outer,
            }
        })
    }

    /// The common table expressions, the last one first.
    fn ctes(&self) -> impl Iterator<Item = &VisibleCte> {
        std::iter::successors(self.ctes.as_deref(), |cte| cte.before.ctes.as_deref())
    }

    /// The common table expression of this name that was written last.
    fn cte(&self, name: &str) -> Option<&VisibleCte> {
        self.ctes().find(|visible| visible.cte.alias.name.value == name)
    }
}

impl<'a> Binder<'a> {
    /// A binder over a catalog. The context's time is the one at which constants are computed.
    pub fn new(catalog: &'a Catalog, context: Context, strict: bool) -> Self {
        Self {
            catalog,
            context,
            strict,
            views: RefCell::default(),
            uids: RefCell::default(),
            read: RefCell::default(),
            variants: RefCell::default(),
            notices: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    /// Binds a query.
    ///
    /// # Errors
    /// When a name, a type or a clause is wrong.
    pub fn bind_query(&self, query: &Query) -> Result<Plan, PlanError> {
        self.query(query, &Visible::default()).map_err(|error| error.or_at(query.span()))
    }

    /// What the author of the statements bound so far should know.
    pub fn take_notices(&self) -> Vec<String> {
        self.notices.take()
    }

    /// The tables and views that the statements bound so far read.
    pub fn take_read(&self) -> Vec<String> {
        self.read.take()
    }

    /// The tables with other options that the statements bound so far use. The catalog must know them
    /// before the plans are used.
    pub fn take_variants(&self) -> Vec<Arc<Variant>> {
        self.variants.take()
    }

    /// Where something stands in the statement. What stands in the text of a view is where the
    /// statement reads the view.
    fn place_in_statement(&self, span: Span) -> Span {
        self.views.borrow().iter().find_map(|(_, place)| *place).unwrap_or(span)
    }

    fn notice(&self, notice: impl Into<String>) {
        self.notices.borrow_mut().push(notice.into());
    }

    /// What is wrong with an expression, with its place.
    fn call_error(error: impl Into<PlanErrorKind>, ast: &Ast) -> PlanError {
        error.into().at(ast.span())
    }

    /// A parse error inside a statement that parsed as a whole.
    fn syntax(error: &ParseError) -> PlanError {
        PlanErrorKind::Syntax(error.clone()).at(error.span)
    }
}

/// The last part of a name: catalogs and databases are accepted and ignored where they are the
/// default ones.
fn table_name(name: &ObjectName) -> Result<Ident, PlanError> {
    if let (_, Some(hint)) = sql::table_options(name).map_err(|error| Binder::syntax(&error))? {
        let instead = "It is for tables that a query reads, and for the target of INSERT INTO.";
        return Err(PlanErrorKind::refused("the hint OPTIONS in this place", instead).at(hint.span));
    }
    let parts: Vec<&Ident> = name.0.iter().filter_map(|part| part.as_ident()).collect();
    let missing =
        |what, part: &Ident| PlanErrorKind::NoSuchDatabase { what, name: part.value.clone() }.at(part.span);
    match parts[..] {
        [table] => Ok(table.clone()),
        [database, table] if database.value == "default_database" => Ok(table.clone()),
        [catalog, database, table]
            if catalog.value == "default_catalog" && database.value == "default_database" =>
        {
            Ok(table.clone())
        }
        [database, _] => Err(missing("database", database)),
        [catalog, database, _] if catalog.value == "default_catalog" => Err(missing("database", database)),
        [catalog, ..] => Err(missing("catalog", catalog)),
        [] => Err(PlanErrorKind::NoSuchTable { name: name.to_string(), nearest: None }.into()),
    }
}

impl Binder<'_> {
    /// The name of a table or view without the catalog and the database.
    ///
    /// # Errors
    /// When it names another catalog or database.
    pub fn name(name: &ObjectName) -> Result<Ident, PlanError> {
        table_name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{Parsed, Statement, parse};

    #[test]
    fn a_long_chain_of_common_table_expressions_takes_no_time() {
        let links = (1..30).map(|i| format!(", t{i} AS (SELECT * FROM t{})", i - 1));
        let text = format!("WITH t0 AS (SELECT 1 AS x){} SELECT * FROM t29", links.collect::<String>());
        let Ok(Parsed { statement: Statement::Query(query), .. }) = parse(&text) else {
            panic!("{text} is a query");
        };
        let context = Context { time_zone: jiff::tz::TimeZone::UTC, now: 0, watermark: None };
        let plan = Binder::new(&Catalog::default(), context, true).bind_query(&query);
        assert_eq!(plan.unwrap().schema.names().collect::<Vec<_>>(), ["x"]);
    }
}
