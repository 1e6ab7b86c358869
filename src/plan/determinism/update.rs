//! What is computed anew where it must not be, in words.

use std::fmt;

use super::super::node::Plan;
use super::super::words::in_words;
use super::STRATEGY;
use crate::expr::{Expr, NonDeterministicCall};
use crate::sql::Span;

/// A value that is computed anew where the one that was given is needed.
#[derive(Debug, Clone, PartialEq)]
pub struct NonDeterministicUpdate {
    /// What is computed anew.
    pub value: Recomputed,
    /// The operator that computes it.
    pub operator: Plan,
    /// What needs it to be the same.
    pub(super) consumer: Consumer,
}

/// What needs a value to be the same again.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Consumer {
    /// The operator in the words of the query, with how it takes rows back.
    pub(super) text: String,
    /// The upsert key of what comes to it, by which a table could take the rows back instead.
    pub(super) key: Option<String>,
}

impl Consumer {
    /// An operator that needs the values itself.
    pub(super) fn of(plan: &Plan) -> Self {
        Self { text: in_words(plan), key: None }
    }
}

/// What is computed anew.
#[derive(Debug, Clone, PartialEq)]
pub enum Recomputed {
    /// Columns of the operator, with what computes them.
    Columns(Vec<(String, NonDeterministicCall)>),
    /// A condition.
    Condition(Expr, NonDeterministicCall),
    /// METADATA columns of a table whose events are changes.
    Metadata(Vec<String>),
}

impl NonDeterministicUpdate {
    /// Where it is computed, if that stands in the statement.
    pub fn place(&self) -> Option<Span> {
        match &self.value {
            Recomputed::Columns(columns) => columns.iter().find_map(|(_, call)| call.place),
            Recomputed::Condition(_, call) => call.place,
            Recomputed::Metadata(_) => None,
        }
    }

    /// More that helps to understand it.
    pub fn detail(&self) -> String {
        let below = self.operator.inputs.iter().find(|input| !input.changelog_mode().is_append());
        let producer = below.unwrap_or(&self.operator);
        format!(
            "The conflict is at:\n  {}\n  +- {} (gives {})",
            self.consumer.text,
            in_words(producer),
            producer.changelog_mode()
        )
    }

    /// A sentence on the way out.
    pub fn hint(&self) -> String {
        let instead = match &self.value {
            Recomputed::Columns(_) => {
                let keyed = self.consumer.key.as_ref().map_or_else(String::new, |key| {
                    format!(
                        ", or insert into a table with PRIMARY KEY ({key}) NOT ENFORCED, which takes rows back \
                         by their key"
                    )
                });
                format!("Compute it from columns alone, or where rows are only appended{keyed}.")
            }
            Recomputed::Condition(..) => {
                "Write a condition on columns alone, or filter where rows are only appended.".to_owned()
            }
            Recomputed::Metadata(_) => "Leave the column out.".to_owned(),
        };
        format!("{instead} SET '{STRATEGY}' = 'IGNORE' runs the query as it is.")
    }

    /// What is to be known of a query that runs nevertheless.
    pub(super) fn notice(&self) -> String {
        format!(
            "{self}, so that -U and -D do not match what was inserted; Flink says nothing of it \
             ('{STRATEGY}' = 'TRY_RESOLVE' refuses it)"
        )
    }

    /// What is to be known of a query of which this is true in Flink, but not here.
    pub(super) fn notice_where_resolved(&self, refused: bool) -> String {
        let calls = self.calls();
        if refused {
            format!(
                "Flink refuses this query, for {calls} would decide again when a row is taken back; here \
                 it decides once for each row"
            )
        } else {
            format!(
                "Flink lets {calls} decide again when a row is taken back, and says nothing of it; here it \
                 decides once for each row"
            )
        }
    }

    /// What is to be known of a query that Flink refuses though nothing is left to chance.
    pub(super) fn notice_where_undue(&self) -> String {
        format!("Flink refuses this query, for it takes {} to be non-deterministic", self.calls())
    }

    /// What computes anew.
    fn calls(&self) -> String {
        match &self.value {
            Recomputed::Condition(_, call) => call.to_string(),
            Recomputed::Columns(columns) => {
                let mut calls: Vec<String> = columns.iter().map(|(_, call)| call.to_string()).collect();
                calls.dedup();
                calls.join(" and ")
            }
            Recomputed::Metadata(_) => "METADATA".to_owned(),
        }
    }
}

impl std::error::Error for NonDeterministicUpdate {}

impl fmt::Display for NonDeterministicUpdate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = self.calls();
        let gives = if calls.contains(" and ") { "give" } else { "gives" };
        let columns: Vec<&str> = match &self.value {
            Recomputed::Condition(..) => {
                return write!(f, "{calls} may decide otherwise when a row is taken back");
            }
            Recomputed::Columns(columns) => columns.iter().map(|(name, _)| name.as_str()).collect(),
            Recomputed::Metadata(columns) => columns.iter().map(String::as_str).collect(),
        };
        // What has no name of its own is not named.
        let columns: Vec<String> =
            columns.iter().filter(|name| !name.contains('$')).map(|name| format!("\"{name}\"")).collect();
        match &columns[..] {
            [] => write!(f, "{calls} {gives} another value when a row is taken back"),
            [column] => write!(f, "{calls} {gives} column {column} another value when a row is taken back"),
            columns => {
                let columns = columns.join(" and ");
                write!(f, "{calls} {gives} columns {columns} other values when a row is taken back")
            }
        }
    }
}
