//! Files and directories of files.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::ConnectError;

/// A file to write behind.
pub(super) struct Appended {
    pub(super) file: File,
    pub(super) path: PathBuf,
    /// Whether there is nothing in it.
    pub(super) is_empty: bool,
    /// Whether its last line has no end.
    pub(super) is_torn: bool,
}

/// The path of the option `path`, which may be a `file:` URL.
pub(super) fn local_path(option: &str) -> Result<PathBuf, ConnectError> {
    let path = option.strip_prefix("file://").or_else(|| option.strip_prefix("file:")).unwrap_or(option);
    if path.is_empty() || path.contains("://") {
        return Err(ConnectError::BadValue {
            key: "path",
            value: option.to_owned(),
            expected: "the path of a file or directory on this machine".to_owned(),
        });
    }
    Ok(PathBuf::from(path))
}

/// The file, or the files of the directory and the directories in it, in the order of their names.
/// As in Flink, what begins with `.` or `_` is left out.
pub(super) fn list(path: &Path) -> Result<Vec<PathBuf>, ConnectError> {
    let metadata = fs::metadata(path).map_err(|error| cannot("open", path, &error))?;
    if !metadata.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = vec![];
    collect(path, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(ConnectError::NoFiles { path: path.display().to_string() });
    }
    Ok(files)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), ConnectError> {
    let failed = |error| cannot("open", directory, &error);
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(b".") || name.as_encoded_bytes().starts_with(b"_") {
            continue;
        }
        let file_type = entry.file_type().map_err(failed)?;
        if file_type.is_dir() {
            collect(&entry.path(), files)?;
        } else if !entry.path().is_dir() {
            // A link to a directory could lead back here.
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Opens a file to read what is in it now: what comes while it is read, perhaps from the same query,
/// is left out.
pub(super) fn open(path: &Path) -> Result<Box<dyn Read + Send>, ConnectError> {
    let failed = |error| cannot("open", path, &error);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    Ok(if metadata.is_file() { Box::new(file.take(metadata.len())) } else { Box::new(file) })
}

/// Opens a file to write behind what is there; in a directory it is a new one, which comes last in
/// the order of their names.
pub(super) fn append(path: &Path, extension: &str) -> Result<Appended, ConnectError> {
    let is_directory = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
    if is_directory {
        fs::create_dir_all(path).map_err(|error| cannot("open", path, &error))?;
        return create_part(path, extension);
    }
    let failed = |error| cannot("open", path, &error);
    let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let is_torn = metadata.is_file() && metadata.len() > 0 && !ends_in_a_line(path);
    Ok(Appended { file, path: path.to_owned(), is_empty: metadata.len() == 0, is_torn })
}

/// Whether the last byte of a file ends a line. A file that cannot be read is taken to do so.
fn ends_in_a_line(path: &Path) -> bool {
    let last_byte = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok::<_, std::io::Error>(byte[0])
    };
    last_byte().map_or(true, |byte| byte == b'\n')
}

fn create_part(directory: &Path, extension: &str) -> Result<Appended, ConnectError> {
    let failed = |error| cannot("open", directory, &error);
    let mut number = 0_u64;
    for entry in fs::read_dir(directory).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy();
        let part = name.strip_prefix("part-").and_then(|rest| rest.split('.').next()?.parse::<u64>().ok());
        number = number.max(part.unwrap_or_default());
    }
    loop {
        number += 1;
        let path = directory.join(format!("part-{number:06}.{extension}"));
        match OpenOptions::new().append(true).create_new(true).open(&path) {
            Ok(file) => return Ok(Appended { file, path, is_empty: true, is_torn: false }),
            // Another program was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot("open", &path, &error)),
        }
    }
}

fn cannot(action: &'static str, path: &Path, error: &std::io::Error) -> ConnectError {
    ConnectError::file(action, path.display().to_string(), error)
}
