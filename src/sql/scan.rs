//! The shape of a text: words, strings, names, comments and symbols, without their meaning.
//!
//! Splitting, completeness, the repair of typographic quotes and the fast reading of rows all look at a
//! text through this scanner, so that they agree on where a string or a comment ends. It works on
//! bytes in one pass and copies nothing.

use std::ops::Range;

use super::error::ParseError;
use super::span::Span;

/// What a stretch of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chunk {
    /// Blanks, tabs, line breaks and blanks of Unicode that a paste may contain.
    Space,
    /// `-- …` up to the end of the line.
    LineComment,
    /// `/* … */`
    BlockComment,
    /// `'…'`, where `''` is a quote.
    Text,
    /// A string between typographic quotes, as word processors write them.
    SmartText,
    /// `` `…` ``
    Name,
    /// `"…"`, which is neither a string nor a name in Flink.
    DoubleQuoted,
    /// Letters, digits, `_`, `$` and what is not ASCII.
    Word,
    /// Any other single character.
    Symbol(u8),
}

/// A chunk, its bytes, and whether its closing quote or comment end is missing.
#[derive(Debug, Clone)]
pub(super) struct Scanned {
    pub(super) chunk: Chunk,
    pub(super) range: Range<usize>,
    pub(super) open: bool,
}

impl Scanned {
    /// Blanks and comments mean nothing to a statement.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.chunk, Chunk::Space | Chunk::LineComment | Chunk::BlockComment)
    }

    /// The error that the chunk is not closed, at its opening quote.
    pub(super) fn unclosed(&self, text: &str) -> ParseError {
        let start = self.range.start;
        let quote = text[start..].chars().next().map_or(1, char::len_utf8);
        let span = Span::of_bytes(text, start..start + quote);
        match self.chunk {
            Chunk::BlockComment => {
                ParseError::new("unterminated comment", span).with_hint("Close it with */.")
            }
            Chunk::Name => ParseError::new("unterminated quoted name", span)
                .with_hint("Close it with a backtick. A backtick inside of a name is written twice."),
            _ => ParseError::new("unterminated string", span)
                .with_hint("Close it with '. A quote inside of a string is written twice."),
        }
    }
}

/// An iterator over the chunks of a text, without gaps.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    /// The byte at which the next chunk starts.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes on at another byte.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at;
    }

    fn seek(&self, from: usize, stop: impl Fn(u8) -> bool) -> usize {
        self.bytes[from..].iter().position(|b| stop(*b)).map_or(self.bytes.len(), |i| from + i)
    }

    /// The end of a quoted stretch whose quote doubles to stand for itself.
    fn quoted(&self, quote: u8) -> (usize, bool) {
        let mut at = self.at + 1;
        loop {
            at = self.seek(at, |b| b == quote);
            match (self.bytes.get(at), self.bytes.get(at + 1)) {
                (None, _) => return (at, true),
                (Some(_), Some(next)) if *next == quote => at += 2,
                (Some(_), _) => return (at + 1, false),
            }
        }
    }

    /// The end of a string such as `e'it\'s'`, in which a backslash makes the next character mean
    /// something else.
    fn escaped(&self) -> (usize, bool) {
        let mut at = self.at + 2;
        loop {
            at = self.seek(at, |b| b == b'\'' || b == b'\\');
            match (self.bytes.get(at), self.bytes.get(at + 1)) {
                (None, _) => return (at, true),
                (Some(b'\\'), None) => return (at + 1, true),
                (Some(b'\\'), Some(_)) | (Some(_), Some(b'\'')) => at += 2,
                (Some(_), _) => return (at + 1, false),
            }
        }
    }

    /// A string that starts with a typographic quote ends at the next quote of the same sort, single
    /// or double, typographic or not.
    fn smart_quoted(&self, single: bool) -> (usize, bool) {
        let straight = if single { b'\'' } else { b'"' };
        let mut at = self.at + 3;
        loop {
            at = self.seek(at, |b| b == straight || b == 0xE2);
            match self.bytes.get(at) {
                None => return (at, true),
                Some(b) if *b == straight => return (at + 1, false),
                Some(_) if smart_quote(&self.bytes[at..]) == Some(single) => return (at + 3, false),
                Some(_) => at += 1,
            }
        }
    }

    fn block_comment(&self) -> (usize, bool) {
        let mut at = self.at + 2;
        loop {
            at = self.seek(at, |b| b == b'*');
            match self.bytes.get(at + 1) {
                None => return (self.bytes.len(), true),
                Some(b'/') => return (at + 2, false),
                Some(_) => at += 1,
            }
        }
    }

    fn word(&self) -> usize {
        let mut at = self.at;
        loop {
            at = self.seek(at, |b| !is_word(b));
            match self.bytes.get(at) {
                Some(b) if !b.is_ascii() && foreign(&self.bytes[at..]) == Foreign::Letter => at += 1,
                _ => return at,
            }
        }
    }
}

