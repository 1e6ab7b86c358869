//! Rows in a box: laid out by comfy-table where they are few, drawn as they come where they are many.

use std::io::{self, Write};

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, Width};

use super::cell::{printable, start_of, width};
use super::grid::{Grid, Text};
use super::layout::{Layout, fit};
use super::paint::{Painter, Role};
use super::view::Look;
use crate::value::{Column, Schema};

/// How many rows are laid out together.
pub(super) const TOGETHER: usize = 1_000;
/// The widest column that comfy-table is asked to lay out without a limit.
const WIDEST: usize = 10_000;
/// How many lines a text may be wrapped to, about.
const TALLEST: usize = 10;
/// How much text is laid out together, in bytes.
const MOST_TEXT: usize = 4 << 20;
/// What stands for columns that are left out.
const MORE: Text<'static> = Text { text: "…", role: Some(Role::Dim) };

/// A box that is drawn when it is known how wide its columns are.
///
/// Write the texts of a row one after the other, then end the row.
#[derive(Debug)]
pub(super) struct Sheet {
    look: Look,
    names: Vec<String>,
    right: Vec<bool>,
    /// The texts that are not drawn yet, one after the other, and where each ends.
    text: String,
    ends: Vec<(usize, Option<Role>)>,
    /// The box that is being drawn.
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    grid: Grid,
    layout: Layout,
}

