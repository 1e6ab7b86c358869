//! A box drawn line by line, for results too long to wait for.
//!
//! It looks as comfy-table's `UTF8_FULL_CONDENSED` does. Its widths come from the first rows; a later row
//! that needs more gets wider columns under a new rule, or, where the width is limited, is cut with `…`.

use std::io::{self, Write};

use super::cell::{pad, start_of, width};
use super::paint::{Painter, Role};

/// One text of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    /// What stands there.
    pub(super) text: &'a str,
    /// What it means.
    pub(super) role: Option<Role>,
}

/// The open box.
#[derive(Debug)]
pub(super) struct Grid {
    widths: Vec<usize>,
    right: Vec<bool>,
    grows: bool,
    painter: Painter,
    line: String,
    cuts: usize,
}

/// The characters of a horizontal line: its left end, filling, crossing and right end.
struct Rule([&'static str; 4]);

const TOP: Rule = Rule(["┌", "─", "┬", "┐"]);
const UNDER_HEAD: Rule = Rule(["╞", "═", "╪", "╡"]);
const WIDER: Rule = Rule(["├", "╌", "┼", "┤"]);
const BOTTOM: Rule = Rule(["└", "─", "┴", "┘"]);

impl Grid {
    /// A box with columns of these widths, of which some are aligned to the right. If it grows, wider
    /// texts make it wider; if not, they are cut.
    pub(super) fn new(widths: Vec<usize>, right: Vec<bool>, grows: bool, painter: Painter) -> Self {
        Self { widths, right, grows, painter, line: String::new(), cuts: 0 }
    }

    /// How many texts were cut.
    pub(super) fn cuts(&self) -> usize {
        self.cuts
    }

    /// Draws the top and the names of the columns.
    pub(super) fn head<'a>(
        &mut self,
        out: &mut dyn Write,
        names: impl Iterator<Item = Text<'a>>,
    ) -> io::Result<()> {
        self.rule(out, &TOP)?;
        self.texts(out, names)?;
        self.rule(out, &UNDER_HEAD)
    }

    /// Draws a row. It has at least as many texts as there are columns; more are left out.
    pub(super) fn row<'a>(
        &mut self,
        out: &mut dyn Write,
        texts: impl Iterator<Item = Text<'a>> + Clone,
    ) -> io::Result<()> {
        if self.grows {
            let mut wider = false;
            for (column, text) in self.widths.iter_mut().zip(texts.clone()) {
                let needed = width(text.text);
                if needed > *column {
                    // A little more than is needed, lest a counter asks for a new rule at every digit.
                    *column = needed + 2;
                    wider = true;
                }
            }
            if wider {
                self.rule(out, &WIDER)?;
            }
        }
        self.texts(out, texts)
    }

    /// Draws the bottom.
    pub(super) fn bottom(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.rule(out, &BOTTOM)
    }

    fn texts<'a>(&mut self, out: &mut dyn Write, texts: impl Iterator<Item = Text<'a>>) -> io::Result<()> {
        self.line.clear();
        for (i, (&column, text)) in self.widths.iter().zip(texts).enumerate() {
            self.line.push_str(if i == 0 { "│ " } else { " ┆ " });
            let needed = width(text.text);
            let (shown, taken) = if needed <= column {
                (text.text, needed)
            } else {
                self.cuts += 1;
                start_of(text.text, column - 1)
            };
            let mark = if needed <= column { "" } else { "…" };
            let blanks = column - taken - mark.chars().count();
            if self.right[i] {
                pad(&mut self.line, blanks);
            }
            match text.role {
                Some(role) => self.painter.paint(&mut self.line, role, shown),
                None => self.line.push_str(shown),
            }
            self.line.push_str(mark);
            if !self.right[i] {
                pad(&mut self.line, blanks);
            }
        }
        self.line.push_str(" │\n");
        out.write_all(self.line.as_bytes())
    }

    fn rule(&mut self, out: &mut dyn Write, Rule([left, fill, cross, right]): &Rule) -> io::Result<()> {
        self.line.clear();
        for (i, column) in self.widths.iter().enumerate() {
            self.line.push_str(if i == 0 { left } else { cross });
            self.line.extend(std::iter::repeat_n(*fill, column + 2));
        }
        self.line.push_str(right);
        self.line.push('\n');
        out.write_all(self.line.as_bytes())
    }
}
