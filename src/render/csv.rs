//! Values separated by commas, as RFC 4180 has them but with `\n` at the end of a line, or by tabs.
//!
//! Between commas NULL is nothing and an empty string is `""`. Between tabs NULL is `\N`, and tabs, ends of
//! lines and backslashes in a text are `\t`, `\n`, `\r` and `\\`, as PostgreSQL's COPY has it.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::view::{Ending, Look, View};
use crate::changelog::Changes;
use crate::session::Header;
use crate::value::display::write_value;
use crate::value::{DataType, Schema, TypeKind, Value};

/// The formats `csv` and `tsv`: a line of names, the first of which is `op`, and a line for each change.
#[derive(Debug)]
pub(super) struct Csv {
    separator: Separator,
    look: Look,
    lines: Option<Lines>,
}

/// What stands between values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Comma,
    Tab,
}

/// Writes rows as lines, with a buffer that is used again.
#[derive(Debug)]
pub(super) struct Lines {
    separator: Separator,
    columns: Vec<(DataType, Quoting)>,
    null: String,
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

impl Csv {
    pub(super) fn new(separator: Separator, look: &Look) -> Self {
        Self { separator, look: look.clone(), lines: None }
    }
}

impl View for Csv {
    fn begin(&mut self, out: &mut dyn Write, header: &Header) -> io::Result<()> {
        let mut lines = Lines::new(self.separator, &self.look, &header.schema, &header.time_zone);
        if self.look.headers {
            lines.head(&["op"], &header.schema);
        }
        self.lines = Some(lines);
        self.flush(out)
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        for change in changes.iter() {
            lines.buffer.push_str(change.kind.symbol());
            lines.buffer.push(lines.separator.symbol());
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

/// Writes a list as lines.
pub(super) fn write_lines(
    out: &mut dyn Write,
    separator: Separator,
    look: &Look,
    schema: &Schema,
    zone: &TimeZone,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let mut lines = Lines::new(separator, look, schema, zone);
    if look.headers {
        lines.head(&[], schema);
    }
    for row in rows {
        lines.row(row);
        lines.write(out, AT_ONCE)?;
    }
    lines.write(out, 0)
}

impl Separator {
    fn symbol(self) -> char {
        match self {
            Self::Comma => ',',
            Self::Tab => '\t',
        }
    }

    /// What stands for NULL if nothing else is asked for.
    fn null(self) -> &'static str {
        match self {
            Self::Comma => "",
            Self::Tab => "\\N",
        }
    }

    /// Makes the text from a byte on one value that is not NULL.
    fn protect(self, text: &mut String, start: usize, null: &str) {
        match self {
            Self::Comma => quote(text, start, null),
            Self::Tab => escape(text, start),
        }
    }
}

impl Lines {
    fn new(separator: Separator, look: &Look, schema: &Schema, zone: &TimeZone) -> Self {
        let column = |data_type: &DataType| (data_type.clone(), Quoting::of(&data_type.kind));
        Self {
            separator,
            columns: schema.types().map(column).collect(),
            null: look.null_or(separator.null()).to_owned(),
            zone: zone.clone(),
            buffer: String::new(),
        }
    }

    /// Appends the line of names.
    fn head(&mut self, before: &[&str], schema: &Schema) {
        for (i, name) in before.iter().copied().chain(schema.names()).enumerate() {
            if i > 0 {
                self.buffer.push(self.separator.symbol());
            }
            let start = self.buffer.len();
            self.buffer.push_str(name);
            self.separator.protect(&mut self.buffer, start, "");
        }
        self.buffer.push('\n');
    }

    /// Appends the line of a row.
    fn row(&mut self, row: &[Value]) {
        for (i, (value, (data_type, quoting))) in row.iter().zip(&self.columns).enumerate() {
            if i > 0 {
                self.buffer.push(self.separator.symbol());
            }
            if value.is_null() {
                self.buffer.push_str(&self.null);
                continue;
            }
            let start = self.buffer.len();
            write_value(&mut self.buffer, value, data_type, &self.zone);
            if *quoting == Quoting::Perhaps || self.buffer[start..] == self.null {
                self.separator.protect(&mut self.buffer, start, &self.null);
            }
        }
        self.buffer.push('\n');
    }

    /// Writes what was appended if it is more than a number of bytes.
    fn write(&mut self, out: &mut dyn Write, more_than: usize) -> io::Result<()> {
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

/// Puts quotes around the text from a byte on, if it needs them. What reads as NULL does.
fn quote(text: &mut String, start: usize, null: &str) {
    let field = &text[start..];
    let special = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !field.is_empty() && field != null && !field.bytes().any(special) {
        return;
    }
    let quoted = format!("\"{}\"", field.replace('"', "\"\""));
    text.truncate(start);
    text.push_str(&quoted);
}

/// Escapes what would end a value or a line.
fn escape(text: &mut String, start: usize) {
    if !text[start..].bytes().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b'\\')) {
        return;
    }
    let raw = text.split_off(start);
    for character in raw.chars() {
        match character {
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\\' => text.push_str("\\\\"),
            character => text.push(character),
        }
    }
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
            shown(&mut Csv::new(Separator::Comma, &Look::default()), &header(), &log),
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
        assert_eq!(
            shown(&mut Csv::new(Separator::Comma, &Look::default()), &header, &log),
            "op,\"a,b\"\n+I,\"[1, NULL]\"\n"
        );
    }

    #[test]
    fn between_tabs_a_text_is_escaped_and_null_has_its_own_word() {
        let mut log = changes("+I 1 a\tb, +I 2 NULL");
        log.push(RowKind::Delete, Cause::default(), &[Value::NULL, Value::string("\\N\n")]);
        log.push(RowKind::Delete, Cause::default(), &[Value::NULL, Value::string("")]);
        let mut view = Csv::new(Separator::Tab, &Look::default());
        assert_eq!(
            shown(&mut view, &header(), &log),
            "op\tid\tname\n+I\t1\ta\\tb\n+I\t2\t\\N\n-D\t\\N\t\\\\N\\n\n-D\t\\N\t\n"
        );
    }

    #[test]
    fn what_reads_as_null_is_quoted_and_names_can_be_left_out() {
        let look = Look { null: Some("NULL".into()), headers: false, ..Look::default() };
        let mut log = changes("+I 1 NULL");
        log.push(RowKind::Insert, Cause::default(), &[Value::NULL, Value::string("NULL")]);
        let text = shown(&mut Csv::new(Separator::Comma, &look), &header(), &log);
        assert_eq!(text, "+I,1,NULL\n+I,NULL,\"NULL\"\n");
    }
}
