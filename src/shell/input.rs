//! Scripts from files and from the standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use rowkind::render::Problem;

/// A script, and the name of the file that it is from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// The file, if it is from one.
    pub(super) name: Option<&'a str>,
}

/// Reads a file.
pub(super) fn read_file(path: &Path) -> Result<String, Problem<'static>> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| unreadable(&name, &error))?;
    text_of(bytes, &format!("file \"{name}\""), Before::default())
}

/// What comes before some bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    lines: usize,
    bytes: usize,
}

/// What is wrong with a file that cannot be read.
fn unreadable(name: &str, error: &io::Error) -> Problem<'static> {
    match error.kind() {
        io::ErrorKind::NotFound => Problem::new(format!("file \"{name}\" does not exist")),
        io::ErrorKind::IsADirectory => Problem::new(format!("\"{name}\" is a directory, not a file")),
        _ => Problem::new(format!("file \"{name}\" cannot be read: {error}")),
    }
}

/// The text of bytes. The name is that of the whole, as a phrase.
fn text_of(bytes: Vec<u8>, name: &str, before: Before) -> Result<String, Problem<'static>> {
    let place = |bytes: &[u8]| {
        let line = before.lines + newlines(bytes) + 1;
        format!("in line {line}, at offset {}", before.bytes + bytes.len())
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let byte = bytes.get(at).copied().unwrap_or_default();
        let problem = Problem::new(format!("{name} is not UTF-8: byte 0x{byte:02x} {}", place(&bytes[..at])));
        match bytes {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                problem.with_hint("It looks like UTF-16; save it as UTF-8.")
            }
            _ => problem.with_hint("Save it as UTF-8."),
        }
    })?;
    match text.find('\0') {
        Some(at) => Err(Problem::new(format!("{name} has a NUL byte {}", place(&text.as_bytes()[..at])))),
        None => Ok(text),
    }
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count() - 1
}

/// Text that comes bit by bit, such as what another process writes into a pipe.
pub(super) struct Stream<R> {
    reader: R,
    /// Bytes of a character that is not complete yet.
    rest: Vec<u8>,
    before: Before,
    chunk: Vec<u8>,
}

/// How much is read at once, in bytes.
const AT_ONCE: usize = 64 << 10;

impl<R: Read> Stream<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, rest: Vec::new(), before: Before::default(), chunk: vec![0; AT_ONCE] }
    }

    /// Appends what there is to read; waits if there is nothing. Returns whether there may be more.
    pub(super) fn read(&mut self, text: &mut String) -> Result<bool, Problem<'static>> {
        let count = loop {
            match self.reader.read(&mut self.chunk) {
                Ok(count) => break count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(Problem::new(format!("the standard input cannot be read: {error}")));
                }
            }
        };
        let mut bytes = std::mem::take(&mut self.rest);
        bytes.extend_from_slice(&self.chunk[..count]);
        if count > 0
            && let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
        {
            self.rest = bytes.split_off(error.valid_up_to());
        }
        let new = text_of(bytes, "the standard input", self.before)?;
        self.before.lines += newlines(new.as_bytes());
        self.before.bytes += new.len();
        text.push_str(&new);
        Ok(count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streamed(chunks: &[&[u8]]) -> Result<String, String> {
        struct Chunks<'a>(&'a [&'a [u8]]);
        impl Read for Chunks<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
                self.0 = rest;
                buffer[..first.len()].copy_from_slice(first);
                Ok(first.len())
            }
        }
        let mut stream = Stream::new(Chunks(chunks));
        let mut text = String::new();
        while stream.read(&mut text).map_err(|problem| problem.message)? {}
        Ok(text)
    }

    #[test]
    fn a_character_may_come_in_two_parts() {
        assert_eq!(streamed(&[b"'\xc3", b"\xbc", b"'"]), Ok("'ü'".to_owned()));
    }

    #[test]
    fn what_is_no_text_is_named_with_its_place() {
        let error = streamed(&[b"a\nb\n", b"\xff"]).unwrap_err();
        assert_eq!(error, "the standard input is not UTF-8: byte 0xff in line 3, at offset 4");
        let error = streamed(&[b"a\n\xc3"]).unwrap_err();
        assert_eq!(error, "the standard input is not UTF-8: byte 0xc3 in line 2, at offset 2");
        let of = |bytes: &[u8]| text_of(bytes.to_vec(), "file", Before::default()).unwrap_err();
        assert_eq!(of(b"a\0").message, "file has a NUL byte in line 1, at offset 1");
        let hint = of(&[0xFF, 0xFE, b'S', 0]).hint;
        assert_eq!(hint.as_deref(), Some("It looks like UTF-16; save it as UTF-8."));
    }
}
