//! What encoders write.

use std::fmt;

/// Lines on their way out. They are bytes, because text that was UTF-8 where it came from need not be
/// looked through again.
#[derive(Debug, Default)]
pub(in crate::connect) struct Output(Vec<u8>);

impl Output {
    /// Appends a character.
    #[inline]
    pub(in crate::connect) fn push(&mut self, character: char) {
        match u8::try_from(character) {
            Ok(byte @ ..0x80) => self.0.push(byte),
            _ => self.push_str(character.encode_utf8(&mut [0; 4])),
        }
    }

    /// Appends a text.
    #[inline]
    pub(in crate::connect) fn push_str(&mut self, text: &str) {
        self.push_bytes(text.as_bytes());
    }

    /// Appends what is UTF-8.
    #[inline]
    pub(in crate::connect) fn push_bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// All bytes.
    pub(in crate::connect) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number of bytes.
    pub(in crate::connect) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes away the bytes from a place on.
    pub(in crate::connect) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Takes away all bytes, and keeps the memory.
    pub(in crate::connect) fn clear(&mut self) {
        self.0.clear();
    }
}

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
