//! The input line: what is typed, and what was typed before.

use std::ops::Range;

use rowkind::assist::Mark;
use rowkind::render::{printable, width};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::line::Line;
use crate::shell::theme::Part;

/// A text that is edited, and the texts before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Input {
    text: String,
    /// The byte before which the cursor is.
    cursor: usize,
    /// What was typed before, the oldest first.
    past: Vec<String>,
    /// Which of these is edited, and what was typed before that.
    recalled: Option<(usize, String)>,
}

/// What stands for the end of a line in a text of several lines.
const NEWLINE: &str = "↵";

impl Input {
    /// Nothing is typed yet; this was typed before.
    pub(super) fn after(past: Vec<String>) -> Self {
        Self { past, ..Self::default() }
    }

    /// What is typed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing is typed.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Puts a text where the cursor is.
    pub(super) fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
    }

    /// Throws away what is typed.
    pub(super) fn clear(&mut self) {
        self.replace(String::new());
        self.recalled = None;
    }

    /// Remembers what is typed.
    pub(super) fn remember(&mut self) {
        if self.past.last() != Some(&self.text) {
            self.past.push(self.text.clone());
        }
        self.recalled = None;
    }

    fn replace(&mut self, text: String) {
        self.cursor = text.len();
        self.text = text;
    }

    /// Moves the cursor one character to the left.
    pub(super) fn left(&mut self) {
        self.cursor = self.before();
    }

    /// Moves the cursor one character to the right.
    pub(super) fn right(&mut self) {
        self.cursor = self.behind();
    }

    /// Moves the cursor to the start.
    pub(super) fn home(&mut self) {
        self.cursor = 0;
    }

    /// Moves the cursor to the end.
    pub(super) fn end(&mut self) {
        self.cursor = self.text.len();
    }

    /// Removes the character before the cursor.
    pub(super) fn remove_before(&mut self) {
        self.remove_from(self.before());
    }

    /// Removes the word before the cursor.
    pub(super) fn remove_word(&mut self) {
        let words = self.text[..self.cursor].trim_end();
        let start = words.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        // The blank may be longer than a byte.
        let start = (start..=self.cursor).find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        self.remove_from(start);
    }

    /// Removes what is before the cursor.
    pub(super) fn remove_start(&mut self) {
        self.remove_from(0);
    }

    /// Removes the character at the cursor.
    pub(super) fn remove_at(&mut self) {
        self.text.replace_range(self.cursor..self.behind(), "");
    }

    /// Removes what is behind the cursor.
    pub(super) fn remove_end(&mut self) {
        self.text.truncate(self.cursor);
    }

    /// Replaces what is typed from a byte on by what all candidates start with. Returns whether that
    /// changes anything.
    pub(super) fn complete(&mut self, start: usize, candidates: &[&str]) -> bool {
        let Some(first) = candidates.first() else { return false };
        let is_common =
            |end: &usize| candidates.iter().all(|candidate| candidate.starts_with(&first[..*end]));
        let ends = first.char_indices().map(|(at, character)| at + character.len_utf8());
        let common = &first[..ends.take_while(is_common).last().unwrap_or(0)];
        let typed = &self.text[start..self.cursor];
        // Candidates may differ from what is typed in their case, or where they match it.
        let goes_on = common.to_lowercase().contains(&typed.to_lowercase());
        if common.len() < typed.len() || common == typed || candidates.len() > 1 && !goes_on {
            return false;
        }
        self.remove_from(start);
        self.insert(common);
        true
    }

    /// The byte before which the cursor is.
    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    fn remove_from(&mut self, start: usize) {
        self.text.replace_range(start..self.cursor, "");
        self.cursor = start;
    }

    fn before(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        cursor.prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn behind(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len())
    }

    /// Takes back what was typed before.
    pub(super) fn older(&mut self) {
        let place = self.recalled.as_ref().map_or(self.past.len(), |(place, _)| *place);
        let Some(place) = place.checked_sub(1) else { return };
        let draft = match self.recalled.take() {
            Some((_, draft)) => draft,
            None => self.text.clone(),
        };
        self.recalled = Some((place, draft));
        self.replace(self.past[place].clone());
    }

    /// Takes what was typed after that.
    pub(super) fn newer(&mut self) {
        let Some((place, draft)) = self.recalled.take() else { return };
        match self.past.get(place + 1) {
            Some(text) => {
                let text = text.clone();
                self.recalled = Some((place + 1, draft));
                self.replace(text);
            }
            None => self.replace(draft),
        }
    }

    /// The part of the text around the cursor that has place on so many columns, and the column of the
    /// cursor in it. The marks say how pieces of the text look.
    pub(super) fn shown(&self, limit: usize, marks: &[(Range<usize>, Part)]) -> (Line, usize) {
        let part_at = |byte: usize| {
            let (range, part) = marks.iter().find(|(range, _)| range.contains(&byte))?;
            // A name that is still being typed is not wrong yet.
            let is_typed = *part == Part::Marked(Mark::UnknownRelation) && range.end == self.cursor;
            (!is_typed).then_some(*part)
        };
        let pieces: Vec<(usize, String)> =
            self.text.grapheme_indices(true).map(|(at, text)| (at, one(text))).collect();
        let mut column: usize =
            pieces.iter().take_while(|(at, _)| *at < self.cursor).map(|(_, text)| width(text)).sum();
        let mut rest = pieces.iter();
        while column >= limit
            && let Some((_, text)) = rest.next()
        {
            column -= width(text);
        }
        let mut line = Line::default();
        for (at, text) in rest {
            if line.width() + width(text) > limit {
                break;
            }
            line.push(part_at(*at), text);
        }
        (line, column)
    }
}

