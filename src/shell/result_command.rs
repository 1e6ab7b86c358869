//! The commands that are about results: how they look, and where they go.

use std::path::Path;

use rowkind::render::{Format, Problem, Side};
use rowkind::spelling::nearest;
use rowkind::sql::quoted_if_needed;

use super::command::Command;
use super::desk::{Desk, unwritable};
use super::expansion::Expansion;
use super::pager::Paging;
use super::status::Stop;

/// The commands, in the order in which the help shows them.
pub(super) const COMMANDS: [Command; 16] = [
    Command {
        name: "watch",
        aliases: &[],
        arguments: "[[NAME =] QUERY]",
        about: "show a query, view or table, and from now on each change of it with its cause",
        run: Desk::watch,
    },
    Command {
        name: "unwatch",
        aliases: &[],
        arguments: "[NAME]",
        about: "stop watching one, or all",
        run: Desk::unwatch,
    },
    Command {
        name: "live",
        aliases: &[],
        arguments: "QUERY",
        about: "show the changes of a query, view or table and its table on the whole screen, as they come",
        run: Desk::live,
    },
    Command {
        name: "format",
        aliases: &[".mode"],
        arguments: "[FORMAT]",
        about: "show or set how results are written; insert TABLE says into which table the rows go",
        run: Desk::format,
    },
    Command {
        name: "view",
        aliases: &[],
        arguments: "[VIEW]",
        about: "auto, changes, retract, upsert or table: which side of a result is shown",
        run: Desk::view,
    },
    Command {
        name: "maxrows",
        aliases: &[],
        arguments: "[N]",
        about: "the most rows of a box, those in the middle are left out; 0 is no limit",
        run: |desk, argument| {
            let limit = desk.limit("maxrows", argument, desk.output.taste.max_rows)?;
            desk.output.taste.max_rows = limit;
            Ok(())
        },
    },
    Command {
        name: "maxwidth",
        aliases: &[],
        arguments: "[N]",
        about: "the width of a box; 0 is that of the terminal",
        run: |desk, argument| {
            let limit = desk.limit("maxwidth", argument, desk.output.taste.max_width)?;
            desk.output.taste.max_width = limit;
            Ok(())
        },
    },
    Command {
        name: "nullvalue",
        aliases: &[],
        arguments: "[TEXT]",
        about: "what stands for NULL; '' is nothing, and without a text each format has its own",
        run: |desk, argument| {
            desk.set_null(argument);
            Ok(())
        },
    },
    Command {
        name: "pset",
        aliases: &["\\pset"],
        arguments: "[NAME [VALUE]]",
        about: "what psql calls so: null TEXT, format, expanded, tuples_only and pager",
        run: Desk::print_setting,
    },
    Command {
        name: "headers",
        aliases: &[".header"],
        arguments: "[on | off]",
        about: "whether the names of the columns are shown",
        run: |desk, argument| {
            let headers = desk.switch("headers", argument, desk.output.taste.headers)?;
            desk.output.taste.headers = headers;
            Ok(())
        },
    },
    Command {
        name: "output",
        aliases: &["\\o"],
        arguments: "[FILE]",
        about: "write results to a file; without one, to the standard output again",
        run: |desk, argument| {
            let path = (!argument.is_empty()).then(|| unquoted(argument));
            desk.redirect(path.map(Path::new))
        },
    },
    Command {
        name: "once",
        aliases: &["\\once"],
        arguments: "FILE",
        about: "the result of the next statement replaces a file, if it does not fail",
        run: Desk::once,
    },
    Command {
        name: "pager",
        aliases: &["\\pager"],
        arguments: "[on | off | auto]",
        about: "show what is taller than the screen with $ROWKIND_PAGER, $PAGER or less",
        run: Desk::pager,
    },
    Command {
        name: "timer",
        aliases: &["\\timing"],
        arguments: "[on | off]",
        about: "say how long each statement takes",
        run: |desk, argument| {
            let timing = desk.switch("timer", argument, desk.manner.timing)?;
            desk.manner.timing = timing;
            Ok(())
        },
    },
    Command {
        name: "echo",
        aliases: &[],
        arguments: "[on | off]",
        about: "write each statement before its result",
        run: |desk, argument| {
            let echo = desk.switch("echo", argument, desk.manner.echo)?;
            desk.manner.echo = echo;
            Ok(())
        },
    },
    Command {
        name: "bail",
        aliases: &[],
        arguments: "[on | off]",
        about: "stop a script at the first statement that fails, which is how it starts",
        run: |desk, argument| {
            let bail = desk.switch("bail", argument, !desk.manner.keep_going)?;
            desk.manner.keep_going = !bail;
            Ok(())
        },
    },
];

