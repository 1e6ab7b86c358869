//! Walking over lines of JSON.

use super::super::scan::Needles;
use super::super::{Flaw, head_of};

/// How deep arrays and objects may lie in one another, the line's own included.
const DEEPEST: usize = 1000;

/// What ends or interrupts a string.
const STRING: Needles = Needles::new(*b"\"\\\n");

/// A place in lines of JSON. A line feed is the end of everything that is open.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

/// A value that is no object or array; or that one begins.
pub(super) enum Token<'s> {
    String(&'s str),
    Number(&'s str),
    Boolean(bool),
    Null,
    /// `{` or `[`, which is still to be read.
    Open,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, bytes: text.as_bytes(), at: 0 }
    }

    /// The next byte; at the end a line feed.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(b'\n')
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// Goes behind the next line feed.
    #[inline]
    pub(super) fn skip_line(&mut self) {
        if self.peek() == b'\n' {
            self.at = self.bytes.len().min(self.at + 1);
            return;
        }
        let rest = &self.bytes[self.at..];
        self.at = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |end| self.at + end + 1);
    }

    /// Takes a byte that must come.
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Flaw> {
        if self.peek() == byte {
            self.at += 1;
            return Ok(());
        }
        Err(self.unexpected(&format!("'{}'", char::from(byte))))
    }

    /// What comes is not what is expected.
    pub(super) fn unexpected(&self, expected: &str) -> Flaw {
        let problem = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            None | Some('\n') => format!("the line ends where {expected} is expected"),
            Some(_) => {
                let line = self.text[self.at..].lines().next().unwrap_or_default();
                format!("{} where {expected} is expected", head_of(line))
            }
        };
        Flaw::new(self.at, problem)
    }

    /// A scalar; text with escapes is made in the scratch.
    pub(super) fn token<'s>(&mut self, scratch: &'s mut String) -> Result<Token<'s>, Flaw>
    where
        'a: 's,
    {
        Ok(match self.peek() {
            b'"' => Token::String(self.string(scratch)?),
            b'-' | b'0'..=b'9' => Token::Number(self.number()?),
            b't' => self.word("true").map(|()| Token::Boolean(true))?,
            b'f' => self.word("false").map(|()| Token::Boolean(false))?,
            b'n' => self.word("null").map(|()| Token::Null)?,
            b'{' | b'[' => Token::Open,
            _ => return Err(self.unexpected("a value")),
        })
    }

    fn word(&mut self, word: &str) -> Result<(), Flaw> {
        let end = self.at + word.len();
        if self.bytes[self.at..].starts_with(word.as_bytes()) && is_boundary(self.bytes, end) {
            self.at = end;
            return Ok(());
        }
        Err(self.unexpected("a value"))
    }

    /// `-?digits[.digits][e[+-]digits]` without leading zeros.
    fn number(&mut self) -> Result<&'a str, Flaw> {
        let digits = |mut at: usize| {
            let start = at;
            while self.bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            (at > start).then_some(at)
        };
        let read = || {
            let start = self.at + usize::from(self.peek() == b'-');
            let mut end = digits(start)?;
            if self.bytes[start] == b'0' && end > start + 1 {
                return None;
            }
            if self.bytes.get(end) == Some(&b'.') {
                end = digits(end + 1)?;
            }
            if matches!(self.bytes.get(end), Some(b'e' | b'E')) {
                let sign = matches!(self.bytes.get(end + 1), Some(b'+' | b'-'));
                end = digits(end + 1 + usize::from(sign))?;
            }
            is_boundary(self.bytes, end).then_some(end)
        };
        let end = read().ok_or_else(|| self.unexpected("a number"))?;
        let number = &self.text[self.at..end];
        self.at = end;
        Ok(number)
    }

    /// A string; with escapes it is made in the scratch.
    pub(super) fn string<'s>(&mut self, scratch: &'s mut String) -> Result<&'s str, Flaw>
    where
        'a: 's,
    {
        let open = self.at;
        if self.peek() != b'"' {
            return Err(self.unexpected("a string"));
        }
        if let Some((string, end)) = plain_string(self.text, open) {
            self.at = end;
            return Ok(string);
        }
        scratch.clear();
        self.at += 1;
        loop {
            let end = STRING.find(self.bytes, self.at);
            scratch.push_str(&self.text[self.at..end]);
            self.at = end;
            match self.bytes.get(end) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(scratch);
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    scratch.push(character);
                }
                _ => return Err(Flaw::new(open, "a string is not closed")),
            }
        }
    }

    /// A character for an escape. As Java writes it, half of a pair is a question mark.
    fn escape(&mut self) -> Result<char, Flaw> {
        let character = match self.bytes.get(self.at + 1) {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let code = self.code(self.at).ok_or_else(|| self.unexpected("an escape"))?;
                self.at += 6;
                if let Some(character) = char::from_u32(code) {
                    return Ok(character);
                }
                let low = if code < 0xDC00 { self.code(self.at) } else { None };
                let Some(low) = low.filter(|low| (0xDC00..0xE000).contains(low)) else { return Ok('?') };
                self.at += 6;
                return Ok(char::from_u32(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)).unwrap_or('?'));
            }
            _ => return Err(self.unexpected("an escape")),
        };
        self.at += 2;
        Ok(character)
    }

    /// The number of an escape `\u0041` at a place.
    fn code(&self, at: usize) -> Option<u32> {
        let digits = self.bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |code, &digit| Some(code * 16 + char::from(digit).to_digit(16)?))
    }

    /// Goes behind a value that nobody wants, which is `depth` deep.
    pub(super) fn skip(&mut self, depth: usize) -> Result<(), Flaw> {
        // What closes the arrays and objects around the cursor.
        let mut closes = vec![];
        loop {
            match self.peek() {
                b'"' => self.skip_string()?,
                b'-' | b'0'..=b'9' => drop(self.number()?),
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                bracket @ (b'{' | b'[') => {
                    self.open(depth + closes.len())?;
                    self.skip_blanks();
                    let close = closing(bracket);
                    if self.peek() != close {
                        closes.push(close);
                        self.skip_key(close)?;
                        continue;
                    }
                    self.at += 1;
                }
                _ => return Err(self.unexpected("a value")),
            }
            loop {
                let Some(&close) = closes.last() else { return Ok(()) };
                if self.next_member(close)? {
                    self.skip_key(close)?;
                    break;
                }
                closes.pop();
            }
        }
    }

    /// Goes behind the key of a member, if it is one of an object.
    fn skip_key(&mut self, close: u8) -> Result<(), Flaw> {
        if close == b'}' {
            self.skip_string()?;
            self.colon()?;
        }
        Ok(())
    }

    /// Takes the colon behind a key, and the blanks around it.
    pub(super) fn colon(&mut self) -> Result<(), Flaw> {
        self.skip_blanks();
        self.expect(b':')?;
        self.skip_blanks();
        Ok(())
    }

    /// Takes what is behind a member: a comma, or what closes the array or object. Says whether
    /// another member follows.
    pub(super) fn next_member(&mut self, close: u8) -> Result<bool, Flaw> {
        self.skip_blanks();
        let next = self.peek();
        if next != close && next != b',' {
            return Err(self.unexpected(if close == b'}' { "',' or '}'" } else { "',' or ']'" }));
        }
        self.at += 1;
        self.skip_blanks();
        Ok(next == b',')
    }

    fn skip_string(&mut self) -> Result<(), Flaw> {
        if let Some(end) = plain_end(self.bytes, self.at) {
            self.at = end;
            return Ok(());
        }
        self.string(&mut String::new()).map(|_| ())
    }

    /// Takes an opening bracket.
    pub(super) fn open(&mut self, depth: usize) -> Result<(), Flaw> {
        if depth >= DEEPEST {
            return Err(Flaw::new(self.at, format!("values lie more than {DEEPEST} deep in one another")));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads members, with commas between them, up to a closing bracket.
    pub(super) fn members(
        &mut self,
        close: u8,
        mut read: impl FnMut(&mut Self) -> Result<(), Flaw>,
    ) -> Result<(), Flaw> {
        self.skip_blanks();
        if self.peek() == close {
            self.at += 1;
            return Ok(());
        }
        loop {
            read(self)?;
            if !self.next_member(close)? {
                return Ok(());
            }
        }
    }
}

/// Where a string, or a number of digits alone, ends that begins at a place. Strings with escapes and
/// other numbers are left to [`Cursor::skip`].
#[inline]
pub(super) fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => {
            let end = STRING.find(bytes, at + 1);
            (bytes.get(end) == Some(&b'"')).then_some(end + 1)
        }
        b'1'..=b'9' => {
            let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            is_boundary(bytes, end).then_some(end)
        }
        _ => None,
    }
}

/// The string without escapes at a place, if there is one, and where it ends.
#[inline]
pub(super) fn plain_string(text: &str, at: usize) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at) != Some(&b'"') {
        return None;
    }
    let end = STRING.find(bytes, at + 1);
    (bytes.get(end) == Some(&b'"')).then(|| (&text[at + 1..end], end + 1))
}

/// Whether a number or word ends there.
#[inline]
pub(super) fn is_boundary(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'))
}

/// What closes an opening bracket.
pub(super) fn closing(bracket: u8) -> u8 {
    if bracket == b'{' { b'}' } else { b']' }
}
