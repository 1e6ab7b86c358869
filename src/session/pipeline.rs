//! Running pipelines: `INSERT INTO … SELECT`.

use std::time::Duration;

use super::engine::Engine;
use super::replay::Replay;
use super::show::rows;
use super::{Error, Outcome, Receiver, Session};
use crate::catalog::TableId;
use crate::changelog::Changes;
use crate::exec::{Dataflow, RunError};
use crate::plan::bind::nearest;
use crate::sql::statement::Text;
use crate::value::{DataType, Value};

/// A pipeline: a query whose result goes into a table.
pub(super) struct Job {
    pub(super) id: u64,
    /// The statement that made it.
    pub(super) statement: String,
    pub(super) sink: TableId,
    pub(super) sink_name: String,
    /// Whether the sink is a connected table.
    pub(super) connected: bool,
    /// The tables and views that it reads.
    pub(super) reads: Vec<String>,
    pub(super) state: JobState,
    /// The sources without an end that it follows.
    pub(super) following: Option<Replay>,
    /// When it was made, in milliseconds since 1970-01-01 00:00:00 UTC.
    pub(super) started: i64,
    /// The number of the last log entry that was there before it was made.
    pub(super) after: u64,
    /// How many changes it has written.
    pub(super) written: usize,
}

/// How far a pipeline is.
pub(super) enum JobState {
    /// It follows its sources.
    Running(Dataflow),
    /// It has read all that there was to read.
    Finished,
    /// It was stopped.
    Stopped,
    /// It failed.
    Failed(RunError),
}

impl Job {
    pub(super) fn dataflow(&self) -> Option<&Dataflow> {
        match &self.state {
            JobState::Running(dataflow) => Some(dataflow),
            JobState::Finished | JobState::Stopped | JobState::Failed(_) => None,
        }
    }

    /// Ends the pipeline, and leaves word of it.
    pub(super) fn fail(&mut self, error: RunError, failures: &mut Vec<String>) {
        failures.push(format!("job {} into \"{}\" failed: {error}", self.id, self.sink_name));
        self.state = JobState::Failed(error);
        self.following = None;
    }

    fn status(&self) -> &'static str {
        match self.state {
            JobState::Running(_) => "RUNNING",
            JobState::Finished => "FINISHED",
            JobState::Stopped => "STOPPED",
            JobState::Failed(_) => "FAILED",
        }
    }
}

/// A pipeline that is to be made.
pub(super) struct NewJob {
    pub(super) statement: String,
    pub(super) sink: TableId,
    pub(super) sink_name: String,
    pub(super) reads: Vec<String>,
    pub(super) dataflow: Dataflow,
    /// Whether it ends when it has read what is there.
    pub(super) once: bool,
}

impl Engine {
    /// Whether a dataflow would read what it writes, also through running pipelines.
    pub(super) fn is_cycle(&self, dataflow: &Dataflow, sink: TableId) -> bool {
        // A table with other options than its own is the same table.
        let origin = |table| self.catalog.origin(table);
        let reads = |dataflow: &Dataflow, table| {
            dataflow.sources().iter().any(|source| origin(source.table) == table)
        };
        let mut reached = vec![origin(sink)];
        let mut next = 0;
        while next < reached.len() {
            let table = reached[next];
            next += 1;
            if reads(dataflow, table) {
                return true;
            }
            let followers =
                self.jobs.iter().filter(|job| job.dataflow().is_some_and(|flow| reads(flow, table)));
            for job in followers {
                let sink = origin(job.sink);
                if !reached.contains(&sink) {
                    reached.push(sink);
                }
            }
        }
        false
    }

