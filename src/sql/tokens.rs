//! Text to the tokens that the parser reads, with what Flink writes differently put right.

use std::borrow::Cow;

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{self, Token, TokenWithSpan, Tokenizer, Whitespace, Word};

use super::dialect::FlinkDialect;
use super::error::ParseError;
use super::scan::{Chunk, Scanner};
use super::span::{Place, Span};
use super::statement::Text;
use super::table_options;
use super::words;

/// The quote of names that this room makes up, such as the symbol that carries `WITHIN` of `MATCH_RECOGNIZE`.
/// No name in a text has it, since Flink has no double quotes.
pub(super) const MADE_UP: char = '"';

/// More operators than this in one chain, such as `a OR b OR …`, are refused, since the tree that
/// they make is as deep as the chain is long.
const MAX_CHAIN: usize = 500;

/// Deeper nesting of brackets than this is refused.
const MAX_NESTING: usize = 64;

/// From this depth on, a statement is [`Tokens::deep`].
const DEEP: usize = 8;

/// From this many operators in a chain on, a statement is [`Tokens::deep`], since some of them nest.
const LONG: usize = 40;

/// The tokens of a statement.
pub(super) struct Tokens<'a> {
    /// The text with typographic quotes and blanks repaired; characters keep their places.
    pub(super) text: Cow<'a, str>,
    /// The tokens without blanks and comments.
    pub(super) list: Vec<TokenWithSpan>,
    /// Where typographic quotes were repaired.
    pub(super) smart_quotes: Vec<Span>,
    /// Comments with hints (`/*+ … */`) other than `OPTIONS`, without their marks.
    pub(super) hints: Vec<Text>,
    /// Whether reading the statement takes more than an ordinary stack.
    pub(super) deep: bool,
}

/// How a character is written by its number.
const UNICODE_ESCAPE: &str =
    "A character is written with four digits, as in U&'\\263A', or with six after a +.";

/// Reads the tokens of a statement.
pub(super) fn read(text: &str) -> Result<Tokens<'_>, ParseError> {
    let (text, smart_quotes) = repair(text)?;
    let dialect = FlinkDialect::default();
    let all = Tokenizer::new(&dialect, &text).tokenize_with_location().map_err(|error| {
        let start = Place::from(error.location);
        let end = Place { column: start.column + 1, ..start };
        let message = error.message.trim_end_matches('.').to_string();
        let error = ParseError::new(lower_first(&message), Span { start, end });
        if message.contains("unicode") { error.with_hint(UNICODE_ESCAPE) } else { error }
    })?;
    let mut tokens = Vec::with_capacity(all.len() / 2);
    let mut hints = Vec::new();
    for token in all {
        match &token.token {
            Token::Whitespace(Whitespace::MultiLineComment(comment)) if comment.starts_with('+') => {
                if table_options::take(&mut tokens, comment, token.span)? {
                    hints.push(Text { value: comment[1..].trim().to_owned(), span: token.span.into() });
                }
            }
            Token::Whitespace(_) => {}
            Token::ShiftRight => tokens.extend(split_in_two(&token, Token::Gt)),
            Token::UnicodeStringLiteral(s)
            | Token::NationalStringLiteral(s)
            | Token::EscapedStringLiteral(s) => {
                tokens.push(TokenWithSpan::new(Token::SingleQuotedString(s.clone()), token.span));
            }
            Token::SingleQuotedString(escape) if follows_uescape(&tokens) => {
                escape_anew(&mut tokens, escape, token.span)?;
            }
            Token::SingleQuotedString(more) if continues_string(&tokens, &token) => {
                append(&mut tokens, more, token.span);
            }
            Token::Word(word) if !keeps_keyword(word) => {
                let word = Word { keyword: Keyword::NoKeyword, ..word.clone() };
                tokens.push(TokenWithSpan::new(Token::Word(word), token.span));
            }
            _ => {
                refuse_foreign(&token, &text, tokens.last())?;
                tokens.push(token);
            }
        }
    }
    refuse_top(&tokens)?;
    let deep = is_deep(&tokens)?;
    move_within(&mut tokens);
    let list = wrap_bare_values(tokens);
    Ok(Tokens { text, list, smart_quotes, hints, deep })
}

