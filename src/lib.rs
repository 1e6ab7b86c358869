//! rowkind
pub mod changelog;
pub mod expr;
pub mod value;
