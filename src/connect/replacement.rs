//! Files that change all at once, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// What will replace a file, or be one where there is none. Until then, and if it never comes to it,
/// the file stays as it is, and nobody sees half of the new one.
#[derive(Debug)]
pub struct Replacement {
    /// The file that is replaced.
    path: PathBuf,
    /// The file that is written, beside the other one. Nothing can replace what is no file, such as a
    /// terminal or a pipe, so that is written itself.
    temporary: Option<PathBuf>,
}

impl Replacement {
    /// What will replace the file of this path. Nothing is done yet.
    pub fn of(path: &Path) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);

        // A link stays a link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
        let temporary = (!is_special).then(|| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            path.with_file_name(format!(".{name}.{}-{number}.new", process::id()))
        });
        Self { path, temporary }
    }

    /// Opens what is to be written.
    ///
    /// # Errors
    /// There cannot be a file beside the other one, or what is no file cannot be written.
    pub fn open(&self) -> io::Result<File> {
        match &self.temporary {
            Some(temporary) => {
                let file = OpenOptions::new().write(true).create(true).truncate(true).open(temporary)?;
                if let Ok(metadata) = self.path.metadata() {
                    file.set_permissions(metadata.permissions())?;
                }
                Ok(file)
            }
            None => OpenOptions::new().write(true).open(&self.path),
        }
    }

    /// Replaces the file by what was written, once that is on the disk.
    ///
    /// # Errors
    /// The system refuses it; then the file stays as it is.
    pub fn commit(mut self) -> io::Result<()> {
        match self.temporary.take() {
            Some(temporary) => {
                // What is not on the disk yet must not take the place of what is.
                let synced = File::open(&temporary).and_then(|file| file.sync_all());
                synced.and_then(|()| fs::rename(&temporary, &self.path)).inspect_err(|_| {
                    let _ = fs::remove_file(&temporary);
                })
            }
            None => Ok(()),
        }
    }

    /// Replaces the content of a file.
    ///
    /// # Errors
    /// The content cannot be written; then the file stays as it is.
    pub fn write(path: &Path, content: &str) -> io::Result<()> {
        let replacement = Self::of(path);
        replacement.open()?.write_all(content.as_bytes())?;
        replacement.commit()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// A file that is there once it is flushed, and goes on from there.
pub(super) struct NewFile {
    file: File,
    /// What it comes to its place by; none once it is there.
    replacement: Option<Replacement>,
}

impl NewFile {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let replacement = Replacement::of(path);
        Ok(Self { file: replacement.open()?, replacement: Some(replacement) })
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.replacement.take().map_or(Ok(()), Replacement::commit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_changes_when_all_is_written_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        let replacement = Replacement::of(&path);
        replacement.open().unwrap().write_all(b"half").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        drop(replacement);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Replacement::write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        Replacement::write(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }
}
