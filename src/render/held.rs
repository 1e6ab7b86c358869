//! Rows of texts that wait to be drawn.

use std::collections::VecDeque;

use super::grid::Text;
use super::paint::Role;

/// Rows that are not drawn yet: their texts one after the other, and where each ends.
#[derive(Debug)]
pub(super) struct Held {
    columns: usize,
    text: String,
    ends: Vec<(usize, Option<Role>)>,
}

/// A row by itself.
#[derive(Debug)]
pub(super) struct OwnRow {
    text: String,
    ends: Vec<(usize, Option<Role>)>,
}

impl Held {
    /// No row yet, of this many columns.
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, text: String::new(), ends: Vec::new() }
    }

    /// Writes the next text of the last row.
    pub(super) fn text(&mut self, role: Option<Role>, write: impl FnOnce(&mut String)) {
        write(&mut self.text);
        self.ends.push((self.text.len(), role));
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        debug_assert_eq!(self.ends.len() % self.columns, 0);
        self.ends.len() / self.columns
    }

    /// How much text there is.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Takes the last row away. There must be one.
    pub(super) fn take_last(&mut self) -> OwnRow {
        let ends = self.ends.split_off(self.ends.len() - self.columns);
        let start = self.ends.last().map_or(0, |(end, _)| *end);
        let text = self.text.split_off(start);
        OwnRow { text, ends: ends.into_iter().map(|(end, role)| (end - start, role)).collect() }
    }

    /// Appends a row.
    pub(super) fn push(&mut self, row: &OwnRow) {
        let start = self.text.len();
        self.text.push_str(&row.text);
        self.ends.extend(row.ends.iter().map(|(end, role)| (start + end, *role)));
    }

    /// The rows.
    pub(super) fn rows(&self) -> Rows<'_> {
        Rows { text: &self.text, ends: &self.ends, start: 0, columns: self.columns }
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

/// The first rows of a limited number pass, and of the others only the last are kept.
#[derive(Debug)]
pub(super) struct Tail {
    limit: usize,
    /// How many rows still pass.
    passing: usize,
    rows: VecDeque<OwnRow>,
    left_out: usize,
}

impl Tail {
    /// So many rows are shown in all.
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, passing: limit.div_ceil(2), rows: VecDeque::new(), left_out: 0 }
    }

    /// Whether the next row is to be pushed here, rather than passed.
    pub(super) fn takes(&mut self) -> bool {
        let passes = self.passing > 0;
        self.passing -= usize::from(passes);
        !passes
    }

    /// Takes a row.
    pub(super) fn push(&mut self, row: OwnRow) {
        self.rows.push_back(row);
        if self.rows.len() > self.limit / 2 {
            self.rows.pop_front();
            self.left_out += 1;
        }
    }

    /// How many rows are left out.
    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }

    /// How many rows are shown, if not all are.
    pub(super) fn shown(&self) -> Option<usize> {
        (self.left_out > 0).then_some(self.limit)
    }

    /// The last rows.
    pub(super) fn rows(self) -> impl Iterator<Item = OwnRow> {
        self.rows.into_iter()
    }
}

/// The rows that are held.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    text: &'a str,
    ends: &'a [(usize, Option<Role>)],
    start: usize,
    columns: usize,
}

impl<'a> Iterator for Rows<'a> {
    type Item = HeldRow<'a>;

    fn next(&mut self) -> Option<HeldRow<'a>> {
        let (row, rest) = self.ends.split_at_checked(self.columns)?;
        let start = self.start;
        self.start = row.last()?.0;
        self.ends = rest;
        Some(HeldRow { text: self.text, start, ends: row })
    }
}

/// The texts of one row.
#[derive(Debug, Clone)]
pub(super) struct HeldRow<'a> {
    text: &'a str,
    start: usize,
    ends: &'a [(usize, Option<Role>)],
}

impl<'a> Iterator for HeldRow<'a> {
    type Item = Text<'a>;

    fn next(&mut self) -> Option<Text<'a>> {
        let (&(end, role), rest) = self.ends.split_first()?;
        let text = &self.text[self.start..end];
        self.start = end;
        self.ends = rest;
        Some(Text { text, role })
    }
}
