//! The query that puts rows together of events that say only what changed.

use std::fmt::Write;

use super::{literal, quoted};

/// A query that keeps what events said last of each column of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Merge {
    /// What is read; `{}` stands for the table.
    pub(super) from: String,
    /// What must hold of an event.
    pub(super) conditions: Vec<String>,
    /// The column that says which row an event is about: a name and an expression.
    pub(super) key: (String, String),
    /// The expression with the code of the operation.
    pub(super) op: String,
    /// The codes of deletions.
    pub(super) deletions: Vec<&'static str>,
    /// The other columns: each a name and an expression.
    pub(super) columns: Vec<(String, String)>,
}

impl Merge {
    /// The query, for a table.
    pub(super) fn text(&self, table: &str) -> String {
        let (key, key_expression) = &self.key;
        let names: Vec<String> = self.columns.iter().map(|(name, _)| quoted(name)).collect();
        let op = self.name_of_op();
        let mut text = format!(
            "SELECT {}\nFROM (\n  SELECT {key_expression} AS {},\n    LAST_VALUE({}) AS {op}",
            [&[quoted(key)], names.as_slice()].concat().join(", "),
            quoted(key),
            self.op
        );
        for ((_, expression), name) in self.columns.iter().zip(&names) {
            let _ = write!(text, ",\n    {expression} AS {name}");
        }
        let _ = write!(text, "\n  FROM {}", self.from.replace("{}", &quoted(table)));
        if !self.conditions.is_empty() {
            let _ = write!(text, "\n  WHERE {}", self.conditions.join(" AND "));
        }
        let _ = write!(
            text,
            "\n  GROUP BY {key_expression}\n) AS merged\nWHERE {op} NOT IN ({})",
            self.deletions.iter().map(|code| literal(code)).collect::<Vec<_>>().join(", ")
        );
        text
    }

    /// A name for the code of the last operation that no column has.
    fn name_of_op(&self) -> String {
        let is_free =
            |name: &String| *name != self.key.0 && self.columns.iter().all(|(other, _)| other != name);
        let numbered = (2..).map(|number| format!("last_change_{number}"));
        std::iter::once("last_change".to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }
}
