//! What lies over the panes for a while: a row in full, the output of a statement, the help.

use crossterm::event::KeyCode;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rowkind::changelog::{Cause, RowKind};
use rowkind::render::{Role, printable, width, write_cell};
use rowkind::session::{Header, LogEntry};
use rowkind::value::Value;

use super::content::Entry;
use super::line::{Line, Style};
use crate::shell::wrap::wrapped;

/// Lines with a title, of which some are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) title: Line,
    parts: Vec<Part>,
    /// How many lines are scrolled away.
    top: usize,
    /// Whether lines are broken that are too wide: those of a box are cut.
    breaks: bool,
}

/// A line, or what stands behind a name and may take several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Part {
    label: Line,
    role: Option<Role>,
    text: String,
}

/// The keys, and what they do.
const KEYS: [(&str, &str); 12] = [
    ("q, Esc, Ctrl-C", "back to the prompt; Esc first throws away what is typed"),
    ("Enter", "run what is typed; if nothing is, show the row with what caused it"),
    ("Tab", "the other pane; complete what is typed"),
    ("Up, Down, j, k", "the row above or below"),
    ("PgUp, PgDn", "half a screen up or down"),
    ("Home, g", "the first row"),
    ("End, G", "what is new, as it comes"),
    ("Left, Right", "the columns to the left or right"),
    ("m", "changes as they come, as retractions, as upserts, or the table alone"),
    ("Space, p", "hold the screen, or go on"),
    ("Ctrl-P, Ctrl-N", "what was typed before; also Up and Down while something is typed"),
    ("?, F1", "this help"),
];

impl Card {
    fn new(title: Line, parts: Vec<Part>) -> Self {
        Self { title, parts, top: 0, breaks: true }
    }

    /// The help.
    pub(super) fn help() -> Self {
        let mut parts: Vec<Part> = KEYS.iter().map(|(key, about)| part(*key, 14, None, *about)).collect();
        parts.push(Part::default());
        parts.push(part(
            "",
            0,
            Some(Role::Dim),
            "Other keys start a statement or a command, which Enter runs.",
        ));
        Self::new(Line::of(Some(Role::Heading), "keys"), parts)
    }

    /// The output of a statement.
    pub(super) fn of_text(title: &str, text: &str) -> Self {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let parts = text.lines().map(|line| part("", 0, None, printable(line))).collect();
        Self { breaks: false, ..Self::new(Line::of(Some(Role::Heading), &printable(&title)), parts) }
    }

    /// A change, one column a line, and the entry of a log that caused it.
    pub(super) fn of_entry(header: &Header, entry: &Entry, origin: Option<&LogEntry<'_>>) -> Self {
        let mut title = kind(entry.kind);
        title.push(Some(Role::Heading), " row");
        let mut parts = fields(header, &entry.row);
        parts.push(Part::default());
        if let Some(LogEntry { table, header, change }) = origin {
            let mut label = Line::of(Some(Role::Heading), "caused by ");
            label.append(&kind(change.kind));
            label.push(Some(Role::Heading), &format!(" of {}", printable(table)));
            label.push(Some(Role::Dim), &arrived(change.cause, &header.time_zone));
            parts.push(Part { label, ..Part::default() });
            parts.extend(fields(header, change.row));
        } else {
            let text = match entry.cause.sequence {
                0 => "caused by no row".to_owned(),
                row => format!("caused by row {row} of a source that keeps no log"),
            };
            let text = text + &arrived(entry.cause, &header.time_zone);
            parts.push(part("", 0, Some(Role::Dim), text));
        }
        Self::new(title, parts)
    }

    /// Scrolls on a screen of so many lines. Returns whether the card stays.
    pub(super) fn on_key(&mut self, code: KeyCode, height: usize) -> bool {
        let page = (height / 2).max(1);
        let last = self.parts.len().saturating_sub(1);
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.top = self.top.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.top = (self.top + 1).min(last),
            KeyCode::PageUp => self.top = self.top.saturating_sub(page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.top = (self.top + page).min(last),
            KeyCode::Home | KeyCode::Char('g') => self.top = 0,
            KeyCode::End | KeyCode::Char('G') => self.top = last,
            _ => return false,
        }
        true
    }

