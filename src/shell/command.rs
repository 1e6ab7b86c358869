//! The commands that start with a dot.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rowkind::render::Problem;
use rowkind::session::STRICT;
use rowkind::sql::Terminator;

use super::again;
use super::argument::argument_of;
use super::demo;
use super::desk::{Desk, Spot};
use super::exchange;
use super::help;
use super::input::{Source, read_file};
use super::listing;
use super::prompt_command;
use super::result_command;
use super::screen::Notices;
use super::status::Stop;
use super::system;

/// A command: one line that starts with a dot where a statement could start.
pub(super) struct Command {
    /// The name, without its dot.
    pub(super) name: &'static str,
    /// Other names, with their dot or backslash.
    pub(super) aliases: &'static [&'static str],
    /// What stands behind the name.
    pub(super) arguments: &'static str,
    /// What it does, as a phrase.
    pub(super) about: &'static str,
    pub(super) run: fn(&mut Desk, &str) -> Result<(), Stop>,
}

/// The commands about scripts and the shell as a whole.
const COMMANDS: [Command; 5] = [
    Command {
        name: "help",
        aliases: &["\\?", "\\h", ".?"],
        arguments: "[PATTERN]",
        about: "show this help, or what contains the pattern",
        run: Desk::help,
    },
    Command { name: "read", aliases: &["\\i"], arguments: "FILE", about: "run a script", run: Desk::read },
    Command {
        name: "explain",
        aliases: &[],
        arguments: "QUERY",
        about: "show the plan of a query, view or table after each step that changes it",
        run: Desk::explain,
    },
    Command {
        name: "strict",
        aliases: &[],
        arguments: "[on | off]",
        about: "accept only what Flink accepts",
        run: Desk::strict,
    },
    Command {
        name: "quit",
        aliases: &["\\q", ".exit"],
        arguments: "",
        about: "leave",
        run: |_, _| Err(Stop::Quit),
    },
];

/// All commands in groups that have a title, in the order in which the help shows them.
pub(super) static GROUPS: [(&str, &[Command]); 8] = [
    ("The shell", &COMMANDS),
    ("Results", &result_command::COMMANDS),
    ("The last statement", &again::COMMANDS),
    ("Tables, views and functions", &listing::COMMANDS),
    ("Files", &exchange::COMMANDS),
    ("The prompt", &prompt_command::COMMANDS),
    ("Data to play with", &demo::COMMANDS),
    ("The system", &system::COMMANDS),
];

/// All commands.
pub(super) fn commands() -> impl Iterator<Item = &'static Command> {
    GROUPS.iter().flat_map(|(_, commands)| commands.iter())
}

/// How deep scripts may read each other.
const DEEPEST: usize = 32;

/// What commands can be called, with their dot or backslash: first the names, then the others.
pub(super) fn names() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| commands().map(|command| format!(".{}", command.name)).collect());
    let names = NAMES.iter().map(String::as_str);
    names.chain(commands().flat_map(|command| command.aliases.iter().copied())).collect()
}

impl Command {
    pub(super) fn is(&self, word: &str) -> bool {
        word.strip_prefix('.') == Some(self.name) || self.aliases.contains(&word)
    }
}

/// The name of the command with which a line starts, and what stands behind it.
pub(super) fn word_and_rest(line: &str) -> (&str, &str) {
    // What psql runs need not stand apart.
    if let Some(rest) = line.strip_prefix("\\!") {
        return ("\\!", rest);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word.trim_end_matches(';'), rest)
}

impl Desk {
    /// Runs a command line.
    pub(super) fn command(&mut self, line: &str) -> Result<(), Stop> {
        let (word, argument) = word_and_rest(line);
        let mut argument = argument.trim();
        if !argument_of(word).is_verbatim() {
            argument = argument.trim_end_matches(';').trim_end();
        }
        if self.is_transcript() {
            writeln!(self.output.out, "> {line}")?;
        }
        match commands().find(|command| command.is(word)) {
            Some(command) => {
                self.output.begin_progress();
                let result = (command.run)(self, argument);
                self.settle()?;
                result
            }
            None => self.report(&unknown(word)),
        }
    }

