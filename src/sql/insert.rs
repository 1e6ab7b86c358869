//! INSERT and sets of INSERTs.

use sqlparser::parser::ParserError;
use sqlparser::tokenizer::Token;

use super::rows;
use super::statement::{Insert, InsertSource, OnConflict};
use super::statement_parser::StatementParser;

/// Reads `INSERT INTO t VALUES` with nothing but literals, however many. Anything else, errors included,
/// is left to the parser.
pub(super) fn fast_insert(text: &str) -> Option<Insert> {
    rows::read_insert(text)
}

impl StatementParser<'_> {
    pub(super) fn insert(&mut self) -> Result<Insert, ParserError> {
        self.keyword("INSERT")?;
        let overwrite = self.take(&["OVERWRITE"]);
        if !overwrite {
            self.keyword("INTO")?;
        }
        let table = self.object_name()?;
        if self.word_at(0) == "PARTITION" && self.parser.peek_nth_token_ref(1).token == Token::LParen {
            return self.unsupported("INSERT … PARTITION", "Give the column like any other.");
        }
        let lists_columns = self.parser.peek_token_ref().token == Token::LParen
            && !matches!(self.word_at(1).as_str(), "SELECT" | "WITH" | "VALUES" | "TABLE")
            && self.parser.peek_nth_token_ref(1).token != Token::LParen;
        let columns = if lists_columns { self.names_in_parentheses()? } else { vec![] };
        let starts_query = matches!(self.word_at(0).as_str(), "SELECT" | "WITH" | "VALUES" | "TABLE")
            || self.parser.peek_token_ref().token == Token::LParen;
        if !starts_query {
            return self.expected("VALUES or SELECT");
        }
        let source = InsertSource::Query(self.query()?);
        let on_conflict = if self.take(&["ON", "CONFLICT"]) { Some(self.on_conflict()?) } else { None };
        Ok(Insert { table, columns, source, overwrite, on_conflict })
    }

    fn on_conflict(&mut self) -> Result<OnConflict, ParserError> {
        self.keyword("DO")?;
        let action = match self.word_at(0).as_str() {
            "DEDUPLICATE" => OnConflict::Deduplicate,
            "ERROR" => OnConflict::Error,
            "NOTHING" => OnConflict::Nothing,
            _ => return self.expected("DEDUPLICATE, ERROR or NOTHING"),
        };
        self.parser.advance_token();
        Ok(action)
    }

    /// `[BEGIN] STATEMENT SET [BEGIN | ;] INSERT …; … END`
    pub(super) fn statement_set(&mut self) -> Result<Vec<Insert>, ParserError> {
        let begun = self.take(&["BEGIN"]);
        self.keyword("STATEMENT")?;
        self.keyword("SET")?;
        if begun {
            self.parser.expect_token(&Token::SemiColon)?;
        } else {
            self.keyword("BEGIN")?;
        }
        let mut inserts = vec![];
        while !self.take(&["END"]) {
            if self.word_at(0) != "INSERT" {
                return self.expected(if inserts.is_empty() { "INSERT" } else { "INSERT or END" });
            }
            inserts.push(self.insert()?);
            self.parser.expect_token(&Token::SemiColon)?;
        }
        if inserts.is_empty() {
            self.parser.prev_token();
            return self.expected("INSERT");
        }
        Ok(inserts)
    }
}
