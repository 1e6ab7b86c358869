//! The formats by name, and what each does with a list or a text.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use jiff::tz::TimeZone;

use super::array::{Array, write_array};
use super::boxes::Drawn;
use super::changelog::{Changelog, write_footer};
use super::csv::{Csv, Separator, write_lines};
use super::duality::Duality;
use super::encoded::Encoded;
use super::grid::{DOTTED, MARKDOWN, SOLID};
use super::html::{Html, write_page};
use super::insert::{Inserts, write_inserts};
use super::jsonl::{Jsonl, write_objects};
use super::table::{Table, write_rows};
use super::tally::counted;
use super::transcript::{Transcript, write_rows_as_transcript};
use super::vertical::{Records, Vertical};
use super::view::{Look, Side, View};
use crate::changelog::Encoding;
use crate::session::Rows;
use crate::spelling::nearest;
use crate::value::{Column, DataType, Schema, Value};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Each change in a box, and what they add up to.
    Changelog,
    /// The table that the changes add up to.
    Table,
    /// The changes, and the table beside them.
    Duality,
    /// The table, with the types of its columns.
    Box,
    /// One column a line.
    Vertical,
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// One JSON object a line.
    Jsonl,
    /// One JSON array.
    Json,
    /// A table of a Markdown document.
    Markdown,
    /// A table of an HTML page.
    Html,
    /// Statements that insert the rows.
    Insert,
    /// Statements and what became of them, to be compared.
    Transcript,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 13] = [
        Self::Changelog,
        Self::Table,
        Self::Duality,
        Self::Box,
        Self::Vertical,
        Self::Csv,
        Self::Tsv,
        Self::Jsonl,
        Self::Json,
        Self::Markdown,
        Self::Html,
        Self::Insert,
        Self::Transcript,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changelog => "changelog",
            Self::Table => "table",
            Self::Duality => "duality",
            Self::Box => "box",
            Self::Vertical => "vertical",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Insert => "insert",
            Self::Transcript => "transcript",
        }
    }

    /// What other shells call it.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Changelog => &["tableau"],
            Self::Box => &["duckbox"],
            Self::Vertical => &["line", "expanded"],
            Self::Tsv => &["tabs"],
            Self::Jsonl => &["ndjson", "jsonlines"],
            Self::Markdown => &["md"],
            Self::Table
            | Self::Duality
            | Self::Csv
            | Self::Json
            | Self::Html
            | Self::Insert
            | Self::Transcript => &[],
        }
    }

    /// What the format shows, as a phrase.
    pub fn about(self) -> &'static str {
        match self {
            Self::Changelog => "each change in a box, and what they add up to",
            Self::Table => "the table that the changes add up to",
            Self::Duality => "the changes, and beside them the table that they add up to",
            Self::Box => "the table, with the types of its columns",
            Self::Vertical => "each change with one column a line",
            Self::Csv => "each change as a line of comma-separated values",
            Self::Tsv => "each change as a line of tab-separated values",
            Self::Jsonl => "each change as a JSON object on a line",
            Self::Json => "the rows of the table as one JSON array",
            Self::Markdown => "each change in a table of a Markdown document",
            Self::Html => "each change in a table of an HTML page",
            Self::Insert => "the rows of the table as INSERT statements",
            Self::Transcript => "statements and their changes, to be compared with a recording",
        }
    }

    /// Whether each change is shown by itself, so that it does not matter when it is shown.
    pub fn is_line_by_line(self) -> bool {
        match self {
            Self::Vertical | Self::Csv | Self::Tsv | Self::Jsonl | Self::Html => true,
            Self::Changelog
            | Self::Table
            | Self::Duality
            | Self::Box
            | Self::Json
            | Self::Markdown
            | Self::Insert
            | Self::Transcript => false,
        }
    }

    /// Whether it is for somebody who reads it on a screen, so that it can have other lines among its own.
    pub fn is_for_eyes(self) -> bool {
        match self {
            Self::Changelog | Self::Table | Self::Duality | Self::Box | Self::Vertical => true,
            Self::Csv
            | Self::Tsv
            | Self::Jsonl
            | Self::Json
            | Self::Markdown
            | Self::Html
            | Self::Insert
            | Self::Transcript => false,
        }
    }

    /// The side of a result that is shown if none is asked for.
    fn own_side(self) -> Side {
        match self {
            Self::Table | Self::Box | Self::Json | Self::Insert => Side::Table,
            Self::Changelog
            | Self::Duality
            | Self::Vertical
            | Self::Csv
            | Self::Tsv
            | Self::Jsonl
            | Self::Markdown
            | Self::Html
            | Self::Transcript => Side::Changes,
        }
    }

    /// The side of a result that a look makes it show.
    pub fn side(self, look: &Look) -> Side {
        match (self, look.side) {
            // The one has its own layout, the other shows the table anyway.
            (Self::Transcript, _) | (Self::Duality, Side::Table) => Side::Changes,
            (_, Side::Auto) => self.own_side(),
            (_, side) => side,
        }
    }

    /// Something that shows the changes of one query.
    pub fn view(self, look: &Look) -> Box<dyn View> {
        match self.side(look) {
            Side::Table => Box::new(Table::new(self, look)),
            Side::Auto | Side::Changes => self.view_of_changes(look),
            Side::Retract => Box::new(Encoded::new(self.view_of_changes(look), Encoding::Retract)),
            Side::Upsert => Box::new(Encoded::new(self.view_of_changes(look), Encoding::Upsert)),
        }
    }

    fn view_of_changes(self, look: &Look) -> Box<dyn View> {
        match self {
            Self::Changelog | Self::Table => Box::new(Changelog::new(look, &DOTTED)),
            Self::Box => Box::new(Changelog::new(look, &SOLID)),
            Self::Markdown => Box::new(Changelog::new(&document(look), &MARKDOWN)),
            Self::Duality => Box::new(Duality::new(look)),
            Self::Vertical => Box::new(Vertical::new(look)),
            Self::Csv => Box::new(Csv::new(Separator::Comma, look)),
            Self::Tsv => Box::new(Csv::new(Separator::Tab, look)),
            Self::Jsonl => Box::new(Jsonl::default()),
            Self::Json => Box::new(Array::default()),
            Self::Html => Box::new(Html::new(look)),
            Self::Insert => Box::new(Inserts::new(look)),
            Self::Transcript => Box::new(Transcript::new(look)),
        }
    }

    /// Writes a list such as `SHOW TABLES` gives it.
    pub fn write_rows(self, out: &mut dyn Write, look: &Look, list: &Rows) -> io::Result<()> {
        self.write_list(out, look, &list.schema, &TimeZone::UTC, &mut list.rows.iter().map(|row| &**row))
    }

    /// Writes rows that are no changes.
    pub(super) fn write_list(
        self,
        out: &mut dyn Write,
        look: &Look,
        schema: &Schema,
        zone: &TimeZone,
        rows: &mut dyn Iterator<Item = &[Value]>,
    ) -> io::Result<()> {
        match self {
            Self::Changelog | Self::Table | Self::Duality => {
                write_rows(out, look, &DOTTED, schema, zone, rows)
            }
            Self::Box => write_rows(out, look, &SOLID, schema, zone, rows),
            Self::Markdown => write_rows(out, &document(look), &MARKDOWN, schema, zone, rows),
            Self::Vertical => {
                let mut records = Records::new(look, schema, zone);
                let mut count = 0;
                for row in rows {
                    records.write(out, None, row, None)?;
                    count += 1;
                }
                write_footer(out, look, &counted(count, "row"), Drawn::default())
            }
            Self::Csv => write_lines(out, Separator::Comma, look, schema, zone, rows),
            Self::Tsv => write_lines(out, Separator::Tab, look, schema, zone, rows),
            Self::Jsonl => write_objects(out, schema, zone, rows),
            Self::Json => write_array(out, schema, zone, rows),
            Self::Html => write_page(out, look, schema, zone, rows),
            Self::Insert => write_inserts(out, look, schema, rows),
            Self::Transcript => write_rows_as_transcript(out, schema, rows),
        }
    }

    /// Writes a text such as `EXPLAIN` gives it: as it is, or as the only value of a list.
    pub fn write_text(self, out: &mut dyn Write, look: &Look, text: &str) -> io::Result<()> {
        match self {
            Self::Changelog | Self::Table | Self::Duality | Self::Box | Self::Vertical | Self::Transcript => {
                writeln!(out, "{}", text.trim_end())
            }
            Self::Markdown => writeln!(out, "```text\n{}\n```", text.trim_end()),
            Self::Csv | Self::Tsv | Self::Jsonl | Self::Json | Self::Html | Self::Insert => {
                let schema = Schema::new(vec![Column::new("result", DataType::string())]);
                let rows = vec![vec![Value::string(text.trim_end())].into()];
                self.write_rows(out, look, &Rows { schema, rows })
            }
        }
    }
}

