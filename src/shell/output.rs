//! Where text goes, and how it may look there.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};

use rowkind::render::{Look, Painter, Problem, Role, printable};

use super::arguments::Colour;

/// The standard output for results and the standard error for everything else.
pub(super) struct Output {
    /// Results.
    pub(super) out: Box<dyn Write>,
    out_place: Place,
    err: Box<dyn Write>,
    err_place: Place,
    /// Whether to say nothing but results and errors.
    quiet: bool,
}

/// Where a stream goes.
#[derive(Debug, Clone, Copy)]
struct Place {
    terminal: bool,
    colour: bool,
}

/// The width that is assumed of a terminal that does not tell it.
const WIDTH: usize = 80;

impl Place {
    fn new(stream: &impl IsTerminal, colour: Colour) -> Self {
        let terminal = stream.is_terminal();
        Self { terminal, colour: wants_colour(colour, terminal, |name| env::var(name).ok()) }
    }

    /// A terminal can change its width at any time.
    fn width(self) -> Option<usize> {
        self.terminal.then(terminal_width)
    }

    fn painter(self) -> Painter {
        Painter::new(self.colour)
    }
}

impl Output {
    /// The process's own streams.
    pub(super) fn standard(colour: Colour, quiet: bool) -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let (out_place, err_place) = (Place::new(&stdout, colour), Place::new(&stderr, colour));
        // Tables are coloured through crossterm, which would look at the environment itself.
        crossterm::style::force_color_output(out_place.colour);
        let out = Box::new(BufWriter::with_capacity(64 << 10, stdout));
        Self { out, out_place, err: Box::new(stderr), err_place, quiet }
    }

    /// How a result may look.
    pub(super) fn look(&self) -> Look {
        Look { width: self.out_place.width(), colour: self.out_place.colour, unordered: false }
    }

    /// Whether results go to a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.out_place.terminal
    }

    /// Says something that is no result, as one line. What is written so far comes before it.
    pub(super) fn notice(&mut self, notice: &str) {
        if !self.quiet {
            let label = self.err_place.painter().painted(Role::Hint, "notice:");
            self.say(&format!("{label} {}\n", printable(notice)));
        }
    }

    /// Says how something went, to somebody who sits at the terminal.
    pub(super) fn remark(&mut self, remark: &str) {
        if !self.quiet {
            self.timing(remark);
        }
    }

    /// Says what went wrong.
    pub(super) fn problem(&mut self, problem: &Problem<'_>) {
        let mut text = Vec::new();
        problem
            .write(&mut text, self.err_place.painter(), self.err_place.width())
            .expect("memory takes all that is written to it");
        self.say(&String::from_utf8_lossy(&text));
    }

    /// Says how long something took, whether or not anything else is said.
    pub(super) fn timing(&mut self, text: &str) {
        let text = self.err_place.painter().painted(Role::Dim, text);
        self.say(&format!("{text}\n"));
    }

    /// If the standard error cannot be written there is nobody to tell. An error of the standard output
    /// comes again when it is next written or flushed.
    fn say(&mut self, text: &str) {
        let _ = self.out.flush();
        let _ = self.err.write_all(text.as_bytes());
        let _ = self.err.flush();
    }
}

fn terminal_width() -> usize {
    let columns = crossterm::terminal::size().map_or(0, |(columns, _)| usize::from(columns));
    if columns == 0 { WIDTH } else { columns }
}

/// Whether to use colour: what the command line says, then the environment, then where it goes.
fn wants_colour(colour: Colour, terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR") => false,
        Colour::Auto if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") => {
            true
        }
        Colour::Auto => terminal && variable("TERM").is_none_or(|term| term != "dumb"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_comes_before_the_environment_and_that_before_the_terminal() {
        let with = |set: &'static [(&str, &str)]| {
            move |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let auto = |terminal, set| wants_colour(Colour::Auto, terminal, with(set));
        assert!(auto(true, &[]) && !auto(false, &[]));
        assert!(!auto(true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(auto(true, &[("NO_COLOR", "")]));
        assert!(auto(false, &[("CLICOLOR_FORCE", "1")]) && !auto(false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!auto(true, &[("TERM", "dumb")]));
        assert!(wants_colour(Colour::Always, false, with(&[("NO_COLOR", "1")])));
        assert!(!wants_colour(Colour::Never, true, with(&[])));
    }
}
