//! Text to statements, with the place of everything that could be wrong with it.
//!
//! Here live the splitting of scripts ([`Splitter`], [`is_complete`]), Flink's dialect, the statements
//! ([`Statement`], read by [`parse`]) and the errors of reading ([`ParseError`]). This room knows what
//! Flink lets one write. It does not know which tables and functions exist, nor the types of expressions.
//!
//! Queries and expressions are `sqlparser`'s trees. Where Flink has forms that the tree has not, they are
//! held in the nearest ones, and functions here read them back, so that no other room knows how:
//!
//! | written | in the tree | read with |
//! |---|---|---|
//! | a type, as in `CAST(x AS ROW<a INT NOT NULL>)` | a custom type named like the type | [`data_type`] |
//! | `f(input => TABLE t PARTITION BY k ORDER BY ts)`, `TABLE(f(x))`, `LATERAL TABLE(f(x))`, `UNNEST(x)` in FROM | table factors of three kinds; `TABLE …` is a call of `TABLE` | [`table_function`] |
//! | `JSON_VALUE(j, '$.a' RETURNING INT DEFAULT 1 ON EMPTY)` and the other JSON functions | a call; clauses are arguments with made-up names | [`json_options`] |
//! | `INSERT INTO t VALUES` with nothing but literals | [`LiteralRows`], no tree | [`LiteralRows::row`] |
//! | `MAP[k, v]`, `ARRAY[…]` | `Expr::Map`, `Expr::Array` | |
//! | `MULTISET[…]`, `ROW(…)` | calls; `(a, b)` is `Expr::Tuple` | |
//! | `DATE '…'`, `TIME '…'`, `TIMESTAMP '…'` | `Expr::TypedString` with the types `Date`, `Time`, `Timestamp` | |
//! | `INTERVAL '1' DAY`, `INTERVAL '1-2' YEAR TO MONTH` | `Expr::Interval` | |
//! | `U&'\263A'`, `N'x'`, `_UTF8'x'`, a string that goes on on the next line | a single-quoted string | [`string_literal`] |
//! | `X'0a'` | `Value::HexStringLiteral` | |
//! | `TIMESTAMPADD(DAY, 1, ts)`, `TIMESTAMPDIFF` | a call whose first argument is the identifier `DAY` | |
//! | `FLOOR(x TO DAY)`, `CEIL`, `EXTRACT`, `POSITION`, `SUBSTRING`, `OVERLAY`, `TRIM` | the nodes of those names; `TRIM(LEADING FROM x)` has no `trim_what` | |
//! | `BETWEEN SYMMETRIC a AND b` | the low bound is `Expr::Prefixed` with `SYMMETRIC` | |
//! | `a.b['k'].c` and `a.b.c` | `Expr::CompoundFieldAccess` and `Expr::CompoundIdentifier` | |
//! | `CURRENT_DATE`, `LOCALTIME`, … | calls without arguments (`FunctionArguments::None`) | |
//! | `USER`, which Flink reads as a function | the identifier, with a notice | [`Notices`] |
//! | `WITHIN INTERVAL …` of `MATCH_RECOGNIZE` | the first symbol definition, named `WITHIN` in double quotes | |
//! | `t /*+ OPTIONS('k' = 'v') */` | one more part of the table's name, in double quotes | [`table_options`] |
//!
//! Forms of other dialects that the parser takes in spite of the dialect (`SELECT … INTO`, `LIMIT x, y`, …)
//! have fields of their own in the tree; who binds a query refuses the fields that Flink does not have.
//!
//! Statements are refused when their tree would be too deep: 64 levels of brackets, 500 operators in a
//! chain. Up to there the tree is walked by recursion, so whoever binds it needs a stack of some megabytes.

mod alter;
mod data_type;
mod ddl;
mod diagnose;
mod dialect;
mod error;
mod insert;
mod json;
mod lexeme;
mod literal;
mod misread;
mod prefix;
mod quote;
mod rows;
mod scan;
mod span;
mod split;
pub mod statement;
mod statement_parser;
pub mod stretch;
mod table_function;
mod table_options;
mod tokens;
mod words;

pub use data_type::data_type;
pub use error::ParseError;
pub use json::{JsonBehavior, JsonNull, JsonOptions, JsonWrapper, json_options};
pub use lexeme::{Lexeme, LexemeKind, lexemes, with_straight_quotes};
pub(crate) use literal::{literal, typed_literal};
pub use misread::{Misread, misread_keyword};
pub use quote::{quoted_if_needed, with_quoted_names};
pub use rows::{Literal, LiteralRows};
pub use span::{Place, Span};
pub use split::{Item, Piece, Splitter, Terminator, is_bare_word, is_complete, may_end_with_command};
pub use statement::{Notices, Parsed, Statement};
pub use statement_parser::parse;
pub use table_function::{
    ArgumentValue, SortKey, TableArgument, TableFunctionCall, TableSource, string_literal, table_function,
};
pub use table_options::{TableOptions, table_options};
pub use words::is_reserved;
