//! Makes a dataflow from a plan.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::dataflow::{Constants, Dataflow, Node, Source, Target};
use super::operator::{NO_WATERMARK, Operator};
use super::ops;
use crate::changelog::{ChangelogMode, Changes, DeleteKind};
use crate::expr::aggregate::AggregateCall;
use crate::expr::{Context, Expr};
use crate::plan::join::{Join, JoinKind, input_keys};
use crate::plan::keys::identifying_key;
use crate::plan::monotonic::can_move_back;
use crate::plan::node::{Op, Over, OverCall, Plan, Rank, RankStrategy, Sink};
use crate::value::{RowText, TimeAttribute};

/// How tables are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct SinkOptions {
    /// Whether a row is left out that has NULL in a NOT NULL column, rather than refused.
    pub drops_nulls: bool,
    /// Whether an upsert table keeps a row whose `-U` no `+U` follows, as the tables do with which
    /// Flink is tested; else the row is deleted.
    pub keeps_lone_update_before: bool,
    /// Whether NULL is refused beside the key of a delete too, unless the plan says that deletes carry
    /// the key alone; those of `FROM_CHANGELOG` do not say it.
    pub checks_deletes: bool,
}

/// Makes a dataflow from a plan with modes. `cancelled` stops it between changes.
pub fn build(plan: &Plan, context: &Context, sinks: SinkOptions, cancelled: Arc<AtomicBool>) -> Dataflow {
    let mut dataflow = Dataflow {
        nodes: Vec::new(),
        sources: Vec::new(),
        constants: Vec::new(),
        width: width_of_result(plan),
        cancelled,
    };
    let mut builder = Builder { dataflow: &mut dataflow, context, sinks, timed: needs_time(plan) };
    builder.add(plan, Target { node: None, port: 0 });
    dataflow
}

/// A sink gives the columns of its input, which are those of its table.
fn width_of_result(plan: &Plan) -> usize {
    match &plan.op {
        Op::Sink(_) => plan.input().schema.len(),
        _ => plan.schema.len(),
    }
}

/// Whether something in the plan waits for watermarks.
fn needs_time(plan: &Plan) -> bool {
    let mut needs = false;
    plan.visit(&mut |plan| {
        needs |= match &plan.op {
            Op::Deduplicate(dedup) => dedup.rowtime && !dedup.keep_last,
            Op::Over(_) => plan.is_ordered_by_time(),
            Op::Sort { .. } => true,
            Op::FromChangelog(function) => !function.order.is_empty(),
            Op::Calc(calc) => calc.condition.iter().chain(&calc.projection).any(Expr::reads_watermark),
            _ => false,
        };
    });
    needs
}

struct Builder<'a> {
    dataflow: &'a mut Dataflow,
    context: &'a Context,
    sinks: SinkOptions,
    timed: bool,
}

