//! The prompt before the lines of a statement that come after its first.
//!
//! The line editor knows one prompt, before the first line. So that the later lines stand under the first, each
//! has a margin in the edited text itself: blanks of a kind that nobody types, as many as the prompt is wide.
//! The editor counts them when it places the cursor, whatever the width of the window; the highlighter shows the
//! continuation prompt in their place, and the keys jump over them. What is typed is taken out of the margin
//! before anybody else sees it. Pasted lines have none until Enter is pressed behind them.

use rowkind::sql::{LexemeKind, lexemes};
use unicode_width::UnicodeWidthStr;

/// All blanks of a margin but its last: EN QUAD.
const FILL: char = '\u{2000}';
/// The last blank of a margin: EM QUAD.
pub(super) const EDGE: char = '\u{2001}';

/// The margin of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Margin {
    /// The blanks.
    text: String,
    width: usize,
}

impl Margin {
    pub(super) fn of(prompt: &str) -> Self {
        let width = prompt.rsplit('\n').next().unwrap_or("").width();
        let mut text: String = std::iter::repeat_n(FILL, width.saturating_sub(1)).collect();
        if width > 0 {
            text.push(EDGE);
        }
        Self { text, width }
    }

    /// What goes into the text for a line break.
    pub(super) fn line_break(&self) -> String {
        format!("\n{}", self.text)
    }

    /// The text with a margin behind each line break.
    pub(super) fn put(&self, text: &str) -> String {
        Self::remove(text).replace('\n', &self.line_break())
    }

    /// The text without margins.
    pub(super) fn remove(text: &str) -> String {
        if text.contains(EDGE) { text.replace([FILL, EDGE], "") } else { text.to_owned() }
    }

    /// Whether a line of the text has no margin.
    pub(super) fn lacks(&self, text: &str) -> bool {
        !self.text.is_empty() && text.split('\n').skip(1).any(|line| !line.starts_with(&self.text))
    }

    /// How many bytes of margins come before a byte of a text that has none.
    pub(super) fn shift(&self, text: &str, byte: usize) -> usize {
        text.get(..byte).unwrap_or(text).matches('\n').count() * self.text.len()
    }

    /// The start of the margin's line break, if a text ends with one.
    pub(super) fn ends(&self, text: &str) -> bool {
        !self.text.is_empty() && text.strip_suffix(&self.text).is_some_and(|before| before.ends_with('\n'))
    }

    /// Whether a text starts with a line break and a margin.
    pub(super) fn starts(&self, text: &str) -> bool {
        !self.text.is_empty() && text.strip_prefix('\n').is_some_and(|rest| rest.starts_with(&self.text))
    }

    /// What behind a line break is a margin.
    pub(super) fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        if self.text.is_empty() { None } else { text.strip_prefix(self.text.as_str()) }
    }

    /// What is shown in place of the margin: a prompt that says what is open.
    pub(super) fn shown(&self, open: char) -> String {
        match self.width {
            0..3 => " ".repeat(self.width),
            width => format!("{}{open}> ", " ".repeat(width - 3)),
        }
    }
}

/// For each line break of a text what is open there, as psql says it: a quote, a bracket, `*` for a comment, or
/// `-` for nothing of these.
pub(super) fn open_at_breaks(text: &str) -> Vec<char> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    let mut done = 0;
    let breaks = |text: &str| text.matches('\n').count();
    let push =
        |count: usize, open: char, found: &mut Vec<char>| found.extend(std::iter::repeat_n(open, count));
    for lexeme in lexemes(text) {
        let between = breaks(&text[done..lexeme.range.start]);
        push(between, open.last().copied().unwrap_or('-'), &mut found);
        done = lexeme.range.end;
        let inside = breaks(&text[lexeme.range]);
        match lexeme.kind {
            LexemeKind::Text => push(inside, '\'', &mut found),
            LexemeKind::Name => push(inside, '`', &mut found),
            LexemeKind::DoubleQuoted => push(inside, '"', &mut found),
            LexemeKind::Comment => push(inside, '*', &mut found),
            LexemeKind::Symbol(b'(') => open.push('('),
            LexemeKind::Symbol(b'[') => open.push('['),
            LexemeKind::Symbol(b')' | b']') => {
                open.pop();
            }
            LexemeKind::Symbol(b';') => open.clear(),
            LexemeKind::Word | LexemeKind::Number | LexemeKind::Symbol(_) => {}
        }
    }
    push(breaks(&text[done..]), open.last().copied().unwrap_or('-'), &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_as_wide_as_the_prompt_and_goes_again() {
        let margin = Margin::of("rowkind> ");
        let text = "SELECT 'a\n  b'\nFROM t";
        let put = margin.put(text);
        assert!(put.split('\n').skip(1).all(|line| margin.strip(line).is_some_and(|_| line.width() >= 9)));
        assert_eq!(Margin::remove(&put), text);
        assert_eq!(margin.put(&put), put);
        assert!(!margin.lacks(&put) && margin.lacks(text));
        assert_eq!(margin.shown('-'), "      -> ");
        assert_eq!(Margin::of("").put(text), text);
    }

    #[test]
    fn each_line_break_tells_what_is_open() {
        let text = "SELECT f(\n1, MAP[\n'a\nb'], /*\n*/ `\n`\n)\n;\n";
        assert_eq!(open_at_breaks(text), ['(', '[', '\'', '*', '`', '(', '-', '-']);
    }
}
