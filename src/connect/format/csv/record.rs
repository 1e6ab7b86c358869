//! Where the values of a record begin and end.

use super::super::scan::Needles;
use super::super::{Flaw, head_of};
use super::CsvOptions;

/// A character that means something, as bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    bytes: [u8; 4],
    length: usize,
}

/// Why a record is not read.
#[derive(Debug, PartialEq)]
pub(super) enum Stop {
    /// The text ends before the record, and more text comes.
    More,
    /// The record is flawed; what is behind the place is still the record's.
    Flaw(Flaw),
}

/// A value in a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Where the value lies in the text, unless it is made in the scratch.
    pub(super) slice: Option<(usize, usize)>,
    /// Where the next value or record begins.
    pub(super) next: usize,
    /// Whether the record ends with the value.
    pub(super) ends: bool,
}

/// Finds the values of records.
#[derive(Debug)]
pub(super) struct Splitter {
    pub(super) delimiter: Mark,
    quote: Option<Mark>,
    escape: Option<Mark>,
    trim_spaces: bool,
    /// What ends a value without quotes, if there is no escape character.
    plain: Needles,
    /// What ends or interrupts a value in quotes.
    quoted: Needles,
    /// The first byte of a quote, or one that no text has.
    quote_byte: u8,
}

impl Mark {
    fn new(character: char) -> Self {
        let mut bytes = [0; 4];
        let length = character.encode_utf8(&mut bytes).len();
        Self { bytes, length }
    }

    fn first(self) -> u8 {
        self.bytes[0]
    }

    #[inline]
    fn is_at(self, bytes: &[u8], at: usize) -> bool {
        let first = bytes.get(at) == Some(&self.bytes[0]);
        first && (self.length == 1 || bytes[at..].starts_with(&self.bytes[..self.length]))
    }
}

impl Splitter {
    pub(super) fn new(options: &CsvOptions) -> Self {
        let delimiter = Mark::new(options.delimiter);
        let quote = options.quote.map(Mark::new);
        let escape = options.escape.map(Mark::new);
        let quote_byte = quote.map_or(b'\n', Mark::first);
        let escape_byte = escape.map_or(quote_byte, Mark::first);
        Self {
            delimiter,
            quote,
            quote_byte: quote.map_or(0xFF, Mark::first),
            escape,
            trim_spaces: options.trim_spaces,
            plain: Needles::new([delimiter.first(), b'\n', b'\r']),
            quoted: Needles::new([quote_byte, escape_byte, quote_byte]),
        }
    }

    /// Whether values without quotes are slices of the text and end with a byte, so that
    /// [`Self::text_end`] and [`Self::close`] can be asked.
    pub(super) fn is_simple(&self) -> bool {
        let has_short_quote = self.quote.is_none_or(|quote| quote.length == 1);
        self.escape.is_none() && !self.trim_spaces && self.delimiter.length == 1 && has_short_quote
    }

