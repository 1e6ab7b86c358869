//! Ctrl-C.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// What Ctrl-C does: it stops the running statement, and where nothing runs that could be stopped, the
/// process.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt {
    /// Whether Ctrl-C was pressed since this was last looked at.
    pressed: Arc<AtomicBool>,
    /// Stops the running statement.
    statement: Arc<AtomicBool>,
    /// Whether Ctrl-C ends the process at once.
    deadly: Arc<AtomicBool>,
}

impl Interrupt {
    /// Takes Ctrl-C over, with the flag that stops the running statement. In a script a second Ctrl-C
    /// ends the process in any case.
    pub(super) fn install(statement: Arc<AtomicBool>, script: bool) -> io::Result<Self> {
        let interrupt = Self { statement, ..Self::default() };
        flag::register_conditional_shutdown(SIGINT, 130, interrupt.deadly.clone())?;
        flag::register(SIGINT, interrupt.pressed.clone())?;
        flag::register(SIGINT, interrupt.statement.clone())?;
        if script {
            flag::register(SIGINT, interrupt.deadly.clone())?;
        }
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed since this was last asked.
    pub(super) fn take(&self) -> bool {
        self.statement.store(false, Ordering::Relaxed);
        self.pressed.swap(false, Ordering::Relaxed)
    }

    /// Does what may wait for ever, so that Ctrl-C has to end the process.
    pub(super) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        let before = self.deadly.swap(true, Ordering::Relaxed);
        let result = wait();
        self.deadly.store(before, Ordering::Relaxed);
        result
    }
}
