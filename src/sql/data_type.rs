//! Types, as Flink writes them.
//!
//! The parser's tree has no place for Flink's types: `ROW<a INT NOT NULL>`, `MULTISET<…>`,
//! `TIMESTAMP_LTZ(3)` and nullability inside of types. So in the tree, a type is a custom
//! type with one name, which is the type in Flink's notation, and [`data_type`] reads it back.

use std::sync::Arc;

use sqlparser::ast::{self, Ident, ObjectName, ObjectNamePart};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::dialect::FlinkDialect;
use super::error::ParseError;
use super::span::Span;
use super::statement_parser::span_since;
use super::tokens;
use crate::value::{DataType, Field, MAX_LENGTH, TypeKind};

/// How deep types can be nested.
const MAX_DEPTH: usize = 32;
/// What there is instead of deeper types.
const TOO_DEEP: &str = "Put a part of the value into a column of its own.";

/// The type that a type in a parsed expression stands for, for example in a CAST.
///
/// Every type that [`super::parse`] lets through has one; an error means that the tree came from elsewhere.
pub fn data_type(parsed: &ast::DataType) -> Result<DataType, ParseError> {
    let name = match parsed {
        ast::DataType::Custom(ObjectName(parts), modifiers) if modifiers.is_empty() => match &parts[..] {
            [ObjectNamePart::Identifier(name)] => name,
            _ => return Err(unknown_type(&parsed.to_string(), whole_text())),
        },
        _ => return Err(unknown_type(&parsed.to_string(), whole_text())),
    };
    let span = Span::from(name.span);
    data_type_of_text(&name.value).map_err(|error| ParseError { span, ..error })
}

/// A type in Flink's notation, and nothing else.
pub(super) fn data_type_of_text(text: &str) -> Result<DataType, ParseError> {
    let whole = Span::of_bytes(text, 0..text.len());
    let dialect = FlinkDialect::default();
    let tokens = tokens::read(text)?;
    let mut parser = Parser::new(&dialect).with_tokens_with_locations(tokens.list);
    let data_type = parse(&dialect, &mut parser).map_err(|error| match dialect.take_failure() {
        Some((_, failure)) => failure,
        None => ParseError::new(error.to_string(), whole),
    })?;
    if parser.peek_token_ref().token == Token::EOF {
        return Ok(data_type);
    }
    let error = ParseError::new(format!("\"{text}\" is not a type"), whole);
    Err(error.with_hint("A type is written as in INT, DECIMAL(10, 2) or ARRAY<STRING>."))
}

fn whole_text() -> Span {
    sqlparser::tokenizer::Span::empty().into()
}

/// A type, for the parser's tree.
pub(super) fn parse_ast(
    dialect: &FlinkDialect,
    parser: &mut Parser<'_>,
) -> Result<ast::DataType, ParserError> {
    let start = parser.index();
    let data_type = parse(dialect, parser)?;
    let name = Ident::with_span(span_since(parser, start).into(), data_type.to_string());
    Ok(ast::DataType::Custom(ObjectName::from(vec![name]), vec![]))
}

/// A type without the nullability that may follow it.
pub(super) fn parse(dialect: &FlinkDialect, parser: &mut Parser<'_>) -> Result<DataType, ParserError> {
    TypeParser { dialect, parser }.with_suffixes(0)
}

/// A type and the nullability that may follow it, as in a column definition.
pub(super) fn parse_nullable(
    dialect: &FlinkDialect,
    parser: &mut Parser<'_>,
) -> Result<DataType, ParserError> {
    TypeParser { dialect, parser }.nullable(0)
}

struct TypeParser<'p, 'a> {
    dialect: &'p FlinkDialect,
    parser: &'p mut Parser<'a>,
}

impl TypeParser<'_, '_> {
    fn nullable(&mut self, depth: usize) -> Result<DataType, ParserError> {
        let data_type = self.with_suffixes(depth)?;
        Ok(self.nullability(data_type))
    }

    fn nullability(&mut self, data_type: DataType) -> DataType {
        if self.parser.parse_keywords(&[Keyword::NOT, Keyword::NULL]) {
            return data_type.not_null();
        }
        let _ = self.parser.parse_keyword(Keyword::NULL);
        data_type
    }