    /// Makes a pipeline: it reads what is there and goes on, or ends.
    pub(super) fn start(
        &mut self,
        job: NewJob,
        arrival: i64,
        receiver: &mut dyn Receiver,
    ) -> Result<(), RunError> {
        let NewJob { statement, sink, sink_name, reads, mut dataflow, once } = job;
        let after = self.sequence;
        let connected = self.is_connected(sink);
        let mut replay = Replay::new(&dataflow, &self.catalog, &self.outlets.streams)?;
        if once {
            replay.hurry();
        }
        let mut written = 0;
        let mut out = Changes::new(dataflow.width());
        let result = loop {
            let step = replay.step(&self.catalog, &mut dataflow, arrival, &mut out);
            let step = match step {
                // What somebody is still writing has an end.
                Ok(false) if replay.may_wait() => {
                    dataflow.wait(replay.pause().unwrap_or_default()).map(|()| true)
                }
                Ok(false) if once || replay.is_over() => dataflow.finish(&mut out).map(|()| false),
                step => step,
            };
            // What came out before a failure is written, too.
            written += out.len();
            receiver.progress(&|| replay.progress());
            let mut taken = self.append(sink, &out, arrival);
            if replay.may_wait() {
                // Somebody may wait for it at the other end of a pipe.
                taken = taken.and_then(|()| self.outlets.flush());
            }
            out.clear();
            match taken.map_err(RunError::from).and(step) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        replay.report_skipped(receiver);
        let result = result.and(self.outlets.close().map_err(RunError::from));
        let (state, following) = match &result {
            Err(RunError::Cancelled) => (JobState::Stopped, None),
            Err(error) => (JobState::Failed(error.clone()), None),
            Ok(()) if once || replay.is_over() => (JobState::Finished, None),
            Ok(()) => {
                let following = replay.following();
                if following.is_some() {
                    dataflow.detach();
                }
                (JobState::Running(dataflow), following)
            }
        };
        let id = self.jobs.last().map_or(1, |job| job.id + 1);
        let started = arrival;
        self.jobs.push(Job {
            id,
            statement,
            sink,
            sink_name,
            connected,
            reads,
            state,
            following,
            started,
            after,
            written,
        });
        result
    }

    /// Ends event time in a running pipeline: what waits for a watermark is written.
    fn end(&mut self, index: usize, arrival: i64, state: JobState) {
        let job = &mut self.jobs[index];
        job.following = None;
        let JobState::Running(mut dataflow) = std::mem::replace(&mut job.state, state) else { return };
        let mut out = Changes::new(dataflow.width());
        let result = dataflow.finish(&mut out);
        job.written += out.len();
        let sink = job.sink;
        let written = self.append(sink, &out, arrival).and(self.outlets.close());
        if let Err(error) = written.map_err(RunError::from).and(result) {
            self.jobs[index].fail(error, &mut self.failures);
        }
    }

    /// Reads what has come to the sources that pipelines and watchers follow. Returns whether
    /// something has.
    pub(super) fn follow(&mut self, arrival: i64) -> bool {
        let mut progress = false;
        for index in 0..self.jobs.len() {
            while self.follow_job(index, arrival) {
                progress = true;
            }
            if self.jobs[index].following.as_ref().is_some_and(Replay::is_over) {
                self.end(index, arrival, JobState::Finished);
            }
        }
        let Self { watchers, catalog, failures, .. } = self;
        watchers.retain_mut(|watcher| {
            let Some(replay) = &mut watcher.following else { return true };
            loop {
                match replay.step(catalog, &mut watcher.dataflow, arrival, &mut watcher.news) {
                    Ok(true) => progress = true,
                    Ok(false) => return true,
                    Err(error) => {
                        failures.push(format!("watching {} failed: {error}", watcher.name));
                        return false;
                    }
                }
            }
        });
        progress
    }

    /// Reads on in the sources that a pipeline follows. Returns whether something has come.
    fn follow_job(&mut self, index: usize, arrival: i64) -> bool {
        let job = &mut self.jobs[index];
        let (JobState::Running(dataflow), Some(replay)) = (&mut job.state, &mut job.following) else {
            return false;
        };
        let mut out = Changes::new(dataflow.width());
        let step = replay.step(&self.catalog, dataflow, arrival, &mut out);
        job.written += out.len();
        let sink = job.sink;
        let written = self.append(sink, &out, arrival);
        match written.map_err(RunError::from).and(step) {
            Ok(more) => more,
            Err(error) => {
                self.jobs[index].fail(error, &mut self.failures);
                false
            }
        }
    }

    /// How long to wait for more of what is followed, if something is.
    pub(super) fn pause(&self) -> Option<Duration> {
        let jobs = self.jobs.iter().filter(|job| job.dataflow().is_some());
        let jobs = jobs.filter_map(|job| job.following.as_ref());
        let watchers = self.watchers.iter().filter_map(|watcher| watcher.following.as_ref());
        jobs.chain(watchers).filter_map(Replay::pause).min()
    }
}

impl Session {
    /// Ends event time in all running pipelines, as at the end of a script, and finishes them.
    pub fn finish(&mut self) {
        let arrival = self.now();
        for index in 0..self.engine.jobs.len() {
            if self.engine.jobs[index].dataflow().is_some() {
                self.engine.end(index, arrival, JobState::Finished);
            }
        }
    }

