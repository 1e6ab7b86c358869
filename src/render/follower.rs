//! Changes of what is watched, batch after batch.

use std::io::{self, Write};

use super::boxes::Drawn;
use super::changelog::{Drawing, write_footer};
use super::duality::Sides;
use super::format::Format;
use super::grid::{DOTTED, Lines, SOLID};
use super::json::write_string;
use super::object::{AT_ONCE, Objects};
use super::tally::Tally;
use super::transcript::write_log;
use super::vertical::{CAUSE, Records};
use super::view::{Ending, Look, Side};
use crate::changelog::{Cause, Change, Changes, Encoder, Encoding, Materialized, RowKind};
use crate::session::{Collected, Header, LogEntry};
use crate::value::RowText;

/// Shows the changes of something that is watched, batch after batch.
#[derive(Debug)]
pub struct Follower {
    name: String,
    header: Header,
    tally: Tally,
    /// What turns the changes into another encoding, if one was asked for.
    encoder: Option<(Encoding, Encoder)>,
}

/// Finds the entry of a log that caused a change.
pub type Causes<'a> = &'a dyn Fn(Cause) -> Option<LogEntry<'a>>;

impl Follower {
    /// Nothing was shown yet of what is watched under this name.
    pub fn new(name: &str, header: Header) -> Self {
        let tally = Tally::with_table(header.key.clone());
        Self { name: name.to_owned(), header, tally, encoder: None }
    }

    /// Shows the next changes, with what all changes until now add up to, and with what caused each of
    /// them where that can be told.
    pub fn show(
        &mut self,
        out: &mut dyn Write,
        format: Format,
        look: &Look,
        changes: &Changes,
        causes: Option<Causes<'_>>,
    ) -> io::Result<()> {
        self.tally.start_over();
        let side = format.side(look);
        let encoded = self.encoded(side, changes);
        let changes = encoded.as_ref().unwrap_or(changes);
        changes.iter().for_each(|change| self.tally.count(change));
        match (format, side) {
            (Format::Transcript, _) => {
                let header = Some(self.header.clone());
                write_log(out, &Collected { header, changes: changes.clone(), notices: vec![] })
            }
            (format, Side::Table) => {
                let mut rows = self.tally.table().into_iter().flat_map(Materialized::rows);
                format.write_list(out, look, &self.header.schema, &self.header.time_zone, &mut rows)
            }
            (Format::Changelog | Format::Table, _) => self.draw(out, &DOTTED, look, changes, causes),
            (Format::Box, _) => self.draw(out, &SOLID, look, changes, causes),
            (Format::Duality, _) => {
                let after: &[&str] = if causes.is_some() { &[CAUSE] } else { &[] };
                let mut sides = Sides::new(look, &self.header, after);
                for change in changes.iter() {
                    sides.add(out, change, causes.map(|causes| told(causes, change)).as_deref())?;
                }
                sides.finish(out, look, &self.header, &self.tally)
            }
            (Format::Vertical, _) => {
                let mut records = Records::new(look, &self.header.schema, &self.header.time_zone);
                for change in changes.iter() {
                    let cause = causes.map(|causes| told(causes, change));
                    records.write(out, Some(change.kind), change.row, cause.as_deref())?;
                }
                write_footer(out, look, &self.tally.to_string(), Drawn::default())
            }
            (Format::Jsonl, _) => self.write_objects(out, changes, causes),
            (
                Format::Csv | Format::Tsv | Format::Json | Format::Markdown | Format::Html | Format::Insert,
                _,
            ) => {
                // The changes are in their encoding already.
                let mut view = format.view(&Look { side: Side::Changes, ..look.clone() });
                view.begin(out, &self.header)?;
                view.changes(out, changes)?;
                view.end(out, Ending::Complete)
            }
        }
    }

    /// The changes in the encoding that is asked for, if they can be.
    fn encoded(&mut self, side: Side, changes: &Changes) -> Option<Changes> {
        let encoding = match side {
            Side::Auto | Side::Changes | Side::Table => return None,
            Side::Retract => Encoding::Retract,
            Side::Upsert => Encoding::Upsert,
        };
        let key = self.header.key.clone()?;
        let mut shown = Changes::new(changes.width());
        if self.encoder.as_ref().is_none_or(|(known, _)| *known != encoding) {
            let mut encoder = Encoder::new(encoding, key);
            for row in self.tally.table().into_iter().flat_map(Materialized::rows) {
                let there = Change { kind: RowKind::Insert, row, cause: Cause::default() };
                encoder.encode(there, &mut shown);
            }
            shown.clear();
            self.encoder = Some((encoding, encoder));
        }
        let (_, encoder) = self.encoder.as_mut()?;
        changes.iter().for_each(|change| encoder.encode(change, &mut shown));
        encoder.finish(&mut shown);
        Some(shown)
    }

