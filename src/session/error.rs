//! Why a statement fails.

use super::settings::SettingError;
use crate::exec::RunError;
use crate::plan::{PlanError, PlanErrorKind};
use crate::sql::{ParseError, Span};

/// Why a statement fails.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The text is no statement.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The statement has no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The statement fails while it runs.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// There is something of this name already.
    #[error("{noun} \"{name}\" exists already")]
    Exists {
        /// `table` or `view`.
        noun: &'static str,
        /// The name.
        name: String,
        /// Where the name stands.
        span: Option<Span>,
    },
    /// There is nothing of this name.
    #[error("{noun} \"{name}\" does not exist")]
    Missing {
        /// `table`, `view` or `job`.
        noun: &'static str,
        /// The name.
        name: String,
        /// What is like it.
        nearest: Option<String>,
        /// Where the name stands.
        span: Option<Span>,
    },
    /// Something of this name is of another kind.
    #[error("\"{name}\" is a {is}, not a {not}")]
    WrongNoun {
        /// The name.
        name: String,
        /// What it is.
        is: &'static str,
        /// What was asked for.
        not: &'static str,
        /// Where the name stands.
        span: Option<Span>,
    },
    /// A pipeline or a watcher uses what is to be dropped.
    #[error("{noun} \"{name}\" is used by {user}")]
    InUse {
        /// `table` or `view`.
        noun: &'static str,
        /// The name.
        name: String,
        /// Who uses it.
        user: String,
        /// Where the name stands.
        span: Option<Span>,
    },
    /// A row kind that a table does not take.
    #[error("{mode} table \"{table}\" takes no {kind}")]
    KindNotTaken {
        /// The table.
        table: String,
        /// Its mode.
        mode: String,
        /// The kind.
        kind: String,
    },
    /// A list of row kinds that does not fit the rows of an INSERT.
    #[error("{kinds} kinds are given for {rows} rows")]
    KindsForRows {
        /// How many kinds.
        kinds: usize,
        /// How many rows.
        rows: usize,
    },
    /// A statement that is not possible here.
    #[error("{problem}")]
    Refused {
        /// What is wrong, as a phrase.
        problem: String,
        /// A sentence on the way out.
        hint: Option<String>,
        /// Where.
        span: Option<Span>,
    },
}

impl Error {
    /// Whether the statement failed only because somebody stopped it.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Run(RunError::Cancelled))
    }

    /// Whether the statement failed only because nobody reads its output any more.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Run(RunError::Connect(error)) if error.is_closed_pipe())
    }

    /// Where the error is, relative to the statement's text.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Parse(error) => Some(error.span),
            Self::Plan(error) => error.span,
            Self::Run(_) | Self::Setting(_) | Self::KindNotTaken { .. } | Self::KindsForRows { .. } => None,
            Self::Exists { span, .. }
            | Self::Missing { span, .. }
            | Self::WrongNoun { span, .. }
            | Self::InUse { span, .. }
            | Self::Refused { span, .. } => *span,
        }
    }

    /// A sentence on the way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Parse(error) => error.hint.clone(),
            Self::Plan(error) => error.kind.hint(),
            Self::Run(error) => error.hint(),
            Self::Setting(error) => error.hint(),
            Self::Exists { noun, .. } => {
                Some(format!("DROP the {noun} first, or use CREATE {} IF NOT EXISTS.", noun.to_uppercase()))
            }
            Self::Missing { nearest, .. } => nearest.as_ref().map(|near| format!("Did you mean \"{near}\"?")),
            Self::WrongNoun { is, .. } => Some(format!("Use DROP {}.", is.to_uppercase())),
            Self::InUse { user, .. } if user.starts_with("job") => Some("STOP the job first.".to_owned()),
            Self::InUse { .. } => Some("Stop watching it first.".to_owned()),
            Self::KindNotTaken { mode, .. } if mode == "append" => {
                Some("Create the table WITH ('changelog.mode' = 'retract').".to_owned())
            }
            Self::KindNotTaken { .. } | Self::KindsForRows { .. } => None,
            Self::Refused { hint, .. } => hint.clone(),
        }
    }

    /// More that helps to understand the error: lines, without the hint.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Plan(error) => error.kind.detail(),
            Self::Run(RunError::InvalidOpCode { defined, .. }) => {
                Some(format!("The codes of the mapping are {}.", defined.join(", ")))
            }
            _ => None,
        }
    }
}

impl From<PlanErrorKind> for Error {
    fn from(kind: PlanErrorKind) -> Self {
        Self::Plan(kind.into())
    }
}
