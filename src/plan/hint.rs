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
            | Self::NoSuchField { nearest, .. }
            | Self::NoSuchTableFunction { nearest, .. } => {
                nearest.as_ref().map(|near| format!("Did you mean \"{near}\"?"))
            }
            Self::AmbiguousColumn { candidates, .. } => Some(format!("Write {}.", candidates.join(" or "))),
            Self::DuplicateRelation { .. } => Some("Give one of them another name with AS.".to_owned()),
            Self::DuplicateColumn { .. } => Some("Give each column another name.".to_owned()),
            Self::Call(CallError::NoSuchFunction { nearest, .. }) => {
                nearest.first().map(|near| format!("Did you mean {near}?"))
            }
            Self::Call(CallError::WrongArguments { syntax, .. }) => Some(format!("It is called as {syntax}.")),
            Self::Connect(error) => error.hint(),
            Self::UntypedNull => Some("Write CAST(NULL AS type).".to_owned()),
            Self::DoubleQuotes { text } => {
                Some(format!("Use '{text}' for a string or `{text}` for a name."))
            }
            Self::ChangeOfAppendTable { .. } => Some(
                "Create it with PRIMARY KEY (…) NOT ENFORCED, or WITH ('changelog.mode' = 'retract').".to_owned(),
            ),
            Self::NotGrouped { name } => Some(format!("Add it to GROUP BY, or use MAX({name}).")),
            Self::MisplacedAggregate { clause: "WHERE", .. } => Some("Use HAVING.".to_owned()),
            Self::MisplacedTableFunction { name } => Some(format!("Use it in FROM: SELECT * FROM {name}(…).")),
            Self::TableFunctionArgument { hint, .. }
            | Self::Definition { hint, .. }
            | Self::Unsupported { hint, .. } => hint.clone(),
            Self::DuplicateUid { .. } => Some("Give each function a uid of its own.".to_owned()),
            Self::UnboundedRowNumber => {
                Some("Use it in a sub-query with WHERE on the number: SELECT * FROM (SELECT *, ROW_NUMBER() OVER (…) AS rn FROM t) WHERE rn <= 3.".to_owned())
            }
            Self::UnboundedSort => Some("Add LIMIT to get the first rows.".to_owned()),
            Self::InsertWidth { sink, query, .. } => {
                Some(format!("The table takes ({sink}), and the query gives ({query})."))
            }
            Self::InsertType { expected, .. } => Some(format!("Use CAST(… AS {}).", expected.replace(" NOT NULL", ""))),
            Self::ComputedColumn { .. } => Some("Leave it out of the list of columns.".to_owned()),
            Self::UpsertWithoutKey { .. } => {
                Some("Declare PRIMARY KEY (column) NOT ENFORCED, so that updates can be told apart.".to_owned())
            }
            Self::InView { error, .. } => error.kind.hint(),
            Self::ViewSyntax { error, .. } => error.hint.clone(),
            Self::KeyDiffers { .. } => Some("Say ON CONFLICT DO DEDUPLICATE behind the query.".to_owned()),
            Self::Mode(error) => Some(error.hint()),
            Self::Type(_)
            | Self::InvalidLiteral { .. }
            | Self::NotACondition { .. }
            | Self::MisplacedAggregate { .. }
            | Self::MisplacedWindowFunction { .. }
            | Self::DistinctOfSeveral
            | Self::WindowOrder { .. }
            | Self::WindowArgument { .. }
            | Self::InvalidLimit { .. }
            | Self::NoSuchPosition { .. }
            | Self::DifferentWidths { .. }
            | Self::SubQueryWidth { .. }
            | Self::NoCommonType { .. }
            | Self::ColumnNames { .. }
            | Self::MissingColumn { .. }
            | Self::InsertIntoView { .. }
            | Self::OnConflictWithoutKey { .. } => None,
        }
    }

    /// More that helps to understand the error.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Mode(ModeError::Mismatch(mismatch)) => Some(mismatch.detail()),
            Self::InView { error, .. } => error.kind.detail(),
            _ => None,
        }
    }
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
