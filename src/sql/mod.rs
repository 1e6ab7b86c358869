//! Text to statements.
mod alter;
mod data_type;
mod ddl;
mod diagnose;
mod dialect;
mod error;
mod insert;
mod json;
mod prefix;
mod rows;
mod scan;
mod span;
mod split;
pub mod statement;
mod statement_parser;
mod table_function;
mod tokens;
mod words;
pub use data_type::data_type;
pub use error::ParseError;
pub use json::{JsonBehavior, JsonNull, JsonOptions, JsonWrapper, json_options};
pub use rows::{Literal, LiteralRows};
pub use span::{Place, Span};
pub use split::{Item, Piece, Splitter, Terminator, is_complete};
pub use statement::{Parsed, Statement};
pub use statement_parser::parse;
pub use table_function::{
    ArgumentValue, SortKey, TableArgument, TableFunctionCall, TableSource, string_literal, table_function,
};
pub use words::is_reserved;
