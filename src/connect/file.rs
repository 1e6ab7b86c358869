//! Files and directories of files.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use regex::Regex;
use ruzstd::decoding::StreamingDecoder;

use super::ConnectError;
use super::compressed::Compressed;
use super::meter::Meter;
use super::replacement::NewFile;

/// A file to write behind. What is written is there once the output is flushed.
pub(super) struct Appended {
    pub(super) output: Box<dyn Write + Send>,
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
            key: "path".into(),
            value: option.to_owned(),
            expected: "the path of a file or directory on this machine".to_owned(),
        });
    }
    Ok(PathBuf::from(path))
}

/// Which files a table reads, if its path is not that of one file.
#[derive(Debug, Clone)]
pub(super) struct PathPattern(Regex);

impl PartialEq for PathPattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl PathPattern {
    /// Of the option `source.path.regex-pattern`, which must fit the absolute path of a file.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        Regex::new(&format!("^(?:{pattern})$")).ok().map(Self)
    }

    fn takes(&self, path: &Path) -> bool {
        let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        self.0.is_match(&absolute.to_string_lossy())
    }
}

/// The file, or the files of the directory and the directories in it, in the order of their names.
/// As in Flink, what begins with `.` or `_` is left out. A path that is no file may have `*`, `?` and
/// `[…]` in it.
pub(super) fn list(path: &Path, pattern: Option<&PathPattern>) -> Result<Vec<PathBuf>, ConnectError> {
    let mut files = vec![];
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => collect(path, &mut files)?,
        Ok(_) => return Ok(vec![path.to_owned()]),
        Err(error) if error.kind() == ErrorKind::NotFound && has_wildcards(path) => {
            for found in matching(path)? {
                if found.is_dir() {
                    collect(&found, &mut files)?;
                } else {
                    files.push(found);
                }
            }
        }
        Err(error) => return Err(cannot("open", path, &error)),
    }
    if let Some(pattern) = pattern {
        files.retain(|file| pattern.takes(file));
    }
    files.sort();
    if files.is_empty() {
        return Err(ConnectError::NoFiles { path: path.display().to_string() });
    }
    Ok(files)
}

/// Whether a path names a pipe, of which each byte is read once.
pub(super) fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| is_fifo(&metadata))
}

#[cfg(unix)]
fn is_fifo(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_fifo(_metadata: &fs::Metadata) -> bool {
    false
}

fn has_wildcards(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

fn matching(path: &Path) -> Result<Vec<PathBuf>, ConnectError> {
    let bad = |expected: String| ConnectError::BadValue {
        key: "path".into(),
        value: path.display().to_string(),
        expected,
    };
    let options = glob::MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let paths = glob::glob_with(&path.to_string_lossy(), options)
        .map_err(|error| bad(format!("a path with *, ? and […], but {}", error.msg)))?;
    paths.map(|found| found.map_err(|error| cannot("open", error.path(), error.error()))).collect()
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
/// is left out. The bytes are counted as they lie in the file.
pub(super) fn open(path: &Path, meter: &Meter) -> Result<Box<dyn Read + Send>, ConnectError> {
    let failed = |error| cannot("open", path, &error);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let file = meter.on(file);
    let input: Box<dyn Read + Send> =
        if metadata.is_file() { Box::new(file.take(metadata.len())) } else { Box::new(file) };
    decompressed(input, path)
}

/// What comes out of an input, which is compressed if the name of its file says so.
pub(super) fn decompressed(
    input: Box<dyn Read + Send>,
    path: &Path,
) -> Result<Box<dyn Read + Send>, ConnectError> {
    Ok(match Compression::of(path) {
        None => input,
        Some(Compression::Gzip) => Box::new(MultiGzDecoder::new(BufReader::new(input))),
        Some(Compression::Zstd) => {
            let decoder = StreamingDecoder::new(BufReader::new(input));
            Box::new(decoder.map_err(|error| ConnectError::Compressed {
                path: path.display().to_string(),
                reason: error.to_string(),
            })?)
        }
    })
}

/// How long files are together, in bytes, if all of them say so.
pub(super) fn total_length(paths: &[PathBuf]) -> Option<u64> {
    let length =
        |path: &PathBuf| fs::metadata(path).ok().filter(Metadata::is_file).map(|metadata| metadata.len());
    paths.iter().map(length).sum()
}

/// How a file is compressed, as its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "gz" | "gzip" => Some(Self::Gzip),
            "zst" => Some(Self::Zstd),
            _ => None,
        }
    }
}

/// Opens a file to write behind what is there; in a directory it is a new one, which comes last in
/// the order of their names. A new file is there once it is flushed, and not before.
pub(super) fn append(path: &Path, extension: &str) -> Result<Appended, ConnectError> {
    let is_directory = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
    if is_directory {
        fs::create_dir_all(path).map_err(|error| cannot("open", path, &error))?;
        let path = next_part(path, extension)?;
        return create(&path);
    }
    let failed = |error| cannot("open", path, &error);
    let file = match OpenOptions::new().append(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return create(path),
        file => file.map_err(failed)?,
    };
    let metadata = file.metadata().map_err(failed)?;
    let is_empty = metadata.len() == 0;
    let compression = Compression::of(path);
    let is_torn = compression.is_none() && metadata.is_file() && !is_empty && !ends_in_a_line(path);
    let output = compressed(Box::new(file), path)?;
    Ok(Appended { output, path: path.to_owned(), is_empty, is_torn })
}

fn create(path: &Path) -> Result<Appended, ConnectError> {
    let file = NewFile::create(path).map_err(|error| cannot("open", path, &error))?;
    let output = compressed(Box::new(file), path)?;
    Ok(Appended { output, path: path.to_owned(), is_empty: true, is_torn: false })
}

fn compressed(output: Box<dyn Write + Send>, path: &Path) -> Result<Box<dyn Write + Send>, ConnectError> {
    match Compression::of(path) {
        None => Ok(output),
        Some(Compression::Gzip) => Ok(Box::new(Compressed::new(output))),
        Some(Compression::Zstd) => Err(ConnectError::Compressed {
            path: path.display().to_string(),
            reason: "files are written with gzip or without compression".to_owned(),
        }),
    }
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

/// The path of a new file in a directory.
fn next_part(directory: &Path, extension: &str) -> Result<PathBuf, ConnectError> {
    let failed = |error| cannot("open", directory, &error);
    let mut number = 0_u64;
    for entry in fs::read_dir(directory).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy();
        let part = name.strip_prefix("part-").and_then(|rest| rest.split('.').next()?.parse::<u64>().ok());
        number = number.max(part.unwrap_or_default());
    }
    Ok(directory.join(format!("part-{:06}.{extension}", number + 1)))
}

fn cannot(action: &'static str, path: &Path, error: &std::io::Error) -> ConnectError {
    ConnectError::file(action, path.display().to_string(), error)
}