    fn draw(
        &self,
        out: &mut dyn Write,
        lines: &'static Lines,
        look: &Look,
        changes: &Changes,
        causes: Option<Causes<'_>>,
    ) -> io::Result<()> {
        let after: &[&str] = if causes.is_some() { &[CAUSE] } else { &[] };
        let mut drawing = Drawing::new(look, lines, &self.header, after);
        for change in changes.iter() {
            drawing.add(out, change, causes.map(|causes| told(causes, change)).as_deref())?;
        }
        let drawn: Drawn = drawing.sheet.finish(out)?;
        write_footer(out, look, &self.tally.to_string(), drawn)
    }

    fn write_objects(
        &self,
        out: &mut dyn Write,
        changes: &Changes,
        causes: Option<Causes<'_>>,
    ) -> io::Result<()> {
        let mut objects = Objects::new(&self.header.schema, &self.header.time_zone);
        for change in changes.iter() {
            objects.change(change.kind, change.row);
            objects.buffer.push_str(",\"watch\":");
            write_string(&mut objects.buffer, &self.name);
            if let Some(entry) = causes.and_then(|causes| causes(change.cause)) {
                let mut cause = Objects::new(&entry.header.schema, &entry.header.time_zone);
                cause.change(entry.change.kind, entry.change.row);
                objects.buffer.push_str(",\"cause\":{\"table\":");
                write_string(&mut objects.buffer, entry.table);
                objects.buffer.push(',');
                objects.buffer.push_str(&cause.buffer[1..]);
                objects.buffer.push('}');
            }
            objects.buffer.push_str("}\n");
            objects.write(out, AT_ONCE)?;
        }
        objects.write(out, 0)
    }
}

/// What caused a change, or nothing.
fn told(causes: Causes<'_>, change: Change<'_>) -> String {
    causes(change.cause).map_or_else(String::new, |entry| entry_text(&entry))
}

/// An entry of a log on one line: `orders +I[3, EU]`.
pub fn entry_text(entry: &LogEntry<'_>) -> String {
    let LogEntry { table, header, change } = entry;
    let text = RowText::new(&header.schema, header.time_zone.clone());
    super::printable(&format!("{table} {}{}", change.kind, text.of(change.row)))
}

#[cfg(test)]
mod tests {
    use super::super::view::testing::{changes, header};
    use super::*;

    #[test]
    fn what_is_followed_adds_up_over_its_batches() {
        let mut follower = Follower::new("t", header());
        let mut shown = |format, batch| {
            let mut out = Vec::new();
            follower.show(&mut out, format, &Look::default(), &changes(batch), None).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(shown(Format::Changelog, "+I 1 a, +I 2 b").ends_with("2 changes (+I 2) → 2 rows\n"));
        assert!(shown(Format::Changelog, "-D 1 a").ends_with("1 change (-D 1) → 1 row\n"));
        assert_eq!(shown(Format::Transcript, "+I 3 c"), "+I[3, c]\n");
        assert!(shown(Format::Table, "+I 4 d").ends_with("3 rows\n"));
        assert_eq!(shown(Format::Csv, "-D 2 b"), "op,id,name\n-D,2,b\n");
    }

    #[test]
    fn each_change_has_its_cause_beside_it() {
        let log = changes("+U 7 seven");
        let cause = |_: Cause| Some(LogEntry { table: "orders", header: header(), change: log.get(0) });
        let mut follower = Follower::new("t", header());
        let mut shown = |format, batch| {
            let mut out = Vec::new();
            follower.show(&mut out, format, &Look::default(), &changes(batch), Some(&cause)).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(shown(Format::Changelog, "+I 1 a").contains("│ +I ┆  1 ┆ a    ┆ orders +U[7, seven] │\n"));
        assert_eq!(
            shown(Format::Jsonl, "+I 1 a"),
            "{\"op\":\"+I\",\"row\":{\"id\":1,\"name\":\"a\"},\"watch\":\"t\",\
             \"cause\":{\"table\":\"orders\",\"op\":\"+U\",\"row\":{\"id\":7,\"name\":\"seven\"}}}\n"
        );
        assert!(
            shown(Format::Vertical, "-D 1 a").contains("\nname: a\ncause: orders +U[7, seven]\n1 change")
        );
        // The last changes alone mark their rows.
        let text = shown(Format::Duality, "+I 2 b");
        assert!(text.contains("│    ┆  1 ┆ a    │") && text.contains("│ +I ┆  2 ┆ b    │\n"), "{text}");
    }

    #[test]
    fn a_batch_is_encoded_after_what_is_there() {
        let header = Header { key: Some(vec![0]), ..header() };
        let mut follower = Follower::new("t", header);
        let mut shown = |side, batch| {
            let mut out = Vec::new();
            let look = Look { side, ..Look::default() };
            follower.show(&mut out, Format::Csv, &look, &changes(batch), None).unwrap();
            String::from_utf8(out).unwrap()
        };
        shown(Side::Changes, "+I 1 a");
        assert_eq!(shown(Side::Retract, "+U 1 b"), "op,id,name\n-U,1,a\n+U,1,b\n");
        assert_eq!(shown(Side::Upsert, "-U 1 b, +U 1 c"), "op,id,name\n+U,1,c\n");
    }
}
