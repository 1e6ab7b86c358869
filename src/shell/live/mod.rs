//! `.live`: the whole screen shows a query as it changes.
//!
//! [`model`] is what is on the screen and what keys do, [`draw`] makes lines of it, and neither knows a
//! terminal. [`terminal`] takes and gives back the screen; here they are driven.

mod card;
mod content;
mod draw;
mod grid;
mod input;
mod line;
mod model;
mod pane;
mod terminal;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{Clear, ClearType};
use rowkind::changelog::Cause;
use rowkind::render::{Problem, entry_text};
use rowkind::session::Watched;

use super::desk::{Desk, Spot};
use super::editor::{complete, marks};
use super::output::terminal_size;
use super::screen::Notices;
use super::status::Stop;
use super::written::Written;
use model::{Action, Model, State};
use terminal::Screen;

/// The name under which the session watches what is shown. Nothing that is watched from the prompt has it.
const NAME: &str = ".live";

/// The longest time without a look at the clock.
const BEAT: Duration = Duration::from_millis(250);

/// The shortest time between two looks at what is followed.
const SHORTEST: Duration = Duration::from_millis(10);

/// What has come while a query has the whole screen, and what else is to be shown later.
#[derive(Debug, Default)]
pub(super) struct Meanwhile {
    /// The news of what is watched.
    news: Vec<Watched>,
    /// What failed by itself.
    failures: Vec<String>,
}

impl Meanwhile {
    /// Keeps news, behind those of the same name, and failures.
    pub(super) fn keep(&mut self, news: Vec<Watched>, failures: Vec<String>) {
        for news in news {
            match self.news.iter_mut().find(|before| before.name == news.name) {
                Some(before) => news.changes.iter().for_each(|change| before.changes.push_change(change)),
                None => self.news.push(news),
            }
        }
        self.failures.extend(failures);
    }
}

impl Desk {
    /// Shows a query, view or table on the whole screen until somebody leaves.
    pub(super) fn live(&mut self, text: &str) -> Result<(), Stop> {
        let is_able = std::env::var("TERM").is_ok_and(|term| term != "dumb");
        if !self.manner.interactive || !self.output.is_terminal() || !io::stdin().is_terminal() || !is_able {
            let problem = Problem::new(".live needs the whole screen of a terminal");
            return self
                .report(&problem.with_hint(".watch QUERY shows the same changes below each statement."));
        }
        if text.is_empty() {
            let problem = Problem::new(".live needs a query, or the name of a view or table");
            return self.report(&problem.with_hint("For example: .live SELECT COUNT(*) AS n FROM orders"));
        }
        let there = match self.session.watch_as(NAME, text, &mut Notices(&mut self.output)) {
            Ok(there) => there,
            Err(error) => {
                let spot = Spot::of_text(text);
                return self.fail(spot, &error);
            }
        };
        let Some(header) = there.header else { return Ok(()) };
        self.settle()?;
        let now = jiff::Timestamp::now().as_millisecond();
        let mut model = Model::new(text, header, &there.changes, self.history.clone(), now);
        let (painter, colours) = (self.output.painter(), self.dress.theme);
        // What is written, also by pipelines, would be in the midst of the screen.
        let written = Written::default();
        let unframed = self.output.begin_frame(&written, self.session.streams())?;
        self.meanwhile = Some(Meanwhile::default());
        let interrupt = self.interrupt.clone();
        let shown = interrupt.protected(|| {
            Screen::take(painter, colours).and_then(|screen| self.drive(&mut model, screen, &written))
        });
        let ended = self.output.end_frame(unframed, &written, self.session.streams());
        self.session.unwatch_one(NAME);
        self.interrupt.take();
        let Meanwhile { news, failures } = self.meanwhile.take().unwrap_or_default();
        ended?;
        let format = self.shown_format();
        self.watch.show(&mut self.output, format, &news, &self.session)?;
        for failure in failures {
            let _ = self.report(&Problem::new(failure));
        }
        match shown {
            Ok(()) => Ok(()),
            Err(error) => self.report(&Problem::new(format!("the terminal cannot be used: {error}"))),
        }
    }

