//! EXPLAIN.

use std::fmt::Write;

use super::show::unique;
use super::{Error, Outcome, Receiver, Session};
use crate::expr::Context;
use crate::plan::bind::BoundSource;
use crate::plan::explain::{Shown, explain};
use crate::plan::node::{Op, Plan};
use crate::plan::{PlanError, advice, determinism, modes, passes};
use crate::sql::statement::{Explain, ExplainDetails, Insert};
use crate::sql::{self, Statement};
use crate::value::Schema;

impl Session {
    /// Explains a query, an INSERT or a statement set. A query is planned by itself, without a
    /// sink that collects its result, as in Flink.
    pub(super) fn explain(
        &mut self,
        statement: &Explain,
        receiver: &mut dyn Receiver,
    ) -> Result<Outcome, Error> {
        let context = self.context();
        let plans = match &*statement.statement {
            Statement::Query(query) => {
                let (plan, _) = self.bind(&context, receiver, |binder| binder.bind_query(query))?;
                vec![plan]
            }
            Statement::Insert(insert) => vec![self.insert_plan(insert, receiver)?],
            Statement::StatementSet(inserts) => {
                inserts.iter().map(|insert| self.insert_plan(insert, receiver)).collect::<Result<_, _>>()?
            }
            _ => {
                let problem = "EXPLAIN takes a query, an INSERT or a statement set";
                let hint = "For a CREATE TABLE … AS, explain its query.";
                return Err(super::refused(problem, hint, Some(statement.span)));
            }
        };
        if let Some(notice) = without_effect(statement.details) {
            receiver.notice(notice);
        }
        let modes = statement.details.changelog_mode;
        let text = if statement.details.plan_advice {
            self.with_advice(plans, modes, &context, receiver)?
        } else {
            let shown = Shown { modes, ..Shown::default() };
            let plans = plans.into_iter().map(|plan| self.planned(plan, &context, receiver));
            plans.map(|plan| Ok(explain(&plan?, shown))).collect::<Result<String, Error>>()?
        };
        Ok(Outcome::Text(text.trim_end().to_owned()))
    }

    /// Plans with the advice of Flink and, unless only Flink's counts, with more.
    fn with_advice(
        &self,
        plans: Vec<Plan>,
        modes: bool,
        context: &Context,
        receiver: &mut dyn Receiver,
    ) -> Result<String, Error> {
        let refuses = self.settings.refuses_non_determinism;
        // The advice says what a notice would.
        let planned = |plan| {
            if refuses { self.planned(plan, context, receiver) } else { self.moded(plan, context, receiver) }
        };
        let plans = plans.into_iter().map(planned).collect::<Result<Vec<_>, _>>()?;
        let catalog = &self.engine.catalog;
        let updates = plans.iter().filter(|_| !refuses);
        let updates: Vec<_> = updates.filter_map(|plan| determinism::in_flink(plan, catalog)).collect();
        let mut text = advice::of_flink(&plans, &updates, self.settings.tuning(), modes);
        if !self.settings.strict {
            let is_bounded = |table| self.engine.is_bounded(table);
            let forgets = self.settings.forgets_state();
            let more = plans.iter().flat_map(|plan| advice::of_rowkind(plan, &is_bounded, forgets));
            let more = unique(more.collect());
            if !more.is_empty() {
                text.truncate(text.trim_end().len());
                let _ = write!(text, "\n\nrowkind adds:\n- {}", more.join("\n- "));
            }
        }
        Ok(text)
    }

    /// A query or an INSERT, or the query of a table or view by its name, as it is planned: after it
    /// is bound, after each pass that changes it, and with the kinds of changes that flow in the end.
    ///
    /// # Errors
    /// When the text is something else, or wrong.
    pub fn explain_passes(&mut self, text: &str, receiver: &mut dyn Receiver) -> Result<String, Error> {
        let parsed = sql::parse(&self.query_of(text)?)?;
        self.report(&parsed.notices, receiver)?;
        let context = self.context();
        let plan = match &parsed.statement {
            Statement::Query(query) => self.bind(&context, receiver, |binder| binder.bind_query(query))?.0,
            Statement::Insert(insert) => self.insert_plan(insert, receiver)?,
            _ => return Err(super::refused("only a query or an INSERT has a plan", "Give a SELECT.", None)),
        };
        let mut out = format!("== bound ==\n{}", explain(&plan, Shown::default()));
        let plan = passes::run(plan, &context, &mut |pass, plan| {
            let _ = write!(out, "\n== {pass} ==\n{}", explain(plan, Shown::default()));
        })?;
        let moded = modes::infer(plan, self.settings.strict).map_err(PlanError::from)?;
        let _ = write!(
            out,
            "\n== decide changelog modes ==\n{}",
            explain(&moded.plan, Shown { modes: true, ..Shown::default() })
        );
        Ok(out.trim_end().to_owned())
    }

    fn insert_plan(&mut self, insert: &Insert, receiver: &mut dyn Receiver) -> Result<Plan, Error> {
        let context = self.context();
        let (bound, _) = self.bind(&context, receiver, |binder| binder.bind_insert(insert))?;
        Ok(match bound.source {
            BoundSource::Values(plan) | BoundSource::Query(plan) => plan,
            BoundSource::Rows(rows) => {
                let rows = rows.iter().map(|change| change.row.into()).collect();
                Plan::new(Op::Values(rows), Vec::new(), Schema::default())
            }
        })
    }
}

/// What is to be known about details that no plan has here.
fn without_effect(details: ExplainDetails) -> Option<&'static str> {
    let notice = match (details.estimated_cost, details.json_execution_plan) {
        (true, true) => "costs are not estimated here, and there is no execution plan as JSON",
        (true, false) => "costs are not estimated here: ESTIMATED_COST has no effect",
        (false, true) => "there is no execution plan as JSON here: JSON_EXECUTION_PLAN has no effect",
        (false, false) => return None,
    };
    Some(notice)
}
