//! Ways out of errors.

use super::error::PlanErrorKind;
use super::modes::{Mismatch, ModeError, UnsupportedChanges};
use super::node::Op;
use crate::expr::CallError;

impl PlanErrorKind {
    /// A sentence on the way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchTable { nearest, .. }
            | Self::NoSuchColumn { nearest, .. }
            | Self::NoSuchRelation { nearest, .. }
            | Self::NoSuchField { nearest, .. } => {
                nearest.as_ref().map(|near| format!("Did you mean \"{near}\"?"))
            }
            Self::NoSuchTableFunction { nearest, .. } => {
                nearest.as_ref().map(|near| format!("Did you mean {near}?"))
            }
            Self::Call(CallError::NoSuchFunction { nearest, .. }) => {
                nearest.first().map(|near| format!("Did you mean {near}?"))
            }
            Self::Call(CallError::WrongArguments { mismatch, syntax, .. }) => {
                mismatch.way_out.clone().or_else(|| Some(format!("Write {syntax}.")))
            }
            Self::Type(mismatch) => mismatch.way_out.clone(),
            Self::Syntax(error) | Self::ViewSyntax { error, .. } => error.hint.clone(),
            Self::TableFunctionArgument { hint, .. }
            | Self::Definition { hint, .. }
            | Self::Unsupported { hint, .. } => hint.clone(),
            Self::InView { error, .. } => error.kind.hint(),
            Self::Mode(error) => Some(error.hint()),
            Self::AmbiguousColumn { candidates, .. } => Some(match &candidates[..] {
                [first, second] if first == second => {
                    "Name the tables with AS, and write the column as table.column.".to_owned()
                }
                candidates => format!("Write {}.", candidates.join(" or ")),
            }),
            Self::DifferentWidths { what, .. } => Some(format!("Give all {what} as many columns.")),
            Self::NotGrouped { name } => Some(format!("Add it to GROUP BY, or use MAX({name}).")),
            Self::MisplacedAggregate { clause, .. } => misplaced_aggregate(clause),
            Self::MissingOver { name } => Some(format!("Write {name}(…) OVER (PARTITION BY … ORDER BY …).")),
            Self::MisplacedTableFunction { name } => {
                Some(format!("Use it in FROM: SELECT * FROM {name}(…)."))
            }
            Self::WindowOrder { function, .. } => {
                Some(format!("Write {function}(…) OVER (PARTITION BY … ORDER BY …)."))
            }
            Self::NoSuchPosition { columns, .. } => {
                Some(format!("The positions are from 1 to {columns}.")).filter(|_| *columns > 0)
            }
            Self::InsertWidth { expected, given, table, .. } if given < expected => {
                Some(format!("Name the columns that are given: INSERT INTO {table} (column, …)."))
            }
            Self::InsertType { expected, castable: true, .. } => Some(format!("Use CAST(… AS {expected}).")),
            Self::MissingColumn { column } => {
                Some(format!("Add \"{column}\" to the list of columns, and a value for it."))
            }
            Self::OnConflictWithoutKey { table } => Some(format!(
                "Leave ON CONFLICT out, or create \"{table}\" with PRIMARY KEY (…) NOT ENFORCED."
            )),
            other => other.fixed_hint().map(str::to_owned),
        }
    }

    /// The way out of errors that have the same whatever they are about.
    fn fixed_hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoSuchDatabase { .. } => {
                "There is one catalog, default_catalog, with one database, default_database."
            }
            Self::DuplicateRelation { .. } => "Give one of them another name with AS.",
            Self::DuplicateColumn { .. } => "Give one of them another name.",
            Self::AssignedTwice { .. } => "Leave one of them out.",
            Self::UntypedNull => "Write CAST(NULL AS type).",
            Self::NotACondition { .. } => "A condition is BOOLEAN: compare the value with another one.",
            Self::NoCommonType { .. } => "Use CAST to give them one type.",
            Self::MisplacedWindowFunction { .. } | Self::UnboundedRowNumber => NUMBERED,
            Self::DistinctOfSeveral => {
                "Count the rows of a sub-query: SELECT COUNT(*) FROM (SELECT DISTINCT … FROM …)."
            }
            Self::DuplicateUid { .. } => "Give each function a uid of its own.",
            Self::UnboundedSort => "Add LIMIT to get the first rows.",
            Self::InsertWidth { .. } => "Select only the columns that the table has.",
            Self::NullInNotNullColumn { .. } => "Give a value, or declare the column without NOT NULL.",
            Self::ComputedColumn { .. } => "Leave it out: it is computed from the other columns.",
            Self::UpsertWithoutKey { .. } => {
                "Declare PRIMARY KEY (column) NOT ENFORCED, so that updates can be told apart."
            }
            Self::ChangeOfAppendTable { .. } => {
                "Create it with PRIMARY KEY (…) NOT ENFORCED, or WITH ('changelog.mode' = 'retract')."
            }
            Self::KeyDiffers { .. } => "Say ON CONFLICT DO DEDUPLICATE behind the query.",
            _ => return None,
        })
    }

    /// More that helps to understand the error.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Mode(ModeError::Mismatch(mismatch)) => Some(mismatch.detail()),
            Self::InView { error, .. } => error.kind.detail(),
            Self::InsertWidth { sink, query, .. } => {
                Some(format!("The table takes ({sink}), and what is given is ({query})."))
            }
            _ => None,
        }
    }
}

