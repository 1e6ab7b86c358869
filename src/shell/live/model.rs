//! What is on the screen and what keys do, without a terminal.

use std::collections::HashMap;
use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use rowkind::changelog::{Cause, Changes};
use rowkind::render::Role;
use rowkind::session::Header;

use super::card::Card;
use super::content::{Content, Entry, Form, Mark};
use super::input::Input;
use super::pane::Pane;
use crate::shell::screen::KEYLESS;
use crate::shell::theme::Part;

/// All that is on the screen.
#[derive(Debug)]
pub(super) struct Model {
    /// What is looked at: the query or the name, on one line.
    pub(super) title: String,
    pub(super) content: Content,
    pub(super) mode: Mode,
    pub(super) side: Side,
    pub(super) log: Pane,
    pub(super) table: Pane,
    /// What came while the screen is held, if it is held.
    pub(super) held: Option<Changes>,
    pub(super) state: State,
    pub(super) input: Input,
    /// What is what in the text of the input.
    pub(super) marks: Vec<(Range<usize>, Part)>,
    /// What is said about the last statement or key.
    pub(super) note: Option<Note>,
    /// Why nothing comes any more, or what else failed by itself.
    pub(super) failure: Option<Note>,
    /// What lies over the panes.
    pub(super) card: Option<Card>,
    /// What caused the changes that were on the screen, by number.
    pub(super) causes: HashMap<u64, String>,
    /// The time, in milliseconds since 1970-01-01 00:00:00 UTC.
    pub(super) now: i64,
    /// When the last change came.
    pub(super) changed: i64,
    /// The columns and lines of the screen.
    pub(super) size: (usize, usize),
}

/// What is shown of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The changes in a form, and the table.
    Both(Form),
    /// The table alone.
    Table,
}

/// The pane that keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Log,
    Table,
}

/// Whether something may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// By statements.
    Live,
    /// Also from files that are followed.
    Following,
    /// A statement runs.
    Running,
    /// Nothing comes any more.
    Ended,
}

/// One or more lines about how something went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) role: Role,
    pub(super) text: String,
}

/// What is to be done after a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// Nothing but to draw.
    Draw,
    /// Go back to the prompt.
    Leave,
    /// Run what was typed.
    Run(String),
    /// Show a row with what caused it: [`Model::trace`].
    Trace(Cause),
    /// Find what may come at the cursor: [`Model::complete`].
    Complete,
}

/// How many causes are kept. Those on the screen are found again.
const CAUSES: usize = 1_000;

/// The longest note, in lines of the output of a statement. What is longer is a card.
const NOTE: usize = 5;

impl Model {
    /// A screen with what is there.
    pub(super) fn new(title: &str, header: Header, there: &Changes, past: Vec<String>, now: i64) -> Self {
        let mut content = Content::new(header);
        content.feed(there);
        Self {
            title: title.split_whitespace().collect::<Vec<_>>().join(" "),
            content,
            mode: Mode::Both(Form::Changes),
            side: Side::Log,
            log: Pane::default(),
            table: Pane::default(),
            held: None,
            state: State::Live,
            input: Input::after(past),
            marks: Vec::new(),
            note: None,
            failure: None,
            card: None,
            causes: HashMap::new(),
            now,
            changed: now,
            size: (80, 24),
        }
    }

    /// Takes new changes, or holds them back while the screen is held.
    pub(super) fn feed(&mut self, changes: &Changes) {
        if changes.is_empty() {
            return;
        }
        if let Some(held) = &mut self.held {
            changes.iter().for_each(|change| held.push_change(change));
            return;
        }
        let dropped = |model: &Self| {
            let log = model.content.log(model.form());
            log.total() - log.entries().len()
        };
        let before = dropped(self);
        self.content.feed(changes);
        self.log.forget(dropped(self) - before);
        self.changed = self.now;
    }

    /// The causes of changes on the screen of which it is not known what they are. They are to be
    /// [told](Self::explain).
    pub(super) fn unexplained(&mut self) -> Vec<Cause> {
        if self.causes.len() > CAUSES {
            self.causes.clear();
        }
        let (len, newest) = self.extent(Side::Log);
        let window = self.log.window(len, newest, self.size.1);
        let entries = self.content.log(self.form()).entries().range(window);
        let causes = entries.map(|entry| entry.cause);
        causes.filter(|cause| !self.causes.contains_key(&cause.sequence)).collect()
    }

