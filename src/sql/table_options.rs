//! The hint `/*+ OPTIONS('key' = 'value') */` behind the name of a table.
//!
//! To the parser a hint is a comment. This one becomes one more part of the table's name, whose value is the
//! text of the comment, and is read back from there.

use sqlparser::ast::{ObjectName, ObjectNamePart};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Span as TokenSpan, Token, TokenWithSpan, Tokenizer, Whitespace, Word};

use super::dialect::FlinkDialect;
use super::error::ParseError;
use super::span::Span;
use super::statement::{Setting, Text};
use super::tokens::MADE_UP;

/// Options that a table has in one place of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableOptions {
    /// The options, each key once.
    pub options: Vec<Setting>,
    /// Where the hint stands.
    pub span: Span,
}

/// What the hints of one comment are.
#[derive(Debug, Default)]
struct Hints {
    options: Option<TableOptions>,
    /// Whether there are hints with other names.
    has_others: bool,
}

const WRITTEN: &str = "Write OPTIONS('key' = 'value', …).";

/// The name of a table without the hint behind it, and the options of the hint.
///
/// # Errors
/// None for a name that was parsed, since its hint was read then.
pub fn table_options(name: &ObjectName) -> Result<(ObjectName, Option<TableOptions>), ParseError> {
    let [parts @ .., ObjectNamePart::Identifier(last)] = &name.0[..] else { return Ok((name.clone(), None)) };
    if last.quote_style != Some(MADE_UP) {
        return Ok((name.clone(), None));
    }
    let hints = read(&last.value, last.span)?;
    Ok((ObjectName(parts.to_vec()), hints.options))
}

/// Takes the hints of a comment, which starts with `+`, into the tokens before it. Returns whether there are
/// others than `OPTIONS`.
pub(super) fn take(
    tokens: &mut Vec<TokenWithSpan>,
    comment: &str,
    span: TokenSpan,
) -> Result<bool, ParseError> {
    let hints = read(comment, span)?;
    if hints.options.is_none() {
        return Ok(hints.has_others);
    }
    if tokens.last().is_some_and(is_made_up) {
        return Err(ParseError::new("the hint OPTIONS stands here twice", span)
            .with_hint("Give all options in one: OPTIONS('key' = 'value', …)."));
    }
    if !ends_with_table(tokens) {
        return Err(ParseError::new("the hint OPTIONS stands at no table", span)
            .with_hint("Write it behind the name: FROM t /*+ OPTIONS('key' = 'value') */ AS x."));
    }
    let carrier = Word { value: comment.to_owned(), quote_style: Some(MADE_UP), keyword: Keyword::NoKeyword };
    tokens.push(TokenWithSpan::new(Token::Period, TokenSpan::new(span.start, span.start)));
    tokens.push(TokenWithSpan::new(Token::Word(carrier), span));
    Ok(hints.has_others)
}

fn is_made_up(token: &TokenWithSpan) -> bool {
    matches!(&token.token, Token::Word(word) if word.quote_style == Some(MADE_UP))
}

/// Whether the last token is the name of a table that is read or written.
fn ends_with_table(tokens: &[TokenWithSpan]) -> bool {
    let is_name = |token: Option<&TokenWithSpan>| matches!(token.map(|t| &t.token), Some(Token::Word(_)));
    let mut rest = tokens;
    while let [before @ .., TokenWithSpan { token: Token::Word(_), .. }] = rest {
        rest = before;
        match rest {
            [before @ .., TokenWithSpan { token: Token::Period, .. }] if is_name(before.last()) => {
                rest = before;
            }
            _ => return follows_from(rest),
        }
    }
    false
}

/// Whether what comes behind some tokens is a table of FROM, JOIN or INSERT INTO.
fn follows_from(tokens: &[TokenWithSpan]) -> bool {
    let mut depth = 0_usize;
    // Behind a comma, the items before it are skipped.
    let mut in_list = false;
    for (index, token) in tokens.iter().enumerate().rev() {
        match &token.token {
            Token::RParen if in_list => depth += 1,
            Token::LParen if depth > 0 => depth -= 1,
            // FROM (t JOIN u …)
            Token::LParen => {
                in_list = false;
                let before = tokens[..index].last().map(|before| &before.token);
                match before {
                    Some(Token::LParen | Token::Comma) => {}
                    Some(Token::Word(word)) if matches!(word.keyword, Keyword::FROM | Keyword::JOIN) => {}
                    _ => return false,
                }
            }
            Token::Comma if depth == 0 => in_list = true,
            Token::Word(word) if depth == 0 && word.quote_style.is_none() => match word.keyword {
                Keyword::FROM => return is_clause(&tokens[..index]),
                Keyword::JOIN | Keyword::INTO if !in_list => return true,
                Keyword::SELECT
                | Keyword::WHERE
                | Keyword::BY
                | Keyword::HAVING
                | Keyword::SET
                | Keyword::VALUES
                | Keyword::WITH => return false,
                _ if in_list => {}
                _ => return false,
            },
            _ if in_list => {}
            _ => return false,
        }
    }
    false
}

