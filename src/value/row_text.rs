//! Rows as text.

use std::sync::Arc;

use jiff::tz::TimeZone;

use super::display::write_value;
use super::{DataType, Schema, Value};

/// Writes rows of a schema as Flink's SQL client does: `[EU, 1, null]`.
#[derive(Debug, Clone)]
pub struct RowText {
    types: Arc<[DataType]>,
    time_zone: TimeZone,
}

impl RowText {
    /// For rows of these columns, with instants in this time zone.
    pub fn new(schema: &Schema, time_zone: TimeZone) -> Self {
        Self { types: schema.types().cloned().collect(), time_zone }
    }

    /// The text of a row.
    pub fn of(&self, row: &[Value]) -> String {
        let mut text = String::new();
        self.write(&mut text, row);
        text
    }

    /// Appends the text of a row.
    pub fn write(&self, out: &mut String, row: &[Value]) {
        out.push('[');
        for (i, (value, data_type)) in row.iter().zip(&*self.types).enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            write_value(out, value, data_type, &self.time_zone);
        }
        out.push(']');
    }
}
