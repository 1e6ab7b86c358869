//! The formats by name, and what each does with a list or a text.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use jiff::tz::TimeZone;

use super::changelog::{Changelog, write_footer};
use super::csv::{Csv, Lines};
use super::jsonl::{Jsonl, Objects};
use super::table::{Table, write_rows};
use super::tally::counted;
use super::transcript::{Transcript, write_list};
use super::vertical::{Records, Vertical};
use super::view::{Look, View};
use crate::session::Rows;
use crate::value::{Column, DataType, Schema, Value};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Each change in a box, and what they add up to.
    Changelog,
    /// The table that the changes add up to.
    Table,
    /// One column a line.
    Vertical,
    /// Comma-separated values.
    Csv,
    /// One JSON object a line.
    Jsonl,
    /// Statements and what became of them, to be compared.
    Transcript,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] =
        [Self::Changelog, Self::Table, Self::Vertical, Self::Csv, Self::Jsonl, Self::Transcript];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changelog => "changelog",
            Self::Table => "table",
            Self::Vertical => "vertical",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Transcript => "transcript",
        }
    }

    /// What the format shows, as a phrase.
    pub fn about(self) -> &'static str {
        match self {
            Self::Changelog => "each change in a box, and what they add up to",
            Self::Table => "the table that the changes add up to",
            Self::Vertical => "each change with one column a line",
            Self::Csv => "each change as a line of comma-separated values",
            Self::Jsonl => "each change as a JSON object on a line",
            Self::Transcript => "statements and their changes, to be compared with a recording",
        }
    }

    /// Whether each change is shown by itself, so that it does not matter when it is shown.
    pub fn is_line_by_line(self) -> bool {
        match self {
            Self::Vertical | Self::Csv | Self::Jsonl => true,
            Self::Changelog | Self::Table | Self::Transcript => false,
        }
    }

    /// Something that shows the changes of one query.
    pub fn view(self, look: Look) -> Box<dyn View> {
        match self {
            Self::Changelog => Box::new(Changelog::new(look)),
            Self::Table => Box::new(Table::new(look)),
            Self::Vertical => Box::new(Vertical::new(look)),
            Self::Csv => Box::new(Csv::default()),
            Self::Jsonl => Box::new(Jsonl::default()),
            Self::Transcript => Box::new(Transcript::new(look)),
        }
    }

    /// Writes a list such as `SHOW TABLES` gives it.
    pub fn write_rows(self, out: &mut dyn Write, look: Look, list: &Rows) -> io::Result<()> {
        let Rows { schema, rows } = list;
        match self {
            Self::Changelog | Self::Table => {
                write_rows(out, look, schema, &TimeZone::UTC, rows.iter().map(|row| &**row))
            }
            Self::Vertical => {
                let mut records = Records::new(look, schema, &TimeZone::UTC);
                rows.iter().try_for_each(|row| records.write(out, None, row))?;
                write_footer(out, look, &counted(rows.len(), "row"), None)
            }
            Self::Csv => {
                let mut lines = Lines::new(schema, &TimeZone::UTC);
                lines.head(&[], schema);
                for row in rows {
                    lines.row(row);
                }
                lines.write(out, 0)
            }
            Self::Jsonl => {
                let mut lines = Objects::new(schema, &TimeZone::UTC);
                for row in rows {
                    lines.row(row);
                }
                lines.write(out, 0)
            }
            Self::Transcript => write_list(out, list),
        }
    }

    /// Writes a text such as `EXPLAIN` gives it: as it is, or as the only value of a list.
    pub fn write_text(self, out: &mut dyn Write, look: Look, text: &str) -> io::Result<()> {
        match self {
            Self::Changelog | Self::Table | Self::Vertical | Self::Transcript => {
                writeln!(out, "{}", text.trim_end())
            }
            Self::Csv | Self::Jsonl => {
                let schema = Schema::new(vec![Column::new("result", DataType::string())]);
                let rows = vec![vec![Value::string(text.trim_end())].into()];
                self.write_rows(out, look, &Rows { schema, rows })
            }
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no format \"{0}\"")]
pub struct UnknownFormat(String);

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Rows {
        let schema = Schema::new(vec![Column::new("table name", DataType::string())]);
        Rows { schema, rows: vec![vec![Value::string("a,b")].into(), vec![Value::NULL].into()] }
    }

    fn rows(format: Format) -> String {
        let mut out = Vec::new();
        format.write_rows(&mut out, Look::default(), &list()).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn text(format: Format) -> String {
        let mut out = Vec::new();
        format.write_text(&mut out, Look::default(), "Scan(\"t\")\n+- x\n").unwrap();
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
