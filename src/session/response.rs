//! What a statement gives.

use crate::changelog::{Change, Changes};
use crate::connect::Extent;
use crate::value::{Row, Schema};
use jiff::tz::TimeZone;

/// What a finished statement says. The changes of a query have gone to the [`Receiver`] before.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is done, and there is nothing to show.
    Done,
    /// Rows were appended to a table.
    Inserted {
        /// The table.
        table: String,
        /// How many.
        rows: usize,
    },
    /// Rows of a table were updated.
    Updated {
        /// The table.
        table: String,
        /// How many.
        rows: usize,
    },
    /// Rows of a table were deleted.
    Deleted {
        /// The table.
        table: String,
        /// How many.
        rows: usize,
    },
    /// A pipeline was started, and has read what was there.
    Started {
        /// Its number.
        job: u64,
        /// The table that it writes.
        table: String,
        /// How many changes it has written so far.
        changes: usize,
        /// Whether it goes on and follows its sources.
        running: bool,
    },
    /// A query ended.
    Queried,
    /// A list, such as `SHOW TABLES` gives it.
    Rows(Rows),
    /// A text, such as `EXPLAIN` gives it.
    Text(String),
    /// The statement is for who runs the session.
    Command(Command),
}

/// A list of rows that is no changelog.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The columns.
    pub schema: Schema,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A statement that a shell understands, not the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// `HELP`
    Help,
    /// `QUIT` or `EXIT`
    Quit,
    /// `CLEAR`
    Clear,
    /// `HISTORY`
    History,
}

/// What is known of a result before its first change.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The columns.
    pub schema: Schema,
    /// The columns by which rows replace each other, if there are such.
    pub key: Option<Vec<usize>>,
    /// The time zone in which instants are shown.
    pub time_zone: TimeZone,
}

/// How far reading is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// The rows that were read.
    pub rows: u64,
    /// How much was read of files and streams, if something is.
    pub extent: Option<Extent>,
}

/// Takes the changes of a query as they are made.
pub trait Receiver {
    /// Something that the user should know, as one line.
    fn notice(&mut self, notice: &str);

    /// A query begins.
    fn begin(&mut self, header: &Header);

    /// The next changes, in order. Returns whether more are wanted.
    fn changes(&mut self, changes: &Changes) -> bool;

    /// Something was read, of which nothing may have come out; `progress` tells how much. This is
    /// called often, by queries and by what else reads whole tables.
    fn progress(&mut self, progress: &dyn Fn() -> Progress) {
        let _ = progress;
    }

    /// What comes next may be long in coming, or there at once. Returns whether more is wanted.
    fn lull(&mut self) -> bool {
        true
    }

    /// Nothing comes for a while, and what was given may be shown. Returns whether more is wanted.
    fn pause(&mut self) -> bool {
        true
    }
}

/// Keeps everything.
#[derive(Debug, Default)]
pub struct Collected {
    /// The notices.
    pub notices: Vec<String>,
    /// The columns of the last query.
    pub header: Option<Header>,
    /// Its changes.
    pub changes: Changes,
}

impl Receiver for Collected {
    fn notice(&mut self, notice: &str) {
        self.notices.push(notice.to_owned());
    }

    fn begin(&mut self, header: &Header) {
        self.changes = Changes::new(header.schema.len());
        self.header = Some(header.clone());
    }

    fn changes(&mut self, changes: &Changes) -> bool {
        changes.iter().for_each(|change| self.changes.push_change(change));
        true
    }
}

/// New changes of what is watched.
#[derive(Debug, Clone)]
pub struct Watched {
    /// What is watched: the query or view as it was named.
    pub name: String,
    /// The columns.
    pub header: Header,
    /// The new changes.
    pub changes: Changes,
}

/// An entry of the log of a table.
#[derive(Debug, Clone)]
pub struct LogEntry<'a> {
    /// The table.
    pub table: &'a str,
    /// The columns that are in the log.
    pub header: Header,
    /// The change.
    pub change: Change<'a>,
}
