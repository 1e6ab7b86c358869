//! A changelog in a box: each change in order, and below what they add up to.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::boxes::Sheet;
use super::cell::write_cell;
use super::paint::{Painter, Role};
use super::tally::Tally;
use super::view::{Ending, Look, View};
use crate::changelog::{Change, Changes};
use crate::session::Header;
use crate::value::{DataType, Schema, Value};

/// The format `changelog`.
#[derive(Debug)]
pub(super) struct Changelog {
    look: Look,
    drawing: Option<Drawing>,
}

#[derive(Debug)]
struct Drawing {
    cells: Cells,
    sheet: Sheet,
    tally: Tally,
}

/// How the values of a row are written.
#[derive(Debug)]
pub(super) struct Cells {
    types: Vec<DataType>,
    zone: TimeZone,
}

impl Changelog {
    pub(super) fn new(look: Look) -> Self {
        Self { look, drawing: None }
    }
}

impl Cells {
    pub(super) fn new(schema: &Schema, zone: &TimeZone) -> Self {
        Self { types: schema.types().cloned().collect(), zone: zone.clone() }
    }

    /// Writes the values of a row into a box.
    pub(super) fn write(&self, sheet: &mut Sheet, row: &[Value]) {
        for (value, data_type) in row.iter().zip(&self.types) {
            let role = value.is_null().then_some(Role::Null);
            sheet.text(role, |out| write_cell(out, value, data_type, &self.zone));
        }
    }
}

impl View for Changelog {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.drawing = Some(Drawing::new(self.look, header, Tally::new(header.key.clone())));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some(drawing) = &mut self.drawing else { return Ok(()) };
        changes.iter().try_for_each(|change| drawing.add(out, change))
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.drawing.as_mut().map_or(Ok(()), |drawing| drawing.sheet.flush(out))
    }

    fn end(&mut self, out: &mut dyn Write, _ending: Ending) -> io::Result<()> {
        self.drawing.take().map_or(Ok(()), |drawing| drawing.finish(out, self.look).map(|_| ()))
    }
}

impl Drawing {
    fn new(look: Look, header: &Header, tally: Tally) -> Self {
        let sheet = Sheet::of(look, &["op"], &header.schema);
        Self { cells: Cells::new(&header.schema, &header.time_zone), sheet, tally }
    }

    fn add(&mut self, out: &mut dyn Write, change: Change<'_>) -> io::Result<()> {
        self.tally.count(change);
        self.sheet.text(Some(Role::of(change.kind)), |out| out.push_str(change.kind.symbol()));
        self.cells.write(&mut self.sheet, change.row);
        self.sheet.end_row(out)
    }

    fn finish(self, out: &mut dyn Write, look: Look) -> io::Result<Tally> {
        let note = self.sheet.finish(out)?;
        write_footer(out, look, &self.tally.to_string(), note)?;
        Ok(self.tally)
    }
}

/// Draws changes that go on from others, which a tally has counted.
pub(super) fn continue_changelog(
    out: &mut dyn Write,
    look: Look,
    header: &Header,
    changes: &Changes,
    mut tally: Tally,
) -> io::Result<Tally> {
    tally.start_over();
    let mut drawing = Drawing::new(look, header, tally);
    changes.iter().try_for_each(|change| drawing.add(out, change))?;
    drawing.finish(out, look)
}

/// Writes the line below a box, and what has to be said about the box.
pub(super) fn write_footer(
    out: &mut dyn Write,
    look: Look,
    footer: &str,
    note: Option<String>,
) -> io::Result<()> {
    let painter = Painter::new(look.colour);
    writeln!(out, "{}", painter.painted(Role::Dim, footer))?;
    match note {
        Some(note) => writeln!(out, "{}", painter.painted(Role::Dim, &format!("({note})"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn a_changelog_is_a_box_with_what_it_adds_up_to() {
        let mut view = Changelog::new(Look::default());
        assert_eq!(
            shown(&mut view, &header(), &changes("+I 1 alice, +I 2 NULL, -U 1 alice, +U 1 bob, -D 2 NULL")),
            "┌────┬────┬───────┐\n\
             │ op ┆ id ┆ name  │\n\
             ╞════╪════╪═══════╡\n\
             │ +I ┆  1 ┆ alice │\n\
             │ +I ┆  2 ┆ NULL  │\n\
             │ -U ┆  1 ┆ alice │\n\
             │ +U ┆  1 ┆ bob   │\n\
             │ -D ┆  2 ┆ NULL  │\n\
             └────┴────┴───────┘\n\
             5 changes (+I 2, -U 1, +U 1, -D 1) → 1 row\n"
        );
    }

    #[test]
    fn colour_marks_the_kind_and_null() {
        let mut view = Changelog::new(Look { colour: true, ..Look::default() });
        // The eight colours are written as such once colour is forced on for the process.
        crossterm::style::force_color_output(true);
        let text = shown(&mut view, &header(), &changes("+I 1 NULL"));
        let row = text.lines().nth(3).unwrap();
        assert!(row.starts_with("│ \u{1b}["), "{row:?}");
        assert!(row.contains("\u{1b}[2mNULL\u{1b}[0m"), "{row:?}");
        let plain: String =
            row.split('\u{1b}').map(|part| part.split_once('m').map_or(part, |(_, t)| t)).collect();
        assert_eq!(plain, "│ +I ┆  1 ┆ NULL │");
    }

    #[test]
    fn nothing_is_shown_of_a_query_that_did_not_begin() {
        let mut out = Vec::new();
        Changelog::new(Look::default()).end(&mut out, Ending::Failed).unwrap();
        assert_eq!(out, b"");
    }
}