/// How one character is shown.
fn one(grapheme: &str) -> String {
    if grapheme == "\n" { NEWLINE.to_owned() } else { printable(grapheme) }
}

#[cfg(test)]
mod tests {
    use rowkind::render::Painter;

    use super::*;
    use crate::shell::theme::Theme;

    #[test]
    fn characters_are_edited_whole() {
        let mut input = Input::default();
        input.insert("a👩‍👩‍👧‍👦日");
        input.left();
        input.remove_before();
        assert_eq!(input.text(), "a日");
        input.remove_at();
        input.insert("b c\u{3000}d");
        input.remove_word();
        assert_eq!(input.text(), "ab c\u{3000}");
        input.home();
        input.remove_end();
        assert!(input.is_empty());
    }

    #[test]
    fn what_was_typed_comes_back_and_so_does_what_is_typed() {
        let mut input = Input::after(vec!["one".to_owned(), "two".to_owned()]);
        input.insert("dra");
        input.older();
        input.older();
        input.older();
        assert_eq!(input.text(), "one");
        input.newer();
        input.newer();
        assert_eq!(input.text(), "dra");
    }

    #[test]
    fn what_candidates_have_in_common_is_typed() {
        let mut input = Input::default();
        input.insert("SELECT re");
        assert!(input.complete(7, &["region", "regional"]));
        assert_eq!(input.text(), "SELECT region");
        assert!(!input.complete(7, &["region", "regional"]) && !input.complete(7, &[]));
        // What is typed is kept where it is not all at the same place in them.
        assert!(!input.complete(7, &["customer_region", "customer_old_region"]));
        assert!(input.complete(7, &["old_region", "old_region_id"]));
        assert_eq!(input.text(), "SELECT old_region");
        input.clear();
        assert!(input.complete(0, &["日本", "日光"]));
        assert_eq!((input.text(), input.cursor()), ("日", 3));
    }

    #[test]
    fn a_long_text_is_shown_around_the_cursor() {
        let mut input = Input::default();
        input.insert("SELECT\n日本語");
        let shown = |input: &Input, limit| {
            let (line, column) = input.shown(limit, &[]);
            (line.painted(Painter::new(false), Theme::Plain), column)
        };
        assert_eq!(shown(&input, 80), ("SELECT↵日本語".to_owned(), 13));
        assert_eq!(shown(&input, 6), ("本語".to_owned(), 4));
        input.home();
        assert_eq!(shown(&input, 8), ("SELECT↵".to_owned(), 0));
        let (line, _) = input.shown(8, &[(0..6, Part::Marked(Mark::Keyword))]);
        assert_eq!(line.painted(Painter::new(false), Theme::Light), "\x1b[34mSELECT\x1b[0m↵");
    }
}