    /// `INT ARRAY`, `INT NOT NULL MULTISET`
    fn with_suffixes(&mut self, depth: usize) -> Result<DataType, ParserError> {
        let mut data_type = self.base(depth)?;
        for _ in depth..MAX_DEPTH {
            let nullability = self.peek_nullability();
            match self.word_at(nullability).as_deref() {
                Some("ARRAY") => {
                    data_type = DataType::array(self.nullability(data_type));
                }
                Some("MULTISET") => {
                    let element = self.nullability(data_type);
                    data_type = DataType::new(TypeKind::Multiset(Arc::new(element)));
                }
                _ => return Ok(data_type),
            }
            self.parser.next_token();
        }
        let span = self.parser.get_current_token().span;
        self.fail(ParseError::new("the type is nested too deeply", span).with_hint(TOO_DEEP))
    }

    /// Fails at the token read last.
    fn fail<T>(&self, error: ParseError) -> Result<T, ParserError> {
        self.dialect.fail(self.parser.get_current_index(), error)
    }

    /// How many words of nullability come next.
    fn peek_nullability(&self) -> usize {
        match (self.word_at(0).as_deref(), self.word_at(1).as_deref()) {
            (Some("NULL"), _) => 1,
            (Some("NOT"), Some("NULL")) => 2,
            _ => 0,
        }
    }

