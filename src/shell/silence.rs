//! A terminal that does not show what is typed.

use std::io;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// As long as this is there, the terminal does not echo what is typed. It is read later all the same.
#[derive(Debug)]
pub(super) struct Silence {
    before: Termios,
}

impl Silence {
    /// Begins, if the standard input is a terminal that echoes.
    pub(super) fn begin() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        if !before.local_modes.contains(LocalModes::ECHO) {
            return None;
        }
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(io::stdin(), OptionalActions::Now, &silent).ok()?;
        Some(Self { before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // If the terminal is gone nobody types there.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}
