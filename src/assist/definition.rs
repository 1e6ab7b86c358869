//! The cursor in CREATE TABLE and CREATE VIEW.

use super::cursor::{Token, commas};
use super::offer::Sort;
use super::place::Place;
use super::words;

impl Place<'_> {
    /// In the list of a new table's columns. Returns whether the cursor is in one.
    pub(super) fn in_definition(&mut self, bracket: usize, depth: usize) -> bool {
        let head = &self.cursor.tokens[..bracket];
        let has = |word: &str| head.iter().any(|token| token.is(word));
        if depth > 2 || !has("TABLE") || has("AS") && depth == 1 || has("WITH") {
            return false;
        }
        let Some(list) = self.cursor.tokens.iter().position(|token| token.is_symbol(b'(')) else {
            return false;
        };
        if depth == 2 {
            // PRIMARY KEY (…) and PARTITIONED BY (…) are about columns that are declared here.
            let is_key = bracket > 0 && self.cursor.tokens[bracket - 1].is("KEY");
            if is_key {
                self.declared(list);
            }
            return is_key;
        }
        if bracket != list {
            if bracket > 0 && self.cursor.tokens[bracket - 1].is("BY") {
                self.declared(list);
                return true;
            }
            return false;
        }
        let start = commas(&self.cursor.tokens, list + 1..self.cursor.at).last().map_or(list + 1, |c| c + 1);
        let item = self.cursor.tokens[start..self.cursor.at].to_vec();
        match item.as_slice() {
            [] => self.offers.keywords(words::TABLE_PARTS),
            [.., metadata, from] if metadata.is("METADATA") && from.is("FROM") => self.metadata(list),
            [.., metadata, from, _] if metadata.is("METADATA") && from.is("FROM") => {
                self.offers.keyword("VIRTUAL");
            }
            [first, ..] if first.is_any(&["PRIMARY", "CONSTRAINT"]) => {
                self.offers.phrases(&["PRIMARY KEY", "NOT ENFORCED"], &item);
            }
            [first, second] if first.is("WATERMARK") && second.is("FOR") => self.declared(list),
            [first, ..] if first.is("WATERMARK") => match item.len() {
                1 => self.offers.keyword("FOR"),
                3 => self.offers.keyword("AS"),
                _ => self.declared(list),
            },
            [_] => {
                self.offers.keywords(words::TYPES);
                self.offers.keyword("AS");
            }
            [_, second, ..] if second.is("AS") => self.declared(list),
            _ => self.offers.phrases(words::AFTER_TYPE, &item),
        }
        true
    }

    /// The columns that are declared in a list.
    fn declared(&mut self, list: usize) {
        let end = super::cursor::closing(&self.cursor.tokens, list, self.cursor.tokens.len());
        let mut start = list + 1;
        let mut stops = commas(&self.cursor.tokens, start..end);
        stops.push(end);
        let mut names = Vec::new();
        for stop in stops {
            let part = self.cursor.tokens[start.min(stop)..stop].first();
            let is_column = |token: &&Token<'_>| {
                token.is_name() && !token.is_any(&["PRIMARY", "CONSTRAINT", "WATERMARK"])
            };
            names.extend(part.filter(is_column).map(Token::name));
            start = stop + 1;
        }
        self.offers.names(Sort::Column, names.iter().map(String::as_str));
    }

    /// Behind the name or the columns of what is created.
    pub(super) fn after_create(&mut self) {
        let has = |word: &str| self.cursor.before().iter().any(|token| token.is(word));
        if has("VIEW") {
            self.offers.phrases(&["AS SELECT", "COMMENT"], self.cursor.before());
        } else if has("TABLE") && self.cursor.before().len() > 2 {
            let phrases = ["WITH", "AS SELECT", "COMMENT", "PARTITIONED BY", "LIKE"];
            self.offers.phrases(&phrases, self.cursor.before());
        }
    }
}
