//! Why a statement has no plan.

use super::bind::nearest;
use super::determinism::NonDeterministicUpdate;
use super::modes::ModeError;
use crate::connect::ConnectError;
use crate::expr::CallError;
use crate::expr::function::{EvalError, TypeMismatch};
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
    /// There is one catalog and one database.
    #[error("{what} \"{name}\" does not exist")]
    NoSuchDatabase {
        /// `catalog` or `database`.
        what: &'static str,
        /// The name.
        name: String,
    },
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
        /// All names that exist.
        columns: Vec<String>,
    },
    /// JOIN without ON or USING, which is no CROSS JOIN.
    #[error("a join needs a condition")]
    JoinWithoutCondition,
    /// A column of USING that one side of the join does not have.
    #[error("column \"{name}\" of USING does not exist on the {side} side of the join")]
    NotOnBothSides {
        /// The name.
        name: String,
        /// `left` or `right`.
        side: &'static str,
    },
    /// A name before a dot is neither a table of the query nor a column.
    #[error("table \"{name}\" is not in the FROM clause")]
    NoSuchRelation {
        /// The name.
        name: String,
        /// The most similar name in the FROM clause.
        nearest: Option<String>,
        /// All names in the FROM clause.
        tables: Vec<String>,
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
    #[error("table name \"{name}\" is in the FROM clause twice")]
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
    /// A column is given a value twice, in the list of an INSERT or by an UPDATE.
    #[error("column \"{name}\" is given a value twice")]
    AssignedTwice {
        /// The name.
        name: String,
    },
    /// `SELECT *` without FROM.
    #[error("SELECT * needs a FROM clause")]
    StarWithoutFrom,
    /// `value.field` or `value.*` of what is no row.
    #[error("field \"{name}\" of {data_type}, which has no fields")]
    NoFields {
        /// What was written behind the dot.
        name: String,
        /// Its type.
        data_type: String,
    },
    /// A `ROW` has no field of this name.
    #[error("the row has no field \"{name}\"")]
    NoSuchField {
        /// The name.
        name: String,
        /// The most similar field.
        nearest: Option<String>,
        /// All fields.
        fields: Vec<String>,
    },
    /// A call of a function or operator, or a cast, does not fit.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Types do not fit together.
    #[error(transparent)]
    Type(#[from] TypeMismatch),
    /// A part of the statement is not what it must be, which shows only when it is bound.
    #[error(transparent)]
    Syntax(ParseError),
    /// A literal that is not a value of its type.
    #[error("{text} is not a valid {type_name}")]
    InvalidLiteral {
        /// The literal.
        text: String,
        /// The type.
        type_name: String,
    },
    /// A literal that has no value of the type of its column.
    #[error(transparent)]
    Value(EvalError),
    /// A table cannot be connected, or not be used in this way.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A bare NULL whose type nothing says.
    #[error("the type of NULL is not clear here")]
    UntypedNull,
    /// WHERE, HAVING, ON or FILTER with something that is not a condition.
    #[error("{clause} takes a condition, not {data_type}")]
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
    /// A window function where none is allowed.
    #[error("window function {name} is not allowed in {clause}")]
    MisplacedWindowFunction {
        /// The function.
        name: String,
        /// The clause.
        clause: &'static str,
    },
    /// A window function without OVER.
    #[error("window function {name} needs OVER")]
    MissingOver {
        /// The function.
        name: String,
    },
    /// `COUNT(DISTINCT a, b)`
    #[error("COUNT with DISTINCT takes one column")]
    DistinctOfSeveral,
    /// A table function where a value is expected.
    #[error("table function {name} gives rows, not a value")]
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
        hint: String,
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
    /// OVER without an order, or with one by more columns than the function takes.
    #[error("{function} needs ORDER BY {} in OVER", if *.one_column { "one column" } else { "a column" })]
    WindowOrder {
        /// The function.
        function: String,
        /// Whether it takes no more than one column.
        one_column: bool,
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
    /// `ORDER BY 7` beyond the columns.
    #[error("ORDER BY position {position} is not in the select list")]
    NoSuchPosition {
        /// The position.
        position: u64,
        /// How many columns the select list has.
        columns: usize,
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
    #[error("{} for {}", counted(*.given, "name"), counted(*.expected, "column"))]
    ColumnNames {
        /// How many names there are.
        given: usize,
        /// How many columns there are.
        expected: usize,
    },
    /// INSERT with the wrong number of columns.
    #[error("table \"{table}\" takes {}, but {given} {} given",
        counted(*.expected, "column"), if *.given == 1 { "is" } else { "are" })]
    InsertWidth {
        /// The table.
        table: String,
        /// How many columns the table takes.
        expected: usize,
        /// How many are given.
        given: usize,
        /// The columns of the table, with their types.
        sink: String,
        /// The types that are given.
        query: String,
    },
    /// INSERT of a type that is not turned into the column's by itself.
    #[error("column \"{column}\" of table \"{table}\" is {expected}, but {given} is given")]
    InsertType {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The column's type.
        expected: String,
        /// The type that is given.
        given: String,
        /// Whether CAST makes one type of the other.
        castable: bool,
    },
    /// INSERT of a row with NULL in a NOT NULL column.
    #[error("column \"{column}\" of table \"{table}\" is NOT NULL, but row {row} has NULL there")]
    NullInNotNullColumn {
        /// The table.
        table: String,
        /// The column.
        column: String,
        /// The row as text.
        row: String,
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
    /// INSERT, UPDATE or DELETE of a view.
    #[error("\"{name}\" is a view, and only the rows of tables can be changed")]
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
    #[error("the sub-query must give {}, not {given}", counted(*.expected, "column"))]
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
    /// A column of a primary key, a watermark and their like is wrong.
    #[error("{problem}")]
    Definition {
        /// What is wrong, as a phrase.
        problem: String,
        /// A sentence on the way out.
        hint: String,
    },
    /// The upsert key of a query is not the primary key of the table.
    #[error("{} is not the primary key of table \"{table}\" ({primary_key})",
        .upsert_key.as_ref().map_or("no upsert key of the query".to_owned(), |key| format!("the upsert key of the query ({key})")))]
    KeyDiffers {
        /// The table.
        table: String,
        /// The upsert key, if there is one.
        upsert_key: Option<String>,
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
        hint: String,
    },
    /// The operators do not fit together.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// A value is computed anew where a row is taken back.
    #[error(transparent)]
    NonDeterministicUpdate(Box<NonDeterministicUpdate>),
}

