//! Files that are written as a whole, or compressed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// A file that is there once it is flushed: until then it is written beside its place under another
/// name, so that nobody ever sees half of it.
pub struct NewFile {
    file: File,
    path: PathBuf,
    /// The other name; none once the file is in its place.
    temporary: Option<PathBuf>,
}

impl NewFile {
    /// Begins a file, which takes the place of one that is there.
    ///
    /// # Errors
    /// There cannot be a file beside the place.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
        for attempt in 0.. {
            let temporary = path.with_file_name(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => return Ok(Self { file, path: path.to_owned(), temporary: Some(temporary) }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("an attempt succeeds or the last one fails")
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return Ok(()) };
        self.file.sync_all()?;
        fs::rename(temporary, &self.path)?;
        self.temporary = None;
        Ok(())
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // It is of no use to anybody.
            let _ = fs::remove_file(temporary);
        }
    }
}

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