impl Sheet {
    /// A box with these columns. Numbers are aligned to the right.
    pub(super) fn new<'a>(look: Look, columns: impl Iterator<Item = (&'a str, bool)>) -> Self {
        let (names, right) = columns.map(|(name, right)| (printable(name), right)).unzip();
        Self { look, names, right, text: String::new(), ends: Vec::new(), open: None }
    }

    /// A box with these columns, after some others.
    pub(super) fn of(look: Look, before: &[&'static str], schema: &Schema) -> Self {
        let column = |column: &Column| column.data_type.kind.is_numeric();
        let columns = schema.columns.iter().map(|c| (c.name.as_str(), column(c)));
        Self::new(look, before.iter().map(|name| (*name, false)).chain(columns))
    }

    /// Writes the next text of the row.
    pub(super) fn text(&mut self, role: Option<Role>, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push((self.text.len(), role));
    }

    /// Ends the row.
    pub(super) fn end_row(&mut self, out: &mut dyn Write) -> io::Result<()> {
        debug_assert_eq!(self.ends.len() % self.names.len(), 0);
        let full = self.ends.len() > TOGETHER * self.names.len() || self.text.len() > MOST_TEXT;
        if self.open.is_some() || full { self.flush(out) } else { Ok(()) }
    }

    /// Draws what is held back. From here on each row is drawn when it ends.
    pub(super) fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.open.is_none() {
            let layout = fit(&self.natural(), self.look.width);
            let mut open = self.open(layout);
            let heads = self.heads().take(open.layout.widths.len());
            open.grid.head(out, with_mark(heads, open.layout.cut))?;
            self.open = Some(open);
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        for row in Pending::new(&self.text, &self.ends, self.names.len()) {
            let shown = row.take(open.layout.widths.len());
            open.grid.row(out, with_mark(shown, open.layout.cut))?;
        }
        self.text.clear();
        self.ends.clear();
        Ok(())
    }

    /// Draws the rest of the box. Returns what has to be said about it.
    pub(super) fn finish(mut self, out: &mut dyn Write) -> io::Result<Option<String>> {
        if self.open.is_none() {
            let natural = self.natural();
            if self.look.width.is_some() || natural.iter().all(|width| *width <= WIDEST) {
                let layout = fit(&natural, self.look.width);
                let (table, cuts) = self.table(&layout);
                writeln!(out, "{table}")?;
                return Ok(self.note(&layout, cuts));
            }
            self.flush(out)?;
        }
        let Some(mut open) = self.open.take() else { return Ok(None) };
        open.grid.bottom(out)?;
        Ok(self.note(&open.layout, open.grid.cuts()))
    }

    fn open(&self, layout: Layout) -> Open {
        let (mut widths, mut right) = (layout.widths.clone(), self.right[..layout.widths.len()].to_vec());
        if layout.cut {
            widths.push(1);
            right.push(false);
        }
        let grid = Grid::new(widths, right, self.look.width.is_none(), Painter::new(self.look.colour));
        Open { grid, layout }
    }

    /// What each column would take.
    fn natural(&self) -> Vec<usize> {
        let mut natural: Vec<usize> = self.names.iter().map(|name| width(name)).collect();
        for row in self.rows() {
            for (column, text) in natural.iter_mut().zip(row) {
                *column = width(text.text).max(*column);
            }
        }
        natural
    }

    fn rows(&self) -> Pending<'_> {
        Pending::new(&self.text, &self.ends, self.names.len())
    }

    fn heads(&self) -> impl Iterator<Item = Text<'_>> + Clone {
        self.names.iter().map(|name| Text { text: name, role: None })
    }

    /// The whole box, and how many texts were cut.
    fn table(&self, layout: &Layout) -> (Table, usize) {
        let painter = Painter::new(self.look.colour);
        let shown = layout.widths.len();
        let mut cuts = 0;
        let mut cell = |(i, text): (usize, Text<'_>)| {
            let room = layout.widths.get(i).map_or(usize::MAX, |width| width * TALLEST);
            let content = if self.look.width.is_some() && width(text.text) > room {
                cuts += 1;
                format!("{}…", start_of(text.text, room - 1).0)
            } else {
                text.text.to_owned()
            };
            painter.cell(Cell::new_owned(content), text.role)
        };
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).force_no_tty();
        if painter.is_on() {
            table.enforce_styling().style_text_only();
        }
        let heads = with_mark(self.heads().take(shown), layout.cut);
        table.set_header(Row::from(heads.enumerate().map(&mut cell).collect::<Vec<_>>()));
        for row in self.rows() {
            let texts = with_mark(row.take(shown), layout.cut);
            table.add_row(Row::from(texts.enumerate().map(&mut cell).collect::<Vec<_>>()));
        }
        if self.look.width.is_some() {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            // The limit is in the layout; this one only has to be wide enough.
            table.set_width(u16::MAX);
        }
        for (i, &width) in layout.widths.iter().enumerate() {
            let column = table.column_mut(i).expect("the table has the columns of its layout");
            if self.right[i] {
                column.set_cell_alignment(CellAlignment::Right);
            }
            if self.look.width.is_some() {
                let width = u16::try_from(width + 2).unwrap_or(u16::MAX);
                column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
            }
        }
        (table, cuts)
    }

    fn note(&self, layout: &Layout, cuts: usize) -> Option<String> {
        let left_out = &self.names[layout.widths.len()..];
        let columns = match left_out {
            [] => None,
            [name] => Some(format!("the column {name} does not fit")),
            [first, .., last] => Some(format!("{} columns do not fit: {first} to {last}", left_out.len())),
        };
        let cells = (cuts > 0).then(|| "long values are cut with …".to_owned());
        let what = columns.into_iter().chain(cells).collect::<Vec<_>>().join(", ");
        (!what.is_empty()).then(|| format!("{what}; end a query with \\G to see all of it"))
    }
}

/// The rows that are not drawn yet.
struct Pending<'a> {
    text: &'a str,
    ends: &'a [(usize, Option<Role>)],
    start: usize,
    columns: usize,
}

impl<'a> Pending<'a> {
    fn new(text: &'a str, ends: &'a [(usize, Option<Role>)], columns: usize) -> Self {
        Self { text, ends, start: 0, columns }
    }
}

impl<'a> Iterator for Pending<'a> {
    type Item = PendingRow<'a>;

    fn next(&mut self) -> Option<PendingRow<'a>> {
        let (row, rest) = self.ends.split_at_checked(self.columns)?;
        let start = self.start;
        self.start = row.last()?.0;
        self.ends = rest;
        Some(PendingRow { text: self.text, start, ends: row })
    }
}

/// The texts of one row.
#[derive(Clone)]
struct PendingRow<'a> {
    text: &'a str,
    start: usize,
    ends: &'a [(usize, Option<Role>)],
}

impl<'a> Iterator for PendingRow<'a> {
    type Item = Text<'a>;

