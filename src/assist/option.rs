//! The cursor in the options of WITH, or in SET and RESET.

use super::cursor::{Cursor, Token, Typing, closing, commas};
use super::place::Place;
use crate::catalog::{Table, TableMode};
use crate::connect::Connector;
use crate::session::{Collected, KNOWN, Session, setting_values};
use crate::sql::LexemeKind;
use crate::value::Schema;

/// The option of a table in memory.
const MODE: &str = "changelog.mode";

/// The option whose value is the name of a file.
const PATH: &str = "path";

/// Where the name of a file starts that is typed up to a byte: `WITH ('path' = '…`.
pub fn path_start(text: &str, byte: usize) -> Option<usize> {
    let cursor = Cursor::new(text, byte)?;
    let before = cursor.open_brackets().last()?.checked_sub(1)?;
    let is_value = cursor.typing == Typing::Text
        && cursor.tokens[before].is_any(&["WITH", "SET"])
        && cursor.back(1).is_some_and(|token| token.is_symbol(b'='))
        && cursor.back(2).is_some_and(|key| key.inside() == PATH);
    is_value.then_some(cursor.start)
}

impl Place<'_> {
    /// In `WITH ('key' = 'value', …)`.
    pub(super) fn option(&mut self, bracket: usize) {
        let given = self.given_options(bracket);
        let last = self.cursor.back(1);
        if last.is_some_and(|last| last.is_symbol(b'=')) {
            let key = self.cursor.back(2).map(|key| key.inside().to_owned()).unwrap_or_default();
            if key == MODE {
                self.offers.texts(&TableMode::ALL.map(|mode| mode.to_string()));
                return;
            }
            let options = Connector::known_options(&given, &self.schema_before(bracket));
            let option = options.into_iter().find(|option| option.key == key);
            self.offers.texts(&option.map(|option| option.values).unwrap_or_default());
        } else if last.is_some_and(|last| matches!(last.kind, LexemeKind::Symbol(b'(' | b','))) {
            let has = |key: &str| given.iter().any(|(given, _)| given == key);
            if !has("connector") && !has(MODE) {
                self.offers.text_then(MODE, " = '");
            }
            if has(MODE) {
                return;
            }
            for option in Connector::known_options(&given, &self.schema_before(bracket)) {
                if !has(&option.key) {
                    self.offers.text_then(&option.key, " = '");
                }
            }
        }
    }

    /// The columns that are declared before WITH, if they can be read.
    fn schema_before(&self, bracket: usize) -> Schema {
        let tokens = &self.cursor.tokens[..bracket];
        let columns = tokens.iter().position(|token| token.is_symbol(b'(')).map(|open| {
            let end = closing(tokens, open, tokens.len());
            let texts: Vec<&str> = tokens[open + 1..end].iter().map(|token| token.text).collect();
            texts.join(" ")
        });
        let declared = columns.and_then(|columns| {
            let mut session = Session::new();
            let create = format!("CREATE TABLE t ({columns})");
            session.execute(&create, &mut Collected::default()).ok()?;
            session.catalog().table("t").map(Table::schema)
        });
        declared.unwrap_or_else(|| Schema::new(vec![]))
    }

    /// The options in a bracket, without the one at the cursor.
    fn given_options(&self, bracket: usize) -> Vec<(String, String)> {
        let tokens = &self.cursor.tokens;
        let end = closing(tokens, bracket, tokens.len());
        let mut given: Vec<(String, String)> = Vec::new();
        let mut start = bracket + 1;
        let mut stops = commas(tokens, start..end);
        stops.push(end);
        for stop in stops {
            if let [key, equals, value] = &tokens[start.min(stop)..stop]
                && equals.is_symbol(b'=')
                && start != self.cursor.at
                && start + 2 != self.cursor.at
            {
                given.push((key.inside().to_owned(), value.inside().to_owned()));
            }
            start = stop + 1;
        }
        given
    }

    /// In `METADATA FROM 'key'`, in a list of columns.
    pub(super) fn metadata(&mut self, list: usize) {
        let tokens = &self.cursor.tokens;
        let end = closing(tokens, list, tokens.len());
        let is_with = |pair: &[Token<'_>]| pair[0].is("WITH") && pair[1].is_symbol(b'(');
        let with = tokens.get(end..).and_then(|behind| behind.windows(2).position(is_with));
        let given = with.map(|with| self.given_options(end + with + 1)).unwrap_or_default();
        self.offers.texts(&Connector::known_metadata(&given));
    }

    /// In `SET 'key' = 'value'` and `RESET 'key'`.
    pub(super) fn setting(&mut self) {
        let resets = self.cursor.tokens[0].is("RESET");
        match self.cursor.at {
            1 if resets => {
                let set: Vec<String> =
                    self.session.settings().iter().map(|(key, _)| key.to_owned()).collect();
                self.offers.texts(&set);
                self.offers.texts(&KNOWN.map(|(key, _)| key));
            }
            1 => KNOWN.iter().for_each(|(key, _)| self.offers.text_then(key, " = '")),
            3 => {
                let key = self.cursor.tokens[1].inside().to_owned();
                self.offers.texts(setting_values(&key));
            }
            _ => {}
        }
    }
}
