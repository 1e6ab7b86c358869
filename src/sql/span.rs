//! Places in a text, as people read them: lines and columns.

use std::ops::Range;

use sqlparser::tokenizer;

/// A position in a text. Lines and columns start at 1; a column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// A stretch of a text, from the place of its first character to the place after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Where it starts.
    pub start: Place,
    /// Where it ends; this place is not part of it.
    pub end: Place,
}

impl Place {
    /// The place of a byte offset in a text. An offset past the end is the end.
    pub fn of_byte(text: &str, offset: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Self { line: saturate(line), column: saturate(column) }
    }

    /// The byte offset of the place in a text. A place past the end of its line is the end of the
    /// line, and one past the last line is the end of the text.
    pub fn byte(self, text: &str) -> usize {
        let mut start = 0;
        for _ in 1..self.line {
            match text[start..].find('\n') {
                Some(i) => start += i + 1,
                None => return text.len(),
            }
        }
        let line = text[start..].split('\n').next().unwrap_or("");
        let characters = self.column.saturating_sub(1) as usize;
        start + line.char_indices().nth(characters).map_or(line.len(), |(i, _)| i)
    }
}

impl Span {
    /// A span between two byte offsets of a text.
    pub fn of_bytes(text: &str, range: Range<usize>) -> Self {
        Self { start: Place::of_byte(text, range.start), end: Place::of_byte(text, range.end) }
    }

    /// Whether this is the place of a parsed node that has none.
    pub fn is_nowhere(self) -> bool {
        self.start == self.end && self.start == Place { line: 1, column: 1 }
    }

    /// Whether another span is part of this one.
    pub fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The byte offsets of the span in a text.
    pub fn bytes(self, text: &str) -> Range<usize> {
        let start = self.start.byte(text);
        start..self.end.byte(text).max(start)
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl From<tokenizer::Location> for Place {
    fn from(place: tokenizer::Location) -> Self {
        let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX).max(1);
        Self { line: narrow(place.line), column: narrow(place.column) }
    }
}

/// A parsed node's span. A node without one is placed at the start of the text.
impl From<tokenizer::Span> for Span {
    fn from(span: tokenizer::Span) -> Self {
        Self { start: span.start.into(), end: span.end.into() }
    }
}

impl From<Place> for tokenizer::Location {
    fn from(place: Place) -> Self {
        Self { line: place.line.into(), column: place.column.into() }
    }
}

impl From<Span> for tokenizer::Span {
    fn from(span: Span) -> Self {
        Self::new(span.start.into(), span.end.into())
    }
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_of_bytes_leads_back_to_the_same_bytes() {
        let text = "SELECT 'ü',\r\n  `Über`\nFROM t";
        let start = text.find("`Über`").unwrap();
        let range = start..start + "`Über`".len();
        let span = Span::of_bytes(text, range.clone());
        assert_eq!(span.start, Place { line: 2, column: 3 });
        assert_eq!(span.end, Place { line: 2, column: 9 });
        assert_eq!(span.bytes(text), range);
    }

    #[test]
    fn places_outside_the_text_are_its_nearest_end() {
        assert_eq!(Place { line: 1, column: 99 }.byte("ab\ncd"), 2);
        assert_eq!(Place { line: 9, column: 1 }.byte("ab\ncd"), 5);
        assert_eq!(Place::of_byte("ab", 99), Place { line: 1, column: 3 });
    }
}