/// A document is as wide as its lines, has all its rows, and a table without a head is none.
fn document(look: &Look) -> Look {
    Look { width: None, max_rows: None, headers: true, colour: false, ..look.clone() }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let is = |other: &&str| other.eq_ignore_ascii_case(name);
        let found =
            Self::ALL.into_iter().find(|format| is(&format.name()) || format.aliases().iter().any(is));
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no format \"{0}\"")]
pub struct UnknownFormat(String);

impl UnknownFormat {
    /// The format that may be meant, or all that there are.
    pub fn hint(&self) -> String {
        match nearest(&self.0, Format::ALL.map(Format::name)) {
            Some(name) => format!("Did you mean {name}?"),
            None => format!("The formats are {}.", Format::ALL.map(Format::name).join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Rows {
        let schema = Schema::new(vec![Column::new("table name", DataType::string())]);
        Rows { schema, rows: vec![vec![Value::string("a,b")].into(), vec![Value::NULL].into()] }
    }

    fn rows(format: Format) -> String {
        let mut out = Vec::new();
        format.write_rows(&mut out, &Look::default(), &list()).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn text(format: Format) -> String {
        let mut out = Vec::new();
        format.write_text(&mut out, &Look::default(), "Scan(\"t\")\n+- x\n").unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_list_is_shown_in_every_format() {
        assert_eq!(rows(Format::Csv), "table name\n\"a,b\"\n\n");
        assert_eq!(rows(Format::Jsonl), "{\"table name\":\"a,b\"}\n{\"table name\":null}\n");
        assert_eq!(rows(Format::Transcript), "# table name STRING\n[a,b]\n[null]\n");
        assert!(rows(Format::Changelog).ends_with("│ NULL       │\n└────────────┘\n2 rows\n"));
        assert_eq!(rows(Format::Table), rows(Format::Changelog));
        assert!(rows(Format::Vertical).contains("\ntable name: a,b\n"));
    }

    #[test]
    fn a_text_is_shown_in_every_format() {
        for format in [Format::Changelog, Format::Table, Format::Vertical, Format::Transcript] {
            assert_eq!(text(format), "Scan(\"t\")\n+- x\n");
        }
        assert_eq!(text(Format::Csv), "result\n\"Scan(\"\"t\"\")\n+- x\"\n");
        assert_eq!(text(Format::Jsonl), "{\"result\":\"Scan(\\\"t\\\")\\n+- x\"}\n");
    }

    #[test]
    fn formats_are_found_by_name() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert_eq!("xml".parse::<Format>().unwrap_err().to_string(), "there is no format \"xml\"");
    }
}
