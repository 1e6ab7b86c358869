//! One JSON object a line: `{"op":"+I","row":{"id":1,"name":"alice"}}`.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::object::{AT_ONCE, Objects};
use super::view::{Ending, View};
use crate::changelog::Changes;
use crate::session::Header;
use crate::value::{Schema, Value};

/// The format `jsonl`.
#[derive(Debug, Default)]
pub(super) struct Jsonl {
    lines: Option<Objects>,
}

impl View for Jsonl {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.lines = Some(Objects::new(&header.schema, &header.time_zone));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        for change in changes.iter() {
            lines.change(change.kind, change.row);
            lines.buffer.push_str("}\n");
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
pub(super) fn write_objects(
    out: &mut dyn Write,
    schema: &Schema,
    zone: &TimeZone,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let mut lines = Objects::new(schema, zone);
    for row in rows {
        lines.object(row);
        lines.buffer.push('\n');
        lines.write(out, AT_ONCE)?;
    }
    lines.write(out, 0)
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
