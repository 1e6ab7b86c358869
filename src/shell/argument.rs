//! What stands behind the names of commands, for completion.

use rowkind::render::Format;

use super::theme::Theme;

/// What a command takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// Nothing, or any text.
    Nothing,
    /// One of some words.
    Words(Vec<&'static str>),
    /// The name of a command.
    Command,
    /// The name of a file.
    File,
    /// The name of a function.
    Function,
    /// A query, or what else is SQL.
    Query,
    /// The name of a table or view.
    Relation,
}

/// What a command takes that is written with its dot or backslash.
pub(super) fn argument_of(command: &str) -> Argument {
    match command {
        ".help" | "\\?" | "\\h" | ".?" => Argument::Command,
        ".read" | "\\i" | ".output" | ".once" | "\\o" | ".cd" => Argument::File,
        ".format" | ".mode" => Argument::Words(Format::ALL.iter().map(|format| format.name()).collect()),
        ".theme" => Argument::Words(Theme::ALL.iter().map(|(name, _)| *name).collect()),
        ".timer" | "\\timing" | ".strict" | ".headers" | ".pager" | "\\x" => {
            Argument::Words(vec!["on", "off"])
        }
        ".bail" => Argument::Words(vec!["on", "off", "auto"]),
        ".describe" | "\\d" | ".schema" | ".tables" | "\\dt" | "\\dv" => Argument::Relation,
        ".doc" | "\\df" => Argument::Function,
        ".explain" | ".watch" | "\\watch" => Argument::Query,
        _ => Argument::Nothing,
    }
}