/// Whether a FROM behind some tokens begins a clause, and is not that of `EXTRACT(DAY FROM x)` or `IS DISTINCT
/// FROM x`.
fn is_clause(before: &[TokenWithSpan]) -> bool {
    let keyword = |token: &TokenWithSpan| match &token.token {
        Token::Word(word) => word.keyword,
        _ => Keyword::NoKeyword,
    };
    let mut depth = 0_usize;
    for token in before.iter().rev() {
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 0 => return false,
            Token::LParen => depth -= 1,
            _ if depth == 0 && keyword(token) == Keyword::SELECT => break,
            _ => {}
        }
    }
    before.last().is_none_or(|last| keyword(last) != Keyword::DISTINCT)
}

/// Reads the hints of a comment without its `/*` and `*/`.
fn read(comment: &str, span: TokenSpan) -> Result<Hints, ParseError> {
    let mut hints = Hints::default();
    // What is no hint of Flink is left alone, whatever it is.
    let Ok(tokens) = Tokenizer::new(&FlinkDialect::default(), comment).tokenize_with_location() else {
        hints.has_others = true;
        return Ok(hints);
    };
    let blank = |token: &TokenWithSpan| {
        matches!(token.token, Token::Whitespace(Whitespace::Space | Whitespace::Newline | Whitespace::Tab))
    };
    let tokens = tokens.into_iter().filter(|token| !blank(token));
    let tokens = tokens.map(|token| TokenWithSpan::new(token.token, placed(token.span, span.start)));
    let tokens: Vec<TokenWithSpan> = tokens.collect();
    let mut rest = tokens.get(1..).unwrap_or_default();
    while let [first, after @ ..] = rest {
        rest = after;
        match &first.token {
            Token::Comma => {}
            Token::Word(word) if word.value.eq_ignore_ascii_case("OPTIONS") => {
                if hints.options.is_some() {
                    return Err(ParseError::new("the hint OPTIONS stands here twice", first.span)
                        .with_hint("Give all options in one: OPTIONS('key' = 'value', …)."));
                }
                let options = options(first, &mut rest)?;
                hints.options = Some(TableOptions { options, span: span.into() });
            }
            _ => {
                hints.has_others = true;
                skip_arguments(&mut rest);
            }
        }
    }
    Ok(hints)
}

/// `('key' = 'value', …)`
fn options(name: &TokenWithSpan, rest: &mut &[TokenWithSpan]) -> Result<Vec<Setting>, ParseError> {
    let mut options: Vec<Setting> = Vec::new();
    let mut last = name.span;
    let mut next = || -> TokenWithSpan {
        let Some((first, after)) = rest.split_first() else { return TokenWithSpan::new(Token::EOF, last) };
        *rest = after;
        last = first.span;
        first.clone()
    };
    let wrong = |found: &TokenWithSpan| match &found.token {
        Token::EOF => ParseError::new("the hint OPTIONS is not complete", found.span).with_hint(WRITTEN),
        token => {
            ParseError::new(format!("syntax error at or near \"{token}\""), found.span).with_hint(WRITTEN)
        }
    };
    let text = |found: TokenWithSpan| match found.token {
        Token::SingleQuotedString(value) => Ok(Text { value, span: found.span.into() }),
        _ => Err(wrong(&found)),
    };
    let expect =
        |token: Token, found: TokenWithSpan| if found.token == token { Ok(()) } else { Err(wrong(&found)) };
    expect(Token::LParen, next())?;
    loop {
        let key = match next() {
            // A key of one word needs no quotes.
            TokenWithSpan { token: Token::Word(word), span } => Text { value: word.value, span: span.into() },
            found => text(found)?,
        };
        expect(Token::Eq, next())?;
        let value = text(next())?;
        // Of two values of a key, the last one counts.
        options.retain(|known| known.key.value != key.value);
        options.push(Setting { key, value });
        let found = next();
        if found.token == Token::RParen {
            return Ok(options);
        }
        expect(Token::Comma, found)?;
    }
}

/// `(…)`, if it comes next.
fn skip_arguments(rest: &mut &[TokenWithSpan]) {
    let mut depth = 0_usize;
    while let [first, after @ ..] = *rest {
        match first.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth == 0 => return,
            _ => {}
        }
        *rest = after;
        if depth == 0 {
            return;
        }
    }
}