/// Replaces typographic quotes outside of strings, and blanks outside of ASCII, by the characters that
/// Flink knows, one for one. What is not closed and double quotes are errors here.
fn repair(text: &str) -> Result<(Cow<'_, str>, Vec<Span>), ParseError> {
    let mut repaired = String::new();
    let mut copied = 0;
    let mut smart_quotes = Vec::new();
    for scanned in Scanner::new(text) {
        let range = scanned.range.clone();
        let chunk = &text[range.clone()];
        let first = chunk.chars().next().map_or(1, char::len_utf8);
        if scanned.chunk == Chunk::DoubleQuoted {
            let span = Span::of_bytes(text, range);
            let inner = chunk.trim_matches('"');
            let hint =
                format!("Flink has no double quotes: use '{inner}' for a string or `{inner}` for a name.");
            return Err(ParseError::new(format!("syntax error at or near \"{chunk}\""), span).with_hint(hint));
        }
        if scanned.open {
            return Err(scanned.unclosed(text));
        }
        if scanned.chunk == Chunk::SmartText {
            let last = chunk.chars().next_back().map_or(1, char::len_utf8);
            smart_quotes.push(Span::of_bytes(text, range.clone()));
            repaired.push_str(&text[copied..range.start]);
            repaired.push('\'');
            repaired.push_str(&chunk[first..chunk.len() - last]);
            repaired.push('\'');
            copied = range.end;
        } else if scanned.chunk == Chunk::Space && !chunk.is_ascii() {
            repaired.push_str(&text[copied..range.start]);
            repaired.push(' ');
            copied = range.end;
        }
    }
    if copied == 0 {
        return Ok((Cow::Borrowed(text), smart_quotes));
    }
    repaired.push_str(&text[copied..]);
    Ok((Cow::Owned(repaired), smart_quotes))
}

/// `>>` closes two types.
fn split_in_two(token: &TokenWithSpan, half: Token) -> [TokenWithSpan; 2] {
    let mut middle = token.span.start;
    middle.column += 1;
    [
        TokenWithSpan::new(half.clone(), tokenizer::Span::new(token.span.start, middle)),
        TokenWithSpan::new(half, tokenizer::Span::new(middle, token.span.end)),
    ]
}

fn is_word(token: &TokenWithSpan, word: &str) -> bool {
    matches!(&token.token, Token::Word(w) if w.quote_style.is_none() && w.value.eq_ignore_ascii_case(word))
}

/// Words that Flink does not reserve but queries use. To the parser all other words that are not
/// reserved are plain names, whatever they mean in other dialects: `top`, `sample`, `format`.
#[rustfmt::skip]
const KEPT: &[Keyword] = &[
    Keyword::ABSENT, Keyword::AFTER, Keyword::ASC, Keyword::BERNOULLI, Keyword::CENTURY, Keyword::DAYS,
    Keyword::DECADE, Keyword::DESC, Keyword::DOW, Keyword::DOY, Keyword::EPOCH, Keyword::EXCLUDE,
    Keyword::FIRST, Keyword::FOLLOWING, Keyword::HOURS, Keyword::IGNORE, Keyword::ISODOW, Keyword::ISOYEAR,
    Keyword::JSON, Keyword::KEYS, Keyword::LAST, Keyword::MICROSECOND, Keyword::MILLENNIUM,
    Keyword::MILLISECOND, Keyword::MINUTES, Keyword::MONTHS, Keyword::NANOSECOND, Keyword::NULLS,
    Keyword::OBJECT, Keyword::ORDINALITY, Keyword::PAST, Keyword::PLACING, Keyword::PRECEDING,
    Keyword::QUARTER, Keyword::REPEATABLE, Keyword::RESPECT, Keyword::SCALAR, Keyword::SECONDS,
    Keyword::SETS, Keyword::TIES, Keyword::UNBOUNDED, Keyword::UNMATCHED, Keyword::WEEK, Keyword::YEARS,
    Keyword::ZONE,
];

