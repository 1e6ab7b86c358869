//! rowkind
pub mod changelog;
pub mod expr;
pub mod sql;
pub mod value;
