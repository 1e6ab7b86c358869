//! The terminal while its whole screen is taken, and how it is given back.

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::cursor::{MoveTo, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use rowkind::render::Painter;

use super::draw::Frame;
use crate::shell::theme::Theme;

type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync;

/// Something that is given back when this is dropped, and before a panic says anything.
pub(super) struct Taken {
    give_back: Arc<dyn Fn() + Send + Sync>,
    hook: Arc<Hook>,
}

impl Taken {
    /// Takes something. What gives it back is called once, also if taking it fails half-way.
    pub(super) fn take(
        take: impl FnOnce() -> io::Result<()>,
        give_back: impl Fn() + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let is_given = AtomicBool::new(false);
        let give_back: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
            if !is_given.swap(true, Ordering::SeqCst) {
                give_back();
            }
        });
        let hook: Arc<Hook> = panic::take_hook().into();
        let taken = Self { give_back, hook };
        let (first, then) = (taken.give_back.clone(), taken.hook.clone());
        panic::set_hook(Box::new(move |panic| {
            first();
            then(panic);
        }));
        take().map(|()| taken)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        (self.give_back)();
        // A thread that panics cannot change the hook; the process ends then.
        if !thread::panicking() {
            let hook = self.hook.clone();
            panic::set_hook(Box::new(move |panic| hook(panic)));
        }
    }
}

/// The screen of the terminal.
pub(super) struct Screen {
    painter: Painter,
    theme: Theme,
    /// The lines that are shown.
    shown: Vec<String>,
    _taken: Taken,
}

impl Screen {
    /// Takes the whole screen until this is dropped.
    pub(super) fn take(painter: Painter, theme: Theme) -> io::Result<Self> {
        let enter = || {
            enable_raw_mode()?;
            step_back()
        };
        let leave = || {
            // If the terminal is gone there is nothing to give back.
            let _ = step_aside();
            let _ = disable_raw_mode();
        };
        Ok(Self { painter, theme, shown: Vec::new(), _taken: Taken::take(enter, leave)? })
    }

    /// Shows a frame. Lines that are shown already are not written again.
    pub(super) fn show(&mut self, frame: &Frame) -> io::Result<()> {
        let mut out = Vec::new();
        queue!(out, BeginSynchronizedUpdate)?;
        let lines: Vec<String> =
            frame.lines.iter().map(|line| line.painted(self.painter, self.theme)).collect();
        for (row, line) in lines.iter().enumerate() {
            if self.shown.get(row) != Some(line) {
                queue!(out, MoveTo(0, at(row)), Clear(ClearType::CurrentLine))?;
                out.write_all(line.as_bytes())?;
            }
        }
        if lines.len() < self.shown.len() {
            queue!(out, MoveTo(0, at(lines.len())), Clear(ClearType::FromCursorDown))?;
        }
        let (column, row) = frame.cursor;
        queue!(out, MoveTo(at(column), at(row)), EndSynchronizedUpdate)?;
        self.shown = lines;
        let mut stdout = io::stdout().lock();
        stdout.write_all(&out)?;
        stdout.flush()
    }

    /// Lets every line be written again: the screen is no longer what it was.
    pub(super) fn forget(&mut self) {
        self.shown.clear();
    }

    /// Does what may take long, so that Ctrl-C can stop it: it is a signal again.
    pub(super) fn with_signals<T>(&mut self, act: impl FnOnce() -> T) -> io::Result<T> {
        disable_raw_mode()?;
        let result = act();
        enable_raw_mode()?;
        // What was typed in between was echoed somewhere.
        self.forget();
        Ok(result)
    }
}

/// Leaves the whole screen, so that what was there before is seen, and others can write there.
pub(super) fn step_aside() -> io::Result<()> {
    execute!(io::stdout(), DisableBracketedPaste, Show, LeaveAlternateScreen)
}

/// Takes the whole screen, or takes it again.
pub(super) fn step_back() -> io::Result<()> {
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Clear(ClearType::All))
}

/// Does something while each key comes at once, while it does not otherwise.
pub(super) fn raw<T>(act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    enable_raw_mode()?;
    let result = act();
    disable_raw_mode()?;
    result
}

fn at(place: usize) -> u16 {
    u16::try_from(place).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// One test, because the hook is one for the process.
    #[test]
    fn what_is_taken_is_given_back_once_and_before_a_panic_says_anything() {
        let _alone = crate::shell::PANICS.lock().unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        let note = |what: &'static str| {
            let log = log.clone();
            move || log.lock().unwrap().push(what)
        };
        let before = panic::take_hook();
        let said = note("said");
        panic::set_hook(Box::new(move |_| said()));
        let events = || std::mem::take(&mut *log.lock().unwrap());

        // It ends well.
        let taken = note("taken");
        let take = || {
            taken();
            Ok(())
        };
        drop(Taken::take(take, note("given back")).unwrap());
        assert_eq!(events(), ["taken", "given back"]);

        // It panics.
        let give_back = note("given back");
        let result = panic::catch_unwind(move || {
            let _taken = Taken::take(|| Ok(()), give_back).unwrap();
            panic!("for a test");
        });
        assert!(result.is_err());
        assert_eq!(events(), ["given back", "said"]);

        // It cannot be taken.
        let failed = Taken::take(|| Err(io::Error::other("no terminal")), note("given back"));
        assert!(failed.is_err());
        assert_eq!(events(), ["given back"]);

        // After that a panic is what it was before.
        let _ = panic::catch_unwind(|| panic!("for a test"));
        assert_eq!(events(), ["said"]);
        panic::set_hook(before);
    }
}