    /// Where the value at a place ends, if it has no quotes.
    #[inline]
    pub(super) fn text_end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let end = self.plain.find(bytes, at);
        (bytes.get(at) != Some(&self.quote_byte)).then_some(end)
    }

    /// Where the next value begins behind one that ends at a place, and whether the record ends; `None`
    /// if it does not end there, or that is hard to say.
    #[inline]
    pub(super) fn close(&self, bytes: &[u8], end: usize) -> Option<(usize, bool)> {
        match *bytes.get(end)? {
            byte if byte == self.delimiter.first() => Some((end + 1, false)),
            b'\n' => Some((end + 1, true)),
            b'\r' if bytes.get(end + 1) == Some(&b'\n') => Some((end + 2, true)),
            _ => None,
        }
    }

    /// Whether a value in quotes begins there.
    #[inline]
    pub(super) fn is_quote(&self, bytes: &[u8], at: usize) -> bool {
        self.quote.is_some_and(|quote| quote.is_at(bytes, at))
    }

    /// Where a value without quotes and escapes ends.
    #[inline]
    pub(super) fn plain_end(&self, bytes: &[u8], at: usize) -> usize {
        let mut at = at;
        loop {
            at = self.plain.find(bytes, at);
            let part = self.delimiter.length > 1
                && bytes.get(at) == Some(&self.delimiter.first())
                && !self.delimiter.is_at(bytes, at);
            if !part {
                return at;
            }
            at += 1;
        }
    }

    /// Whether a value without quotes ends there.
    #[inline]
    pub(super) fn is_end(&self, bytes: &[u8], at: usize) -> bool {
        matches!(bytes.get(at), None | Some(b'\n' | b'\r')) || self.delimiter.is_at(bytes, at)
    }

    /// What comes behind a value that ends at a place.
    #[inline]
    pub(super) fn behind(&self, bytes: &[u8], end: usize, last: bool) -> Result<(usize, bool), Stop> {
        match (bytes.get(end), bytes.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => Ok((end + 2, true)),
            (Some(b'\n'), _) | (Some(b'\r'), Some(_)) => Ok((end + 1, true)),
            (Some(b'\r'), None) if last => Ok((end + 1, true)),
            (None, _) if last => Ok((end, true)),
            (Some(b'\r'), None) | (None, _) => Err(Stop::More),
            (Some(_), _) => Ok((end + self.delimiter.length, false)),
        }
    }

    /// The value at a place; what is not just a slice is made in the scratch.
    pub(super) fn value(
        &self,
        text: &str,
        at: usize,
        last: bool,
        scratch: &mut String,
    ) -> Result<Piece, Stop> {
        let bytes = text.as_bytes();
        let mut at = at;
        if self.trim_spaces {
            at = self.skip_blanks(bytes, at);
        }
        if self.is_quote(bytes, at) {
            return self.quoted_value(text, at, last, scratch);
        }
        if self.escape.is_some() {
            return self.escaped_value(text, at, last, scratch);
        }
        let end = self.plain_end(bytes, at);
        let (next, ends) = self.behind(bytes, end, last)?;
        let value = &text[at..end];
        let length = if self.trim_spaces { value.trim_end_matches(|c| c <= ' ').len() } else { value.len() };
        Ok(Piece { slice: Some((at, at + length)), next, ends })
    }

    fn quoted_value(&self, text: &str, open: usize, last: bool, scratch: &mut String) -> Result<Piece, Stop> {
        let bytes = text.as_bytes();
        let quote = self.quote.unwrap_or(self.delimiter);
        let start = open + quote.length;
        let mut from = start;
        let mut at = start;
        let mut is_slice = true;
        let end = loop {
            at = self.quoted.find(bytes, at);
            if at == bytes.len() {
                let flaw = || Stop::Flaw(Flaw::new(open, "a value in quotes is not closed"));
                return Err(if last { flaw() } else { Stop::More });
            }
            let is_quote = quote.is_at(bytes, at);
            if is_quote && bytes.len() == at + quote.length && !last {
                return Err(Stop::More);
            }
            let doubled = is_quote && quote.is_at(bytes, at + quote.length);
            let escape = self.escape.filter(|escape| !is_quote && escape.is_at(bytes, at));
            if is_quote && !doubled {
                break at;
            }
            if !doubled && escape.is_none() {
                at += 1;
                continue;
            }
            if std::mem::take(&mut is_slice) {
                scratch.clear();
            }
            scratch.push_str(&text[from..at]);
            if doubled {
                scratch.push_str(&text[at..at + quote.length]);
                at += 2 * quote.length;
            } else {
                at = unescape(text, at + escape.map_or(0, |escape| escape.length), last, scratch)?;
            }
            from = at;
        };
        if !is_slice {
            scratch.push_str(&text[from..end]);
        }
        // Only blanks may come between the quote and what ends the value.
        let close = self.skip_blanks(bytes, end + quote.length);
        if !self.is_end(bytes, close) {
            let rest = text[close..].lines().next().unwrap_or_default();
            let problem = format!("{} follows a value in quotes", head_of(rest));
            return Err(Stop::Flaw(Flaw::new(close, problem)));
        }
        let (next, ends) = self.behind(bytes, close, last)?;
        Ok(Piece { slice: is_slice.then_some((start, end)), next, ends })
    }

    fn escaped_value(&self, text: &str, at: usize, last: bool, scratch: &mut String) -> Result<Piece, Stop> {
        let bytes = text.as_bytes();
        scratch.clear();
        let mut from = at;
        let mut at = at;
        while at < bytes.len() && !matches!(bytes[at], b'\n' | b'\r') && !self.delimiter.is_at(bytes, at) {
            let Some(escape) = self.escape.filter(|escape| escape.is_at(bytes, at)) else {
                at += 1;
                continue;
            };
            scratch.push_str(&text[from..at]);
            at = unescape(text, at + escape.length, last, scratch)?;
            from = at;
        }
        scratch.push_str(&text[from..at]);
        if self.trim_spaces {
            scratch.truncate(scratch.trim_end_matches(|c| c <= ' ').len());
        }
        let (next, ends) = self.behind(bytes, at, last)?;
        Ok(Piece { slice: None, next, ends })
    }

    /// Goes over blanks, which line ends and delimiters are not.
    fn skip_blanks(&self, bytes: &[u8], at: usize) -> usize {
        let mut at = at;
        while bytes.get(at).is_some_and(|byte| *byte <= b' ' && !matches!(byte, b'\n' | b'\r'))
            && !self.delimiter.is_at(bytes, at)
        {
            at += 1;
        }
        at
    }

    /// Where the next record begins, from a place within a value without quotes on.
    pub(super) fn skip_record(&self, text: &str, at: usize, last: bool) -> Result<usize, Stop> {
        let bytes = text.as_bytes();
        let mut scratch = String::new();
        let (mut next, mut ends) = self.behind(bytes, self.plain_end(bytes, at), last)?;
        while !ends {
            match self.value(text, next, last, &mut scratch) {
                Ok(piece) => (next, ends) = (piece.next, piece.ends),
                Err(Stop::More) => return Err(Stop::More),
                // A value that is not closed goes on to the end.
                Err(Stop::Flaw(flaw)) if self.is_quote(bytes, flaw.at()) && flaw.at() >= next => {
                    return Ok(bytes.len());
                }
                Err(Stop::Flaw(flaw)) => {
                    (next, ends) = self.behind(bytes, self.plain_end(bytes, flaw.at()), last)?;
                }
            }
        }
        Ok(next)
    }
}

/// Goes over lines of blanks, lines that begin with `#`, and blanks in front of a record. Gives
/// where a record begins, or `None` at the end of the text.
pub(super) fn skip_comments(text: &str, at: usize, last: bool) -> Result<Option<usize>, Stop> {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        match bytes.get(at) {
            None if last => return Ok(None),
            None => return Err(Stop::More),
            Some(b' ' | b'\n' | b'\r') => at += 1,
            Some(b'#') => match memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
                Some(end) => at += end + 1,
                None if last => return Ok(None),
                None => return Err(Stop::More),
            },
            Some(_) => return Ok(Some(at)),
        }
    }
}

/// Appends the character behind an escape character; gives where it ends.
fn unescape(text: &str, at: usize, last: bool, out: &mut String) -> Result<usize, Stop> {
    let Some(character) = text[at..].chars().next() else {
        let flaw = || Stop::Flaw(Flaw::new(at, "nothing follows an escape character"));
        return Err(if last { flaw() } else { Stop::More });
    };
    out.push(match character {
        '0' => '\0',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        character => character,
    });
    Ok(at + character.len_utf8())
}
