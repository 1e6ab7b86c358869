//! How an expression starts: names, literals, calls, and the arguments that only table functions take.
//!
//! The parser finds out by trial what a word at the start of an expression is. Here it is decided by
//! looking ahead, which is faster, keeps the errors inside of calls, and knows Flink's forms.

use sqlparser::ast::{
    Array, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList,
    FunctionArguments, Ident, Map, MapEntry, ObjectName, OrderByExpr, Query, TrimWhereField, TypedString,
    WindowSpec, WindowType,
};
use sqlparser::dialect::{Dialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Span as TokenSpan, Token, TokenWithSpan};

use super::data_type;
use super::dialect::FlinkDialect;
use super::error::ParseError;
use super::json;
use super::words;

/// Reads the start of an expression, or nothing if the parser's own way is right.
pub(super) fn parse(dialect: &FlinkDialect, p: &mut Parser<'_>) -> Result<Option<Expr>, ParserError> {
    let token = p.peek_token_ref();
    match &token.token {
        Token::Word(word) if word.quote_style.is_some() => name_or_call(p).map(Some),
        Token::Word(word) => {
            let word = word.value.clone();
            let span = token.span;
            parse_word(dialect, p, &word, span).map(Some)
        }
        Token::Number(..) | Token::SingleQuotedString(_) | Token::HexStringLiteral(_) => {
            p.parse_value().map(|value| Some(Expr::Value(value)))
        }
        Token::LParen if starts_query(p, 1) => subquery(p).map(Some),
        Token::LBracket => {
            let error = ParseError::new("syntax error at or near \"[\"", token.span)
                .with_hint("Write ARRAY[x, y] for an array and MAP[key, value] for a map.");
            dialect.fail(p.index(), error)
        }
        Token::LBrace => p.expected_ref("an expression", token),
        _ => {
            dialect.expect_no_type(p.index());
            Ok(None)
        }
    }
}

fn peek_is(p: &Parser<'_>, n: usize, token: &Token) -> bool {
    p.peek_nth_token_ref(n).token == *token
}

fn peek_is_string(p: &Parser<'_>, n: usize) -> bool {
    matches!(p.peek_nth_token_ref(n).token, Token::SingleQuotedString(_))
}

fn keyword_at(p: &Parser<'_>, n: usize) -> Keyword {
    match &p.peek_nth_token_ref(n).token {
        Token::Word(word) if word.quote_style.is_none() => word.keyword,
        _ => Keyword::NoKeyword,
    }
}

fn starts_query(p: &Parser<'_>, n: usize) -> bool {
    matches!(keyword_at(p, n), Keyword::SELECT | Keyword::WITH | Keyword::VALUES)
}

fn name_or_call(p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let ident = p.parse_identifier()?;
    if peek_is(p, 0, &Token::LParen) {
        return p.parse_function(ObjectName::from(vec![ident]));
    }
    Ok(Expr::Identifier(ident))
}

/// An unquoted word at the start of an expression.
fn parse_word(
    dialect: &FlinkDialect,
    p: &mut Parser<'_>,
    word: &str,
    span: TokenSpan,
) -> Result<Expr, ParserError> {
    let upper = word.to_ascii_uppercase();
    let called = peek_is(p, 1, &Token::LParen);
    let indexed = peek_is(p, 1, &Token::LBracket);
    match upper.as_str() {
        "TABLE" => return table_argument(p),
        "SELECT" | "WITH" if starts_argument(p) => return bare_subquery(p, span),
        "TRUE" | "FALSE" | "NULL" => return p.parse_value().map(Expr::Value),
        "MAP" if indexed => return map(p),
        "ARRAY" if indexed => return array(p),
        "MULTISET" if indexed => {
            let elements = elements(p, Parser::parse_expr)?;
            let name = Ident::with_span(span, upper);
            return Ok(Expr::Function(function(name, arguments(elements), None)));
        }
        "DESCRIPTOR" if called => return descriptor(dialect, p),
        "DATE" | "TIME" | "TIMESTAMP" if peek_is_string(p, 1) => return typed_literal(p, &upper),
        "INTERVAL" if starts_interval(p) => {
            p.next_token();
            return p.parse_interval();
        }
        "CASE" => {
            p.next_token();
            return p.parse_case_expr();
        }
        "NOT" => {
            p.next_token();
            return p.parse_not();
        }
        "EXISTS" if called => {
            p.next_token();
            return p.parse_exists_expr(false);
        }
        "CURRENT_DATE" | "CURRENT_TIME" | "CURRENT_TIMESTAMP" | "LOCALTIME" | "LOCALTIMESTAMP" => {
            let name = p.parse_identifier()?;
            return p.parse_time_functions(ObjectName::from(vec![name]));
        }
        "SYMMETRIC" | "ASYMMETRIC" if follows_between(p) => return symmetric(dialect, p, &upper),
        "DEFAULT" if peek_is(p, 1, &Token::Comma) || peek_is(p, 1, &Token::RParen) => {
            return p.parse_identifier().map(Expr::Identifier);
        }
        _ if called => return call(dialect, p, &upper),
        // The character set of a string, as in _UTF8'x', changes nothing.
        _ if word.starts_with('_') && peek_is_string(p, 1) => {
            p.next_token();
            return p.parse_value().map(Expr::Value);
        }
        "ORDER" | "GROUP" if keyword_at(p, 1) != Keyword::BY => {}
        _ if words::is_clause(word) => return p.expected_ref("an expression", p.peek_token_ref()),
        _ => {}
    }
    if !is_unit_argument(p, &upper) {
        dialect.note_name(word, span);
    }
    p.parse_identifier().map(Expr::Identifier)
}

