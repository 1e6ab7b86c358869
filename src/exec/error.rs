//! Why a running statement fails.

use crate::changelog::Cause;
use crate::connect::ConnectError;
use crate::expr::aggregate::MORE_THAN_ONE_ROW;
use crate::expr::function::EvalError;

/// Why a running statement fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// `FROM_CHANGELOG` met an operation code that its mapping does not have.
    #[error("row {number} {row} has operation code {}, which the mapping does not have", quoted(.code.as_deref()))]
    InvalidOpCode {
        /// The code; none for NULL.
        code: Option<String>,
        /// The codes of the mapping.
        defined: Vec<String>,
        /// The row as text.
        row: String,
        /// The number of the row in the input of the function, counted from 1.
        number: u64,
    },
    /// An expression failed.
    #[error("{error}{}", in_row(.row))]
    Eval {
        /// Why.
        error: EvalError,
        /// The row as text.
        row: String,
        /// What caused the row.
        cause: Cause,
    },
    /// A NULL came to a NOT NULL column of a table.
    #[error("column \"{column}\" of {table} is NOT NULL, but row {row} has NULL there")]
    NullInNotNullColumn {
        /// The column.
        column: String,
        /// The table, or the result of a query.
        table: String,
        /// The row as text.
        row: String,
    },
    /// Rows of different upsert keys met in one primary key, and `ON CONFLICT DO ERROR` was said.
    #[error("row {row} conflicts with another row of the same primary key in table \"{table}\"")]
    KeyConflict {
        /// The table.
        table: String,
        /// The row as text.
        row: String,
    },
    /// A connected table cannot be read or written.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The user interrupted the statement.
    #[error("cancelled")]
    Cancelled,
}

/// Where an expression failed: constants are in no row.
fn in_row(row: &str) -> String {
    if row == "[]" { String::new() } else { format!(" in row {row}") }
}

fn quoted(code: Option<&str>) -> String {
    code.map_or_else(|| "NULL".to_owned(), |code| format!("'{code}'"))
}

impl RunError {
    /// A sentence on the way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::InvalidOpCode { code: Some(code), defined, .. } => {
                let near = defined.iter().find(|known| known.trim().eq_ignore_ascii_case(code.trim()));
                Some(match near {
                    Some(near) => format!("Codes are compared exactly, and the mapping has '{near}'."),
                    None => "Map the code, or leave such rows out with error_handling => 'SKIP'.".to_owned(),
                })
            }
            Self::InvalidOpCode { code: None, .. } => {
                Some("Leave such rows out with error_handling => 'SKIP', or filter them in the input.".to_owned())
            }
            Self::NullInNotNullColumn { .. } => Some(
                "Leave such rows out with SET 'table.exec.sink.not-null-enforcer' = 'DROP', declare the column \
                 without NOT NULL, or give a value with COALESCE."
                    .to_owned(),
            ),
            Self::KeyConflict { .. } => Some("Use ON CONFLICT DO DEDUPLICATE to keep the last row.".to_owned()),
            Self::Connect(error) => error.hint(),
            Self::Eval { error, .. } if error.0 == MORE_THAN_ONE_ROW => {
                Some("Select MAX(…) or another aggregate, or add ORDER BY … LIMIT 1.".to_owned())
            }
            Self::Eval { .. } => {
                Some("Leave such rows out with WHERE; where CAST fails, TRY_CAST gives NULL.".to_owned())
            }
            Self::Cancelled => None,
        }
    }
}
