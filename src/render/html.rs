//! A table of HTML.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::cell::NULL;
use super::view::{Ending, Look, View};
use crate::changelog::{Changes, RowKind};
use crate::session::Header;
use crate::value::display::write_value;
use crate::value::{DataType, Schema, Value};

/// The format `html`: a table with a row for each change, whose class is its kind.
#[derive(Debug)]
pub(super) struct Html {
    look: Look,
    page: Option<Page>,
}

/// Writes rows into a table.
#[derive(Debug)]
struct Page {
    types: Vec<DataType>,
    zone: TimeZone,
    null: String,
    buffer: String,
}

/// How much is written at once, in bytes.
const AT_ONCE: usize = 32 << 10;

impl Html {
    pub(super) fn new(look: &Look) -> Self {
        Self { look: look.clone(), page: None }
    }
}

impl View for Html {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.page = Some(Page::new(&self.look, &["op"], &header.schema, &header.time_zone));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(page) = &mut self.page else { return Ok(()) };
        for change in changes.iter() {
            page.row(Some(change.kind), change.row);
            page.write(out, AT_ONCE)?;
        }
        Ok(())
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.page.as_mut().map_or(Ok(()), |page| page.write(out, 0))
    }

    fn end(&mut self, out: &mut dyn Write, _ending: Ending) -> io::Result<()> {
        self.page.take().map_or(Ok(()), |page| page.finish(out))
    }
}

/// Writes a list as a table.
pub(super) fn write_page(
    out: &mut dyn Write,
    look: &Look,
    schema: &Schema,
    zone: &TimeZone,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let mut page = Page::new(look, &[], schema, zone);
    for row in rows {
        page.row(None, row);
        page.write(out, AT_ONCE)?;
    }
    page.finish(out)
}

impl Page {
    fn new(look: &Look, before: &[&str], schema: &Schema, zone: &TimeZone) -> Self {
        let mut buffer = String::from("<table>\n");
        if look.headers {
            buffer.push_str("<thead>\n<tr>");
            for name in before.iter().copied().chain(schema.names()) {
                buffer.push_str("<th>");
                write_escaped(&mut buffer, name);
                buffer.push_str("</th>");
            }
            buffer.push_str("</tr>\n</thead>\n");
        }
        buffer.push_str("<tbody>\n");
        let (types, null) = (schema.types().cloned().collect(), look.null_or(NULL).to_owned());
        Self { types, zone: zone.clone(), null, buffer }
    }

    fn row(&mut self, kind: Option<RowKind>, row: &[Value]) {
        match kind {
            Some(kind) => {
                self.buffer.push_str("<tr class=\"");
                self.buffer.push_str(class(kind));
                self.buffer.push_str("\"><td>");
                self.buffer.push_str(kind.symbol());
                self.buffer.push_str("</td>");
            }
            None => self.buffer.push_str("<tr>"),
        }
        for (value, data_type) in row.iter().zip(&self.types) {
            if value.is_null() {
                self.buffer.push_str("<td class=\"null\">");
                write_escaped(&mut self.buffer, &self.null);
            } else {
                let is_number = data_type.kind.is_numeric();
                self.buffer.push_str(if is_number { "<td class=\"number\">" } else { "<td>" });
                let start = self.buffer.len();
                write_value(&mut self.buffer, value, data_type, &self.zone);
                if self.buffer[start..].contains(SPECIAL) {
                    let text = self.buffer.split_off(start);
                    write_escaped(&mut self.buffer, &text);
                }
            }
            self.buffer.push_str("</td>");
        }
        self.buffer.push_str("</tr>\n");
    }

    fn write(&mut self, out: &mut dyn Write, more_than: usize) -> io::Result<()> {
        if self.buffer.len() > more_than {
            out.write_all(self.buffer.as_bytes())?;
            self.buffer.clear();
        }
        Ok(())
    }

    fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.buffer.push_str("</tbody>\n</table>\n");
        self.write(out, 0)
    }
}

fn class(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Insert => "insert",
        RowKind::UpdateBefore => "update-before",
        RowKind::UpdateAfter => "update-after",
        RowKind::Delete => "delete",
    }
}

const SPECIAL: [char; 4] = ['&', '<', '>', '"'];

fn write_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character => out.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn each_row_has_the_class_of_its_kind_and_no_text_is_markup() {
        let text = shown(&mut Html::new(&Look::default()), &header(), &changes("+I 1 <b>&, -U 2 NULL"));
        assert_eq!(
            text,
            "<table>\n<thead>\n<tr><th>op</th><th>id</th><th>name</th></tr>\n</thead>\n<tbody>\n\
             <tr class=\"insert\"><td>+I</td><td class=\"number\">1</td><td>&lt;b&gt;&amp;</td></tr>\n\
             <tr class=\"update-before\"><td>-U</td><td class=\"number\">2</td><td class=\"null\">NULL</td></tr>\n\
             </tbody>\n</table>\n"
        );
    }
}
