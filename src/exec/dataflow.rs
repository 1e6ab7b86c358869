//! The dataflow of one plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::RunError;
use super::operator::{NO_WATERMARK, Operator};
use crate::catalog::TableId;
use crate::changelog::{Cause, Change, Changes, RowKind};
use crate::value::Row;

/// The operators of a plan, joined so that what one emits goes to the next.
///
/// Changes enter at a source and are pushed through at once; what comes out at the root is
/// appended to the caller's [`Changes`].
pub struct Dataflow {
    pub(super) nodes: Vec<Node>,
    pub(super) sources: Vec<Source>,
    pub(super) constants: Vec<Constants>,
    pub(super) width: usize,
    pub(super) cancelled: Arc<AtomicBool>,
}

/// Where the log of a table enters.
#[derive(Debug, Clone)]
pub struct Source {
    /// The table.
    pub table: TableId,
    columns: Vec<usize>,
    update_before: bool,
    target: Target,
    input: Changes,
}

/// Rows that are there from the start.
pub(super) struct Constants {
    pub(super) rows: Arc<[Row]>,
    pub(super) target: Target,
}

/// The input of an operator, or the root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The operator; none for the root.
    pub(super) node: Option<usize>,
    pub(super) port: usize,
}

pub(super) struct Node {
    pub(super) operator: Box<dyn Operator>,
    pub(super) target: Target,
    pub(super) out: Changes,
    /// The watermark of each input.
    pub(super) watermarks: Vec<i64>,
}

impl Source {
    pub(super) fn new(table: TableId, columns: Vec<usize>, update_before: bool, target: Target) -> Self {
        let input = Changes::new(columns.len());
        Self { table, columns, update_before, target, input }
    }

    /// The stored columns of the table that the plan uses, in order.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Whether the source gives a change of this kind on.
    fn takes(&self, kind: RowKind) -> bool {
        kind != RowKind::UpdateBefore || self.update_before
    }
}

impl Dataflow {
    /// The number of columns of the result.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The sources, in the order of the plan from left to right.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// From now on nothing interrupts the dataflow: it has become one that runs beside what the user
    /// waits for.
    pub fn detach(&mut self) {
        self.cancelled = Arc::default();
    }

    /// Whether several changes of a source may be pushed at once: then there is no watermark between
    /// rows.
    pub fn takes_slices(&self) -> bool {
        self.nodes.iter().all(|node| node.operator.watermark().is_none())
    }

