//! Errors as people read them: what is wrong, where, and the way out.
//!
//! ```text
//! error: column "nmae" does not exist
//! LINE 3: SELECT nmae
//!                ^^^^
//! Hint: Did you mean "name"?
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use super::cell::{pad, printable, width_of};
use super::paint::{Painter, Role};
use crate::sql::{Place, Span};

/// An error, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem<'a> {
    /// What is wrong, as a phrase.
    pub message: String,
    /// More about it, in one or more lines.
    pub detail: Option<String>,
    /// What to do about it, as a sentence.
    pub hint: Option<String>,
    /// Where it is.
    pub excerpt: Option<Excerpt<'a>>,
}

/// A place in a script or in what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt<'a> {
    source: &'a str,
    name: Option<&'a str>,
    range: Range<usize>,
}

/// How many columns of a line are shown where there is no terminal that says how many there are.
const WIDTH: usize = 120;
/// How many columns a tab takes.
const TAB: usize = 4;
/// How much of a line is looked at on each side of the place, in characters.
const AROUND: usize = 500;

impl Problem<'_> {
    /// The width with which only lines of the source that are very long are cut.
    pub const FULL: usize = 10_000;

    /// An error that says no more than its message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), detail: None, hint: None, excerpt: None }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Writes the error. Lines of the source are cut to the width.
    pub fn write(&self, out: &mut dyn Write, painter: Painter, width: Option<usize>) -> io::Result<()> {
        out.write_all(self.painted(painter, width.unwrap_or(WIDTH)).as_bytes())
    }

    /// The error in full: without colours, and with the whole line of the source unless it is very
    /// long.
    pub fn text(&self) -> String {
        self.painted(Painter::new(false), Self::FULL)
    }

    fn painted(&self, painter: Painter, width: usize) -> String {
        let mut text = painter.painted(Role::Error, "error:");
        let message: Vec<String> = self.message.lines().map(printable).collect();
        writeln!(text, " {}", message.join("\n")).expect("a string takes all");
        if let Some(excerpt) = &self.excerpt {
            excerpt.write(&mut text, painter, width);
        }
        let labelled = [("DETAIL:", &self.detail, Role::Heading), ("Hint:", &self.hint, Role::Hint)];
        for (label, lines, role) in labelled {
            let Some(lines) = lines else { continue };
            for (i, line) in lines.lines().enumerate() {
                match i {
                    0 => painter.paint(&mut text, role, label),
                    _ => pad(&mut text, label.len()),
                }
                writeln!(text, " {}", printable(line)).expect("a string takes all");
            }
        }
        text
    }
}

impl<'a> Excerpt<'a> {
    /// A place in a script: where the statement starts, in bytes, and the span within the statement.
    pub fn of_statement(source: &'a str, offset: usize, span: Span) -> Self {
        let range = span.bytes(&source[offset..]);
        Self { source, name: None, range: offset + range.start..offset + range.end }
    }

    /// A place in a script by its span in the whole script.
    pub fn of_script(source: &'a str, span: Span) -> Self {
        Self::of_statement(source, 0, span)
    }

    /// The same place with the name of the file.
    #[must_use]
    pub fn in_file(mut self, name: Option<&'a str>) -> Self {
        self.name = name;
        self
    }

    fn write(&self, out: &mut String, painter: Painter, width: usize) {
        let place = Place::of_byte(self.source, self.range.start);
        let label = format!("LINE {}: ", place.line);
        let line = self.line();
        let shown = Shown::of(line, self.range.start - offset_in(self.source, line), self.range.len());
        let (text, caret) = shown.fit(width.saturating_sub(label.len()).max(20));
        painter.paint(out, Role::Heading, label.trim_end());
        writeln!(out, " {text}").expect("a string takes all");
        pad(out, label.len() + caret.start);
        painter.paint(out, Role::Error, &"^".repeat(caret.len()));
        out.push('\n');
        if let Some(name) = self.name {
            painter.paint(out, Role::Heading, "LOCATION:");
            writeln!(out, " {name}:{}:{}", place.line, place.column).expect("a string takes all");
        }
    }

    /// The line of the place, without its end.
    fn line(&self) -> &'a str {
        let start = self.source[..self.range.start].rfind('\n').map_or(0, |i| i + 1);
        let line = self.source[start..].split('\n').next().unwrap_or("");
        line.strip_suffix('\r').unwrap_or(line)
    }
}

