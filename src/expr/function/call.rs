//! How a function reads its arguments.

use super::{Call, EvalError};
use crate::value::Value;

/// What a function computes.
pub(super) type Evaluated = Result<Value, EvalError>;

/// Arguments by position. Typing lets only values of the signature's types through, and a strict
/// function never sees NULL; so an accessor of the declared type always finds its value.
impl<'a> Call<'a> {
    /// The argument, if the call has so many.
    pub(super) fn get(&self, index: usize) -> Option<&'a Value> {
        self.args.get(index)
    }

    /// The argument as text.
    pub(super) fn text(&self, index: usize) -> &'a str {
        self.args[index].as_str().expect("typing lets only text through")
    }

    /// The bytes of a binary, or of a text's UTF-8.
    pub(super) fn bytes(&self, index: usize) -> &'a [u8] {
        self.args[index].as_bytes().expect("typing lets only bytes through")
    }

    /// The argument as an integer of any width.
    pub(super) fn integer(&self, index: usize) -> i64 {
        self.args[index].as_integer().expect("typing lets only integers through")
    }

    /// The argument as a `DOUBLE`.
    pub(super) fn double(&self, index: usize) -> f64 {
        self.args[index].as_double().expect("typing casts to DOUBLE")
    }

    /// The argument as a boolean.
    pub(super) fn boolean(&self, index: usize) -> bool {
        self.args[index].as_boolean().expect("typing lets only booleans through")
    }

    /// The elements of an array or the fields of a row.
    pub(super) fn list(&self, index: usize) -> &'a [Value] {
        self.args[index].as_list().expect("typing lets only arrays through")
    }

    /// The entries of a map.
    pub(super) fn entries(&self, index: usize) -> &'a [(Value, Value)] {
        self.args[index].as_entries().expect("typing lets only maps through")
    }
}

/// Text as a result.
pub(super) fn text(text: impl AsRef<str>) -> Evaluated {
    Ok(Value::string(text.as_ref()))
}

/// Text as a result, or NULL.
pub(super) fn text_or_null(text: Option<impl AsRef<str>>) -> Evaluated {
    Ok(text.map_or(Value::NULL, |text| Value::string(text.as_ref())))
}

/// A count or a position, which fits any integer type, as a result.
pub(super) fn count(count: usize) -> Evaluated {
    Ok(Value::integer(i64::try_from(count).unwrap_or(i64::MAX)))
}

/// A failure with this phrase.
pub(super) fn failure(phrase: impl Into<String>) -> Evaluated {
    Err(EvalError(phrase.into()))
}
