//! The statement around the cursor, cut into tokens.

use std::ops::Range;

use crate::sql::{LexemeKind, lexemes};

/// A token of a statement that is being typed.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: LexemeKind,
    /// With its quotes.
    pub(super) text: &'a str,
    pub(super) range: Range<usize>,
}

impl Token<'_> {
    /// Whether it is this word, in any case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == LexemeKind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these words, in any case.
    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    pub(super) fn is_symbol(&self, symbol: u8) -> bool {
        self.kind == LexemeKind::Symbol(symbol)
    }

    /// Whether it could name something.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, LexemeKind::Word | LexemeKind::Name)
    }

    /// The name that it stands for.
    pub(super) fn name(&self) -> String {
        match self.kind {
            LexemeKind::Name => self.inside().replace("``", "`"),
            _ => self.text.to_owned(),
        }
    }

    /// What stands between its quotes.
    pub(super) fn inside(&self) -> &str {
        let quote = self.text.chars().next().map_or(0, char::len_utf8);
        let rest = self.text.get(quote..).unwrap_or("");
        match self.kind {
            LexemeKind::Name => rest.strip_suffix('`').unwrap_or(rest),
            LexemeKind::Text => rest.strip_suffix(['\'', '’', '”']).unwrap_or(rest),
            _ => self.text,
        }
    }
}

/// What is typed at the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Typing {
    /// A word, or nothing yet.
    Word,
    /// Inside a string.
    Text,
    /// Inside a name between backticks.
    Name,
}

/// A statement with the cursor in it.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    /// The tokens of the statement, without comments.
    pub(super) tokens: Vec<Token<'a>>,
    /// How many of them stand before what is typed at the cursor.
    pub(super) at: usize,
    pub(super) typing: Typing,
    /// What is typed up to the cursor, without a quote.
    pub(super) typed: &'a str,
    /// Where that starts.
    pub(super) start: usize,
    /// Whether what is typed lacks its closing quote.
    pub(super) open: bool,
}

impl<'a> Cursor<'a> {
    /// The statement of a text that has this byte in it. There is none in a comment.
    pub(super) fn new(text: &'a str, byte: usize) -> Option<Self> {
        let mut tokens: Vec<Token<'a>> = Vec::new();
        let mut at = None;
        let mut cursor = (Typing::Word, byte, false);
        for lexeme in lexemes(text) {
            let Range { start, end } = lexeme.range;
            let inside = start < byte && (byte < end || lexeme.open && byte == end);
            if lexeme.kind == LexemeKind::Comment {
                let at_its_end = text[start..].starts_with("--") && byte == end;
                if inside || start < byte && at_its_end {
                    return None;
                }
                continue;
            }
            if lexeme.kind == LexemeKind::Symbol(b';') {
                if end <= byte {
                    tokens.clear();
                    continue;
                }
                break;
            }
            if at.is_none() && end >= byte {
                let quote = text[start..].chars().next().map_or(0, char::len_utf8);
                match lexeme.kind {
                    LexemeKind::Text if inside => cursor = (Typing::Text, start + quote, lexeme.open),
                    LexemeKind::Name if inside => cursor = (Typing::Name, start + quote, lexeme.open),
                    LexemeKind::Word if start < byte => cursor = (Typing::Word, start, false),
                    _ => {}
                }
                if cursor.1 < byte || inside || start >= byte {
                    at = Some(tokens.len());
                }
            }
            tokens.push(Token { kind: lexeme.kind, text: &text[start..end], range: start..end });
        }
        let (typing, start, open) = cursor;
        let typed = text.get(start..byte)?;
        Some(Self { at: at.unwrap_or(tokens.len()), tokens, typing, typed, start, open })
    }

    /// The tokens before what is typed.
    pub(super) fn before(&self) -> &[Token<'a>] {
        &self.tokens[..self.at]
    }

    /// The token that comes `n` places before what is typed; the one just before it is 1.
    pub(super) fn back(&self, n: usize) -> Option<&Token<'a>> {
        self.at.checked_sub(n).and_then(|index| self.tokens.get(index))
    }

    /// The brackets that are open at the cursor, the innermost last.
    pub(super) fn open_brackets(&self) -> Vec<usize> {
        let mut open = Vec::new();
        for (index, token) in self.before().iter().enumerate() {
            match token.kind {
                LexemeKind::Symbol(b'(' | b'[') => open.push(index),
                LexemeKind::Symbol(b')' | b']') => {
                    open.pop();
                }
                _ => {}
            }
        }
        open
    }
}

/// The index of the bracket that closes the one at `open`, or the end of the tokens.
pub(super) fn closing(tokens: &[Token<'_>], open: usize, end: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens[..end].iter().enumerate().skip(open) {
        match token.kind {
            LexemeKind::Symbol(b'(' | b'[') => depth += 1,
            LexemeKind::Symbol(b')' | b']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index;
                }
            }
            _ => {}
        }
    }
    end
}

/// The positions in a range at which its commas stand, outside of brackets.
pub(super) fn commas(tokens: &[Token<'_>], range: Range<usize>) -> Vec<usize> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for index in range {
        match tokens[index].kind {
            LexemeKind::Symbol(b'(' | b'[') => depth += 1,
            LexemeKind::Symbol(b')' | b']') => depth = depth.saturating_sub(1),
            LexemeKind::Symbol(b',') if depth == 0 => found.push(index),
            _ => {}
        }
    }
    found
}
