//! What a statement says.

use sqlparser::ast::{Delete, Expr, Ident, ObjectName, Query, Update};

use super::rows::LiteralRows;
use super::span::Span;
use crate::value::DataType;

/// A statement and what its author should know about how it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The statement.
    pub statement: Statement,
    /// What was tolerated.
    pub notices: Notices,
}

/// What was tolerated or left out while a statement was read. Spans are relative to the statement's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notices {
    /// Reserved words that were taken for names though they have no backticks. Flink refuses them.
    pub reserved_words: Vec<(String, Span)>,
    /// Strings whose typographic quotes were read as `'`.
    pub smart_quotes: Vec<Span>,
    /// Comments with hints (`/*+ … */`) other than `OPTIONS`, without their marks.
    pub hints: Vec<Text>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// `SELECT`, `WITH … SELECT`, `VALUES`, `TABLE t`
    Query(Box<Query>),
    /// `CREATE TABLE`
    CreateTable(Box<CreateTable>),
    /// `CREATE VIEW`
    CreateView(Box<CreateView>),
    /// `DROP TABLE` and `DROP VIEW`
    Drop(Drop),
    /// `ALTER TABLE`
    AlterTable(Box<AlterTable>),
    /// `ALTER VIEW`
    AlterView(Box<AlterView>),
    /// `DESCRIBE t`, `DESC t`
    Describe(ObjectName),
    /// `DESCRIBE FUNCTION f`
    DescribeFunction(ObjectName),
    /// `SHOW …`
    Show(Show),
    /// `SET 'key' = 'value'`, or `SET`, which lists what is set.
    Set(Option<Setting>),
    /// `RESET 'key'`, or `RESET`, which resets all.
    Reset(Option<Text>),
    /// `EXPLAIN …`
    Explain(Explain),
    /// `INSERT INTO`
    Insert(Box<Insert>),
    /// `EXECUTE STATEMENT SET BEGIN … END`
    StatementSet(Vec<Insert>),
    /// `STOP JOB 'id'`, with the id. Savepoint options have no effect.
    StopJob(Text),
    /// `UPDATE`
    Update(Box<Update>),
    /// `DELETE FROM`
    Delete(Box<Delete>),
    /// `TRUNCATE TABLE`
    Truncate(ObjectName),
    /// `USE db`
    UseDatabase(ObjectName),
    /// `USE CATALOG c`
    UseCatalog(Ident),
    /// `HELP`
    Help,
    /// `QUIT` or `EXIT`
    Quit,
    /// `CLEAR`, which clears the screen.
    Clear,
    /// `HISTORY`
    History,
}

/// A piece of text from a statement, such as an option's value, without its quotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub value: String,
    /// Where it stands.
    pub span: Span,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub key: Text,
    /// The value.
    pub value: Text,
}

/// `CREATE TABLE`
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTable {
    /// The table's name.
    pub name: ObjectName,
    /// Whether `TEMPORARY` was said.
    pub temporary: bool,
    /// Whether a table that is there is left as it is.
    pub if_not_exists: bool,
    /// The columns, the primary key and the watermark.
    pub elements: TableElements,
    /// The table's comment.
    pub comment: Option<String>,
    /// The options of `WITH ('k' = 'v', …)`.
    pub options: Vec<Setting>,
    /// The columns of `PARTITIONED BY`.
    pub partitioned_by: Vec<Ident>,
    /// The columns of `DISTRIBUTED BY`.
    pub distributed_by: Vec<Ident>,
    /// `LIKE`
    pub like: Option<TableLike>,
    /// The query of `CREATE TABLE … AS`.
    pub query: Option<Box<Query>>,
}

/// What stands between the parentheses of a table definition.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableElements {
    /// The columns in order.
    pub columns: Vec<ColumnDefinition>,
    /// The columns of the primary key, which is always NOT ENFORCED.
    pub primary_key: Option<Vec<Ident>>,
    /// `WATERMARK FOR column AS expression`
    pub watermark: Option<(Ident, Expr)>,
}

/// A column of a table definition.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDefinition {
    /// The name.
    pub name: Ident,
    /// Where its values come from.
    pub kind: ColumnKind,
    /// Its comment.
    pub comment: Option<String>,
    /// Where `ALTER TABLE` is to put it.
    pub position: Option<ColumnPosition>,
}

/// Where the values of a column come from.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnKind {
    /// They are stored.
    Physical(DataType),
    /// `name AS expression`
    Computed(Box<Expr>),
    /// `name TYPE METADATA [FROM 'key'] [VIRTUAL]`
    Metadata {
        /// The type.
        data_type: DataType,
        /// The key, if it is not the column's name.
        key: Option<Text>,
        /// Whether it can only be read.
        is_virtual: bool,
    },
    /// A bare name in `CREATE TABLE … AS`, which orders the columns of the query.
    FromQuery,
}

/// Where a new column goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnPosition {
    /// `FIRST`
    First,
    /// `AFTER column`
    After(Ident),
}

/// `LIKE table (INCLUDING …, EXCLUDING …)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableLike {
    /// The table to take after.
    pub table: ObjectName,
    /// What to take: pairs such as `INCLUDING` and `OPTIONS`, in upper case.
    pub options: Vec<(String, String)>,
}

/// `CREATE VIEW`
#[derive(Debug, Clone, PartialEq)]
pub struct CreateView {
    /// The view's name.
    pub name: ObjectName,
    /// Names for the query's columns.
    pub columns: Vec<Ident>,
    /// Whether `TEMPORARY` was said.
    pub temporary: bool,
    /// Whether a view that is there is replaced.
    pub or_replace: bool,
    /// Whether a view that is there is left as it is.
    pub if_not_exists: bool,
    /// The view's comment.
    pub comment: Option<String>,
    /// The query.
    pub query: Box<Query>,
    /// The query's text.
    pub query_text: String,
}

