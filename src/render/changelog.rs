//! A changelog in a box: each change in order, and below what they add up to.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::boxes::{Drawn, Sheet};
use super::cell::{NULL, write_cell};
use super::grid::Lines;
use super::paint::{Painter, Role};
use super::tally::Tally;
use super::view::{Ending, Look, View};
use crate::changelog::{Change, Changes};
use crate::session::Header;
use crate::value::{DataType, Schema, Value};

/// The format `changelog`, and the changes of other formats that are boxes.
#[derive(Debug)]
pub(super) struct Changelog {
    look: Look,
    lines: &'static Lines,
    drawing: Option<(Drawing, Tally)>,
}

/// Changes that go into a box.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) sheet: Sheet,
    cells: Cells,
}

/// How the values of a row are written.
#[derive(Debug)]
pub(super) struct Cells {
    types: Vec<DataType>,
    zone: TimeZone,
    null: String,
    is_markdown: bool,
}

impl Changelog {
    pub(super) fn new(look: &Look, lines: &'static Lines) -> Self {
        Self { look: look.clone(), lines, drawing: None }
    }
}

impl Cells {
    pub(super) fn new(look: &Look, lines: &'static Lines, schema: &Schema, zone: &TimeZone) -> Self {
        Self {
            types: schema.types().cloned().collect(),
            zone: zone.clone(),
            null: look.null_or(NULL).to_owned(),
            is_markdown: lines.is_document,
        }
    }

    /// Writes the values of a row into a box.
    pub(super) fn write(&self, sheet: &mut Sheet, row: &[Value]) {
        for (value, data_type) in row.iter().zip(&self.types) {
            if value.is_null() {
                sheet.text(Some(Role::Null), |out| out.push_str(&self.null));
                continue;
            }
            sheet.text(None, |out| {
                let start = out.len();
                write_cell(out, value, data_type, &self.zone);
                if self.is_markdown {
                    escape_markdown(out, start);
                }
            });
        }
    }
}

/// Escapes from a byte on what would end a cell, or start a tag.
fn escape_markdown(text: &mut String, start: usize) {
    if text[start..].contains(['|', '<']) {
        let raw = text.split_off(start);
        text.push_str(&raw.replace('|', "\\|").replace('<', "\\<"));
    }
}

impl View for Changelog {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        let drawing = Drawing::new(&self.look, self.lines, header, &[]);
        self.drawing = Some((drawing, Tally::new(header.key.clone())));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some((drawing, tally)) = &mut self.drawing else { return Ok(()) };
        changes.iter().try_for_each(|change| {
            tally.count(change);
            drawing.add(out, change, None)
        })
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.drawing.as_mut().map_or(Ok(()), |(drawing, _)| drawing.sheet.flush(out))
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        let Some((drawing, tally)) = self.drawing.take() else { return Ok(()) };
        if tally.is_nothing(ending) {
            return Ok(());
        }
        let drawn = drawing.sheet.finish(out)?;
        // A document has no place for what is said about it.
        if self.lines.is_document {
            return Ok(());
        }
        write_footer(out, &self.look, &tally.to_string(), drawn)
    }
}

impl Drawing {
    /// A box for changes of a query, with more columns after its own.
    pub(super) fn new(look: &Look, lines: &'static Lines, header: &Header, after: &[&'static str]) -> Self {
        let sheet = Sheet::of(look, lines, &["op"], &header.schema, after);
        Self { cells: Cells::new(look, lines, &header.schema, &header.time_zone), sheet }
    }

    /// Adds a change, with what stands in the column behind its own if there is one.
    pub(super) fn add(
        &mut self,
        out: &mut dyn Write,
        change: Change<'_>,
        after: Option<&str>,
    ) -> io::Result<()> {
        self.sheet.text(Some(Role::of(change.kind)), |out| out.push_str(change.kind.symbol()));
        self.cells.write(&mut self.sheet, change.row);
        if let Some(after) = after {
            self.sheet.text(Some(Role::Dim), |out| out.push_str(after));
        }
        self.sheet.end_row(out)
    }
}

/// Writes the line below a box, and what has to be said about the box.
pub(super) fn write_footer(out: &mut dyn Write, look: &Look, footer: &str, drawn: Drawn) -> io::Result<()> {
    let painter = Painter::new(look.colour);
    let shown = drawn.shown.map(|shown| format!(" ({shown} shown)")).unwrap_or_default();
    writeln!(out, "{}", painter.painted(Role::Dim, &format!("{footer}{shown}")))?;
    match drawn.note {
        Some(note) => writeln!(out, "{}", painter.painted(Role::Dim, &format!("({note})"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::super::grid::DOTTED;
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn a_changelog_is_a_box_with_what_it_adds_up_to() {
        let mut view = Changelog::new(&Look::default(), &DOTTED);
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
        let mut view = Changelog::new(&Look { colour: true, ..Look::default() }, &DOTTED);
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
        Changelog::new(&Look::default(), &DOTTED).end(&mut out, Ending::Failed).unwrap();
        assert_eq!(out, b"");
    }

    #[test]
    fn nothing_is_shown_of_a_query_that_stopped_before_its_first_change() {
        for format in [Format::Changelog, Format::Table, Format::Duality, Format::Vertical] {
            for (ending, is_shown) in
                [(Ending::Failed, false), (Ending::Cancelled, false), (Ending::Complete, true)]
            {
                let mut view = format.view(&Look::default());
                let mut out = Vec::new();
                view.begin(&mut out, &header()).unwrap();
                view.flush(&mut out).unwrap();
                assert_eq!(out, b"");
                view.end(&mut out, ending).unwrap();
                assert_eq!(!out.is_empty(), is_shown, "{format} {ending:?}");
            }
        }
    }
}
