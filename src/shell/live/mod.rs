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
use rowkind::changelog::Cause;
use rowkind::render::{Problem, entry_text};
use rowkind::session::Watched;

use super::arguments::Colour;
use super::desk::{Desk, Spot};
use super::editor::{complete, marks};
use super::input::Source;
use super::output::{Output, terminal_size};
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
        self.kept_news = Some(Vec::new());
        // What pipelines write to the standard output would be in the midst of the screen.
        let written = Written::default();
        let streams = self.session.streams().clone();
        self.session.streams().set_stdout(written.clone());
        let interrupt = self.interrupt.clone();
        let shown = interrupt.protected(|| {
            Screen::take(self.output.painter(), self.dress.theme)
                .and_then(|screen| self.drive(&mut model, screen, &written))
        });
        *self.session.streams() = streams;
        self.output.out.write_all(&written.take())?;
        self.session.unwatch_one(NAME);
        self.interrupt.take();
        let news = self.kept_news.take().unwrap_or_default();
        let format = self.shown_format();
        self.watch.show(&mut self.output, format, &news, &self.session)?;
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
        let failures = self.session.take_failures();
        if !failures.is_empty() {
            model.complain(format!("error: {}", failures.join("\n")));
        }
        let is_watched = self.session.watched().any(|watched| watched == NAME);
        model.state = if is_watched { state } else { State::Ended };
        let kept = self.kept_news.get_or_insert_default();
        for news in self.session.take_watched() {
            keep(kept, news);
        }
        if let Some(place) = kept.iter().position(|news| news.name == NAME) {
            model.feed(&kept.remove(place).changes);
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
        self.session.streams().set_stdout(written.clone());
        let mut output = Output::into(Box::new(written.clone()), Box::new(written.clone()), Colour::Never);
        output.taste = self.output.taste.clone();
        // A card has a frame.
        let width = self.output.taste.max_width.or(Some(model.size.0.saturating_sub(4)));
        output.taste.max_width = width;
        let mut other = std::mem::replace(&mut self.output, output);
        let result = screen.with_signals(|| self.run_script(Source { text, name: None }));
        let flushed = self.output.out.flush();
        std::mem::swap(&mut self.output, &mut other);
        // What a command says about results holds at the prompt, too.
        if other.taste.max_width == width {
            other.taste.max_width = self.output.taste.max_width;
        }
        self.output.taste = other.taste;
        let failed = match result? {
            Ok(()) => flushed.is_err(),
            Err(Stop::Quit) => return Ok(true),
            Err(Stop::Failed | Stop::Closed | Stop::Output(_)) => true,
            Err(Stop::Interrupted) => false,
        };
        self.interrupt.take();
        model.tell(text, &String::from_utf8_lossy(&written.take()), failed);
        // What comes from an editor.
        model.on_paste(&std::mem::take(&mut self.dress.draft));
        Ok(false)
    }
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

/// Keeps news, behind those of the same name.
pub(super) fn keep(kept: &mut Vec<Watched>, news: Watched) {
    match kept.iter_mut().find(|before| before.name == news.name) {
        Some(before) => news.changes.iter().for_each(|change| before.changes.push_change(change)),
        None => kept.push(news),
    }
}

/// A signal ends the wait, and what it means is asked for elsewhere.
fn ignore_interruption(error: io::Error) -> io::Result<bool> {
    if error.kind() == io::ErrorKind::Interrupted { Ok(false) } else { Err(error) }
}
