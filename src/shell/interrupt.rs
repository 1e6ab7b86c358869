//! Ctrl-C, and what else ends the process from outside.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

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
    /// Whether a signal that asks the process to end does so at once.
    unprotected: Arc<AtomicBool>,
    /// The number of such a signal, if one has come and has not ended the process, or 0.
    ended: Arc<AtomicUsize>,
}

/// The signals that ask a process to end.
const ENDS: [i32; 2] = [SIGTERM, SIGHUP];

impl Interrupt {
    /// Takes Ctrl-C over, with the flag that stops the running statement. In a script a second Ctrl-C
    /// ends the process in any case.
    pub(super) fn install(statement: Arc<AtomicBool>, script: bool) -> io::Result<Self> {
        let interrupt = Self::default().with_statement(statement);
        flag::register_conditional_shutdown(SIGINT, 130, interrupt.deadly.clone())?;
        flag::register(SIGINT, interrupt.pressed.clone())?;
        flag::register(SIGINT, interrupt.statement.clone())?;
        if script {
            flag::register(SIGINT, interrupt.deadly.clone())?;
            return Ok(interrupt);
        }
        interrupt.unprotected.store(true, Ordering::Relaxed);
        for signal in ENDS {
            let number = usize::try_from(signal).unwrap_or_default();
            flag::register_conditional_default(signal, interrupt.unprotected.clone())?;
            flag::register_usize(signal, interrupt.ended.clone(), number)?;
            flag::register(signal, interrupt.pressed.clone())?;
            flag::register(signal, interrupt.statement.clone())?;
        }
        Ok(interrupt)
    }

    /// The same with another flag that stops the running statement.
    pub(super) fn with_statement(self, statement: Arc<AtomicBool>) -> Self {
        Self { statement, ..self }
    }

    /// Does what Ctrl-C does while a statement runs.
    pub(super) fn press(&self) {
        self.pressed.store(true, Ordering::Relaxed);
        self.statement.store(true, Ordering::Relaxed);
    }

    /// Whether Ctrl-C was pressed since this was last asked.
    pub(super) fn take(&self) -> bool {
        self.statement.store(false, Ordering::Relaxed);
        self.pressed.swap(false, Ordering::Relaxed)
    }

    /// Waits for a time. Returns whether Ctrl-C was pressed, which ends it.
    pub(super) fn wait(&self, time: Duration) -> bool {
        const LONGEST: Duration = Duration::from_millis(20);
        let start = Instant::now();
        loop {
            if self.take() {
                return true;
            }
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return false;
            }
            thread::sleep(left.min(LONGEST));
        }
    }

    /// Whether a signal has asked the process to end. It is still there because of [`Self::protected`].
    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed) != 0
    }

    /// Does something during which the process must not end without giving back what it has taken. What
    /// is done has to look at [`Self::has_ended`]. If a signal has come, the process ends then, and soon in
    /// any case: where the terminal is gone, a read from it may never come back.
    pub(super) fn protected<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = self.unprotected.swap(false, Ordering::Relaxed);
        let (done, is_done) = mpsc::channel();
        let guard = self.clone();
        let guard = thread::spawn(move || guard.end_late(&is_done));
        let result = act();
        drop(done);
        // It ends by itself.
        let _ = guard.join();
        self.unprotected.store(before, Ordering::Relaxed);
        self.end();
        result
    }

    /// Ends the process if a signal has asked it to, and it is still there a while later.
    fn end_late(&self, is_done: &Receiver<()>) {
        const GRACE: Duration = Duration::from_millis(500);
        let mut is_late = false;
        while is_done.recv_timeout(GRACE) == Err(RecvTimeoutError::Timeout) {
            if is_late {
                self.end();
            }
            is_late = self.has_ended();
        }
    }

    /// Ends the process as if it had not been protected, if a signal has asked it to. If it cannot, it goes
    /// on.
    fn end(&self) {
        let ended = self.ended.swap(0, Ordering::Relaxed);
        if let Some(signal) = ENDS.into_iter().find(|signal| usize::try_from(*signal) == Ok(ended)) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }

    /// Does what may wait for ever, so that Ctrl-C has to end the process.
    pub(super) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        let before = self.deadly.swap(true, Ordering::Relaxed);
        let result = wait();
        self.deadly.store(before, Ordering::Relaxed);
        result
    }
}
