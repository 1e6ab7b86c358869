//! Changes in order, as they lie in logs, flow between operators and come out of queries.

use super::RowKind;
use crate::value::Value;

/// Where a change comes from: the log entry that caused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cause {
    /// The global number of the log entry, counted over all tables from 1; 0 for what no entry
    /// caused, such as a constant.
    pub sequence: u64,
    /// When the entry arrived, in milliseconds since 1970-01-01 00:00:00 UTC. This is what
    /// `PROCTIME()` gives, also on replay.
    pub arrival: i64,
}

/// A change of one row, borrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change<'a> {
    /// What it does.
    pub kind: RowKind,
    /// The row, one value for each column.
    pub row: &'a [Value],
    /// What caused it.
    pub cause: Cause,
}

/// A sequence of changes of rows of one width.
///
/// The rows lie one after the other in one piece of memory, so that pushing a change costs no
/// allocation of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    width: usize,
    kinds: Vec<RowKind>,
    causes: Vec<Cause>,
    values: Vec<Value>,
}

impl Changes {
    /// No changes yet, of rows with this many columns.
    pub fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// The number of columns of each row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of changes.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no change.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Appends a change.
    pub fn push(&mut self, kind: RowKind, cause: Cause, row: &[Value]) {
        debug_assert_eq!(row.len(), self.width);
        self.values.extend_from_slice(row);
        self.kinds.push(kind);
        self.causes.push(cause);
    }

    /// Appends a change whose row is the first columns, then the second.
    pub fn push_joined(&mut self, kind: RowKind, cause: Cause, left: &[Value], right: &[Value]) {
        debug_assert_eq!(left.len() + right.len(), self.width);
        self.values.extend_from_slice(left);
        self.values.extend_from_slice(right);
        self.kinds.push(kind);
        self.causes.push(cause);
    }

    /// Appends a change whose values are made one by one. The iterator must give exactly
    /// [`Self::width`] values.
    #[inline]
    pub fn push_values(&mut self, kind: RowKind, cause: Cause, values: impl IntoIterator<Item = Value>) {
        self.values.extend(values);
        self.kinds.push(kind);
        self.causes.push(cause);
        debug_assert_eq!(self.values.len(), self.width * self.kinds.len());
    }

    /// Appends a change whose values may fail to be made. Nothing is appended on an error.
    ///
    /// # Errors
    /// The first error of the iterator.
    #[inline]
    pub fn try_push_values<E>(
        &mut self,
        kind: RowKind,
        cause: Cause,
        values: impl IntoIterator<Item = Result<Value, E>>,
    ) -> Result<(), E> {
        let start = self.values.len();
        for value in values {
            match value {
                Ok(value) => self.values.push(value),
                Err(error) => {
                    self.values.truncate(start);
                    return Err(error);
                }
            }
        }
        self.kinds.push(kind);
        self.causes.push(cause);
        debug_assert_eq!(self.values.len(), self.width * self.kinds.len());
        Ok(())
    }

    /// Appends a change whose values are all NULL, and gives its row to be filled in.
    #[inline]
    pub fn push_nulls(&mut self, kind: RowKind, cause: Cause) -> &mut [Value] {
        let start = self.values.len();
        self.values.resize_with(start + self.width, || Value::NULL);
        self.kinds.push(kind);
        self.causes.push(cause);
        &mut self.values[start..]
    }

    /// Appends a change as it is.
    pub fn push_change(&mut self, change: Change<'_>) {
        self.push(change.kind, change.cause, change.row);
    }

    /// Appends all changes of another sequence, which has none afterwards.
    pub fn append(&mut self, other: &mut Self) {
        debug_assert_eq!(other.width, self.width);
        if self.is_empty() {
            std::mem::swap(self, other);
        } else {
            self.kinds.append(&mut other.kinds);
            self.causes.append(&mut other.causes);
            self.values.append(&mut other.values);
        }
    }

    /// The row of the last change; nothing if there is none.
    pub fn last_row_mut(&mut self) -> &mut [Value] {
        let start = self.values.len() - if self.is_empty() { 0 } else { self.width };
        &mut self.values[start..]
    }

    /// The change at this position.
    pub fn get(&self, index: usize) -> Change<'_> {
        let start = index * self.width;
        Change {
            kind: self.kinds[index],
            row: &self.values[start..start + self.width],
            cause: self.causes[index],
        }
    }

    /// The changes, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Change<'_>> + ExactSizeIterator {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The change with this number, if the changes are in the order of their numbers, as those of a
    /// log are.
    pub fn find(&self, sequence: u64) -> Option<Change<'_>> {
        let index = self.causes.binary_search_by_key(&sequence, |cause| cause.sequence).ok()?;
        Some(self.get(index))
    }

    /// Removes all changes and keeps the memory.
    pub fn clear(&mut self) {
        self.kinds.clear();
        self.causes.clear();
        self.values.clear();
    }

    /// Removes all changes, keeps the memory, and changes the number of columns.
    pub fn reset(&mut self, width: usize) {
        self.clear();
        self.width = width;
    }

    /// Removes the changes from this position on.
    pub fn truncate(&mut self, len: usize) {
        self.kinds.truncate(len);
        self.causes.truncate(len);
        self.values.truncate(len * self.width);
    }

    /// How many changes there are of a kind.
    pub fn count(&self, kind: RowKind) -> usize {
        self.kinds.iter().filter(|&&k| k == kind).count()
    }
}
