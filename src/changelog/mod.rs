//! Row-level changes: the four kinds, which of them a stream may carry, changes in order, and the
//! table that a changelog adds up to. Nothing here knows about plans or operators.

mod changes;
mod encoding;
mod kind;
mod materialize;
mod mode;

pub use changes::{Cause, Change, Changes};
pub use encoding::{Encoder, Encoding};
pub use kind::RowKind;
pub use materialize::Materialized;
pub use mode::{ChangelogMode, DeleteKind};
