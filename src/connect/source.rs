//! Reading files and streams.

use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::format::{Batch, Decoder, Details, Flaw};
use super::metadata::Layout;
use super::meter::{Extent, Meter};
use super::pipe::PipeReader;
use super::text::Text;
use super::{ConnectError, Reader, Skipped, file};
use crate::changelog::{Cause, Changes};

/// Reads files, one after the other, or a stream.
pub(super) struct LineSource {
    /// What is being read.
    text: Option<Text>,
    /// What comes then.
    files: VecDeque<PathBuf>,
    decoder: Box<dyn Decoder>,
    /// How rows are put together, if not all of their columns are decoded.
    layout: Option<Layout>,
    /// Whether what was read holds no whole line any more.
    is_hungry: bool,
    /// Whether somebody may still be writing what is read, and its end is waited for.
    is_stream: bool,
    /// How long to wait when nothing came, if reading does not wait by itself.
    pause: Option<Duration>,
    /// The line at which the last record ends, counted from 1.
    line: u64,
    meter: Meter,
    /// How many bytes there are, if that is known.
    total: Option<u64>,
    skipped: Option<Skipped>,
}

impl LineSource {
    /// Reads files. The first is opened at once, so that a mistake shows before anything runs.
    pub(super) fn of_files(
        files: Vec<PathBuf>,
        decoder: Box<dyn Decoder>,
        layout: Option<Layout>,
    ) -> Result<Self, ConnectError> {
        let total = file::total_length(&files);
        let mut source = Self { files: files.into(), total, ..Self::new(None, decoder, layout) };
        source.open_next()?;
        Ok(source)
    }

    pub(super) fn of_stream(
        name: &str,
        input: Box<dyn Read + Send>,
        decoder: Box<dyn Decoder>,
        layout: Option<Layout>,
    ) -> Self {
        let mut source = Self { is_stream: true, ..Self::new(None, decoder, layout) };
        source.text = Some(Text::new(name, Box::new(source.meter.on(input))));
        source.begin(None);
        source
    }

    /// Reads a named pipe. Unless it is followed, its end is waited for.
    pub(super) fn of_pipe(
        path: &Path,
        input: PipeReader,
        is_followed: bool,
        decoder: Box<dyn Decoder>,
        layout: Option<Layout>,
    ) -> Self {
        let pause = Some(PipeReader::PAUSE);
        let mut source = Self { is_stream: !is_followed, pause, ..Self::new(None, decoder, layout) };
        source.text = Some(Text::new(name_of(path), Box::new(source.meter.on(input))));
        source.begin(Some(path));
        source
    }

    /// Reads a file that grows.
    pub(super) fn of_growing(
        path: &Path,
        input: Box<dyn Read + Send>,
        decoder: Box<dyn Decoder>,
        layout: Option<Layout>,
    ) -> Self {
        let mut source = Self::new(Some(Text::growing(name_of(path), input)), decoder, layout);
        source.begin(Some(path));
        source
    }

    fn new(text: Option<Text>, decoder: Box<dyn Decoder>, layout: Option<Layout>) -> Self {
        Self {
            text,
            files: VecDeque::new(),
            decoder,
            layout,
            is_hungry: true,
            is_stream: false,
            pause: None,
            line: 0,
            meter: Meter::default(),
            total: None,
            skipped: None,
        }
    }

    /// Ends a file that grew.
    pub(super) fn end(&mut self) {
        if let Some(text) = &mut self.text {
            text.end();
        }
    }

    fn begin(&mut self, path: Option<&Path>) {
        self.decoder.begin();
        if let Some(layout) = &mut self.layout {
            layout.begin(path);
        }
    }

    fn open_next(&mut self) -> Result<(), ConnectError> {
        self.text = match self.files.pop_front() {
            None => None,
            Some(path) => {
                self.begin(Some(&path));
                self.is_hungry = true;
                Some(Text::new(name_of(&path), file::open(&path, &self.meter)?))
            }
        };
        Ok(())
    }

    fn try_read(&mut self, batch: &mut Batch<'_>) -> Result<bool, ConnectError> {
        let mut is_fresh = true;
        while let Some(text) = &mut self.text {
            if self.is_hungry && !text.has_ended() {
                if !is_fresh {
                    // Something was decoded, and the next line may be long in coming.
                    return Ok(true);
                }
                match text.fill() {
                    Ok(()) => {}
                    Err(error) => {
                        if !self.decoder.skips_flaws() || !text.skip_invalid_line()? {
                            return Err(error);
                        }
                        Skipped::add(&mut self.skipped, Skipped { records: 1, first: error });
                    }
                }
                if text.is_idle() {
                    return Ok(true);
                }
            }
            let last = text.has_ended();
            let taken = self.decoder.decode(text.unread(), last, batch);
            if let Some((records, flaw)) = batch.take_skipped() {
                Skipped::add(&mut self.skipped, Skipped { records, first: data_error(text, flaw) });
            }
            let taken = taken.map_err(|flaw| data_error(text, flaw))?;
            text.consume(taken);
            self.line = text.line_before();
            if batch.is_full() {
                self.is_hungry = false;
                return Ok(true);
            }
            self.is_hungry = true;
            is_fresh = batch.is_empty();
            if last {
                self.open_next()?;
            }
        }
        Ok(false)
    }
}

impl Reader for LineSource {
    fn read(&mut self, max: usize, first: Cause, out: &mut Changes) -> Result<bool, ConnectError> {
        let result = match self.layout.take() {
            None => self.try_read(&mut Batch::new(out, max.max(1), first)),
            Some(mut layout) => {
                let max = if layout.has_lines() { 1 } else { max.max(1) };
                let result = self.try_read(&mut Batch::new(layout.decoded(), max, first));
                layout.fill(self.line, out);
                self.layout = Some(layout);
                result
            }
        };
        if result.is_err() {
            self.text = None;
            self.files.clear();
        }
        result
    }

    fn extent(&self) -> Option<Extent> {
        Some(Extent { read: self.meter.bytes(), total: self.total })
    }

    fn skipped(&self) -> Option<Skipped> {
        self.skipped.clone()
    }

    fn may_wait(&self) -> bool {
        let is_drained = |text: &Text| !text.has_ended() && (self.is_hungry || !text.unread().contains('\n'));
        self.is_stream && self.text.as_ref().is_some_and(is_drained)
    }

    fn pause(&self) -> Option<Duration> {
        self.pause.filter(|_| self.text.is_some())
    }
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}

fn data_error(text: &Text, flaw: Flaw) -> ConnectError {
    let Details { at, column, problem, hint } = flaw.into_details();
    ConnectError::Data { place: text.place(at), column, problem, hint }
}