fn keeps_keyword(word: &Word) -> bool {
    word.quote_style.is_some()
        || word.keyword == Keyword::NoKeyword
        || KEPT.contains(&word.keyword)
        || words::is_reserved(&word.value)
}

/// A string goes on in another one that stands on a later line.
fn continues_string(tokens: &[TokenWithSpan], next: &TokenWithSpan) -> bool {
    tokens.last().is_some_and(|last| {
        matches!(last.token, Token::SingleQuotedString(_)) && last.span.end.line < next.span.start.line
    })
}

fn append(tokens: &mut [TokenWithSpan], more: &str, span: tokenizer::Span) {
    if let Some(TokenWithSpan { token: Token::SingleQuotedString(text), span: whole }) = tokens.last_mut() {
        text.push_str(more);
        whole.end = span.end;
    }
}

fn follows_uescape(tokens: &[TokenWithSpan]) -> bool {
    match tokens {
        [.., string, word] => {
            is_word(word, "UESCAPE") && matches!(string.token, Token::SingleQuotedString(_))
        }
        _ => false,
    }
}

/// `U&'!263A' UESCAPE '!'`: decodes the string again with its own escape character.
fn escape_anew(
    tokens: &mut Vec<TokenWithSpan>,
    escape: &str,
    span: tokenizer::Span,
) -> Result<(), ParseError> {
    let mut characters = escape.chars();
    let (Some(escape), None) = (characters.next(), characters.next()) else {
        return Err(
            ParseError::new("UESCAPE wants a single character", span).with_hint("Write, say, UESCAPE '!'.")
        );
    };
    tokens.pop();
    let Some(string) = tokens.last_mut() else { return Ok(()) };
    let Token::SingleQuotedString(raw) = &string.token else { return Ok(()) };
    match decode_unicode(raw, escape) {
        Some(decoded) => string.token = Token::SingleQuotedString(decoded),
        None => {
            return Err(ParseError::new("invalid Unicode escape", string.span).with_hint(UNICODE_ESCAPE));
        }
    }
    Ok(())
}

fn decode_unicode(raw: &str, escape: char) -> Option<String> {
    let mut decoded = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(c) = rest.next() {
        if c != escape {
            decoded.push(c);
            continue;
        }
        let digits = match rest.clone().next()? {
            c if c == escape => {
                rest.next();
                decoded.push(escape);
                continue;
            }
            '+' => {
                rest.next();
                6
            }
            _ => 4,
        };
        let hex: String = rest.by_ref().take(digits).collect();
        let code = (hex.len() == digits).then(|| u32::from_str_radix(&hex, 16).ok()).flatten()?;
        decoded.push(char::from_u32(code)?);
    }
    Some(decoded)
}

/// Tokens that other dialects have and Flink has not.
fn refuse_foreign(
    token: &TokenWithSpan,
    text: &str,
    before: Option<&TokenWithSpan>,
) -> Result<(), ParseError> {
    let after_dot = before.is_some_and(|before| before.token == Token::Period);
    let hint = match &token.token {
        Token::SingleQuotedString(_) if after_dot => "Names are written between backticks: `name`.",
        Token::Neq if text[Span::from(token.span).bytes(text)].starts_with('!') => {
            "Use <> for \"not equal\"."
        }
        Token::DoubleEq => "Use a single = to compare.",
        Token::DoubleColon => "Use CAST(x AS type).",
        Token::Overlap => "Use AND.",
        Token::ExclamationMark => "Use NOT.",
        Token::Assignment => "Use = to compare and => to name an argument.",
        Token::Backslash => "A line that starts with \\ is a command; \\G and \\g end a statement.",
        Token::Char(_)
        | Token::Arrow
        | Token::LongArrow
        | Token::HashArrow
        | Token::HashLongArrow
        | Token::AtSign
        | Token::AtArrow
        | Token::ArrowAt
        | Token::Sharp
        | Token::DoubleSharp
        | Token::Spaceship
        | Token::CustomBinaryOperator(_) => "SHOW FUNCTIONS lists the operators and functions.",
        Token::DuckIntDiv => "Integers are divided by / without a remainder.",
        Token::Tilde => "Use REGEXP(text, pattern).",
        Token::Ampersand | Token::ShiftLeft => {
            "Numbers have no bits here; BITMAP functions work on sets of numbers."
        }
        _ => return Ok(()),
    };
    let found = &text[Span::from(token.span).bytes(text)];
    let error = ParseError::new(format!("syntax error at or near \"{found}\""), token.span);
    Err(error.with_hint(hint))
}

