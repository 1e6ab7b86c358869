//! The standard streams, as connected tables use them.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 << 10;

/// Standard input and standard output.
#[derive(Debug, Clone, Default)]
pub struct Streams {
    stdin: Option<Spool>,
    stdout: Option<SharedOutput>,
}

impl Streams {
    /// Takes something as standard input, which can be read only once. It is read when somebody wants
    /// it, and kept, so that each reader begins at its start. Without it there is none.
    pub fn set_stdin(&mut self, input: impl Read + Send + 'static) {
        self.stdin = Some(Spool::new(Box::new(input)));
    }

    /// Takes something as standard output in place of the process's own.
    pub fn set_stdout(&mut self, output: impl Write + Send + 'static) {
        self.stdout = Some(SharedOutput(Arc::new(Mutex::new(output))));
    }

    /// A reader of standard input, from its start.
    pub(super) fn stdin(&self) -> Option<Box<dyn Read + Send>> {
        self.stdin.as_ref().map(Spool::reader)
    }

    pub(super) fn stdout(&self) -> Box<dyn Write + Send> {
        match &self.stdout {
            Some(output) => Box::new(output.clone()),
            None => Box::new(io::stdout()),
        }
    }
}

/// An output that several write to.
#[derive(Clone)]
struct SharedOutput(Arc<Mutex<dyn Write + Send>>);

impl fmt::Debug for SharedOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedOutput").finish_non_exhaustive()
    }
}

impl Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).flush()
    }
}

/// An input that is read once and kept.
#[derive(Clone)]
struct Spool(Arc<Mutex<Kept>>);

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
    fn new(input: Box<dyn Read + Send>) -> Self {
        Self(Arc::new(Mutex::new(Kept { input: Some(input), bytes: Vec::new() })))
    }

    /// A reader that begins at the start.
    fn reader(&self) -> Box<dyn Read + Send> {
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
