//! Rows in a box: laid out by comfy-table where they are few, drawn as they come where they are many.

use std::io::{self, Write};

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, Width};

use super::cell::{printable, start_of, width};
use super::grid::{DOTTED, Grid, Lines, Text};
use super::held::{Held, Tail};
use super::layout::{Layout, NARROWEST, fit, frames, usual_width};
use super::paint::{Painter, Role};
use super::vertical::write_record;
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
/// A single row of no more columns than this is always in a box.
const FEW_COLUMNS: usize = 3;
/// What stands for columns that are left out.
const MORE: Text<'static> = Text { text: "…", role: Some(Role::Dim) };

/// A box that is drawn when it is known how wide its columns are.
///
/// Write the texts of a row one after the other, then end the row.
#[derive(Debug)]
pub(super) struct Sheet {
    look: Look,
    lines: &'static Lines,
    names: Vec<String>,
    /// What stands below the names, if something does.
    types: Vec<String>,
    right: Vec<bool>,
    /// What each column is given, if there is room, while it is not known what else will come.
    usual: Vec<usize>,
    /// The rows that are not drawn yet.
    held: Held,
    /// The last rows, if those in the middle are to be left out.
    tail: Option<Tail>,
    /// Whether a single row that is too wide is shown with one column a line.
    turns: bool,
    /// The box that is being drawn.
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    grid: Grid,
    layout: Layout,
    /// What each column would have taken for all that was drawn.
    natural: Vec<usize>,
}

/// What has to be said about a box that is drawn.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    /// How many rows are shown, if not all are.
    pub(super) shown: Option<usize>,
    /// What else is not as it should be.
    pub(super) note: Option<String>,
}

