//! The front desk: takes statements, hands them to the session and shows what comes back.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use rowkind::Session;
use rowkind::connect::Replacement;
use rowkind::render::{Ending, Excerpt, Format, Look, Problem, write_answer, write_echo, write_problem};
use rowkind::session::{Command, Error, Outcome, PRINT_TIME_COST, RESULT_MODE, VERBOSE};
use rowkind::sql::{ParseError, Span, Terminator};

use super::editor::Dress;
use super::help;
use super::input::Source;
use super::interrupt::Interrupt;
use super::live::Meanwhile;
use super::output::{Output, terminal_size};
use super::pager::{Page, Pager, Paging};
use super::screen::Screen;
use super::status::Stop;
use super::watch::Watch;

/// A session and all that is around it.
pub(super) struct Desk {
    pub(super) session: Session,
    pub(super) output: Output,
    pub(super) interrupt: Interrupt,
    pub(super) manner: Manner,
    pub(super) watch: Watch,
    /// What has come while a query has the whole screen, if one has.
    pub(super) meanwhile: Option<Meanwhile>,
    /// Whether the next query of a transcript is shown sorted.
    pub(super) unordered: bool,
    /// The files that are being read, the innermost last.
    pub(super) reading: Vec<PathBuf>,
    /// What was typed before, for `HISTORY`.
    pub(super) history: Vec<String>,
    /// How the prompt looks.
    pub(super) dress: Dress,
    /// The last statement that was given, to be run again.
    pub(super) last_statement: Option<String>,
    /// The last error, as it was shown.
    pub(super) last_problem: Option<String>,
    /// Whether something failed, even if more was run after it.
    pub(super) failed: bool,
    /// The file that the next result replaces.
    pub(super) once: Option<PathBuf>,
    /// A pager that is not tried again: it could not be run.
    pub(super) unusable_pager: Option<Pager>,
}

/// How the shell behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(super) struct Manner {
    /// How results are written.
    pub(super) format: Format,
    /// Whether somebody types the statements.
    pub(super) interactive: bool,
    /// Whether a script goes on after a statement that failed.
    pub(super) keep_going: bool,
    /// Whether to say how long a statement took.
    pub(super) timing: bool,
    /// Whether to write each statement before its result.
    pub(super) echo: bool,
    /// When results go through a pager.
    pub(super) paging: Paging,
}

/// The values of the settings that are about the shell, where they are set.
pub(super) type FollowedSettings = [Option<String>; 3];

/// Where a statement or a command stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    /// The script.
    pub(super) source: Source<'a>,
    /// The byte of the script at which it starts.
    pub(super) offset: usize,
}

impl<'a> Spot<'a> {
    /// A text that stands alone.
    pub(super) fn of_text(text: &'a str) -> Self {
        Self { source: Source { text, name: None }, offset: 0 }
    }
}

impl Desk {
    pub(super) fn new(session: Session, output: Output, interrupt: Interrupt, manner: Manner) -> Self {
        Self {
            session,
            output,
            interrupt,
            manner,
            watch: Watch::default(),
            meanwhile: None,
            unordered: false,
            reading: Vec::new(),
            history: Vec::new(),
            dress: Dress::default(),
            last_statement: None,
            last_problem: None,
            failed: false,
            once: None,
            unusable_pager: None,
        }
    }

    /// Whether results are a transcript, in which statements and errors stand, too.
    pub(super) fn is_transcript(&self) -> bool {
        self.manner.format == Format::Transcript
    }

    /// Whether a query has the whole screen, so that nothing else can be seen.
    pub(super) fn is_live(&self) -> bool {
        self.meanwhile.is_some()
    }

    /// Runs a statement and shows what it gives, where it is to be shown.
    pub(super) fn run(&mut self, spot: Spot<'_>, text: &str, terminator: Terminator) -> Result<(), Stop> {
        if self.is_transcript() {
            write_echo(&mut self.output.out, text)?;
            // A table of connector "stdout" or "print" writes behind it.
            self.settle()?;
        } else if self.manner.echo {
            let end = if terminator == Terminator::Vertical { "\\G" } else { ";" };
            writeln!(self.output.out, "{text}{end}")?;
            self.settle()?;
        }
        let started = Instant::now();
        self.output.begin_progress();
        let settings = self.followed_settings();
        let result = match self.once.take() {
            Some(path) => self.run_into(&path, |desk| desk.show(spot, text, terminator)),
            None => self.paged(|desk| desk.show(spot, text, terminator)),
        };
        self.follow_settings(&settings);
        if let Err(stop @ (Stop::Closed | Stop::Output(_))) = result {
            return Err(stop);
        }
        // What a statement did before it failed has happened all the same.
        let news = self.tell_news();
        if self.manner.timing {
            self.output.timing(&format!("time: {}", duration(started.elapsed())));
        }
        self.settle()?;
        result.and(news)
    }

