//! Keys that do something else at the prompt than in the line editor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rowkind::sql::is_complete;
use rustyline::{
    CharSearch, Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, Helper, KeyCode,
    KeyEvent, Modifiers, Movement, RepeatCount, history::History,
};

use super::margin::{EDGE, Margin};

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Enter,
    Break,
    Edit,
    Backspace,
    Delete,
    Left,
    Right,
    Home,
    KillToStart,
    KillToEnd,
}

/// The keys, with what they are for.
const KEYS: [(KeyEvent, Key); 17] = [
    (KeyEvent(KeyCode::Enter, Modifiers::NONE), Key::Enter),
    (KeyEvent(KeyCode::Char('J'), Modifiers::CTRL), Key::Enter),
    (KeyEvent(KeyCode::Enter, Modifiers::ALT), Key::Break),
    (KeyEvent(KeyCode::Char('J'), Modifiers::CTRL_ALT), Key::Break),
    (KeyEvent(KeyCode::Char('M'), Modifiers::CTRL_ALT), Key::Break),
    (KeyEvent(KeyCode::Backspace, Modifiers::NONE), Key::Backspace),
    (KeyEvent(KeyCode::Char('H'), Modifiers::CTRL), Key::Backspace),
    (KeyEvent(KeyCode::Delete, Modifiers::NONE), Key::Delete),
    (KeyEvent(KeyCode::Char('D'), Modifiers::CTRL), Key::Delete),
    (KeyEvent(KeyCode::Left, Modifiers::NONE), Key::Left),
    (KeyEvent(KeyCode::Char('B'), Modifiers::CTRL), Key::Left),
    (KeyEvent(KeyCode::Right, Modifiers::NONE), Key::Right),
    (KeyEvent(KeyCode::Char('F'), Modifiers::CTRL), Key::Right),
    (KeyEvent(KeyCode::Home, Modifiers::NONE), Key::Home),
    (KeyEvent(KeyCode::Char('A'), Modifiers::CTRL), Key::Home),
    (KeyEvent(KeyCode::Char('U'), Modifiers::CTRL), Key::KillToStart),
    (KeyEvent(KeyCode::Char('K'), Modifiers::CTRL), Key::KillToEnd),
];

/// One key at a prompt with a margin.
struct Binding {
    key: Key,
    margin: Margin,
    wishes: Wishes,
}

/// What a key asks of others.
#[derive(Debug, Clone, Default)]
pub(super) struct Wishes {
    /// Somebody wants to go on in an editor of their own.
    pub(super) edit: Arc<AtomicBool>,
    /// The completion is to put margins before the lines that have none, and to start a new line.
    pub(super) straighten: Arc<AtomicBool>,
}

/// Binds the keys for a margin.
pub(super) fn bind<H: Helper, I: History>(editor: &mut Editor<H, I>, margin: &Margin, wishes: &Wishes) {
    let handler = |key| {
        EventHandler::Conditional(Box::new(Binding { key, margin: margin.clone(), wishes: wishes.clone() }))
    };
    for (event, key) in KEYS {
        editor.bind_sequence(event, handler(key));
    }
    for second in ['E', 'e'] {
        let modifiers = if second == 'E' { Modifiers::CTRL } else { Modifiers::NONE };
        let sequence =
            vec![KeyEvent(KeyCode::Char('X'), Modifiers::CTRL), KeyEvent(KeyCode::Char(second), modifiers)];
        editor.bind_sequence(Event::KeySeq(sequence), handler(Key::Edit));
    }
}

impl ConditionalEventHandler for Binding {
    /// The line editor repeats a command as often as was asked for, here once. So a margin, which is several
    /// characters, is crossed by looking for its edge.
    fn handle(&self, _: &Event, n: RepeatCount, positive: bool, context: &EventContext<'_>) -> Option<Cmd> {
        if n != 1 || !positive {
            return None;
        }
        let (before, behind) = context.line().split_at_checked(context.pos())?;
        let search = |search| Movement::ViCharSearch(1, search);
        let after_margin = self.margin.ends(before);
        let before_margin = self.margin.starts(behind);
        match self.key {
            Key::Enter => self.enter(context.line(), behind),
            Key::Break => Some(Cmd::Insert(1, self.margin.line_break())),
            Key::Edit => {
                self.wishes.edit.store(true, Ordering::Relaxed);
                Some(Cmd::AcceptLine)
            }
            Key::Backspace | Key::KillToStart if after_margin => {
                Some(Cmd::Kill(search(CharSearch::Backward('\n'))))
            }
            Key::Left if after_margin => Some(Cmd::Move(search(CharSearch::Backward('\n')))),
            Key::Delete | Key::KillToEnd if before_margin => {
                Some(Cmd::Kill(search(CharSearch::Forward(EDGE))))
            }
            Key::Right if before_margin => {
                Some(Cmd::Move(Movement::ForwardWord(1, rustyline::At::Start, rustyline::Word::Big)))
            }
            Key::Home if self.is_in_margined_line(before) => {
                Some(Cmd::Move(search(CharSearch::BackwardAfter(EDGE))))
            }
            Key::KillToStart if self.is_in_margined_line(before) => {
                Some(Cmd::Kill(search(CharSearch::BackwardAfter(EDGE))))
            }
            Key::Backspace
            | Key::Delete
            | Key::Left
            | Key::Right
            | Key::Home
            | Key::KillToStart
            | Key::KillToEnd => None,
        }
    }
}

impl Binding {
    /// Runs what is complete, and goes on in a new line otherwise. Lines that were pasted get their margins.
    fn enter(&self, line: &str, behind: &str) -> Option<Cmd> {
        if is_complete(line) {
            return None;
        }
        if behind.is_empty() && self.margin.lacks(line) {
            // Of all that a key can ask for, only a completion replaces text as one change that can be undone.
            self.wishes.straighten.store(true, Ordering::Relaxed);
            return Some(Cmd::Complete);
        }
        Some(Cmd::Insert(1, self.margin.line_break()))
    }

    fn is_in_margined_line(&self, before: &str) -> bool {
        let start = before.rfind('\n').map(|at| at + 1);
        start.is_some_and(|start| self.margin.strip(&before[start..]).is_some())
    }
}
