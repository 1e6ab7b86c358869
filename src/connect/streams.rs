//! The standard streams and named pipes, as connected tables use them.

use std::collections::hash_map::{Entry, HashMap};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::pipe::{Pipe, PipeId, PipeReader};
use super::store::{Failure, Store};

/// The standard streams, and the named pipes that were read.
#[derive(Debug, Clone, Default)]
pub struct Streams {
    stdin: Option<Spool>,
    stdout: Option<SharedOutput>,
    stderr: Option<SharedOutput>,
    pipes: Arc<Mutex<HashMap<PipeId, Pipe>>>,
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

    /// Takes something as standard error in place of the process's own.
    pub fn set_stderr(&mut self, output: impl Write + Send + 'static) {
        self.stderr = Some(SharedOutput(Arc::new(Mutex::new(output))));
    }

    /// A reader of standard input, from its start.
    pub(super) fn stdin(&self) -> Option<Box<dyn Read + Send>> {
        self.stdin.as_ref().map(Spool::reader)
    }

    /// A reader of a named pipe, from the first byte that came through it.
    pub(super) fn pipe(&self, path: &Path) -> io::Result<PipeReader> {
        let id = PipeId::of(path)?;
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let pipe = match pipes.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Pipe::open(path)?),
        };
        Ok(pipe.reader())
    }

    pub(super) fn stdout(&self) -> Box<dyn Write + Send> {
        match &self.stdout {
            Some(output) => Box::new(output.clone()),
            None => Box::new(io::stdout()),
        }
    }

    pub(super) fn stderr(&self) -> Box<dyn Write + Send> {
        match &self.stderr {
            Some(output) => Box::new(output.clone()),
            None => Box::new(io::stderr()),
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
    store: Store,
    /// Why nothing more can be kept.
    failure: Option<Failure>,
}

/// Reads a [`Spool`] from its start.
struct SpoolReader {
    spool: Spool,
    position: u64,
}

impl Spool {
    /// Keeps what comes from an input, which is read when somebody wants it.
    fn new(input: Box<dyn Read + Send>) -> Self {
        Self(Arc::new(Mutex::new(Kept { input: Some(input), store: Store::default(), failure: None })))
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
    /// Reads on, and keeps what comes. What cannot be kept must not be read, or a second reader would
    /// see less than the first.
    fn read_on(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(failure.error());
        }
        let Some(input) = &mut self.input else { return Ok(0) };
        let count = input.read(buffer)?;
        if count == 0 {
            self.input = None;
        } else if let Err(error) = self.store.append(&buffer[..count]) {
            self.failure = Some(Failure::of(&error));
            return Err(error);
        }
        Ok(count)
    }
}

impl Read for SpoolReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut kept = self.spool.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = if self.position < kept.store.length() {
            kept.store.read(self.position, buffer)?
        } else {
            kept.read_on(buffer)?
        };
        self.position += count as u64;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::IN_MEMORY;
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

    #[test]
    fn a_long_input_is_the_same_for_each_reader() {
        let lines = (0..700_000).map(|line: u32| line.to_string()).collect::<Vec<_>>().join("\n");
        assert!(lines.len() > IN_MEMORY);
        let spool = Spool::new(Box::new(io::Cursor::new(lines.clone())));
        let (mut first, mut second) = (spool.reader(), spool.reader());
        let mut texts = [String::new(), String::new()];
        // They take turns, one of them ahead.
        first.by_ref().take(5 << 20).read_to_string(&mut texts[0]).expect("it is text");
        second.by_ref().take(1 << 20).read_to_string(&mut texts[1]).expect("it is text");
        first.read_to_string(&mut texts[0]).expect("it is text");
        second.read_to_string(&mut texts[1]).expect("it is text");
        assert!(texts.iter().all(|text| *text == lines));
    }
}