/// Where a token of a comment stands in the statement: the comment begins two characters before its text.
fn placed(span: TokenSpan, comment: Location) -> TokenSpan {
    let placed = |place: Location| {
        let column = if place.line == 1 { place.column + comment.column + 1 } else { place.column };
        Location { line: place.line + comment.line - 1, column }
    };
    TokenSpan::new(placed(span.start), placed(span.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{Statement, parse};

    fn inserted(text: &str) -> (ObjectName, Option<TableOptions>) {
        let Statement::Insert(insert) = parse(text).unwrap().statement else { panic!("{text} is an INSERT") };
        table_options(&insert.table).unwrap()
    }

    #[track_caller]
    fn check_error(text: &str, at: &str, message: &str) {
        let error = parse(text).expect_err(text);
        assert_eq!((error.message.as_str(), &text[error.span.bytes(text)]), (message, at));
    }

    #[test]
    fn options_come_from_the_name_and_have_places() {
        let text =
            "INSERT INTO db.t\n  /*+ OPTIONS('a'='1',\n 'b' = 'it''s', 'a' = '2', c='3') */ (x) SELECT 1";
        let (name, options) = inserted(text);
        assert_eq!(name.to_string(), "db.t");
        let options = options.unwrap();
        let found = options.options.iter().map(|option| {
            let place = |text_of: &Text| &text[text_of.span.bytes(text)];
            (option.key.value.as_str(), place(&option.key), option.value.value.as_str(), place(&option.value))
        });
        let found: Vec<_> = found.collect();
        let expected = [("b", "'b'", "it's", "'it''s'"), ("a", "'a'", "2", "'2'"), ("c", "c", "3", "'3'")];
        assert_eq!(found, expected);
        assert!(text[options.span.bytes(text)].starts_with("/*+ OPTIONS") && !text.contains('"'));
        assert_eq!(inserted("INSERT INTO t SELECT 1").1, None);
        assert_eq!(inserted("INSERT INTO t /* OPTIONS('a' = 'b') */ SELECT 1").1, None);
    }

    #[test]
    fn the_hint_stands_behind_the_name_of_a_table() {
        let hint = "/*+ OPTIONS('a' = 'b') */";
        for text in [
            "SELECT * FROM t {}",
            "SELECT * FROM t {} AS x",
            "SELECT * FROM t{}x WHERE a = 1",
            "SELECT * FROM a.b.`t` {}, u {} JOIN w {} ON TRUE, x {}",
            "SELECT * FROM (t {} JOIN u {} ON t.a = u.a), (w {} CROSS JOIN x)",
            "SELECT * FROM t JOIN u ON t.a IN (1, 2), w {}",
            "SELECT (SELECT MAX(a) FROM t {}) FROM u",
            "SELECT EXTRACT(DAY FROM a), (b) FROM t {}",
            "INSERT INTO t {} SELECT * FROM u {}",
        ] {
            let text = text.replace("{}", hint);
            let parsed = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(parsed.notices.hints.is_empty(), "{text}");
        }
        let no_table = "the hint OPTIONS stands at no table";
        for text in [
            "SELECT {} * FROM t",
            "SELECT a, b {} FROM t",
            "SELECT * FROM t AS x {}",
            "SELECT * FROM t x {}",
            "SELECT * FROM (SELECT 1) {} AS x",
            "SELECT * FROM t WHERE a IN (b, c {})",
            "SELECT * FROM t GROUP BY a, b {}",
            "SELECT EXTRACT(DAY FROM a {}) FROM t",
            "SELECT * FROM t WHERE a IS NOT DISTINCT FROM b {}",
            "SELECT * FROM f(input => TABLE t {})",
            "INSERT INTO t (a) {} SELECT 1",
        ] {
            check_error(&text.replace("{}", hint), hint, no_table);
        }
        let twice = "the hint OPTIONS stands here twice";
        check_error(
            &format!("SELECT * FROM t {hint} /*+ OPTIONS('c'='d') */"),
            "/*+ OPTIONS('c'='d') */",
            twice,
        );
        check_error("SELECT * FROM t /*+ OPTIONS('a'='b'), options('c'='d') */", "options", twice);
    }

    #[test]
    fn a_wrong_hint_is_an_error_at_its_place_and_others_are_left_alone() {
        check_error("SELECT * FROM t /*+ OPTIONS */", "OPTIONS", "the hint OPTIONS is not complete");
        check_error("SELECT * FROM t /*+ OPTIONS() */", ")", "syntax error at or near \")\"");
        check_error("SELECT * FROM t /*+ OPTIONS('a') */", ")", "syntax error at or near \")\"");
        check_error("SELECT * FROM t /*+ OPTIONS('a' = 1) */", "1", "syntax error at or near \"1\"");
        check_error("SELECT * FROM t /*+ OPTIONS(a.b = '1') */", ".", "syntax error at or near \".\"");
        for others in ["/*+ BROADCAST(t, OPTIONS) */", "/*+ STATE_TTL('a' = '1d') */", "/*+ it's */", "/*+*/"]
        {
            let parsed = parse(&format!("SELECT * FROM t {others}")).unwrap();
            assert_eq!(parsed.notices.hints.len(), usize::from(others != "/*+*/"), "{others}");
        }
        let both = parse("SELECT * FROM t /*+ LOOKUP('table'='t'), OPTIONS('a'='b') */").unwrap();
        assert_eq!(both.notices.hints.len(), 1);
    }
}