    /// Runs a statement and shows what it gives.
    fn show(&mut self, spot: Spot<'_>, text: &str, terminator: Terminator) -> Result<(), Stop> {
        let unordered = std::mem::take(&mut self.unordered);
        let mut look = Look { unordered, ..self.output.look() };
        let format = match terminator {
            Terminator::Vertical if self.manner.format.is_for_eyes() => {
                look.side = self.manner.format.side(&look);
                Format::Vertical
            }
            Terminator::Vertical | Terminator::Semicolon | Terminator::Command | Terminator::End => {
                if self.shown_format() != self.manner.format {
                    look.side = self.manner.format.side(&look);
                }
                self.shown_format()
            }
        };
        let lively = format.is_line_by_line() || self.manner.interactive;
        let mut screen = Screen::new(&mut self.output, format.view(&look), format.side(&look), lively);
        let result = self.session.execute(text, &mut screen);
        let ending = match &result {
            Ok(_) => Ending::Complete,
            Err(error) if error.is_cancelled() => Ending::Cancelled,
            Err(_) => Ending::Failed,
        };
        let changes = screen.end(ending)?;
        match result {
            Ok(outcome) => self.answer(format, &outcome),
            Err(error) if error.is_cancelled() => self.cancelled(changes),
            Err(error) if error.is_closed_pipe() => Err(Stop::Closed),
            Err(error) => self.fail(spot, &error),
        }
    }

    /// Lets the result of something replace a file. If it fails, the file stays as it is.
    pub(super) fn run_into(
        &mut self,
        path: &Path,
        act: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let replacement = Replacement::of(path);
        let destination = match self.output.begin_once(&replacement, self.session.streams()) {
            Ok(destination) => destination,
            Err(error) => return self.report(&unwritable(path, &error)),
        };
        let result = act(self);
        let written = self.output.end_once(destination, self.session.streams());
        let written = match result {
            Ok(()) => written.and_then(|()| replacement.commit()),
            Err(Stop::Output(error)) => Err(error),
            Err(Stop::Closed) => Err(std::io::ErrorKind::BrokenPipe.into()),
            Err(stop) => return Err(stop),
        };
        written.or_else(|error| self.report(&unwritable(path, &error)))
    }

    /// Lets the result of something go through the pager if it is tall and somebody reads it.
    pub(super) fn paged(&mut self, act: impl FnOnce(&mut Self) -> Result<(), Stop>) -> Result<(), Stop> {
        let Some(page) = self.page() else { return act(self) };
        let destination = self.output.begin_page(&page)?;
        let result = act(self);
        let is_left = page.is_left();
        self.output.end_page(&page, destination)?;
        if let Some((pager, why)) = page.defect() {
            let name = pager.name();
            self.output
                .notice(&format!("the pager \"{name}\" cannot be run: {why}; results come to the screen"));
            self.unusable_pager = Some(pager);
        }
        match result {
            // Whoever leaves the pager has seen enough.
            Err(Stop::Closed) if is_left => Ok(()),
            result => result,
        }
    }

    fn page(&self) -> Option<Rc<Page>> {
        if !self.manner.interactive || !self.output.is_terminal() || self.manner.paging == Paging::Off {
            return None;
        }
        let pager = Pager::of_environment(|name| std::env::var_os(name))?;
        if self.unusable_pager.as_ref() == Some(&pager) {
            return None;
        }
        match self.manner.paging {
            Paging::On => Some(Page::new(pager, 0, self.output.line())),
            // The last line is for the prompt.
            Paging::Auto | Paging::Off => {
                let room = terminal_size().1?.saturating_sub(1);
                Some(Page::new(pager, room, self.output.line()))
            }
        }
    }

    /// Writes what is written to where somebody or something may wait for it.
    pub(super) fn settle(&mut self) -> Result<(), Stop> {
        self.output.end_progress();
        Ok(self.output.out.flush()?)
    }

    /// Shows what a statement says that is no query.
    fn answer(&mut self, format: Format, outcome: &Outcome) -> Result<(), Stop> {
        let look = &self.output.look();
        match outcome {
            Outcome::Command(command) => return self.serve(*command),
            Outcome::Rows(rows) => format.write_rows(&mut self.output.out, look, rows)?,
            Outcome::Text(text) => format.write_text(&mut self.output.out, look, text)?,
            Outcome::Queried => {}
            Outcome::Done
            | Outcome::Inserted { .. }
            | Outcome::Updated { .. }
            | Outcome::Deleted { .. }
            | Outcome::Started { .. } => {
                if self.is_transcript() {
                    write_answer(&mut self.output.out, outcome)?;
                } else if self.manner.interactive {
                    self.output.remark(&remark(outcome));
                }
            }
        }
        Ok(())
    }

    /// Does what a statement asks of the shell.
    fn serve(&mut self, command: Command) -> Result<(), Stop> {
        match command {
            Command::Quit => return Err(Stop::Quit),
            Command::Help => {
                let text = help::overview(self.output.look().width);
                self.output.out.write_all(text.as_bytes())?;
            }
            Command::Clear if self.output.is_terminal() => {
                self.output.out.write_all(b"\x1b[H\x1b[2J\x1b[3J")?;
            }
            Command::Clear => {}
            Command::History => {
                for entry in &self.history {
                    writeln!(self.output.out, "{entry}")?;
                }
            }
        }
        Ok(())
    }