impl Builder<'_> {
    /// Adds the operators of a plan, whose result goes to a target.
    fn add(&mut self, plan: &Plan, target: Target) {
        match &plan.op {
            Op::Scan(scan) => {
                let update_before = scan.changelog_mode.update_before;
                let columns = scan.columns.clone();
                self.dataflow.sources.push(Source::new(scan.table, columns, update_before, target));
            }
            Op::Values(rows) => self.dataflow.constants.push(Constants { rows: rows.clone(), target }),
            // Nobody waits for it.
            Op::Watermark { .. } if !self.timed => self.add(plan.input(), target),
            Op::Sink(sink) => self.add_sink(plan, sink, target),
            Op::Calc(calc) => match (calc.plain_columns(), &plan.input().op) {
                // Columns that nobody wants are not copied first.
                (Some(columns), Op::FromChangelog(function)) if function.order.is_empty() => {
                    let row_text = self.row_text(plan.input());
                    let operator = ops::FromChangelog::new(function.clone(), row_text).of_columns(&columns);
                    self.add_node(plan.input(), Box::new(operator), columns.len(), target);
                }
                _ => self.add_node(plan, self.operator(plan), plan.schema.len(), target),
            },
            _ => self.add_node(plan, self.operator(plan), plan.schema.len(), target),
        }
    }

    fn add_node(&mut self, plan: &Plan, operator: Box<dyn Operator>, width: usize, target: Target) {
        let index = self.dataflow.nodes.len();
        let watermarks = vec![NO_WATERMARK; plan.inputs.len()];
        self.dataflow.nodes.push(Node { operator, target, out: Changes::new(width), watermarks });
        for (port, input) in plan.inputs.iter().enumerate() {
            self.add(input, Target { node: Some(index), port });
        }
    }

    fn row_text(&self, plan: &Plan) -> RowText {
        RowText::new(&plan.input().schema, self.context.time_zone.clone())
    }

    fn join_operator(&self, plan: &Plan, join: &Join) -> Box<dyn Operator> {
        let [left, right] = &plan.inputs[..] else { unreachable!("a join has two inputs") };
        let keys = join.keys(left.schema.len());
        let side = |input: &Plan, join: Vec<usize>| ops::SideSpec {
            width: input.schema.len(),
            // With old images each row is known as a whole, whatever order they come in.
            unique: input_keys(input, &join).into_iter().next().filter(|_| is_by_key(input)),
            join,
        };
        let both = left.schema.columns.iter().chain(&right.schema.columns).cloned().collect();
        let sides = ops::Sides::new(
            side(left, keys.left),
            side(right, keys.right),
            keys.null_safe,
            keys.residual,
            self.context.clone(),
            RowText::new(&both, self.context.time_zone.clone()),
        );
        match join.kind {
            JoinKind::Semi | JoinKind::Anti => {
                Box::new(ops::SemiJoin::new(sides, join.kind == JoinKind::Anti))
            }
            kind => Box::new(ops::RegularJoin::new(sides, kind.keeps_left(), kind.keeps_right())),
        }
    }

    fn operator(&self, plan: &Plan) -> Box<dyn Operator> {
        let update_before = plan.changelog_mode().update_before;
        let context = self.context.clone();
        match &plan.op {
            Op::Calc(calc) => Box::new(ops::Calc {
                condition: calc.condition.clone(),
                projection: calc.projection.clone(),
                context,
                row_text: self.row_text(plan),
            }),
            Op::Watermark { expr, .. } => {
                Box::new(ops::Watermark::new(expr.clone(), context, self.row_text(plan)))
            }
            Op::Aggregate(aggregate) => {
                let retracts = plan.input().changelog_mode() != ChangelogMode::APPEND;
                let calls = aggregate.calls.iter().cloned();
                let calls = calls.map(|call| AggregateCall { retracts, ..call }).collect();
                Box::new(ops::Aggregate::new(
                    aggregate.keys.clone(),
                    calls,
                    update_before,
                    self.row_text(plan),
                ))
            }
            Op::Join(join) => self.join_operator(plan, join),
            Op::Expand(rows) => {
                Box::new(ops::Expand { rows: rows.clone(), context, row_text: self.row_text(plan) })
            }
            Op::Unnest(unnest) => Box::new(ops::Unnest::new(unnest.clone(), context, self.row_text(plan))),
            Op::Rank(rank) => rank_operator(plan, rank, update_before),
            Op::Limit { offset, fetch } => {
                let rank = Rank {
                    partition: Vec::new(),
                    order: Vec::new(),
                    start: offset + 1,
                    end: fetch.map(|fetch| offset.saturating_add(fetch)),
                    number: false,
                    strategy: if plan.input().changelog_mode().is_append() {
                        RankStrategy::AppendFast
                    } else {
                        RankStrategy::Retract
                    },
                    from_limit: true,
                };
                rank_operator(plan, &rank, update_before)
            }
            Op::Deduplicate(dedup) => {
                let key = dedup.key.clone();
                match (dedup.keep_last, dedup.rowtime) {
                    (true, rowtime) => Box::new(ops::KeepLast::new(key, dedup.time, rowtime, update_before)),
                    (false, true) => Box::new(ops::KeepEarliest::new(key, dedup.time)),
                    (false, false) => Box::new(ops::KeepFirst::new(key)),
                }
            }
            Op::Sort { order } if plan.sorts_at_the_end() => Box::new(ops::FinalSort::new(order)),
            Op::Sort { order } => {
                let attribute = plan.input().schema.columns[order[0].column].data_type.attribute;
                Box::new(ops::TimeSort::new(order, attribute == TimeAttribute::Rowtime))
            }
            Op::Over(over) => over_operator(plan, over, update_before),
            Op::Union | Op::Scan(_) | Op::Values(_) | Op::Sink(_) => Box::new(ops::Union),
            Op::FromChangelog(function) => {
                let inner = ops::FromChangelog::new(function.clone(), self.row_text(plan));
                if function.order.is_empty() {
                    Box::new(inner)
                } else {
                    Box::new(ops::OrderedFromChangelog::new(inner))
                }
            }
            Op::ToChangelog(function) => Box::new(ops::ToChangelog::new(function)),
            Op::ChangelogNormalize { key, condition, .. } => Box::new(ops::Normalize::new(
                key.clone(),
                condition.clone(),
                update_before,
                context,
                self.row_text(plan),
                plan.schema.len(),
            )),
            Op::DropUpdateBefore => Box::new(ops::DropUpdateBefore),
        }
    }

    fn add_sink(&mut self, plan: &Plan, sink: &Sink, target: Target) {
        let width = plan.input().schema.len();
        let mut target = target;
        let node = |this: &mut Self, operator: Box<dyn Operator>, target: Target| {
            let index = this.dataflow.nodes.len();
            let node = Node { operator, target, out: Changes::new(width), watermarks: vec![NO_WATERMARK] };
            this.dataflow.nodes.push(node);
            Target { node: Some(index), port: 0 }
        };
        if let (true, Some(key)) = (sink.materialize, &sink.key) {
            let upsert_key = identifying_key(plan.input());
            let (table, row_text) = (sink.name.clone(), self.row_text(plan));
            let operator = ops::Materialize::new(key.clone(), upsert_key, sink.on_conflict, table, row_text);
            target = node(self, Box::new(operator), target);
        } else if let Some(key) = &sink.key
            && sink.accepts.is_upsert()
            && plan.input().changelog_mode().update_before
            && !self.sinks.keeps_lone_update_before
        {
            target = node(self, Box::new(ops::DeleteLone { key: key.clone() }), target);
        }
        if !sink.not_null.is_empty() {
            let name = |&column: &usize| (column, plan.schema.columns[column].name.clone());
            let operator = ops::Enforce {
                columns: sink.not_null.iter().map(name).collect(),
                table: match sink.table {
                    Some(_) => format!("table \"{}\"", sink.name),
                    None => "the result".to_owned(),
                },
                key_of_deletes: sink.key.clone().filter(|_| {
                    let is_by_key = plan.input().changelog_mode().delete == DeleteKind::ByKey;
                    sink.accepts.is_upsert() && (is_by_key || !self.sinks.checks_deletes)
                }),
                drops: self.sinks.drops_nulls,
                row_text: self.row_text(plan),
            };
            target = node(self, Box::new(operator), target);
        }
        self.add(plan.input(), target);
    }
}

