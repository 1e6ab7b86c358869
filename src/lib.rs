//! An interactive Flink SQL engine for changelogs: any changelog in, any SQL in the middle, any
//! changelog out.

pub mod catalog;
pub mod changelog;
pub mod exec;
pub mod expr;
pub mod plan;
pub mod render;
pub mod session;
pub mod sql;
pub mod value;

pub use session::Session;
