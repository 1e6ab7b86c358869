//! rowkind
pub mod changelog;
pub mod render;
pub mod sql;
pub mod value;
/// Temporary.
pub mod session {
    pub mod response;
    pub use response::{Collected, Command, Header, Outcome, Receiver, Rows, Watched};
}
