//! Why a plan has no modes.

use super::super::explain;
use super::super::keys::{Claims, upsert_keys};
use super::super::node::{Op, Plan};
use super::super::words::in_words;
use crate::changelog::ChangelogMode;
use crate::sql::Span;

/// Why the operators of a plan do not fit together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModeError {
    /// A consumer takes fewer kinds of changes than its input may give.
    #[error("{} does not take {} changes, which {} produces", .0.consumer_text(), .0.changes(), .0.producer_text)]
    Unsupported(Box<UnsupportedChanges>),
    /// A consumer needs the old image of updates, and its input cannot give it.
    #[error("changelog mode mismatch: {} needs {}, but {} gives {}",
        .0.consumer_text(), .0.expected, in_words(&.0.function), .0.given)]
    Mismatch(Box<Mismatch>),
}

/// A consumer that takes fewer kinds of changes than its input may give.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsupportedChanges {
    /// The operator that takes.
    pub consumer: Plan,
    /// The operator that gives.
    pub producer: Plan,
    /// The operator that gives, in the words of the query.
    pub producer_text: String,
    /// What the consumer takes.
    pub accepted: ChangelogMode,
    /// What the producer may give.
    pub given: ChangelogMode,
    /// Whether updates are too much.
    pub update: bool,
    /// Whether deletes are too much.
    pub delete: bool,
    /// What can be written instead, if that is known.
    pub rewrites: Vec<Rewrite>,
}

/// What can be written instead of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewrite {
    /// Why it is taken, as a phrase with a capital.
    pub why: String,
    /// The statements, which run as they stand.
    pub statements: Vec<String>,
}

/// A consumer that needs `-U`, over an input that cannot give it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The operator that needs `-U`.
    pub consumer: Plan,
    /// What it expects.
    pub expected: ChangelogMode,
    /// The operator that has only `+U`.
    pub producer: Plan,
    /// The function below it, from which its changes are.
    pub function: Plan,
    /// What it gives.
    pub given: ChangelogMode,
    /// What can be written instead, if that is known.
    pub rewrites: Vec<Rewrite>,
}

impl ModeError {
    /// Where the function stands that takes the changes, or that gives them; none if that is not
    /// the place.
    pub fn place(&self) -> Option<Span> {
        match self {
            Self::Unsupported(unsupported) => match &unsupported.consumer.op {
                Op::Over(over) => over.place,
                Op::FromChangelog(function) => function.place,
                _ => None,
            },
            Self::Mismatch(mismatch) => mismatch.place(),
        }
    }

    /// What can be written instead, if that is known.
    pub fn rewrites(&self) -> &[Rewrite] {
        match self {
            Self::Unsupported(unsupported) => &unsupported.rewrites,
            Self::Mismatch(mismatch) => &mismatch.rewrites,
        }
    }

    /// The error with what can be written instead.
    #[must_use]
    pub fn with_rewrites(mut self, rewrites: Vec<Rewrite>) -> Self {
        match &mut self {
            Self::Unsupported(unsupported) => unsupported.rewrites = rewrites,
            Self::Mismatch(mismatch) => mismatch.rewrites = rewrites,
        }
        self
    }
}

impl Mismatch {
    fn consumer_text(&self) -> String {
        match &self.consumer.op {
            // What only projects needs nothing.
            Op::Calc(_) => "the filter".to_owned(),
            _ => in_words(&self.consumer),
        }
    }

    /// Where the function stands in the statement.
    pub fn place(&self) -> Option<Span> {
        match &self.function.op {
            Op::FromChangelog(function) => function.place,
            _ => None,
        }
    }

    /// The upsert key of the function, by the names of its columns.
    pub fn key(&self) -> Vec<&str> {
        let key = upsert_keys(&self.function, Claims::All).into_iter().next().unwrap_or_default();
        key.into_iter().map(|column| self.function.schema.columns[column].name.as_str()).collect()
    }

    /// The two operators as EXPLAIN names them.
    pub fn operators(&self) -> [String; 2] {
        let name = |plan: &Plan| match &plan.op {
            Op::Sink(_) => in_words(plan),
            op => explain::name(op).to_owned(),
        };
        [name(&self.consumer), name(&self.producer)]
    }
}

impl UnsupportedChanges {
    fn consumer_text(&self) -> String {
        in_words(&self.consumer)
    }

    /// `update`, `delete`, or `update and delete`.
    pub fn changes(&self) -> &'static str {
        match (self.update, self.delete) {
            (true, true) => "update and delete",
            (true, false) => "update",
            (false, _) => "delete",
        }
    }
}

/// Finds the place of the conflict: the lowest operator over an upsert function that cannot do
/// without `-U`.
pub(super) fn mismatch(plan: &Plan) -> ModeError {
    let (consumer, producer) = conflict(plan).unwrap_or((plan, plan));
    let function = upsert_function(producer).unwrap_or(producer);
    let given = match &function.op {
        Op::FromChangelog(function) => function.changelog_mode(),
        _ => ChangelogMode::EMPTY,
    };
    ModeError::Mismatch(Box::new(Mismatch {
        consumer: consumer.clone(),
        expected: ChangelogMode::RETRACT,
        producer: producer.clone(),
        function: function.clone(),
        given,
        rewrites: Vec::new(),
    }))
}

fn conflict(plan: &Plan) -> Option<(&Plan, &Plan)> {
    plan.inputs.iter().find_map(conflict).or_else(|| {
        let needs = match &plan.op {
            Op::Watermark { .. }
            | Op::DropUpdateBefore
            | Op::Scan(_)
            | Op::Values(_)
            | Op::FromChangelog(_)
            | Op::ChangelogNormalize { .. } => false,
            Op::Calc(calc) => super::updates::filters_beyond_key(calc, plan.input()),
            Op::Aggregate(_)
            | Op::Rank(_)
            | Op::Deduplicate(_)
            | Op::Limit { .. }
            | Op::Sort { .. }
            | Op::Over(_)
            | Op::Join(_)
            | Op::Unnest(_)
            | Op::Expand(_)
            | Op::Union
            | Op::ToChangelog(_)
            | Op::Sink(_) => true,
        };
        let producer = plan.inputs.iter().find(|input| upsert_function(input).is_some())?;
        needs.then_some((plan, producer))
    })
}

/// The upsert function whose changes come out of a plan unchanged in kind.
fn upsert_function(plan: &Plan) -> Option<&Plan> {
    match &plan.op {
        Op::FromChangelog(function) => function.is_upsert().then_some(plan),
        Op::Calc(_) | Op::Watermark { .. } | Op::Union => plan.inputs.iter().find_map(upsert_function),
        _ => None,
    }
}
