//! A stream of small numbers from which tables and queries are made.

/// Decisions, taken one after the other from bytes. When there are no more every decision is the
/// first one, so a shorter or smaller stream is a simpler case: that is how a failing case shrinks.
pub(crate) struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// A number below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % count
    }

    /// True once in `n` times; false when there are no more decisions.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of several things.
    pub(crate) fn of<T: Clone>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())].clone()
    }

    /// Between `least` and all of the numbers below `count`, each at most once, in some order.
    pub(crate) fn some_of(&mut self, count: usize, least: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..count).collect();
        let wanted = least + self.below(count + 1 - least);
        (0..wanted).map(|_| left.remove(self.below(left.len()))).collect()
    }
}