/// A call whose name is not quoted. Some have a syntax of their own.
fn call(dialect: &FlinkDialect, p: &mut Parser<'_>, upper: &str) -> Result<Expr, ParserError> {
    let cast = |p: &mut Parser<'_>, kind| {
        p.next_token();
        p.parse_cast_expr(kind)
    };
    match upper {
        "CAST" => cast(p, CastKind::Cast),
        "TRY_CAST" => cast(p, CastKind::TryCast),
        "EXTRACT" => {
            p.next_token();
            p.parse_extract_expr()
        }
        "CEIL" | "CEILING" | "FLOOR" => {
            p.next_token();
            p.parse_ceil_floor_expr(upper != "FLOOR")
        }
        "POSITION" => {
            let name = p.parse_identifier()?;
            position(dialect, p, name)
        }
        "SUBSTRING" => p.parse_substring(),
        "OVERLAY" => {
            p.next_token();
            p.parse_overlay_expr()
        }
        "TRIM" => trim(p),
        _ if json::is_json_call(upper) => json::parse_call(p, upper),
        _ if words::is_clause(upper) && !matches!(upper, "LEFT" | "RIGHT") => {
            p.expected_ref("an expression", p.peek_token_ref())
        }
        _ => {
            let name = p.parse_identifier()?;
            p.parse_function(ObjectName::from(vec![name]))
        }
    }
}

