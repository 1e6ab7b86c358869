//! From the sink down: of which columns each operator needs the same values again.

use std::collections::BTreeSet;

use super::super::exchange::exchanged_by;
use super::super::join::JoinKind;
use super::super::keys::{Claims, identifying_key, keys_with, upsert_keys};
use super::super::node::{Op, Over, OverCall, Plan, RankStrategy, Scan};
use super::super::words::{in_words, named};
use super::update::{Consumer, NonDeterministicUpdate, Recomputed};
use crate::catalog::{Catalog, ColumnSource};
use crate::expr::{Expr, NonDeterministicCall};

/// What counts as computed anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Whether only a call counts whose arguments leave something to chance.
    only_chance: bool,
    /// Whether a filter in `ChangelogNormalize` decides once for each version of a row.
    decides_once: bool,
}

impl Rules {
    /// What counts in Flink.
    pub(super) const FLINK: Self = Self { only_chance: false, decides_once: false };
    /// What is in fact computed anew when the plan runs on Flink.
    pub(super) const THERE: Self = Self { only_chance: true, decides_once: false };
    /// What is in fact computed anew when the plan runs here.
    pub(super) const HERE: Self = Self { only_chance: true, decides_once: true };
}

pub(super) type Checked = Result<(), Box<NonDeterministicUpdate>>;

/// Checks that what takes a row back gets the values with which it was given.
pub(super) fn check(plan: &Plan, catalog: &Catalog, rules: Rules) -> Checked {
    Check { catalog, rules }.visit(plan, &Needs::default())
}

/// The columns of which an operator needs the same values again.
#[derive(Debug, Clone, Default)]
struct Needs {
    columns: BTreeSet<usize>,
    consumer: Consumer,
}

impl Needs {
    /// The columns by which an operator takes rows of its input back.
    fn of(plan: &Plan, columns: impl IntoIterator<Item = usize>) -> Self {
        let columns: BTreeSet<usize> = columns.into_iter().collect();
        let input = &plan.input().schema;
        if columns.len() == input.len() {
            return Self::whole(plan, input.len());
        }
        let names = named(&columns.iter().copied().collect::<Vec<_>>(), input);
        let consumer = format!("{} (takes rows back by {names})", in_words(plan));
        Self { columns, consumer: Consumer { text: consumer, key: None } }
    }

    /// All columns of an input of this width.
    fn whole(plan: &Plan, width: usize) -> Self {
        let consumer = format!("{} (takes back whole rows)", in_words(plan));
        Self { columns: (0..width).collect(), consumer: Consumer { text: consumer, key: None } }
    }

    /// The same consumer, with other columns.
    fn with(&self, columns: impl IntoIterator<Item = usize>) -> Self {
        Self { columns: columns.into_iter().collect(), consumer: self.consumer.clone() }
    }

    /// What is left beside a key: an upsert key is always the same.
    fn beside(mut self, keys: &[Vec<usize>]) -> Self {
        let rests = keys.iter().map(|key| self.columns.iter().copied().filter(|c| !key.contains(c)));
        if let Some(rest) = rests.map(Iterator::collect::<BTreeSet<usize>>).min_by_key(BTreeSet::len) {
            self.columns = rest;
        }
        self
    }
}

struct Check<'a> {
    catalog: &'a Catalog,
    rules: Rules,
}

