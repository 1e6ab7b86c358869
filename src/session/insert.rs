//! INSERT.

use super::pipeline::NewJob;
use super::{Error, Outcome, Receiver, Session};
use crate::catalog::TableId;
use crate::changelog::{Cause, Changes, RowKind};
use crate::exec::{self, RunError};
use crate::expr::Context;
use crate::plan::bind::{BoundInsert, BoundSource};
use crate::plan::node::{OnConflict, Op, Plan};
use crate::plan::{PlanErrorKind, keys};
use crate::sql::Span;
use crate::sql::statement::Insert;

impl Session {
    pub(super) fn insert(
        &mut self,
        insert: &Insert,
        text: &str,
        kinds: Option<&[RowKind]>,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        let context = self.context();
        let (bound, reads) = self.bind(&context, receiver, |binder| binder.bind_insert(insert))?;
        let BoundInsert { table, name, span, source } = bound;
        match source {
            BoundSource::Rows(rows) => self.insert_values(table, name, &rows, kinds),
            BoundSource::Values(plan) => {
                let plan = self.planned(plan, &context, receiver)?;
                let rows = self.evaluate(&plan, &context).map_err(|error| match error {
                    // Values are in no row of a table.
                    Error::Run(RunError::Eval { error, .. }) => PlanErrorKind::Value(error).into(),
                    error => error,
                })?;
                self.insert_values(table, name, &rows, kinds)
            }
            BoundSource::Query(plan) => {
                let plan = self.planned_insert(plan, span, &context, receiver)?;
                self.start_pipeline(&plan, text, table, name, reads, &context, receiver)
            }
        }
    }

    /// Starts the pipelines of a statement set, once all of them are known to be right.
    pub(super) fn statement_set(
        &mut self,
        inserts: &[Insert],
        text: &str,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        let context = self.context();
        let mut plans = Vec::new();
        for insert in inserts {
            let (bound, reads) = self.bind(&context, receiver, |binder| binder.bind_insert(insert))?;
            let plan = match bound.source {
                BoundSource::Rows(rows) => Err(rows),
                BoundSource::Values(plan) | BoundSource::Query(plan) => {
                    Ok(self.planned_insert(plan, bound.span, &context, receiver)?)
                }
            };
            plans.push((bound.table, bound.name, reads, plan));
        }
        self.check_uids(plans.iter().filter_map(|(_, _, _, plan)| plan.as_ref().ok()), receiver)?;
        for (table, name, reads, plan) in plans {
            match plan {
                Ok(plan) => self.start_pipeline(&plan, text, table, name, reads, &context, receiver)?,
                Err(rows) => self.insert_values(table, name, &rows, None)?,
            };
        }
        Ok(Outcome::Done)
    }

