//! Following files that grow, and directories that get new ones.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::file::{self, PathPattern};
use super::format::Decoder;
use super::metadata::Layout;
use super::meter::{Extent, Meter};
use super::source::LineSource;
use super::{ConnectError, Reader, Skipped};
use crate::changelog::{Cause, Changes};

/// The files of a path, which are followed: each is read as far as it goes, and then on as it grows.
/// One that is cut short is read from its start again, and one that is put in the place of another,
/// as when logs are rotated, after the rest of that.
#[derive(Debug)]
struct Follow {
    path: PathBuf,
    pattern: Option<PathPattern>,
    /// The files that are being read or were.
    seen: HashSet<PathBuf>,
}

impl Follow {
    fn new(path: &Path, pattern: Option<&PathPattern>) -> Self {
        Self { path: path.to_owned(), pattern: pattern.cloned(), seen: HashSet::new() }
    }

    /// The files that have come since this was last asked for, in the order of their names. That
    /// there are none yet is no error.
    fn new_files(&mut self) -> Result<Vec<PathBuf>, ConnectError> {
        let files = match file::list(&self.path, self.pattern.as_ref()) {
            Ok(files) => files,
            Err(ConnectError::NoFiles { .. }) => Vec::new(),
            Err(ConnectError::File { kind: io::ErrorKind::NotFound, .. }) if !self.seen.is_empty() => {
                Vec::new()
            }
            Err(error) => return Err(error),
        };
        Ok(files.into_iter().filter(|file| self.seen.insert(file.clone())).collect())
    }
}

/// Makes what decodes a file and puts its rows together.
pub(super) type Decoding = Box<dyn Fn() -> (Box<dyn Decoder>, Option<Layout>) + Send>;

/// Reads files as they grow, in turns.
pub(super) struct FollowSource {
    follow: Follow,
    decoding: Decoding,
    files: Vec<Followed>,
    /// The file whose turn it is.
    turn: usize,
    /// How often to look for new files.
    interval: Duration,
    looked: Instant,
    meter: Meter,
    /// What was left out of files that began anew.
    skipped: Option<Skipped>,
}

struct Followed {
    path: PathBuf,
    growing: Growing,
    source: LineSource,
}

impl FollowSource {
    pub(super) fn new(
        path: &Path,
        pattern: Option<&PathPattern>,
        interval: Duration,
        decoding: Decoding,
    ) -> Result<Self, ConnectError> {
        let follow = Follow::new(path, pattern);
        let looked = Instant::now();
        let meter = Meter::default();
        let mut source =
            Self { follow, decoding, files: Vec::new(), turn: 0, interval, looked, meter, skipped: None };
        source.look()?;
        Ok(source)
    }

    /// Opens the files that are new. Returns whether there are some.
    fn look(&mut self) -> Result<bool, ConnectError> {
        self.looked = Instant::now();
        let paths = self.follow.new_files()?;
        let is_new = !paths.is_empty();
        for path in paths {
            let failed = |error| ConnectError::file("open", path.display().to_string(), &error);
            let growing = Growing::open(&path).map_err(failed)?;
            let source = self.source(&path, &growing);
            self.files.push(Followed { path, growing, source });
        }
        Ok(is_new)
    }

    fn source(&self, path: &Path, growing: &Growing) -> LineSource {
        let (decoder, layout) = (self.decoding)();
        LineSource::of_growing(path, Box::new(self.meter.on(growing.clone())), decoder, layout)
    }

    /// Reads on in the file whose turn it is. Returns whether something came.
    fn read_one(&mut self, max: usize, first: Cause, out: &mut Changes) -> Result<bool, ConnectError> {
        let before = out.len();
        let file = &mut self.files[self.turn];
        file.source.read(max, first, out)?;
        if out.len() == before && file.growing.take_restart() {
            file.source.end();
            let mut more = true;
            while more {
                let next = Cause { sequence: first.sequence + (out.len() - before) as u64, ..first };
                more = file.source.read(max, next, out)?;
            }
            if let Some(skipped) = file.source.skipped() {
                Skipped::add(&mut self.skipped, skipped);
            }
            let (path, growing) = (file.path.clone(), file.growing.clone());
            self.files[self.turn].source = self.source(&path, &growing);
            return Ok(true);
        }
        Ok(out.len() > before)
    }
}

impl Reader for FollowSource {
    fn read(&mut self, max: usize, first: Cause, out: &mut Changes) -> Result<bool, ConnectError> {
        let before = out.len();
        loop {
            for _ in 0..self.files.len() {
                while self.read_one(max, first, out)? {
                    if out.len() > before {
                        return Ok(true);
                    }
                }
                self.turn = (self.turn + 1) % self.files.len();
            }
            if self.looked.elapsed() < self.interval || !self.look()? {
                return Ok(true);
            }
        }
    }

    fn pause(&self) -> Option<Duration> {
        Some(self.interval)
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent { read: self.meter.bytes(), total: None })
    }

    fn skipped(&self) -> Option<Skipped> {
        let now = self.files.iter().filter_map(|file| file.source.skipped());
        Skipped::of_all(self.skipped.iter().cloned().chain(now))
    }
}

/// A file as it grows. A read of no bytes means that there is nothing yet.
#[derive(Clone)]
struct Growing(Arc<Mutex<State>>);

struct State {
    path: PathBuf,
    file: File,
    position: u64,
    /// Whether the text begins anew: the file was cut short or replaced.
    restarted: bool,
}

impl Growing {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(Self(Arc::new(Mutex::new(State { path: path.to_owned(), file, position: 0, restarted: false }))))
    }

    /// Whether what comes next is the start of a file, since this was last asked.
    fn take_restart(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.restarted)
    }
}

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.restarted {
            // Who reads has to know before the first byte comes.
            return Ok(0);
        }
        let count = state.file.read(buffer)?;
        state.position += count as u64;
        if count == 0 {
            state.look_again()?;
        }
        Ok(count)
    }
}

impl State {
    /// At the end of the file: looks whether it was cut short or replaced.
    fn look_again(&mut self) -> io::Result<()> {
        let here = self.file.metadata()?;
        if here.len() < self.position {
            self.file.seek(SeekFrom::Start(0))?;
            (self.position, self.restarted) = (0, true);
            return Ok(());
        }
        // While it is replaced there may be none.
        let Ok(there) = fs::metadata(&self.path) else { return Ok(()) };
        if !is_same(&here, &there) {
            self.file = File::open(&self.path)?;
            (self.position, self.restarted) = (0, true);
        }
        Ok(())
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Where files have no number, one that was made at another time is another.
#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.created().ok() == other.created().ok()
}