    /// Takes what a cause is, as one line; nothing if it cannot be told.
    pub(super) fn explain(&mut self, cause: Cause, text: String) {
        self.causes.insert(cause.sequence, text);
    }

    /// Says what failed by itself.
    pub(super) fn complain(&mut self, text: String) {
        self.failure = Some(Note { role: Role::Error, text });
    }

    /// Says how something went.
    pub(super) fn say(&mut self, role: Role, text: impl Into<String>) {
        self.note = Some(Note { role, text: text.into() });
    }

    /// Shows what a text wrote that was run, and keeps what failed of it, if something did, to be put right.
    pub(super) fn tell(&mut self, text: &str, output: &str, failed: Option<&str>) {
        let output = output.trim_end();
        if let Some(failed) = failed {
            self.input.clear();
            self.input.insert(failed);
        }
        if output.is_empty() {
            self.note = None;
        } else if output.lines().count() <= NOTE {
            self.say(if failed.is_some() { Role::Error } else { Role::Dim }, output);
        } else {
            self.note = None;
            self.card = Some(Card::of_text(text, output));
        }
    }

    /// Types what all candidates have in common, and shows them if that is nothing.
    pub(super) fn complete(&mut self, start: usize, texts: &[&str]) {
        if !self.input.complete(start, texts) && texts.len() > 1 {
            let texts: Vec<&str> = texts.iter().map(|text| text.trim_end()).collect();
            self.say(Role::Dim, texts.join("  "));
        }
    }

    /// The form in which changes are shown, or were before the table took the screen.
    pub(super) fn form(&self) -> Form {
        match self.mode {
            Mode::Both(form) => form,
            Mode::Table => Form::Changes,
        }
    }

    /// The pane that keys go to.
    pub(super) fn focus(&self) -> Side {
        match self.mode {
            Mode::Both(_) => self.side,
            Mode::Table => Side::Table,
        }
    }

    /// How many rows a pane has, and which is the newest.
    pub(super) fn extent(&self, side: Side) -> (usize, usize) {
        match side {
            Side::Log => {
                let len = self.content.log(self.form()).entries().len();
                (len, len.saturating_sub(1))
            }
            Side::Table => (self.content.row_count(), self.content.latest().unwrap_or(0)),
        }
    }

    /// The place in a pane.
    pub(super) fn pane(&self, side: Side) -> Pane {
        match side {
            Side::Log => self.log,
            Side::Table => self.table,
        }
    }

    fn pane_mut(&mut self, side: Side) -> &mut Pane {
        match side {
            Side::Log => &mut self.log,
            Side::Table => &mut self.table,
        }
    }

    /// Does what a key says.
    pub(super) fn on_key(&mut self, key: KeyEvent) -> Action {
        if key.kind == KeyEventKind::Release {
            return Action::Draw;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Action::Leave;
        }
        if let Some(card) = &mut self.card {
            if card.on_key(key.code, self.size.1) {
                return Action::Draw;
            }
            self.card = None;
            // A statement may start while the last one is still shown.
            if !matches!(key.code, KeyCode::Char(first) if first != 'q' && first != '?') {
                return Action::Draw;
            }
        }
        if control {
            return self.on_control(key.code);
        }
        if self.input.is_empty() { self.on_command(key.code) } else { self.on_text(key.code) }
    }

    /// Takes a text that was pasted.
    pub(super) fn on_paste(&mut self, text: &str) {
        let text = text.trim_end_matches(['\r', '\n']);
        if !text.is_empty() {
            self.card = None;
            self.input.insert(text);
        }
    }

    fn on_control(&mut self, code: KeyCode) -> Action {
        match code {
            KeyCode::Char('d') if self.input.is_empty() => return Action::Leave,
            KeyCode::Char('d') => self.input.remove_at(),
            KeyCode::Char('a') => self.input.home(),
            KeyCode::Char('e') => self.input.end(),
            KeyCode::Char('b') => self.input.left(),
            KeyCode::Char('f') => self.input.right(),
            KeyCode::Char('k') => self.input.remove_end(),
            KeyCode::Char('u') => self.input.remove_start(),
            KeyCode::Char('w') => self.input.remove_word(),
            KeyCode::Char('p') => self.input.older(),
            KeyCode::Char('n') => self.input.newer(),
            KeyCode::Char('h') => self.input.remove_before(),
            _ => {}
        }
        Action::Draw
    }

