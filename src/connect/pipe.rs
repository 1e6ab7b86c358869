//! Named pipes, which are read once and kept.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::file;
use super::store::{Failure, Store};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 << 10;

/// How much is read ahead of whoever is the furthest, in bytes.
const AHEAD: u64 = 1 << 20;

/// Tells a pipe from one that is put in its place.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct PipeId {
    path: PathBuf,
    made: Option<SystemTime>,
}

impl PipeId {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { path: fs::canonicalize(path)?, made: fs::metadata(path)?.created().ok() })
    }
}

/// What came through a named pipe. A thread reads it, as far as somebody wants it, so that nobody has to
/// wait for who writes it.
pub(super) struct Pipe(Arc<Handle>);

/// Ends the thread when it is gone.
struct Handle(Arc<Shared>);

struct Shared {
    kept: Mutex<Kept>,
    /// Something is wanted, or nothing any more.
    wanted: Condvar,
}

#[derive(Default)]
struct Kept {
    store: Store,
    /// How many bytes are wanted.
    wanted: u64,
    /// Nothing more comes, perhaps because of a failure.
    end: Option<Result<(), Failure>>,
    is_abandoned: bool,
}

impl Pipe {
    /// A pipe that is read from now on.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let shared = Arc::new(Shared { kept: Mutex::default(), wanted: Condvar::new() });
        let (path, filled) = (path.to_owned(), shared.clone());
        thread::Builder::new().spawn(move || {
            let end = filled.fill(&path);
            filled.kept().end = Some(end.map_err(|error| Failure::of(&error)));
        })?;
        Ok(Self(Arc::new(Handle(shared))))
    }

    /// A reader that begins at the start.
    pub(super) fn reader(&self) -> PipeReader {
        PipeReader { pipe: self.0.clone(), position: 0 }
    }
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe").finish_non_exhaustive()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.kept().is_abandoned = true;
        self.0.wanted.notify_one();
    }
}

impl Shared {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what comes, whenever it is wanted, until nothing comes any more.
    fn fill(&self, path: &Path) -> io::Result<()> {
        // This waits until somebody begins to write.
        let input = fs::File::open(path)?;
        let mut input = file::decompressed(Box::new(input), path).map_err(io::Error::other)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let is_idle = |kept: &mut Kept| !kept.is_abandoned && kept.store.length() >= kept.wanted;
            let kept = self.wanted.wait_while(self.kept(), is_idle).unwrap_or_else(PoisonError::into_inner);
            if kept.is_abandoned {
                return Ok(());
            }
            drop(kept);
            match input.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(count) => self.kept().store.append(&chunk[..count])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Reads a [`Pipe`] from its start. What is still to be written is an error: [`io::ErrorKind::WouldBlock`].
pub(super) struct PipeReader {
    pipe: Arc<Handle>,
    position: u64,
}

impl PipeReader {
    /// How long to wait for what is still to be written.
    pub(super) const PAUSE: Duration = Duration::from_millis(10);
}

impl Read for PipeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Handle(shared) = &*self.pipe;
        let mut kept = shared.kept();
        kept.wanted = kept.wanted.max(self.position + AHEAD);
        shared.wanted.notify_one();
        if self.position < kept.store.length() {
            let count = kept.store.read(self.position, buffer)?;
            self.position += count as u64;
            return Ok(count);
        }
        match &kept.end {
            None => Err(io::ErrorKind::WouldBlock.into()),
            Some(Ok(())) => Ok(0),
            Some(Err(failure)) => Err(failure.error()),
        }
    }
}
