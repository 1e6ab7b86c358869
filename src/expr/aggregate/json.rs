//! `JSON_OBJECTAGG` and `JSON_ARRAYAGG`.

use std::collections::BTreeMap;

use crate::value::json::{write_json, write_json_string};
use crate::value::{DataType, Value};

/// How the members of an object or the elements of an array are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Members {
    /// The type of the values.
    pub(super) data_type: DataType,
    /// Whether NULL values are left out.
    pub(super) absent_on_null: bool,
    /// Whether the values are JSON text already.
    pub(super) raw: bool,
}

impl Members {
    /// Whether a value is written at all.
    pub(super) fn shows(&self, value: &Value) -> bool {
        !(self.absent_on_null && value.is_null())
    }

    fn write(&self, out: &mut String, value: &Value) {
        match value.as_str() {
            Some(json) if self.raw => out.push_str(json),
            _ => write_json(out, value, &self.data_type),
        }
    }

    /// The object of these members, in the order of their keys.
    pub(super) fn object(&self, members: &BTreeMap<Value, Value>) -> Value {
        let mut out = String::from("{");
        for (key, value) in members.iter().filter(|(_, value)| self.shows(value)) {
            if out.len() > 1 {
                out.push(',');
            }
            write_json_string(&mut out, key.as_str().unwrap_or_default());
            out.push(':');
            self.write(&mut out, value);
        }
        out.push('}');
        Value::string(&out)
    }

    /// The array of these elements.
    pub(super) fn array(&self, elements: &[Value]) -> Value {
        let mut out = String::from("[");
        for (i, value) in elements.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            self.write(&mut out, value);
        }
        out.push(']');
        Value::string(&out)
    }
}
