//! One column a line, for rows that are too wide for a box.

use std::io::{self, Write};

use super::cell::{pad, printable, width, write_cell};
use super::changelog::write_footer;
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
    painter: Painter,
    schema: Schema,
    zone: TimeZone,
    names: Vec<String>,
    count: usize,
    buffer: String,
}

/// How long the line above a row is.
const LINE: usize = 40;

impl Vertical {
    pub(super) fn new(look: Look) -> Self {
        Self { look, records: None }
    }
}

impl View for Vertical {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        let records = Records::new(self.look, &header.schema, &header.time_zone);
        self.records = Some((records, Tally::new(header.key.clone())));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some((records, tally)) = &mut self.records else { return Ok(()) };
        for change in changes.iter() {
            tally.count(change);
            records.write(out, Some(change.kind), change.row)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _ending: Ending) -> io::Result<()> {
        match self.records.take() {
            Some((_, tally)) => write_footer(out, self.look, &tally.to_string(), None),
            None => Ok(()),
        }
    }
}

impl Records {
    pub(super) fn new(look: Look, schema: &Schema, zone: &TimeZone) -> Self {
        let mut names: Vec<String> = schema.names().map(printable).collect();
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        for name in &mut names {
            let blanks = widest - width(name);
            let mut aligned = String::new();
            pad(&mut aligned, blanks);
            name.insert_str(0, &aligned);
        }
        let painter = Painter::new(look.colour);
        Self { painter, schema: schema.clone(), zone: zone.clone(), names, count: 0, buffer: String::new() }
    }

    /// Writes a row.
    pub(super) fn write(
        &mut self,
        out: &mut dyn Write,
        kind: Option<RowKind>,
        row: &[Value],
    ) -> io::Result<()> {
        self.count += 1;
        self.buffer.clear();
        let mut title = format!("─[ {} ]─", self.count);
        title.extend(kind.map(|kind| format!(" {kind} ─")));
        title.extend(std::iter::repeat_n('─', LINE.saturating_sub(width(&title))));
        let role = kind.map_or(Role::Dim, Role::of);
        self.painter.paint(&mut self.buffer, role, &title);
        self.buffer.push('\n');
        for ((value, name), data_type) in row.iter().zip(&self.names).zip(self.schema.types()) {
            self.painter.paint(&mut self.buffer, Role::Dim, name);
            self.buffer.push_str(": ");
            if value.is_null() {
                self.painter.paint(&mut self.buffer, Role::Null, "NULL");
            } else {
                write_cell(&mut self.buffer, value, data_type, &self.zone);
            }
            self.buffer.push('\n');
        }
        out.write_all(self.buffer.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn each_column_has_a_line() {
        let mut view = Vertical::new(Look::default());
        assert_eq!(
            shown(&mut view, &header(), &changes("+I 1 alice, -D 2 NULL")),
            "─[ 1 ]─ +I ─────────────────────────────\n  id: 1\nname: alice\n\
             ─[ 2 ]─ -D ─────────────────────────────\n  id: 2\nname: NULL\n\
             2 changes (+I 1, -D 1) → 1 row; 1 change takes away a row that is not there\n"
        );
    }
}
