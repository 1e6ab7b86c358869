//! Rows as INSERT statements, which make the same rows again here and in Flink.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::view::{Ending, Look, View};
use crate::changelog::{Changes, RowKind};
use crate::session::Header;
use crate::sql::{literal, quoted_if_needed, typed_literal};
use crate::value::{DataType, Schema, Value};

/// The changes of the format `insert`: comments say their kinds where they are not all `+I`, as scripts do.
#[derive(Debug)]
pub(super) struct Inserts {
    look: Look,
    statements: Option<Statements>,
}

/// Writes rows as statements.
#[derive(Debug)]
struct Statements {
    /// The table as it is written.
    table: String,
    types: Vec<DataType>,
    /// The kinds of the rows that are not written yet.
    kinds: Vec<RowKind>,
    /// These rows.
    rows: String,
}

/// The table, if none is named.
const TABLE: &str = "t";

/// The most rows of a statement.
const ROWS: usize = 100;

impl Inserts {
    pub(super) fn new(look: &Look) -> Self {
        Self { look: look.clone(), statements: None }
    }
}

impl View for Inserts {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.statements = Some(Statements::new(&self.look, &header.schema));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(statements) = &mut self.statements else { return Ok(()) };
        for change in changes.iter() {
            statements.row(change.kind, change.row);
            statements.write(out, ROWS)?;
        }
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.statements.as_mut().map_or(Ok(()), |statements| statements.write(out, 1))
    }

    fn end(&mut self, out: &mut dyn Write, _ending: Ending) -> io::Result<()> {
        self.flush(out)?;
        self.statements = None;
        Ok(())
    }
}

/// Writes a list as statements.
pub(super) fn write_inserts(
    out: &mut dyn Write,
    look: &Look,
    schema: &Schema,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let mut statements = Statements::new(look, schema);
    for row in rows {
        statements.row(RowKind::Insert, row);
        statements.write(out, ROWS)?;
    }
    statements.write(out, 1)
}

impl Statements {
    fn new(look: &Look, schema: &Schema) -> Self {
        Self {
            table: quoted_if_needed(look.table.as_deref().unwrap_or(TABLE)),
            types: schema.types().cloned().collect(),
            kinds: Vec::new(),
            rows: String::new(),
        }
    }

    /// Appends a row.
    fn row(&mut self, kind: RowKind, row: &[Value]) {
        self.rows.push_str(if self.kinds.is_empty() { "\n  (" } else { ",\n  (" });
        for (i, (value, data_type)) in row.iter().zip(&self.types).enumerate() {
            if i > 0 {
                self.rows.push_str(", ");
            }
            // Flink takes no NULL without a type in VALUES.
            let text = if value.is_null() { typed_literal } else { literal }(value, data_type);
            self.rows.push_str(&text);
        }
        self.rows.push(')');
        self.kinds.push(kind);
    }

    /// Writes the rows that were appended if there are enough.
    fn write(&mut self, out: &mut dyn Write, enough: usize) -> io::Result<()> {
        if self.kinds.len() < enough {
            return Ok(());
        }
        let mut statement = String::new();
        if self.kinds.iter().any(|kind| *kind != RowKind::Insert) {
            let symbols: Vec<&str> = self.kinds.iter().map(|kind| kind.symbol()).collect();
            writeln!(statement, "-- kinds: {}", symbols.join(" ")).expect("a string takes all");
        }
        writeln!(statement, "INSERT INTO {} VALUES{};", self.table, self.rows).expect("a string takes all");
        self.kinds.clear();
        self.rows.clear();
        out.write_all(statement.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::super::{Format, Side};
    use super::*;

    fn look(table: &str, side: Side) -> Look {
        Look { table: Some(table.into()), side, ..Look::default() }
    }

    #[test]
    fn the_rows_of_the_table_are_inserted() {
        let log = changes("+I 1 it's, +I 2 NULL, +I 3 c, -D 3 c");
        let text = shown(&mut *Format::Insert.view(&look("a table", Side::Auto)), &header(), &log);
        assert_eq!(text, "INSERT INTO `a table` VALUES\n  (1, 'it''s'),\n  (2, CAST(NULL AS STRING));\n");
        let text = shown(&mut *Format::Insert.view(&Look::default()), &header(), &changes("+I 1 a"));
        assert_eq!(text, "INSERT INTO t VALUES\n  (1, 'a');\n");
    }

    #[test]
    fn changes_have_their_kinds_and_many_rows_several_statements() {
        let look = look("orders", Side::Changes);
        let text = shown(&mut *Format::Insert.view(&look), &header(), &changes("+I 1 a, -D 1 a"));
        assert_eq!(text, "-- kinds: +I -D\nINSERT INTO orders VALUES\n  (1, 'a'),\n  (1, 'a');\n");
        let many = vec!["+I 1 a"; ROWS + 1].join(", ");
        let text = shown(&mut *Format::Insert.view(&look), &header(), &changes(&many));
        assert_eq!((text.matches("INSERT").count(), text.matches("'a'").count()), (2, ROWS + 1));
        let nothing = Changes::new(2);
        assert_eq!(shown(&mut *Format::Insert.view(&look), &header(), &nothing), "");
    }
}