    /// Reads what has come to sources without an end, such as a file that grows, that pipelines and
    /// watchers follow. Each statement does so at its end, too.
    ///
    /// Returns how long to wait until this is worth calling again; nothing if no such source is
    /// followed.
    pub fn follow(&mut self) -> Option<Duration> {
        self.engine.pause()?;
        let arrival = self.now();
        let progress = self.engine.follow(arrival);
        if let Err(error) = self.engine.outlets.close() {
            self.engine.failures.push(error.to_string());
        }
        let pause = self.engine.pause()?;
        Some(if progress { Duration::ZERO } else { pause })
    }

    /// The pipelines and watchers that failed since this was last asked for, each as one line.
    pub fn take_failures(&mut self) -> Vec<String> {
        std::mem::take(&mut self.engine.failures)
    }

    /// The numbers of the pipelines that are running.
    pub fn running_jobs(&self) -> impl Iterator<Item = u64> {
        self.engine.jobs.iter().filter(|job| job.dataflow().is_some()).map(|job| job.id)
    }

    pub(super) fn stop_job(&mut self, id: &Text) -> Result<Outcome, Error> {
        let found = self.engine.jobs.iter().position(|job| job.id.to_string() == id.value);
        let index = found.ok_or_else(|| {
            let ids: Vec<String> = self.engine.jobs.iter().map(|job| job.id.to_string()).collect();
            let nearest = nearest(&id.value, ids.iter().map(String::as_str));
            Error::Missing { noun: "job", name: id.value.clone(), nearest, span: Some(id.span) }
        })?;
        if self.engine.jobs[index].dataflow().is_none() {
            let status = self.engine.jobs[index].status();
            let problem = format!("job {} is not running, but {status}", id.value);
            return Err(super::refused(problem, "SHOW JOBS lists the jobs.", Some(id.span)));
        }
        let arrival = self.now();
        self.engine.end(index, arrival, JobState::Stopped);
        Ok(Outcome::Done)
    }

    pub(super) fn show_jobs(&self) -> Outcome {
        let columns = [
            ("job id", DataType::string()),
            ("status", DataType::string()),
            ("sink", DataType::string()),
            ("changes", DataType::bigint()),
            ("start time", DataType::timestamp_ltz(0)),
            ("statement", DataType::string()),
        ];
        let row = |job: &Job| {
            let status = match &job.state {
                JobState::Failed(error) => format!("FAILED: {error}"),
                _ => job.status().to_owned(),
            };
            let statement = job.statement.split_whitespace().collect::<Vec<_>>().join(" ");
            vec![
                Value::string(&job.id.to_string()),
                Value::string(&status),
                Value::string(&job.sink_name),
                Value::integer(i64::try_from(job.written).unwrap_or(i64::MAX)),
                Value::timestamp(job.started, 0),
                Value::string(&statement),
            ]
        };
        rows(&columns, self.engine.jobs.iter().map(row))
    }
}