impl Check<'_> {
    /// Checks an operator of whose columns some are needed again.
    fn visit(&self, plan: &Plan, needs: &Needs) -> Checked {
        let appends = plan.inputs.iter().all(|input| input.changelog_mode().is_append());
        match &plan.op {
            Op::Values(_) => Ok(()),
            Op::Scan(scan) => self.check_metadata(scan, plan, needs),
            Op::Join(join) => {
                let gives_updates = !appends || !matches!(join.kind, JoinKind::Inner | JoinKind::Semi);
                if gives_updates && let Some(condition) = &join.condition {
                    self.check_condition(condition, plan, &Consumer::of(plan))?;
                }
                self.visit_join_inputs(plan, needs)
            }
            Op::ChangelogNormalize { condition, .. } => {
                if let Some(condition) = condition.as_ref().filter(|_| !self.rules.decides_once) {
                    self.check_condition(condition, plan, &Consumer::of(plan))?;
                }
                self.visit_inputs(plan, needs)
            }
            // Each row is computed from its own values.
            Op::Expand(rows) => {
                let read = |&column: &usize| rows.iter().flat_map(move |row| row[column].columns());
                self.visit_inputs(plan, &needs.with(needs.columns.iter().flat_map(read)))
            }
            Op::DropUpdateBefore | Op::Union | Op::Sort { .. } | Op::Limit { .. } | Op::Watermark { .. } => {
                self.visit_inputs(plan, needs)
            }
            Op::Rank(rank) if rank.from_limit => self.visit_inputs(plan, needs),
            // What below is never taken back need not come again.
            _ if appends => self.visit_inputs(plan, &Needs::default()),
            Op::Sink(sink) => {
                let key = sink.key.clone().filter(|_| !sink.materialize);
                let columns = key.unwrap_or_else(|| (0..plan.input().schema.len()).collect());
                let mut needs = Needs::of(plan, columns);
                let input = plan.input();
                needs.consumer.key = identifying_key(input).map(|key| named(&key, &input.schema));
                self.visit_inputs(plan, &needs)
            }
            Op::Calc(calc) => {
                if needs.columns.is_empty() {
                    return self.visit_inputs(plan, needs);
                }
                if let Some(condition) = &calc.condition {
                    self.check_condition(condition, plan, &needs.consumer)?;
                }
                let projection = &calc.projection;
                let recomputed = |&column: &usize| Some((column, self.call_in(&projection[column])?));
                let found = needs.columns.iter().filter_map(recomputed).collect();
                check_columns(found, plan, needs)?;
                let read = |&column: &usize| projection[column].columns();
                self.visit_inputs(plan, &needs.with(needs.columns.iter().flat_map(read)))
            }
            Op::Unnest(unnest) => {
                let width = plan.input().schema.len();
                if let Some(call) = self.call_in(&unnest.collection) {
                    let elements = needs.columns.range(width..);
                    check_columns(elements.map(|&column| (column, call)).collect(), plan, needs)?;
                }
                self.visit_inputs(plan, &needs.with(needs.columns.range(..width).copied()))
            }
            Op::Aggregate(aggregate) => {
                let calls = aggregate.calls.iter();
                let read = calls.flat_map(|call| call.args.iter().copied().chain(call.filter));
                let read = aggregate.keys.iter().copied().chain(read);
                self.visit_inputs(plan, &Needs::of(plan, read))
            }
            Op::Rank(rank) if rank.strategy == RankStrategy::UpdateFast => {
                let order = rank.order.iter().map(|key| key.column);
                let known: Vec<usize> = rank.partition.iter().copied().chain(order).collect();
                let width = plan.input().schema.len();
                let others = needs.columns.range(..width).copied().filter(|column| !known.contains(column));
                self.visit_inputs(plan, &needs.with(others))
            }
            Op::Rank(_) | Op::Deduplicate(_) => {
                self.visit_inputs(plan, &Needs::whole(plan, plan.input().schema.len()))
            }
            Op::Over(over) => self.visit_inputs(plan, &needs_of_over(over, plan, needs)),
            Op::FromChangelog(_) => self.visit_inputs(plan, &Needs::default()),
            Op::ToChangelog(function) => {
                let columns = if function.requires_update_before() {
                    (0..plan.input().schema.len()).collect()
                } else {
                    function.partition.clone().unwrap_or_default()
                };
                self.visit_inputs(plan, &Needs::of(plan, columns))
            }
        }
    }

    fn visit_inputs(&self, plan: &Plan, needs: &Needs) -> Checked {
        for (port, input) in plan.inputs.iter().enumerate() {
            let mut needs = needs.clone();
            if let Some(columns) = exchanged_by(plan, port) {
                needs = needs.beside(&keys_with(&columns, input, Claims::All));
            }
            self.visit(input, &needs.beside(&upsert_keys(input, Claims::All)))?;
        }
        Ok(())
    }

    /// A join takes rows of an input back by a key of the input, or else by all columns.
    fn visit_join_inputs(&self, plan: &Plan, needs: &Needs) -> Checked {
        let width = plan.input().schema.len();
        for (port, input) in plan.inputs.iter().enumerate() {
            let before = if port == 0 { 0 } else { width };
            let columns = before..before + input.schema.len();
            let joined_by = exchanged_by(plan, port).unwrap_or_default();
            let needs = if input.changelog_mode().is_append() {
                Needs::default()
            } else if keys_with(&joined_by, input, Claims::All).is_empty() {
                Needs::whole(plan, input.schema.len())
            } else {
                needs.with(needs.columns.range(columns).map(|column| column - before))
            };
            self.visit(input, &needs.beside(&upsert_keys(input, Claims::All)))?;
        }
        Ok(())
    }

    fn call_in(&self, expr: &Expr) -> Option<NonDeterministicCall> {
        expr.non_deterministic_call(self.rules.only_chance)
    }

    fn check_condition(&self, condition: &Expr, plan: &Plan, consumer: &Consumer) -> Checked {
        let Some(call) = self.call_in(condition) else { return Ok(()) };
        Err(recomputed(Recomputed::Condition(condition.clone(), call), plan, consumer))
    }

    /// METADATA is about an event. Only where a table takes upserts are its rows taken back as they
    /// were stored.
    fn check_metadata(&self, scan: &Scan, plan: &Plan, needs: &Needs) -> Checked {
        let Some(table) = self.catalog.table_by_id(scan.table) else { return Ok(()) };
        if !scan.changelog_mode.update_before {
            return Ok(());
        }
        let source = |column: usize| table.stored_source(scan.columns[column]);
        let found =
            needs.columns.iter().filter(|&&column| source(column).is_some_and(ColumnSource::is_metadata));
        let found: Vec<String> = found.map(|&column| plan.schema.columns[column].name.clone()).collect();
        if found.is_empty() {
            return Ok(());
        }
        Err(recomputed(Recomputed::Metadata(found), plan, &needs.consumer))
    }
}

