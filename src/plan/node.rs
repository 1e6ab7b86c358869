//! The nodes of a plan.

use std::sync::Arc;

use super::changelog_function::{FromChangelog, ToChangelog};
use super::join::Join;
use crate::catalog::TableId;
use crate::changelog::ChangelogMode;
use crate::expr::Expr;
use crate::expr::aggregate::AggregateCall;
use crate::sql::Span;
use crate::value::{Row, Schema};

/// A plan: an operator over the plans of its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What the topmost operator does.
    pub op: Op,
    /// Where it reads, in order.
    pub inputs: Vec<Plan>,
    /// The columns it gives.
    pub schema: Schema,
    /// The kinds of changes it gives, once [`super::modes`] has decided.
    pub mode: Option<ChangelogMode>,
}

/// What an operator does. Column positions are those of the input; of a join, those of the left
/// input followed by the right one.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// Reads the log of a table.
    Scan(Scan),
    /// Gives constant rows.
    Values(Arc<[Row]>),
    /// Keeps the changes whose row satisfies a condition, and computes new rows from them.
    Calc(Calc),
    /// Lets a watermark follow each row: the largest value of an expression so far.
    Watermark {
        /// The time attribute.
        column: usize,
        /// The watermark that a row brings.
        expr: Expr,
    },
    /// `GROUP BY`: one row for each combination of the key columns; the aggregates follow the keys.
    Aggregate(Aggregate),
    /// `ROW_NUMBER() … <= n`, and `ORDER BY … LIMIT n`.
    Rank(Rank),
    /// `ROW_NUMBER() OVER (… ORDER BY time) = 1`: the first or last row of each key.
    Deduplicate(Deduplicate),
    /// The first rows as they come: `LIMIT n` without `ORDER BY`.
    Limit {
        /// The rows to leave out.
        offset: u64,
        /// The rows to give.
        fetch: Option<u64>,
    },
    /// `ORDER BY time` without `LIMIT`.
    Sort {
        /// The order.
        order: Vec<SortKey>,
    },
    /// Functions over a window of the rows of a partition, appended to the row.
    Over(Over),
    /// A join of two inputs.
    Join(Join),
    /// Each row several times, computed in several ways, for GROUPING SETS.
    Expand(Vec<Vec<Expr>>),
    /// `UNNEST`: a row for each element of a collection, beside the row that has it.
    Unnest(Unnest),
    /// `UNION ALL`
    Union,
    /// `FROM_CHANGELOG`
    FromChangelog(Arc<FromChangelog>),
    /// `TO_CHANGELOG`
    ToChangelog(Arc<ToChangelog>),
    /// Turns upserts into the changes of full rows, by a key.
    ChangelogNormalize {
        /// The key columns.
        key: Vec<usize>,
        /// Rows that do not satisfy it count as absent.
        condition: Option<Expr>,
        /// Whether other parts of the query read the same rows: then all columns are kept.
        shared: bool,
    },
    /// Leaves out `-U`, which nobody needs.
    DropUpdateBefore,
    /// Writes into a table.
    Sink(Sink),
}

/// The log of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// The table.
    pub table: TableId,
    /// Its name.
    pub name: String,
    /// The options that a hint gives the table.
    pub options: Vec<(String, String)>,
    /// The stored columns that are read, in order.
    pub columns: Vec<usize>,
    /// The kinds of changes in the log.
    pub changelog_mode: ChangelogMode,
    /// The primary key among [`Self::columns`], if all of it is read.
    pub key: Option<Vec<usize>>,
}

/// A condition and a projection.
#[derive(Debug, Clone, PartialEq)]
pub struct Calc {
    /// Which rows are kept; all without one.
    pub condition: Option<Expr>,
    /// The columns of the result.
    pub projection: Vec<Expr>,
}

/// A grouped or global aggregation.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// The key columns; none for a global aggregate.
    pub keys: Vec<usize>,
    /// The aggregates.
    pub calls: Vec<AggregateCall>,
}

/// A collection that is taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Unnest {
    /// The collection.
    pub collection: Expr,
    /// The number of columns of an element: those of a `ROW`, the key and the value of a `MAP`
    /// entry, or one. None of a number, which says how often the row itself comes.
    pub elements: usize,
    /// Whether the position of the element follows, counted from 1.
    pub ordinality: bool,
    /// Whether a row without elements comes out, beside NULLs.
    pub keeps_left: bool,
}

/// A column to order by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortKey {
    /// The column.
    pub column: usize,
    /// Whether high values come first.
    pub descending: bool,
    /// Whether NULL comes before all other values.
    pub nulls_first: bool,
}

/// Which rows of a partition's order are kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Rank {
    /// The partition columns.
    pub partition: Vec<usize>,
    /// The order in a partition.
    pub order: Vec<SortKey>,
    /// The first number to keep, counted from 1.
    pub start: u64,
    /// The last number to keep; none for `OFFSET` without `LIMIT`.
    pub end: Option<u64>,
    /// Whether the number is appended to the row.
    pub number: bool,
    /// How the state is kept, once [`super::modes`] has decided.
    pub strategy: RankStrategy,
    /// Whether it stands for `ORDER BY … LIMIT`, which is how it is shown.
    pub from_limit: bool,
}

/// How a rank keeps its state, which decides the kinds of changes it emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankStrategy {
    /// Not decided.
    Undefined,
    /// The input only appends: rows beyond the last number are forgotten.
    AppendFast,
    /// The input updates rows by its upsert key and only moves them forward: rows beyond the last
    /// number are forgotten.
    UpdateFast,
    /// The input retracts: all rows are kept.
    Retract,
}