/// `SELECT TOP 1`, which the parser takes in every dialect.
fn refuse_top(tokens: &[TokenWithSpan]) -> Result<(), ParseError> {
    let found = tokens.windows(3).find(|w| {
        is_word(&w[0], "SELECT") && is_word(&w[1], "TOP") && matches!(w[2].token, Token::Number(..))
    });
    match found {
        Some(w) => Err(ParseError::new(format!("syntax error at or near \"{}\"", w[2].token), w[2].span)
            .with_hint("Use LIMIT at the end of the query.")),
        None => Ok(()),
    }
}

/// What is open inside one pair of brackets.
#[derive(Default, Clone, Copy)]
struct Level {
    operators: usize,
    unions: usize,
    cases: usize,
}

/// Whether the statement is deep. Refuses one whose tree would be too deep for who walks it.
fn is_deep(tokens: &[TokenWithSpan]) -> Result<bool, ParseError> {
    let mut deep = false;
    let mut outer = Vec::new();
    let mut level = Level::default();
    for token in tokens {
        match &token.token {
            Token::LParen | Token::LBracket => {
                outer.push(std::mem::take(&mut level));
                if outer.len() > MAX_NESTING {
                    return Err(ParseError::new("the statement is nested too deeply", token.span)
                        .with_hint(format!("Brackets can be nested {MAX_NESTING} levels deep.")));
                }
            }
            Token::RParen | Token::RBracket => level = outer.pop().unwrap_or_default(),
            Token::Comma => level.operators = 0,
            Token::Eq
            | Token::Neq
            | Token::Lt
            | Token::Gt
            | Token::LtEq
            | Token::GtEq
            | Token::Plus
            | Token::Minus
            | Token::Mul
            | Token::Div
            | Token::Mod
            | Token::Pipe
            | Token::StringConcat => level.operators += 1,
            Token::Word(word) => match word.keyword {
                Keyword::AND
                | Keyword::OR
                | Keyword::NOT
                | Keyword::IS
                | Keyword::IN
                | Keyword::LIKE
                | Keyword::ILIKE
                | Keyword::RLIKE
                | Keyword::REGEXP
                | Keyword::SIMILAR
                | Keyword::MEMBER
                | Keyword::OVERLAPS
                | Keyword::XOR
                | Keyword::DIV
                | Keyword::AT => level.operators += 1,
                Keyword::CASE => level.cases += 1,
                Keyword::END => level.cases = level.cases.saturating_sub(1),
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT => level.unions += 1,
                Keyword::SELECT | Keyword::FROM | Keyword::JOIN | Keyword::WHEN | Keyword::THEN => {
                    level.operators = 0;
                }
                _ => {}
            },
            Token::SemiColon => level = Level::default(),
            _ => {}
        }
        if level.operators.max(level.unions) > MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} operators in one expression");
            return Err(ParseError::new(message, token.span)
                .with_hint("Use IN for a list of values, or a table and a join."));
        }
        deep |= outer.len() + level.cases > DEEP || level.operators > LONG;
    }
    Ok(deep)
}

