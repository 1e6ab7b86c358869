//! What a dataflow reads when it starts: the logs of its tables, then what its connected tables give.

use std::time::Duration;

use super::{Progress, Receiver};
use crate::catalog::{Catalog, Table};
use crate::changelog::{Cause, Changes};
use crate::connect::{ConnectError, Extent, Reader, Skipped, Streams};
use crate::exec::{Dataflow, RunError};

/// The most changes that are pushed through a dataflow at once.
const SLICE: usize = 64;

/// From so many rows of a source on, several of it are read in turn.
const MANY: u64 = 1000;

/// Reads the sources of a dataflow: the logs of tables in memory first, merged by number, and then
/// connected tables, each one row in turn, in the order of the plan; long ones several rows in
/// turn. A table that is scanned twice feeds its scans from left to right.
pub(super) struct Replay {
    inputs: Vec<Input>,
    /// What is read in place of logs, if it is something else.
    instead: Option<Vec<Changes>>,
    started: bool,
    /// Whether what comes to logs reaches the dataflow in another way.
    logs_are_done: bool,
    /// The connected source whose turn it is.
    turn: usize,
    /// What was read last.
    read: Changes,
}

/// What a source reads.
enum Input {
    /// The log of a table from this entry on.
    Log(usize),
    /// A connected table.
    Connected(Connected),
}

/// A connected table that is read.
struct Connected {
    /// None if it has ended.
    reader: Option<Box<dyn Reader>>,
    /// The rows that were read.
    rows: u64,
    /// How far reading was when it ended.
    ended_at: Option<Extent>,
    /// What was left out until then.
    skipped: Option<Skipped>,
}

impl Connected {
    fn end(&mut self) {
        (self.ended_at, self.skipped) = (self.extent(), self.skipped());
        self.reader = None;
    }

    fn extent(&self) -> Option<Extent> {
        self.reader.as_ref().map_or(self.ended_at, |reader| reader.extent())
    }

    fn skipped(&self) -> Option<Skipped> {
        self.reader.as_ref().map_or_else(|| self.skipped.clone(), |reader| reader.skipped())
    }
}

impl Replay {
    /// From the beginning of each source on. Connected ones are opened, so that a file that is
    /// missing is found before anything runs.
    pub(super) fn new(
        dataflow: &Dataflow,
        catalog: &Catalog,
        streams: &Streams,
    ) -> Result<Self, ConnectError> {
        let inputs = dataflow.sources().iter().map(|source| {
            let table = catalog.table_by_id(source.table);
            match table.and_then(|table| table.connector.as_ref()) {
                None => Ok(Input::Log(0)),
                Some(connector) => connector.reader(source.columns(), streams).map(|reader| {
                    Input::Connected(Connected {
                        reader: Some(reader),
                        rows: 0,
                        ended_at: None,
                        skipped: None,
                    })
                }),
            }
        });
        Ok(Self {
            inputs: inputs.collect::<Result<_, _>>()?,
            instead: None,
            started: false,
            logs_are_done: false,
            turn: 0,
            read: Changes::default(),
        })
    }

    /// Reads the rows of tables in memory as they are now, as if they came now, and not their logs.
    pub(super) fn of_rows(mut self, dataflow: &Dataflow, catalog: &Catalog, arrival: i64) -> Self {
        let rows = dataflow.sources().iter().map(|source| {
            let table = catalog.table_by_id(source.table);
            table.map_or_else(Changes::default, |table| table.rows(arrival))
        });
        self.instead = Some(rows.collect());
        self
    }

