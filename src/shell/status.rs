//! How it all ends.

use std::io;
use std::process::ExitCode;

/// What the process says when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// Every statement did what it says.
    Done,
    /// A statement failed, or the output could not be written.
    Failed,
    /// The command line is wrong, or a file that it names cannot be read.
    Usage,
    /// Somebody pressed Ctrl-C.
    Interrupted,
}

/// Why no more statements are run.
#[derive(Debug)]
pub(super) enum Stop {
    /// A statement failed, and the user knows why.
    Failed,
    /// A statement did what it says, and something else failed by it, which the user knows.
    Broken,
    /// The user wants to leave.
    Quit,
    /// Somebody pressed Ctrl-C.
    Interrupted,
    /// Nobody reads the output any more.
    Closed,
    /// The output cannot be written.
    Output(io::Error),
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Failed => 1,
            Status::Usage => 2,
            Status::Interrupted => 130,
        })
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Output(error) }
    }
}
