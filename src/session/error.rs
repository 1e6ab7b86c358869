//! Why a statement fails.

use super::settings::SettingError;
use crate::exec::RunError;
use crate::plan::modes::Rewrite;
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
    #[error("{error}")]
    Setting {
        /// What is wrong.
        error: SettingError,
        /// Where the value stands.
        span: Option<Span>,
    },
    /// There is something of this name already.
    #[error("{noun} \"{name}\" exists already")]
    Exists {
        /// `table` or `view`: what there is.
        noun: &'static str,
        /// The statement that would make another.
        statement: &'static str,
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
        /// The statement that asks for it, up to that word.
        verb: &'static str,
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
        /// The number of the job, if it is one.
        job: Option<u64>,
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
        hint: String,
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
            Self::Run(_) | Self::KindNotTaken { .. } | Self::KindsForRows { .. } => None,
            Self::Setting { span, .. }
            | Self::Exists { span, .. }
            | Self::Missing { span, .. }
            | Self::WrongNoun { span, .. }
            | Self::InUse { span, .. }
            | Self::Refused { span, .. } => *span,
        }
    }

    /// The error at a place, if it has none yet and can have one.
    #[must_use]
    pub(super) fn or_at(mut self, place: Span) -> Self {
        match &mut self {
            Self::Plan(error) => error.span = error.span.or(Some(place)),
            Self::Setting { span, .. }
            | Self::Exists { span, .. }
            | Self::Missing { span, .. }
            | Self::WrongNoun { span, .. }
            | Self::InUse { span, .. }
            | Self::Refused { span, .. } => *span = span.or(Some(place)),
            Self::Parse(_) | Self::Run(_) | Self::KindNotTaken { .. } | Self::KindsForRows { .. } => {}
        }
        self
    }

    /// What can be written instead of a statement whose operators do not fit together.
    pub fn rewrites(&self) -> &[Rewrite] {
        match self {
            Self::Plan(PlanError { kind, .. }) => match &**kind {
                PlanErrorKind::Mode(mode) => mode.rewrites(),
                _ => &[],
            },
            _ => &[],
        }
    }

    /// A sentence on the way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Parse(error) => error.hint.clone(),
            Self::Plan(error) => error.kind.hint(),
            Self::Run(error) => error.hint(),
            Self::Setting { error, .. } => error.hint(),
            Self::Exists { noun, statement, name, .. } => {
                let drop = format!("DROP {} {name}", noun.to_uppercase());
                Some(match *statement {
                    "ALTER" => format!("Choose another name, or {drop} first."),
                    "CREATE VIEW" if *noun == "view" => {
                        format!("Use CREATE OR REPLACE VIEW or CREATE VIEW IF NOT EXISTS, or {drop} first.")
                    }
                    statement => format!("Use {statement} IF NOT EXISTS, or {drop} first."),
                })
            }
            Self::Missing { nearest: Some(near), .. } => Some(format!("Did you mean \"{near}\"?")),
            Self::Missing { noun, .. } => Some(match *noun {
                "job" => "SHOW JOBS lists the jobs.".to_owned(),
                "function" => "SHOW FUNCTIONS lists the functions.".to_owned(),
                "view" => "SHOW VIEWS lists the views.".to_owned(),
                _ => "SHOW TABLES lists the tables and views.".to_owned(),
            }),
            Self::WrongNoun { is, verb, .. } => Some(format!("Use {verb} {}.", is.to_uppercase())),
            Self::InUse { job: Some(id), .. } => Some(format!("STOP JOB '{id}' first.")),
            Self::InUse { .. } => Some("Stop watching it first.".to_owned()),
            Self::KindNotTaken { mode, .. } if mode == "append" => {
                Some("Create the table WITH ('changelog.mode' = 'retract').".to_owned())
            }
            Self::KindNotTaken { .. } => Some("Give +U instead: it needs no old row.".to_owned()),
            Self::KindsForRows { rows, .. } => Some(format!("Give {rows} kinds, one for each row.")),
            Self::Refused { hint, .. } => Some(hint.clone()),
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

impl From<SettingError> for Error {
    fn from(error: SettingError) -> Self {
        Self::Setting { error, span: None }
    }
}

impl From<PlanErrorKind> for Error {
    fn from(kind: PlanErrorKind) -> Self {
        Self::Plan(kind.into())
    }
}
