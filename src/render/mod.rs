//! Text from what the engine gives: changelogs, tables, plans, errors.
//!
//! Everything here writes to an `io::Write` and is told how wide it may be and whether to use colour. What
//! a terminal is, which format is in use and where the text goes is the shell's business; how a result is
//! found is the engine's.

mod array;
mod boxes;
mod cell;
mod changelog;
mod csv;
mod duality;
mod encoded;
mod error;
mod follower;
mod format;
mod grid;
mod held;
mod html;
mod insert;
mod json;
mod jsonl;
mod layout;
mod object;
mod paint;
mod table;
mod tally;
mod transcript;
mod vertical;
mod view;

pub use cell::{printable, start_of, width, write_cell};
pub use error::{Excerpt, Problem};
pub use follower::{Causes, Follower, entry_text};
pub use format::{Format, UnknownFormat};
pub use layout::{Layout, fit};
pub use paint::{Painter, Role};
pub use tally::{Counts, Tally};
pub use transcript::{write_answer, write_echo, write_log, write_problem};
pub use view::{Ending, Look, Side, UnknownSide, View};
