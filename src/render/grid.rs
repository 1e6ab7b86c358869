//! A box drawn line by line, for results too long to wait for and for boxes of other lines.
//!
//! A row that needs wider columns gets them under a new rule, or, where the width is limited, is cut
//! with `…`.

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
    lines: &'static Lines,
    widths: Vec<usize>,
    right: Vec<bool>,
    grows: bool,
    painter: Painter,
    line: String,
    cuts: usize,
}

/// The characters of a horizontal line: its left end, filling, crossing and right end.
#[derive(Debug)]
struct Rule([&'static str; 4]);

/// The lines of a box.
#[derive(Debug)]
pub(super) struct Lines {
    top: Option<Rule>,
    under_head: Head,
    wider: Option<Rule>,
    bottom: Option<Rule>,
    left: &'static str,
    between: &'static str,
    right: &'static str,
    /// The narrowest column.
    pub(super) narrowest: usize,
    /// Whether long texts are wrapped where rows are few.
    pub(super) wraps: bool,
    /// Whether the types of the columns stand below their names.
    pub(super) types: bool,
    /// Whether it is a table of a Markdown document, which is for readers anywhere.
    pub(super) is_document: bool,
}

/// What is below the names of the columns.
#[derive(Debug)]
enum Head {
    Rule(Rule),
    /// Dashes, with a colon where the column is aligned to the right.
    Markdown,
}

/// The lines of the formats `changelog` and `table`, which are those of comfy-table's
/// `UTF8_FULL_CONDENSED`.
pub(super) static DOTTED: Lines = Lines {
    top: Some(Rule(["┌", "─", "┬", "┐"])),
    under_head: Head::Rule(Rule(["╞", "═", "╪", "╡"])),
    wider: Some(Rule(["├", "╌", "┼", "┤"])),
    bottom: Some(Rule(["└", "─", "┴", "┘"])),
    left: "│ ",
    between: " ┆ ",
    right: " │\n",
    narrowest: 0,
    wraps: true,
    types: false,
    is_document: false,
};

/// The lines of the format `box`.
pub(super) static SOLID: Lines = Lines {
    top: Some(Rule(["┌", "─", "┬", "┐"])),
    under_head: Head::Rule(Rule(["├", "─", "┼", "┤"])),
    wider: Some(Rule(["├", "─", "┼", "┤"])),
    bottom: Some(Rule(["└", "─", "┴", "┘"])),
    left: "│ ",
    between: " │ ",
    right: " │\n",
    narrowest: 0,
    wraps: false,
    types: true,
    is_document: false,
};

/// The lines of the format `markdown`.
pub(super) static MARKDOWN: Lines = Lines {
    top: None,
    under_head: Head::Markdown,
    wider: None,
    bottom: None,
    left: "| ",
    between: " | ",
    right: " |\n",
    narrowest: 3,
    wraps: false,
    types: false,
    is_document: true,
};

impl Grid {
    /// A box with columns of these widths, of which some are aligned to the right. If it grows, wider
    /// texts make it wider; if not, they are cut.
    pub(super) fn new(
        lines: &'static Lines,
        widths: Vec<usize>,
        right: Vec<bool>,
        grows: bool,
        painter: Painter,
    ) -> Self {
        Self { lines, widths, right, grows, painter, line: String::new(), cuts: 0 }
    }

    /// How many texts were cut.
    pub(super) fn cuts(&self) -> usize {
        self.cuts
    }

    /// Counts texts that were cut in the box before this one.
    pub(super) fn add_cuts(&mut self, cuts: usize) {
        self.cuts += cuts;
    }

    /// Draws the top.
    pub(super) fn top(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.rule(out, self.lines.top.as_ref())
    }

    /// Draws the names of the columns, or something else above the rule.
    pub(super) fn head<'a>(
        &mut self,
        out: &mut dyn Write,
        names: impl Iterator<Item = Text<'a>>,
    ) -> io::Result<()> {
        self.texts(out, names)
    }

    /// Draws the rule under the head.
    pub(super) fn under_head(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match &self.lines.under_head {
            Head::Rule(rule) => self.rule(out, Some(rule)),
            Head::Markdown => {
                self.line.clear();
                for (column, right) in self.widths.iter().zip(&self.right) {
                    self.line.push_str("| ");
                    self.line.extend(std::iter::repeat_n('-', column - usize::from(*right)));
                    self.line.push_str(if *right { ": " } else { " " });
                }
                self.line.push_str("|\n");
                out.write_all(self.line.as_bytes())
            }
        }
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
                self.rule(out, self.lines.wider.as_ref())?;
            }
        }
        self.texts(out, texts)
    }

    /// Draws the bottom.
    pub(super) fn bottom(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.rule(out, self.lines.bottom.as_ref())
    }

    fn texts<'a>(&mut self, out: &mut dyn Write, texts: impl Iterator<Item = Text<'a>>) -> io::Result<()> {
        self.line.clear();
        for (i, (&column, text)) in self.widths.iter().zip(texts).enumerate() {
            self.line.push_str(if i == 0 { self.lines.left } else { self.lines.between });
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
        self.line.push_str(self.lines.right);
        out.write_all(self.line.as_bytes())
    }

    fn rule(&mut self, out: &mut dyn Write, rule: Option<&Rule>) -> io::Result<()> {
        let Some(Rule([left, fill, cross, right])) = rule else { return Ok(()) };
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
