//! What files begin with.

use std::path::PathBuf;

use super::meter::Meter;
use super::text::Text;
use super::{ConnectError, file};

/// What the files of a path begin with.
#[derive(Debug)]
pub(crate) struct Sample {
    /// The text of each file that was looked into, in the order of their names.
    pub(crate) texts: Vec<String>,
    /// The path of the first of them.
    pub(crate) first: PathBuf,
    /// Whether this is all there is; else the last text may end anywhere.
    pub(crate) is_whole: bool,
}

impl Sample {
    /// Reads up to about so many bytes of the file, or of the files of a folder or pattern.
    ///
    /// # Errors
    /// There is no such file, or one cannot be read or is no text.
    pub(crate) fn read(path: &str, bytes: usize) -> Result<Self, ConnectError> {
        let files = file::list(&file::local_path(path)?, None)?;
        let first = files.first().cloned().unwrap_or_default();
        let mut sample = Self { texts: Vec::new(), first, is_whole: true };
        let mut room = bytes;
        for path in files {
            if room == 0 {
                sample.is_whole = false;
                break;
            }
            if file::is_pipe(&path) {
                return Err(ConnectError::ReadOnce { path: path.display().to_string() });
            }
            let mut text = Text::new(path.display().to_string(), file::open(&path, &Meter::default())?);
            while !text.has_ended() && text.unread().len() < room {
                text.fill()?;
            }
            sample.is_whole &= text.has_ended();
            room = room.saturating_sub(text.unread().len());
            sample.texts.push(text.unread().to_owned());
        }
        Ok(sample)
    }
}
