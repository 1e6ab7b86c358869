//! Rows as JSON objects, in a buffer that is used again.

use std::io::{self, Write};

use jiff::tz::TimeZone;

use super::json::{write_json, write_string};
use crate::changelog::RowKind;
use crate::value::{DataType, Schema, Value};

/// Writes rows as objects.
#[derive(Debug)]
pub(super) struct Objects {
    /// What stands before each value, its name, and its type.
    columns: Vec<(String, DataType)>,
    zone: TimeZone,
    /// What is not written yet.
    pub(super) buffer: String,
}

/// How much is written at once, in bytes.
pub(super) const AT_ONCE: usize = 32 << 10;

impl Objects {
    /// Objects with the columns of a schema.
    pub(super) fn new(schema: &Schema, zone: &TimeZone) -> Self {
        let mut columns = Vec::with_capacity(schema.len());
        for (i, column) in schema.columns.iter().enumerate() {
            let mut before = String::from(if i == 0 { "{" } else { "," });
            write_string(&mut before, &column.name);
            before.push(':');
            columns.push((before, column.data_type.clone()));
        }
        Self { columns, zone: zone.clone(), buffer: String::new() }
    }

    /// Appends the object of a change, but for the brace that closes it.
    pub(super) fn change(&mut self, kind: RowKind, row: &[Value]) {
        self.buffer.push_str("{\"op\":\"");
        self.buffer.push_str(kind.symbol());
        self.buffer.push_str("\",\"row\":");
        self.object(row);
    }

    /// Appends the object of a row.
    pub(super) fn object(&mut self, row: &[Value]) {
        for (value, (before, data_type)) in row.iter().zip(&self.columns) {
            self.buffer.push_str(before);
            write_json(&mut self.buffer, value, data_type, &self.zone);
        }
        self.buffer.push('}');
    }

    /// Writes what was appended if it is more than a number of bytes.
    pub(super) fn write(&mut self, out: &mut dyn Write, more_than: usize) -> io::Result<()> {
        if self.buffer.len() > more_than {
            out.write_all(self.buffer.as_bytes())?;
            self.buffer.clear();
        }
        Ok(())
    }
}
