//! Comment lines that say how a script is to be run.

use rowkind::changelog::RowKind;
use rowkind::render::{Problem, write_log};
use rowkind::session::STRICT;

use super::desk::{Desk, Spot};
use super::status::Stop;

impl Desk {
    /// Does what a directive says. The text is without its dashes.
    pub(super) fn direct(&mut self, spot: Spot<'_>, directive: &str) -> Result<(), Stop> {
        if self.is_transcript() {
            writeln!(self.output.out, "-- {directive}")?;
        }
        let (word, rest) = directive.split_once(':').unwrap_or((directive, ""));
        match word {
            "kinds" => self.give_kinds(rest),
            "log" if self.is_transcript() => self.show_log(spot, rest.trim()),
            "unordered" => {
                self.unordered = true;
                Ok(())
            }
            "strict" => match self.session.set(STRICT, "true") {
                Ok(_) => Ok(()),
                Err(error) => self.fail(spot, &error.into()),
            },
            // A version of Flink says how a recording was made, and a log is only for transcripts.
            _ => Ok(()),
        }
    }

    fn give_kinds(&mut self, symbols: &str) -> Result<(), Stop> {
        let kinds = symbols.split_whitespace().map(|symbol| symbol.parse::<RowKind>().map_err(|()| symbol));
        match kinds.collect::<Result<Vec<_>, _>>() {
            Ok(kinds) => {
                self.session.set_kinds(kinds);
                Ok(())
            }
            Err(symbol) => {
                let problem = Problem::new(format!("\"{symbol}\" is no kind of a change"));
                self.report(&problem.with_hint("The kinds are +I, -U, +U and -D."))
            }
        }
    }

    fn show_log(&mut self, spot: Spot<'_>, table: &str) -> Result<(), Stop> {
        match self.session.log(table) {
            Ok(log) => Ok(write_log(&mut self.output.out, &log)?),
            Err(error) => self.fail(spot, &error),
        }
    }
}
