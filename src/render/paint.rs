//! Colour: the last step, and the only place that knows escape sequences.

use comfy_table::{Attribute, Cell, Color};

use crate::changelog::RowKind;

/// What a piece of text means. How it looks follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `+I`
    Insert,
    /// `-U`
    UpdateBefore,
    /// `+U`
    UpdateAfter,
    /// `-D`
    Delete,
    /// NULL
    Null,
    /// What matters less: a footer, a note.
    Dim,
    /// The word `error`, and the caret under its place.
    Error,
    /// The word before a hint or a notice.
    Hint,
    /// A title.
    Heading,
}

/// Puts colour on text, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Painter {
    colour: bool,
}

/// The parameters of the escape sequence that starts a style, and the same for a table's cell.
struct Style {
    codes: &'static str,
    colour: Option<Color>,
    attribute: Option<Attribute>,
}

impl Role {
    /// The role of a row kind's symbol.
    pub fn of(kind: RowKind) -> Self {
        match kind {
            RowKind::Insert => Self::Insert,
            RowKind::UpdateBefore => Self::UpdateBefore,
            RowKind::UpdateAfter => Self::UpdateAfter,
            RowKind::Delete => Self::Delete,
        }
    }

    /// Whether it is that of a row kind's symbol.
    pub(super) fn is_kind(self) -> bool {
        matches!(self, Self::Insert | Self::UpdateBefore | Self::UpdateAfter | Self::Delete)
    }

    /// The eight basic colours only: terminals choose them to be readable on their background.
    fn style(self) -> Style {
        let style = |codes, colour, attribute| Style { codes, colour, attribute };
        match self {
            Self::Insert => style("32", Some(Color::DarkGreen), None),
            Self::UpdateBefore => style("2;33", Some(Color::DarkYellow), Some(Attribute::Dim)),
            Self::UpdateAfter => style("33", Some(Color::DarkYellow), None),
            Self::Delete => style("31", Some(Color::DarkRed), None),
            Self::Null | Self::Dim => style("2", None, Some(Attribute::Dim)),
            Self::Error => style("1;31", Some(Color::DarkRed), Some(Attribute::Bold)),
            Self::Hint => style("36", Some(Color::DarkCyan), None),
            Self::Heading => style("1", None, Some(Attribute::Bold)),
        }
    }
}

impl Painter {
    /// With or without colour.
    pub fn new(colour: bool) -> Self {
        Self { colour }
    }

    /// Whether it uses colour.
    pub fn is_on(self) -> bool {
        self.colour
    }

    /// Appends a text in the look of its role.
    pub fn paint(self, out: &mut String, role: Role, text: &str) {
        if self.colour {
            out.push_str("\x1b[");
            out.push_str(role.style().codes);
            out.push('m');
            out.push_str(text);
            out.push_str("\x1b[0m");
        } else {
            out.push_str(text);
        }
    }

    /// A text in the look of its role.
    pub fn painted(self, role: Role, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 12);
        self.paint(&mut out, role, text);
        out
    }

    /// A table's cell in the look of its role.
    pub(super) fn cell(self, cell: Cell, role: Option<Role>) -> Cell {
        let Some(style) = role.filter(|_| self.colour).map(Role::style) else { return cell };
        let cell = style.colour.into_iter().fold(cell, Cell::fg);
        style.attribute.into_iter().fold(cell, Cell::add_attribute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colour_a_text_stays_as_it_is() {
        assert_eq!(Painter::new(false).painted(Role::Error, "error"), "error");
        assert_eq!(Painter::new(true).painted(Role::Error, "error"), "\x1b[1;31merror\x1b[0m");
    }
}
