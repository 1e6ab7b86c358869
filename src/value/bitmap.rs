//! Sets of 32-bit numbers in the portable format of Roaring bitmaps.
//!
//! The format (<https://github.com/RoaringBitmap/RoaringFormatSpec>) puts the numbers with the same
//! upper 16 bits into a container of one of three kinds: the lower halves as a list, as 65,536 bits,
//! or as runs. A value of type `BITMAP` is these bytes; since every set is written in one way only,
//! equal sets have equal bytes.

use std::fmt;

/// The first number of a bitmap without runs; the number of containers follows.
const COOKIE: u32 = 12_346;

/// The lower half of the first number of a bitmap with runs; the upper half is the number of
/// containers less one.
const COOKIE_WITH_RUNS: u32 = 12_347;

/// A bitmap with runs tells where its containers begin only if it has so many.
const MANY: usize = 4;

/// A list has at most so many numbers.
const MOST_LISTED: usize = 4096;

/// The bytes of 65,536 bits.
const BITS: usize = 8192;

/// A set of unsigned 32-bit numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bitmap {
    /// In ascending order, each once.
    values: Vec<u32>,
}

impl FromIterator<u32> for Bitmap {
    fn from_iter<I: IntoIterator<Item = u32>>(values: I) -> Self {
        let mut values: Vec<u32> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        Self { values }
    }
}

impl Bitmap {
    /// The numbers in ascending order.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Reads the portable format. What follows the bitmap does not matter; `None` if the bytes are
    /// no bitmap.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Reader { rest: bytes }.bitmap()
    }

    /// Writes the portable format, with runs where they take less room.
    pub fn to_bytes(&self) -> Vec<u8> {
        let containers: Vec<Container<'_>> =
            self.values.chunk_by(|a, b| a >> 16 == b >> 16).map(Container::new).collect();
        let count = u32::try_from(containers.len()).unwrap_or(u32::MAX);
        let with_runs = containers.iter().any(Container::is_run);
        let mut out = Vec::new();
        if with_runs {
            out.extend((COOKIE_WITH_RUNS | (count - 1) << 16).to_le_bytes());
            for eight in containers.chunks(8) {
                let flag = |(i, container): (usize, &Container<'_>)| u8::from(container.is_run()) << i;
                out.push(eight.iter().enumerate().map(flag).sum());
            }
        } else {
            out.extend(COOKIE.to_le_bytes());
            out.extend(count.to_le_bytes());
        }
        for container in &containers {
            out.extend(upper(container.values[0]).to_le_bytes());
            out.extend(short(container.values.len() - 1).to_le_bytes());
        }
        if !with_runs || containers.len() >= MANY {
            let mut offset = out.len() + 4 * containers.len();
            for container in &containers {
                out.extend(u32::try_from(offset).unwrap_or(u32::MAX).to_le_bytes());
                offset += container.size();
            }
        }
        for container in &containers {
            container.write(&mut out);
        }
        out
    }

    /// The numbers that are in both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.merge(other, |mine, yours| mine && yours)
    }

    /// The numbers that are in this set but not in the other.
    #[must_use]
    pub fn and_not(&self, other: &Self) -> Self {
        self.merge(other, |mine, yours| mine && !yours)
    }

    /// The numbers that are in one of the sets at least.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        self.merge(other, |mine, yours| mine || yours)
    }

    /// The numbers that are in one of the sets only.
    #[must_use]
    pub fn xor(&self, other: &Self) -> Self {
        self.merge(other, |mine, yours| mine != yours)
    }

    fn merge(&self, other: &Self, keeps: fn(bool, bool) -> bool) -> Self {
        let mut mine = self.values.iter().copied().peekable();
        let mut yours = other.values.iter().copied().peekable();
        let mut values = Vec::new();
        while let Some(value) = [mine.peek(), yours.peek()].into_iter().flatten().min().copied() {
            let (a, b) = (mine.next_if_eq(&value).is_some(), yours.next_if_eq(&value).is_some());
            if keeps(a, b) {
                values.push(value);
            }
        }
        Self { values }
    }
}

impl fmt::Display for Bitmap {
    /// `{1,2,3}`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, value) in self.values.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{value}")?;
        }
        f.write_str("}")
    }
}

/// The numbers with the same upper half.
struct Container<'a> {
    values: &'a [u32],
    runs: usize,
}

impl<'a> Container<'a> {
    fn new(values: &'a [u32]) -> Self {
        Self { values, runs: values.chunk_by(|a, b| a + 1 == *b).count() }
    }

    /// The size without runs.
    fn plain_size(&self) -> usize {
        if self.values.len() > MOST_LISTED { BITS } else { 2 * self.values.len() }
    }

