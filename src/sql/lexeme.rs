//! The pieces of a text, for who colours or completes it while it is typed.

use std::ops::Range;

use super::scan::{Chunk, Scanner};

/// What a piece of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LexemeKind {
    /// A keyword or a name without quotes.
    Word,
    /// A word that starts with a digit.
    Number,
    /// `'…'`, also between typographic quotes.
    Text,
    /// `` `…` ``
    Name,
    /// `"…"`, which Flink does not have.
    DoubleQuoted,
    /// `-- …` or `/* … */`
    Comment,
    /// Any other character.
    Symbol(u8),
}

/// A piece of a text that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub kind: LexemeKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// Whether its closing quote or the end of the comment is missing.
    pub open: bool,
}

/// The pieces of a text in order. The text may be wrong or not complete.
pub fn lexemes(text: &str) -> impl Iterator<Item = Lexeme> {
    Scanner::new(text).filter_map(|scanned| {
        let kind = match scanned.chunk {
            Chunk::Space => return None,
            Chunk::LineComment | Chunk::BlockComment => LexemeKind::Comment,
            Chunk::Text | Chunk::SmartText => LexemeKind::Text,
            Chunk::Name => LexemeKind::Name,
            Chunk::DoubleQuoted => LexemeKind::DoubleQuoted,
            Chunk::Word if text.as_bytes()[scanned.range.start].is_ascii_digit() => LexemeKind::Number,
            Chunk::Word => LexemeKind::Word,
            Chunk::Symbol(symbol) => LexemeKind::Symbol(symbol),
        };
        Some(Lexeme { kind, range: scanned.range, open: scanned.open })
    })
}

/// The text with typographic quotes outside of other strings replaced by the quotes of SQL, and whether
/// there were any.
pub fn with_straight_quotes(text: &str) -> (String, bool) {
    let mut repaired = String::with_capacity(text.len());
    let mut copied = 0;
    let smart = Scanner::new(text).filter(|scanned| scanned.chunk == Chunk::SmartText && !scanned.open);
    for scanned in smart {
        let chunk = &text[scanned.range.clone()];
        let first = chunk.chars().next().map_or(0, char::len_utf8);
        let last = chunk.chars().next_back().map_or(0, char::len_utf8);
        repaired.push_str(&text[copied..scanned.range.start]);
        repaired.push('\'');
        repaired.push_str(&chunk[first..chunk.len() - last]);
        repaired.push('\'');
        copied = scanned.range.end;
    }
    repaired.push_str(&text[copied..]);
    (repaired, copied > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_so_far_has_an_open_end() {
        use LexemeKind::{Comment, Name, Number, Symbol, Text, Word};
        let text = "SELECT 12, `a` -- c\n , 'x";
        let kinds: Vec<LexemeKind> = lexemes(text).map(|lexeme| lexeme.kind).collect();
        assert_eq!(kinds, [Word, Number, Symbol(b','), Name, Comment, Symbol(b','), Text]);
        assert!(lexemes(text).last().is_some_and(|last| last.open));
    }

    #[test]
    fn typographic_quotes_are_made_straight_outside_of_strings() {
        let (text, repaired) = with_straight_quotes("SELECT ‘a’, “b”, 'it’s'");
        assert_eq!(text, "SELECT 'a', 'b', 'it’s'");
        assert!(repaired);
        assert!(!with_straight_quotes("SELECT 'it’s'").1);
    }
}
