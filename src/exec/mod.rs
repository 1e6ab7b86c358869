//! Runs plans: operators with their state, and the dataflow that pushes changes through them.
//! Nothing here knows the catalog or SQL text; a scan names a table by its number only.

mod build;
mod dataflow;
mod error;
mod keyed;
mod operator;
mod ops;

pub use build::{SinkOptions, build};
pub use dataflow::{Dataflow, Source};
pub use error::RunError;
