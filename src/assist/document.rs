//! What is known of a function by its name.

use crate::expr::{aggregate, function};
use crate::plan::changelog_function;

/// How a function is called and what it gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document {
    /// How it is called.
    pub syntax: &'static str,
    /// One sentence on what it gives.
    pub summary: &'static str,
    /// A call and its result.
    pub example: Option<(&'static str, &'static str)>,
}

/// What a function with this name does, in any case.
pub fn document(name: &str) -> Option<Document> {
    if let Some(function) = function::find(name) {
        let (syntax, summary, example) = (function.syntax, function.summary, function.example);
        return Some(Document { syntax, summary, example });
    }
    let aggregates = aggregate::FUNCTIONS.iter().copied();
    let mut others = aggregates.chain(changelog_function::FUNCTIONS);
    let (_, syntax, summary) = others.find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
    Some(Document { syntax, summary, example: None })
}
