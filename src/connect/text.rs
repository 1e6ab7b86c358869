//! Text that comes in pieces.

use std::io::{self, Read};
use std::mem;

use super::{ConnectError, Place};

/// How much is read at once, in bytes, unless a line is longer.
const CHUNK: usize = 64 << 10;

/// The longest line, in bytes: what is longer is no line of text, and memory is not to be filled
/// with it.
const LONGEST: usize = 256 << 20;

/// The most bytes of a character of UTF-8.
const LONGEST_CHARACTER: usize = 4;

/// What a stream holds, as text: what was read and not consumed yet.
///
/// The bytes are checked to be UTF-8 piece by piece as they come, not line by line, and lie in one
/// buffer, so that a value is a slice of it.
pub(super) struct Text {
    name: String,
    input: Box<dyn Read + Send>,
    buffer: String,
    /// What of the buffer is consumed.
    consumed: usize,
    /// Bytes behind the buffer that are not UTF-8, or not all of a character yet.
    rest: Vec<u8>,
    chunk: Vec<u8>,
    /// The line at which what is not consumed begins, counted from 1.
    line: u64,
    supply: Supply,
    begun: bool,
}

/// What is to be expected of the input.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Supply {
    /// More, until nothing comes.
    Stream,
    /// The same, but somebody is still to write it.
    Waiting,
    /// More at any time.
    Growing,
    /// The same, but nothing is there yet.
    Idle,
    /// Nothing.
    Ended,
}

impl Supply {
    /// What is to be expected after so many bytes came.
    fn after(self, count: usize) -> Self {
        match (self, count) {
            (Self::Growing | Self::Idle, 0) => Self::Idle,
            (Self::Growing | Self::Idle, _) => Self::Growing,
            (Self::Stream | Self::Waiting | Self::Ended, 0) => Self::Ended,
            (Self::Stream | Self::Waiting | Self::Ended, _) => Self::Stream,
        }
    }
}

impl Text {
    /// The text of a stream of this name.
    pub(super) fn new(name: impl Into<String>, input: Box<dyn Read + Send>) -> Self {
        Self {
            name: name.into(),
            input,
            buffer: String::new(),
            consumed: 0,
            rest: vec![],
            chunk: vec![0; CHUNK],
            line: 1,
            supply: Supply::Stream,
            begun: false,
        }
    }

    /// The text of something that grows: that nothing comes is not its end.
    pub(super) fn growing(name: impl Into<String>, input: Box<dyn Read + Send>) -> Self {
        Self { supply: Supply::Growing, ..Self::new(name, input) }
    }

    /// Ends what grows: what was read is all of it.
    pub(super) fn end(&mut self) {
        self.supply = Supply::Ended;
    }

