//! Finding bytes in short texts.

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// The words that are looked through here; what is longer is left to `memchr`, which needs some
/// time to start.
const WORDS: usize = 4;

/// Three bytes to look for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needles {
    bytes: [u8; 3],
    words: [u64; 3],
}

impl Needles {
    pub(super) const fn new(bytes: [u8; 3]) -> Self {
        let words = [
            u64::from_ne_bytes([bytes[0]; 8]),
            u64::from_ne_bytes([bytes[1]; 8]),
            u64::from_ne_bytes([bytes[2]; 8]),
        ];
        Self { bytes, words }
    }

    /// The first place from `at` on with one of the bytes, or the length.
    #[inline]
    pub(super) fn find(&self, haystack: &[u8], at: usize) -> usize {
        let mut at = at;
        for _ in 0..WORDS {
            let Some(word) = haystack.get(at..at + 8) else {
                return self.find_in_tail(haystack, at);
            };
            let word = u64::from_le_bytes(word.try_into().expect("the slice has eight bytes"));
            let hits =
                zeros(word ^ self.words[0]) | zeros(word ^ self.words[1]) | zeros(word ^ self.words[2]);
            if hits != 0 {
                return at + (hits.trailing_zeros() / 8) as usize;
            }
            at += 8;
        }
        let [a, b, c] = self.bytes;
        memchr::memchr3(a, b, c, &haystack[at..]).map_or(haystack.len(), |found| at + found)
    }

    fn find_in_tail(&self, haystack: &[u8], at: usize) -> usize {
        let tail = haystack.get(at..).unwrap_or_default();
        tail.iter().position(|byte| self.bytes.contains(byte)).map_or(haystack.len(), |found| at + found)
    }
}

/// Bytes that texts are looked through for: all up to a limit below 0x80, and another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    limit: u8,
    other: u8,
}

impl Marks {
    /// Nothing if one of them is no ASCII.
    pub(super) fn new(limit: char, other: char) -> Option<Self> {
        let byte = |c: char| u8::try_from(c).ok().filter(u8::is_ascii);
        byte(limit).zip(byte(other)).map(|(limit, other)| Self { limit, other })
    }

    /// Whether a text, which is short, has none of them.
    #[inline]
    pub(super) fn are_absent(self, text: &[u8]) -> bool {
        let has_none = |chunk: [u8; 8]| {
            let word = u64::from_le_bytes(chunk);
            let low = word.wrapping_sub(ONES * u64::from(self.limit + 1)) & !word & HIGH;
            (low | zeros(word ^ (ONES * u64::from(self.other)))) == 0
        };
        if let Some(last) = text.last_chunk() {
            return text.as_chunks().0.iter().chain([last]).all(|chunk| has_none(*chunk));
        }
        if let ([a, b, c, d, ..], [.., e, f, g, h]) = (text, text) {
            return has_none([*a, *b, *c, *d, *e, *f, *g, *h]);
        }
        text.iter().all(|&byte| byte > self.limit && byte != self.other)
    }
}

/// The high bits of bytes that are zero. Those of higher bytes may be wrong, so only the lowest
/// counts.
#[inline]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGH
}

/// The first line of a text without its end, and where the next one begins. Without an end it is a
/// line only if the text is the `last` of a file.
pub(super) fn first_line(text: &str, last: bool) -> Option<(&str, usize)> {
    let (line, next) = match memchr::memchr(b'\n', text.as_bytes()) {
        Some(end) => (&text[..end], end + 1),
        None if last && !text.is_empty() => (text, text.len()),
        None => return None,
    };
    Some((line.strip_suffix('\r').unwrap_or(line), next))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_of_three_bytes_is_found(
            haystack in proptest::collection::vec(prop_oneof![Just(b','), Just(b'+'), Just(b'-'), any::<u8>()], 0..80),
            at in 0_usize..90,
        ) {
            let needles = *b",\n\"";
            let expected = haystack.iter().enumerate().skip(at).find(|(_, byte)| needles.contains(byte));
            let expected = expected.map_or(haystack.len(), |(found, _)| found);
            prop_assert_eq!(Needles::new(needles).find(&haystack, at), expected);
        }

        #[test]
        fn marks_are_absent_where_no_byte_is_one(
            text in proptest::collection::vec(prop_oneof![20 => b'-'..=0xFF, 1 => any::<u8>()], 0..30),
            limit in prop_oneof![Just(b','), 0..=0x7F_u8],
            other in prop_oneof![Just(b'\\'), 0..=0x7F_u8],
        ) {
            let marks = Marks::new(char::from(limit), char::from(other)).expect("they are ASCII");
            prop_assert_eq!(marks.are_absent(&text), text.iter().all(|&byte| byte > limit && byte != other));
        }
    }
}
