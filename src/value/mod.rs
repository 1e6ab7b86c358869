//! The lowest room: what a column can hold.
//!
//! Here live data types, values, schemas, exact decimals, the calendar, casts, and how a value is
//! written as text. Nothing here knows about SQL, row kinds or where a row came from.

pub mod bitmap;
pub mod cast;
mod data_type;
mod datum;
pub mod decimal;
pub mod display;
pub mod json;
mod row_text;
mod schema;
pub mod time;

pub use data_type::{DataType, Field, MAX_LENGTH, TimeAttribute, TypeKind};
pub use datum::{Row, Value};
pub use decimal::Decimal;
pub use row_text::RowText;
pub use schema::{Column, Schema};
