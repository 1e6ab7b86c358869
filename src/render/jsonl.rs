//! One JSON object a line: `{"op":"+I","row":{"id":1,"name":"alice"}}`.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::json::{write_json, write_string};
use super::view::{Ending, View};
use crate::changelog::{Changes, RowKind};
use crate::session::Header;
use crate::value::{DataType, Schema, Value};

/// The format `jsonl`.
#[derive(Debug, Default)]
pub(super) struct Jsonl {
    lines: Option<Objects>,
}

/// Writes rows as objects, with a buffer that is used again.
#[derive(Debug)]
pub(super) struct Objects {
    /// What stands before each value, its name, and its type.
    columns: Vec<(String, DataType)>,
    zone: TimeZone,
    buffer: String,
}

/// How much is written at once, in bytes.
const AT_ONCE: usize = 32 << 10;

impl View for Jsonl {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.lines = Some(Objects::new(&header.schema, &header.time_zone));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        for change in changes.iter() {
            lines.change(change.kind, change.row);
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

impl Objects {
    pub(super) fn new(schema: &Schema, zone: &TimeZone) -> Self {
        let mut columns = Vec::with_capacity(schema.len());
        for (i, column) in schema.columns.iter().enumerate() {
            let mut before = String::from(if i == 0 { "{" } else { "," });
            write_string(&mut before, &column.name);
            before.push(':');
            columns.push((before, column.data_type.clone()));
        }
        Self { columns, zone: zone.clone(), buffer: String::new() }
    }

    /// Appends the line of a change.
    fn change(&mut self, kind: RowKind, row: &[Value]) {
        self.buffer.push_str("{\"op\":\"");
        self.buffer.push_str(kind.symbol());
        self.buffer.push_str("\",\"row\":");
        self.object(row);
        self.buffer.push_str("}\n");
    }

    /// Appends the line of a row that is no change.
    pub(super) fn row(&mut self, row: &[Value]) {
        self.object(row);
        self.buffer.push('\n');
    }

    fn object(&mut self, row: &[Value]) {
        for (value, (before, data_type)) in row.iter().zip(&self.columns) {
            self.buffer.push_str(before);
            write_json(&mut self.buffer, value, data_type, &self.zone);
        }
        self.buffer.push('}');
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

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn each_change_is_an_object_that_a_parser_reads() {
        let text = shown(&mut Jsonl::default(), &header(), &changes("+I 1 al\"ice, -D 2 NULL"));
        assert_eq!(
            text,
            "{\"op\":\"+I\",\"row\":{\"id\":1,\"name\":\"al\\\"ice\"}}\n\
             {\"op\":\"-D\",\"row\":{\"id\":2,\"name\":null}}\n"
        );
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}
