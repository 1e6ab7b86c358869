//! An input that is read once and kept.

use std::fmt;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 << 10;

/// An input, such as standard input, that can be read only once: what was read is kept, so that each
/// reader begins at its start.
#[derive(Clone)]
pub struct Spool(Arc<Mutex<Kept>>);

struct Kept {
    /// What comes behind the bytes that are kept; none if it has ended.
    input: Option<Box<dyn Read + Send>>,
    bytes: Vec<u8>,
}

/// Reads a [`Spool`] from its start.
struct SpoolReader {
    spool: Spool,
    position: usize,
}

impl Spool {
    /// Keeps what comes from an input, which is read when somebody wants it.
    pub fn new(input: Box<dyn Read + Send>) -> Self {
        Self(Arc::new(Mutex::new(Kept { input: Some(input), bytes: Vec::new() })))
    }

    /// A reader that begins at the start.
    pub fn reader(&self) -> Box<dyn Read + Send> {
        Box::new(SpoolReader { spool: self.clone(), position: 0 })
    }
}

impl fmt::Debug for Spool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spool").finish_non_exhaustive()
    }
}

impl Kept {
    /// Reads on. Returns whether something came.
    fn fill(&mut self) -> io::Result<bool> {
        let Some(input) = &mut self.input else { return Ok(false) };
        let end = self.bytes.len();
        self.bytes.resize(end + CHUNK, 0);
        let result = input.read(&mut self.bytes[end..]);
        self.bytes.truncate(end + result.as_ref().copied().unwrap_or_default());
        if result? == 0 {
            self.input = None;
        }
        Ok(self.bytes.len() > end)
    }
}

impl Read for SpoolReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut kept = self.spool.0.lock().unwrap_or_else(PoisonError::into_inner);
        if self.position == kept.bytes.len() && !kept.fill()? {
            return Ok(0);
        }
        let unread = &kept.bytes[self.position..];
        let count = unread.len().min(buffer.len());
        buffer[..count].copy_from_slice(&unread[..count]);
        self.position += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reader_begins_at_the_start() {
        let spool = Spool::new(Box::new(io::Cursor::new("one\ntwo\n")));
        let mut first = spool.reader();
        let mut head = [0; 4];
        first.read_exact(&mut head).expect("there is enough");
        let mut all = String::new();
        spool.reader().read_to_string(&mut all).expect("it is text");
        let mut rest = String::new();
        first.read_to_string(&mut rest).expect("it is text");
        assert_eq!((&head, all.as_str(), rest.as_str()), (b"one\n", "one\ntwo\n", "two\n"));
    }
}