    fn help(&mut self, pattern: &str) -> Result<(), Stop> {
        let width = self.output.look().width;
        let text = if pattern.is_empty() { help::overview(width) } else { help::about(pattern, width) };
        self.paged(|desk| Ok(desk.output.out.write_all(text.as_bytes())?))
    }

    fn explain(&mut self, query: &str) -> Result<(), Stop> {
        if query.is_empty() {
            let problem = Problem::new(".explain needs a query, or the name of a view or table");
            return self.report(&problem.with_hint("For example: .explain SELECT COUNT(*) AS n FROM orders"));
        }
        match self.session.explain_passes(query, &mut Notices(&mut self.output)) {
            Ok(text) => Ok(writeln!(self.output.out, "{text}")?),
            Err(error) => self.fail(Spot::of_text(query), &error),
        }
    }

    fn read(&mut self, path: &str) -> Result<(), Stop> {
        let path = path.strip_prefix('\'').and_then(|path| path.strip_suffix('\'')).unwrap_or(path);
        if path.is_empty() {
            return self.report(&Problem::new(".read needs the name of a file"));
        }
        if self.reading.len() >= DEEPEST {
            let problem = Problem::new(format!("\"{path}\" is not read: scripts read each other too deeply"));
            return self.report(&problem.with_hint("Look for a script that reads itself."));
        }
        match read_file(&self.beside(path)) {
            Ok(text) => {
                self.reading.push(self.beside(path));
                let result = self.run_script(Source { text: &text, name: Some(path) });
                self.reading.pop();
                result
            }
            Err(problem) => self.report(&problem),
        }
    }

    /// A path as a script means it: beside the script.
    pub(super) fn beside(&self, path: &str) -> PathBuf {
        let folder = self.reading.last().and_then(|script| script.parent());
        folder.unwrap_or(Path::new("")).join(path)
    }

    fn strict(&mut self, argument: &str) -> Result<(), Stop> {
        let strict = self.switch("strict", argument, self.session.settings().strict)?;
        match self.session.set(STRICT, if strict { "true" } else { "false" }) {
            Ok(_) => Ok(()),
            Err(error) => self.fail(Spot::of_text(""), &error.into()),
        }
    }

    /// Reads `on` or `off`; without either, says which it is and leaves it.
    pub(super) fn switch(&mut self, name: &str, argument: &str, now: bool) -> Result<bool, Stop> {
        match argument {
            "on" => Ok(true),
            "off" => Ok(false),
            "" => {
                writeln!(self.output.out, "{}", if now { "on" } else { "off" })?;
                Ok(now)
            }
            _ => {
                self.report(&Problem::new(format!(".{name} is on or off, not \"{argument}\"")))?;
                Ok(now)
            }
        }
    }

    /// Runs a statement that stands for a command.
    pub(super) fn run_text(&mut self, text: &str) -> Result<(), Stop> {
        self.run(Spot::of_text(text), text, Terminator::Semicolon)
    }
}

fn unknown(word: &str) -> Problem<'static> {
    let names = names().into_iter();
    let distance = |name: &&str| strsim::damerau_levenshtein(name, word);
    let names: Vec<&str> = names.filter(|name| name.len() > 2).collect();
    let begun = names.iter().copied().find(|name| word.len() > 2 && name.starts_with(word));
    let near = names.iter().copied().min_by_key(distance).filter(|name| distance(name) <= 1 + name.len() / 3);
    let near = begun.or(near);
    let problem = Problem::new(format!("there is no command \"{word}\""));
    match near {
        Some(name) => problem.with_hint(format!("Did you mean {name}? .help shows all commands.")),
        None => problem.with_hint(".help shows all commands."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_answered_with_the_nearest() {
        let hint = |word| unknown(word).hint.unwrap();
        assert!(hint(".wach").starts_with("Did you mean .watch?"), "{}", hint(".wach"));
        assert!(hint(".form").starts_with("Did you mean .format?"));
        assert_eq!(hint(".xyzzy"), ".help shows all commands.");
    }

    #[test]
    fn no_two_commands_share_a_name() {
        let mut names = names();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
