//! The file in which the prompt keeps what was typed.

use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The file of the history: `$ROWKIND_HISTORY`, of which an empty value is none, or
/// `$XDG_STATE_HOME/rowkind/history`.
pub(super) fn path() -> Option<PathBuf> {
    match env::var_os("ROWKIND_HISTORY") {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(path.into()),
        None => {
            let strategy = etcetera::choose_base_strategy().ok()?;
            let folder = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
            Some(folder.join("rowkind").join("history"))
        }
    }
}

/// Makes the folder of the file if there is none.
pub(super) fn prepare(path: &std::path::Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => fs::create_dir_all(folder),
        _ => Ok(()),
    }
}