    /// Draws, waits for keys and for changes, until somebody leaves.
    fn drive(&mut self, model: &mut Model, mut screen: Screen, written: &Written) -> io::Result<()> {
        let mut next = Instant::now();
        loop {
            if Instant::now() >= next {
                let pause = self.session.follow();
                let state = if pause.is_some() { State::Following } else { State::Live };
                next = Instant::now() + pause.unwrap_or(BEAT).max(SHORTEST);
                self.gather(model, state);
            }
            model.now = jiff::Timestamp::now().as_millisecond();
            let (width, height) = terminal_size();
            let size = (width.unwrap_or(model.size.0), height.unwrap_or(model.size.1));
            if model.size != size {
                model.size = size;
                screen.forget();
            }
            self.explain_changes(model);
            model.marks = marks(&self.session, model.input.text());
            screen.show(&draw::draw(model, size))?;
            if self.interrupt.take() || self.interrupt.has_ended() {
                return Ok(());
            }
            let wait = next.saturating_duration_since(Instant::now()).min(BEAT);
            if !event::poll(wait).or_else(ignore_interruption)? {
                continue;
            }
            // What is pasted without brackets is many keys: they are drawn together.
            loop {
                match event::read()? {
                    Event::Key(key) => match model.on_key(key) {
                        Action::Draw => {}
                        Action::Leave => {
                            self.dress.draft = typed_ahead()?;
                            return Ok(());
                        }
                        Action::Run(text) => {
                            if self.run_live(model, &mut screen, &text, written)? {
                                return Ok(());
                            }
                            next = Instant::now();
                            break;
                        }
                        Action::Trace(cause) => self.trace(model, cause),
                        Action::Complete => {
                            let (text, cursor) = (model.input.text(), model.input.cursor());
                            // A folder that cannot be read has nothing to offer.
                            let (start, pairs) =
                                complete(&self.session, text, cursor).unwrap_or((cursor, Vec::new()));
                            let texts: Vec<&str> = pairs.iter().map(|p| p.replacement.as_str()).collect();
                            model.complete(start, &texts);
                        }
                    },
                    Event::Paste(text) => model.on_paste(&text),
                    Event::Resize(..) => screen.forget(),
                    Event::FocusGained | Event::FocusLost | Event::Mouse(_) => {}
                }
                if !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
    }

    /// Gives the model what is new of what it shows. What else is watched is kept for the prompt.
    fn gather(&mut self, model: &mut Model, state: State) {
        let meanwhile = self.meanwhile.get_or_insert_default();
        meanwhile.keep(self.session.take_watched(), self.session.take_failures());
        let failures = std::mem::take(&mut meanwhile.failures);
        if !failures.is_empty() {
            model.complain(format!("error: {}", failures.join("\n")));
        }
        let is_watched = self.session.watched().any(|watched| watched == NAME);
        model.state = if is_watched { state } else { State::Ended };
        if let Some(place) = meanwhile.news.iter().position(|news| news.name == NAME) {
            model.feed(&meanwhile.news.remove(place).changes);
        }
    }

    /// Tells the model what caused the changes that it shows.
    fn explain_changes(&self, model: &mut Model) {
        for cause in model.unexplained() {
            let entry = self.session.logged_for(NAME, cause);
            model.explain(cause, entry.as_ref().map(entry_text).unwrap_or_default());
        }
    }

    fn trace(&self, model: &mut Model, cause: Cause) {
        model.trace(self.session.logged_for(NAME, cause).as_ref());
    }

    /// Lets a program of the system have the terminal, also while a query has the whole screen. Then what the
    /// program leaves there may have to be read before the screen comes back.
    pub(super) fn lend_terminal<T>(
        &self,
        is_read: bool,
        run: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        if !self.is_live() {
            return run();
        }
        terminal::step_aside()?;
        let result = run();
        if is_read {
            terminal::raw(|| wait_for_key(self))?;
        }
        terminal::step_back()?;
        result
    }

    /// Runs what was typed. Returns whether it says to leave.
    fn run_live(
        &mut self,
        model: &mut Model,
        screen: &mut Screen,
        text: &str,
        written: &Written,
    ) -> io::Result<bool> {
        model.state = State::Running;
        screen.show(&draw::draw(model, model.size))?;
        self.history.push(text.to_owned());
        let mut done = 0;
        let result = screen.with_signals(|| self.run_typed(text, &mut done))?;
        let failed = match result.and_then(|()| Ok(self.output.out.flush()?)) {
            Ok(()) | Err(Stop::Broken | Stop::Interrupted) => false,
            Err(Stop::Quit) => return Ok(true),
            Err(Stop::Failed | Stop::Closed) => true,
            Err(Stop::Output(error)) => {
                let _ = self.report(&Problem::new(format!("the output cannot be written: {error}")));
                true
            }
        };
        self.interrupt.take();
        // What is done already must not be done again.
        let rest = failed.then(|| text[done..].trim_start());
        model.tell(text, &String::from_utf8_lossy(&written.take()), rest);
        // What comes from an editor.
        model.on_paste(&std::mem::take(&mut self.dress.draft));
        Ok(false)
    }
}

/// Waits for a key, so that what a program has shown can be read.
fn wait_for_key(desk: &Desk) -> io::Result<()> {
    let mut terminal = io::stdout();
    write!(terminal, "\r\nany key goes back to .live ")?;
    terminal.flush()?;
    while !desk.interrupt.has_ended() {
        if event::poll(BEAT).or_else(ignore_interruption)?
            && matches!(event::read()?, Event::Key(key) if key.kind == KeyEventKind::Press)
        {
            break;
        }
    }
    write!(terminal, "\r{}", Clear(ClearType::CurrentLine))?;
    terminal.flush()
}

/// What was typed before anybody read it: it is for the prompt.
fn typed_ahead() -> io::Result<String> {
    let mut text = String::new();
    while event::poll(Duration::ZERO)? {
        match event::read()? {
            Event::Key(KeyEvent { code: KeyCode::Char(c), modifiers, kind: KeyEventKind::Press, .. })
                if (modifiers - KeyModifiers::SHIFT).is_empty() =>
            {
                text.push(c);
            }
            Event::Paste(pasted) => text.push_str(&pasted),
            Event::Key(_) | Event::Resize(..) | Event::FocusGained | Event::FocusLost | Event::Mouse(_) => {}
        }
    }
    Ok(text)
}

/// A signal ends the wait, and what it means is asked for elsewhere.
fn ignore_interruption(error: io::Error) -> io::Result<bool> {
    if error.kind() == io::ErrorKind::Interrupted { Ok(false) } else { Err(error) }
}