    /// A plan that can go into its table. What is wrong with it as a whole is wrong at the table.
    fn planned_insert(
        &self,
        plan: Plan,
        table: Span,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<Plan, Error> {
        let planned = self.check_upsert_key(&plan).and_then(|()| self.planned(plan, context, receiver));
        planned.map_err(|error| match error {
            Error::Plan(error) => Error::Plan(error.or_at(table)),
            error => error,
        })
    }

    /// Appends rows, all or none: each gets its kind, and arrives now.
    fn insert_values(
        &mut self,
        table: TableId,
        name: String,
        rows: &Changes,
        kinds: Option<&[RowKind]>,
    ) -> Result<Outcome, Error> {
        let arrival = self.now();
        let entry = self.engine.catalog.table_by_id(table);
        let mode = entry.map_or(crate::catalog::TableMode::Append, |entry| entry.mode);
        if let Some(kinds) = kinds {
            if kinds.len() != rows.len() {
                return Err(Error::KindsForRows { kinds: kinds.len(), rows: rows.len() });
            }
            if let Some(kind) = kinds.iter().find(|kind| !mode.changelog_mode().contains(**kind)) {
                let (mode, kind) = (mode.to_string(), kind.to_string());
                return Err(Error::KindNotTaken { table: name, mode, kind });
            }
        }
        let count = rows.len();
        if mode != crate::catalog::TableMode::Upsert && kinds.is_none() {
            self.engine.append(table, rows, arrival).map_err(RunError::from)?;
            return Ok(Outcome::Inserted { table: name, rows: count });
        }
        // The kind of a row depends on what is there when it comes.
        for (index, row) in rows.iter().enumerate() {
            let given = kinds.map_or(RowKind::Insert, |kinds| kinds[index]);
            let kind = match (self.engine.catalog.table_by_id(table), given.adds()) {
                (Some(entry), true) if mode == crate::catalog::TableMode::Upsert => {
                    entry.insert_kind(row.row)
                }
                _ => given,
            };
            let mut one = Changes::new(rows.width());
            one.push(kind, Cause::default(), row.row);
            self.engine.append(table, &one, arrival).map_err(RunError::from)?;
        }
        Ok(Outcome::Inserted { table: name, rows: count })
    }

    fn sink_options(&self) -> exec::SinkOptions {
        exec::SinkOptions {
            drops_nulls: self.settings.drops_nulls,
            keeps_lone_update_before: self.settings.strict,
            checks_deletes: self.settings.strict,
        }
    }

    /// The rows that a plan without tables gives.
    fn evaluate(&mut self, plan: &Plan, context: &Context) -> Result<Changes, Error> {
        let mut dataflow = exec::build(plan, context, self.sink_options(), self.interrupted.clone());
        let mut rows = Changes::new(dataflow.width());
        dataflow.start(context.now, &mut rows)?;
        dataflow.finish(&mut rows)?;
        Ok(rows)
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of one statement")]
    pub(super) fn start_pipeline(
        &mut self,
        plan: &Plan,
        text: &str,
        sink: TableId,
        sink_name: String,
        reads: Vec<String>,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        if !self.settings.insert_once {
            self.check_goes_on(plan)?;
        }
        let dataflow = exec::build(plan, context, self.sink_options(), self.interrupted.clone());
        let cycle = self.engine.is_cycle(&dataflow, sink);
        if cycle && !self.settings.insert_once {
            receiver.notice(&format!(
                "the pipeline reads what it writes into \"{sink_name}\": it takes what is there, and ends"
            ));
        }
        let once = cycle || self.settings.insert_once;
        let statement = text.to_owned();
        let table = sink_name.clone();
        let before = self.engine.jobs.len();
        let job = NewJob { statement, sink, sink_name, reads, dataflow, once };
        let result = self.engine.start(job, context.now, receiver);
        if let (Err(RunError::Cancelled), Some(job)) = (&result, self.engine.jobs.get(before)) {
            let changes = if job.written == 1 { "change" } else { "changes" };
            receiver.notice(&format!(
                "job {} was stopped: what it wrote before stays in \"{table}\", {} {changes}",
                job.id, job.written
            ));
        }
        result?;
        let job = &self.engine.jobs[before];
        let running = job.dataflow().is_some();
        Ok(Outcome::Started { job: job.id, table, changes: job.written, running })
    }

    /// With `'table.exec.sink.require-on-conflict'` the upsert key of a query must be the primary
    /// key of its table, or ON CONFLICT must say what to do.
    fn check_upsert_key(&self, plan: &Plan) -> Result<(), Error> {
        let Op::Sink(sink) = &plan.op else { return Ok(()) };
        let Some(primary) = &sink.key else { return Ok(()) };
        if !self.settings.requires_on_conflict
            || sink.on_conflict != OnConflict::Unspecified
            || !sink.accepts.is_upsert()
        {
            return Ok(());
        }
        let found = keys::upsert_keys(plan.input(), keys::Claims::All);
        if found.iter().any(|key| key.iter().all(|column| primary.contains(column))) {
            return Ok(());
        }
        let names = |key: &[usize]| {
            key.iter().map(|&column| plan.schema.columns[column].name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let upsert_key = found.first().map(|key| names(key));
        let primary_key = names(primary);
        Err(PlanErrorKind::KeyDiffers { table: sink.name.clone(), upsert_key, primary_key }.into())
    }

    /// Functions with PARTITION BY need different uids in one job. Flink finds out when the job
    /// starts; a notice says so, and a strict session refuses a statement set.
    fn check_uids<'a>(
        &self,
        plans: impl Iterator<Item = &'a Plan>,
        receiver: &mut dyn Receiver,
    ) -> Result<(), Error> {
        let mut defaults = Vec::new();
        for plan in plans {
            plan.visit(&mut |plan| match &plan.op {
                Op::FromChangelog(function) if function.partition.is_some() && function.uid.is_none() => {
                    defaults.push("FROM_CHANGELOG");
                }
                Op::ToChangelog(function) if function.partition.is_some() && function.uid.is_none() => {
                    defaults.push("TO_CHANGELOG");
                }
                _ => {}
            });
        }
        defaults.sort_unstable();
        let Some(pair) = defaults.windows(2).find(|pair| pair[0] == pair[1]) else { return Ok(()) };
        let problem =
            format!("two calls of {} with PARTITION BY have the same default uid in one job", pair[0]);
        let hint = "Give each call a uid of its own: uid => 'first'.";
        if self.settings.strict {
            return Err(super::refused(problem, hint, None));
        }
        receiver.notice(&format!("{problem}, which Flink refuses; give each a uid"));
        Ok(())
    }
}
