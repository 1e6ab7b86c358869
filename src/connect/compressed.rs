//! Compression of what is written.

use std::io::{self, Write};
use std::mem;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Compresses with gzip. Each flush ends a member, so that all up to there can be read.
pub(super) struct Compressed {
    encoder: State,
}

enum State {
    Idle(Box<dyn Write + Send>),
    Writing(GzEncoder<Box<dyn Write + Send>>),
    /// While the output is handed on, and after it failed.
    Lost,
}

impl Compressed {
    pub(super) fn new(output: Box<dyn Write + Send>) -> Self {
        Self { encoder: State::Idle(output) }
    }
}

impl Write for Compressed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let State::Idle(_) = self.encoder
            && let State::Idle(output) = mem::replace(&mut self.encoder, State::Lost)
        {
            self.encoder = State::Writing(GzEncoder::new(output, Compression::default()));
        }
        match &mut self.encoder {
            State::Writing(encoder) => encoder.write(bytes),
            State::Idle(_) | State::Lost => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut output = match mem::replace(&mut self.encoder, State::Lost) {
            State::Writing(encoder) => encoder.finish()?,
            State::Idle(output) => output,
            State::Lost => return Ok(()),
        };
        output.flush()?;
        self.encoder = State::Idle(output);
        Ok(())
    }
}
