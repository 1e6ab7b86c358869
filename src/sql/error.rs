//! Why a text is not a statement.

use thiserror::Error;

use super::span::Span;

/// A text that is not a statement, with the place where reading failed and, where there is one, a way out.
///
/// The message reads like PostgreSQL's: lower case, no full stop. The hint is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// Where, relative to the text that was given.
    pub span: Span,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ParseError {
    /// An error at a place.
    pub fn new(message: impl Into<String>, span: impl Into<Span>) -> Self {
        Self { message: message.into(), span: span.into(), hint: None }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
