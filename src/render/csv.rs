//! Comma-separated values, as RFC 4180 has them but with `\n` at the end of a line.
//!
//! NULL is nothing, an empty string is `""`.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::view::{Ending, View};
use crate::changelog::Changes;
use crate::session::Header;
use crate::value::display::write_value;
use crate::value::{DataType, Schema, TypeKind, Value};

/// The format `csv`: a line of names, the first of which is `op`, and a line for each change.
#[derive(Debug, Default)]
pub(super) struct Csv {
    lines: Option<Lines>,
}

/// Writes rows as lines, with a buffer that is used again.
#[derive(Debug)]
pub(super) struct Lines {
    columns: Vec<(DataType, Quoting)>,
    zone: TimeZone,
    buffer: String,
}

/// Whether the text of a type can need quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    Never,
    Perhaps,
}

/// How much is written at once, in bytes.
const AT_ONCE: usize = 32 << 10;

impl View for Csv {
    fn begin(&mut self, out: &mut dyn Write, header: &Header) -> io::Result<()> {
        let mut lines = Lines::new(&header.schema, &header.time_zone);
        lines.head(&["op"], &header.schema);
        self.lines = Some(lines);
        self.flush(out)
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        for change in changes.iter() {
            lines.buffer.push_str(change.kind.symbol());
            lines.buffer.push(',');
            lines.row(change.row);
            lines.write(out, AT_ONCE)?;
        }
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.lines.as_mut().map_or(Ok(()), |lines| lines.write(out, 0))
    }

    fn end(&mut self, out: &mut dyn Write, _ending: Ending) -> io::Result<()> {
        self.flush(out)?;
        self.lines = None;
        Ok(())
    }
}

impl Lines {
    pub(super) fn new(schema: &Schema, zone: &TimeZone) -> Self {
        let column = |data_type: &DataType| (data_type.clone(), Quoting::of(&data_type.kind));
        Self { columns: schema.types().map(column).collect(), zone: zone.clone(), buffer: String::new() }
    }

    /// Appends the line of names.
    pub(super) fn head(&mut self, before: &[&str], schema: &Schema) {
        for (i, name) in before.iter().copied().chain(schema.names()).enumerate() {
            if i > 0 {
                self.buffer.push(',');
            }
            let start = self.buffer.len();
            self.buffer.push_str(name);
            quote(&mut self.buffer, start);
        }
        self.buffer.push('\n');
    }

    /// Appends the line of a row.
    pub(super) fn row(&mut self, row: &[Value]) {
        for (i, (value, (data_type, quoting))) in row.iter().zip(&self.columns).enumerate() {
            if i > 0 {
                self.buffer.push(',');
            }
            if value.is_null() {
                continue;
            }
            let start = self.buffer.len();
            write_value(&mut self.buffer, value, data_type, &self.zone);
            if *quoting == Quoting::Perhaps {
                quote(&mut self.buffer, start);
            }
        }
        self.buffer.push('\n');
    }

    /// Writes what was appended if it is more than a number of bytes.
    pub(super) fn write(&mut self, out: &mut dyn Write, more_than: usize) -> io::Result<()> {
        if self.buffer.len() > more_than {
            out.write_all(self.buffer.as_bytes())?;
            self.buffer.clear();
        }
        Ok(())
    }
}

impl Quoting {
    fn of(kind: &TypeKind) -> Self {
        match kind {
            TypeKind::Char(_)
            | TypeKind::VarChar(_)
            | TypeKind::Array(_)
            | TypeKind::Map(..)
            | TypeKind::Multiset(_)
            | TypeKind::Row(_)
            | TypeKind::Bitmap => Self::Perhaps,
            TypeKind::Null
            | TypeKind::Boolean
            | TypeKind::TinyInt
            | TypeKind::SmallInt
            | TypeKind::Int
            | TypeKind::BigInt
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::Decimal { .. }
            | TypeKind::Binary(_)
            | TypeKind::VarBinary(_)
            | TypeKind::Date
            | TypeKind::Time(_)
            | TypeKind::Timestamp(_)
            | TypeKind::TimestampLtz(_)
            | TypeKind::IntervalMonth
            | TypeKind::IntervalSecond => Self::Never,
        }
    }
}

/// Puts quotes around the text from a byte on, if it needs them.
fn quote(text: &mut String, start: usize) {
    let field = &text[start..];
    if !field.is_empty() && !field.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        return;
    }
    let quoted = format!("\"{}\"", field.replace('"', "\"\""));
    text.truncate(start);
    text.push_str(&quoted);
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;
    use crate::changelog::{Cause, RowKind};
    use crate::value::Column;

    #[test]
    fn each_change_is_a_line_and_null_is_not_an_empty_string() {
        let mut log = changes("+I 1 a, -U 1 a,b, +U 2 NULL, +U 3 say \"x\"");
        log.push(RowKind::Delete, Cause::default(), &[Value::NULL, Value::string("")]);
        log.push(RowKind::Delete, Cause::default(), &[Value::NULL, Value::string("two\nlines")]);
        assert_eq!(
            shown(&mut Csv::default(), &header(), &log),
            "op,id,name\n+I,1,a\n-U,1,\"a,b\"\n+U,2,\n+U,3,\"say \"\"x\"\"\"\n-D,,\"\"\n-D,,\"two\nlines\"\n"
        );
    }

    #[test]
    fn names_and_nested_values_are_quoted_too() {
        let list = DataType::array(DataType::int());
        let schema = Schema::new(vec![Column::new("a,b", list)]);
        let header = Header { schema, key: None, time_zone: TimeZone::UTC };
        let mut log = Changes::new(1);
        let list = Value::list(vec![Value::integer(1), Value::NULL]);
        log.push(RowKind::Insert, Cause::default(), &[list]);
        assert_eq!(shown(&mut Csv::default(), &header, &log), "op,\"a,b\"\n+I,\"[1, NULL]\"\n");
    }
}
