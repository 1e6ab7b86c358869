//! The table that a changelog adds up to, and lists that never were a changelog.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::boxes::Sheet;
use super::changelog::{Cells, write_footer};
use super::format::Format;
use super::grid::Lines;
use super::tally::counted;
use super::view::{Ending, Look, View};
use crate::changelog::{Changes, Materialized};
use crate::session::Header;
use crate::value::{Schema, Value};

/// The format `table`, and the table in any other format.
#[derive(Debug)]
pub(super) struct Table {
    format: Format,
    look: Look,
    result: Option<(Header, Materialized)>,
}

impl Table {
    pub(super) fn new(format: Format, look: &Look) -> Self {
        Self { format, look: look.clone(), result: None }
    }
}

impl View for Table {
    fn begin(&mut self, _out: &mut dyn Write, header: &Header) -> io::Result<()> {
        self.result = Some((header.clone(), Materialized::new(header.key.clone())));
        Ok(())
    }

    fn changes(&mut self, _out: &mut dyn Write, changes: &Changes) -> io::Result<()> {
        if let Some((_, table)) = &mut self.result {
            for change in changes.iter() {
                table.apply(change);
            }
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        match self.result.take() {
            // A table in the middle of its changes may never have existed.
            Some(_) if ending == Ending::Failed => Ok(()),
            Some((_, table)) if ending == Ending::Cancelled && table.is_empty() => Ok(()),
            Some((header, table)) => {
                self.format.write_list(out, &self.look, &header.schema, &header.time_zone, &mut table.rows())
            }
            None => Ok(()),
        }
    }
}

/// Draws rows in a box with their number below.
pub(super) fn write_rows(
    out: &mut dyn Write,
    look: &Look,
    lines: &'static Lines,
    schema: &Schema,
    zone: &TimeZone,
    rows: &mut dyn Iterator<Item = &[Value]>,
) -> io::Result<()> {
    let cells = Cells::new(look, lines, schema, zone);
    let mut sheet = Sheet::of(look, lines, &[], schema, &[]);
    let mut count = 0_usize;
    for row in rows {
        cells.write(&mut sheet, row);
        sheet.end_row(out)?;
        count += 1;
    }
    let drawn = sheet.finish(out)?;
    if lines.is_document { Ok(()) } else { write_footer(out, look, &counted(count, "row"), drawn) }
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header, shown};
    use super::*;

    #[test]
    fn a_table_shows_what_is_left_in_the_order_in_which_it_came() {
        let log = changes("+I 2 b, +I 1 a, -U 2 b, +U 2 c, -D 1 a");
        assert_eq!(
            shown(&mut Table::new(Format::Table, &Look::default()), &header(), &log),
            "┌────┬──────┐\n\
             │ id ┆ name │\n\
             ╞════╪══════╡\n\
             │  2 ┆ c    │\n\
             └────┴──────┘\n\
             1 row\n"
        );
    }

    #[test]
    fn a_key_replaces_rows_that_no_change_takes_away() {
        let header = Header { key: Some(vec![0]), ..header() };
        let text =
            shown(&mut Table::new(Format::Table, &Look::default()), &header, &changes("+I 1 a, +U 1 b"));
        assert!(text.contains("│  1 ┆ b    │") && text.ends_with("1 row\n"), "{text}");
    }

    #[test]
    fn a_failed_query_has_no_table() {
        let mut view = Table::new(Format::Table, &Look::default());
        let mut out = Vec::new();
        view.begin(&mut out, &header()).unwrap();
        view.changes(&mut out, &changes("+I 1 a")).unwrap();
        view.end(&mut out, Ending::Failed).unwrap();
        assert_eq!(out, b"");
    }
}
