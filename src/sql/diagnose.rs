//! From the parser's error, which is a line of text, to a place, a message and a way out.

use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::dialect::FlinkDialect;
use super::error::ParseError;
use super::span::{Place, Span};
use super::statement_parser::StatementParser;
use super::tokens::lower_first;
use super::words;

/// Explains why a statement could not be read.
///
/// The parser tries alternatives and reports the last one that failed, so the place is the farthest
/// token that was looked at, not the one in the error.
pub(super) fn explain(error: ParserError, statements: &StatementParser<'_>) -> ParseError {
    let parser = &statements.parser;
    let farthest = statements.dialect.farthest();
    let text = match error {
        ParserError::RecursionLimitExceeded => {
            let span = token(parser, farthest.token).span;
            return ParseError::new("the statement is nested too deeply", span)
                .with_hint("Move a part of it into a view.");
        }
        ParserError::TokenizerError(text) | ParserError::ParserError(text) => text,
    };
    let (message, place) = split_place(&text);
    let failed = match place {
        Some(place) => index_of(parser, place).unwrap_or(farthest.token),
        None if message.ends_with("found: EOF") => end(parser),
        None => farthest.token,
    };
    if let Some((at, failure)) = statements.dialect.take_failure()
        && (failure.message == text || at >= failed.max(farthest.token))
    {
        return failure;
    }
    if let Some(inner) = inside_of_table(statements, failed.max(farthest.token)) {
        return inner;
    }
    let (at, expected) = if is_open_query(statements, failed) {
        (end(parser), Some(")".to_string()))
    } else if message.contains(" or JOIN after ") {
        // Only here the place is that of the token before.
        (failed + 1, Some("JOIN".to_string()))
    } else if farthest.token > failed {
        (farthest.token, farthest.operand.then(|| "an expression".to_string()))
    } else {
        (failed, expectation(message))
    };
    let case = Case { parser, text: statements.text, at };
    if message.starts_with("INTERVAL requires a unit") {
        return ParseError::new("INTERVAL needs a unit, such as DAY", case.span(at))
            .with_hint("Write, say, INTERVAL '1' DAY.");
    }
    if let Some(error) = case.misspelling(expected.as_deref().unwrap_or_default()) {
        return error;
    }
    if at == failed && !message.starts_with("Expected") && !message.is_empty() {
        return ParseError::new(lower_first(message), case.span(at));
    }
    case.explain(expected.as_deref())
}

/// Where reading failed at a SELECT behind a parenthesis in FROM, the parser tried it as a subquery, dropped
/// that error, and then found no table. Reads the subquery again for the error that matters.
fn inside_of_table(statements: &StatementParser<'_>, failed: usize) -> Option<ParseError> {
    let parser = &statements.parser;
    if !begins_query(parser, failed) {
        return None;
    }
    let dialect = FlinkDialect::default();
    let mut inner = StatementParser::new(&dialect, statements.text, rest(parser, failed));
    let error = match inner.parser.parse_query() {
        Ok(_) => inner.parser.expect_token(&Token::RParen).err()?,
        Err(error) => error,
    };
    Some(explain(error, &inner))
}

/// Whether reading failed at a subquery that is right, but whose parenthesis nothing closes.
fn is_open_query(statements: &StatementParser<'_>, failed: usize) -> bool {
    if !begins_query(&statements.parser, failed) {
        return false;
    }
    let dialect = FlinkDialect::default();
    let tokens = rest(&statements.parser, failed);
    let mut inner = StatementParser::new(&dialect, statements.text, tokens);
    inner.parser.parse_query().is_ok() && inner.parser.peek_token().token == Token::EOF
}

/// Whether a query begins at a token, behind a parenthesis.
fn begins_query(parser: &Parser<'_>, index: usize) -> bool {
    let opens = |index: usize| token(parser, index).token == Token::LParen;
    let selects = matches!(&token(parser, index).token, Token::Word(word)
        if word.quote_style.is_none() && matches!(word.keyword, Keyword::SELECT | Keyword::WITH | Keyword::VALUES));
    selects && index.checked_sub(1).is_some_and(opens)
}

/// The tokens from one on.
fn rest(parser: &Parser<'_>, start: usize) -> Vec<TokenWithSpan> {
    (start..end(parser)).map(|index| token(parser, index).clone()).collect()
}