    fn word_at(&self, n: usize) -> Option<String> {
        match &self.parser.peek_nth_token_ref(n).token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_ascii_uppercase()),
            _ => None,
        }
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.word_at(0).as_deref() == Some(word);
        if found {
            self.parser.next_token();
        }
        found
    }

    fn words(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(i, word)| self.word_at(i).as_deref() == Some(*word));
        for _ in words.iter().filter(|_| found) {
            self.parser.next_token();
        }
        found
    }

    fn base(&mut self, depth: usize) -> Result<DataType, ParserError> {
        let token = self.parser.next_token();
        let Token::Word(word) = &token.token else {
            return self.parser.expected("a data type", token);
        };
        if depth >= MAX_DEPTH {
            let error = ParseError::new("the type is nested too deeply", token.span);
            return self.fail(error.with_hint(TOO_DEEP));
        }
        let name = if word.quote_style.is_none() { word.value.to_ascii_uppercase() } else { String::new() };
        let kind = match name.as_str() {
            "BOOLEAN" => TypeKind::Boolean,
            "TINYINT" => TypeKind::TinyInt,
            "SMALLINT" => TypeKind::SmallInt,
            "INT" | "INTEGER" => TypeKind::Int,
            "BIGINT" => TypeKind::BigInt,
            "FLOAT" => TypeKind::Float,
            "DOUBLE" => {
                self.word("PRECISION");
                TypeKind::Double
            }
            "DECIMAL" | "DEC" | "NUMERIC" => self.decimal(&token)?,
            "CHAR" | "CHARACTER" if self.word("VARYING") => {
                TypeKind::VarChar(self.length(&token, "VARCHAR")?.unwrap_or(1))
            }
            "CHAR" | "CHARACTER" => TypeKind::Char(self.length(&token, "CHAR")?.unwrap_or(1)),
            "VARCHAR" => TypeKind::VarChar(self.length(&token, "VARCHAR")?.unwrap_or(1)),
            "STRING" => TypeKind::VarChar(MAX_LENGTH),
            "BINARY" => TypeKind::Binary(self.length(&token, "BINARY")?.unwrap_or(1)),
            "VARBINARY" => TypeKind::VarBinary(self.length(&token, "VARBINARY")?.unwrap_or(1)),
            "BYTES" => TypeKind::VarBinary(MAX_LENGTH),
            "DATE" => TypeKind::Date,
            "TIME" => {
                let precision = self.fraction(&token, "TIME")?.unwrap_or(0);
                self.words(&["WITHOUT", "TIME", "ZONE"]);
                TypeKind::Time(precision)
            }
            "TIMESTAMP" => self.timestamp(&token)?,
            "TIMESTAMP_LTZ" => TypeKind::TimestampLtz(self.fraction(&token, "TIMESTAMP_LTZ")?.unwrap_or(6)),
            "INTERVAL" => self.interval()?,
            "ARRAY" => {
                self.parser.expect_token(&Token::Lt)?;
                let element = self.nullable(depth + 1)?;
                self.parser.expect_token(&Token::Gt)?;
                TypeKind::Array(Arc::new(element))
            }
            "MULTISET" => {
                self.parser.expect_token(&Token::Lt)?;
                let element = self.nullable(depth + 1)?;
                self.parser.expect_token(&Token::Gt)?;
                TypeKind::Multiset(Arc::new(element))
            }
            "MAP" => {
                self.parser.expect_token(&Token::Lt)?;
                let key = self.nullable(depth + 1)?;
                self.parser.expect_token(&Token::Comma)?;
                let value = self.nullable(depth + 1)?;
                self.parser.expect_token(&Token::Gt)?;
                TypeKind::Map(Arc::new(key), Arc::new(value))
            }
            "ROW" => self.row(depth)?,
            "BITMAP" => TypeKind::Bitmap,
            _ => return self.fail(unknown_type(&word.value, token.span)),
        };
        Ok(DataType::new(kind))
    }

    fn row(&mut self, depth: usize) -> Result<TypeKind, ParserError> {
        if self.parser.consume_token(&Token::Neq) {
            return Ok(TypeKind::Row(Arc::new([])));
        }
        let close = if self.parser.consume_token(&Token::LParen) {
            Token::RParen
        } else {
            self.parser.expect_token(&Token::Lt)?;
            Token::Gt
        };
        let mut fields = Vec::new();
        while fields.is_empty() || self.parser.consume_token(&Token::Comma) {
            let token = self.parser.next_token();
            let Token::Word(word) = token.token else {
                return self.parser.expected("a field name", token);
            };
            if word.quote_style.is_none() {
                self.dialect.note_name(&word.value, token.span);
            }
            let data_type = self.nullable(depth + 1)?;
            if matches!(self.parser.peek_token_ref().token, Token::SingleQuotedString(_)) {
                self.parser.next_token();
            }
            fields.push(Field { name: word.value, data_type });
        }
        self.parser.expect_token(&close)?;
        Ok(TypeKind::Row(fields.into()))
    }

    /// Unsigned numbers in parentheses, if there are any.
    fn numbers(&mut self) -> Result<Vec<u64>, ParserError> {
        if !self.parser.consume_token(&Token::LParen) {
            return Ok(vec![]);
        }
        let numbers = self.parser.parse_comma_separated(Parser::parse_literal_uint)?;
        self.parser.expect_token(&Token::RParen)?;
        Ok(numbers)
    }

    fn out_of_range<T>(
        &self,
        token: &TokenWithSpan,
        message: String,
        example: &str,
    ) -> Result<T, ParserError> {
        self.fail(ParseError::new(message, token.span).with_hint(format!("Write, say, {example}.")))
    }

    fn length(&mut self, token: &TokenWithSpan, name: &str) -> Result<Option<u32>, ParserError> {
        match self.numbers()?[..] {
            [] => Ok(None),
            [length] => {
                if let Ok(length @ 1..=MAX_LENGTH) = u32::try_from(length) {
                    return Ok(Some(length));
                }
                let message = format!("the length of {name} must be between 1 and {MAX_LENGTH}");
                self.out_of_range(token, message, &format!("{name}(10)"))
            }
            _ => self.out_of_range(token, format!("{name} takes a single length"), &format!("{name}(10)")),
        }
    }

    fn fraction(&mut self, token: &TokenWithSpan, name: &str) -> Result<Option<u8>, ParserError> {
        match self.numbers()?[..] {
            [] => Ok(None),
            [digits @ 0..=9] => Ok(Some(u8::try_from(digits).expect("a digit fits a byte"))),
            _ => {
                let message = format!("the precision of {name} must be between 0 and 9");
                self.out_of_range(token, message, &format!("{name}(3)"))
            }
        }
    }

    fn decimal(&mut self, token: &TokenWithSpan) -> Result<TypeKind, ParserError> {
        let (precision, scale) = match self.numbers()?[..] {
            [] => (10, 0),
            [precision] => (precision, 0),
            [precision, scale] => (precision, scale),
            _ => {
                return self.out_of_range(
                    token,
                    "DECIMAL takes a precision and a scale".into(),
                    "DECIMAL(10, 2)",
                );
            }
        };
        match (u8::try_from(precision), u8::try_from(scale)) {
            (Ok(precision @ 1..=38), Ok(scale)) if scale <= precision => {
                Ok(TypeKind::Decimal { precision, scale })
            }
            (Ok(1..=38), _) => {
                let message = format!("the scale of DECIMAL must be between 0 and {precision}");
                self.out_of_range(token, message, &format!("DECIMAL({precision}, 0)"))
            }
            _ => {
                let message = "the precision of DECIMAL must be between 1 and 38".into();
                self.out_of_range(token, message, "DECIMAL(38, 10)")
            }
        }
    }

    fn timestamp(&mut self, token: &TokenWithSpan) -> Result<TypeKind, ParserError> {
        let precision = self.fraction(token, "TIMESTAMP")?.unwrap_or(6);
        if self.words(&["WITH", "LOCAL", "TIME", "ZONE"]) {
            return Ok(TypeKind::TimestampLtz(precision));
        }
        if self.words(&["WITH", "TIME", "ZONE"]) {
            let error = ParseError::new("TIMESTAMP WITH TIME ZONE is not supported", token.span)
                .with_hint("Use TIMESTAMP_LTZ for an instant, or TIMESTAMP for a local time.");
            return self.fail(error);
        }
        self.words(&["WITHOUT", "TIME", "ZONE"]);
        Ok(TypeKind::Timestamp(precision))
    }

    /// The unit decides; Flink has one type for months and one for milliseconds.
    fn interval(&mut self) -> Result<TypeKind, ParserError> {
        let token = self.parser.next_token();
        let kind = match &token.token {
            Token::Word(word) => match word.keyword {
                Keyword::YEAR | Keyword::MONTH | Keyword::QUARTER => TypeKind::IntervalMonth,
                Keyword::WEEK | Keyword::DAY | Keyword::HOUR | Keyword::MINUTE | Keyword::SECOND => {
                    TypeKind::IntervalSecond
                }
                _ => return self.parser.expected("YEAR, MONTH, DAY, HOUR, MINUTE or SECOND", token),
            },
            _ => return self.parser.expected("YEAR, MONTH, DAY, HOUR, MINUTE or SECOND", token),
        };
        self.numbers()?;
        if self.word("TO") {
            self.parser.next_token();
            self.numbers()?;
        }
        Ok(kind)
    }
}

