//! What each piece of a text is, for who colours it.

use std::ops::Range;

use super::cursor::Token;
use super::relation::Reader;
use super::words;
use crate::Session;
use crate::expr::{aggregate, function};
use crate::plan::changelog_function;
use crate::sql::{LexemeKind, is_reserved, lexemes};

/// What a piece of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A word of SQL.
    Keyword,
    /// The name of a function that there is.
    Function,
    /// A string.
    Text,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// A table or view that there is.
    Relation,
    /// A table that there is not.
    UnknownRelation,
    /// What Flink cannot read: the quote of a string or a name that is not closed, double quotes, or a
    /// bracket that closes none.
    Error,
}

/// The marked pieces of a text of statements, in order. Pieces that are nothing special have no mark.
pub fn marks(session: &Session, text: &str) -> Vec<(Range<usize>, Mark)> {
    let mut found = Vec::new();
    let mut tokens: Vec<Token<'_>> = Vec::new();
    for lexeme in lexemes(text) {
        let mark = match lexeme.kind {
            LexemeKind::Comment => Mark::Comment,
            LexemeKind::Symbol(b';') => {
                statement(session, &mut tokens, &mut found);
                continue;
            }
            LexemeKind::Text | LexemeKind::Name if lexeme.open => {
                let quote = text[lexeme.range.clone()].chars().next().map_or(0, char::len_utf8);
                let inside = lexeme.range.start + quote;
                found.push((lexeme.range.start..inside, Mark::Error));
                if inside < lexeme.range.end {
                    found.push((inside..lexeme.range.end, Mark::Text));
                }
                continue;
            }
            LexemeKind::DoubleQuoted => Mark::Error,
            LexemeKind::Text => Mark::Text,
            LexemeKind::Number => Mark::Number,
            LexemeKind::Word | LexemeKind::Name | LexemeKind::Symbol(_) => {
                tokens.push(Token {
                    kind: lexeme.kind,
                    text: &text[lexeme.range.clone()],
                    range: lexeme.range,
                });
                continue;
            }
        };
        if lexeme.kind != LexemeKind::Comment {
            let (kind, range) = (lexeme.kind, lexeme.range.clone());
            tokens.push(Token { kind, text: &text[range.clone()], range });
        }
        found.push((lexeme.range, mark));
    }
    statement(session, &mut tokens, &mut found);
    found.sort_by_key(|(range, _)| range.start);
    found
}

/// Marks the words of a statement, and takes its tokens.
fn statement(session: &Session, tokens: &mut Vec<Token<'_>>, found: &mut Vec<(Range<usize>, Mark)>) {
    let references = Reader::new(session.catalog(), tokens).references();
    let mut references = references.iter().peekable();
    let mut open = Vec::new();
    // DDL that makes a table names it before it is there.
    let is_ddl = tokens.first().is_some_and(|token| token.is("CREATE"));
    for (index, token) in tokens.iter().enumerate() {
        if let Some(reference) = references.next_if(|reference| reference.token == index) {
            if reference.known {
                found.push((token.range.clone(), Mark::Relation));
            } else if !is_ddl || index > 3 {
                found.push((token.range.clone(), Mark::UnknownRelation));
            }
            continue;
        }
        match token.kind {
            LexemeKind::Word => {}
            LexemeKind::Symbol(bracket @ (b'(' | b'[')) => {
                open.push(bracket);
                continue;
            }
            LexemeKind::Symbol(bracket @ (b')' | b']')) => {
                let opening = if bracket == b')' { b'(' } else { b'[' };
                if open.pop_if(|open| *open == opening).is_none() {
                    found.push((token.range.clone(), Mark::Error));
                }
                continue;
            }
            _ => continue,
        }
        let after_point = index.checked_sub(1).is_some_and(|before| tokens[before].is_symbol(b'.'));
        let is_call = tokens.get(index + 1).is_some_and(|next| next.is_symbol(b'('));
        let is_argument = tokens.get(index + 1).is_some_and(|next| next.is_symbol(b'='))
            && tokens.get(index + 2).is_some_and(|next| next.is_symbol(b'>'));
        if after_point || is_argument {
            continue;
        }
        if is_call && is_function(token.text) {
            found.push((token.range.clone(), Mark::Function));
        } else if is_reserved(token.text) || is_soft(tokens, index) {
            found.push((token.range.clone(), Mark::Keyword));
        }
    }
    tokens.clear();
}

fn is_function(name: &str) -> bool {
    function::find(name).is_some()
        || aggregate::is_aggregate(name)
        || changelog_function::FUNCTIONS.iter().any(|(known, ..)| name.eq_ignore_ascii_case(known))
}

/// Words that are not reserved mean something at the head of a statement, or next to certain others.
fn is_soft(tokens: &[Token<'_>], index: usize) -> bool {
    let token = &tokens[index];
    if !token.is_any(words::SOFT) {
        return false;
    }
    let before = |words: &[&str]| index.checked_sub(1).is_some_and(|before| tokens[before].is_any(words));
    match token.text.to_uppercase().as_str() {
        "ASC" | "NULLS" => true,
        "DESC" => index == 0 || !before(&["SELECT", "FROM"]),
        "KEY" => before(&["PRIMARY"]),
        "ENFORCED" => before(&["NOT"]),
        _ => index < 4,
    }
}

/// The bracket that belongs to the one at or just before a byte, if there is one there, and that one.
pub fn matching_brackets(text: &str, byte: usize) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for lexeme in lexemes(text) {
        match lexeme.kind {
            LexemeKind::Symbol(b'(' | b'[') => open.push(lexeme.range.start),
            LexemeKind::Symbol(b')' | b']') => {
                if let Some(start) = open.pop() {
                    pairs.push((start, lexeme.range.start));
                }
            }
            _ => {}
        }
    }
    let touches = |at: usize| pairs.iter().copied().find(|&(a, b)| a == at || b == at);
    touches(byte).or_else(|| touches(byte.checked_sub(1)?))
}
