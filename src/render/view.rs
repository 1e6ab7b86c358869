//! The shape of everything that shows the changes of one query.

use std::fmt;
use std::io::{self, Write};
use std::rc::Rc;
use std::str::FromStr;

use crate::changelog::Changes;
use crate::session::Header;

/// How a result may look.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Look {
    /// The columns of the terminal; without a terminal nothing is cut or wrapped.
    pub width: Option<usize>,
    /// Whether to use colour.
    pub colour: bool,
    /// Whether a transcript sorts the changes, for queries whose order has no meaning.
    pub unordered: bool,
    /// What stands for NULL, in formats that are not JSON; each format has its own word for it.
    pub null: Option<Rc<str>>,
    /// The table into which statements insert the rows, in the format that has such.
    pub table: Option<Rc<str>>,
    /// Whether the names of the columns are shown.
    pub headers: bool,
    /// How many rows of a box are shown; those in the middle are left out.
    pub max_rows: Option<usize>,
    /// Which side of the result is shown.
    pub side: Side,
    /// Whether each result that is wider than the terminal is shown with one column a line, and not a
    /// single row alone.
    pub turns: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            width: None,
            colour: false,
            unordered: false,
            null: None,
            table: None,
            headers: true,
            max_rows: None,
            side: Side::default(),
            turns: false,
        }
    }
}

impl Look {
    /// What stands for NULL, if nothing is asked for this.
    pub(super) fn null_or<'a>(&'a self, usual: &'a str) -> &'a str {
        self.null.as_deref().unwrap_or(usual)
    }
}

/// Which side of a result is shown: its changes, in one encoding or another, or the table that they
/// add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// What the format is for.
    #[default]
    Auto,
    /// The changes as they come.
    Changes,
    /// The changes with the old row before each new one.
    Retract,
    /// The changes without the old rows, where a key says which row a new one replaces.
    Upsert,
    /// The table.
    Table,
}

impl Side {
    /// All sides.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Changes, Self::Retract, Self::Upsert, Self::Table];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Changes => "changes",
            Self::Retract => "retract",
            Self::Upsert => "upsert",
            Self::Table => "table",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Side {
    type Err = UnknownSide;

    fn from_str(name: &str) -> Result<Self, UnknownSide> {
        let found = Self::ALL.into_iter().find(|side| side.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownSide(name.to_owned()))
    }
}

/// A name that no side of a result has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no view \"{0}\"")]
pub struct UnknownSide(String);

/// How a query ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With its last change.
    Complete,
    /// With an error, after some of its changes.
    Failed,
    /// Because somebody stopped it.
    Cancelled,
}

/// Shows the changes of one query in one format.
pub trait View {
    /// Starts with the columns.
    fn begin(&mut self, out: &mut dyn Write, header: &Header) -> io::Result<()>;

    /// Takes the next changes. They may be held back until it is known how to show them well.
    fn changes(&mut self, out: &mut dyn Write, changes: &Changes) -> io::Result<()>;

    /// Shows what is held back, if the format can, because more may be long in coming.
    fn flush(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Ends. Without [`View::begin`] before, nothing is to be shown.
    fn end(&mut self, out: &mut dyn Write, ending: Ending) -> io::Result<()>;
}

#[cfg(test)]
pub(super) mod testing {
    use jiff::tz::TimeZone;

    use super::{Changes, Ending, Header, View};
    use crate::changelog::Cause;
    use crate::value::{Column, DataType, Schema, Value};

    /// The columns `id INT, name STRING`.
    pub(in super::super) fn header() -> Header {
        let columns = vec![Column::new("id", DataType::int()), Column::new("name", DataType::string())];
        Header { schema: Schema::new(columns), key: None, time_zone: TimeZone::UTC }
    }

    /// Changes from `+I 1 alice, -D 2 NULL`.
    pub(in super::super) fn changes(text: &str) -> Changes {
        let mut changes = Changes::new(2);
        for change in text.split(", ") {
            let parts: Vec<&str> = change.splitn(3, ' ').collect();
            let id = Value::integer(parts[1].parse::<i64>().unwrap());
            let name = if parts[2] == "NULL" { Value::NULL } else { Value::string(parts[2]) };
            changes.push(parts[0].parse().unwrap(), Cause::default(), &[id, name]);
        }
        changes
    }

    /// What a view shows of a whole query.
    pub(in super::super) fn shown(view: &mut dyn View, header: &Header, changes: &Changes) -> String {
        let mut out = Vec::new();
        view.begin(&mut out, header).unwrap();
        view.changes(&mut out, changes).unwrap();
        view.end(&mut out, Ending::Complete).unwrap();
        String::from_utf8(out).unwrap()
    }
}