/// The names with which a type can start.
#[rustfmt::skip]
const TYPE_NAMES: &[&str] = &[
    "ARRAY", "BIGINT", "BINARY", "BITMAP", "BOOLEAN", "BYTES", "CHAR", "CHARACTER", "DATE", "DEC", "DECIMAL",
    "DOUBLE", "FLOAT", "INT", "INTEGER", "INTERVAL", "MAP", "MULTISET", "NUMERIC", "ROW", "SMALLINT",
    "STRING", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "TINYINT", "VARBINARY", "VARCHAR",
];

fn unknown_type(name: &str, span: impl Into<Span>) -> ParseError {
    let upper = name.to_ascii_uppercase();
    let other = match upper.as_str() {
        "TEXT" | "VARCHAR2" | "NVARCHAR" | "CLOB" | "JSON" | "JSONB" | "UUID" => Some("STRING"),
        "BOOL" => Some("BOOLEAN"),
        "REAL" | "FLOAT4" => Some("FLOAT"),
        "FLOAT8" => Some("DOUBLE"),
        "NUMBER" => Some("DECIMAL(p, s)"),
        "BLOB" | "BYTEA" => Some("BYTES"),
        "LONG" | "INT8" => Some("BIGINT"),
        "TIMESTAMPTZ" => Some("TIMESTAMP_LTZ(3)"),
        "DATETIME" => Some("TIMESTAMP(3)"),
        "STRUCT" => Some("ROW<name type>"),
        _ => {
            let near = |candidate: &&&str| strsim::osa_distance(&upper, candidate) <= 1 + upper.len() / 6;
            let distance = |candidate: &&&str| strsim::osa_distance(&upper, candidate);
            TYPE_NAMES.iter().filter(near).min_by_key(distance).copied()
        }
    };
    if matches!(upper.as_str(), "RAW" | "VARIANT") {
        let error = ParseError::new(format!("type {upper} is not supported"), span);
        return error.with_hint("Use STRING, BYTES or ROW.");
    }
    let error = ParseError::new(format!("type \"{name}\" does not exist"), span);
    match other {
        Some(other) => error.with_hint(format!("Did you mean {other}?")),
        None => error.with_hint(
            "The types are BOOLEAN, INT, BIGINT, DOUBLE, DECIMAL(p, s), STRING, BYTES, DATE, TIME, TIMESTAMP(p), \
             TIMESTAMP_LTZ(p), ARRAY<t>, MAP<k, v>, ROW<name type> and their like.",
        ),
    }
}

#[cfg(test)]
mod tests;
