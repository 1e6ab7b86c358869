//! The cursor in a call of `FROM_CHANGELOG` or `TO_CHANGELOG`.

use std::collections::BTreeSet;

use super::cursor::{Token, closing, commas};
use super::offer::Sort;
use super::place::Place;
use crate::changelog::RowKind;
use crate::plan::bind::changelog_parameters;
use crate::value::TypeKind;

/// How many log entries are looked at for the codes that occur.
const LOOKED_AT: usize = 50_000;

/// How many different codes are offered. A column with more of them holds no codes.
const MOST_CODES: usize = 64;

impl Place<'_> {
    /// The arguments of a call whose parenthesis is given. Returns whether that is all there is to say.
    pub(super) fn changelog_argument(&mut self, bracket: usize) -> bool {
        let Some(last) = self.cursor.back(1) else { return false };
        let tokens = &self.cursor.tokens;
        if last.is_symbol(b'>') {
            let name = self.cursor.back(3).map(Token::name).unwrap_or_default().to_lowercase();
            self.changelog_value(bracket, &name);
            return true;
        }
        if last.is_symbol(b'(') || last.is_symbol(b',') {
            let end = closing(tokens, bracket, tokens.len());
            let given: Vec<String> = tokens[bracket + 1..end]
                .windows(3)
                .filter(|window| {
                    window[0].is_name() && window[1].is_symbol(b'=') && window[2].is_symbol(b'>')
                })
                .map(|window| window[0].name().to_lowercase())
                .collect();
            let function = tokens[bracket - 1].text;
            for parameter in changelog_parameters(function) {
                if !given.iter().any(|given| given == parameter) {
                    self.offers.argument(&format!("{parameter} => "));
                }
            }
            if given.is_empty() && last.is_symbol(b'(') {
                self.offers.keyword("TABLE");
            }
            return true;
        }
        if last.is("BY") {
            let columns = self.input_columns(bracket);
            self.offers.names(Sort::Column, columns.iter().map(|column| column.name.as_str()));
            return true;
        }
        let is_table = self.cursor.back(2).is_some_and(|token| token.is_any(&["TABLE", "BY"]));
        if is_table || last.is_any(&["PARTITION", "ORDER"]) || last.is_symbol(b')') {
            self.offers.phrases(&["PARTITION BY", "ORDER BY"], self.cursor.before());
            return true;
        }
        false
    }

    fn changelog_value(&mut self, bracket: usize, name: &str) {
        match name {
            "input" => self.offers.keyword("TABLE"),
            "op" | "on_time" => {
                let wants_time = name == "on_time";
                let is_to = self.cursor.tokens[bracket - 1].is("TO_CHANGELOG");
                if is_to && !wants_time {
                    self.offers.argument("DESCRIPTOR(op)");
                    return;
                }
                let columns = self.input_columns(bracket);
                let fitting = columns.iter().filter(|column| {
                    column.data_type.as_ref().is_none_or(|data_type| match data_type.kind {
                        TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => wants_time,
                        TypeKind::Char(_) | TypeKind::VarChar(_) => !wants_time,
                        _ => false,
                    })
                });
                for column in fitting {
                    let name = if crate::sql::is_reserved(&column.name) {
                        format!("`{}`", column.name)
                    } else {
                        column.name.clone()
                    };
                    self.offers.argument(&format!("DESCRIPTOR({name})"));
                }
            }
            "op_mapping" => self.offers.keyword("MAP["),
            "error_handling" => self.offers.texts(&["FAIL", "SKIP"]),
            "produces_full_deletes" => {
                self.offers.keywords(&["TRUE", "FALSE"]);
            }
            _ => {}
        }
    }

    fn input_columns(&self, bracket: usize) -> Vec<super::relation::Column> {
        let end = closing(&self.cursor.tokens, bracket, self.cursor.tokens.len());
        self.reader().input_columns(bracket + 1..end, 0)
    }

    /// The columns of the table that the call around DESCRIPTOR reads.
    pub(super) fn descriptor(&mut self, bracket: usize) {
        let open = self.cursor.open_brackets();
        let outer = open.iter().rev().find(|&&outer| outer < bracket).copied();
        let Some(outer) = outer else { return };
        let columns = self.input_columns(outer);
        self.offers.names(Sort::Column, columns.iter().map(|column| column.name.as_str()));
    }

    /// Inside of `op_mapping => MAP[…]`. Returns whether the map is one.
    pub(super) fn mapping(&mut self, bracket: usize) -> bool {
        let tokens = &self.cursor.tokens;
        let is_mapping = bracket >= 4
            && tokens[bracket - 4].is("op_mapping")
            && tokens[bracket - 3].is_symbol(b'=')
            && tokens[bracket - 2].is_symbol(b'>');
        let open = self.cursor.open_brackets();
        let Some(&call) = open.iter().rev().find(|&&outer| outer < bracket) else { return false };
        if !is_mapping || call == 0 {
            return false;
        }
        let is_from = tokens[call - 1].is("FROM_CHANGELOG");
        let is_key = commas(tokens, bracket + 1..self.cursor.at).len().is_multiple_of(2);
        match (is_from, is_key) {
            (true, false) => self.offers.texts(&RowKind::ALL.map(RowKind::name)),
            (true, true) => {
                let said = self.said(bracket);
                let codes = self.codes(call);
                self.offers.take_last_of_list();
                for code in codes.iter().filter(|code| !said.contains(*code)) {
                    self.offers.text(code);
                }
            }
            (false, true) => {
                let said = self.said(bracket);
                self.offers.take_last_of_list();
                for kind in RowKind::ALL.iter().filter(|kind| !said.iter().any(|word| word == kind.name())) {
                    self.offers.text(kind.name());
                }
            }
            (false, false) => {}
        }
        true
    }

    /// The codes or kinds that the keys of a map have already, but for what is typed at the cursor.
    fn said(&self, bracket: usize) -> BTreeSet<String> {
        let tokens = &self.cursor.tokens;
        let end = closing(tokens, bracket, tokens.len());
        let mut stops = vec![bracket];
        stops.extend(commas(tokens, bracket + 1..end));
        let keys = stops.iter().step_by(2).map(|stop| stop + 1);
        let mut said = BTreeSet::new();
        for key in keys.filter(|key| *key < end && *key != self.cursor.at) {
            said.extend(tokens[key].inside().split(',').map(|code| code.trim().to_owned()));
        }
        if self.cursor.typing == super::cursor::Typing::Text
            && let Some((before, _)) = self.cursor.typed.rsplit_once(',')
        {
            said.extend(before.split(',').map(|code| code.trim().to_owned()));
        }
        said
    }

    /// The codes that occur in the input of a call: the values of its column with the code, in order of their
    /// number.
    fn codes(&self, call: usize) -> Vec<String> {
        let tokens = &self.cursor.tokens;
        let range = call + 1..closing(tokens, call, tokens.len());
        let reader = self.reader();
        let Some(table) = reader.input_table(range.clone()) else { return Vec::new() };
        let op = reader.op_column(range);
        let Some(table) = self.session.catalog().table(&table) else { return Vec::new() };
        let Some(column) = table.stored_schema().index_of(&op) else { return Vec::new() };
        let mut counted: Vec<(String, usize)> = Vec::new();
        for change in table.log().iter().take(LOOKED_AT) {
            let Some(code) = change.row.get(column).and_then(crate::value::Value::as_str) else { continue };
            match counted.iter().position(|(known, _)| known == code) {
                Some(index) => counted[index].1 += 1,
                None if counted.len() == MOST_CODES => return Vec::new(),
                None => counted.push((code.to_owned(), 1)),
            }
        }
        counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counted.into_iter().map(|(code, _)| code).collect()
    }
}
