//! How much of an input was read.

use std::io::{self, Read};
use std::ops::Add;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far the reading of files or of a stream is, in bytes as they lie there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// What was read.
    pub read: u64,
    /// What there is in all, where that is known.
    pub total: Option<u64>,
}

impl Add for Extent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let total = self.total.zip(other.total).map(|(one, other)| one + other);
        Self { read: self.read + other.read, total }
    }
}

/// Counts the bytes that are read of inputs.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter(Arc<AtomicU64>);

impl Meter {
    /// The bytes so far.
    pub(super) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The same input, of which the bytes are counted.
    pub(super) fn on<R>(&self, input: R) -> Metered<R> {
        Metered { input, meter: self.clone() }
    }
}

/// An input of which the bytes are counted.
#[derive(Debug)]
pub(super) struct Metered<R> {
    input: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.meter.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