    /// What is still being read.
    fn readers(&self) -> impl Iterator<Item = &dyn Reader> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Connected(connected) => connected.reader.as_deref(),
            Input::Log(_) => None,
        })
    }

    /// Whether nothing more will ever come: no source is a table in memory, to which changes may come.
    pub(super) fn is_over(&self) -> bool {
        let is_over = |input: &Input| matches!(input, Input::Connected(Connected { reader: None, .. }));
        self.inputs.iter().all(is_over)
    }

    /// How long to wait for more when nothing came, if a source has no end.
    pub(super) fn pause(&self) -> Option<Duration> {
        self.readers().filter_map(Reader::pause).min()
    }

    /// Reads sources that have an end without pauses.
    pub(super) fn hurry(&mut self) {
        for input in &mut self.inputs {
            if let Input::Connected(Connected { reader: Some(reader), .. }) = input {
                reader.hurry();
            }
        }
    }

    /// Whether the next step may have to wait until somebody writes to what is read.
    pub(super) fn may_wait(&self) -> bool {
        self.readers().any(Reader::may_wait)
    }

    /// How far reading is.
    pub(super) fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        for input in &self.inputs {
            match input {
                Input::Log(next) => progress.rows += *next as u64,
                Input::Connected(connected) => {
                    progress.rows += connected.rows;
                    if let Some(extent) = connected.extent() {
                        progress.extent = Some(progress.extent.map_or(extent, |other| other + extent));
                    }
                }
            }
        }
        progress
    }

    /// Says what was left out of what was read, if something was.
    pub(super) fn report_skipped(&self, receiver: &mut dyn Receiver) {
        let parts = self.inputs.iter().filter_map(|input| match input {
            Input::Connected(connected) => connected.skipped(),
            Input::Log(_) => None,
        });
        if let Some(skipped) = Skipped::of_all(parts) {
            receiver.notice(&skipped.to_string());
        }
    }

    /// What is left to read once all that was there is read: the sources that have no end, if there
    /// are any. Logs have been read; what comes to them is offered to the dataflow.
    pub(super) fn following(mut self) -> Option<Self> {
        self.logs_are_done = true;
        self.pause().map(|_| self)
    }

    /// Pushes what comes next and appends what comes out. Returns whether there was something to
    /// push.
    pub(super) fn step(
        &mut self,
        catalog: &Catalog,
        dataflow: &mut Dataflow,
        arrival: i64,
        out: &mut Changes,
    ) -> Result<bool, RunError> {
        if !self.started {
            self.started = true;
            dataflow.start(arrival, out)?;
            return Ok(true);
        }
        if !self.logs_are_done && self.step_logs(catalog, dataflow, out)? {
            return Ok(true);
        }
        self.step_connected(dataflow, arrival, out)
    }

    fn step_logs(
        &mut self,
        catalog: &Catalog,
        dataflow: &mut Dataflow,
        out: &mut Changes,
    ) -> Result<bool, RunError> {
        let empty = Changes::default();
        let instead = &self.instead;
        let log = |source: usize| {
            let table = catalog.table_by_id(dataflow.sources()[source].table);
            instead.as_ref().map_or_else(|| table.map_or(&empty, Table::log), |rows| &rows[source])
        };
        if let [Input::Log(next)] = &mut self.inputs[..]
            && dataflow.takes_slices()
        {
            let log = log(0);
            let start = *next;
            let end = log.len().min(start + SLICE);
            *next = end;
            dataflow.push(0, (start..end).map(|index| log.get(index)), out)?;
            return Ok(end > start);
        }
        let waiting = self.inputs.iter_mut().enumerate().filter_map(|(source, input)| match input {
            Input::Log(next) if *next < log(source).len() => Some((source, next)),
            Input::Log(_) | Input::Connected(..) => None,
        });
        // The lowest number; of several scans of one table the leftmost.
        let first = waiting.min_by_key(|(source, next)| log(*source).get(**next).cause.sequence);
        let Some((source, next)) = first else { return Ok(false) };
        let entry = log(source).get(*next);
        *next += 1;
        dataflow.push(source, [entry], out)?;
        Ok(true)
    }

    fn step_connected(
        &mut self,
        dataflow: &mut Dataflow,
        arrival: i64,
        out: &mut Changes,
    ) -> Result<bool, RunError> {
        let count = self.inputs.len();
        for _ in 0..count {
            let source = self.turn;
            self.turn = (self.turn + 1) % count;
            let Input::Connected(connected) = &mut self.inputs[source] else { continue };
            let Some(reader) = &mut connected.reader else { continue };
            let slices = dataflow.takes_slices() && (count == 1 || connected.rows >= MANY);
            let most = if slices { SLICE } else { 1 };
            self.read.reset(dataflow.sources()[source].columns().len());
            // A row is numbered by its place in what is read.
            let first = Cause { sequence: connected.rows + 1, arrival };
            let more = reader.read(most, first, &mut self.read);
            connected.rows += self.read.len() as u64;
            // What came before a failure is pushed, too.
            dataflow.push_columns(source, &self.read, out)?;
            if !more? {
                connected.end();
                dataflow.finish_source(source, out)?;
            } else if self.read.is_empty() {
                // Nothing is there yet.
                continue;
            }
            return Ok(true);
        }
        Ok(false)
    }
}
