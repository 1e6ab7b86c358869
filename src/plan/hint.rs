//! Ways out of errors.

use std::fmt::Write as _;

use super::error::{PlanErrorKind, counted};
use super::modes::{Mismatch, ModeError, Rewrite, UnsupportedChanges};
use super::node::Op;
use super::words::in_words;
use crate::expr::CallError;

impl PlanErrorKind {
    /// A sentence on the way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoSuchTable { nearest: Some(near), .. }
            | Self::NoSuchColumn { nearest: Some(near), .. }
            | Self::NoSuchRelation { nearest: Some(near), .. }
            | Self::NoSuchField { nearest: Some(near), .. } => Some(format!("Did you mean \"{near}\"?")),
            Self::NoSuchColumn { columns, .. } => Some(listed("column", columns)),
            Self::NoSuchRelation { tables, .. } => Some(listed("table", tables)),
            Self::NoSuchField { fields, .. } => Some(listed("field", fields)),
            Self::NoSuchTableFunction { nearest: Some(near), .. } => Some(format!("Did you mean {near}?")),
            Self::Call(CallError::NoSuchFunction { nearest, instead, .. }) => {
                Some(match (instead, nearest.first()) {
                    (Some(instead), _) => (*instead).to_owned(),
                    (None, Some(near)) => format!("Did you mean {near}?"),
                    (None, None) => "SHOW FUNCTIONS lists the functions.".to_owned(),
                })
            }
            Self::Call(CallError::WrongArguments { mismatch, syntax, .. }) => {
                mismatch.way_out.clone().or_else(|| Some(format!("Write {syntax}.")))
            }
            Self::Type(mismatch) => mismatch.way_out.clone(),
            Self::Syntax(error) => error.hint.clone(),
            Self::Connect(error) => error.hint(),
            Self::TableFunctionArgument { hint, .. }
            | Self::Definition { hint, .. }
            | Self::Unsupported { hint, .. } => Some(hint.clone()),
            Self::InView { error, .. } => error.kind.hint(),
            Self::Mode(error) => Some(error.hint()),
            Self::NonDeterministicUpdate(update) => Some(update.hint()),
            Self::AmbiguousColumn { candidates, .. } => Some(match &candidates[..] {
                [first, second] if first == second => {
                    "Name the tables with AS, and write the column as table.column.".to_owned()
                }
                candidates => format!("Write {}.", candidates.join(" or ")),
            }),
            Self::DifferentWidths { what, .. } => Some(format!("Give all {what} as many columns.")),
            Self::NotGrouped { name } => Some(format!("Add it to GROUP BY, or use MAX({name}).")),
            Self::MisplacedAggregate { clause, .. } => Some(misplaced_aggregate(clause).to_owned()),
            Self::MissingOver { name } => Some(format!("Write {name}(…) OVER (PARTITION BY … ORDER BY …).")),
            Self::MisplacedTableFunction { name } => {
                Some(format!("Use it in FROM: SELECT * FROM {name}(…)."))
            }
            Self::WindowOrder { function, .. } => {
                Some(format!("Write {function}(…) OVER (PARTITION BY … ORDER BY …)."))
            }
            Self::NoSuchPosition { columns: 1, .. } => Some("The only position is 1.".to_owned()),
            Self::NoSuchPosition { columns, .. } => Some(format!("The positions are from 1 to {columns}.")),
            Self::InvalidLiteral { text, type_name } => Some(valid_literal(text, type_name)),
            Self::WindowArgument { function, argument, least } => {
                Some(format!("Write {function}(value, {}) for the {argument}.", (*least).max(1)))
            }
            Self::InvalidLimit { clause: "FETCH" } => Some("Write FETCH FIRST 10 ROWS ONLY.".to_owned()),
            Self::InvalidLimit { clause } => Some(format!("Write {clause} 10.")),
            Self::SubQueryWidth { expected: 1, .. } => Some("Select one column.".to_owned()),
            Self::SubQueryWidth { .. } => Some("Select as many columns as stand before IN.".to_owned()),
            Self::ColumnNames { expected, .. } => {
                Some(format!("Give {}, or leave the names out.", counted(*expected, "name")))
            }
            Self::InsertType { expected, castable: false, .. } => {
                Some(format!("Give a value of type {expected}, or NULL."))
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
            Self::NoSuchTable { .. } => "SHOW TABLES lists the tables and views.",
            Self::NoSuchTableFunction { .. } => {
                "The table functions are FROM_CHANGELOG, TO_CHANGELOG and UNNEST."
            }
            Self::JoinWithoutCondition => "Write ON a.x = b.y, or CROSS JOIN.",
            Self::NotOnBothSides { .. } => "Write ON a.x = b.y.",
            Self::StarWithoutFrom => "Write SELECT * FROM t.",
            Self::NoFields { .. } => "Only a ROW has fields.",
            Self::InsertIntoView { .. } => "Change the table that the view reads.",
            Self::DuplicateRelation { .. } => "Give one of them another name with AS.",
            Self::DuplicateColumn { .. } => "Give one of them another name.",
            Self::AssignedTwice { .. } => "Leave one of them out.",
            Self::Value(_) => "Give another value, or NULL.",
            Self::UntypedNull => "Write CAST(NULL AS type).",
            Self::NotACondition { .. } => "A condition is BOOLEAN: compare the value with another one.",
            Self::NoCommonType { .. } => "Use CAST to give them one type.",
            Self::MisplacedWindowFunction { .. } | Self::UnboundedRowNumber => NUMBERED,
            Self::DistinctOfSeveral => {
                "Count the rows of a sub-query: SELECT COUNT(*) FROM (SELECT DISTINCT … FROM …)."
            }
            Self::DuplicateUid { .. } => "Give each function a uid of its own.",
            Self::UnboundedSort => "Add LIMIT to get the first rows, or leave ORDER BY out.",
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
            Self::Mode(ModeError::Unsupported(unsupported)) => Some(unsupported.detail()),
            Self::NonDeterministicUpdate(update) => Some(update.detail()),
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

fn misplaced_aggregate(clause: &str) -> &'static str {
    match clause {
        "WHERE" => "Use HAVING, or a sub-query: (SELECT COUNT(*) FROM t).",
        "an aggregate function" | "GROUP BY" => {
            "Aggregate twice: SELECT … FROM (SELECT … GROUP BY …) GROUP BY …."
        }
        "ON" | "UNNEST" => "Aggregate in a sub-query of FROM first: FROM (SELECT … GROUP BY …).",
        "SET" | "FILTER" => "Use a sub-query: (SELECT COUNT(*) FROM t).",
        // What is left are definitions, and ORDER BY of a set operation.
        _ => "Aggregate in a query that reads the rows: SELECT … FROM … GROUP BY ….",
    }
}

/// What there is instead of a name.
fn listed(noun: &str, names: &[String]) -> String {
    const SHOWN: usize = 12;
    match names {
        [] => format!("There is no {noun} here."),
        [only] => format!("The only {noun} is {only}."),
        names if names.len() > SHOWN => format!("The {noun}s are {}, ….", names[..SHOWN].join(", ")),
        names => format!("The {noun}s are {}.", names.join(", ")),
    }
}

/// How a literal of a type is written.
fn valid_literal(text: &str, type_name: &str) -> String {
    let example = match type_name {
        name if name.starts_with("DATE") => "DATE '2026-01-31'",
        name if name.starts_with("TIMESTAMP") => "TIMESTAMP '2026-01-31 23:59:59'",
        name if name.starts_with("TIME") => "TIME '23:59:59'",
        name if name.starts_with("INTERVAL") => "INTERVAL '1' DAY or INTERVAL '1-06' YEAR TO MONTH",
        name if name.starts_with("binary") => "X'0A1B', with two digits for each byte",
        _ => return format!("A number of up to 38 digits is written CAST('{text}' AS DECIMAL(38, 0))."),
    };
    format!("Write, say, {example}.")
}

impl ModeError {
    fn hint(&self) -> String {
        if !self.rewrites().is_empty() {
            return written(self.rewrites());
        }
        match self {
            Self::Unsupported(unsupported) => unsupported.hint(),
            Self::Mismatch(mismatch) => mismatch.hint(),
        }
    }
}

/// Rewrites as a list, each with its statements.
fn written(rewrites: &[Rewrite]) -> String {
    let mut text = match rewrites {
        [_] => "This runs:".to_owned(),
        _ => "Each of these runs:".to_owned(),
    };
    for (number, rewrite) in (1..).zip(rewrites) {
        write!(text, "\n{number}. {}:", rewrite.why).expect("a string takes all");
        for statement in &rewrite.statements {
            let lines = statement.lines().collect::<Vec<_>>().join("\n   ");
            write!(text, "\n   {lines};").expect("a string takes all");
        }
    }
    text
}

impl UnsupportedChanges {
    fn detail(&self) -> String {
        let consumer = in_words(&self.consumer);
        format!(
            "The conflict is at:\n  {consumer} (takes {})\n  +- {} (gives {})",
            self.accepted, self.producer_text, self.given
        )
    }

    fn hint(&self) -> String {
        match &self.consumer.op {
            Op::Over(_) => "A window ordered by time takes rows that are only appended. Turn the changes \
                into rows first: … FROM TO_CHANGELOG(input => TABLE t), and order by its time column."
                .to_owned(),
            Op::FromChangelog(_) => "Its input must be append-only. TO_CHANGELOG makes an updating table \
                append-only."
                .to_owned(),
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
            _ => "Add LIMIT, or turn the changes into rows with TO_CHANGELOG first.".to_owned(),
        }
    }
}

impl Mismatch {
    fn detail(&self) -> String {
        let [consumer, producer] = self.operators();
        format!(
            "The conflict is at:\n  {consumer} (takes {})\n  +- {producer} (gives {})",
            self.expected, self.given
        )
    }

    fn hint(&self) -> String {
        format!(
            "Insert the result of FROM_CHANGELOG into a table with PRIMARY KEY ({}) NOT ENFORCED and query that \
             table, or map UPDATE_BEFORE too if the source has old images.",
            self.key().join(", ")
        )
    }
}
