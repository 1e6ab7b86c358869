//! Statements and what became of them, in the layout of the recordings of a real Flink.
//!
//! ```text
//! > SELECT id, name FROM t
//! # id INT, name STRING
//! +I[1, alice]
//! = final
//! [1, alice]
//! ```
//!
//! The layout is stable: transcripts are compared with each other.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::view::{Ending, Look, View};
use crate::changelog::{Changes, Materialized};
use crate::session::{Collected, Header, Outcome, Rows};
use crate::value::{RowText, Schema, Value};
use jiff::tz::TimeZone;

/// The format `transcript`. A query that fails shows nothing of what came before: how much that is has no
/// meaning. So all is held back until the end.
#[derive(Debug)]
pub(super) struct Transcript {
    unordered: bool,
    result: Option<Result>,
}

#[derive(Debug)]
struct Result {
    head: String,
    text: RowText,
    changes: Vec<String>,
    table: Materialized,
}

impl Transcript {
    pub(super) fn new(look: &Look) -> Self {
        Self { unordered: look.unordered, result: None }
    }
}

impl View for Transcript {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.result = Some(Result {
            head: head(&header.schema),
            text: RowText::new(&header.schema, header.time_zone.clone()),
            changes: Vec::new(),
            // The result is what the changes leave of all rows, whatever their key.
            table: Materialized::new(None),
        });
        Ok(())
    }

    fn changes(&mut self, _out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        if let Some(result) = &mut self.result {
            for change in changes.iter() {
                result.changes.push(format!("{}{}", change.kind, result.text.of(change.row)));
                result.table.apply(change);
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        let Some(mut result) = self.result.take() else { return Ok(()) };
        if ending == Ending::Failed {
            return Ok(());
        }
        if self.unordered {
            result.changes.sort_unstable();
        }
        let mut rows: Vec<String> = result.table.rows().map(|row| result.text.of(row)).collect();
        rows.sort_unstable();
        let end = ["= final".to_owned()];
        let lines = [&result.head].into_iter().chain(&result.changes).chain(&end).chain(&rows);
        write_lines(out, lines)
    }
}

/// Writes a statement as it was given, each line after `> `.
pub fn write_echo(out: &mut dyn Write, statement: &str) -> io::Result<()> {
    write_lines(out, statement.lines().map(|line| format!("> {}", line.trim_end())))
}

/// Writes what a statement says that is no query: `OK`, a list or a text.
pub fn write_answer(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    match outcome {
        Outcome::Rows(rows) => write_list(out, rows),
        Outcome::Text(text) => writeln!(out, "{}", text.trim_end()),
        Outcome::Queried => Ok(()),
        Outcome::Done
        | Outcome::Inserted { .. }
        | Outcome::Updated { .. }
        | Outcome::Deleted { .. }
        | Outcome::Started { .. }
        | Outcome::Command(_) => {
            writeln!(out, "OK")
        }
    }
}

fn write_list(out: &mut dyn Write, Rows { schema, rows }: &Rows) -> io::Result<()> {
    write_rows_as_transcript(out, schema, &mut rows.iter().map(|row| &**row))
}

/// Writes the columns and the rows of a list.
pub(super) fn write_rows_as_transcript(
    out: &mut dyn Write,
    schema: &Schema,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let text = RowText::new(schema, TimeZone::UTC);
    write_lines(out, std::iter::once(head(schema)).chain(rows.map(|row| text.of(row))))
}

/// Writes the changes of a table's log or of what is watched, without columns and without a result.
pub fn write_log(out: &mut dyn Write, log: &Collected) -> io::Result<()> {
    let Some(header) = &log.header else { return Ok(()) };
    let text = RowText::new(&header.schema, header.time_zone.clone());
    write_lines(out, log.changes.iter().map(|change| format!("{}{}", change.kind, text.of(change.row))))
}

/// Writes an error: its message, and then what else it says, each line after `! `.
pub fn write_problem(
    out: &mut dyn Write,
    message: &str,
    detail: Option<&str>,
    hint: Option<&str>,
) -> io::Result<()> {
    write_lines(out, message.lines().map(|line| format!("! {line}")))?;
    let labelled = [("detail", detail), ("hint", hint)];
    for (label, text) in labelled {
        write_lines(out, text.into_iter().flat_map(str::lines).map(|line| format!("! {label}: {line}")))?;
    }
    Ok(())
}

fn head(schema: &Schema) -> String {
    let mut head = String::from("# ");
    for (i, column) in schema.columns.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        write!(head, "{comma}{} {}", column.name, column.data_type).expect("a string takes all");
    }
    head
}

fn write_lines<T: AsRef<str>>(out: &mut dyn Write, lines: impl IntoIterator<Item = T>) -> io::Result<()> {
    lines.into_iter().try_for_each(|line| {
        out.write_all(line.as_ref().as_bytes())?;
        out.write_all(b"\n")
    })
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn a_query_shows_its_columns_its_changes_and_its_sorted_result() {
        let log = changes("+I 2 b, +I 1 a, +I 3 c, -D 3 c");
        let mut view = Transcript::new(&Look::default());
        assert_eq!(
            shown(&mut view, &header(), &log),
            "# id INT, name STRING\n+I[2, b]\n+I[1, a]\n+I[3, c]\n-D[3, c]\n= final\n[1, a]\n[2, b]\n"
        );
        let mut view = Transcript::new(&Look { unordered: true, ..Look::default() });
        let text = shown(&mut view, &header(), &log);
        assert!(text.starts_with("# id INT, name STRING\n+I[1, a]\n+I[2, b]\n+I[3, c]\n-D"), "{text}");
    }

    #[test]
    fn a_failed_query_shows_nothing() {
        let mut view = Transcript::new(&Look::default());
        let mut out = Vec::new();
        view.begin(&mut out, &header()).unwrap();
        view.changes(&mut out, &changes("+I 1 a")).unwrap();
        view.end(&mut out, Ending::Failed).unwrap();
        assert_eq!(out, b"");
    }

    #[test]
    fn statements_and_errors_have_their_marks() {
        let mut out = Vec::new();
        write_echo(&mut out, "SELECT a, -- one\r\n  b\nFROM t").unwrap();
        write_problem(&mut out, "no such thing", Some("one\ntwo"), Some("Try b.")).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "> SELECT a, -- one\n>   b\n> FROM t\n! no such thing\n! detail: one\n! detail: two\n! hint: Try b.\n"
        );
    }
}
