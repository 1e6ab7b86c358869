//! From statements to plans: binding names and types, simplifying, and deciding which kinds of
//! changes flow where.

pub mod advice;
pub mod bind;
pub mod changelog_function;
pub mod determinism;
mod error;
mod exchange;
pub mod explain;
mod hint;
pub mod join;
pub mod keys;
pub mod modes;
pub(crate) mod monotonic;
pub mod node;
pub mod passes;
mod words;

pub use error::{PlanError, PlanErrorKind};