    /// The card in a frame, no wider and no taller than this.
    pub(super) fn draw(&self, limit: usize, height: usize) -> Vec<Line> {
        let inside = limit.saturating_sub(4).max(1);
        let lines: Vec<Line> = self.parts.iter().flat_map(|part| part.draw(inside, self.breaks)).collect();
        let shown = height.saturating_sub(2);
        let top = self.top.min(lines.len().saturating_sub(shown));
        let widest = lines.iter().map(Line::width).chain([self.title.width() + 2]).max().unwrap_or(0);
        let inside = widest.min(inside);
        let below = lines.len().saturating_sub(top + shown);
        let more = if below == 0 { String::new() } else { format!(" {below} more ") };
        let mut title = self.title.clone();
        title.cut(inside.saturating_sub(2));
        let mut first = Line::of(Style::Plain, "┌ ");
        first.append(&title);
        first.push(Style::Plain, " ");
        let mut framed = vec![edge(first, inside, '┐')];
        for line in lines.iter().skip(top).take(shown) {
            let mut framed_line = Line::of(Style::Plain, "│ ");
            let mut line = line.clone();
            line.fit(inside);
            framed_line.append(&line);
            framed_line.push(Style::Plain, " │");
            framed.push(framed_line);
        }
        framed.push(edge(Line::of(Style::Plain, &format!("└{more}")), inside, '┘'));
        framed
    }
}

/// Ends the first or the last line of a frame.
fn edge(mut line: Line, inside: usize, corner: char) -> Line {
    line.fill(Style::Plain, '─', inside + 3);
    line.push(Style::Plain, &corner.to_string());
    line
}

impl Part {
    fn draw(&self, limit: usize, breaks: bool) -> Vec<Line> {
        let indent = self.label.width();
        let texts =
            if breaks { wrapped(&self.text, limit.saturating_sub(indent)) } else { vec![self.text.clone()] };
        let mut lines = vec![self.label.clone()];
        for (i, text) in texts.iter().enumerate() {
            if i > 0 {
                let mut line = Line::default();
                line.fill(Style::Plain, ' ', indent);
                lines.push(line);
            }
            lines.last_mut().expect("there is a first line").push(self.role, text);
        }
        for line in &mut lines {
            line.cut(limit);
        }
        lines
    }
}

fn part(label: impl AsRef<str>, wide: usize, role: Option<Role>, text: impl Into<String>) -> Part {
    let mut line = Line::of(Some(Role::Heading), label.as_ref());
    if wide > 0 {
        line.fill(Style::Plain, ' ', wide + 2);
    }
    Part { label: line, role, text: text.into() }
}

fn kind(kind: RowKind) -> Line {
    Line::of(Some(Role::of(kind)), kind.symbol())
}

/// The values of a row behind the names of their columns.
fn fields(header: &Header, row: &[Value]) -> Vec<Part> {
    let names: Vec<String> = header.schema.names().map(printable).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let field = |((value, name), data_type): ((&Value, &String), _)| {
        let mut label = Line::default();
        label.fill(Style::Plain, ' ', widest - width(name));
        label.push(Some(Role::Dim), &format!("{name}: "));
        if value.is_null() {
            return Part { label, role: Some(Role::Null), text: "NULL".to_owned() };
        }
        let mut text = String::new();
        write_cell(&mut text, value, data_type, &header.time_zone);
        Part { label, role: None, text }
    };
    row.iter().zip(&names).zip(header.schema.types()).map(field).collect()
}

/// When a change arrived, to stand behind what it is.
fn arrived(cause: Cause, zone: &TimeZone) -> String {
    match Timestamp::from_millisecond(cause.arrival) {
        Ok(time) if cause.arrival != 0 => {
            format!(" at {}", zone.to_datetime(time).strftime("%H:%M:%S%.3f"))
        }
        Ok(_) | Err(_) => String::new(),
    }
}