    fn run_size(&self) -> usize {
        2 + 4 * self.runs
    }

    fn is_run(&self) -> bool {
        self.plain_size() > self.run_size()
    }

    fn size(&self) -> usize {
        if self.is_run() { self.run_size() } else { self.plain_size() }
    }

    fn write(&self, out: &mut Vec<u8>) {
        if self.is_run() {
            out.extend(short(self.runs).to_le_bytes());
            for run in self.values.chunk_by(|a, b| a + 1 == *b) {
                out.extend(lower(run[0]).to_le_bytes());
                out.extend(short(run.len() - 1).to_le_bytes());
            }
        } else if self.values.len() > MOST_LISTED {
            let mut bits = [0_u8; BITS];
            for &value in self.values {
                bits[usize::from(lower(value) / 8)] |= 1 << (value % 8);
            }
            out.extend(bits);
        } else {
            out.extend(self.values.iter().flat_map(|&value| lower(value).to_le_bytes()));
        }
    }
}

fn upper(value: u32) -> u16 {
    lower(value >> 16)
}

fn lower(value: u32) -> u16 {
    u16::try_from(value & 0xffff).expect("sixteen bits fit")
}

/// A count or an index within a container, which has at most 65,536 numbers.
fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn short(&mut self) -> Option<u32> {
        let bytes = self.take(2)?.try_into().ok()?;
        Some(u32::from(u16::from_le_bytes(bytes)))
    }

    fn long(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn bitmap(mut self) -> Option<Bitmap> {
        let cookie = self.long()?;
        let with_runs = cookie & 0xffff == COOKIE_WITH_RUNS;
        let count = match cookie {
            _ if with_runs => (cookie >> 16) + 1,
            COOKIE => self.long()?,
            _ => return None,
        };
        let count = usize::try_from(count).ok().filter(|&count| count <= 1 << 16)?;
        let flags = if with_runs { self.take(count.div_ceil(8))? } else { &[] };
        let mut headers = Vec::with_capacity(count);
        for _ in 0..count {
            headers.push((self.short()? << 16, self.short()? as usize + 1));
        }
        if !with_runs || count >= MANY {
            self.take(4 * count)?;
        }
        let mut values = Vec::new();
        for (i, (upper, size)) in headers.into_iter().enumerate() {
            if flags.get(i / 8).is_some_and(|flags| flags >> (i % 8) & 1 == 1) {
                for _ in 0..self.short()? {
                    let start = self.short()?;
                    let end = (start + self.short()?).min(0xffff);
                    values.extend((start..=end).map(|lower| upper | lower));
                }
            } else if size > MOST_LISTED {
                for (byte, bits) in (0_u32..).zip(self.take(BITS)?) {
                    let set = (0..8).filter(|bit| bits >> bit & 1 == 1);
                    values.extend(set.map(|bit| upper | (byte * 8 + bit)));
                }
            } else {
                for _ in 0..size {
                    values.push(upper | self.short()?);
                }
            }
        }
        Some(values.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bitmap(values: impl IntoIterator<Item = u32>) -> Bitmap {
        values.into_iter().collect()
    }

    #[test]
    fn all_kinds_of_containers_are_read_as_they_were_written() {
        let sparse = (0..5000).map(|i| i * 3);
        let bits = (0..60_000).filter(|i| i % 3 != 0).map(|i| 65_536 + i);
        let runs = 131_072..140_000;
        let last = [u32::MAX - 70_000, u32::MAX];
        for values in [
            bitmap([]),
            bitmap(sparse.clone()),
            bitmap(bits.clone()),
            bitmap(runs.clone()),
            bitmap(0..=65_535),
            bitmap(sparse.chain(bits).chain(runs).chain(last)),
        ] {
            let bytes = values.to_bytes();
            assert_eq!(Bitmap::from_bytes(&bytes), Some(values));
            assert_eq!(Bitmap::from_bytes(&bytes[..bytes.len() - 1]), None);
        }
    }

    #[test]
    fn runs_are_written_where_they_are_shorter() {
        assert_eq!(bitmap([1, 2, 3]).to_bytes().len(), 8 + 4 + 4 + 6);
        assert_eq!(bitmap([1, 2, 3, 4]).to_bytes().len(), 5 + 4 + 6);
    }

    #[test]
    fn sets_are_merged_in_order() {
        let (a, b) = (bitmap([5, 1, 3]), bitmap([3, 4]));
        assert_eq!(a.and(&b).values(), [3]);
        assert_eq!(a.and_not(&b).values(), [1, 5]);
        assert_eq!(a.or(&b).values(), [1, 3, 4, 5]);
        assert_eq!(a.xor(&b).values(), [1, 4, 5]);
    }
}
