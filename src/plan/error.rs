//! Why a statement has no plan.

use super::modes::ModeError;
use crate::connect::ConnectError;
use crate::expr::CallError;
use crate::expr::function::TypeMismatch;
use crate::sql::{ParseError, Span};

/// Why a statement has no plan, with its place and a way out.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct PlanError {
    /// What is wrong.
    pub kind: Box<PlanErrorKind>,
    /// Where, relative to the statement's text.
    pub span: Option<Span>,
}

/// What is wrong with a statement.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanErrorKind {
    /// There is no table or view of this name.
    #[error("table or view \"{name}\" does not exist")]
    NoSuchTable {
        /// The name.
        name: String,
        /// The most similar name that exists.
        nearest: Option<String>,
    },
    /// No table of the query has a column of this name.
    #[error("column \"{name}\" does not exist")]
    NoSuchColumn {
        /// The name.
        name: String,
        /// The most similar name that exists.
        nearest: Option<String>,
    },
    /// A name before a dot is neither a table of the query nor a column.
    #[error("table \"{name}\" is not in the FROM clause")]
    NoSuchRelation {
        /// The name.
        name: String,
        /// The most similar name in the FROM clause.
        nearest: Option<String>,
    },
    /// Several tables of the query have a column of this name.
    #[error("column \"{name}\" is ambiguous")]
    AmbiguousColumn {
        /// The name.
        name: String,
        /// The qualified names that it may mean.
        candidates: Vec<String>,
    },
    /// Two tables of a FROM clause have one name.
    #[error("table name \"{name}\" is there twice in the FROM clause")]
    DuplicateRelation {
        /// The name.
        name: String,
    },
    /// Two columns have one name.
    #[error("column \"{name}\" is there twice")]
    DuplicateColumn {
        /// The name.
        name: String,
    },
    /// A `ROW` has no field of this name.
    #[error("type {data_type} has no field \"{name}\"")]
    NoSuchField {
        /// The name.
        name: String,
        /// The type.
        data_type: String,
        /// The most similar field.
        nearest: Option<String>,
    },
    /// A call of a function or operator, or a cast, does not fit.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Types do not fit together.
    #[error("{0}")]
    Type(String),
    /// A literal that is not a value of its type.
    #[error("{text} is not a valid {type_name}")]
    InvalidLiteral {
        /// The literal.
        text: String,
        /// The type.
        type_name: String,
    },
    /// A table cannot be connected, or not be used in this way.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A bare NULL whose type nothing says.
    #[error("the type of NULL is not clear here")]
    UntypedNull,
    /// A double-quoted text.
    #[error("\"{text}\" in double quotes is neither a string nor a name")]
    DoubleQuotes {
        /// The text.
        text: String,
    },
    /// WHERE, HAVING, ON or FILTER with something that is not a condition.
    #[error("{clause} must be a condition, not {data_type}")]
    NotACondition {
        /// The clause.
        clause: &'static str,
        /// The type that was found.
        data_type: String,
    },
    /// A column beside aggregates that is not grouped.
    #[error("column \"{name}\" must be in GROUP BY or in an aggregate function")]
    NotGrouped {
        /// The column.
        name: String,
    },
    /// An aggregate function where none is allowed.
    #[error("aggregate function {name} is not allowed in {clause}")]
    MisplacedAggregate {
        /// The function.
        name: String,
        /// The clause.
        clause: &'static str,
    },
    /// A window function where none is allowed, or without OVER.
    #[error("window function {name} is not allowed here")]
    MisplacedWindowFunction {
        /// The function.
        name: String,
    },
    /// `COUNT(DISTINCT a, b)`
    #[error("an aggregate function with DISTINCT takes one column")]
    DistinctOfSeveral,
    /// A table function where a scalar is expected.
    #[error("table function {name} is not allowed here")]
    MisplacedTableFunction {
        /// The function.
        name: String,
    },
    /// There is no table function of this name.
    #[error("table function {name} does not exist")]
    NoSuchTableFunction {
        /// The name.
        name: String,
        /// The most similar name that exists.
        nearest: Option<String>,
    },
    /// An argument of a table function is wrong.
    #[error("{function}: {problem}")]
    TableFunctionArgument {
        /// The function.
        function: &'static str,
        /// What is wrong, as a phrase.
        problem: String,
        /// A sentence on the way out.
        hint: Option<String>,
    },
    /// Two table functions with one uid.
    #[error("uid '{uid}' is used by two table functions")]
    DuplicateUid {
        /// The uid.
        uid: String,
    },
    /// `ROW_NUMBER` without a condition that bounds it.
    #[error("ROW_NUMBER needs a condition that bounds it")]
    UnboundedRowNumber,
    /// OVER without an order by one column.
    #[error("{function} needs OVER with ORDER BY one column")]
    WindowOrder {
        /// The function.
        function: String,
    },
    /// An argument of a window function that must be a literal is not.
    #[error("the {argument} of {function} must be a whole number of at least {least}")]
    WindowArgument {
        /// The function.
        function: String,
        /// The argument.
        argument: &'static str,
        /// The smallest number.
        least: u64,
    },
    /// ORDER BY without LIMIT, not by time.
    #[error("ORDER BY without LIMIT is possible only by a time attribute, ascending")]
    UnboundedSort,
    /// LIMIT, OFFSET or FETCH with something that is no number.
    #[error("{clause} needs a whole number that is not negative")]
    InvalidLimit {
        /// The clause.
        clause: &'static str,
    },
    /// `ORDER BY 7` or `GROUP BY 7` beyond the columns.
    #[error("position {position} is not in the select list")]
    NoSuchPosition {
        /// The position.
        position: String,
    },
    /// Queries of a set operation, or rows of VALUES, with different numbers of columns.
    #[error("{what} have {left} and {right} columns")]
    DifferentWidths {
        /// What has them.
        what: &'static str,
        /// The number of columns of the first.
        left: usize,
        /// The number of columns of another.
        right: usize,
    },
    /// Columns of a set operation or of VALUES have no common type.
    #[error("column {position} of {what} is {left} and {right}, which have no common type")]
    NoCommonType {
        /// What has them.
        what: &'static str,
        /// The position, counted from 1.
        position: usize,
        /// A type.
        left: String,
        /// Another type.
        right: String,
    },
    /// A list of column names of the wrong length.
    #[error("{given} names are given for {expected} columns")]
    ColumnNames {
        /// How many names there are.
        given: usize,
        /// How many columns there are.
        expected: usize,
    },
    /// INSERT with the wrong number of columns.
    #[error("table \"{table}\" takes {expected} columns, but the query gives {given}")]
    InsertWidth {
        /// The table.
        table: String,
        /// How many columns the table takes.
        expected: usize,
        /// How many the query gives.
        given: usize,
        /// The columns of the table.
        sink: String,
        /// The columns of the query.
        query: String,
    },
    /// INSERT of a type that is not turned into the column's by itself.
    #[error("column \"{column}\" of table \"{table}\" is {expected}, but the query gives {given}")]
    InsertType {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The column's type.
        expected: String,
        /// The query's type.
        given: String,
    },
    /// INSERT that leaves a NOT NULL column out.
    #[error("column \"{column}\" is NOT NULL and needs a value")]
    MissingColumn {
        /// The column.
        column: String,
    },
    /// INSERT into a column that is computed.
    #[error("column \"{column}\" is computed and takes no values")]
    ComputedColumn {
        /// The column.
        column: String,
    },
    /// INSERT into a view.
    #[error("\"{name}\" is a view, and only tables take rows")]
    InsertIntoView {
        /// The name.
        name: String,
    },
    /// An upsert table without a primary key is read.
    #[error("table \"{table}\" is an upsert table without a primary key")]
    UpsertWithoutKey {
        /// The table.
        table: String,
    },
    /// Rows of a table that only appends cannot change.
    #[error("table \"{table}\" only appends, so {verb} has nothing to change")]
    ChangeOfAppendTable {
        /// The statement.
        verb: &'static str,
        /// The table.
        table: String,
    },
    /// A sub-query gives another number of columns than it is compared with.
    #[error("the sub-query must give {expected} column{}, not {given}", if *.expected == 1 { "" } else { "s" })]
    SubQueryWidth {
        /// How many columns it must give.
        expected: usize,
        /// How many it gives.
        given: usize,
    },
    /// A view whose query does not bind any more.
    #[error("in view \"{view}\": {error}")]
    InView {
        /// The view.
        view: String,
        /// Why.
        error: Box<PlanError>,
    },
    /// A view whose query does not parse any more.
    #[error("in view \"{view}\": {error}")]
    ViewSyntax {
        /// The view.
        view: String,
        /// Why.
        error: ParseError,
    },
    /// A column of a primary key, a watermark and their like is wrong.
    #[error("{problem}")]
    Definition {
        /// What is wrong, as a phrase.
        problem: String,
        /// A sentence on the way out.
        hint: Option<String>,
    },
    /// The upsert key of a query is not the primary key of the table.
    #[error(
        "the upsert key of the query ({upsert_key}) is not the primary key of table \"{table}\" ({primary_key})"
    )]
    KeyDiffers {
        /// The table.
        table: String,
        /// The upsert key.
        upsert_key: String,
        /// The primary key.
        primary_key: String,
    },
    /// ON CONFLICT for a table that has no keys to conflict.
    #[error("ON CONFLICT needs an upsert table with a primary key, and \"{table}\" is none")]
    OnConflictWithoutKey {
        /// The table.
        table: String,
    },
    /// What this version does not have.
    #[error("{what} is not supported")]
    Unsupported {
        /// What.
        what: String,
        /// A sentence on what there is instead.
        hint: Option<String>,
    },
    /// The operators do not fit together.
    #[error(transparent)]
    Mode(#[from] ModeError),
}

impl PlanErrorKind {
    /// The error at a place.
    pub fn at(self, span: impl Into<Span>) -> PlanError {
        PlanError { kind: Box::new(self), span: Some(span.into()) }
    }

    /// Something that this version does not have.
    pub fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), hint: None }
    }
}

impl From<PlanErrorKind> for PlanError {
    fn from(kind: PlanErrorKind) -> Self {
        Self { kind: Box::new(kind), span: None }
    }
}

impl From<TypeMismatch> for PlanErrorKind {
    fn from(TypeMismatch(problem): TypeMismatch) -> Self {
        Self::Type(problem)
    }
}

impl From<ModeError> for PlanError {
    fn from(error: ModeError) -> Self {
        PlanErrorKind::Mode(error).into()
    }
}

impl PlanError {
    /// The error at a place, if it has none yet.
    #[must_use]
    pub fn or_at(mut self, span: impl Into<Span>) -> Self {
        self.span.get_or_insert_with(|| span.into());
        self
    }
}