impl Sheet {
    /// A box with these columns. Numbers are aligned to the right.
    pub(super) fn new<'a>(look: &Look, columns: impl Iterator<Item = (&'a str, bool)>) -> Self {
        let (names, right): (Vec<String>, _) = columns.map(|(name, right)| (printable(name), right)).unzip();
        Self {
            look: look.clone(),
            lines: &DOTTED,
            held: Held::new(names.len()),
            usual: vec![0; names.len()],
            names,
            types: Vec::new(),
            right,
            tail: look.max_rows.map(Tail::new),
            turns: true,
            open: None,
        }
    }

    /// A box with the columns of a schema, and some before and after them.
    pub(super) fn of(
        look: &Look,
        lines: &'static Lines,
        before: &[&'static str],
        schema: &Schema,
        after: &[&'static str],
    ) -> Self {
        let plain = |name: &&'static str| (*name, false);
        let is_right = |column: &Column| column.data_type.kind.is_numeric();
        let columns = schema.columns.iter().map(|column| (column.name.as_str(), is_right(column)));
        let columns = before.iter().map(plain).chain(columns).chain(after.iter().map(plain));
        let mut sheet = Self { lines, ..Self::new(look, columns) };
        for (usual, data_type) in sheet.usual[before.len()..].iter_mut().zip(schema.types()) {
            *usual = usual_width(&data_type.kind);
        }
        if lines.types {
            let types = schema.types().map(|data_type| data_type.kind.to_string());
            let nothing = |_: &&str| String::new();
            sheet.types = before.iter().map(nothing).chain(types).chain(after.iter().map(nothing)).collect();
        }
        sheet
    }

    /// Limits the width to another one than that of the terminal. A row that is too wide is not
    /// turned then.
    pub(super) fn limit(&mut self, width: Option<usize>) {
        self.look.width = width;
        self.turns = false;
    }

    /// The width that the whole box wants.
    pub(super) fn wanted(&mut self) -> usize {
        self.unroll();
        let natural = self.natural();
        natural.iter().sum::<usize>() + frames(natural.len())
    }

    /// Whether it is being drawn already.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Writes the next text of the row.
    pub(super) fn text(&mut self, role: Option<Role>, write: impl FnOnce(&mut String)) {
        self.held.text(role, write);
    }

    /// Ends the row.
    pub(super) fn end_row(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(tail) = &mut self.tail
            && tail.takes()
        {
            tail.push(self.held.take_last());
            return Ok(());
        }
        let full = self.held.len() > TOGETHER || self.held.bytes() > MOST_TEXT;
        if self.open.is_some() || full { self.draw(out) } else { Ok(()) }
    }

    /// Draws what is held back. From the first row on each is drawn when it ends.
    pub(super) fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.held.len() > 0 { self.draw(out) } else { Ok(()) }
    }

    fn draw(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut open = if let Some(open) = self.open.take() {
            open
        } else {
            let natural = self.natural();
            self.begin(out, self.roomy(&natural), natural)?
        };
        for row in self.held.rows() {
            if self.look.width.is_some() && self.outgrows(&mut open, row.clone()) {
                for ((usual, room), text) in self.usual.iter_mut().zip(&open.layout.widths).zip(row.clone()) {
                    let needed = width(text.text);
                    if needed > *room {
                        // A little more than is needed, lest the next row asks for another box.
                        *usual = (*usual).max(needed + NARROWEST);
                    }
                }
                let cuts = open.grid.cuts();
                open.grid.bottom(out)?;
                open = self.begin(out, self.roomy(&open.natural), open.natural)?;
                open.grid.add_cuts(cuts);
            }
            let shown = row.take(open.layout.widths.len());
            open.grid.row(out, with_mark(shown, open.layout.cut))?;
        }
        self.held.clear();
        self.open = Some(open);
        Ok(())
    }

    /// Draws the top and the names of a box.
    fn begin(&self, out: &mut dyn Write, layout: Layout, natural: Vec<usize>) -> io::Result<Open> {
        let mut open = self.open(layout, natural);
        let shown = open.layout.widths.len();
        open.grid.top(out)?;
        if self.look.headers {
            open.grid.head(out, with_mark(texts(&self.names, None).take(shown), open.layout.cut))?;
            if !self.types.is_empty() {
                let types = texts(&self.types, Some(Role::Dim)).take(shown);
                open.grid.head(out, with_mark(types, open.layout.cut))?;
            }
            open.grid.under_head(out)?;
        }
        Ok(open)
    }

    /// The widths of columns whose texts need so much, with room for what else may come. Numbers have
    /// theirs before texts that are too long anyway.
    fn roomy(&self, natural: &[usize]) -> Layout {
        let mut layout = fit(natural, self.look.width);
        let Some(limit) = self.look.width else { return layout };
        let numbers = natural.iter().zip(&self.usual).zip(&self.right);
        let wanted: Vec<usize> = numbers
            .map(|((natural, usual), right)| if *right { *natural.max(usual) } else { *natural })
            .collect();
        let with_numbers = fit(&wanted, Some(limit));
        let mut columns = with_numbers.widths.iter().zip(&layout.widths).zip(natural);
        if with_numbers.widths.len() == layout.widths.len()
            && columns.all(|((width, tight), natural)| width >= natural || tight < natural)
        {
            layout = with_numbers;
        }
        layout.widen(&self.usual, limit);
        layout
    }

    /// Whether a row is worth a new box: a text that is too wide for the open one would be whole there, or
    /// a good deal more of it would be seen.
    fn outgrows<'a>(&self, open: &mut Open, row: impl Iterator<Item = Text<'a>> + Clone) -> bool {
        let needs = row.map(|text| width(text.text));
        let rooms = &open.layout.widths;
        for (natural, needed) in open.natural.iter_mut().zip(needs.clone()) {
            *natural = needed.max(*natural);
        }
        if needs.clone().zip(rooms).all(|(needed, room)| needed <= *room) {
            return false;
        }
        let next = self.roomy(&open.natural).widths;
        next.len() >= rooms.len()
            && needs.zip(rooms).zip(&next).any(|((needed, room), next)| {
                needed > *room && *next > *room && (needed <= *next || *next >= room + NARROWEST)
            })
    }

    /// Draws the rest of the box. Returns what has to be said about it.
    pub(super) fn finish(mut self, out: &mut dyn Write) -> io::Result<Drawn> {
        let shown = self.tail.as_ref().and_then(Tail::shown);
        self.unroll();
        if self.open.is_none() {
            let natural = self.natural();
            if self.is_turned(&natural) {
                for (index, row) in self.held.rows().enumerate() {
                    write_record(out, &self.look, &self.names, index + 1, row)?;
                }
                return Ok(Drawn { shown, note: None });
            }
            if self.lines.wraps && (self.look.width.is_some() || natural.iter().all(|width| *width <= WIDEST))
            {
                let layout = fit(&natural, self.look.width);
                let (table, cuts) = self.table(&layout);
                writeln!(out, "{table}")?;
                return Ok(Drawn { shown, note: self.note(&layout, cuts) });
            }
            // All rows are here, so nothing needs more room.
            self.open = Some(self.begin(out, fit(&natural, self.look.width), natural)?);
        }
        self.draw(out)?;
        let Some(mut open) = self.open.take() else { return Ok(Drawn::default()) };
        open.grid.bottom(out)?;
        Ok(Drawn { shown, note: self.note(&open.layout, open.grid.cuts()) })
    }

    /// Puts the last rows behind the first ones, and a mark where rows are left out.
    fn unroll(&mut self) {
        let Some(tail) = self.tail.take() else { return };
        if tail.left_out() > 0 {
            let widths = self.open.as_ref().map_or_else(|| self.natural(), |open| open.layout.widths.clone());
            for column in 0..self.names.len() {
                let is_wide = widths.get(column).is_some_and(|room| *room >= width(MARK));
                let mark = if is_wide { MARK } else { "·" };
                self.held.text(Some(Role::Dim), |out| out.push_str(mark));
            }
        }
        tail.rows().for_each(|row| self.held.push(&row));
    }

    /// Whether the rows are too wide for a box, and are shown with one column a line instead: if that is
    /// wanted, and else a single row that could not be read in a box.
    fn is_turned(&self, natural: &[usize]) -> bool {
        let wanted = natural.iter().sum::<usize>() + frames(natural.len());
        self.turns
            && (self.look.turns || self.held.len() == 1 && natural.len() > FEW_COLUMNS)
            && self.held.len() > 0
            && self.look.width.is_some_and(|width| wanted > width)
    }

    fn open(&self, layout: Layout, natural: Vec<usize>) -> Open {
        let (mut widths, mut right) = (layout.widths.clone(), self.right[..layout.widths.len()].to_vec());
        if layout.cut {
            widths.push(1);
            right.push(false);
        }
        let painter = Painter::new(self.look.colour);
        let grid = Grid::new(self.lines, widths, right, self.look.width.is_none(), painter);
        Open { grid, layout, natural }
    }

    /// What each column would take.
    fn natural(&self) -> Vec<usize> {
        let mut natural = vec![self.lines.narrowest; self.names.len()];
        let mut ask = |texts: &[String]| {
            for (column, text) in natural.iter_mut().zip(texts) {
                *column = width(text).max(*column);
            }
        };
        if self.look.headers {
            ask(&self.names);
            ask(&self.types);
        }
        for row in self.held.rows() {
            for (column, text) in natural.iter_mut().zip(row) {
                *column = width(text.text).max(*column);
            }
        }
        natural
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
        if self.look.headers {
            let heads = with_mark(texts(&self.names, None).take(shown), layout.cut);
            table.set_header(Row::from(heads.enumerate().map(&mut cell).collect::<Vec<_>>()));
        }
        for row in self.held.rows() {
            let texts = with_mark(row.take(shown), layout.cut);
            table.add_row(Row::from(texts.enumerate().map(&mut cell).collect::<Vec<_>>()));
        }
        if self.look.width.is_some() {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            // The limit is in the layout; this one only has to be wide enough.
            table.set_width(u16::MAX);
        }
        for (i, &width) in layout.widths.iter().enumerate() {
            // A box without a head and without rows has no columns.
            let Some(column) = table.column_mut(i) else { break };
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

/// What stands for rows that are left out.
const MARK: &str = "· · ·";

fn texts(texts: &[String], role: Option<Role>) -> impl Iterator<Item = Text<'_>> + Clone {
    texts.iter().map(move |text| Text { text, role })
}

fn with_mark<'a>(
    texts: impl Iterator<Item = Text<'a>> + Clone,
    cut: bool,
) -> impl Iterator<Item = Text<'a>> + Clone {
    texts.chain(cut.then_some(MORE))
}

#[cfg(test)]
mod tests;
