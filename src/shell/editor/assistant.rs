//! What helps while somebody types: completion, colours, suggestions.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::atomic::Ordering;

use rowkind::Session;
use rowkind::assist::{self, Mark};
use rowkind::sql::is_complete;
use rustyline::Context;
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::history::SearchDirection;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};

use super::completion::{candidates_for_word, complete, is_command};
use super::keys::Wishes;
use super::list;
use super::margin::{Margin, open_at_breaks};
use crate::shell::argument::{Argument, argument_of};
use crate::shell::command::{commands, word_and_rest};
use crate::shell::theme::{Part, Theme};

/// Knows the session while somebody types at its prompt.
pub(super) struct Assistant {
    /// The session, lent for as long as a statement is being typed.
    pub(super) session: Session,
    pub(super) theme: Theme,
    pub(super) margin: Margin,
    /// The prompt before the first line.
    pub(super) prompt: String,
    /// Whether candidates can be written to the standard output.
    lists: bool,
    wishes: Wishes,
    /// The brackets that are shown as a pair.
    pair: Cell<Option<(usize, usize)>>,
}

/// How many words are suggested beside the likeliest.
const OTHERS: usize = 3;

/// A longer text than this, in bytes, is not coloured with each key if it is longer than the screen.
const LONG: usize = 1_000;

impl Assistant {
    pub(super) fn new(wishes: Wishes, lists: bool) -> Self {
        Self {
            session: Session::new(),
            theme: Theme::Plain,
            margin: Margin::of(""),
            prompt: String::new(),
            lists,
            wishes,
            pair: Cell::new(None),
        }
    }
}

/// What is marked in a text, which may start with a command.
pub(in crate::shell) fn marks(session: &Session, line: &str) -> Vec<(std::ops::Range<usize>, Part)> {
    if is_command(line) {
        let start = line.len() - line.trim_start().len();
        let end = start + word_and_rest(&line[start..]).0.len();
        let known = commands().any(|command| command.is(&line[start..end]));
        let part = if known { Part::Command } else { Part::Marked(Mark::Error) };
        let mut found = vec![(start..end, part)];
        if argument_of(&line[start..end]) == Argument::Query {
            let marks = assist::marks(session, &line[end..]);
            found.extend(
                marks
                    .into_iter()
                    .map(|(range, mark)| (range.start + end..range.end + end, Part::Marked(mark))),
            );
        }
        return found;
    }
    let marks = assist::marks(session, line);
    marks.into_iter().map(|(range, mark)| (range, Part::Marked(mark))).collect()
}

impl Validator for Assistant {
    /// Quotes, comments and semicolons tell whether a statement is complete. One that is wrong must be possible
    /// to enter, or its error would never be seen.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let complete = is_complete(context.input());
        Ok(if complete { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Self::Candidate>)> {
        if self.wishes.straighten.swap(false, Ordering::Relaxed) {
            let text = format!("{}{}", self.margin.put(line), self.margin.line_break());
            return Ok((0, vec![Pair { display: String::new(), replacement: text }]));
        }
        let (start, pairs) = complete(&self.session, line, pos)?;
        if pairs.len() < 2 || !self.lists {
            return Ok((start, pairs));
        }
        let hint = self.hint(line, pos, context).map(|hint| hint.shown).unwrap_or_default();
        list::show(&pairs, &self.prompt, line.split_at(pos), &hint)?;
        // The line editor writes the statement below the list when it has got one candidate.
        let typed = line.get(start..pos).unwrap_or("");
        let common = list::common_start(&pairs);
        let goes_on = common.len() > typed.len() && common.to_lowercase().contains(&typed.to_lowercase());
        let text = if goes_on { common } else { typed };
        Ok((start, vec![Pair { display: String::new(), replacement: text.to_owned() }]))
    }
}

/// What may come behind the cursor: from the history or, if that has nothing, what Tab would complete.
pub(super) struct Suggestion {
    rest: String,
    /// What of it is shown, and which others there are.
    shown: String,
}

impl Hint for Suggestion {
    fn display(&self) -> &str {
        &self.shown
    }

    fn completion(&self) -> Option<&str> {
        Some(&self.rest)
    }
}

impl Hinter for Assistant {
    type Hint = Suggestion;

    fn hint(&self, line: &str, pos: usize, context: &Context<'_>) -> Option<Suggestion> {
        // Without a colour of its own it would look as if it were typed.
        let is_plain = self.theme == Theme::Plain;
        if is_plain || line.trim().is_empty() || pos < line.len() {
            return None;
        }
        Suggestion::of_history(line, context).or_else(|| Suggestion::of_candidates(&self.session, line))
    }
}

impl Suggestion {
    /// The rest of the last entry of the history that starts so.
    fn of_history(line: &str, context: &Context<'_>) -> Option<Self> {
        let newest = context.history().len().checked_sub(1)?;
        let found = context.history().starts_with(line, newest, SearchDirection::Reverse).ok()??;
        let rest = found.entry.get(line.len()..).filter(|rest| !rest.is_empty())?.to_owned();
        let shown = match rest.split_once('\n') {
            Some((first, _)) => format!("{first} …"),
            None => rest.clone(),
        };
        Some(Self { rest, shown })
    }