/// Whether the updates of a plan come without old images, so that a row is known by its key.
fn is_by_key(plan: &Plan) -> bool {
    let mode = plan.changelog_mode();
    mode.update_after && !mode.update_before
}

fn rank_operator(plan: &Plan, rank: &Rank, update_before: bool) -> Box<dyn Operator> {
    match rank.strategy {
        RankStrategy::AppendFast if rank.start == 1 && rank.end == Some(1) => {
            Box::new(ops::TopOne::new(rank, update_before))
        }
        RankStrategy::AppendFast => Box::new(ops::AppendRank::new(rank, update_before)),
        RankStrategy::UpdateFast => {
            let key = input_keys(plan.input(), &rank.partition).into_iter().next().unwrap_or_default();
            let deletes = plan.input().changelog_mode().delete != DeleteKind::None;
            let keeps_all = deletes || can_move_back(plan.input(), &rank.order);
            Box::new(ops::UpdateRank::new(rank, key, keeps_all, update_before))
        }
        RankStrategy::Retract | RankStrategy::Undefined => {
            Box::new(ops::RetractRank::new(rank, update_before))
        }
    }
}

fn over_operator(plan: &Plan, over: &Over, update_before: bool) -> Box<dyn Operator> {
    let lags = over.calls.iter().filter_map(|call| match call {
        OverCall::RowNumber => None,
        OverCall::Lag { column, offset, default } => Some(ops::Lag {
            column: *column,
            offset: isize::try_from(*offset).unwrap_or(if *offset < 0 { isize::MIN } else { isize::MAX }),
            default: *default,
        }),
    });
    let (partition, lags) = (over.partition.clone(), lags.collect());
    if plan.is_ordered_by_time() {
        let time = over.order[0].column;
        let attribute = plan.input().schema.columns[time].data_type.attribute;
        let rowtime = (attribute == TimeAttribute::Rowtime).then_some(time);
        return Box::new(ops::LagInTime::new(partition, lags, rowtime));
    }
    Box::new(ops::LagByColumn::new(partition, over.order.clone(), lags, update_before))
}
