//! The hooks through which the parser reads Flink's SQL.
//!
//! The dialect is written from scratch: the permissive dialects of the parser take trailing commas and
//! other things that Flink does not, and stumble over names such as `value` and `offset`.
//! Its cells record, for one parse, how far reading got and which reserved words were taken for names.

use std::cell::{Cell, RefCell};

use sqlparser::ast::{DataType, Expr};
use sqlparser::dialect::{Dialect, Precedence};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

use super::data_type;
use super::error::ParseError;
use super::prefix;
use super::span::Span;
use super::words;

/// Flink's SQL, and what one parse of it noticed.
#[derive(Debug, Default)]
pub(super) struct FlinkDialect {
    /// The farthest token looked at. Speculative parts of the parser drop their errors; this remains.
    farthest: Cell<Farthest>,
    /// Reserved words that were taken for names, in the order in which they were read.
    reserved: RefCell<Vec<(String, Span)>>,
    /// The last error that carries more than the parser's error can, with its token.
    failure: RefCell<Option<(usize, ParseError)>>,
    /// The token at which an expression starts that cannot be a typed literal, see
    /// [`Self::expect_no_type`].
    no_type_at: Cell<Option<usize>>,
}

/// The farthest token looked at, and what was looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Farthest {
    pub(super) token: usize,
    /// An operand was looked for; otherwise what may follow one.
    pub(super) operand: bool,
}

impl FlinkDialect {
    pub(super) fn farthest(&self) -> Farthest {
        self.farthest.get()
    }

    pub(super) fn reach(&self, token: usize, operand: bool) {
        if token > self.farthest.get().token || (token == self.farthest.get().token && !operand) {
            self.farthest.set(Farthest { token, operand });
        }
    }

    /// Keeps an error with its hint and gives the parser one of its own to pass on.
    pub(super) fn fail<T>(&self, token: usize, error: ParseError) -> Result<T, ParserError> {
        let message = error.message.clone();
        self.failure.replace(Some((token, error)));
        Err(ParserError::ParserError(message))
    }

    /// The error kept last, if it is the one that the parser passed on.
    pub(super) fn take_failure(&self) -> Option<(usize, ParseError)> {
        self.failure.take()
    }

    /// Records a name that was read without quotes, if the word is reserved.
    pub(super) fn note_name(&self, word: &str, span: impl Into<Span>) {
        if !words::is_reserved(word) {
            return;
        }
        let span = span.into();
        let mut reserved = self.reserved.borrow_mut();
        if reserved.iter().all(|(_, other)| *other != span) {
            reserved.push((word.to_string(), span));
        }
    }

    pub(super) fn take_reserved(&self) -> Vec<(String, Span)> {
        let mut reserved = self.reserved.take();
        reserved.sort_by_key(|(_, span)| span.start);
        reserved
    }

    /// Before it reads an expression, the parser tries to read a type, for `DATE '…'`. The prefix hook
    /// has read typed literals already, so the attempt at this token can fail at once.
    pub(super) fn expect_no_type(&self, token: usize) {
        self.no_type_at.set(Some(token));
    }

    /// Whether the word just read can be an alias, and if so, records it.
    fn takes_alias(&self, explicit: bool, parser: &Parser<'_>) -> bool {
        let current = parser.get_current_token();
        self.reach(parser.get_current_index(), false);
        let Token::Word(word) = &current.token else { return false };
        if word.quote_style.is_some() {
            return true;
        }
        let refused =
            if explicit { words::is_clause(&word.value) } else { words::follows_operand(&word.value) };
        if !refused {
            self.note_name(&word.value, current.span);
        }
        !refused
    }
}

impl Dialect for FlinkDialect {
    fn is_delimited_identifier_start(&self, ch: char) -> bool {
        ch == '`'
    }

    fn identifier_quote_style(&self, _identifier: &str) -> Option<char> {
        Some('`')
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        ch.is_alphabetic() || ch == '_' || !ch.is_ascii()
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        ch.is_alphanumeric() || ch == '_' || ch == '$' || !ch.is_ascii()
    }

    fn supports_unicode_string_literal(&self) -> bool {
        true
    }