    fn next(&mut self) -> Option<Text<'a>> {
        let (&(end, role), rest) = self.ends.split_first()?;
        let text = &self.text[self.start..end];
        self.start = end;
        self.ends = rest;
        Some(Text { text, role })
    }
}

fn with_mark<'a>(
    texts: impl Iterator<Item = Text<'a>> + Clone,
    cut: bool,
) -> impl Iterator<Item = Text<'a>> + Clone {
    texts.chain(cut.then_some(MORE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box with two columns, `id` aligned to the right.
    fn drawn(rows: &[[&str; 2]], width: Option<usize>, stream: bool) -> (String, Option<String>) {
        let look = Look { width, ..Look::default() };
        let mut sheet = Sheet::new(look, [("id", true), ("name", false)].into_iter());
        let mut out = Vec::new();
        for row in rows {
            for text in row {
                sheet.text(None, |out| out.push_str(text));
            }
            sheet.end_row(&mut out).unwrap();
        }
        if stream {
            sheet.flush(&mut out).unwrap();
        }
        let note = sheet.finish(&mut out).unwrap();
        (String::from_utf8(out).unwrap(), note)
    }

    #[test]
    fn both_ways_of_drawing_give_the_same_box() {
        let rows = [["1", "日本"], ["-20", "ü"], ["", "x y  z "]];
        let (table, _) = drawn(&rows, None, false);
        assert_eq!(
            table,
            "┌─────┬─────────┐\n\
             │  id ┆ name    │\n\
             ╞═════╪═════════╡\n\
             │   1 ┆ 日本    │\n\
             │ -20 ┆ ü       │\n\
             │     ┆ x y  z  │\n\
             └─────┴─────────┘\n"
        );
        assert_eq!(drawn(&rows, None, true).0, table);
        assert_eq!(drawn(&[], None, true), drawn(&[], None, false));
    }

    #[test]
    fn a_thousand_rows_are_laid_out_together_and_more_are_drawn_as_they_come() {
        let mut rows = vec![["1", "a"]; TOGETHER + 1];
        rows.push(["2", "longer"]);
        rows.push(["3", "a"]);
        let (text, note) = drawn(&rows, None, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "┌────┬──────┐");
        assert_eq!(
            lines[TOGETHER + 4..],
            ["├╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌┤", "│  2 ┆ longer   │", "│  3 ┆ a        │", "└────┴──────────┘"]
        );
        assert_eq!(note, None);
    }

    #[test]
    fn on_a_narrow_terminal_few_rows_are_wrapped_and_many_are_cut() {
        let rows = [["1", "a rather long name"]];
        let (text, note) = drawn(&rows, Some(20), false);
        assert_eq!(
            text,
            "┌────┬─────────────┐\n\
             │ id ┆ name        │\n\
             ╞════╪═════════════╡\n\
             │  1 ┆ a rather    │\n\
             │    ┆ long name   │\n\
             └────┴─────────────┘\n"
        );
        assert_eq!(note, None);
        let endless = "word ".repeat(1_000);
        let (text, note) = drawn(&[["1", &endless]], Some(20), false);
        assert!(text.lines().count() < 16 && text.contains('…'), "{text}");
        assert!(note.unwrap().contains("cut with …"));
        let (text, note) = drawn(&rows, Some(20), true);
        assert_eq!(text.lines().nth(3), Some("│  1 ┆ a rather l… │"));
        assert!(note.unwrap().contains("cut with …"));
    }

    #[test]
    fn columns_that_do_not_fit_are_named() {
        let look = Look { width: Some(40), ..Look::default() };
        let names = ["one", "two", "three", "four", "five", "six"];
        for stream in [false, true] {
            let mut sheet = Sheet::new(look, names.iter().map(|name| (*name, false)));
            let mut out = Vec::new();
            for _ in names {
                sheet.text(None, |out| out.push_str("0123456789"));
            }
            sheet.end_row(&mut out).unwrap();
            if stream {
                sheet.flush(&mut out).unwrap();
            }
            let note = sheet.finish(&mut out).unwrap().unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.lines().all(|line| width(line) <= 40), "{text}");
            assert!(text.contains("┆ … │"), "{text}");
            assert!(note.starts_with("3 columns do not fit: four to six"), "{note}");
        }
    }
}
