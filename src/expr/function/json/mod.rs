//! Functions on JSON.
//!
//! Their clauses arrive as literal arguments, which the SQL front puts in place:
//!
//! - `JSON_VALUE(text, path, returning, empty, default, error, default)`: `returning` is a NULL of
//!   the type to return, `STRING` if none is named; `empty` and `error` say what happens then:
//!   `'NULL'`, `'ERROR'` or `'DEFAULT'`; the default, NULL where there is none, follows. It must be a
//!   literal; a cast of a literal is folded to one before.
//! - `JSON_QUERY(text, path, returning, wrapper, empty, error)`: `wrapper` is `'WITHOUT'`,
//!   `'CONDITIONAL'` or `'UNCONDITIONAL'`, the actions are `'NULL'`, `'ERROR'`, `'EMPTY ARRAY'` or
//!   `'EMPTY OBJECT'`.
//! - `JSON_EXISTS(text, path, error)`: `'TRUE'`, `'FALSE'`, `'UNKNOWN'` or `'ERROR'`.
//! - `IS JSON(text, kind)`: `'VALUE'`, `'SCALAR'`, `'ARRAY'` or `'OBJECT'`. `IS NOT JSON` is its
//!   negation.
//! - `JSON_OBJECT(null, forms, key, value, …)` and `JSON_ARRAY(null, forms, value, …)`: `null` is
//!   `'NULL'` or `'ABSENT'`, by default `NULL` for objects and `ABSENT` for arrays. `forms` has one
//!   letter for each value: `j` if it is itself a call of `JSON_OBJECT` or `JSON_ARRAY`, whose text is
//!   taken as it is; `p` if it was written as `JSON(text)`, of which only the text is passed and is
//!   parsed; `v` for every other value.
//!
//! Without any clause, `JSON_VALUE`, `JSON_QUERY` and `JSON_EXISTS` may be called with two arguments.

pub(super) mod construction;
mod document;
mod path;
pub(super) mod query;
pub(super) mod quote;

use super::{Argument, TypeMismatch};

/// The literal text of a clause.
///
/// # Errors
/// It is none of these words.
fn clause(arg: &Argument<'_>, words: &[&'static str]) -> Result<&'static str, TypeMismatch> {
    let text = arg.literal.and_then(|literal| literal.as_str());
    let word = words.iter().copied().find(|&word| Some(word) == text);
    word.ok_or_else(|| TypeMismatch::new(format!("takes one of the words {}", words.join(", "))))
}