/// Where a part of a text starts in it.
fn offset_in(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// A line as it is shown: tabs are blanks, and nothing steers the terminal.
struct Shown {
    /// The characters with their widths, around the place.
    characters: Vec<(char, usize)>,
    /// Which of them the place is.
    marked: Range<usize>,
    /// Whether more of the line stands before and after.
    more: (bool, bool),
}

impl Shown {
    /// A place in a line, in bytes. It may be the end of the line.
    fn of(line: &str, start: usize, length: usize) -> Self {
        let start = start.min(line.len());
        let end = start.saturating_add(length).min(line.len());
        let mut characters = Vec::new();
        let (before, after) = line.split_at(start);
        let skipped = before.char_indices().rev().nth(AROUND).map_or(0, |(i, _)| i);
        show(&mut characters, &before[skipped..]);
        let marked = characters.len();
        show(&mut characters, &line[start..end]);
        let marked = marked..characters.len();
        let mut rest = after[end - start..].chars();
        show(&mut characters, &rest.by_ref().take(AROUND).collect::<String>());
        Self { characters, marked, more: (skipped > 0, rest.next().is_some()) }
    }

    fn width(&self, range: Range<usize>) -> usize {
        self.characters[range].iter().map(|(_, width)| width).sum()
    }

    /// What is shown within a width, and where the place is in it, in columns. The place is never empty.
    fn fit(&self, limit: usize) -> (String, Range<usize>) {
        let (mut from, mut to) = (0, self.characters.len());
        let fits = |from, to| {
            let marks =
                usize::from(from > 0 || self.more.0) + usize::from(to < self.characters.len() || self.more.1);
            self.width(from..to) + marks <= limit
        };
        if !fits(from, to) {
            // The place stands in the middle, as far as the line has something on both sides.
            (from, to) = (self.marked.start, self.marked.start);
            let mut grown = true;
            while grown {
                grown = false;
                if to < self.characters.len() && fits(from, to + 1) {
                    to += 1;
                    grown = true;
                }
                if from > 0 && fits(from - 1, to) {
                    from -= 1;
                    grown = true;
                }
            }
        }
        let mut text = String::new();
        let left = from > 0 || self.more.0;
        text.extend(left.then_some('…'));
        text.extend(self.characters[from..to].iter().map(|(character, _)| character));
        text.extend((to < self.characters.len() || self.more.1).then_some('…'));
        let start = usize::from(left) + self.width(from..self.marked.start);
        let length = self.width(self.marked.start..self.marked.end.min(to).max(self.marked.start));
        (text, start..start + length.max(1))
    }
}

fn show(characters: &mut Vec<(char, usize)>, text: &str) {
    for character in text.chars() {
        match character {
            '\t' => characters.extend([(' ', 1); TAB]),
            control if control.is_control() => characters.push(('\u{FFFD}', 1)),
            character => characters.push((character, width_of(character))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error at the first occurrence of a word, in a statement that starts at a byte.
    fn shown(source: &str, word: &str, width: usize) -> String {
        let start = source.find(word).unwrap();
        let span = Span::of_bytes(source, start..start + word.len());
        let excerpt = Some(Excerpt::of_script(source, span));
        text(&Problem { excerpt, ..Problem::new("wrong") }, width)
    }

    fn text(problem: &Problem<'_>, width: usize) -> String {
        let mut out = Vec::new();
        problem.write(&mut out, Painter::new(false), Some(width)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_error_shows_its_line_in_the_file_and_its_place() {
        let source = "SELECT 1;\n\nSELECT\n  nmae\nFROM users;\n";
        let offset = source.find("SELECT\n").unwrap();
        let span = Span { start: Place { line: 2, column: 3 }, end: Place { line: 2, column: 7 } };
        let problem = Problem {
            message: "column \"nmae\" does not exist".to_owned(),
            detail: Some("There are two columns:\nid and name".to_owned()),
            hint: Some("Did you mean \"name\"?".to_owned()),
            excerpt: Some(Excerpt::of_statement(source, offset, span).in_file(Some("users.sql"))),
        };
        assert_eq!(
            text(&problem, 80),
            "error: column \"nmae\" does not exist\n\
             LINE 4:   nmae\n          ^^^^\n\
             LOCATION: users.sql:4:3\n\
             DETAIL: There are two columns:\n        id and name\n\
             Hint: Did you mean \"name\"?\n"
        );
    }

    #[test]
    fn the_caret_stands_under_its_place_whatever_is_before_it() {
        assert_eq!(shown("\tx", "x", 80), "error: wrong\nLINE 1:     x\n            ^\n");
        assert_eq!(
            shown("'日本' = x\r\n", "x", 80),
            "error: wrong\nLINE 1: '日本' = x\n                 ^\n"
        );
        assert_eq!(shown("SELECT '日本'", "日本", 80).lines().nth(2), Some("                ^^^^"));
        assert_eq!(shown("\u{1b}[31m x", "x", 80), "error: wrong\nLINE 1: \u{FFFD}[31m x\n              ^\n");
    }

    #[test]
    fn nothing_in_an_error_steers_the_terminal() {
        let problem = Problem::new("no \x1b[2Jsuch\ncolumn").with_hint("Try \u{7}.");
        assert_eq!(text(&problem, 80), "error: no \\u{1b}[2Jsuch\ncolumn\nHint: Try \\u{7}.\n");
    }

    #[test]
    fn a_place_at_the_end_or_over_several_lines_has_a_caret() {
        let at = |source, line: u32, column: u32, end: u32| {
            let span = Span { start: Place { line, column }, end: Place { line: end, column: 2 } };
            text(&Problem { excerpt: Some(Excerpt::of_script(source, span)), ..Problem::new("x") }, 80)
        };
        assert_eq!(at("SELECT", 1, 7, 1), "error: x\nLINE 1: SELECT\n              ^\n");
        assert_eq!(at("a (b\nc)", 1, 3, 2), "error: x\nLINE 1: a (b\n          ^^\n");
        assert_eq!(at("", 9, 9, 9), "error: x\nLINE 1: \n        ^\n");
    }

    #[test]
    fn of_a_long_line_only_the_surroundings_are_shown() {
        let source = format!("{}WRONG{}", "(1, 'a'), ".repeat(100_000), ", (2, 'b')".repeat(100_000));
        let text = shown(&source, "WRONG", 48);
        assert_eq!(
            text,
            "error: wrong\n\
             LINE 1: …1, 'a'), (1, 'a'), WRONG, (2, 'b'), (2…\n\
             \u{20}                           ^^^^^\n"
        );
        let text = shown(&format!("WRONG {}", "x ".repeat(100)), "WRONG", 30);
        assert_eq!(text, "error: wrong\nLINE 1: WRONG x x x x x x x x…\n        ^^^^^\n");
    }
}