    /// Waits for more input.
    ///
    /// # Errors
    /// When the user interrupted.
    pub fn wait(&self, pause: Duration) -> Result<(), RunError> {
        const LONGEST: Duration = Duration::from_millis(20);
        let start = Instant::now();
        while let Some(left) = pause.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            self.check()?;
            std::thread::sleep(left.min(LONGEST));
        }
        self.check()
    }

    /// Fails when the user interrupted.
    fn check(&self) -> Result<(), RunError> {
        if self.cancelled.load(Ordering::Relaxed) { Err(RunError::Cancelled) } else { Ok(()) }
    }

    /// Pushes the constant rows of the plan, which come before everything else.
    ///
    /// # Errors
    /// When an operator fails.
    pub fn start(&mut self, arrival: i64, out: &mut Changes) -> Result<(), RunError> {
        for index in 0..self.constants.len() {
            let Constants { rows, target } = &self.constants[index];
            let (rows, target) = (rows.clone(), *target);
            for row in rows.iter() {
                let mut input = Changes::new(row.len());
                input.push(RowKind::Insert, Cause { sequence: 0, arrival }, row);
                self.push_to(target, &input, out)?;
            }
        }
        Ok(())
    }

    /// Pushes log entries of a source's table, in order, all as one slice.
    ///
    /// # Errors
    /// When an operator fails, or when the user interrupted.
    pub fn push<'a>(
        &mut self,
        source: usize,
        entries: impl IntoIterator<Item = Change<'a>>,
        out: &mut Changes,
    ) -> Result<(), RunError> {
        self.check()?;
        let entry = &mut self.sources[source];
        let mut input = std::mem::take(&mut entry.input);
        input.reset(entry.columns.len());
        for change in entries {
            if entry.takes(change.kind) {
                let values = entry.columns.iter().map(|&column| change.row[column].clone());
                input.push_values(change.kind, change.cause, values);
            }
        }
        let target = entry.target;
        let result = if input.is_empty() { Ok(()) } else { self.push_to(target, &input, out) };
        self.sources[source].input = input;
        result
    }

    /// Pushes changes that have just the columns of a source, all as one slice.
    ///
    /// # Errors
    /// When an operator fails, or when the user interrupted.
    pub fn push_columns(
        &mut self,
        source: usize,
        changes: &Changes,
        out: &mut Changes,
    ) -> Result<(), RunError> {
        self.check()?;
        let &Source { target, update_before, .. } = &self.sources[source];
        if update_before || changes.count(RowKind::UpdateBefore) == 0 {
            return if changes.is_empty() { Ok(()) } else { self.push_to(target, changes, out) };
        }
        let mut taken = Changes::new(changes.width());
        let kept = changes.iter().filter(|change| change.kind != RowKind::UpdateBefore);
        kept.for_each(|change| taken.push_change(change));
        if taken.is_empty() { Ok(()) } else { self.push_to(target, &taken, out) }
    }

    /// Ends event time at one source, which has ended.
    ///
    /// # Errors
    /// When an operator fails.
    pub fn finish_source(&mut self, source: usize, out: &mut Changes) -> Result<(), RunError> {
        self.advance(self.sources[source].target, i64::MAX, out)
    }

    /// Ends event time: all that waits for a watermark comes out.
    ///
    /// # Errors
    /// When an operator fails.
    pub fn finish(&mut self, out: &mut Changes) -> Result<(), RunError> {
        let sources = self.sources.iter().map(|source| source.target);
        let targets: Vec<Target> = sources.chain(self.constants.iter().map(|c| c.target)).collect();
        targets.into_iter().try_for_each(|target| self.advance(target, i64::MAX, out))
    }

    fn push_to(&mut self, target: Target, input: &Changes, out: &mut Changes) -> Result<(), RunError> {
        let Some(index) = target.node else {
            input.iter().for_each(|change| out.push_change(change));
            return Ok(());
        };
        let node = &mut self.nodes[index];
        let mut output = std::mem::take(&mut node.out);
        output.clear();
        let result = node.operator.process(target.port, input, &mut output);
        let next = node.target;
        let watermark = node.operator.watermark();
        // What came before a failure goes on, and may fail first.
        let pushed = self.hand_on(next, &mut output, out);
        self.nodes[index].out = output;
        pushed?;
        result?;
        watermark.map_or(Ok(()), |watermark| self.advance(next, watermark, out))
    }

    /// Pushes what an operator gave, or makes it part of the result.
    fn hand_on(&mut self, next: Target, given: &mut Changes, out: &mut Changes) -> Result<(), RunError> {
        if given.is_empty() {
            Ok(())
        } else if next.node.is_none() {
            out.append(given);
            Ok(())
        } else {
            self.push_to(next, given, out)
        }
    }

    /// Hands a watermark on: an operator of several inputs has the lowest of theirs.
    fn advance(&mut self, target: Target, watermark: i64, out: &mut Changes) -> Result<(), RunError> {
        let Some(index) = target.node else { return Ok(()) };
        let node = &mut self.nodes[index];
        let lowest = |node: &Node| node.watermarks.iter().copied().min().unwrap_or(NO_WATERMARK);
        let before = lowest(node);
        node.watermarks[target.port] = node.watermarks[target.port].max(watermark);
        let now = lowest(node);
        if now <= before {
            return Ok(());
        }
        let mut output = std::mem::take(&mut node.out);
        output.clear();
        let result = node.operator.advance(now, &mut output);
        let next = node.target;
        let pushed = self.hand_on(next, &mut output, out);
        self.nodes[index].out = output;
        pushed?;
        result?;
        self.advance(next, now, out)
    }
}
