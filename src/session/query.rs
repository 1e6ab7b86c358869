//! Queries: run once, watched, and planned.

use super::last::Last;
use super::replay::Replay;
use super::settings::Settings;
use super::{Collected, Error, Header, Outcome, Receiver, Session};
use crate::changelog::Changes;
use crate::exec::{self, Dataflow, RunError};
use crate::expr::Context;
use crate::plan::keys::identifying_key;
use crate::plan::node::{Op, Plan};
use crate::plan::{PlanError, PlanErrorKind, advice, determinism, modes, passes};
use sqlparser::ast::Query;

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
        // Flink has no table of the last result.
        let mut last = (!self.settings.strict).then(|| Last::new(&header, &plan));
        let mut dataflow =
            exec::build(&plan, &context, exec::SinkOptions::default(), self.interrupted.clone());
        let mut replay = self.replay(&dataflow)?;
        receiver.begin(&header);
        let most = plan.most_rows();
        let result = self.read_all(&mut replay, &mut dataflow, context.now, most, last.as_mut(), receiver);
        replay.report_skipped(receiver);
        // What came before a failure, or before the user interrupted, is kept, too.
        self.keep_last(last.as_ref(), header);
        result.map(|()| Outcome::Queried).map_err(Error::from)
    }

    /// Reads all that a query reads, and gives what comes out.
    fn read_all(
        &mut self,
        replay: &mut Replay,
        dataflow: &mut Dataflow,
        started: i64,
        most: Option<u64>,
        mut last: Option<&mut Last>,
        receiver: &mut dyn Receiver,
    ) -> Result<(), RunError> {
        let mut out = Changes::new(dataflow.width());
        let mut given = 0;
        loop {
            // Where rows come by and by, they do so at other times.
            let arrival = if replay.pause().is_some() { self.now() } else { started };
            let step = replay.step(&self.engine.catalog, dataflow, arrival, &mut out);
            let pause = replay.pause();
            let step = match step {
                Ok(false) if pause.is_none() => dataflow.finish(&mut out).map(|()| false),
                step => step,
            };
            // What came out before a failure is given, too.
            let mut more = out.is_empty() || receiver.changes(&out);
            if let Some(last) = &mut last {
                last.keep(&out);
            }
            given += out.len() as u64;
            receiver.progress(&|| replay.progress());
            if replay.may_wait() {
                more &= receiver.lull();
            }
            out.clear();
            if !step? {
                let Some(pause) = pause else { return Ok(()) };
                if most.is_some_and(|most| given >= most) {
                    return Ok(());
                }
                more &= receiver.pause();
                dataflow.wait(pause)?;
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Binds a query whose result is shown, and decides its modes.
    pub(super) fn planned_query(
        &mut self,
        query: &Query,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<(Plan, Header, Vec<String>), Error> {
        let (plan, reads) = self.bind(context, receiver, |binder| binder.bind_query(query))?;
        let schema = plan.schema.clone();
        let plan = self.planned(plan.collected(self.settings.strict), context, receiver)?;
        let key = identifying_key(plan.input());
        let header = Header { schema, key, time_zone: self.settings.time_zone.clone() };
        Ok((plan, header, reads))
    }

    /// Simplifies a plan, decides its modes, and says what is to be known about it.
    pub(super) fn planned(
        &self,
        plan: Plan,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<Plan, Error> {
        let plan = self.moded(plan, context, receiver)?;
        let Settings { refuses_non_determinism, strict, .. } = self.settings;
        let judged = determinism::judge(&plan, &self.engine.catalog, refuses_non_determinism, strict);
        if let Some(notice) = judged.map_err(PlanError::from)? {
            receiver.notice(&notice);
        }
        Ok(plan)
    }

    /// Simplifies a plan and decides its modes.
    pub(super) fn moded(
        &self,
        plan: Plan,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<Plan, Error> {
        let plan = passes::run(plan, context, &mut |_, _| {})?;
        let moded = modes::infer(plan, self.settings.strict).map_err(PlanError::from)?;
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
