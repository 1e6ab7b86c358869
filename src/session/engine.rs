//! The tables and everything that reads them: how a change spreads.

use std::collections::VecDeque;

use super::outlets::Outlets;
use super::pipeline::{Job, JobState};
use super::watch::Watcher;
use crate::catalog::{Catalog, TableId};
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::connect::{ConnectError, Connector};
use crate::exec::{Dataflow, RunError};
use crate::value::Value;

/// The tables and everything that reads them.
pub(super) struct Engine {
    pub(super) catalog: Catalog,
    pub(super) jobs: Vec<Job>,
    pub(super) watchers: Vec<Watcher>,
    /// Pipelines that failed since this was last asked for.
    pub(super) failures: Vec<String>,
    pub(super) outlets: Outlets,
    /// The number of the last log entry.
    pub(super) sequence: u64,
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
            outlets: Outlets::default(),
            sequence: 0,
        }
    }

    /// Appends changes to a table, and does all that each of them causes before the next one: it
    /// is numbered, logged and offered to pipelines, then to watchers, in the order in which they
    /// were made; what a pipeline writes is queued behind it. A connected table takes them instead.
    pub(super) fn append(
        &mut self,
        table: TableId,
        changes: &Changes,
        arrival: i64,
    ) -> Result<(), ConnectError> {
        if self.is_connected(table) {
            return self.outlets.write(&self.catalog, table, changes);
        }
        if !self.is_read(table) {
            let Some(table) = self.catalog.table_by_id_mut(table) else { return Ok(()) };
            for change in changes.iter() {
                self.sequence += 1;
                table.append(change.kind, Cause { sequence: self.sequence, arrival }, change.row);
            }
            return Ok(());
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
        Ok(())
    }

    /// Forgets the tables with other options that no pipeline and no watcher uses.
    pub(super) fn forget_variants(&mut self) {
        let jobs = self.jobs.iter().filter_map(|job| Some((Some(job.sink), job.dataflow()?)));
        let watched = self.watchers.iter().map(|watcher| (None, &watcher.dataflow));
        let used: Vec<_> = jobs.chain(watched).collect();
        self.catalog.retain_variants(|table| {
            used.iter().any(|(sink, dataflow)| {
                *sink == Some(table) || dataflow.sources().iter().any(|source| source.table == table)
            })
        });
    }

    /// Whether reading a table comes to an end: one in memory may get more changes at any time.
    pub(super) fn is_bounded(&self, table: TableId) -> bool {
        let connector = self.catalog.table_by_id(table).and_then(|table| table.connector.as_ref());
        connector.is_some_and(Connector::is_bounded)
    }

    pub(super) fn is_connected(&self, table: TableId) -> bool {
        self.catalog.table_by_id(table).is_some_and(|table| table.connector.is_some())
    }

    fn is_read(&self, table: TableId) -> bool {
        let reads = |dataflow: &Dataflow| dataflow.sources().iter().any(|source| source.table == table);
        self.jobs.iter().any(|job| job.dataflow().is_some_and(reads))
            || self.watchers.iter().any(|watcher| reads(&watcher.dataflow))
    }

    fn spread(
        &mut self,
        table: TableId,
        kind: RowKind,
        row: &[Value],
        arrival: i64,
        queue: &mut VecDeque<Pending>,
    ) {
        self.sequence += 1;
        let cause = Cause { sequence: self.sequence, arrival };
        if let Some(table) = self.catalog.table_by_id_mut(table) {
            table.append(kind, cause, row);
        }
        let entry = Change { kind, row, cause };
        for job in &mut self.jobs {
            let JobState::Running(dataflow) = &mut job.state else { continue };
            let mut out = Changes::new(dataflow.width());
            let mut result = offer(dataflow, table, entry, &mut out);
            job.written += out.len();
            if job.connected {
                let written = self.outlets.write(&self.catalog, job.sink, &out);
                result = written.map_err(RunError::from).and(result);
            } else if !out.is_empty() {
                queue.push_back(Pending { table: job.sink, changes: out });
            }
            if let Err(error) = result {
                job.fail(error, &mut self.failures);
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

/// Offers a log entry to all scans of its table.
fn offer(
    dataflow: &mut Dataflow,
    table: TableId,
    entry: Change<'_>,
    out: &mut Changes,
) -> Result<(), RunError> {
    for source in 0..dataflow.sources().len() {
        if dataflow.sources()[source].table == table {
            dataflow.push(source, [entry], out)?;
        }
    }
    Ok(())
}
