//! One column a line, for rows that are too wide for a box.

use std::io::{self, Write};

use super::boxes::Drawn;
use super::cell::{NULL, pad, printable, width, write_cell};
use super::changelog::write_footer;
use super::grid::Text;
use super::paint::{Painter, Role};
use super::tally::Tally;
use super::view::{Ending, Look, View};
use crate::changelog::{Changes, RowKind};
use crate::session::Header;
use crate::value::{Schema, Value};
use jiff::tz::TimeZone;

/// The format `vertical`, which is also what `\G` asks for.
#[derive(Debug)]
pub(super) struct Vertical {
    look: Look,
    records: Option<(Records, Tally)>,
}

/// Writes rows, one column a line.
#[derive(Debug)]
pub(super) struct Records {
    look: Look,
    schema: Schema,
    zone: TimeZone,
    names: Vec<String>,
    count: usize,
    buffer: String,
}

/// The name of what caused a change.
pub(super) const CAUSE: &str = "cause";

/// How long the line above a row is.
const LINE: usize = 40;

impl Vertical {
    pub(super) fn new(look: &Look) -> Self {
        Self { look: look.clone(), records: None }
    }
}

impl View for Vertical {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        let records = Records::new(&self.look, &header.schema, &header.time_zone);
        self.records = Some((records, Tally::new(header.key.clone())));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some((records, tally)) = &mut self.records else { return Ok(()) };
        for change in changes.iter() {
            tally.count(change);
            records.write(out, Some(change.kind), change.row, None)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        match self.records.take() {
            Some((_, tally)) if tally.is_nothing(ending) => Ok(()),
            Some((_, tally)) => write_footer(out, &self.look, &tally.to_string(), Drawn::default()),
            None => Ok(()),
        }
    }
}

impl Records {
    pub(super) fn new(look: &Look, schema: &Schema, zone: &TimeZone) -> Self {
        let names: Vec<String> = schema.names().map(printable).collect();
        let names = aligned(&names);
        let (schema, zone) = (schema.clone(), zone.clone());
        Self { look: look.clone(), schema, zone, names, count: 0, buffer: String::new() }
    }

    /// Writes a row, and what caused it.
    pub(super) fn write(
        &mut self,
        out: &mut dyn Write,
        kind: Option<RowKind>,
        row: &[Value],
        cause: Option<&str>,
    ) -> io::Result<()> {
        self.count += 1;
        self.buffer.clear();
        let painter = Painter::new(self.look.colour);
        let kind = kind.map(|kind| Text { text: kind.symbol(), role: Some(Role::of(kind)) });
        title(&mut self.buffer, painter, self.count, kind, line_length(&self.look));
        for ((value, name), data_type) in row.iter().zip(&self.names).zip(self.schema.types()) {
            painter.paint(&mut self.buffer, Role::Dim, name);
            self.buffer.push_str(": ");
            if value.is_null() {
                painter.paint(&mut self.buffer, Role::Null, self.look.null_or(NULL));
            } else {
                write_cell(&mut self.buffer, value, data_type, &self.zone);
            }
            self.buffer.push('\n');
        }
        if let Some(cause) = cause {
            let widest = self.names.first().map_or(0, |name| width(name));
            pad(&mut self.buffer, widest.saturating_sub(CAUSE.len()));
            painter.paint(&mut self.buffer, Role::Dim, &format!("{CAUSE}: {cause}"));
            self.buffer.push('\n');
        }
        out.write_all(self.buffer.as_bytes())
    }
}

/// Writes a row of a box with one column a line, under its number. If its first text is the kind of a change,
/// it is in the title.
pub(super) fn write_record<'a>(
    out: &mut dyn Write,
    look: &Look,
    names: &[String],
    number: usize,
    texts: impl Iterator<Item = Text<'a>> + Clone,
) -> io::Result<()> {
    let painter = Painter::new(look.colour);
    let is_kind = |text: &Text<'_>| text.role.is_some_and(Role::is_kind);
    let kind = texts.clone().next().filter(is_kind);
    let skipped = usize::from(kind.is_some());
    let mut buffer = String::new();
    title(&mut buffer, painter, number, kind, line_length(look));
    for (name, text) in aligned(&names[skipped..]).iter().zip(texts.skip(skipped)) {
        painter.paint(&mut buffer, Role::Dim, name);
        buffer.push_str(": ");
        match text.role {
            Some(role) => painter.paint(&mut buffer, role, text.text),
            None => buffer.push_str(text.text),
        }
        buffer.push('\n');
    }
    out.write_all(buffer.as_bytes())
}

/// The line above a row: its number, and the kind of its change.
fn title(out: &mut String, painter: Painter, number: usize, kind: Option<Text<'_>>, length: usize) {
    let mut title = format!("─[ {number} ]─");
    title.extend(kind.map(|kind| format!(" {} ─", kind.text)));
    title.extend(std::iter::repeat_n('─', length.saturating_sub(width(&title))));
    painter.paint(out, kind.and_then(|kind| kind.role).unwrap_or(Role::Dim), &title);
    out.push('\n');
}

fn line_length(look: &Look) -> usize {
    look.width.unwrap_or(LINE).min(LINE)
}

/// Names with blanks before them, so that all end in one column.
fn aligned(names: &[String]) -> Vec<String> {
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let aligned = names.iter().map(|name| {
        let mut aligned = String::new();
        pad(&mut aligned, widest - width(name));
        aligned.push_str(name);
        aligned
    });
    aligned.collect()
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn each_column_has_a_line() {
        let mut view = Vertical::new(&Look::default());
        assert_eq!(
            shown(&mut view, &header(), &changes("+I 1 alice, -D 2 NULL")),
            "─[ 1 ]─ +I ─────────────────────────────\n  id: 1\nname: alice\n\
             ─[ 2 ]─ -D ─────────────────────────────\n  id: 2\nname: NULL\n\
             2 changes (+I 1, -D 1) → 1 row; 1 change takes away a row that is not there\n"
        );
    }
}
