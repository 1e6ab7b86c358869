//! Queries: run once, watched, and planned.

use super::replay::Replay;
use super::{Collected, Error, Header, Outcome, Receiver, Session, Watched};
use crate::changelog::Changes;
use crate::exec::{self, Dataflow, RunError};
use crate::expr::Context;
use crate::plan::keys::identifying_key;
use crate::plan::node::{Op, Plan};
use crate::plan::{PlanErrorKind, advice, modes, passes};
use crate::sql::{self, Statement};
use sqlparser::ast::Query;

/// A query that is watched.
pub(super) struct Watcher {
    pub(super) name: String,
    /// The tables and views that it reads.
    pub(super) reads: Vec<String>,
    pub(super) dataflow: Dataflow,
    pub(super) header: Header,
    /// The changes since it was last asked for.
    pub(super) news: Changes,
    pub(super) failed: Option<RunError>,
}

impl Session {
    /// What comes when the input has ended never comes where it does not end.
    pub(super) fn check_goes_on(&self, plan: &Plan) -> Result<(), Error> {
        let (mut sorts, mut goes_on) = (false, false);
        plan.visit(&mut |plan| {
            sorts |= plan.sorts_at_the_end();
            goes_on |= matches!(&plan.op, Op::Scan(scan) if !self.engine.is_bounded(scan.table));
        });
        if sorts && goes_on {
            return Err(Error::Plan(PlanErrorKind::UnboundedSort.into()));
        }
        Ok(())
    }

    /// Reads what a dataflow reads, from its beginning.
    pub(super) fn replay(&self, dataflow: &Dataflow) -> Result<Replay, RunError> {
        Ok(Replay::new(dataflow, &self.engine.catalog, &self.engine.outlets.streams)?)
    }

    pub(super) fn query(&mut self, query: &Query, receiver: &mut dyn Receiver) -> Result<Outcome, Error> {
        let context = self.context();
        let (plan, header, _) = self.planned_query(query, &context, receiver)?;
        let mut dataflow =
            exec::build(&plan, &context, exec::SinkOptions::default(), self.interrupted.clone());
        let mut replay = self.replay(&dataflow)?;
        receiver.begin(&header);
        let mut out = Changes::new(dataflow.width());
        loop {
            let step = replay.step(&self.engine.catalog, &mut dataflow, context.now, &mut out);
            let step = match step {
                Ok(false) => dataflow.finish(&mut out).map(|()| false),
                step => step,
            };
            // What came out before a failure is given, too.
            let more = out.is_empty() || receiver.changes(&out);
            out.clear();
            if !step? || !more {
                break;
            }
        }
        Ok(Outcome::Queried)
    }

    /// Binds a query whose result is shown, and decides its modes.
    fn planned_query(
        &mut self,
        query: &Query,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<(Plan, Header, Vec<String>), Error> {
        let binder = self.binder(context);
        let plan = binder.bind_query(query)?;
        let reads = binder.take_read();
        binder.take_notices().iter().for_each(|notice| receiver.notice(notice));
        let schema = plan.schema.clone();
        let plan = self.planned(plan.collected(self.settings.strict), context, receiver)?;
        let key = identifying_key(plan.input());
        let header = Header { schema, key, time_zone: self.settings.time_zone.clone() };
        Ok((plan, header, reads))
    }

    /// Simplifies a plan and decides its modes.
    pub(super) fn planned(
        &self,
        plan: Plan,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<Plan, Error> {
        let plan = passes::run(plan, context, &mut |_, _| {})?;
        let moded = modes::infer(plan, self.settings.strict).map_err(crate::plan::PlanError::from)?;
        if moded.repaired {
            receiver.notice(
                "Flink refuses this query on the upsert output of FROM_CHANGELOG; \
                 it was normalized by its key first, as a table with that primary key would be",
            );
        }
        for notice in advice::of(&moded.plan) {
            receiver.notice(&notice);
        }
        Ok(moded.plan)
    }

    /// Starts to watch a query, or a table or view by its name: gives what is there, and from then
    /// on its changes by [`Self::take_watched`].
    ///
    /// # Errors
    /// When the text is no query, or the query is refused or fails.
    pub fn watch(&mut self, text: &str, receiver: &mut dyn Receiver) -> Result<Collected, Error> {
        let trimmed = text.trim().trim_end_matches(';').trim_end();
        let known = self.engine.catalog.get(trimmed).is_some();
        let query = if known {
            format!("SELECT * FROM `{}`", trimmed.replace('`', "``"))
        } else {
            trimmed.to_owned()
        };
        let parsed = sql::parse(&query)?;
        self.report(&parsed.notices, receiver)?;
        let Statement::Query(query) = parsed.statement else {
            return Err(super::refused("only a query, a table or a view can be watched", None));
        };
        let context = self.context();
        let (plan, header, reads) = self.planned_query(&query, &context, receiver)?;
        self.check_goes_on(&plan)?;
        let mut dataflow =
            exec::build(&plan, &context, exec::SinkOptions::default(), self.interrupted.clone());
        let mut changes = Changes::new(dataflow.width());
        let mut replay = self.replay(&dataflow)?;
        while replay.step(&self.engine.catalog, &mut dataflow, context.now, &mut changes)? {}
        let news = Changes::new(dataflow.width());
        let name = trimmed.split_whitespace().collect::<Vec<_>>().join(" ");
        let watcher = Watcher { name, reads, dataflow, header: header.clone(), news, failed: None };
        self.engine.watchers.push(watcher);
        Ok(Collected { notices: Vec::new(), header: Some(header), changes })
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

    /// The raw log of a table: what it received, in order.
    ///
    /// # Errors
    /// When there is no such table.
    pub fn log(&self, table: &str) -> Result<Collected, Error> {
        let entry = self.engine.catalog.table(table).ok_or_else(|| self.missing("table", table, None))?;
        let header = Header {
            schema: entry.stored_schema(),
            key: entry.stored_key().map(<[usize]>::to_vec),
            time_zone: self.settings.time_zone.clone(),
        };
        Ok(Collected { notices: Vec::new(), header: Some(header), changes: entry.log().clone() })
    }
}

impl Collected {
    /// The changes as Flink writes them: `+I[EU, 1]`.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let text = self.header.as_ref().map(|h| crate::value::RowText::new(&h.schema, h.time_zone.clone()));
        let line = move |change: crate::changelog::Change<'_>| {
            let row = text.as_ref().map(|text| text.of(change.row)).unwrap_or_default();
            format!("{}{row}", change.kind)
        };
        self.changes.iter().map(line)
    }
}