    /// The rest of the word that is likeliest, and the words that it could be otherwise.
    fn of_candidates(session: &Session, line: &str) -> Option<Self> {
        let (typed, candidates) = candidates_for_word(session, line)?;
        let mut fitting = candidates.iter().filter(|pair| pair.replacement.starts_with(typed));
        let rest = fitting.next()?.replacement[typed.len()..].trim_end().to_owned();
        if rest.is_empty() {
            return None;
        }
        let others: Vec<&str> = fitting.map(|pair| pair.display.as_str()).collect();
        let mut shown = rest.clone();
        if let Some((shown_others, more)) = others.split_at_checked(others.len().min(OTHERS)) {
            for other in shown_others {
                shown.push_str("  ");
                shown.push_str(other);
            }
            if !more.is_empty() {
                shown.push_str("  …");
            }
        }
        Some(Self { rest, shown })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        let has_margin = line.contains('\n');
        if self.theme == Theme::Plain && !has_margin {
            return Cow::Borrowed(line);
        }
        let mut out = String::with_capacity(line.len() * 2);
        let mut breaks = if has_margin { open_at_breaks(line) } else { Vec::new() }.into_iter();
        let mut write = |out: &mut String, text: &str, part: Option<Part>| {
            for (index, piece) in text.split('\n').enumerate() {
                let mut piece = piece;
                if index > 0 {
                    out.push('\n');
                    let open = breaks.next().unwrap_or('-');
                    if let Some(rest) = self.margin.strip(piece) {
                        self.theme.paint(out, Part::Margin, &self.margin.shown(open));
                        piece = rest;
                    }
                }
                match part {
                    Some(part) if !piece.is_empty() => self.theme.paint(out, part, piece),
                    Some(_) | None => out.push_str(piece),
                }
            }
        };
        let mut done = 0;
        for (range, part) in self.with_pair(marks(&self.session, line)) {
            // A name that is still being typed is not wrong yet.
            let is_typed = part == Part::Marked(Mark::UnknownRelation) && range.end == pos;
            if range.start < done || is_typed {
                continue;
            }
            write(&mut out, &line[done..range.start], None);
            write(&mut out, &line[range.clone()], Some(part));
            done = range.end;
        }
        write(&mut out, &line[done..], None);
        Cow::Owned(out)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        let mut out = String::new();
        self.theme.paint(&mut out, Part::Prompt, prompt);
        Cow::Owned(out)
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let mut out = String::new();
        self.theme.paint(&mut out, Part::Hint, hint);
        Cow::Owned(out)
    }

    fn highlight_char(&self, line: &str, pos: usize, kind: CmdKind) -> bool {
        // What does not fit the screen would be written anew below itself with each key.
        if line.len() > LONG && !fits_screen(line) {
            self.pair.set(None);
            return false;
        }
        match kind {
            CmdKind::ForcedRefresh => {
                self.pair.set(None);
                false
            }
            CmdKind::MoveCursor | CmdKind::Other => {
                let colours = self.theme != Theme::Plain;
                self.pair.set(assist::matching_brackets(line, pos).filter(|_| colours));
                kind == CmdKind::Other && colours || self.pair.get().is_some()
            }
        }
    }
}

impl Assistant {
    /// The marks with those of the pair of brackets at the cursor.
    fn with_pair(
        &self,
        mut marks: Vec<(std::ops::Range<usize>, Part)>,
    ) -> Vec<(std::ops::Range<usize>, Part)> {
        if let Some((open, close)) = self.pair.get() {
            marks.extend([(open..open + 1, Part::Bracket), (close..close + 1, Part::Bracket)]);
            marks.sort_by_key(|(range, _)| range.start);
        }
        marks
    }
}

fn fits_screen(line: &str) -> bool {
    let (columns, rows) = list::size();
    let needed: usize = line.split('\n').map(|line| 1 + line.chars().count() / columns).sum();
    needed < rows
}

impl rustyline::Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_is_typed_is_completed_in_grey() {
        let mut session = Session::new();
        session.run_all("CREATE TABLE orders (id INT, region STRING, region_id INT)").unwrap();
        let suggested = |line: &str| {
            let suggestion = Suggestion::of_candidates(&session, line)?;
            Some((suggestion.rest, suggestion.shown))
        };
        let same = |text: &str| Some((text.to_owned(), text.to_owned()));
        assert_eq!(suggested("SELECT * FROM or"), same("ders"));
        assert_eq!(suggested("sel"), same("ect"));
        assert_eq!(suggested(".form"), same("at"));
        let (rest, shown) = suggested("SELECT * FROM orders WHERE re").unwrap();
        assert_eq!(rest, "gion");
        assert!(shown.starts_with("gion  region_id  regexp("), "{shown}");
        // Names are as they are written, nothing is suggested before a word begins, and files are not looked for.
        for line in [
            "SELECT * FROM Or",
            "SELECT ",
            "SELECT * FROM orders",
            ".read Cargo.lo",
            ".cd sr",
            ".shell sr",
            "",
        ] {
            assert_eq!(suggested(line), None, "{line}");
        }
    }
}