    /// Says that a statement was cancelled, after so many changes if it is a query.
    pub(super) fn cancelled(&mut self, changes: Option<usize>) -> Result<(), Stop> {
        self.interrupt.take();
        if self.manner.interactive {
            let after = changes.map(|changes| format!(" after {}", counted(changes, "change")));
            self.output.notice(&format!("cancelled{}", after.unwrap_or_default()));
        }
        Err(Stop::Interrupted)
    }

    /// The settings that are about the shell.
    fn followed_settings(&self) -> FollowedSettings {
        [RESULT_MODE, PRINT_TIME_COST, VERBOSE].map(|key| self.session.settings().get(key).map(str::to_owned))
    }

    /// Does what settings say about the shell, if they were other ones before.
    pub(super) fn follow_settings(&mut self, before: &FollowedSettings) {
        let [mode, time_cost, verbose] = self.followed_settings();
        if mode != before[0] && self.manner.format.is_for_eyes() {
            self.manner.format =
                if mode.as_deref() == Some("table") { Format::Table } else { Format::Changelog };
        }
        if time_cost != before[1] {
            self.manner.timing = time_cost.as_deref() == Some("true");
        }
        if verbose != before[2] {
            self.output.verbose = verbose.as_deref() == Some("true");
        }
    }

    /// Reports an error of a statement.
    pub(super) fn fail(&mut self, spot: Spot<'_>, error: &Error) -> Result<(), Stop> {
        let problem = Problem {
            message: error.to_string(),
            detail: error.detail(),
            hint: error.hint(),
            excerpt: error.span().map(|span| excerpt(spot, span)),
        };
        self.report(&problem)
    }

    /// Reports that a script is not closed somewhere. The place is relative to the spot.
    pub(super) fn fail_to_split(&mut self, spot: Spot<'_>, error: &ParseError) -> Result<(), Stop> {
        let problem = Problem {
            message: error.message.clone(),
            detail: None,
            hint: error.hint.clone(),
            excerpt: Some(excerpt(spot, error.span)),
        };
        self.report(&problem)
    }

    /// Reports an error.
    pub(super) fn report(&mut self, problem: &Problem<'_>) -> Result<(), Stop> {
        if self.is_transcript() {
            let (detail, hint) = (problem.detail.as_deref(), problem.hint.as_deref());
            write_problem(&mut self.output.out, &problem.message, detail, hint)?;
        }
        self.output.problem(problem);
        self.last_problem = Some(problem.text());
        self.failed = true;
        Err(Stop::Failed)
    }

    /// Shows what the last statement did to what is watched, and which pipelines it made fail.
    pub(super) fn tell_news(&mut self) -> Result<(), Stop> {
        let (news, failures) = (self.session.take_watched(), self.session.take_failures());
        let result = if failures.is_empty() { Ok(()) } else { Err(Stop::Broken) };
        if let Some(meanwhile) = &mut self.meanwhile {
            meanwhile.keep(news, failures);
            return result;
        }
        let format = self.shown_format();
        self.watch.show(&mut self.output, format, &news, &self.session)?;
        for failure in failures {
            let _ = self.report(&Problem::new(failure));
        }
        result
    }

    /// Goes on as long as something is followed that has no end: until Ctrl-C.
    fn follow_to_the_end(&mut self) -> Result<(), Stop> {
        while let Some(pause) = self.session.follow() {
            self.tell_news()?;
            self.settle()?;
            if self.interrupt.wait(pause) {
                self.session.finish();
                self.tell_news()?;
                self.settle()?;
                return Err(Stop::Interrupted);
            }
        }
        Ok(())
    }

    /// Ends the pipelines, as a script does at its end.
    pub(super) fn finish(&mut self) -> Result<(), Stop> {
        self.follow_to_the_end()?;
        self.session.finish();
        let result = self.tell_news();
        self.settle()?;
        result
    }
}

/// What is wrong with a file that cannot be written.
pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Problem<'static> {
    Problem::new(format!("file \"{}\" cannot be written: {error}", path.display()))
}

fn excerpt(spot: Spot<'_>, span: Span) -> Excerpt<'_> {
    Excerpt::of_statement(spot.source.text, spot.offset, span).in_file(spot.source.name)
}

/// `2 rows`
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// What a statement did, for somebody who typed it.
fn remark(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Updated { table, rows } => format!("{} of {table} updated", counted(*rows, "row")),
        Outcome::Deleted { table, rows } => format!("{} of {table} deleted", counted(*rows, "row")),
        Outcome::Inserted { table, rows } => format!("{} into {table}", counted(*rows, "row")),
        Outcome::Started { job, table, changes, running } => {
            let follows = if *running { ", and follows its sources" } else { "" };
            format!("job {job} wrote {} into {table}{follows}", counted(*changes, "change"))
        }
        Outcome::Done | Outcome::Queried | Outcome::Rows(_) | Outcome::Text(_) | Outcome::Command(_) => {
            "OK".to_owned()
        }
    }
}

fn duration(time: std::time::Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1_000.0),
        seconds => format!("{seconds:.2} s"),
    }
}
