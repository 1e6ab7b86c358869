//! Lines of the screen, before they are painted.

use std::ops::Range;

use rowkind::render::{Painter, Role, start_of, width};
use unicode_segmentation::UnicodeSegmentation;

use crate::shell::theme::{Part, Theme};

/// A line of the screen: texts, each with what it means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    texts: Vec<(Style, String)>,
    width: usize,
}

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
    /// As part of a result.
    Role(Role),
    /// As part of what is typed.
    Part(Part),
}

impl From<Option<Role>> for Style {
    fn from(role: Option<Role>) -> Self {
        role.map_or(Self::Plain, Self::Role)
    }
}

impl From<Option<Part>> for Style {
    fn from(part: Option<Part>) -> Self {
        part.map_or(Self::Plain, Self::Part)
    }
}

impl Line {
    /// A line with one text.
    pub(super) fn of(style: impl Into<Style>, text: &str) -> Self {
        let mut line = Self::default();
        line.push(style, text);
        line
    }

    /// The columns that it takes.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Appends a text, which has no control characters.
    pub(super) fn push(&mut self, style: impl Into<Style>, text: &str) {
        if text.is_empty() {
            return;
        }
        self.width += width(text);
        let style = style.into();
        match self.texts.last_mut() {
            Some((last, before)) if *last == style => before.push_str(text),
            _ => self.texts.push((style, text.to_owned())),
        }
    }

    /// Appends a character until the line is as wide.
    pub(super) fn fill(&mut self, style: impl Into<Style>, character: char, to: usize) {
        let missing = to.saturating_sub(self.width);
        self.push(style, &character.to_string().repeat(missing));
    }

    /// Appends another line.
    pub(super) fn append(&mut self, line: &Self) {
        line.texts.iter().for_each(|(style, text)| self.push(*style, text));
    }

    /// Makes it no wider than this. What is left out at the end is marked.
    pub(super) fn cut(&mut self, limit: usize) {
        if self.width <= limit {
            return;
        }
        let texts = std::mem::take(&mut self.texts);
        self.width = 0;
        for (style, text) in texts {
            let left = limit.saturating_sub(1) - self.width;
            let (start, taken) = start_of(&text, left);
            self.push(style, start);
            if taken < width(&text) {
                break;
            }
        }
        if limit > self.width {
            self.push(Style::Plain, "…");
        }
    }

    /// Makes it exactly as wide.
    pub(super) fn fit(&mut self, width: usize) {
        self.cut(width);
        self.fill(Style::Plain, ' ', width);
    }

    /// What is in some columns. A character that is cut through becomes blanks.
    pub(super) fn part(&self, columns: Range<usize>) -> Self {
        let mut part = Self::default();
        let mut at = 0;
        for (style, text) in &self.texts {
            for character in text.graphemes(true) {
                let start = at;
                at += width(character);
                if start >= columns.start && at <= columns.end {
                    part.push(*style, character);
                } else {
                    let inside = at.min(columns.end).saturating_sub(start.max(columns.start));
                    part.push(Style::Plain, &" ".repeat(inside));
                }
            }
        }
        part
    }

    /// The line for a terminal.
    pub(super) fn painted(&self, painter: Painter, theme: Theme) -> String {
        let mut out = String::new();
        for (style, text) in &self.texts {
            match style {
                Style::Role(role) => painter.paint(&mut out, *role, text),
                Style::Part(part) => theme.paint(&mut out, *part, text),
                Style::Plain => out.push_str(text),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_between_characters_and_says_so() {
        let mut line = Line::of(Style::Plain, "日本");
        line.push(Some(Role::Null), "NULL");
        line.cut(4);
        assert_eq!((line.painted(Painter::new(false), Theme::Plain), line.width()), ("日…".to_owned(), 3));
        line.fit(5);
        assert_eq!((line.painted(Painter::new(false), Theme::Plain), line.width()), ("日…  ".to_owned(), 5));
        line.cut(0);
        assert_eq!(line.width(), 0);
    }

    #[test]
    fn a_part_of_a_line_has_its_columns() {
        let mut line = Line::of(Style::Plain, "a日本");
        line.push(Some(Role::Null), "NULL");
        let part = |columns| line.part(columns).painted(Painter::new(false), Theme::Plain);
        assert_eq!(
            (part(1..9), part(2..6), part(6..7)),
            ("日本NULL".to_owned(), " 本N".to_owned(), "U".to_owned())
        );
        assert_eq!((part(0..2), part(30..40)), ("a ".to_owned(), String::new()));
    }
}
