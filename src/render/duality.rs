//! Both sides of a result: the changes, and beside them the table that they add up to.

use std::collections::HashMap;
use std::io::{self, Write};

use super::boxes::{Drawn, Sheet, TOGETHER};
use super::cell::{pad, width};
use super::changelog::{Cells, Drawing, write_footer};
use super::grid::DOTTED;
use super::paint::{Painter, Role};
use super::tally::Tally;
use super::view::{Ending, Look, View};
use crate::changelog::{Change, Changes, Materialized, RowKind};
use crate::session::Header;
use crate::value::{Row, Value};

/// The format `duality`.
#[derive(Debug)]
pub(super) struct Duality {
    look: Look,
    both: Option<(Header, Sides, Tally)>,
}

/// The changes, and how they marked the rows of the table.
#[derive(Debug)]
pub(super) struct Sides {
    left: Drawing,
    marks: Marks,
}

/// The kind of the last change that wrote each row.
#[derive(Debug)]
struct Marks {
    key: Option<Vec<usize>>,
    kinds: HashMap<Row, RowKind>,
}

/// Below this width of the terminal the table is below the changes, not beside them.
const WIDE: usize = 100;
/// The blanks between the sides.
const GAP: usize = 3;

impl Duality {
    pub(super) fn new(look: &Look) -> Self {
        Self { look: look.clone(), both: None }
    }
}

impl View for Duality {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        let sides = Sides::new(&self.look, header, &[]);
        self.both = Some((header.clone(), sides, Tally::with_table(header.key.clone())));
        Ok(())
    }

    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        let Some((_, sides, tally)) = &mut self.both else { return Ok(()) };
        changes.iter().try_for_each(|change| {
            tally.count(change);
            sides.add(out, change, None)
        })
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.both.as_mut().map_or(Ok(()), |(_, sides, _)| sides.left.sheet.flush(out))
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        match self.both.take() {
            Some((_, _, tally)) if tally.is_nothing(ending) => Ok(()),
            Some((header, sides, tally)) => sides.finish(out, &self.look, &header, &tally),
            None => Ok(()),
        }
    }
}

impl Sides {
    /// Nothing yet, with more columns behind those of the changes.
    pub(super) fn new(look: &Look, header: &Header, after: &[&'static str]) -> Self {
        let marks = Marks { key: header.key.clone(), kinds: HashMap::new() };
        Self { left: Drawing::new(look, &DOTTED, header, after), marks }
    }

    /// Adds a change, with what stands in the column behind its own if there is one.
    pub(super) fn add(
        &mut self,
        out: &mut dyn Write,
        change: Change<'_>,
        after: Option<&str>,
    ) -> io::Result<()> {
        self.marks.mark(change);
        self.left.add(out, change, after)
    }

    /// Draws both sides, and what the changes add up to.
    pub(super) fn finish(
        self,
        out: &mut dyn Write,
        look: &Look,
        header: &Header,
        tally: &Tally,
    ) -> io::Result<()> {
        let mut left = self.left.sheet;
        let rows = tally.table().map_or(0, Materialized::len);
        let is_wide = look.width.is_none_or(|width| width >= WIDE);
        let beside = is_wide && !left.is_open() && rows <= TOGETHER;
        let mut right = Sheet::of(look, &DOTTED, &[""], &header.schema, &[]);
        if !beside {
            let first = left.finish(out)?;
            writeln!(out, "{}", Painter::new(look.colour).painted(Role::Heading, "table"))?;
            self.marks.write(out, &mut right, look, header, tally)?;
            let drawn = both([first, right.finish(out)?]);
            return write_footer(out, look, &tally.to_string(), drawn);
        }
        let (mut left_text, mut right_text) = (Vec::new(), Vec::new());
        self.marks.write(&mut right_text, &mut right, look, header, tally)?;
        if let Some(width) = look.width {
            let [for_left, for_right] = share(left.wanted(), right.wanted(), width.saturating_sub(GAP));
            left.limit(Some(for_left));
            right.limit(Some(for_right));
        }
        let drawn = both([left.finish(&mut left_text)?, right.finish(&mut right_text)?]);
        write_beside(out, &left_text, &right_text)?;
        write_footer(out, look, &tally.to_string(), drawn)
    }
}

impl Marks {
    fn mark(&mut self, change: Change<'_>) {
        let row = self.name(change.row);
        if change.kind.adds() {
            self.kinds.insert(row, change.kind);
        } else {
            self.kinds.remove(&row);
        }
    }

    /// What names a row: its key, or all of it.
    fn name(&self, row: &[Value]) -> Row {
        match &self.key {
            Some(key) => key.iter().map(|&column| row[column].clone()).collect(),
            None => row.into(),
        }
    }