impl Iterator for Scanner<'_> {
    type Item = Scanned;

    fn next(&mut self) -> Option<Scanned> {
        let first = *self.bytes.get(self.at)?;
        let second = self.bytes.get(self.at + 1).copied();
        let closed = |end| (end, false);
        let (chunk, (end, open)) = match first {
            b if b.is_ascii_whitespace() || b == 0x0B => {
                (Chunk::Space, closed(self.seek(self.at, |b| !b.is_ascii_whitespace() && b != 0x0B)))
            }
            b'e' | b'E' if second == Some(b'\'') => (Chunk::Text, self.escaped()),
            b if is_word(b) => (Chunk::Word, closed(self.word())),
            b'-' if second == Some(b'-') => (Chunk::LineComment, closed(self.seek(self.at, |b| b == b'\n'))),
            b'/' if second == Some(b'*') => (Chunk::BlockComment, self.block_comment()),
            b'\'' => (Chunk::Text, self.quoted(b'\'')),
            b'`' => (Chunk::Name, self.quoted(b'`')),
            b'"' => (Chunk::DoubleQuoted, self.quoted(b'"')),
            b if b.is_ascii() => (Chunk::Symbol(b), closed(self.at + 1)),
            _ => match foreign(&self.bytes[self.at..]) {
                Foreign::Space(length) => (Chunk::Space, closed(self.at + length)),
                Foreign::Quote(single) => (Chunk::SmartText, self.smart_quoted(single)),
                Foreign::Letter => (Chunk::Word, closed(self.word())),
            },
        };
        let range = self.at..end;
        self.at = end;
        Some(Scanned { chunk, range, open })
    }
}

/// What a character outside ASCII is to the scanner.
#[derive(Debug, PartialEq, Eq)]
enum Foreign {
    Letter,
    /// A blank, with its length in bytes.
    Space(usize),
    /// A typographic quote: true for a single one.
    Quote(bool),
}

fn foreign(bytes: &[u8]) -> Foreign {
    match bytes {
        // No-break space, zero-width space, ideographic space and the byte order mark.
        [0xC2, 0xA0, ..] => Foreign::Space(2),
        [0xE2, 0x80, 0x80..=0x8B, ..] | [0xE3, 0x80, 0x80, ..] | [0xEF, 0xBB, 0xBF, ..] => Foreign::Space(3),
        _ => smart_quote(bytes).map_or(Foreign::Letter, Foreign::Quote),
    }
}

/// Whether the bytes start with a typographic quote, and whether it is a single one.
fn smart_quote(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0xE2, 0x80, 0x98..=0x9B, ..] => Some(true),
        [0xE2, 0x80, 0x9C..=0x9F, ..] => Some(false),
        _ => None,
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(text: &str) -> Vec<(&str, Chunk)> {
        let scanned = Scanner::new(text);
        scanned.filter(|s| s.chunk != Chunk::Space).map(|s| (&text[s.range], s.chunk)).collect()
    }

    #[test]
    fn quotes_and_comments_hide_what_is_inside() {
        assert_eq!(
            chunks("a 'it''s; --' `b``;` /* ' ; */ -- ;'\n1"),
            [
                ("a", Chunk::Word),
                ("'it''s; --'", Chunk::Text),
                ("`b``;`", Chunk::Name),
                ("/* ' ; */", Chunk::BlockComment),
                ("-- ;'", Chunk::LineComment),
                ("1", Chunk::Word),
            ]
        );
    }

    #[test]
    fn typographic_quotes_open_a_string_only_outside_of_one() {
        assert_eq!(
            chunks("‘c’ 'it’s' Über“x”"),
            [
                ("‘c’", Chunk::SmartText),
                ("'it’s'", Chunk::Text),
                ("Über", Chunk::Word),
                ("“x”", Chunk::SmartText)
            ]
        );
    }

    #[test]
    fn what_is_not_closed_is_open_to_the_end() {
        for text in ["'a", "'a''", "`a", "/* a *", "/*", "“a", "\"", "'"] {
            let last = Scanner::new(text).last().unwrap();
            assert!(last.open, "{text}");
            assert_eq!(last.range.end, text.len());
        }
        assert!(!Scanner::new("/**/").last().unwrap().open);
    }
}
