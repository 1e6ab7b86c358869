//! What stands behind the names of commands, for completion.

use rowkind::render::Side;

use super::demo;
use super::expansion::PRINTING;
use super::theme::Theme;

/// What a command takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// Nothing, or any text.
    Nothing,
    /// A text of which everything counts, also a semicolon at its end.
    Text,
    /// A command of the system, of which everything counts, too.
    SystemCommand,
    /// One of some words.
    Words(Vec<&'static str>),
    /// The name of a command.
    Command,
    /// The name of a directory.
    Directory,
    /// The name of a file.
    File,
    /// The name of a file, its format, and a query.
    Export,
    /// A format, and for `insert` a table.
    Format,
    /// The name of a function.
    Function,
    /// A query, or what else is SQL.
    Query,
    /// The name of a table or view.
    Relation,
    /// The name of what is watched.
    Watched,
}

impl Argument {
    /// Whether a semicolon at its end is a part of it.
    pub(super) fn is_verbatim(&self) -> bool {
        matches!(self, Self::Text | Self::SystemCommand)
    }
}

/// What a command takes that is written with its dot or backslash.
pub(super) fn argument_of(command: &str) -> Argument {
    match command {
        ".help" | "\\?" | "\\h" | ".?" => Argument::Command,
        ".read" | "\\i" | ".output" | "\\o" | ".once" | "\\once" | ".import" | ".g" | "\\g" | ".gx"
        | "\\gx" => Argument::File,
        ".export" => Argument::Export,
        ".cd" | "\\cd" => Argument::Directory,
        ".print" | "\\echo" => Argument::Text,
        ".shell" | ".system" | "\\!" => Argument::SystemCommand,
        ".format" | ".mode" => Argument::Format,
        ".repeat" | "\\watch" => Argument::Words(vec!["c=", "i="]),
        ".theme" => Argument::Words(Theme::ALL.iter().map(|(name, _)| *name).chain([Theme::AUTO]).collect()),
        ".view" => Argument::Words(Side::ALL.map(Side::name).to_vec()),
        ".timer" | "\\timing" | ".strict" | ".headers" | ".header" | ".echo" | ".bail" => {
            Argument::Words(vec!["on", "off"])
        }
        ".pager" | "\\pager" | ".expanded" | "\\x" => Argument::Words(vec!["on", "off", "auto"]),
        ".describe" | "\\d" | ".schema" | ".tables" | "\\dt" | "\\dv" => Argument::Relation,
        ".doc" | "\\df" => Argument::Function,
        ".pset" | "\\pset" => Argument::Words(PRINTING.map(|(name, _)| name).to_vec()),
        ".explain" | ".live" | ".watch" => Argument::Query,
        ".demo" => Argument::Words(demo::names()),
        ".unwatch" => Argument::Watched,
        _ => Argument::Nothing,
    }
}