fn check_columns(found: Vec<(usize, NonDeterministicCall)>, plan: &Plan, needs: &Needs) -> Checked {
    if found.is_empty() {
        return Ok(());
    }
    let name = |column: usize| plan.schema.columns[column].name.clone();
    let found = found.into_iter().map(|(column, call)| (name(column), call)).collect();
    Err(recomputed(Recomputed::Columns(found), plan, &needs.consumer))
}

fn recomputed(value: Recomputed, operator: &Plan, consumer: &Consumer) -> Box<NonDeterministicUpdate> {
    Box::new(NonDeterministicUpdate { value, operator: operator.clone(), consumer: consumer.clone() })
}

/// Window functions find a row again by its partition and its order.
fn needs_of_over(over: &Over, plan: &Plan, needs: &Needs) -> Needs {
    let width = plan.input().schema.len();
    let read = |call: &OverCall| match call {
        OverCall::RowNumber => Vec::new(),
        OverCall::Lag { column, default, .. } => [*column].into_iter().chain(*default).collect(),
    };
    let results = (width..).zip(&over.calls).filter(|(result, _)| needs.columns.contains(result));
    let columns = needs.columns.range(..width).copied();
    let columns = columns.chain(over.partition.iter().copied());
    let columns = columns.chain(over.order.iter().map(|key| key.column));
    Needs::of(plan, columns.chain(results.flat_map(|(_, call)| read(call))))
}