/// A table or a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// A table.
    Table,
    /// A view.
    View,
}

/// `DROP TABLE`, `DROP VIEW`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drop {
    /// What is dropped.
    pub relation: Relation,
    /// Whether `TEMPORARY` was said.
    pub temporary: bool,
    /// Whether it may be missing.
    pub if_exists: bool,
    /// Its name.
    pub name: ObjectName,
}

/// `ALTER TABLE`
#[derive(Debug, Clone, PartialEq)]
pub struct AlterTable {
    /// The table.
    pub name: ObjectName,
    /// Whether it may be missing.
    pub if_exists: bool,
    /// What changes.
    pub action: AlterTableAction,
}

/// A change of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum AlterTableAction {
    /// `RENAME TO`
    RenameTable(ObjectName),
    /// `RENAME a TO b`
    RenameColumn {
        /// The column.
        from: Ident,
        /// Its new name.
        to: Ident,
    },
    /// `ADD` columns, a primary key or a watermark.
    Add(TableElements),
    /// `MODIFY` columns, the primary key or the watermark.
    Modify(TableElements),
    /// `DROP a`, `DROP (a, b)`
    DropColumns(Vec<Ident>),
    /// `DROP PRIMARY KEY`, `DROP CONSTRAINT name`
    DropPrimaryKey,
    /// `DROP WATERMARK`
    DropWatermark,
    /// `SET ('k' = 'v')`
    SetOptions(Vec<Setting>),
    /// `RESET ('k')`
    ResetOptions(Vec<Text>),
}

/// `ALTER VIEW`
#[derive(Debug, Clone, PartialEq)]
pub struct AlterView {
    /// The view.
    pub name: ObjectName,
    /// Whether it may be missing.
    pub if_exists: bool,
    /// What changes.
    pub action: AlterViewAction,
}

/// A change of a view.
#[derive(Debug, Clone, PartialEq)]
pub enum AlterViewAction {
    /// `RENAME TO`
    Rename(ObjectName),
    /// `AS query`
    SetQuery {
        /// The new query.
        query: Box<Query>,
        /// Its text.
        query_text: String,
    },
}

/// `SHOW …`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Show {
    /// What is shown.
    pub subject: ShowSubject,
    /// The pattern of `LIKE`.
    pub like: Option<ShowLike>,
}

/// What `SHOW` shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShowSubject {
    /// `SHOW TABLES [FROM db]`
    Tables(Option<ObjectName>),
    /// `SHOW VIEWS [FROM db]`
    Views(Option<ObjectName>),
    /// `SHOW COLUMNS FROM t`
    Columns(ObjectName),
    /// `SHOW CREATE TABLE t`
    CreateTable(ObjectName),
    /// `SHOW CREATE VIEW v`
    CreateView(ObjectName),
    /// `SHOW FUNCTIONS`
    Functions,
    /// `SHOW USER FUNCTIONS`
    UserFunctions,
    /// `SHOW JOBS`
    Jobs,
    /// `SHOW DATABASES`
    Databases,
    /// `SHOW CATALOGS`
    Catalogs,
    /// `SHOW MODULES`
    Modules,
    /// `SHOW CURRENT DATABASE`
    CurrentDatabase,
    /// `SHOW CURRENT CATALOG`
    CurrentCatalog,
}

/// `[NOT] LIKE 'pattern'` of `SHOW`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowLike {
    /// The pattern, with `%` and `_`.
    pub pattern: Text,
    /// Whether names that match are left out.
    pub negated: bool,
    /// `ILIKE`: whether case matters not.
    pub ignore_case: bool,
}

/// `EXPLAIN …`
#[derive(Debug, Clone, PartialEq)]
pub struct Explain {
    /// Which details were asked for.
    pub details: ExplainDetails,
    /// What is explained: a query, an INSERT or a statement set.
    pub statement: Box<Statement>,
    /// Where the explained statement stands.
    pub span: Span,
}

/// Which details an `EXPLAIN` asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent words of the statement")]
pub struct ExplainDetails {
    /// `CHANGELOG_MODE`
    pub changelog_mode: bool,
    /// `ESTIMATED_COST`
    pub estimated_cost: bool,
    /// `PLAN_ADVICE`
    pub plan_advice: bool,
    /// `JSON_EXECUTION_PLAN`
    pub json_execution_plan: bool,
}

/// `INSERT INTO`
#[derive(Debug, Clone, PartialEq)]
pub struct Insert {
    /// The table.
    pub table: ObjectName,
    /// The columns that are given, in their order; all if empty.
    pub columns: Vec<Ident>,
    /// The rows.
    pub source: InsertSource,
    /// `INSERT OVERWRITE`
    pub overwrite: bool,
    /// `ON CONFLICT DO …`
    pub on_conflict: Option<OnConflict>,
}

/// Where inserted rows come from.
#[derive(Debug, Clone, PartialEq)]
pub enum InsertSource {
    /// A query, `VALUES` with expressions included.
    Query(Box<Query>),
    /// `VALUES` with nothing but literals.
    Rows(LiteralRows),
}

/// What an upsert sink does with several rows of one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// `DO DEDUPLICATE`
    Deduplicate,
    /// `DO ERROR`
    Error,
    /// `DO NOTHING`
    Nothing,
}
