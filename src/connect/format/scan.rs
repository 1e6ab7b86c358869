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
    }
}