/// Takes ` at Line: 1, Column: 2` from the end of a message.
fn split_place(text: &str) -> (&str, Option<Place>) {
    let Some((message, place)) = text.rsplit_once(" at Line: ") else { return (text, None) };
    let numbers = place.split_once(", Column: ");
    let parsed = numbers.and_then(|(line, column)| {
        Some(Place { line: line.parse().ok()?, column: column.trim().parse().ok()? })
    });
    (message, parsed)
}

/// What an `Expected: …, found: …` message wants.
fn expectation(message: &str) -> Option<String> {
    let rest = message.strip_prefix("Expected: ")?;
    let (expected, _) = rest.rsplit_once(", found: ")?;
    let expected = match expected {
        "identifier" => "a name",
        "end of statement" => "the end of the statement",
        "joined table" => "a join",
        "table name" => "a table name",
        "SELECT, VALUES, or a subquery in the query body" => "a query",
        _ if expected.starts_with("[NOT] NULL | TRUE") => "NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM or JSON",
        _ => expected,
    };
    (expected.len() <= 70).then(|| expected.to_string())
}

fn token<'p>(parser: &'p Parser<'_>, index: usize) -> &'p TokenWithSpan {
    parser.token_at(index)
}

fn end(parser: &Parser<'_>) -> usize {
    let mut index = 0;
    while token(parser, index).token != Token::EOF {
        index += 1;
    }
    index
}

fn index_of(parser: &Parser<'_>, place: Place) -> Option<usize> {
    (0..end(parser)).find(|index| Place::from(token(parser, *index).span.start) >= place)
}

/// A token that could not be read, with what is around it.
struct Case<'a> {
    parser: &'a Parser<'a>,
    text: &'a str,
    at: usize,
}

