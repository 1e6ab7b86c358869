//! The call of `FROM_CHANGELOG` that makes changes of events.

use std::fmt::Write;

use super::{literal, quoted};
use crate::value::DataType;

/// A call of `FROM_CHANGELOG`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Call {
    /// Columns of the table that need a type other than that of their values.
    pub(super) types: Vec<(String, DataType)>,
    /// The expression with the code of the operation.
    pub(super) op: String,
    /// The columns of the row: each a name and an expression.
    pub(super) columns: Vec<(String, String)>,
    /// What is read, if not the table alone; `{}` stands for the table.
    pub(super) from: Option<String>,
    pub(super) conditions: Vec<String>,
    /// The columns that say which row an event is about.
    pub(super) key: Vec<String>,
    /// Codes with commas between them, and the kind of change that they mean.
    pub(super) mapping: Vec<(String, &'static str)>,
    /// Whether there are events that mean no change.
    pub(super) skips: bool,
}

impl Call {
    /// The query, for a table with these columns.
    pub(super) fn text(&self, table: &str, names: &[&str]) -> String {
        let is_taken = self.columns.iter().any(|(name, _)| name == "op");
        let is_plain = self.from.is_none()
            && self.conditions.is_empty()
            && names.iter().any(|name| quoted(name) == self.op)
            && self.columns.len() + 1 == names.len()
            && self.columns.iter().all(|(name, expression)| quoted(name) == *expression);
        let mut text = "SELECT * FROM FROM_CHANGELOG(\n  input => ".to_owned();
        let op = if is_plain {
            let _ = write!(text, "TABLE {}", quoted(table));
            self.op.as_str()
        } else {
            let op = if is_taken { "op_code" } else { "op" };
            self.write_query(&mut text, table, op);
            op
        };
        let key: Vec<String> = self.key.iter().map(|name| quoted(name)).collect();
        match key.as_slice() {
            [] => {}
            [one] => {
                let _ = write!(text, " PARTITION BY {one}");
            }
            several => {
                let _ = write!(text, " PARTITION BY ({})", several.join(", "));
            }
        }
        let entries = self.mapping.iter().map(|(codes, kind)| format!("{}, '{kind}'", literal(codes)));
        let entries: Vec<String> = entries.collect();
        let _ = write!(text, ",\n  op => DESCRIPTOR({op}),\n  op_mapping => MAP[{}]", entries.join(", "));
        text.push_str(if self.skips { ",\n  error_handling => 'SKIP')" } else { ")" });
        text
    }

    fn write_query(&self, text: &mut String, table: &str, op: &str) {
        let as_name = |name: &str, expression: &str| {
            let name = quoted(name);
            if name == expression { name } else { format!("{expression} AS {name}") }
        };
        let columns = self.columns.iter().map(|(name, expression)| as_name(name, expression));
        let columns: Vec<String> = std::iter::once(as_name(op, &self.op)).chain(columns).collect();
        let _ = write!(text, "TABLE (\n    SELECT {}\n    FROM ", columns.join(",\n      "));
        match &self.from {
            Some(from) => text.push_str(&from.replace("{}", &quoted(table))),
            None => text.push_str(&quoted(table)),
        }
        for (index, condition) in self.conditions.iter().enumerate() {
            let word = if index == 0 { "\n    WHERE" } else { " AND" };
            let _ = write!(text, "{word} {condition}");
        }
        text.push_str("\n  )");
    }
}
