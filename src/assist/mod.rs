//! What an editor wants to know about a statement while it is typed: what may come at the cursor, and what
//! each piece of it is.
//!
//! The statement may be wrong or not complete, so nothing here parses it: both look at its words, its brackets
//! and the [`Session`], and guess. What a finished statement means is for others to say.
//!
//! ```
//! use rowkind::Session;
//! use rowkind::assist::complete;
//!
//! let mut session = Session::new();
//! session.run_all("CREATE TABLE orders (id INT, region STRING)")?;
//! let text = "SELECT reg FROM orders";
//! let completion = complete(&session, text, "SELECT reg".len());
//! assert_eq!(completion.candidates[0].text, "region");
//! assert_eq!(completion.start, "SELECT ".len());
//! # Ok::<(), rowkind::session::Error>(())
//! ```

mod changelog;
mod cursor;
mod definition;
mod document;
mod join;
mod mark;
mod naming;
mod offer;
mod option;
mod place;
mod relation;
mod words;

pub use document::{Document, document};
pub use mark::{Mark, marks, matching_brackets};
pub use offer::{Candidate, Completion, Sort};
pub use option::path_start;

use crate::Session;
use crate::expr::{aggregate, function};
use crate::plan::changelog_function;

/// What may come at a byte of a text of statements. What is typed there already is replaced.
pub fn complete(session: &Session, text: &str, byte: usize) -> Completion {
    complete_as(session, text, byte, false)
}

/// What may come at a byte of a text that is a query, or the name of a table or view.
pub fn complete_query(session: &Session, text: &str, byte: usize) -> Completion {
    complete_as(session, text, byte, true)
}

fn complete_as(session: &Session, text: &str, byte: usize, only_query: bool) -> Completion {
    match cursor::Cursor::new(text, byte) {
        Some(cursor) => place::Place::new(session, cursor, only_query).complete(),
        None => Completion { start: byte, candidates: Vec::new() },
    }
}

/// The names of all functions, in order.
pub fn function_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = all_functions().map(|(name, _)| name).collect();
    names.extend(changelog_function::FUNCTIONS.map(|(name, ..)| name));
    names.sort_unstable();
    names.dedup();
    names
}

/// The functions that give a value, and how they are called.
fn all_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_word = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let scalar = function::all().map(|function| (function.name, function.syntax));
    let aggregates = aggregate::FUNCTIONS.iter().map(|(name, syntax, _)| (*name, *syntax));
    scalar.chain(aggregates).filter(move |(name, _)| is_word(name))
}
