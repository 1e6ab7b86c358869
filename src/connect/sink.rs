//! Writing lines.

use std::io::{self, Write};

use super::file::Appended;
use super::format::{Details, Encoder, Flaw, Output};
use super::{ConnectError, Writer};
use crate::changelog::{Change, ChangelogMode, Changes};
use crate::value::Value;

/// How much is written at once, in bytes.
const AT_ONCE: usize = 64 << 10;

/// Writes lines to a file or stream.
pub(super) struct LineSink {
    name: String,
    output: Box<dyn Write + Send>,
    encoder: Box<dyn Encoder>,
    kinds: ChangelogMode,
    /// The columns that are written, if some are not, and their values.
    columns: Option<(Vec<usize>, Vec<Value>)>,
    buffer: Output,
    /// What of the buffer is written.
    written: usize,
    start: Start,
}

/// What comes before the next line.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// What the format begins with.
    Head,
    /// The end of a line that somebody else left without one.
    LineEnd,
    Nothing,
}

impl LineSink {
    /// Writes to something that is empty.
    pub(super) fn new(
        name: &str,
        output: Box<dyn Write + Send>,
        encoder: Box<dyn Encoder>,
        kinds: ChangelogMode,
    ) -> Self {
        let (buffer, name) = (Output::default(), name.to_owned());
        Self { name, output, encoder, kinds, columns: None, buffer, written: 0, start: Start::Head }
    }

    /// Writes behind what is in a file.
    pub(super) fn behind(file: Appended, encoder: Box<dyn Encoder>, kinds: ChangelogMode) -> Self {
        let mut sink = Self::new(&file.path.display().to_string(), file.output, encoder, kinds);
        sink.start = match (file.is_empty, file.is_torn) {
            (true, _) => Start::Head,
            (false, true) => Start::LineEnd,
            (false, false) => Start::Nothing,
        };
        sink
    }

    /// The same, writing only these columns.
    pub(super) fn of_columns(mut self, columns: Option<Vec<usize>>) -> Self {
        self.columns = columns.map(|columns| (columns, Vec::new()));
        self
    }

    fn encode(&mut self, change: Change<'_>) -> Result<(), Flaw> {
        if !self.kinds.contains(change.kind) {
            let problem = format!("it takes only insertions, not {}", change.kind.symbol());
            return Err(Flaw::new(0, problem));
        }
        match std::mem::replace(&mut self.start, Start::Nothing) {
            Start::Head => self.encoder.begin(&mut self.buffer),
            Start::LineEnd => self.buffer.push('\n'),
            Start::Nothing => {}
        }
        let start = self.buffer.len();
        let result = match &mut self.columns {
            None => self.encoder.encode(&mut self.buffer, change),
            Some((columns, values)) => {
                values.clear();
                values.extend(columns.iter().map(|&column| change.row[column].clone()));
                self.encoder.encode(&mut self.buffer, Change { row: values, ..change })
            }
        };
        if result.is_err() {
            self.buffer.truncate(start);
        }
        result
    }

    /// Hands the buffer over; what is not taken stays.
    fn drain(&mut self) -> Result<(), ConnectError> {
        while self.written < self.buffer.len() {
            match self.output.write(&self.buffer.as_bytes()[self.written..]) {
                Ok(0) => {
                    let error = io::Error::from(io::ErrorKind::WriteZero);
                    return Err(ConnectError::file("write", &self.name, &error));
                }
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ConnectError::file("write", &self.name, &error)),
            }
        }
        self.buffer.clear();
        self.written = 0;
        Ok(())
    }
}

impl Writer for LineSink {
    fn write(&mut self, changes: &Changes) -> Result<(), ConnectError> {
        for change in changes.iter() {
            self.encode(change).map_err(|flaw| {
                let Details { column, problem, hint, .. } = flaw.into_details();
                ConnectError::Row { path: self.name.clone(), column, problem, hint }
            })?;
            if self.buffer.len() >= AT_ONCE {
                self.drain()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ConnectError> {
        self.drain()?;
        self.output.flush().map_err(|error| ConnectError::file("write", &self.name, &error))
    }
}

impl Drop for LineSink {
    fn drop(&mut self) {
        // Who wants to know of a failure flushes.
        let _ = self.flush();
    }
}

/// Takes everything and keeps nothing.
pub(super) struct Blackhole;

impl Writer for Blackhole {
    fn write(&mut self, _changes: &Changes) -> Result<(), ConnectError> {
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ConnectError> {
        Ok(())
    }
}