/// Moves `WITHIN INTERVAL …` of `MATCH_RECOGNIZE`, which the parser does not know, to the front of the
/// definitions, under a made-up symbol.
fn move_within(tokens: &mut Vec<TokenWithSpan>) {
    let mut from = 0;
    while let Some(found) = tokens[from..]
        .windows(3)
        .position(|w| w[0].token == Token::RParen && is_word(&w[1], "WITHIN") && is_word(&w[2], "INTERVAL"))
    {
        let within = from + found + 1;
        from = within + 1;
        let Some(length) = tokens[within..].iter().position(|t| is_word(t, "DEFINE")) else { continue };
        let define = tokens[within + length].clone();
        let mut moved: Vec<_> = tokens.drain(within..=within + length).collect();
        let span = moved[0].span;
        let symbol = Word { value: "WITHIN".into(), quote_style: Some(MADE_UP), keyword: Keyword::NoKeyword };
        moved.truncate(length);
        moved[0] = TokenWithSpan::new(Token::make_keyword("AS"), span);
        moved.insert(0, TokenWithSpan::new(Token::Word(symbol), span));
        moved.insert(0, define);
        moved.push(TokenWithSpan::new(Token::Comma, span));
        tokens.splice(within..within, moved);
    }
}

/// Puts parentheses around the rows of `VALUES 1, 2`, which the parser wants.
fn wrap_bare_values(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let is_bare = |w: &[TokenWithSpan]| {
        let starts_row = match &w[1].token {
            Token::Word(word) => word.quote_style.is_some() || !words::is_clause(&word.value),
            Token::Number(..) | Token::SingleQuotedString(_) | Token::Minus | Token::HexStringLiteral(_) => {
                true
            }
            _ => false,
        };
        is_word(&w[0], "VALUES") && starts_row && !is_word(&w[1], "ROW")
    };
    if !tokens.windows(2).any(is_bare) {
        return tokens;
    }
    let parenthesis = |token: Token, place| TokenWithSpan::new(token, tokenizer::Span::new(place, place));
    let mut wrapped: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len() + 8);
    // How many brackets are open inside of the row that is being wrapped.
    let mut row: Option<usize> = None;
    for (index, token) in tokens.iter().enumerate() {
        if let Some(depth) = row {
            let ends = depth == 0
                && match &token.token {
                    Token::Comma | Token::RParen | Token::RBracket | Token::SemiColon | Token::EOF => true,
                    Token::Word(word) => word.quote_style.is_none() && ends_values(&word.value),
                    _ => false,
                };
            row = match token.token {
                _ if ends => None,
                Token::LParen | Token::LBracket => Some(depth + 1),
                Token::RParen | Token::RBracket => Some(depth - 1),
                _ => row,
            };
            if ends {
                let place = wrapped.last().map_or(token.span.start, |last| last.span.end);
                wrapped.push(parenthesis(Token::RParen, place));
            }
            wrapped.push(token.clone());
            let Some(next) = tokens.get(index + 1) else { continue };
            if ends && token.token == Token::Comma {
                wrapped.push(parenthesis(Token::LParen, next.span.start));
                row = Some(0);
            }
        } else {
            wrapped.push(token.clone());
            if let Some(next) = tokens.get(index + 1)
                && is_bare(&tokens[index..index + 2])
            {
                wrapped.push(parenthesis(Token::LParen, next.span.start));
                row = Some(0);
            }
        }
    }
    if row.is_some() {
        let place = wrapped.last().map_or(tokenizer::Location::empty(), |last| last.span.end);
        wrapped.push(parenthesis(Token::RParen, place));
    }
    wrapped
}

fn ends_values(word: &str) -> bool {
    ["UNION", "EXCEPT", "INTERSECT", "ORDER", "LIMIT", "OFFSET", "FETCH", "ON"]
        .iter()
        .any(|end| word.eq_ignore_ascii_case(end))
}

pub(super) fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if characters.clone().next().is_some_and(char::is_lowercase) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests;
