//! Queries that are watched: their changes are kept until somebody asks for them.

use super::replay::Replay;
use super::{Collected, Error, Header, LogEntry, Receiver, Session, Watched};
use crate::changelog::{Cause, Changes};
use crate::exec::{self, Dataflow, RunError};
use crate::sql::{self, Statement};

/// A query that is watched.
pub(super) struct Watcher {
    pub(super) name: String,
    /// The tables and views that it reads.
    pub(super) reads: Vec<String>,
    pub(super) dataflow: Dataflow,
    /// The sources without an end that it follows.
    pub(super) following: Option<Replay>,
    pub(super) header: Header,
    /// The changes since it was last asked for.
    pub(super) news: Changes,
    pub(super) failed: Option<RunError>,
}

impl Session {
    /// Starts to watch a query, or a table or view by its name: gives what is there, and from then
    /// on its changes by [`Self::take_watched`].
    ///
    /// # Errors
    /// When the text is no query, or the query is refused or fails.
    pub fn watch(&mut self, text: &str, receiver: &mut dyn Receiver) -> Result<Collected, Error> {
        let name = text.trim().trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ");
        self.watch_as(&name, text, receiver)
    }

    /// The query that a text is, or that reads the table or view that it names.
    pub(super) fn query_of(&self, text: &str) -> Result<String, Error> {
        let text = text.trim().trim_end_matches(';').trim_end();
        if self.engine.catalog.get(text).is_some() {
            return Ok(format!("SELECT * FROM `{}`", text.replace('`', "``")));
        }
        let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word && !text.is_empty() && !sql::is_reserved(text) {
            return Err(self.missing("table or view", text, None));
        }
        Ok(text.to_owned())
    }

    /// Starts to watch a query, or a table or view, under a name of its own; see [`Self::watch`].
    ///
    /// # Errors
    /// When the text is no query, the query is refused or fails, or something is watched under the
    /// name.
    pub fn watch_as(
        &mut self,
        name: &str,
        text: &str,
        receiver: &mut dyn Receiver,
    ) -> Result<Collected, Error> {
        if self.watched().any(|watched| watched == name) {
            return Err(super::refused(
                format!("{name} is watched already"),
                "Stop watching it first.",
                None,
            ));
        }
        let parsed = sql::parse(&self.query_of(text)?)?;
        self.report(&parsed.notices, receiver)?;
        let Statement::Query(query) = parsed.statement else {
            let problem = "only a query, a table or a view can be watched";
            return Err(super::refused(problem, "Give a SELECT, or the name of a table.", None));
        };
        let context = self.context();
        let (plan, header, reads) = self.planned_query(&query, &context, receiver)?;
        self.check_goes_on(&plan)?;
        let mut dataflow =
            exec::build(&plan, &context, exec::SinkOptions::default(), self.interrupted.clone());
        let mut changes = Changes::new(dataflow.width());
        let mut replay = self.replay(&dataflow)?;
        while replay.step(&self.engine.catalog, &mut dataflow, context.now, &mut changes)? {
            receiver.progress(&|| replay.progress());
        }
        replay.report_skipped(receiver);
        let following = replay.following();
        if following.is_some() {
            dataflow.detach();
        }
        let watcher = Watcher {
            name: name.to_owned(),
            reads,
            news: Changes::new(dataflow.width()),
            dataflow,
            following,
            header: header.clone(),
            failed: None,
        };
        self.engine.watchers.push(watcher);
        Ok(Collected { notices: Vec::new(), header: Some(header), changes })
    }

    /// Stops watching what is watched under a name. Returns whether something was.
    pub fn unwatch_one(&mut self, name: &str) -> bool {
        let before = self.engine.watchers.len();
        self.engine.watchers.retain(|watcher| watcher.name != name);
        self.engine.watchers.len() < before
    }

    /// Stops watching. Returns how many queries were watched.
    pub fn unwatch(&mut self) -> usize {
        std::mem::take(&mut self.engine.watchers).len()
    }

    /// What is watched: each query, table or view as it was named, in the order in which they were given.
    pub fn watched(&self) -> impl Iterator<Item = &str> {
        self.engine.watchers.iter().map(|watcher| watcher.name.as_str())
    }

    /// The new changes of what is watched, since this was last asked for; only of what has some.
    pub fn take_watched(&mut self) -> Vec<Watched> {
        let watchers = self.engine.watchers.iter_mut().filter(|watcher| !watcher.news.is_empty());
        let watched = watchers.map(|watcher| {
            let changes = std::mem::replace(&mut watcher.news, Changes::new(watcher.dataflow.width()));
            Watched { name: watcher.name.clone(), header: watcher.header.clone(), changes }
        });
        watched.collect()
    }

    /// The entry of a log that caused a change of what is watched under a name; see [`Self::logged`].
    /// Rows of connected tables are in no log and have numbers of their own, so that there is none for
    /// a query that reads such a table.
    pub fn logged_for(&self, name: &str, cause: Cause) -> Option<LogEntry<'_>> {
        let watcher = self.engine.watchers.iter().find(|watcher| watcher.name == name)?;
        let mut sources = watcher.dataflow.sources().iter();
        if sources.any(|source| self.engine.is_connected(source.table)) {
            return None;
        }
        self.logged(cause)
    }

    /// The entry of a log that caused a change. There is none for what no entry caused, and for an
    /// entry of a table that was dropped.
    pub fn logged(&self, cause: Cause) -> Option<LogEntry<'_>> {
        let (name, table, change) = self.engine.catalog.logged(cause.sequence)?;
        let header = Header {
            schema: table.stored_schema(),
            key: table.stored_key().map(<[usize]>::to_vec),
            time_zone: self.settings.time_zone.clone(),
        };
        Some(LogEntry { table: name, header, change })
    }
}
