//! The shape of everything that shows the changes of one query.

use std::io::{self, Write};

use crate::changelog::Changes;
use crate::session::Header;

/// How a result may look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// The columns of the terminal; without a terminal nothing is cut or wrapped.
    pub width: Option<usize>,
    /// Whether to use colour.
    pub colour: bool,
    /// Whether a transcript sorts the changes, for queries whose order has no meaning.
    pub unordered: bool,
}

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