impl Case<'_> {
    fn token(&self, index: usize) -> &TokenWithSpan {
        token(self.parser, index)
    }

    fn word(&self, index: usize) -> Option<&str> {
        match &self.token(index).token {
            Token::Word(word) if word.quote_style.is_none() => Some(&word.value),
            _ => None,
        }
    }

    fn previous(&self) -> Option<&Token> {
        self.at.checked_sub(1).map(|index| &self.token(index).token)
    }

    fn span(&self, index: usize) -> Span {
        let token = self.token(index);
        if token.token != Token::EOF {
            return token.span.into();
        }
        match index.checked_sub(1) {
            Some(last) => {
                let end = Span::from(self.token(last).span).end;
                Span { start: end, end }
            }
            None => Span::of_bytes(self.text, 0..0),
        }
    }

    /// The error of a misspelt keyword, if that is why reading failed.
    fn misspelling(&self, expected: &str) -> Option<ParseError> {
        let (misspelt, keyword) = self.misspelt_by().or_else(|| self.misspelt_keyword(expected))?;
        let word = self.word(misspelt)?;
        Some(misspelt_error(word, keyword, self.span(misspelt)))
    }

    fn explain(&self, expected: Option<&str>) -> ParseError {
        let span = self.span(self.at);
        let mut message = match self.token(self.at).token {
            Token::EOF => "syntax error at end of input".to_string(),
            _ => format!("syntax error at or near \"{}\"", &self.text[span.bytes(self.text)]),
        };
        if let Some(expected) = expected {
            message.push_str(", expected ");
            message.push_str(expected);
        }
        let error = ParseError::new(message, span);
        match self.hint(expected.unwrap_or_default()) {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    fn hint(&self, expected: &str) -> Option<String> {
        let found = &self.token(self.at).token;
        if self.previous() == Some(&Token::Comma) && self.ends_list() {
            return Some("Remove the comma before it.".to_string());
        }
        if let Some(word) = self.reserved_name(expected) {
            return Some(format!(
                "{} is a reserved word: as a name, write it as `{word}`.",
                word.to_ascii_uppercase()
            ));
        }
        if let Some(hint) = self.missing_by_or_comma() {
            return Some(hint);
        }
        let cut_off = match found {
            Token::EOF | Token::SemiColon => true,
            Token::Word(word) => words::is_clause(&word.value) && matches!(expected, ")" | "an expression"),
            _ => false,
        };
        match (found, self.unbalanced()) {
            (_, Some(open)) if cut_off => {
                return Some(format!("The {} is not closed.", self.bracket(open)));
            }
            (Token::RParen | Token::RBracket, None) => {
                return Some(format!("No bracket is open that {found} could close."));
            }
            _ => {}
        }
        match found {
            Token::SingleQuotedString(_) if matches!(self.previous(), Some(Token::SingleQuotedString(_))) => {
                Some("Between two strings, a comma or || is missing.".to_string())
            }
            Token::Word(word)
                if matches!(word.keyword, Keyword::PARTITION | Keyword::ORDER) && self.in_call() =>
            {
                Some("A table is given as TABLE t PARTITION BY key.".to_string())
            }
            Token::Word(word) if word.keyword == Keyword::TABLE && self.in_call() => {
                Some("An argument is named with =>, as in input => TABLE t.".to_string())
            }
            Token::Word(word) if word.keyword == Keyword::SEPARATOR && self.in_call() => {
                Some("The separator is an argument: LISTAGG(text, separator).".to_string())
            }
            Token::SingleQuotedString(_) if expected.contains("name") => {
                Some("Names are written between backticks: `name`.".to_string())
            }
            Token::RArrow if self.in_map() => {
                Some("A map is written MAP[key, value, key, value].".to_string())
            }
            Token::RArrow => Some("=> names an argument of a call. To compare, use = or >=.".to_string()),
            Token::Eq if self.in_call() => Some("An argument is named with =>.".to_string()),
            _ => None,
        }
    }

    /// `GROUP a` and `f(TABLE t op => …)`
    fn missing_by_or_comma(&self) -> Option<String> {
        let word = self.word(self.at)?;
        if matches!(word.to_ascii_uppercase().as_str(), "GROUP" | "ORDER") {
            let by = self.word(self.at + 1).is_some_and(|next| next.eq_ignore_ascii_case("BY"));
            return (!by).then(|| format!("{} is followed by BY.", word.to_ascii_uppercase()));
        }
        let named = self.token(self.at + 1).token == Token::RArrow;
        (named && self.in_call()).then(|| format!("A comma is missing before {word}."))
    }

    /// Whether the token cannot start an element of a list.
    fn ends_list(&self) -> bool {
        match &self.token(self.at).token {
            Token::RParen | Token::RBracket | Token::Gt | Token::EOF | Token::SemiColon => true,
            Token::Word(word) => word.quote_style.is_none() && words::is_clause(&word.value),
            _ => false,
        }
    }

    /// The token as a reserved word where a name belongs, or behind an item of a list as its alias.
    fn reserved_name(&self, expected: &str) -> Option<&str> {
        let word = self.word(self.at).filter(|word| words::is_reserved(word))?;
        let names = expected.contains("name") || expected.contains("identifier") || expected == "a column";
        let ends = match &self.token(self.at + 1).token {
            Token::Comma => true,
            Token::Word(next) => next.keyword == Keyword::FROM,
            _ => false,
        };
        let starts_clause =
            ["GROUP", "ORDER", "PARTITION"].iter().any(|clause| word.eq_ignore_ascii_case(clause));
        (names || ends && starts_clause).then_some(word)
    }

    /// The last bracket that is open where reading failed.
    fn unbalanced(&self) -> Option<usize> {
        let mut open = Vec::new();
        for index in 0..self.at {
            match self.token(index).token {
                Token::LParen | Token::LBracket => open.push(index),
                Token::RParen | Token::RBracket => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.pop()
    }

    /// A bracket with the words around it: `( of \"FROM (SELECT\"`.
    fn bracket(&self, open: usize) -> String {
        let bytes = |index| self.span(index).bytes(self.text);
        let start = open.checked_sub(1).map_or_else(|| bytes(open).start, |before| bytes(before).start);
        let end = bytes(open + 1).end.max(bytes(open).end);
        let around = self.text[start..end].split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{} of \"{around}\"", self.token(open).token)
    }

    /// Whether the innermost open parenthesis follows a word.
    fn in_call(&self) -> bool {
        let open = self.unbalanced().and_then(|open| open.checked_sub(1));
        open.is_some_and(|before| self.word(before).is_some())
    }

    fn in_map(&self) -> bool {
        let open = self.unbalanced().and_then(|open| open.checked_sub(1));
        open.is_some_and(|before| self.word(before).is_some_and(|word| word.eq_ignore_ascii_case("MAP")))
    }

    /// Whether a word stands where a name does, so that it is none that was meant as a keyword.
    fn is_named(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|before| self.word(before));
        before.is_some_and(|before| BEFORE_NAMES.contains(&before.to_ascii_uppercase().as_str()))
    }

    /// `GROUP YB a`
    fn misspelt_by(&self) -> Option<(usize, &'static str)> {
        let before = self.word(self.at)?.to_ascii_uppercase();
        let (by, next) = (self.at + 1, &self.token(self.at + 2).token);
        let is_near = strsim::osa_distance(&self.word(by)?.to_ascii_uppercase(), "BY") == 1;
        let starts_operand = match next {
            Token::Word(word) => word.quote_style.is_some() || !words::is_clause(&word.value),
            next => matches!(next, Token::Number(..) | Token::LParen),
        };
        let is_clause = matches!(before.as_str(), "GROUP" | "ORDER" | "PARTITION");
        (is_clause && is_near && starts_operand).then_some((by, "BY"))
    }

    /// The failing word, or the one before it that was taken for an alias, if it is close to the keyword that
    /// is expected, or to any. Of two that are as close it is the one before: `FORM orders`.
    fn misspelt_keyword(&self, expected: &str) -> Option<(usize, &'static str)> {
        let before = self.at.checked_sub(1);
        let near = [before, Some(self.at)].into_iter().flatten().filter_map(|index| {
            if self.is_named(index) {
                return None;
            }
            let (keyword, distance) = nearest_keyword(self.word(index)?, expected)?;
            Some((index, keyword, distance))
        });
        near.min_by_key(|(.., distance)| *distance).map(|(index, keyword, _)| (index, keyword))
    }
}

/// The error of a word that was meant as a keyword.
pub(super) fn misspelt_error(word: &str, keyword: &str, span: Span) -> ParseError {
    ParseError::new(format!("syntax error at or near \"{word}\""), span)
        .with_hint(format!("Did you mean {keyword}?"))
}

/// Keywords behind which the name of a table comes.
const BEFORE_NAMES: &[&str] =
    &["FROM", "JOIN", "INTO", "TABLE", "VIEW", "UPDATE", "DROP", "DESCRIBE", "EXISTS", "ALTER"];

/// Keywords that people misspell, in the order in which they are preferred.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "DEFAULT", "RETURNING", "PRECEDING", "FOLLOWING", "UNBOUNDED", "CURRENT", "SELECT", "FROM", "WHERE",
    "GROUP", "ORDER", "BY", "HAVING", "LIMIT", "JOIN", "INSERT", "NOT", "INTO", "VALUES", "CREATE", "TABLE",
    "VIEW", "DROP", "ALTER", "DESCRIBE", "EXPLAIN", "SHOW", "TABLES", "VIEWS", "PARTITION", "UNION",
    "INTERSECT", "EXCEPT", "DISTINCT", "BETWEEN", "LIKE", "CASE", "WHEN", "THEN", "ELSE", "END", "INNER",
    "OUTER", "LEFT", "RIGHT", "FULL", "CROSS", "USING", "OFFSET", "FETCH", "WITH", "WATERMARK", "PRIMARY",
    "KEY", "ENFORCED", "TEMPORARY", "EXISTS", "COMMENT", "METADATA", "VIRTUAL", "INTERVAL",
    "CHANGELOG_MODE", "EXECUTE", "STATEMENT", "UPDATE", "DELETE", "TRUNCATE", "NATURAL", "OVER", "FILTER",
    "WITHIN", "NULL", "DESC", "AND", "SET", "ON", "AS",
];

/// The keyword that a word is a misspelling of, and how far it is from it: the one that is expected, if it is
/// near, or any that has more than three letters. A keyword itself and a word that Flink knows are none.
fn nearest_keyword(word: &str, expected: &str) -> Option<(&'static str, usize)> {
    let upper = word.to_ascii_uppercase();
    if upper.len() < 2 || words::is_reserved(&upper) || KEYWORDS.contains(&upper.as_str()) {
        return None;
    }
    let limit = if upper.len() <= 5 { 1 } else { 2 };
    let cut = |keyword: &str| keyword.strip_prefix(&upper).is_some_and(|rest| rest.starts_with('_'));
    // A short word is one or two letters away from many words.
    let can_be = |keyword: &str| {
        keyword == expected || upper.len() > 2 && (keyword.len() > 3 || has_same_letters(&upper, keyword))
    };
    let distances = KEYWORDS.iter().map(|keyword| (*keyword, strsim::osa_distance(&upper, keyword)));
    let near = distances.filter(|(keyword, distance)| can_be(keyword) && *distance <= limit || cut(keyword));
    near.min_by_key(|(keyword, distance)| (*keyword != expected, *distance))
}

fn has_same_letters(one: &str, other: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters = text.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests;
