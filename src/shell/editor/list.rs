//! The list of candidates below a statement.
//!
//! The line editor can show one, too, but takes a part of it away again when the statement has several lines.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use rustyline::completion::{Candidate, Pair};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A place on the screen, counted from the prompt's first character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Spot {
    row: usize,
    column: usize,
}

/// The width of a tab, in columns.
const TAB: usize = 8;

/// The blanks between two columns.
const GAP: usize = 2;

impl Spot {
    /// Where a text ends that starts here, as the line editor counts.
    fn after(mut self, text: &str, columns: usize) -> Self {
        for c in text.chars() {
            if c == '\n' {
                self = Self { row: self.row + 1, column: 0 };
                continue;
            }
            let width = if c == '\t' { TAB - self.column % TAB } else { c.width().unwrap_or(0) };
            self.column += width;
            if self.column > columns {
                self = Self { row: self.row + 1, column: width };
            }
        }
        if self.column == columns {
            self = Self { row: self.row + 1, column: 0 };
        }
        self
    }
}

/// The columns and rows of the terminal. One that does not tell has 80 columns and any number of rows.
pub(super) fn size() -> (usize, usize) {
    let (columns, rows) = crossterm::terminal::size().unwrap_or((0, 0));
    let known = |size: u16, default| if size == 0 { default } else { usize::from(size) };
    (known(columns, 80), known(rows, usize::MAX))
}

/// Writes candidates below what is typed, and leaves as many rows below them as the statement takes: the line editor
/// writes it there next. The hint is what stands behind the statement.
pub(super) fn show(
    pairs: &[Pair],
    prompt: &str,
    (before, behind): (&str, &str),
    hint: &str,
) -> io::Result<()> {
    let (columns, rows) = size();
    let start = Spot::default().after(prompt, columns);
    let cursor = start.after(before, columns);
    let text = format!("{before}{behind}");
    let end = start.after(&format!("{text}{hint}"), columns);
    let mut out = String::new();
    if end.row > cursor.row {
        let _ = write!(out, "\x1b[{}B", end.row - cursor.row);
    }
    out.push_str("\r\n");
    let most = rows.saturating_sub(end.row + 3).max(1);
    let displays: Vec<&str> = pairs.iter().map(Candidate::display).collect();
    for line in lines(&displays, columns, most) {
        out.push_str("\x1b[K");
        out.push_str(&line);
        out.push_str("\r\n");
    }
    out.push_str(&"\r\n".repeat(end.row));
    if end.row > cursor.row {
        let _ = write!(out, "\x1b[{}A", end.row - cursor.row);
    }
    let mut terminal = io::stdout().lock();
    terminal.write_all(out.as_bytes())?;
    terminal.flush()
}

/// The words in columns, from top to bottom and then from left to right, in so many lines at most.
fn lines(words: &[&str], columns: usize, most: usize) -> Vec<String> {
    let widest = words.iter().map(|word| word.width()).max().unwrap_or(0) + GAP;
    let across = (columns / widest).max(1);
    let most_words = most.saturating_mul(across);
    let (shown, rest) = if words.len() > most_words {
        words.split_at(most_words.saturating_sub(across).max(1))
    } else {
        (words, &[][..])
    };
    let height = shown.len().div_ceil(across);
    let mut lines: Vec<String> = (0..height)
        .map(|row| {
            let mut line = String::new();
            for word in shown.iter().skip(row).step_by(height) {
                line.push_str(word);
                line.push_str(&" ".repeat(widest - word.width()));
            }
            line.trim_end().to_owned()
        })
        .collect();
    if !rest.is_empty() {
        lines.push(format!("… and {} more", rest.len()));
    }
    lines
}

/// What all replacements start with.
pub(super) fn common_start(pairs: &[Pair]) -> &str {
    let Some((first, others)) = pairs.split_first() else { return "" };
    let first = first.replacement();
    let mut end = first.len();
    for other in others {
        let same = first.char_indices().zip(other.replacement().chars()).find(|((_, a), b)| a != b);
        let length = same.map_or(other.replacement().len(), |((at, _), _)| at);
        end = end.min(length);
    }
    &first[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_in_columns_and_too_many_are_counted() {
        let words = ["one", "two", "three", "four", "five"];
        assert_eq!(lines(&words, 20, 10), ["one    four", "two    five", "three"]);
        assert_eq!(lines(&words, 7, 3), ["one", "two", "… and 3 more"]);
        assert_eq!(lines(&["日本", "x"], 20, 10), ["日本  x"]);
    }

    #[test]
    fn a_text_ends_where_the_terminal_says() {
        let at = |text: &str| {
            let Spot { row, column } = Spot::default().after(text, 10);
            (row, column)
        };
        assert_eq!(at("abc"), (0, 3));
        assert_eq!(at("abcdefghij"), (1, 0));
        assert_eq!(at("abcdefghi日"), (1, 2));
        assert_eq!(at("a\n\tb"), (1, 9));
    }

    #[test]
    fn what_is_common_ends_where_words_differ() {
        let pair = |word: &str| Pair { display: String::new(), replacement: word.to_owned() };
        assert_eq!(common_start(&[pair("größe"), pair("größer"), pair("groß")]), "gr");
        assert_eq!(common_start(&[pair("order"), pair("orders")]), "order");
    }
}
