//! Takes the changes of a query from the engine to the output.

use std::io;
use std::time::{Duration, Instant};

use rowkind::changelog::{Changes, RowKind};
use rowkind::render::{Ending, Side, View};
use rowkind::session::{Header, Progress, Receiver};

use super::output::Output;

/// Shows one query as it runs.
pub(super) struct Screen<'a> {
    output: &'a mut Output,
    view: Box<dyn View>,
    side: Side,
    /// Whether it is still to be said that there is no key for upserts.
    keyless: bool,
    /// Whether what is held back is shown when the query takes long.
    lively: bool,
    shown: Instant,
    /// How many changes were given, if it is a query that has begun.
    changes: Option<usize>,
    /// What is to be said below the result.
    remarks: Vec<String>,
    /// Why the output could not be written.
    failure: Option<io::Error>,
}

/// How long somebody waits for what could be shown.
const PATIENCE: Duration = Duration::from_millis(200);

/// Why a result is not shown as upserts.
pub(super) const KEYLESS: &str = "no key says which row a new one would replace, so the old rows are shown, too; \
     GROUP BY, PARTITION BY or a primary key that is selected would be one";

impl<'a> Screen<'a> {
    /// Shows a side of a query through a view.
    pub(super) fn new(output: &'a mut Output, view: Box<dyn View>, side: Side, lively: bool) -> Self {
        Self {
            output,
            view,
            side,
            keyless: false,
            lively,
            shown: Instant::now(),
            changes: None,
            remarks: Vec::new(),
            failure: None,
        }
    }

    /// Ends, and tells how many changes there were if there was a query.
    pub(super) fn end(mut self, ending: Ending) -> io::Result<Option<usize>> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        if ending == Ending::Cancelled && self.output.is_terminal() {
            // The terminal has shown ^C where the line begins.
            self.output.out.write_all(b"\r")?;
        }
        self.view.end(&mut self.output.out, ending)?;
        self.remarks.iter().for_each(|remark| self.output.notice(remark));
        Ok(self.changes)
    }

    fn show(&mut self, changes: &Changes) -> io::Result<()> {
        *self.changes.get_or_insert_default() += changes.len();
        if self.keyless && changes.count(RowKind::UpdateBefore) > 0 {
            self.keyless = false;
            self.output.notice(KEYLESS);
        }
        self.view.changes(&mut self.output.out, changes)?;
        if self.lively && self.shown.elapsed() > PATIENCE {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.view.flush(&mut self.output.out)?;
        self.output.out.flush()?;
        self.shown = Instant::now();
        Ok(())
    }
}

impl Receiver for Screen<'_> {
    fn notice(&mut self, notice: &str) {
        if self.changes.is_some() {
            self.remarks.push(notice.to_owned());
        } else {
            self.output.notice(notice);
        }
    }

    fn begin(&mut self, header: &Header) {
        self.changes = Some(0);
        self.keyless = self.side == Side::Upsert && header.key.is_none();
        self.failure = self.view.begin(&mut self.output.out, header).err();
    }

    fn changes(&mut self, changes: &Changes) -> bool {
        if self.failure.is_none() {
            self.failure = self.show(changes).err();
        }
        self.failure.is_none()
    }

    fn progress(&mut self, progress: &dyn Fn() -> Progress) {
        self.output.progress(progress);
    }

    fn lull(&mut self) -> bool {
        if self.lively { self.pause() } else { self.failure.is_none() }
    }

    fn pause(&mut self) -> bool {
        if self.failure.is_none() {
            self.failure = self.flush().err();
        }
        self.failure.is_none()
    }
}

/// Passes notices on, and how far reading is, and nothing else.
pub(super) struct Notices<'a>(pub(super) &'a mut Output);

impl Receiver for Notices<'_> {
    fn notice(&mut self, notice: &str) {
        self.0.notice(notice);
    }

    fn begin(&mut self, _header: &Header) {}

    fn changes(&mut self, _changes: &Changes) -> bool {
        true
    }

    fn progress(&mut self, progress: &dyn Fn() -> Progress) {
        self.0.progress(progress);
    }
}
