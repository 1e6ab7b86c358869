//! Functions on text.
//!
//! Positions count characters from 1. Where Flink works on Java strings, positions and lengths
//! count UTF-16 code units instead, and half of a surrogate pair becomes `?`; each such function
//! goes through [`utf16`].

pub(super) mod join;
pub(super) mod part;
pub(super) mod printf;
pub(super) mod search;
pub(super) mod transform;
pub(super) mod trim;

/// Text as Java's strings hold it.
pub(super) mod utf16 {
    /// The UTF-16 code units of a text.
    pub(in crate::expr::function) fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    /// The text of UTF-16 code units; half a surrogate pair becomes `?`, as in Java's UTF-8.
    pub(in crate::expr::function) fn text(units: &[u16]) -> String {
        char::decode_utf16(units.iter().copied()).map(|c| c.unwrap_or('?')).collect()
    }
}
