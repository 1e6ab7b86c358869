//! Text to statements.
mod error;
mod scan;
mod span;
mod split;
pub use error::ParseError;
pub use span::{Place, Span};
pub use split::{Item, Piece, Splitter, Terminator, is_complete};
