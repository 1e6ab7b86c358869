//! What stands behind the names of commands, for completion.

use rowkind::render::{Format, Side};

use super::expansion::PRINTING;
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
    /// The name of what is watched.
    Watched,
}

/// What a command takes that is written with its dot or backslash.
pub(super) fn argument_of(command: &str) -> Argument {
    match command {
        ".help" | "\\?" | "\\h" | ".?" => Argument::Command,
        ".read" | "\\i" | ".output" | "\\o" | ".once" | "\\once" | ".import" | ".export" => Argument::File,
        ".format" | ".mode" => Argument::Words(Format::ALL.iter().map(|format| format.name()).collect()),
        ".theme" => Argument::Words(Theme::ALL.iter().map(|(name, _)| *name).chain([Theme::AUTO]).collect()),
        ".view" => Argument::Words(Side::ALL.map(Side::name).to_vec()),
        ".timer" | "\\timing" | ".strict" | ".headers" | ".header" | ".echo" | ".bail" => {
            Argument::Words(vec!["on", "off"])
        }
        ".pager" | "\\pager" | ".expanded" | "\\x" => Argument::Words(vec!["on", "off", "auto"]),
        ".describe" | "\\d" | ".schema" | ".tables" | "\\dt" | "\\dv" => Argument::Relation,
        ".doc" | "\\df" => Argument::Function,
        ".pset" | "\\pset" => Argument::Words(PRINTING.map(|(name, _)| name).to_vec()),
        ".explain" | ".live" | ".watch" | "\\watch" => Argument::Query,
        ".unwatch" => Argument::Watched,
        _ => Argument::Nothing,
    }
}
