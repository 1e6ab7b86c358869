//! Keywords whose misspelling makes another statement: `SELECT DISTNCT a` names the column `DISTNCT` and
//! gives it the alias `a`.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::diagnose::misspelt_error;
use super::error::ParseError;
use super::tokens;
use super::words;

/// Words for which a name is taken where a keyword may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misread {
    /// `SELECT DISTNCT a`: the word is a column.
    Column,
    /// `t INER JOIN u`, `t JOIN u UNSIG (a)`: the word is the alias of a table.
    TableAlias,
}

/// The first word of a statement that was likely meant as a keyword, though the statement can be read
/// without it. It explains why a name of the statement means nothing.
pub fn misread_keyword(text: &str, kind: Misread) -> Option<ParseError> {
    let tokens = tokens::read(text).ok()?.list;
    tokens.windows(3).find_map(|tokens| {
        let [before, found, after] = tokens else { return None };
        let word = name(found)?;
        let candidates: &[&str] = match kind {
            Misread::Column if keyword(before) == Some(Keyword::SELECT) && starts_item(after) => {
                &["DISTINCT", "ALL"]
            }
            Misread::TableAlias if name(before).is_none() && before.token != Token::RParen => &[],
            Misread::TableAlias => match after.token {
                Token::LParen => &["USING"],
                _ if matches!(keyword(after), Some(Keyword::JOIN | Keyword::OUTER)) => {
                    &["INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL"]
                }
                _ => &[],
            },
            Misread::Column => &[],
        };
        let upper = word.to_ascii_uppercase();
        let distances = candidates.iter().map(|keyword| (*keyword, strsim::osa_distance(&upper, keyword)));
        let (keyword, distance) = distances.min_by_key(|(_, distance)| *distance)?;
        (distance <= keyword.len().div_ceil(4)).then(|| misspelt_error(word, keyword, found.span.into()))
    })
}

/// A word that is no keyword.
fn name(token: &TokenWithSpan) -> Option<&str> {
    match &token.token {
        Token::Word(word) if word.quote_style.is_none() && !words::follows_operand(&word.value) => {
            Some(&word.value)
        }
        _ => None,
    }
}

fn keyword(token: &TokenWithSpan) -> Option<Keyword> {
    match &token.token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    }
}

/// Whether an item of SELECT may begin with a token.
fn starts_item(token: &TokenWithSpan) -> bool {
    match &token.token {
        Token::Word(word) => word.quote_style.is_some() || !words::follows_operand(&word.value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kind: Misread, expected: Option<(&str, &str)>) {
        let found = misread_keyword(text, kind);
        let found = found.as_ref().map(|error| {
            assert_eq!(
                error.message,
                format!("syntax error at or near \"{}\"", &text[error.span.bytes(text)])
            );
            (&text[error.span.bytes(text)], error.hint.as_deref().unwrap())
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_that_are_taken_for_names_are_found() {
        let distinct = Some(("DISTNCT", "Did you mean DISTINCT?"));
        check("SELECT DISTNCT a, b FROM t", Misread::Column, distinct);
        check("SELECT * FROM (SELECT DISTNCT `a` FROM t)", Misread::Column, distinct);
        check("SELECT DISTNCT, b FROM t", Misread::Column, None);
        check("SELECT DISTNCT AS b FROM t", Misread::Column, None);
        check("SELECT inst b FROM t", Misread::Column, None);
        let inner = Some(("iner", "Did you mean INNER?"));
        check("SELECT t.a FROM t iner JOIN u ON t.a = u.a", Misread::TableAlias, inner);
        let left = Some(("LEFTT", "Did you mean LEFT?"));
        check("SELECT t.a FROM (SELECT 1 AS a) LEFTT OUTER JOIN u ON t.a = u.a", Misread::TableAlias, left);
        let using = Some(("UNSIG", "Did you mean USING?"));
        check("SELECT a FROM t JOIN u UNSIG (a)", Misread::TableAlias, using);
        check("SELECT a FROM t AS iner JOIN u ON t.a = u.a", Misread::TableAlias, None);
        check("SELECT a FROM t `iner` JOIN u ON t.a = u.a", Misread::TableAlias, None);
        check("SELECT a FROM t x JOIN u ON t.a = u.a", Misread::TableAlias, None);
    }
}
