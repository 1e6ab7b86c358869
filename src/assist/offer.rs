//! Candidates, and how they are written where they go.

use super::cursor::{Cursor, Typing};
use crate::sql::{LexemeKind, quoted_if_needed};

/// What may come at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The byte from which on, up to the cursor, a candidate replaces the text.
    pub start: usize,
    /// The candidates, the likeliest first.
    pub candidates: Vec<Candidate>,
}

/// Something that may come at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// What it puts into the statement, quotes included.
    pub text: String,
    /// What sort of thing it is.
    pub sort: Sort,
}

/// The sort of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// A keyword, or several.
    Keyword,
    /// A table.
    Table,
    /// A view, or a query that WITH names.
    View,
    /// A column, or a field of one.
    Column,
    /// A condition that joins two relations.
    Condition,
    /// A function.
    Function,
    /// The name of an argument, with its arrow.
    Argument,
    /// A string: a code, the name of a kind, an option or a setting.
    Text,
}

/// Collects candidates that go on with what is typed.
#[derive(Debug)]
pub(super) struct Offers {
    typed: String,
    typing: Typing,
    open: bool,
    lower: bool,
    start: usize,
    found: Vec<Candidate>,
    /// The names that only contain what is typed.
    containing: Vec<Candidate>,
}

/// From how many letters on a name may contain what is typed anywhere.
const ENOUGH: usize = 3;

impl Offers {
    pub(super) fn new(cursor: &Cursor<'_>) -> Self {
        let first_word = cursor.tokens.iter().find(|token| token.kind == LexemeKind::Word);
        let has_letters = cursor.typed.contains(|c: char| c.is_ascii_alphabetic());
        let model = if has_letters { Some(cursor.typed) } else { first_word.map(|token| token.text) };
        Self {
            typed: cursor.typed.to_lowercase(),
            typing: cursor.typing,
            open: cursor.open,
            lower: model.is_some_and(|model| !model.contains(|c: char| c.is_ascii_uppercase())),
            start: cursor.start,
            found: Vec::new(),
            containing: Vec::new(),
        }
    }

    /// Whether nothing is typed yet.
    pub(super) fn is_blank(&self) -> bool {
        self.typed.is_empty()
    }

    /// The candidates: where none starts with what is typed, the names that contain it.
    pub(super) fn finish(self) -> Completion {
        let candidates = if self.found.is_empty() { self.containing } else { self.found };
        Completion { start: self.start, candidates }
    }

    fn push(&mut self, sort: Sort, text: String) {
        if !self.found.iter().any(|candidate| candidate.text == text) {
            self.found.push(Candidate { text, sort });
        }
    }

    fn fits(&self, text: &str) -> bool {
        let mut typed = self.typed.chars();
        let mut text = text.chars().flat_map(char::to_lowercase);
        typed.all(|c| text.next() == Some(c))
    }

    fn is_within(&self, name: &str) -> bool {
        self.typed.chars().count() >= ENOUGH && name.to_lowercase().contains(&self.typed)
    }

    /// Keywords, in the case of what is typed.
    pub(super) fn keyword(&mut self, words: &str) {
        if self.typing == Typing::Word && self.fits(words) {
            let words = self.cased(words);
            self.push(Sort::Keyword, words);
        }
    }

    /// Several keywords.
    pub(super) fn keywords(&mut self, words: &[&str]) {
        for words in words {
            self.keyword(words);
        }
    }

    fn cased(&self, words: &str) -> String {
        if self.lower { words.to_lowercase() } else { words.to_owned() }
    }

    /// A function, with its parenthesis.
    pub(super) fn function(&mut self, name: &str, has_arguments: bool) {
        if self.typing == Typing::Word && self.fits(name) {
            let paren = if has_arguments { "(" } else { "" };
            let text = format!("{}{paren}", self.cased(name));
            self.push(Sort::Function, text);
        }
    }

    /// An argument's name, with its arrow, or what else is written in one case only.
    pub(super) fn argument(&mut self, text: &str) {
        if self.typing == Typing::Word && self.fits(text) {
            self.push(Sort::Argument, text.to_owned());
        }
    }

    /// A name, with backticks if it needs them.
    pub(super) fn name(&mut self, sort: Sort, name: &str) {
        let fits = self.fits(name);
        if !fits && !self.is_within(name) {
            return;
        }
        let text = match self.typing {
            Typing::Text => return,
            Typing::Name if self.open => format!("{}`", escaped(name)),
            Typing::Name => escaped(name),
            Typing::Word => quoted_if_needed(name),
        };
        if fits {
            self.push(sort, text);
        } else if !self.containing.iter().any(|candidate| candidate.text == text) {
            self.containing.push(Candidate { text, sort });
        }
    }

    /// The condition that two columns are equal, each with its relation before it.
    pub(super) fn equality(&mut self, left: [&str; 2], right: [&str; 2]) {
        let text =
            format!("{} = {}", left.map(quoted_if_needed).join("."), right.map(quoted_if_needed).join("."));
        if self.typing == Typing::Word && self.fits(&text) {
            self.push(Sort::Condition, text);
        }
    }

    /// Several names of one sort.
    pub(super) fn names<'n>(&mut self, sort: Sort, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            self.name(sort, name);
        }
    }

    /// Several strings.
    pub(super) fn texts(&mut self, values: &[impl AsRef<str>]) {
        for value in values {
            self.text(value.as_ref());
        }
    }

    /// A string.
    pub(super) fn text(&mut self, value: &str) {
        self.text_then(value, "");
    }

    /// A string, and what follows it if the string is not there yet.
    pub(super) fn text_then(&mut self, value: &str, then: &str) {
        if !self.fits(value) {
            return;
        }
        let escaped = value.replace('\'', "''");
        let text = match self.typing {
            Typing::Name => return,
            Typing::Text if self.open => format!("{escaped}'{then}"),
            Typing::Text => escaped,
            Typing::Word => format!("'{escaped}'{then}"),
        };
        self.push(Sort::Text, text);
    }

    /// From now on only what stands behind the last comma of a string counts as typed.
    pub(super) fn take_last_of_list(&mut self) {
        if self.typing == Typing::Text
            && let Some(comma) = self.typed.rfind(',')
        {
            let rest = &self.typed[comma + 1..];
            let rest = rest.trim_start();
            self.start += self.typed.len() - rest.len();
            self.typed = rest.to_owned();
        }
    }

    /// The phrases that may come behind some words: of those that the words start, what is missing, and
    /// otherwise the whole of each.
    pub(super) fn phrases(&mut self, phrases: &[&str], before: &[super::cursor::Token<'_>]) {
        let begun = |phrase: &str| {
            let words: Vec<&str> = phrase.split(' ').collect();
            let is_begun = |known: &usize| {
                let start = before.len().checked_sub(*known);
                start.is_some_and(|start| before[start..].iter().zip(&words).all(|(t, word)| t.is(word)))
            };
            (1..words.len()).rev().find(is_begun).unwrap_or(0)
        };
        let most = phrases.iter().map(|phrase| begun(phrase)).max().unwrap_or(0);
        for phrase in phrases.iter().filter(|phrase| begun(phrase) == most) {
            let rest: Vec<&str> = phrase.split(' ').skip(most).collect();
            self.keyword(&rest.join(" "));
        }
    }
}

/// A name as it stands between backticks.
fn escaped(name: &str) -> String {
    name.replace('`', "``")
}