/// A name without the backticks around it.
pub(super) fn bare_name(name: &str) -> String {
    let name = name.trim();
    let quoted = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
    quoted.map_or_else(|| name.to_owned(), |name| name.replace("``", "`"))
}

/// A text without the quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text)
}

impl Desk {
    /// Sets what stands for NULL; without a text each format has its own.
    pub(super) fn set_null(&mut self, argument: &str) {
        self.output.taste.null = (!argument.is_empty()).then(|| unquoted(argument).into());
    }

    pub(super) fn format(&mut self, argument: &str) -> Result<(), Stop> {
        if argument.is_empty() {
            return Ok(writeln!(self.output.out, "{}", self.format_in_full())?);
        }
        let (name, table) = argument.split_once(char::is_whitespace).unwrap_or((argument, ""));
        match name.parse::<Format>() {
            Ok(format) if format != Format::Insert && !table.is_empty() => {
                let problem = format!("\"{}\" is not expected behind {format}", table.trim());
                self.report(&Problem::new(problem).with_hint("Only insert has a table: .format insert TABLE"))
            }
            Ok(format) => {
                if format == Format::Insert {
                    self.output.taste.table = (!table.is_empty()).then(|| bare_name(table).into());
                }
                // Whoever chooses another wants to see it.
                if format.is_for_eyes() && self.output.taste.expansion == Expansion::On {
                    self.output.taste.expansion = Expansion::Off;
                }
                self.manner.format = format;
                Ok(())
            }
            Err(error) => self.report(&Problem::new(error.to_string()).with_hint(error.hint())),
        }
    }

    /// How results are written, as `.format` takes it.
    pub(super) fn format_in_full(&self) -> String {
        match (self.manner.format, &self.output.taste.table) {
            (Format::Insert, Some(table)) => format!("{} {}", Format::Insert, quoted_if_needed(table)),
            (format, _) => format.to_string(),
        }
    }

    fn view(&mut self, name: &str) -> Result<(), Stop> {
        if name.is_empty() {
            return Ok(writeln!(self.output.out, "{}", self.output.taste.side)?);
        }
        match name.parse::<Side>() {
            Ok(side) => {
                self.output.taste.side = side;
                Ok(())
            }
            Err(error) => {
                let hint = match nearest(name, Side::ALL.map(Side::name)) {
                    Some(near) => format!("Did you mean {near}?"),
                    None => format!("The views are {}.", Side::ALL.map(Side::name).join(", ")),
                };
                self.report(&Problem::new(error.to_string()).with_hint(hint))
            }
        }
    }

    pub(super) fn pager(&mut self, name: &str) -> Result<(), Stop> {
        if name.is_empty() {
            return Ok(writeln!(self.output.out, "{}", self.manner.paging.name())?);
        }
        let Some(paging) = Paging::from_name(name) else {
            let problem = Problem::new(format!(".pager is on, off or auto, not \"{name}\""));
            return self.report(&problem.with_hint("$ROWKIND_PAGER names the program."));
        };
        self.manner.paging = paging;
        self.unusable_pager = None;
        Ok(())
    }

    /// Reads a limit, of which 0 is none; without one, says which it is and leaves it.
    fn limit(&mut self, name: &str, argument: &str, now: Option<usize>) -> Result<Option<usize>, Stop> {
        if argument.is_empty() {
            writeln!(self.output.out, "{}", now.unwrap_or(0))?;
            return Ok(now);
        }
        match argument.parse::<usize>() {
            Ok(0) => Ok(None),
            Ok(limit) => Ok(Some(limit)),
            Err(_) => {
                let problem = Problem::new(format!(".{name} is a number, not \"{argument}\""));
                self.report(&problem.with_hint("0 is no limit.")).map(|()| now)
            }
        }
    }

    /// Lets results go to a file, or to the standard output again.
    pub(super) fn redirect(&mut self, path: Option<&Path>) -> Result<(), Stop> {
        match self.output.redirect(path, self.session.streams()) {
            Ok(()) => Ok(()),
            Err(error) => match path {
                Some(path) => self.report(&unwritable(path, &error)),
                None => Err(error.into()),
            },
        }
    }

    fn once(&mut self, path: &str) -> Result<(), Stop> {
        if path.is_empty() {
            return self.report(&Problem::new(".once needs the name of a file"));
        }
        self.once = Some(unquoted(path).into());
        Ok(())
    }
}