    /// Writes the rows of the table with their marks.
    fn write(
        &self,
        out: &mut dyn Write,
        sheet: &mut Sheet,
        look: &Look,
        header: &Header,
        tally: &Tally,
    ) -> io::Result<()> {
        let cells = Cells::new(look, &DOTTED, &header.schema, &header.time_zone);
        for row in tally.table().into_iter().flat_map(Materialized::rows) {
            match self.kinds.get(&self.name(row)) {
                Some(kind) => sheet.text(Some(Role::of(*kind)), |out| out.push_str(kind.symbol())),
                None => sheet.text(None, |_| {}),
            }
            cells.write(sheet, row);
            sheet.end_row(out)?;
        }
        Ok(())
    }
}

/// Shares a width among two boxes: each gets what it wants if that leaves enough for the other, or half.
fn share(left: usize, right: usize, width: usize) -> [usize; 2] {
    let half = width / 2;
    match (left <= half, right <= half) {
        (true, _) => [left, width - left],
        (false, true) => [width - right, right],
        (false, false) => [half, width - half],
    }
}

/// What has to be said about two boxes.
fn both([left, right]: [Drawn; 2]) -> Drawn {
    let note = match (left.note, right.note) {
        (Some(left), Some(right)) if left != right => Some(format!("{left}; {right}")),
        (left, right) => left.or(right),
    };
    Drawn { shown: left.shown.or(right.shown), note }
}

/// Writes the lines of two boxes beside each other.
fn write_beside(out: &mut dyn Write, left: &[u8], right: &[u8]) -> io::Result<()> {
    let (left, right) = (String::from_utf8_lossy(left), String::from_utf8_lossy(right));
    // The first line of a box has no colours and is as wide as the others.
    let wide = left.lines().next().map_or(0, width);
    let (mut lefts, mut rights) = (left.lines(), right.lines());
    loop {
        let (left, right) = (lefts.next(), rights.next());
        let mut line = match (left, right) {
            (None, None) => return Ok(()),
            (Some(left), _) => left.to_owned(),
            (None, Some(_)) => " ".repeat(wide),
        };
        if let Some(right) = right {
            pad(&mut line, GAP);
            line.push_str(right);
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    const LOG: &str = "+I 1 a, +I 2 b, -U 1 a, +U 1 c, -D 2 b, +I 3 NULL";

    fn drawn(width: Option<usize>) -> String {
        let header = Header { key: Some(vec![0]), ..header() };
        let look = Look { width, ..Look::default() };
        shown(&mut Duality::new(&look), &header, &changes(LOG))
    }

    #[test]
    fn the_table_is_beside_the_changes_that_made_it() {
        let beside = "\
┌────┬────┬──────┐   ┌────┬────┬──────┐
│ op ┆ id ┆ name │   │    ┆ id ┆ name │
╞════╪════╪══════╡   ╞════╪════╪══════╡
│ +I ┆  1 ┆ a    │   │ +U ┆  1 ┆ c    │
│ +I ┆  2 ┆ b    │   │ +I ┆  3 ┆ NULL │
│ -U ┆  1 ┆ a    │   └────┴────┴──────┘
│ +U ┆  1 ┆ c    │
│ -D ┆  2 ┆ b    │
│ +I ┆  3 ┆ NULL │
└────┴────┴──────┘
6 changes (+I 3, -U 1, +U 1, -D 1) → 2 rows
";
        assert_eq!(drawn(None), beside);
        assert_eq!(drawn(Some(100)), beside);
    }

    #[test]
    fn on_a_narrow_terminal_the_table_is_below() {
        let text = drawn(Some(99));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[10], lines[14]), ("table", "│ +U ┆  1 ┆ c    │"));
        assert_eq!(lines.last(), Some(&"6 changes (+I 3, -U 1, +U 1, -D 1) → 2 rows"));
    }

    #[test]
    fn two_boxes_share_the_width() {
        assert_eq!(share(30, 60, 97), [30, 67]);
        assert_eq!(share(90, 20, 97), [77, 20]);
        assert_eq!(share(90, 90, 97), [48, 49]);
    }

    #[test]
    fn many_changes_are_not_held_back_for_their_table() {
        let log = vec!["+I 1 a"; TOGETHER + 2].join(", ");
        let mut view = Duality::new(&Look::default());
        let mut out = Vec::new();
        view.begin(&mut out, &header()).unwrap();
        view.changes(&mut out, &changes(&log)).unwrap();
        assert!(!out.is_empty());
        view.end(&mut out, Ending::Complete).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("┘\ntable\n┌"), "{}", &text[text.len() - 200..]);
    }
}
