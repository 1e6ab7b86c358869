//! Views.

use crate::value::Schema;

/// A view: the text of its query, which the binder puts in the place of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The text of the query.
    pub query: String,
    /// The names that the view gives its columns, if it names them.
    pub column_names: Option<Vec<String>>,
    /// The columns as they were when the view was made.
    pub schema: Schema,
    /// What `COMMENT` says.
    pub comment: Option<String>,
    /// Whether it goes with the session and hides a permanent entry of the same name.
    pub temporary: bool,
}