    /// Whether nothing has come when it was last filled, and more may come.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.supply, Supply::Idle | Supply::Waiting)
    }

    /// What was read and is not consumed.
    pub(super) fn unread(&self) -> &str {
        &self.buffer[self.consumed..]
    }

    /// Whether nothing comes behind [`Self::unread`].
    pub(super) fn has_ended(&self) -> bool {
        self.supply == Supply::Ended && self.rest.is_empty()
    }

    /// Goes on by so many bytes.
    pub(super) fn consume(&mut self, bytes: usize) {
        let text = &self.buffer.as_bytes()[self.consumed..self.consumed + bytes];
        self.line += memchr::memchr_iter(b'\n', text).count() as u64;
        self.consumed += bytes;
    }

    /// The line at which what is consumed ends, counted from 1.
    pub(super) fn line_before(&self) -> u64 {
        let ends_line = self.buffer[..self.consumed].ends_with('\n');
        self.line - u64::from(ends_line)
    }

    /// The place of a byte of what is not consumed.
    pub(super) fn place(&self, offset: usize) -> Place {
        let text = self.unread().get(..offset).unwrap_or_else(|| self.unread());
        let line_start = text.rfind('\n').map_or(0, |at| at + 1);
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        let column = text[line_start..].chars().count() + 1;
        Place { file: self.name.clone(), line: self.line + lines, column }
    }

    /// Reads more, and waits for it if the input does.
    ///
    /// # Errors
    /// The stream fails, a line is too long, or the next byte is not UTF-8.
    pub(super) fn fill(&mut self) -> Result<(), ConnectError> {
        if self.is_at_invalid() {
            return Err(self.invalid());
        }
        let held = self.buffer.len() - self.consumed;
        if held > LONGEST {
            return Err(flaw(self.place(0), format!("a line is longer than {} MiB", LONGEST >> 20)));
        }
        // Long lines come in ever larger pieces, so that they are not looked through too often.
        if self.chunk.len() < held {
            self.chunk.resize(held, 0);
        }
        let count = self.read_chunk()?;
        if self.is_idle() {
            return Ok(());
        }
        let mut bytes = mem::take(&mut self.buffer).into_bytes();
        bytes.drain(..self.consumed);
        self.consumed = 0;
        bytes.append(&mut self.rest);
        bytes.extend_from_slice(&self.chunk[..count]);
        self.keep(bytes);
        if !self.begun && !self.buffer.is_empty() {
            // The mark of UTF-8 in front of a file belongs to no value.
            self.consumed = if self.buffer.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            self.begun = true;
        }
        Ok(())
    }

    /// Reads into the chunk. Returns how many bytes came.
    fn read_chunk(&mut self) -> Result<usize, ConnectError> {
        loop {
            match self.input.read(&mut self.chunk) {
                Ok(count) => {
                    self.supply = self.supply.after(count);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.supply = Supply::Waiting;
                    return Ok(0);
                }
                Err(error) => return Err(ConnectError::file("read", &self.name, &error)),
            }
        }
    }

    /// Drops the line that has a byte which is not UTF-8; says whether there is one.
    pub(super) fn skip_invalid_line(&mut self) -> Result<bool, ConnectError> {
        if !self.is_at_invalid() {
            return Ok(false);
        }
        let whole_lines = self.buffer.rfind('\n').map_or(self.consumed, |at| at + 1).max(self.consumed);
        self.buffer.truncate(whole_lines);
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.rest) {
                let bytes = self.rest.split_off(end + 1);
                self.line += 1;
                let mut all = mem::take(&mut self.buffer).into_bytes();
                all.extend_from_slice(&bytes);
                self.keep(all);
                return Ok(true);
            }
            if self.supply == Supply::Ended {
                self.rest.clear();
                return Ok(true);
            }
            // What is kept says that the line is still to be dropped.
            self.rest.truncate(LONGEST_CHARACTER);
            let count = self.read_chunk()?;
            if self.is_idle() {
                return Ok(true);
            }
            self.rest.extend_from_slice(&self.chunk[..count]);
        }
    }

    /// Takes bytes as the buffer and what is behind it.
    fn keep(&mut self, bytes: Vec<u8>) {
        match String::from_utf8(bytes) {
            Ok(text) => {
                self.buffer = text;
                self.rest = vec![];
            }
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                self.rest = bytes.split_off(valid);
                self.buffer = String::from_utf8(bytes).expect("the bytes up to there are UTF-8");
            }
        }
    }

    /// The error of a byte that is not UTF-8.
    fn invalid(&self) -> ConnectError {
        let byte = self.rest.first().copied().unwrap_or_default();
        flaw(self.place(self.unread().len()), format!("byte 0x{byte:02x} is not UTF-8"))
    }

    /// Whether the byte behind the buffer is not UTF-8, whatever comes.
    fn is_at_invalid(&self) -> bool {
        is_invalid(&self.rest) || (self.supply == Supply::Ended && !self.rest.is_empty())
    }
}

fn flaw(place: Place, problem: String) -> ConnectError {
    ConnectError::Data { place, column: None, problem, hint: None }
}

/// Whether bytes begin with something that no more bytes make a character of.
fn is_invalid(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_some())
}