    /// A key while nothing is typed. No statement starts with one of these letters.
    fn on_command(&mut self, code: KeyCode) -> Action {
        let half = isize::try_from(self.size.1 / 2).unwrap_or(1).max(1);
        self.note = None;
        match code {
            KeyCode::Char('q') | KeyCode::Esc => return Action::Leave,
            KeyCode::Char(' ' | 'p') => self.hold_or_go_on(),
            KeyCode::Char('m') => self.next_mode(),
            KeyCode::Char('?') | KeyCode::F(1) => self.card = Some(Card::help()),
            KeyCode::Tab | KeyCode::BackTab => self.next_side(),
            KeyCode::Up | KeyCode::Char('k') => self.go(-1),
            KeyCode::Down | KeyCode::Char('j') => self.go(1),
            KeyCode::PageUp => self.go(-half),
            KeyCode::PageDown => self.go(half),
            KeyCode::Home | KeyCode::Char('g') => self.pane_mut(self.focus()).go_to_start(),
            KeyCode::End | KeyCode::Char('G') => self.pane_mut(self.focus()).go_to_end(),
            KeyCode::Left => {
                let pane = self.pane_mut(self.focus());
                pane.left = pane.left.saturating_sub(1);
            }
            KeyCode::Right => {
                let last = self.content.header.schema.len().saturating_sub(1);
                let pane = self.pane_mut(self.focus());
                pane.left = (pane.left + 1).min(last);
            }
            KeyCode::Enter => return self.chosen().map_or(Action::Draw, |entry| Action::Trace(entry.cause)),
            KeyCode::Char(character) => self.input.insert(&character.to_string()),
            _ => {}
        }
        Action::Draw
    }

    /// A key while something is typed.
    fn on_text(&mut self, code: KeyCode) -> Action {
        match code {
            KeyCode::Esc => {
                self.input.clear();
                self.note = None;
            }
            KeyCode::Enter if self.input.text().trim().is_empty() => self.input.clear(),
            KeyCode::Enter => {
                self.input.remember();
                let text = self.input.text().to_owned();
                self.input.clear();
                self.note = None;
                return Action::Run(text);
            }
            KeyCode::Tab => return Action::Complete,
            KeyCode::Backspace => self.input.remove_before(),
            KeyCode::Delete => self.input.remove_at(),
            KeyCode::Left => self.input.left(),
            KeyCode::Right => self.input.right(),
            KeyCode::Home => self.input.home(),
            KeyCode::End => self.input.end(),
            KeyCode::Up => self.input.older(),
            KeyCode::Down => self.input.newer(),
            KeyCode::Char(character) => self.input.insert(&character.to_string()),
            _ => {}
        }
        Action::Draw
    }

    fn go(&mut self, by: isize) {
        let side = self.focus();
        let (len, newest) = self.extent(side);
        self.pane_mut(side).go(by, len, newest);
    }

    fn next_side(&mut self) {
        self.side = match self.side {
            Side::Log => Side::Table,
            Side::Table => Side::Log,
        };
    }

    fn next_mode(&mut self) {
        let is_keyed = self.content.header.key.is_some();
        self.mode = match self.mode {
            Mode::Both(Form::Changes) if is_keyed => Mode::Both(Form::Retract),
            Mode::Both(Form::Changes) => {
                self.say(Role::Hint, KEYLESS);
                Mode::Table
            }
            Mode::Both(Form::Retract) => Mode::Both(Form::Upsert),
            Mode::Both(Form::Upsert) => Mode::Table,
            Mode::Table => Mode::Both(Form::Changes),
        };
        self.log.go_to_end();
    }

    fn hold_or_go_on(&mut self) {
        match self.held.take() {
            Some(held) => self.feed(&held),
            None => self.held = Some(Changes::new(self.content.header.schema.len())),
        }
    }

    /// The change that is looked at, or the last one of the row that is looked at.
    fn chosen(&self) -> Option<Entry> {
        let side = self.focus();
        let (len, newest) = self.extent(side);
        let row = self.pane(side).row(len, newest)?;
        match side {
            Side::Log => self.content.log(self.form()).entries().get(row).cloned(),
            Side::Table => {
                let row = self.content.rows().nth(row)?;
                let Mark { kind, cause, .. } = self.content.mark(row)?;
                Some(Entry { kind, row: row.into(), cause })
            }
        }
    }

    /// Shows the row that is looked at in full, with what caused it.
    pub(super) fn trace(&mut self, origin: Option<&rowkind::session::LogEntry<'_>>) {
        if let Some(entry) = self.chosen() {
            self.card = Some(Card::of_entry(&self.content.header, &entry, origin));
        }
    }
}