/// How the rows that a number bounds are written.
const NUMBERED: &str = "Number the rows in a sub-query, and bound the number around it: SELECT * FROM \
    (SELECT *, ROW_NUMBER() OVER (…) AS rn FROM t) WHERE rn <= 3.";

fn misplaced_aggregate(clause: &str) -> Option<String> {
    Some(match clause {
        "WHERE" => "Use HAVING, or a sub-query: (SELECT COUNT(*) FROM t).".to_owned(),
        "an aggregate function" | "GROUP BY" => {
            "Aggregate twice: SELECT … FROM (SELECT … GROUP BY …) GROUP BY ….".to_owned()
        }
        "ON" => "Aggregate in a sub-query of FROM, and join that.".to_owned(),
        "SET" => "Use a sub-query: (SELECT COUNT(*) FROM t).".to_owned(),
        _ => return None,
    })
}

impl ModeError {
    fn hint(&self) -> String {
        match self {
            Self::Unsupported(unsupported) => unsupported.hint(),
            Self::Mismatch(mismatch) => mismatch.hint(),
        }
    }
}

impl UnsupportedChanges {
    fn hint(&self) -> String {
        match &self.consumer.op {
            Op::Over(_) => "A window ordered by time takes rows that are only appended. Turn the changes \
                into rows first: … FROM TO_CHANGELOG(input => TABLE t), and order by its time column."
                .to_owned(),
            Op::FromChangelog(_) => "Its input must be append-only. TO_CHANGELOG makes an updating table \
                append-only."
                .to_owned(),
            Op::Sort { .. } => "Add LIMIT, or turn the changes into rows with TO_CHANGELOG first.".to_owned(),
            Op::Sink(sink) if sink.key.is_some() => format!(
                "Create \"{0}\" without 'changelog.mode' = 'append', or write its changes as rows: INSERT \
                 INTO {0} SELECT … FROM TO_CHANGELOG(input => (…)).",
                sink.name
            ),
            Op::Sink(sink) => format!(
                "Create \"{0}\" with PRIMARY KEY (…) NOT ENFORCED or WITH ('changelog.mode' = 'retract'), or \
                 write the changes as rows: INSERT INTO {0} SELECT * FROM TO_CHANGELOG(input => (…)).",
                sink.name
            ),
            _ => "Turn the changes into rows with TO_CHANGELOG first.".to_owned(),
        }
    }
}

impl Mismatch {
    fn detail(&self) -> String {
        format!(
            "The conflict is at:\n  {} (expects {})\n  +- {} (gives {})",
            self.consumer, self.expected, self.producer, self.given
        )
    }

    fn hint(&self) -> String {
        if self.key.is_empty() {
            return "Materialize the input in a table with a primary key first, and query that table."
                .to_owned();
        }
        format!(
            "Insert the result of FROM_CHANGELOG into a table with PRIMARY KEY ({}) NOT ENFORCED and query that \
             table, or map UPDATE_BEFORE too if the source has old images.",
            self.key.join(", ")
        )
    }
}