/// `POSITION(x IN y)`, which the tree knows, or `POSITION(x IN y FROM n)`, which becomes an ordinary
/// call with three arguments.
fn position(dialect: &FlinkDialect, p: &mut Parser<'_>, name: Ident) -> Result<Expr, ParserError> {
    p.expect_token(&Token::LParen)?;
    let expr = Box::new(p.parse_subexpr(dialect.prec_value(Precedence::Between))?);
    p.expect_keyword(Keyword::IN)?;
    let r#in = Box::new(p.parse_expr()?);
    let from = if p.parse_keyword(Keyword::FROM) { Some(p.parse_expr()?) } else { None };
    p.expect_token(&Token::RParen)?;
    let Some(from) = from else { return Ok(Expr::Position { expr, r#in }) };
    let unnamed = |expr| FunctionArg::Unnamed(FunctionArgExpr::Expr(expr));
    let args = [*expr, *r#in, from].map(unnamed).to_vec();
    Ok(Expr::Function(Function {
        name: ObjectName::from(vec![name]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args,
            clauses: vec![],
        }),
        within_group: vec![],
        filter: None,
        null_treatment: None,
        over: None,
    }))
}

/// `TRIM(LEADING FROM x)` trims blanks; the parser wants to know what to trim.
fn trim(p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    p.next_token();
    let trim_where = match keyword_at(p, 1) {
        Keyword::BOTH => TrimWhereField::Both,
        Keyword::LEADING => TrimWhereField::Leading,
        Keyword::TRAILING => TrimWhereField::Trailing,
        _ => return p.parse_trim_expr(),
    };
    if keyword_at(p, 2) != Keyword::FROM {
        return p.parse_trim_expr();
    }
    (0..3).for_each(|_| p.advance_token());
    let expr = Box::new(p.parse_expr()?);
    p.expect_token(&Token::RParen)?;
    Ok(Expr::Trim { expr, trim_where: Some(trim_where), trim_what: None, trim_characters: None })
}

/// The unit of `TIMESTAMPADD(DAY, …)`, which is a word and no name.
fn is_unit_argument(p: &Parser<'_>, upper: &str) -> bool {
    let units = ["SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"];
    let Some(function) = p.index().checked_sub(2) else { return false };
    let after_call = match &p.token_at(function).token {
        Token::Word(word) => word.value.to_ascii_uppercase().starts_with("TIMESTAMP"),
        _ => false,
    };
    after_call && units.contains(&upper) && p.token_at(function + 1).token == Token::LParen
}

fn starts_interval(p: &Parser<'_>) -> bool {
    let signed = usize::from(matches!(p.peek_nth_token_ref(1).token, Token::Minus | Token::Plus));
    let value = &p.peek_nth_token_ref(1 + signed).token;
    matches!(value, Token::SingleQuotedString(_) | Token::Number(..) | Token::LParen)
}

/// `DATE '…'`, `TIME '…'` and `TIMESTAMP '…'`, as typed strings with the parser's own types.
fn typed_literal(p: &mut Parser<'_>, upper: &str) -> Result<Expr, ParserError> {
    p.next_token();
    let data_type = match upper {
        "DATE" => DataType::Date,
        "TIME" => DataType::Time(None, sqlparser::ast::TimezoneInfo::None),
        _ => DataType::Timestamp(None, sqlparser::ast::TimezoneInfo::None),
    };
    let value = p.parse_value()?;
    Ok(Expr::TypedString(TypedString { data_type, value, uses_odbc_syntax: false }))
}

fn follows_between(p: &Parser<'_>) -> bool {
    let before = p.index().checked_sub(1).map(|i| &p.token_at(i).token);
    matches!(before, Some(Token::Word(word)) if word.keyword == Keyword::BETWEEN)
}

/// The low bound of `BETWEEN SYMMETRIC a AND b` becomes `SYMMETRIC a`; ASYMMETRIC is the default.
fn symmetric(dialect: &FlinkDialect, p: &mut Parser<'_>, upper: &str) -> Result<Expr, ParserError> {
    let prefix = p.parse_identifier()?;
    let value = p.parse_subexpr(dialect.prec_value(Precedence::Between))?;
    Ok(match upper {
        "SYMMETRIC" => Expr::Prefixed { prefix, value: Box::new(value) },
        _ => value,
    })
}

fn elements<'a, T>(
    p: &mut Parser<'a>,
    element: impl FnMut(&mut Parser<'a>) -> Result<T, ParserError>,
) -> Result<Vec<T>, ParserError> {
    p.next_token();
    p.expect_token(&Token::LBracket)?;
    if p.consume_token(&Token::RBracket) {
        return Ok(vec![]);
    }
    let elements = p.parse_comma_separated(element)?;
    p.expect_token(&Token::RBracket)?;
    Ok(elements)
}

/// `MAP['k', 'v', …]`
fn map(p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let entries = elements(p, |p| {
        let key = Box::new(p.parse_expr()?);
        p.expect_token(&Token::Comma)?;
        let value = Box::new(p.parse_expr()?);
        Ok(MapEntry { key, value })
    })?;
    Ok(Expr::Map(Map { entries }))
}

/// `ARRAY[…]`
fn array(p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let elem = elements(p, Parser::parse_expr)?;
    Ok(Expr::Array(Array { elem, named: true }))
}

/// `DESCRIPTOR(a, b)`. A name with a type, as in `DESCRIPTOR(a INT)`, becomes a cast.
fn descriptor(dialect: &FlinkDialect, p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let name = p.parse_identifier()?;
    p.expect_token(&Token::LParen)?;
    if p.consume_token(&Token::RParen) {
        return Ok(Expr::Function(function(name, arguments(vec![]), None)));
    }
    let columns = p.parse_comma_separated(|p| {
        let token = p.next_token();
        let Token::Word(word) = token.token else {
            return p.expected("a column name", token);
        };
        if word.quote_style.is_none() {
            dialect.note_name(&word.value, token.span);
        }
        let column = Expr::Identifier(word.into_ident(token.span));
        if matches!(p.peek_token_ref().token, Token::Comma | Token::RParen) {
            return Ok(column);
        }
        let data_type = data_type::parse_ast(dialect, p)?;
        Ok(Expr::Cast { kind: CastKind::Cast, expr: Box::new(column), data_type, format: None })
    })?;
    p.expect_token(&Token::RParen)?;
    Ok(Expr::Function(function(name, arguments(columns), None)))
}

fn function(name: Ident, args: FunctionArguments, over: Option<WindowType>) -> Function {
    Function {
        name: ObjectName::from(vec![name]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args,
        within_group: vec![],
        filter: None,
        null_treatment: None,
        over,
    }
}

fn arguments(expressions: Vec<Expr>) -> FunctionArguments {
    let unnamed = |expr| FunctionArg::Unnamed(FunctionArgExpr::Expr(expr));
    let args = expressions.into_iter().map(unnamed).collect();
    FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses: vec![] })
}

/// `TABLE t`, `TABLE (SELECT …)`, each with an optional PARTITION BY and ORDER BY, becomes a call of `TABLE`
/// whose window holds the two lists.
fn table_argument(p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let table = p.next_token();
    let name = Ident::with_span(table.span, "TABLE");
    let args = if p.consume_token(&Token::LParen) {
        let query = p.parse_query()?;
        p.expect_token(&Token::RParen)?;
        FunctionArguments::Subquery(query)
    } else {
        let mut parts = vec![table_name(p)?];
        while p.consume_token(&Token::Period) {
            parts.push(table_name(p)?);
        }
        arguments(vec![match <[Ident; 1]>::try_from(parts) {
            Ok([name]) => Expr::Identifier(name),
            Err(parts) => Expr::CompoundIdentifier(parts),
        }])
    };
    let over = set_semantics(p)?;
    Ok(Expr::Function(function(name, args, over)))
}

fn table_name(p: &mut Parser<'_>) -> Result<Ident, ParserError> {
    match &p.peek_token_ref().token {
        Token::Word(word) if word.quote_style.is_none() && words::is_clause(&word.value) => {
            p.expected_ref("a table name", p.peek_token_ref())
        }
        Token::Word(_) => p.parse_identifier(),
        _ => p.expected_ref("a table name", p.peek_token_ref()),
    }
}

/// `(SELECT …)`: a subquery, or with PARTITION BY or ORDER BY behind it, a table argument.
fn subquery(p: &mut Parser<'_>) -> Result<Expr, ParserError> {
    let open: TokenWithSpan = p.expect_token(&Token::LParen)?;
    let query = p.parse_query()?;
    p.expect_token(&Token::RParen)?;
    table_or_subquery(p, query, open.span)
}

fn table_or_subquery(p: &mut Parser<'_>, query: Box<Query>, span: TokenSpan) -> Result<Expr, ParserError> {
    match set_semantics(p)? {
        None => Ok(Expr::Subquery(query)),
        over => {
            let name = Ident::with_span(span, "TABLE");
            Ok(Expr::Function(function(name, FunctionArguments::Subquery(query), over)))
        }
    }
}

/// Whether an argument of a call starts here: after `=>`, or after a parenthesis behind a word.
fn starts_argument(p: &Parser<'_>) -> bool {
    let before = |n| p.index().checked_sub(n).map(|index| &p.token_at(index).token);
    match before(1) {
        Some(Token::RArrow) => true,
        Some(Token::LParen) => matches!(before(2), Some(Token::Word(_))),
        _ => false,
    }
}

/// A query as an argument, without parentheses of its own.
fn bare_subquery(p: &mut Parser<'_>, span: TokenSpan) -> Result<Expr, ParserError> {
    let query = p.parse_query()?;
    table_or_subquery(p, query, span)
}

/// `PARTITION BY` and `ORDER BY` of a table argument: one key, or several in parentheses. A comma after a
/// bare key ends the argument.
fn set_semantics(p: &mut Parser<'_>) -> Result<Option<WindowType>, ParserError> {
    let partition_by = if p.parse_keywords(&[Keyword::PARTITION, Keyword::BY]) {
        keys(p, Parser::parse_expr)?
    } else {
        vec![]
    };
    let order_by: Vec<OrderByExpr> = if p.parse_keywords(&[Keyword::ORDER, Keyword::BY]) {
        keys(p, Parser::parse_order_by_expr)?
    } else {
        vec![]
    };
    if partition_by.is_empty() && order_by.is_empty() {
        return Ok(None);
    }
    Ok(Some(WindowType::WindowSpec(WindowSpec {
        window_name: None,
        partition_by,
        order_by,
        window_frame: None,
    })))
}

fn keys<'a, T>(
    p: &mut Parser<'a>,
    mut key: impl FnMut(&mut Parser<'a>) -> Result<T, ParserError>,
) -> Result<Vec<T>, ParserError> {
    if !p.consume_token(&Token::LParen) {
        return Ok(vec![key(p)?]);
    }
    let keys = p.parse_comma_separated(key)?;
    p.expect_token(&Token::RParen)?;
    Ok(keys)
}
