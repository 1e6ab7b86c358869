//! How far reading is, at the bottom of the terminal.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rowkind::connect::Extent;
use rowkind::session::Progress;

#[cfg(unix)]
use super::silence::Silence;

/// After how long it is said how far reading is.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often it is said.
const INTERVAL: Duration = Duration::from_millis(100);

/// How many steps may pass before the clock is looked at.
const STEPS: u32 = 16;

/// The widest bar, in columns.
const LONGEST_BAR: usize = 30;

/// Says how far reading is, from time to time.
#[derive(Debug)]
pub(super) struct Pace {
    started: Instant,
    said: Instant,
    steps: u32,
}

impl Pace {
    /// Of something that starts now.
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self { started: now, said: now, steps: 0 }
    }

    /// Counts a step. Returns what has passed since the start if it is time to say something.
    pub(super) fn step(&mut self) -> Option<Duration> {
        self.steps += 1;
        if self.steps < STEPS {
            return None;
        }
        self.steps = 0;
        let now = Instant::now();
        if now - self.started < PATIENCE || now - self.said < INTERVAL {
            return None;
        }
        self.said = now;
        Some(now - self.started)
    }
}

/// The line below everything else on a terminal, on the standard error. Whatever is written to the
/// terminal has to erase it first.
#[derive(Debug, Clone, Default)]
pub(super) struct ProgressLine(Arc<Mutex<Option<Shown>>>);

/// Where terminals cannot be told to be silent.
#[cfg(not(unix))]
#[derive(Debug)]
struct Silence;

#[cfg(not(unix))]
impl Silence {
    fn begin() -> Option<Self> {
        None
    }
}

/// What the terminal is like while the line is shown.
#[derive(Debug)]
struct Shown {
    /// What is typed ahead would be written over the line, and go on below it.
    _silence: Option<Silence>,
}

impl ProgressLine {
    /// Shows a text that is not wider than the terminal. What somebody types meanwhile is not echoed. If the text
    /// cannot be shown there is nobody to see it.
    pub(super) fn show(&self, text: &str, is_typed_to: bool) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.get_or_insert_with(|| Shown { _silence: is_typed_to.then(Silence::begin).flatten() });
        // A terminal that becomes narrower may break the line. The cursor stays at its start, so that all of it
        // is below the cursor.
        let _ = io::stderr().write_all(format!("\r{text}\x1b[J\r").as_bytes());
    }

    /// Makes room for what is written next.
    pub(super) fn erase(&self) {
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).take().is_some() {
            let _ = io::stderr().write_all(b"\r\x1b[J");
        }
    }

    /// What writes to the same terminal, and erases the line before.
    pub(super) fn above<W>(&self, output: W) -> Above<W> {
        Above { output, line: self.clone() }
    }
}

/// Writes to the terminal on which a [`ProgressLine`] may stand.
#[derive(Debug)]
pub(super) struct Above<W> {
    output: W,
    line: ProgressLine,
}

impl<W: Write> Write for Above<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.erase();
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// How far reading is after some time, in less than so many columns.
pub(super) fn text(progress: &Progress, elapsed: Duration, width: usize) -> String {
    let seconds = elapsed.as_secs_f64();
    let (count, rate) = (rows(progress.rows), rows(per_second(progress.rows, seconds)) + "/s");
    let Some(Extent { read, total }) = progress.extent else { return fitting(&[count, rate], width) };
    let Some(total) = total.filter(|total| *total > 0) else {
        return fitting(&[bytes(read), count, rate], width);
    };
    #[expect(clippy::cast_precision_loss, reason = "it is shown with three digits")]
    let done = (read as f64 / total as f64).min(1.0);
    let left = if done > 0.0 { left(seconds / done - seconds) } else { String::new() };
    let of_total = format!("{} of {}", bytes(read), bytes(total));
    let facts = fitting(&[format!("{:3.0} %", done * 100.0), of_total, count, rate, left], width);
    let room = width.saturating_sub(facts.chars().count() + 4).min(LONGEST_BAR);
    if room < 10 { facts } else { format!("{}  {facts}", bar(done, room)) }
}

/// The first facts that fit, with space between them.
fn fitting(facts: &[String], width: usize) -> String {
    let mut line = String::new();
    for fact in facts.iter().filter(|fact| !fact.is_empty()) {
        let gap = if line.is_empty() { "" } else { "  " };
        if line.chars().count() + gap.len() + fact.chars().count() >= width {
            break;
        }
        line.push_str(gap);
        line.push_str(fact);
    }
    line
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of a width is one"
)]
fn bar(done: f64, width: usize) -> String {
    let full = ((width as f64 * done) as usize).min(width);
    format!("{}{}", "━".repeat(full), "─".repeat(width - full))
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is shown with three digits, and is not negative"
)]
fn per_second(count: u64, seconds: f64) -> u64 {
    if seconds > 0.0 { (count as f64 / seconds) as u64 } else { 0 }
}

/// `950 rows` or `1.92 M rows`.
fn rows(count: u64) -> String {
    match scaled(count) {
        (number, "") => format!("{number} rows"),
        (number, prefix) => format!("{number} {prefix} rows"),
    }
}

/// `950 B` or `1.92 MB`.
fn bytes(count: u64) -> String {
    let (number, prefix) = scaled(count);
    format!("{number} {prefix}B")
}

/// A count with three digits, and the prefix of its unit.
#[expect(clippy::cast_precision_loss, reason = "it is shown with three digits")]
fn scaled(count: u64) -> (String, &'static str) {
    const PREFIXES: [&str; 6] = ["k", "M", "G", "T", "P", "E"];
    if count < 1_000 {
        return (count.to_string(), "");
    }
    let mut value = count as f64 / 1_000.0;
    let mut prefixes = PREFIXES.into_iter();
    let mut prefix = prefixes.next().unwrap_or_default();
    while value >= 999.5
        && let Some(next) = prefixes.next()
    {
        value /= 1_000.0;
        prefix = next;
    }
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    (format!("{value:.decimals$}"), prefix)
}

/// `4 s left` or `2 min left`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a time in seconds")]
fn left(seconds: f64) -> String {
    match seconds.round() as u64 {
        seconds if seconds < 60 => format!("{seconds} s left"),
        seconds if seconds < 3_600 => format!("{} min {} s left", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min left", seconds / 3_600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(read: u64, total: Option<u64>, rows: u64, seconds: u64, width: usize) -> String {
        let progress = Progress { rows, extent: Some(Extent { read, total }) };
        text(&progress, Duration::from_secs(seconds), width)
    }

    #[test]
    fn what_is_known_is_said() {
        let wide = said(500_000_000, Some(1_250_000_000), 4_000_000, 2, 100);
        let bar = format!("{}{}", "━".repeat(12), "─".repeat(18));
        assert_eq!(wide, format!("{bar}   40 %  500 MB of 1.25 GB  4.00 M rows  2.00 M rows/s  3 s left"));
        assert_eq!(said(950, None, 12, 4, 80), "950 B  12 rows  3 rows/s");
        let rows = Progress { rows: 999_600, extent: None };
        assert_eq!(text(&rows, Duration::from_secs(1), 80), "1.00 M rows  1.00 M rows/s");
    }

    #[test]
    fn it_is_narrower_than_the_terminal() {
        for width in 0..120 {
            let line = said(99_999, Some(99_999_999_999), 12_345, 3_000, width);
            assert!(line.chars().count() < width.max(1), "{width}: {line}");
        }
    }
}
