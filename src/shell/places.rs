//! Where the files of the shell lie.

use std::env;
use std::ffi::OsString;
use std::fs;
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

/// Makes the folder of a file if there is none.
pub(super) fn prepare(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => fs::create_dir_all(folder),
        _ => Ok(()),
    }
}