/// `1 column`, `2 columns`
pub(super) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

impl PlanErrorKind {
    /// The error at a place. What has no place of its own is at none.
    pub fn at(self, span: impl Into<Span>) -> PlanError {
        PlanError::from(self).or_at(span)
    }

    /// Something that this version does not have, with a sentence on what there is instead.
    pub fn refused(what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), hint: instead.into() }
    }

    /// No column has this name.
    pub fn no_such_column<'a>(name: &str, columns: impl IntoIterator<Item = &'a str>) -> Self {
        let columns: Vec<String> = columns.into_iter().map(str::to_owned).collect();
        let nearest = nearest(name, columns.iter().map(String::as_str));
        Self::NoSuchColumn { name: name.to_owned(), nearest, columns }
    }

    /// A part of a definition that is wrong, with a sentence on the way out.
    pub fn definition(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Definition { problem: problem.into(), hint: hint.into() }
    }
}

impl From<PlanErrorKind> for PlanError {
    fn from(kind: PlanErrorKind) -> Self {
        Self { kind: Box::new(kind), span: None }
    }
}

impl From<ModeError> for PlanError {
    fn from(error: ModeError) -> Self {
        let span = error.place();
        Self { span, ..PlanErrorKind::Mode(error).into() }
    }
}

impl From<Box<NonDeterministicUpdate>> for PlanError {
    fn from(update: Box<NonDeterministicUpdate>) -> Self {
        let span = update.place();
        Self { span, ..PlanErrorKind::NonDeterministicUpdate(update).into() }
    }
}

impl PlanError {
    /// The error at a place, if it has none yet.
    #[must_use]
    pub fn or_at(mut self, span: impl Into<Span>) -> Self {
        self.span = self.span.or_else(|| Some(span.into()).filter(|span| !span.is_nowhere()));
        self
    }
}
