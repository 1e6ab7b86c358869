//! Where somebody is in a list that is taller and wider than its place.

use std::ops::Range;

/// The place in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pane {
    /// The row that is looked at; without one, what is new is looked at.
    place: Option<usize>,
    /// How many columns at the left are left out.
    pub(super) left: usize,
}

impl Pane {
    /// Whether what is new is looked at.
    pub(super) fn follows(self) -> bool {
        self.place.is_none()
    }

    /// The row that is looked at in a list of so many rows of which one is the newest.
    pub(super) fn row(self, len: usize, newest: usize) -> Option<usize> {
        let last = len.checked_sub(1)?;
        Some(self.place.unwrap_or(newest).min(last))
    }

    /// Goes up or down by so many rows. Below the last row what is new is looked at.
    pub(super) fn go(&mut self, by: isize, len: usize, newest: usize) {
        let Some(row) = self.row(len, newest) else { return };
        let row = row.saturating_add_signed(by);
        self.place = (row < len).then_some(row);
    }

    /// Goes to the first row.
    pub(super) fn go_to_start(&mut self) {
        self.place = Some(0);
    }

    /// Goes to what is new.
    pub(super) fn go_to_end(&mut self) {
        self.place = None;
    }

    /// So many rows at the start are no longer kept.
    pub(super) fn forget(&mut self, rows: usize) {
        self.place = self.place.map(|place| place.saturating_sub(rows));
    }

    /// The rows that are shown on so many lines: those around the one that is looked at.
    pub(super) fn window(self, len: usize, newest: usize, height: usize) -> Range<usize> {
        let row = self.row(len, newest).unwrap_or(0);
        let start = row.saturating_sub(height / 2).min(len.saturating_sub(height));
        start..(start + height).min(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_that_is_looked_at_is_always_shown() {
        let mut pane = Pane::default();
        for len in 0..12 {
            for _ in 0..14 {
                let newest = len.max(1) - 1;
                for height in 1..14 {
                    let window = pane.window(len, newest, height);
                    assert!(pane.row(len, newest).is_none_or(|row| window.contains(&row)));
                    assert_eq!(window.len(), len.min(height));
                }
                pane.go(-1, len, newest);
            }
            pane.go_to_end();
        }
    }

    #[test]
    fn below_the_last_row_is_what_is_new() {
        let mut pane = Pane::default();
        pane.go(-1, 10, 9);
        assert_eq!((pane.row(10, 9), pane.row(20, 19), pane.follows()), (Some(8), Some(8), false));
        pane.go(2, 10, 9);
        assert_eq!((pane.row(20, 19), pane.follows()), (Some(19), true));
    }
}
