//! One JSON array with an object on each line.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::object::{AT_ONCE, Objects};
use super::view::{Ending, View};
use crate::changelog::Changes;
use crate::session::Header;
use crate::value::{Schema, Value};

/// The changes of the format `json`: `{"op":"+I","row":{"id":1}}` as elements of an array.
#[derive(Debug, Default)]
pub(super) struct Array {
    objects: Option<Objects>,
    count: usize,
}

impl View for Array {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.objects = Some(Objects::new(&header.schema, &header.time_zone));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(objects) = &mut self.objects else { return Ok(()) };
        for change in changes.iter() {
            objects.buffer.push_str(opening(self.count));
            objects.change(change.kind, change.row);
            objects.buffer.push('}');
            self.count += 1;
            objects.write(out, AT_ONCE)?;
        }
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.objects.as_mut().map_or(Ok(()), |objects| objects.write(out, 0))
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        let Some(mut objects) = self.objects.take() else { return Ok(()) };
        // What is not complete is not to be taken for it.
        if ending == Ending::Complete {
            objects.buffer.push_str(closing(self.count));
        }
        objects.write(out, 0)
    }
}

/// Writes a list as an array.
pub(super) fn write_array(
    out: &mut dyn Write,
    schema: &Schema,
    zone: &TimeZone,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let mut objects = Objects::new(schema, zone);
    let mut count = 0;
    for row in rows {
        objects.buffer.push_str(opening(count));
        objects.object(row);
        count += 1;
        objects.write(out, AT_ONCE)?;
    }
    objects.buffer.push_str(closing(count));
    objects.write(out, 0)
}

fn opening(count: usize) -> &'static str {
    if count == 0 { "[" } else { ",\n" }
}

fn closing(count: usize) -> &'static str {
    if count == 0 { "[]\n" } else { "]\n" }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::super::{Format, Look, Side};
    use super::*;

    #[test]
    fn the_array_has_the_rows_of_the_table_or_the_changes() {
        let mut log = changes("+I 1 a, +I 2 NULL, -D 1 a");
        let text = shown(&mut *Format::Json.view(&Look::default()), &header(), &log);
        assert_eq!(text, "[{\"id\":2,\"name\":null}]\n");
        let look = Look { side: Side::Changes, ..Look::default() };
        let text = shown(&mut *Format::Json.view(&look), &header(), &log);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap()[2]["op"], "-D");
        assert_eq!(text.lines().count(), 3);
        log.clear();
        for look in [look, Look::default()] {
            assert_eq!(shown(&mut *Format::Json.view(&look), &header(), &log), "[]\n");
        }
    }

    #[test]
    fn an_array_that_is_not_complete_is_not_closed() {
        let mut view = Array::default();
        let mut out = Vec::new();
        view.begin(&mut out, &header()).unwrap();
        view.changes(&mut out, &changes("+I 1 a")).unwrap();
        view.end(&mut out, Ending::Failed).unwrap();
        assert_eq!(out, b"[{\"op\":\"+I\",\"row\":{\"id\":1,\"name\":\"a\"}}");
    }
}
