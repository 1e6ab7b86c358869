//! Sources and sinks beyond memory: files, standard input and output, how rows are text there, and
//! rows that are made up.
//!
//! A [`Connector`] is made of the options of a table's `WITH` clause, with Flink's keys and values.
//! It gives a [`Reader`], which reads changes a batch at a time and decodes the columns that are
//! asked for, or a [`Writer`]. What can live here is what moves rows in and out; what a row does is
//! for others.
//!
//! ```
//! use rowkind::changelog::{Cause, Changes};
//! use rowkind::connect::{Connector, Reader};
//! use rowkind::value::{Column, DataType, Schema};
//!
//! let schema =
//!     Schema::new(vec![Column::new("id", DataType::int()), Column::new("name", DataType::string())]);
//! let options = [("connector", "stdin"), ("format", "csv")];
//! let options = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
//! let connector = Connector::from_options(&options, &schema, &[])?;
//!
//! let mut names = Changes::new(1);
//! let mut reader = connector.reader_of("people", Box::new("1,Ada\n2,Grace\n".as_bytes()), &[1])?;
//! while reader.read(64, Cause::default(), &mut names)? {}
//! assert_eq!(names.get(1).row[0].as_str(), Some("Grace"));
//! # Ok::<(), rowkind::connect::ConnectError>(())
//! ```

mod compressed;
mod connector;
mod error;
mod file;
mod follow;
mod format;
mod generated;
mod metadata;
mod meter;
mod options;
mod pipe;
mod print;
mod replacement;
mod sample;
mod sink;
mod skipped;
mod source;
mod store;
mod streams;
mod text;

pub use connector::{Connector, SinkMode};
pub use error::{ConnectError, Place};
pub(crate) use format::json::{Documents, Next};
pub use generated::expressions as faker_expressions;
pub use meter::Extent;
pub use options::KnownOption;
pub use replacement::Replacement;
pub(crate) use sample::Sample;
pub use skipped::Skipped;
pub use streams::Streams;

use std::time::Duration;

use crate::changelog::{Cause, Changes};

/// Reads changes.
pub trait Reader: Send {
    /// Appends up to about `max` changes, and says whether there may be more; a line that means
    /// several changes gives all of them. The first change has the cause `first`, and those behind it
    /// have the next sequence numbers.
    ///
    /// It waits for input only while it has nothing to give, and one that has a [`Self::pause`] never.
    ///
    /// # Errors
    /// The input cannot be read, or has something that is no row; the changes before that are
    /// appended. There is nothing more to read then.
    fn read(&mut self, max: usize, first: Cause, out: &mut Changes) -> Result<bool, ConnectError>;

    /// Whether the next [`Self::read`] may have to wait until somebody writes something.
    fn may_wait(&self) -> bool {
        false
    }

    /// How long to wait for more when nothing came, if the input has no end or comes slowly.
    fn pause(&self) -> Option<Duration> {
        None
    }

    /// How far reading is, if it can be told in bytes.
    fn extent(&self) -> Option<Extent> {
        None
    }

    /// What was left out so far because it is no row, where that is wanted.
    fn skipped(&self) -> Option<Skipped> {
        None
    }

    /// Wants all that there is without pauses from now on, if the input has an end.
    fn hurry(&mut self) {}
}

/// Writes changes.
///
/// What is written lies in a buffer until it is full or [`Writer::flush`] is called.
pub trait Writer: Send {
    /// Writes all changes.
    ///
    /// # Errors
    /// A change cannot be written; those before it are. Or the output takes no more: then the rest
    /// stays in the buffer, and the next call goes on where this one stopped.
    fn write(&mut self, changes: &Changes) -> Result<(), ConnectError>;

    /// Hands everything over to the operating system.
    ///
    /// # Errors
    /// The output takes no more; the rest stays in the buffer.
    fn flush(&mut self) -> Result<(), ConnectError>;
}