    fn supports_string_escape_constant(&self) -> bool {
        true
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_window_function_null_treatment_arg(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_match_recognize(&self) -> bool {
        true
    }

    fn supports_table_versioning(&self) -> bool {
        true
    }

    fn supports_parens_around_table_factor(&self) -> bool {
        true
    }

    fn require_interval_qualifier(&self) -> bool {
        true
    }

    /// Without it, the parser reads named arguments in a way that drops the errors inside.
    fn supports_named_fn_args_with_expr_name(&self) -> bool {
        true
    }

    fn supports_string_literal_column_alias(&self, _explicit: bool) -> bool {
        false
    }

    fn supports_string_literal_table_alias(&self, _explicit: bool) -> bool {
        false
    }

    fn allow_extract_custom(&self) -> bool {
        true
    }

    /// Words with a syntax of their own are not tried as names when that syntax fails.
    fn is_reserved_for_identifier(&self, _kw: Keyword) -> bool {
        true
    }

    fn is_select_item_alias(&self, explicit: bool, _kw: &Keyword, parser: &mut Parser<'_>) -> bool {
        self.takes_alias(explicit, parser)
    }

    fn is_table_factor_alias(&self, explicit: bool, _kw: &Keyword, parser: &mut Parser<'_>) -> bool {
        self.takes_alias(explicit, parser)
    }

    fn is_table_factor(&self, _kw: &Keyword, parser: &mut Parser<'_>) -> bool {
        let current = parser.get_current_token();
        self.reach(parser.get_current_index(), false);
        match &current.token {
            Token::Word(word) if word.quote_style.is_some() => true,
            Token::Word(word) => {
                let follower = parser.peek_nth_token_ref(1);
                let is_call = parser.peek_token_ref().token == Token::LParen;
                let is_by =
                    matches!(&parser.peek_token_ref().token, Token::Word(w) if w.keyword == Keyword::BY);
                let is_clause = words::is_clause(&word.value)
                    && (is_by || !matches!(word.keyword, Keyword::ORDER | Keyword::GROUP));
                if !is_call && !is_clause && follower.token != Token::LParen {
                    self.note_name(&word.value, current.span);
                }
                !is_clause
            }
            Token::SingleQuotedString(_) => false,
            _ => true,
        }
    }

    /// Calcite's order: BETWEEN, IN and LIKE bind tighter than comparisons, which bind tighter than IS.
    fn prec_value(&self, prec: Precedence) -> u8 {
        match prec {
            Precedence::Period => 100,
            Precedence::DoubleColon => 50,
            Precedence::AtTz => 41,
            Precedence::MulDivModOp => 40,
            Precedence::PlusMinus => 30,
            Precedence::Xor | Precedence::Ampersand | Precedence::Caret => 24,
            Precedence::Pipe | Precedence::Colon | Precedence::PgOther => 23,
            Precedence::Between | Precedence::Like => 22,
            Precedence::Eq => 20,
            Precedence::Is => 17,
            Precedence::UnaryNot => 15,
            Precedence::And => 10,
            Precedence::Or => 5,
        }
    }

    /// Called after each operand: what follows it has been looked at. `IS DISTINCT FROM` is a comparison,
    /// other than `IS NULL`.
    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        self.reach(parser.index(), false);
        let keyword = |n| match &parser.peek_nth_token_ref(n).token {
            Token::Word(word) => word.keyword,
            _ => Keyword::NoKeyword,
        };
        if keyword(0) != Keyword::IS {
            return None;
        }
        let compares = match keyword(1) {
            Keyword::NOT => keyword(2) == Keyword::DISTINCT,
            next => next == Keyword::DISTINCT,
        };
        compares.then(|| Ok(self.prec_value(Precedence::Eq)))
    }

    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        self.reach(parser.index(), true);
        prefix::parse(self, parser).transpose()
    }

    fn parse_data_type(&self, parser: &mut Parser<'_>) -> Option<Result<DataType, ParserError>> {
        if self.no_type_at.take() == Some(parser.index()) {
            return Some(Err(ParserError::ParserError(String::new())));
        }
        Some(data_type::parse_ast(self, parser))
    }
}
