//! A pane: a title, the names of the columns, and rows.

use jiff::tz::TimeZone;
use rowkind::render::{Role, fit, width, write_cell};
use rowkind::value::{DataType, Value};

use super::line::{Line, Style};

/// What a pane shows.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) title: String,
    /// Whether keys go to it.
    pub(super) is_focus: bool,
    /// Which of the rows is looked at.
    pub(super) chosen: Option<usize>,
    /// What stands above the kinds of changes.
    pub(super) mark: &'static str,
    /// Whether columns at the left are left out.
    pub(super) is_shifted: bool,
    /// The names of the columns, and whether they are numbers, which are aligned to the right.
    pub(super) columns: Vec<(String, bool)>,
    pub(super) rows: Vec<Row>,
}

/// A row of a pane.
#[derive(Debug)]
pub(super) struct Row {
    /// The kind of its change.
    pub(super) mark: Cell,
    pub(super) cells: Vec<Cell>,
    /// What caused the change, which is shown where there is place.
    pub(super) cause: String,
}

/// A text in a pane.
#[derive(Debug)]
pub(super) struct Cell {
    role: Option<Role>,
    text: String,
}

/// The name of the column of the causes.
const CAUSE: &str = "cause";
/// A cause is cut if it has no place, but not below this width.
const SHORTEST: usize = 16;
/// No pane is made wider for causes that are longer than this.
const LONGEST: usize = 40;

/// What stands before the row that is looked at, and before the title of the pane that keys go to.
const CHOSEN: &str = "▸";

impl Cell {
    pub(super) fn text(role: Option<Role>, text: &str) -> Self {
        Self { role, text: text.to_owned() }
    }

    pub(super) fn value(value: &Value, data_type: &DataType, zone: &TimeZone, role: Option<Role>) -> Self {
        if value.is_null() {
            return Self::text(Some(Role::Null), "NULL");
        }
        let mut text = String::new();
        write_cell(&mut text, value, data_type, zone);
        Self { role, text }
    }
}

impl Grid {
    /// How wide each column would be, that of the marks first.
    fn natural(&self) -> Vec<usize> {
        let mut widths = vec![2];
        widths.extend(self.columns.iter().map(|(name, _)| width(name)));
        for row in &self.rows {
            for (wide, cell) in widths.iter_mut().skip(1).zip(&row.cells) {
                *wide = (*wide).max(width(&cell.text));
            }
        }
        widths
    }

    /// The columns of the screen that it would take.
    pub(super) fn wanted(&self) -> usize {
        let cause = self.cause_width(LONGEST).map_or(0, |width| width + 2);
        self.natural().iter().map(|width| width + 3).sum::<usize>() + cause
    }

    /// Draws the pane in a size.
    pub(super) fn draw(&self, width: usize, height: usize) -> Vec<Line> {
        // What a box has at its left stands here for the mark of the row, and nothing at its right.
        let layout = fit(&self.natural(), Some(width + 1));
        let mut lines = vec![self.rule(width)];
        let header = std::iter::once(self.mark).chain(self.columns.iter().map(|(name, _)| name.as_str()));
        let names: Vec<Cell> = header.map(|name| Cell::text(Some(Role::Heading), name)).collect();
        let before = if self.is_shifted { "‹" } else { " " };
        let natural: usize = layout.widths.iter().map(|width| width + 3).sum();
        let causes = self.cause_width(width.saturating_sub(natural + 2)).filter(|_| !layout.cut);
        let with_cause = |mut line: Line, role, cause: &str| {
            if let Some(wide) = causes {
                let mut cause = Line::of(Some(role), cause);
                cause.cut(wide);
                line.push(Some(Role::Dim), "┆ ");
                line.append(&cause);
            }
            line
        };
        let line = self.line(before, names.iter(), &layout.widths, layout.cut);
        lines.push(with_cause(line, Role::Heading, CAUSE));
        for (i, row) in self.rows.iter().enumerate() {
            let before = if self.chosen == Some(i) { CHOSEN } else { " " };
            let cells = std::iter::once(&row.mark).chain(&row.cells);
            let line = self.line(before, cells, &layout.widths, layout.cut);
            lines.push(with_cause(line, Role::Dim, &row.cause));
        }
        lines.resize(height, Line::default());
        for line in &mut lines {
            line.cut(width);
        }
        lines
    }

    /// How wide the causes are shown if so many columns are left; nothing if they are not shown.
    fn cause_width(&self, left: usize) -> Option<usize> {
        let widest = self.rows.iter().map(|row| width(&row.cause)).max().filter(|&widest| widest > 0)?;
        let wanted = widest.max(CAUSE.len());
        (left >= wanted.min(SHORTEST)).then_some(wanted.min(left))
    }

    fn rule(&self, width: usize) -> Line {
        let (before, role) = if self.is_focus { (CHOSEN, Role::Heading) } else { ("─", Role::Dim) };
        let mut line = Line::of(Some(Role::Dim), "─");
        line.push(Some(role), before);
        line.push(Some(role), &format!(" {} ", self.title));
        line.cut(width);
        line.fill(Some(Role::Dim), '─', width);
        line
    }

    fn line<'a>(
        &self,
        before: &str,
        cells: impl Iterator<Item = &'a Cell>,
        widths: &[usize],
        is_cut: bool,
    ) -> Line {
        let mut line = Line::of(Some(Role::Heading), before);
        for (i, (cell, &wide)) in cells.zip(widths).enumerate() {
            if i > 0 {
                line.push(Some(Role::Dim), "┆");
            }
            let mut text = Line::of(cell.role, &cell.text);
            text.cut(wide);
            let missing = wide - text.width();
            let is_right = i.checked_sub(1).is_some_and(|column| self.columns[column].1);
            let [left, right] = if is_right { [missing, 0] } else { [0, missing] };
            line.push(Style::Plain, &" ".repeat(left + 1));
            line.append(&text);
            line.push(Style::Plain, &" ".repeat(right + 1));
        }
        if is_cut {
            line.push(Some(Role::Dim), "┆ …");
        }
        line
    }
}
