//! Where the files of the shell lie.

use std::env;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// The file in which the prompt keeps what was typed: `$ROWKIND_HISTORY`, of which an empty value is none, or
/// `$XDG_STATE_HOME/rowkind/history`.
pub(super) fn history() -> Option<PathBuf> {
    choose(env::var_os("ROWKIND_HISTORY"), || {
        let strategy = etcetera::choose_base_strategy().ok()?;
        let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Some(folder.join("rowkind").join("history"))
    })
}

/// The script that runs before the first prompt: `$ROWKIND_RC`, of which an empty value is none, or
/// `$XDG_CONFIG_HOME/rowkind/rc.sql`.
pub(super) fn start_file() -> Option<PathBuf> {
    choose(env::var_os("ROWKIND_RC"), || {
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(strategy.config_dir().join("rowkind").join("rc.sql"))
    })
}

fn choose(given: Option<OsString>, default: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
    match given {
        Some(path) if path.is_empty() => None,
        // The shell may go to another directory.
        Some(path) => Some(std::path::absolute(&path).unwrap_or_else(|_| path.into())),
        None => default(),
    }
}

/// How the file of a history starts.
const START: &str = "#V2\n";

/// Whether the file of a history is there. One that is no history, or no text, is an error.
pub(super) fn check_history(path: &Path) -> io::Result<bool> {
    match fs::read(path) {
        Ok(bytes) => match std::str::from_utf8(&bytes) {
            Ok(text) if text.is_empty() || text.starts_with(START) => Ok(true),
            Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "it does not start as a history does")),
            Err(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Makes the folder of a file if there is none. It is an error if the file could not be written there.
pub(super) fn prepare(path: &Path) -> io::Result<()> {
    if path.exists() {
        return OpenOptions::new().append(true).open(path).map(|_| ());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder).map(|_| ())
}