/// The first or the last row of each key by a time attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deduplicate {
    /// The key columns.
    pub key: Vec<usize>,
    /// The time attribute.
    pub time: usize,
    /// Whether it is event time.
    pub rowtime: bool,
    /// Whether the last row is kept.
    pub keep_last: bool,
}

/// Window functions.
#[derive(Debug, Clone, PartialEq)]
pub struct Over {
    /// The partition columns.
    pub partition: Vec<usize>,
    /// The order in a partition.
    pub order: Vec<SortKey>,
    /// The functions, whose results follow the columns of the input.
    pub calls: Vec<OverCall>,
    /// Where the first function stands in the statement.
    pub place: Option<Span>,
}

/// A window function.
#[derive(Debug, Clone, PartialEq)]
pub enum OverCall {
    /// `ROW_NUMBER()`, which can be run only under a condition on it.
    RowNumber,
    /// `LAG(column, offset, default)` or `LEAD`
    Lag {
        /// The column whose earlier or later value is given.
        column: usize,
        /// How many rows earlier; as many rows later, which is `LEAD`, if it is negative.
        offset: i64,
        /// The column that is given when there is no such row; NULL without one.
        default: Option<usize>,
    },
}

impl Over {
    /// Whether a function looks at later rows.
    pub fn looks_ahead(&self) -> bool {
        self.calls.iter().any(|call| matches!(call, OverCall::Lag { offset: ..0, .. }))
    }
}

/// The target of an `INSERT`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sink {
    /// The table; none for a query whose result is shown.
    pub table: Option<TableId>,
    /// The table's name.
    pub name: String,
    /// The options that a hint gives the table.
    pub options: Vec<(String, String)>,
    /// The kinds of changes that the target takes.
    pub accepts: ChangelogMode,
    /// The key columns of the target, if it has a key.
    pub key: Option<Vec<usize>>,
    /// Columns that must not become NULL.
    pub not_null: Vec<usize>,
    /// What happens when rows with different upsert keys have one primary key.
    pub on_conflict: OnConflict,
    /// Whether the sink keeps all rows of a primary key, so that the last one still there wins.
    pub materialize: bool,
}

/// `ON CONFLICT DO …`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// Nothing was said.
    Unspecified,
    /// `DEDUPLICATE`
    Deduplicate,
    /// `ERROR`
    Error,
    /// `NOTHING`
    Nothing,
}

impl Plan {
    /// An operator over its inputs, with the columns it gives.
    pub fn new(op: Op, inputs: Vec<Plan>, schema: Schema) -> Self {
        Self { op, inputs, schema, mode: None }
    }

    /// The only input.
    ///
    /// # Panics
    /// If there is none.
    pub fn input(&self) -> &Plan {
        &self.inputs[0]
    }

    /// A filter and projection of this plan.
    #[must_use]
    pub fn calc(self, condition: Option<Expr>, projection: Vec<Expr>, names: Vec<String>) -> Self {
        let columns = names.into_iter().zip(&projection);
        let schema =
            columns.map(|(name, expr)| crate::value::Column::new(name, expr.data_type.clone())).collect();
        Self::new(Op::Calc(Calc { condition, projection }), vec![self], schema)
    }

    /// The rows of this plan that satisfy a condition.
    #[must_use]
    pub fn filter(self, condition: Expr) -> Self {
        let projection = self.identity();
        let names = self.schema.names().map(str::to_owned).collect();
        self.calc(Some(condition), projection, names)
    }

    /// Each column as an expression.
    pub fn identity(&self) -> Vec<Expr> {
        let types = self.schema.types().cloned().enumerate();
        types.map(|(i, data_type)| Expr::column(i, data_type)).collect()
    }

    /// The same operator over changed inputs.
    ///
    /// # Errors
    /// The first error of the change.
    pub fn try_map_inputs<E>(mut self, change: impl FnMut(Plan) -> Result<Plan, E>) -> Result<Self, E> {
        self.inputs = self.inputs.into_iter().map(change).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// The same operator over changed inputs.
    #[must_use]
    pub fn map_inputs(mut self, change: impl FnMut(Plan) -> Plan) -> Self {
        self.inputs = self.inputs.into_iter().map(change).collect();
        self
    }

    /// Calls `visit` on each operator, inputs first.
    pub fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Plan)) {
        for input in &self.inputs {
            input.visit(visit);
        }
        visit(self);
    }
}

impl Calc {
    /// The columns of its input that it gives, if it only leaves out and reorders columns.
    pub fn plain_columns(&self) -> Option<Vec<usize>> {
        let columns = self.projection.iter().map(Expr::as_column);
        columns.collect::<Option<_>>().filter(|_| self.condition.is_none())
    }

    /// Whether it gives the columns of its input as they are, and keeps all rows.
    pub fn is_identity(&self, input: &Schema) -> bool {
        self.condition.is_none()
            && self.projection.len() == input.len()
            && self.projection.iter().enumerate().all(|(i, expr)| expr.as_column() == Some(i))
    }
}

/// Names for columns, all different: a name that is there already gets a number behind it.
pub(super) fn unique_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        let free = |candidate: &String| !unique.contains(candidate);
        let numbered = || (0..=unique.len()).map(|number| format!("{name}{number}")).find(free);
        let candidate = Some(name.to_owned()).filter(free).or_else(numbered);
        unique.push(candidate.expect("some number makes a name that is free"));
    }
    unique
}
