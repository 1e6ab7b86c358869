//! The tables and everything that reads them: how a change spreads.

use std::collections::VecDeque;

use super::pipeline::{Job, JobState};
use super::watch::Watcher;
use crate::catalog::{Catalog, TableId};
use crate::changelog::{Cause, Changes, RowKind};
use crate::exec::{Dataflow, RunError};
use crate::value::Value;

/// The most changes that are pushed through a dataflow at once.
const SLICE: usize = 64;

/// The tables and everything that reads them.
pub(super) struct Engine {
    pub(super) catalog: Catalog,
    pub(super) jobs: Vec<Job>,
    pub(super) watchers: Vec<Watcher>,
    /// Pipelines that failed since this was last asked for.
    pub(super) failures: Vec<String>,
    /// The number of the last log entry.
    sequence: u64,
}

/// Changes that a pipeline wrote and that are still to be logged.
struct Pending {
    table: TableId,
    changes: Changes,
}

impl Engine {
    pub(super) fn new() -> Self {
        Self {
            catalog: Catalog::default(),
            jobs: Vec::new(),
            watchers: Vec::new(),
            failures: Vec::new(),
            sequence: 0,
        }
    }

    /// Appends changes to a table, and does all that each of them causes before the next one: it
    /// is numbered, logged and offered to pipelines, then to watchers, in the order in which they
    /// were made; what a pipeline writes is queued behind it.
    pub(super) fn append(&mut self, table: TableId, changes: &Changes, arrival: i64) {
        if !self.is_read(table) {
            for change in changes.iter() {
                self.log(table, change.kind, change.row, arrival);
            }
            return;
        }
        let mut queue = VecDeque::new();
        for change in changes.iter() {
            self.spread(table, change.kind, change.row, arrival, &mut queue);
            while let Some(Pending { table, changes }) = queue.pop_front() {
                for change in changes.iter() {
                    self.spread(table, change.kind, change.row, arrival, &mut queue);
                }
            }
        }
    }

    fn is_read(&self, table: TableId) -> bool {
        let reads = |dataflow: &Dataflow| dataflow.sources().iter().any(|source| source.table == table);
        self.jobs.iter().any(|job| job.dataflow().is_some_and(reads))
            || self.watchers.iter().any(|watcher| reads(&watcher.dataflow))
    }

    fn log(&mut self, table: TableId, kind: RowKind, row: &[Value], arrival: i64) {
        self.sequence += 1;
        let cause = Cause { sequence: self.sequence, arrival };
        if let Some(table) = self.catalog.table_by_id_mut(table) {
            table.append(kind, cause, row);
        }
    }

    fn spread(
        &mut self,
        table: TableId,
        kind: RowKind,
        row: &[Value],
        arrival: i64,
        queue: &mut VecDeque<Pending>,
    ) {
        self.log(table, kind, row, arrival);
        let Some(log) = self.catalog.table_by_id(table).map(crate::catalog::Table::log) else { return };
        let entry = log.get(log.len() - 1);
        for job in &mut self.jobs {
            let JobState::Running(dataflow) = &mut job.state else { continue };
            let mut out = Changes::new(dataflow.width());
            let result = offer(dataflow, table, entry, &mut out);
            job.written += out.len();
            if !out.is_empty() {
                queue.push_back(Pending { table: job.sink, changes: out });
            }
            if let Err(error) = result {
                self.failures.push(format!("job {} into \"{}\" failed: {error}", job.id, job.sink_name));
                job.state = JobState::Failed(error);
            }
        }
        for watcher in &mut self.watchers {
            if let Err(error) = offer(&mut watcher.dataflow, table, entry, &mut watcher.news) {
                watcher.failed = Some(error);
            }
        }
        self.watchers.retain_mut(|watcher| match watcher.failed.take() {
            Some(error) => {
                self.failures.push(format!("watching {} failed: {error}", watcher.name));
                false
            }
            None => true,
        });
    }
}

/// Reads the logs of a dataflow's tables, merged by number. A table that is scanned twice feeds its
/// scans from left to right.
pub(super) struct Replay {
    /// The next entry of each source.
    next: Vec<usize>,
    started: bool,
}

impl Replay {
    /// From the first entry on.
    pub(super) fn new(dataflow: &Dataflow) -> Self {
        Self { next: vec![0; dataflow.sources().len()], started: false }
    }

    /// Pushes the next entries and appends what comes out. Returns whether there was something to
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
        let empty = Changes::default();
        let log = |source: usize| {
            let table = catalog.table_by_id(dataflow.sources()[source].table);
            table.map_or(&empty, crate::catalog::Table::log)
        };
        if self.next.len() == 1 && dataflow.takes_slices() {
            let log = log(0);
            let start = self.next[0];
            let end = log.len().min(start + SLICE);
            self.next[0] = end;
            dataflow.push(0, (start..end).map(|index| log.get(index)), out)?;
            return Ok(end > start);
        }
        let head = |source: &usize| log(*source).get(self.next[*source]).cause.sequence;
        let waiting = (0..self.next.len()).filter(|&source| self.next[source] < log(source).len());
        // The lowest number; of several scans of one table the leftmost.
        let Some(source) = waiting.min_by_key(head) else { return Ok(false) };
        let entry = log(source).get(self.next[source]);
        self.next[source] += 1;
        dataflow.push(source, [entry], out)?;
        Ok(true)
    }
}

/// Offers a log entry to all scans of its table.
fn offer(
    dataflow: &mut Dataflow,
    table: TableId,
    entry: crate::changelog::Change<'_>,
    out: &mut Changes,
) -> Result<(), RunError> {
    for source in 0..dataflow.sources().len() {
        if dataflow.sources()[source].table == table {
            dataflow.push(source, [entry], out)?;
        }
    }
    Ok(())
}
