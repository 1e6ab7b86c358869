//! The commands about the last statement: again, in another way, or every few seconds.

use std::time::Duration;

use rowkind::render::{Painter, Problem, Role};
use rowkind::sql::Terminator;

use super::command::Command;
use super::desk::{Desk, Spot};
use super::pager::Paging;
use super::result_command::unquoted;
use super::screen::Notices;
use super::status::Stop;

/// The commands, in the order in which the help shows them.
pub(super) const COMMANDS: [Command; 4] = [
    Command {
        name: "g",
        aliases: &["\\g"],
        arguments: "[FILE]",
        about: "run the last statement again; its result replaces a file if one is named",
        run: |desk, file| desk.again(file, Terminator::Semicolon),
    },
    Command {
        name: "gx",
        aliases: &["\\gx"],
        arguments: "[FILE]",
        about: "the same with one column a line",
        run: |desk, file| desk.again(file, Terminator::Vertical),
    },
    Command {
        name: "gdesc",
        aliases: &["\\gdesc"],
        arguments: "",
        about: "show the columns of the last query with their types, without running it",
        run: |desk, _| desk.describe_last(),
    },
    Command {
        name: "repeat",
        aliases: &["\\watch"],
        arguments: "[SECONDS] [c=N]",
        about: "run the last statement again every 2 s, or SECONDS, until Ctrl-C or N times; .watch shows changes",
        run: Desk::repeat,
    },
];

/// How often the last statement is run again.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Times {
    /// From the end of one run to the start of the next, in seconds.
    interval: f64,
    /// How often in all; without a number there is no end.
    count: Option<u64>,
}

impl Times {
    /// Reads `2`, `i=0.5`, `c=3` or several of them, as psql has it.
    fn read(text: &str) -> Result<Self, Problem<'static>> {
        let (mut interval, mut count) = (None, None);
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or(("i", word));
            let is_twice = match name {
                "i" | "interval" => interval.replace(seconds(value)?).is_some(),
                "c" | "count" => count.replace(whole(value)?).is_some(),
                _ => {
                    let problem = Problem::new(format!(".repeat knows no \"{name}\""));
                    return Err(problem.with_hint("It has i=SECONDS and c=N."));
                }
            };
            if is_twice {
                return Err(Problem::new(format!(".repeat has {name} twice")));
            }
        }
        Ok(Self { interval: interval.unwrap_or(2.0), count })
    }

    fn pause(self) -> Duration {
        Duration::try_from_secs_f64(self.interval).unwrap_or(Duration::MAX)
    }
}

fn seconds(text: &str) -> Result<f64, Problem<'static>> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| Problem::new(format!("\"{text}\" is no number of seconds")))
}

fn whole(text: &str) -> Result<u64, Problem<'static>> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| Problem::new(format!("\"{text}\" is no number of times")))
}

impl Desk {
    /// The last statement that was run, or that stands before the command.
    fn last_statement(&mut self) -> Result<String, Stop> {
        if let Some(text) = &self.last_statement {
            return Ok(text.clone());
        }
        let problem = Problem::new("there is no statement to run again");
        self.report(&problem.with_hint("Run one first, or write it before the command."))?;
        Err(Stop::Failed)
    }

    fn again(&mut self, file: &str, terminator: Terminator) -> Result<(), Stop> {
        let text = self.last_statement()?;
        if !file.is_empty() {
            self.once = Some(unquoted(file).into());
        }
        self.run(Spot::of_text(&text), &text, terminator)
    }

    fn describe_last(&mut self) -> Result<(), Stop> {
        let text = self.last_statement()?;
        match self.session.describe_query(&text, &mut Notices(&mut self.output)) {
            Ok(Some(columns)) => {
                let (format, look) = (self.shown_format(), self.output.look());
                Ok(format.write_rows(&mut self.output.out, &look, &columns)?)
            }
            Ok(None) => {
                self.output.notice("the last statement is no query, so it has no columns");
                Ok(())
            }
            Err(error) => self.fail(Spot::of_text(&text), &error),
        }
    }

    fn repeat(&mut self, argument: &str) -> Result<(), Stop> {
        let times = match Times::read(argument) {
            Ok(times) => times,
            Err(problem) => return self.report(&problem),
        };
        let text = self.last_statement()?;
        if times.count.is_none() && self.is_live() {
            let problem = Problem::new(".repeat needs an end here, where nothing is seen before it");
            return self.report(&problem.with_hint("c=N says how often the statement is run."));
        }
        // A pager would wait for somebody.
        let paging = std::mem::replace(&mut self.manner.paging, Paging::Off);
        let result = self.repeat_text(&text, times);
        self.manner.paging = paging;
        result
    }

    fn repeat_text(&mut self, text: &str, times: Times) -> Result<(), Stop> {
        let mut done = 0;
        loop {
            self.write_time(times, done == 0)?;
            self.run_text(text)?;
            done += 1;
            if times.count.is_some_and(|count| done >= count) {
                return Ok(());
            }
            self.settle()?;
            if self.interrupt.wait(times.pause()) {
                return Err(Stop::Interrupted);
            }
        }
    }

    /// Writes when the result that follows was made, where results have room for it.
    fn write_time(&mut self, times: Times, is_first: bool) -> Result<(), Stop> {
        if !self.shown_format().is_for_eyes() {
            return Ok(());
        }
        let zone = self.session.settings().time_zone.clone();
        let now = jiff::Timestamp::now().to_zoned_datetime(zone);
        let title = format!("{} (every {}s)", now.strftime("%a %b %e %H:%M:%S %Z %Y"), times.interval);
        let title = Painter::new(self.output.look().colour).painted(Role::Heading, &title);
        let gap = if is_first { "" } else { "\n" };
        writeln!(self.output.out, "{gap}{title}")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_and_the_count_are_read_as_psql_has_them() {
        let read = |text| Times::read(text).map_err(|problem| problem.message);
        assert_eq!(read(""), Ok(Times { interval: 2.0, count: None }));
        assert_eq!(read("0.5"), Ok(Times { interval: 0.5, count: None }));
        assert_eq!(read("c=3  i=0"), Ok(Times { interval: 0.0, count: Some(3) }));
        assert_eq!(read("1 count=1"), Ok(Times { interval: 1.0, count: Some(1) }));
        for (text, message) in [
            ("soon", "\"soon\" is no number of seconds"),
            ("-1", "\"-1\" is no number of seconds"),
            ("inf", "\"inf\" is no number of seconds"),
            ("c=0", "\"0\" is no number of times"),
            ("2 i=3", ".repeat has i twice"),
            ("m=2", ".repeat knows no \"m\""),
        ] {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_pause_may_be_longer_than_any_time() {
        assert_eq!(Times::read("1e300").unwrap().pause(), Duration::MAX);
    }
}
