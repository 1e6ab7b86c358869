//! Bytes that are kept to be read again.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// How many bytes are kept in memory.
pub(super) const IN_MEMORY: usize = 4 << 20;

/// Bytes that came one after the other: in memory and, if they are many, in a temporary file.
#[derive(Debug)]
pub(super) struct Store {
    bytes: SpooledTempFile,
    length: u64,
}

impl Default for Store {
    fn default() -> Self {
        Self { bytes: SpooledTempFile::new(IN_MEMORY), length: 0 }
    }
}

impl Store {
    /// How many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads from a byte on.
    pub(super) fn read(&mut self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.seek(SeekFrom::Start(position))?;
        self.bytes.read(buffer)
    }

    /// Keeps more behind what there is.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let kept = self.bytes.seek(SeekFrom::Start(self.length)).and_then(|_| self.bytes.write_all(bytes));
        kept.map_err(|error| {
            let folder = std::env::temp_dir();
            let message = format!("what was read cannot be kept in {}: {error}", folder.display());
            io::Error::new(error.kind(), message)
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// What can be said of a failure more than once.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    kind: io::ErrorKind,
    reason: String,
}

impl Failure {
    pub(super) fn of(error: &io::Error) -> Self {
        Self { kind: error.kind(), reason: error.to_string() }
    }

    pub(super) fn error(&self) -> io::Error {
        io::Error::new(self.kind, self.reason.clone())
    }
}
