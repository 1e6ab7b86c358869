//! Regular expressions as Java's `java.util.regex` reads them, for the `regex` crate.
//!
//! The two dialects agree on most of what people write, but not on what `\w`, `.`, `$` and `(?i)`
//! match, on classes, or on which escapes exist; so a pattern is taken apart and written anew.
//! What the crate's automata cannot do is refused: look-around, back references, possessive
//! quantifiers and atomic groups.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use regex::{Captures, Regex};

use super::class;

/// Why there is no regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatternError {
    /// Java refuses it too.
    Invalid,
    /// Java accepts it; the phrase names what is missing here.
    Unsupported(&'static str),
}

/// A compiled Java regular expression.
#[derive(Debug)]
pub(in crate::expr::function) struct JavaRegex {
    regex: Regex,
    /// The crate's number of each of Java's groups; group 0 is the whole match.
    groups: Vec<usize>,
    /// The groups that hold the line end before which `$` matched.
    line_ends: Vec<usize>,
}

/// One match: the byte range of each of Java's groups, if it took part.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

/// How many compiled patterns a thread keeps.
const KEPT: usize = 128;

impl JavaRegex {
    /// The compiled form of a pattern, which is kept for the next call.
    pub(super) fn cached(pattern: &str) -> Result<Rc<Self>, PatternError> {
        type Cache = HashMap<String, Result<Rc<JavaRegex>, PatternError>>;
        thread_local! {
            static CACHE: RefCell<Cache> = RefCell::default();
        }
        CACHE.with_borrow_mut(|cache| {
            if let Some(known) = cache.get(pattern) {
                return known.clone();
            }
            if cache.len() >= KEPT {
                cache.clear();
            }
            let compiled = Self::new(pattern).map(Rc::new);
            cache.insert(pattern.to_owned(), compiled.clone());
            compiled
        })
    }

    fn new(pattern: &str) -> Result<Self, PatternError> {
        let mut reader = Reader::new(pattern);
        reader.alternatives(Flags::default())?;
        if reader.peek().is_some() {
            // A closing parenthesis that nothing opened.
            return Err(PatternError::Invalid);
        }
        let regex = Regex::new(&reader.out).map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => PatternError::Unsupported("so large a pattern"),
            _ => PatternError::Invalid,
        })?;
        Ok(Self { regex, groups: reader.groups, line_ends: reader.line_ends })
    }

    /// How many groups the pattern has, without group 0.
    pub(super) fn group_count(&self) -> usize {
        self.groups.len() - 1
    }

    /// Whether the pattern matches somewhere in the text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The first match that does not begin before a byte.
    pub(super) fn find_at(&self, text: &str, start: usize) -> Option<Groups> {
        let captures = self.regex.captures_at(text, start)?;
        let surplus = self.surplus(&captures);
        let range = |group: usize| {
            let found = captures.get(group)?;
            let end = if found.end() == text.len() { found.end() - surplus } else { found.end() };
            Some((found.start().min(end), end))
        };
        Some(self.groups.iter().map(|&group| range(group)).collect())
    }

    /// All matches from left to right, as Java's `Matcher.find` gives them.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = Groups> {
        let mut start = Some(0);
        std::iter::from_fn(move || {
            let groups = self.find_at(text, start?)?;
            let (from, to) = groups[0]?;
            start = if from < to {
                Some(to)
            } else {
                // After an empty match the search goes on one character further.
                text[to..].chars().next().map(|c| to + c.len_utf8())
            };
            Some(groups)
        })
    }

    /// The length of the line end at the end of the text that only `$` looked at.
    fn surplus(&self, captures: &Captures<'_>) -> usize {
        self.line_ends.iter().find_map(|&group| captures.get(group)).map_or(0, |end| end.len())
    }
}

/// The flags of `(?i)` and its like.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of the pattern")]
pub(super) struct Flags {
    /// `i`: letters match in either case.
    pub ignore_case: bool,
    /// `u`: `i` is for all letters, not only ASCII ones.
    pub unicode_case: bool,
    /// `U`: `\w` and its like are for all scripts.
    pub unicode_class: bool,
    /// `m`: `^` and `$` match at every line.
    multiline: bool,
    /// `s`: `.` matches line ends.
    dot_all: bool,
    /// `d`: only `\n` ends a line.
    unix_lines: bool,
    /// `x`: blanks and comments are left out.
    pub comments: bool,
}

/// Reads a Java pattern and writes one for the crate.
pub(super) struct Reader<'a> {
    rest: std::str::Chars<'a>,
    pub(super) out: String,
    groups: Vec<usize>,
    line_ends: Vec<usize>,
    /// How many groups have been written.
    written: usize,
}

impl<'a> Reader<'a> {
    fn new(pattern: &'a str) -> Self {
        Self { rest: pattern.chars(), out: String::new(), groups: vec![0], line_ends: Vec::new(), written: 0 }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        self.rest.next()
    }

    /// What has not been read, to look further ahead.
    pub(super) fn clone_rest(&self) -> std::str::Chars<'a> {
        self.rest.clone()
    }

    /// Skips the text if it comes next.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let rest = self.rest.as_str().strip_prefix(text);
        if let Some(rest) = rest {
            self.rest = rest.chars();
        }
        rest.is_some()
    }

    /// Reads as many digits of a base as there are, up to a number of them.
    fn digits(&mut self, base: u32, most: usize) -> Option<u32> {
        let mut value: Option<u32> = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(base)) else { break };
            self.next();
            value = Some(value.unwrap_or(0).checked_mul(base)?.checked_add(digit)?);
        }
        value
    }

    /// Reads up to the end of the pattern or of the group.
    fn alternatives(&mut self, mut flags: Flags) -> Result<(), PatternError> {
        loop {
            if flags.comments {
                self.skip_comments();
            }
            match self.peek() {
                None | Some(')') => return Ok(()),
                Some('|') => {
                    self.next();
                    self.out.push('|');
                }
                Some('(') => {
                    self.next();
                    if self.group(&mut flags)? {
                        self.quantifier(flags)?;
                    }
                }
                Some('^') => {
                    self.next();
                    self.out.push_str(if flags.multiline { "(?mR:^)" } else { r"\A" });
                    self.quantifier(flags)?;
                }
                Some('$') => {
                    self.next();
                    if flags.multiline {
                        self.out.push_str("(?mR:$)");
                    } else {
                        self.end_of_text(flags);
                    }
                    self.quantifier(flags)?;
                }
                Some('\\') => {
                    self.next();
                    self.escape(flags)?;
                }
                Some('*' | '+' | '?' | '{') => return Err(PatternError::Invalid),
                Some('.') => {
                    self.next();
                    self.out.push_str(match (flags.dot_all, flags.unix_lines) {
                        (true, _) => "(?s:.)",
                        (false, true) => r"[^\n]",
                        (false, false) => r"[^\n\r\u{85}\u{2028}\u{2029}]",
                    });
                    self.quantifier(flags)?;
                }
                Some('[') => {
                    self.next();
                    class::read(self, flags)?;
                    self.quantifier(flags)?;
                }
                Some(c) => {
                    self.next();
                    self.literal(c, flags);
                    self.quantifier(flags)?;
                }
            }
        }
    }

    pub(super) fn skip_comments(&mut self) {
        while let Some(c) = self.peek() {
            if c == '#' {
                while self.next().is_some_and(|c| c != '\n') {}
            } else if c.is_ascii_whitespace() || c == '\u{b}' {
                self.next();
            } else {
                return;
            }
        }
    }

    /// `$` or `\Z`: the end of the text, or the line end there, which a group of its own keeps so
    /// that it can be taken off the match.
    fn end_of_text(&mut self, flags: Flags) {
        self.written += 1;
        self.line_ends.push(self.written);
        let line_end = if flags.unix_lines { r"\n" } else { r"\r\n|[\n\r\u{85}\u{2028}\u{2029}]" };
        let _ = write!(self.out, r"(?:\z|({line_end})\z)");
    }

    /// Reads a group after its parenthesis; `false` if it only sets flags.
    fn group(&mut self, flags: &mut Flags) -> Result<bool, PatternError> {
        let mut inner = *flags;
        if !self.skip("?") {
            self.capture();
        } else if self.skip(":") {
            self.out.push_str("(?:");
        } else if self.skip("=") || self.skip("!") || self.skip("<=") || self.skip("<!") {
            return Err(PatternError::Unsupported("look-around"));
        } else if self.skip(">") {
            return Err(PatternError::Unsupported("an atomic group"));
        } else if self.skip("<") {
            self.name('>')?;
            self.capture();
        } else {
            inner = self.flags(inner)?;
            match self.next() {
                Some(')') => {
                    *flags = inner;
                    return Ok(false);
                }
                Some(':') => self.out.push_str("(?:"),
                _ => return Err(PatternError::Invalid),
            }
        }
        self.alternatives(inner)?;
        if self.next() != Some(')') {
            return Err(PatternError::Invalid);
        }
        self.out.push(')');
        Ok(true)
    }

    fn capture(&mut self) {
        self.written += 1;
        self.groups.push(self.written);
        self.out.push('(');
    }

    fn name(&mut self, end: char) -> Result<String, PatternError> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some(c) if c == end && !name.is_empty() => return Ok(name),
                Some(c) if c.is_ascii_alphabetic() || (c.is_ascii_digit() && !name.is_empty()) => {
                    name.push(c);
                }
                _ => return Err(PatternError::Invalid),
            }
        }
    }

    fn flags(&mut self, mut flags: Flags) -> Result<Flags, PatternError> {
        let mut on = true;
        loop {
            match self.peek() {
                Some('-') if on => on = false,
                Some('i') => flags.ignore_case = on,
                Some('u') => flags.unicode_case = on,
                Some('U') => (flags.unicode_class, flags.unicode_case) = (on, on),
                Some('m') => flags.multiline = on,
                Some('s') => flags.dot_all = on,
                Some('d') => flags.unix_lines = on,
                Some('x') => flags.comments = on,
                _ => return Ok(flags),
            }
            self.next();
        }
    }

    /// Reads what may follow an atom: `*`, `+`, `?` or `{n,m}`, each with `?` for as few as
    /// possible.
    fn quantifier(&mut self, flags: Flags) -> Result<(), PatternError> {
        if flags.comments {
            self.skip_comments();
        }
        match self.peek() {
            Some(c @ ('*' | '+' | '?')) => {
                self.next();
                self.out.push(c);
            }
            Some('{') => {
                self.next();
                let least = self.digits(10, 9).ok_or(PatternError::Invalid)?;
                let _ = write!(self.out, "{{{least}");
                if self.skip(",") {
                    self.out.push(',');
                    if let Some(most) = self.digits(10, 9) {
                        let _ = write!(self.out, "{most}");
                    }
                }
                if !self.skip("}") {
                    return Err(PatternError::Invalid);
                }
                self.out.push('}');
            }
            _ => return Ok(()),
        }
        if self.skip("+") {
            return Err(PatternError::Unsupported("a possessive quantifier"));
        }
        if self.skip("?") {
            self.out.push('?');
        }
        // A second quantifier has nothing to repeat.
        match self.peek() {
            Some('*' | '+' | '?' | '{') => Err(PatternError::Invalid),
            _ => Ok(()),
        }
    }

    /// Reads what follows a backslash outside of a class.
    fn escape(&mut self, flags: Flags) -> Result<(), PatternError> {
        if self.skip("Q") {
            // Everything up to \E is literal; a quantifier binds to the last character.
            loop {
                if self.skip(r"\E") {
                    return self.quantifier(flags);
                }
                match self.next() {
                    Some(c) => self.literal(c, flags),
                    None => return Ok(()),
                }
            }
        }
        match self.peek().ok_or(PatternError::Invalid)? {
            c @ ('b' | 'B' | 'A' | 'z') => {
                self.next();
                if c == 'b' && self.peek() == Some('{') {
                    return Err(PatternError::Unsupported("a grapheme boundary"));
                }
                self.out.push('\\');
                self.out.push(c);
            }
            'Z' => {
                self.next();
                self.end_of_text(flags);
            }
            'R' => {
                self.next();
                self.out.push_str(r"(?:\r\n|[\n\x0B\f\r\u{85}\u{2028}\u{2029}])");
            }
            'G' => return Err(PatternError::Unsupported("the end of the previous match")),
            'X' => return Err(PatternError::Unsupported("a grapheme cluster")),
            '1'..='9' | 'k' => return Err(PatternError::Unsupported("a back reference")),
            _ => {
                if let Some(set) = class::shorthand(self, flags)? {
                    self.out.push_str(&set);
                } else {
                    let c = self.escaped_character()?;
                    self.literal(c, flags);
                }
            }
        }
        self.quantifier(flags)
    }

    /// Reads an escape that stands for one character.
    pub(super) fn escaped_character(&mut self) -> Result<char, PatternError> {
        let invalid = PatternError::Invalid;
        let code = match self.next().ok_or(invalid.clone())? {
            't' => 0x9,
            'n' => 0xa,
            'r' => 0xd,
            'f' => 0xc,
            'a' => 0x7,
            'e' => 0x1b,
            '0' => {
                // Up to three octal digits, of which the first is at most 3.
                let most = if matches!(self.peek(), Some('0'..='3')) { 3 } else { 2 };
                self.digits(8, most).ok_or(invalid.clone())?
            }
            'x' if self.skip("{") => {
                let code = self.digits(16, 8).ok_or(invalid.clone())?;
                if !self.skip("}") {
                    return Err(invalid);
                }
                code
            }
            'x' => self.exact_digits(2)?,
            'u' => match self.exact_digits(4)? {
                high @ 0xd800..0xdc00 if self.skip(r"\u") => {
                    let low = self.exact_digits(4)?.checked_sub(0xdc00).filter(|&low| low < 0x400);
                    0x1_0000 + ((high - 0xd800) << 10) + low.ok_or(invalid.clone())?
                }
                code => code,
            },
            'c' => u32::from(self.next().ok_or(invalid.clone())?) ^ 64,
            'N' => return Err(PatternError::Unsupported("a character by its name")),
            c if c.is_ascii_alphabetic() => return Err(invalid),
            c => u32::from(c),
        };
        char::from_u32(code).ok_or(invalid)
    }

    fn exact_digits(&mut self, count: usize) -> Result<u32, PatternError> {
        let before = self.rest.as_str().len();
        let value = self.digits(16, count);
        let all = before - self.rest.as_str().len() == count;
        value.filter(|_| all).ok_or(PatternError::Invalid)
    }

    fn literal(&mut self, c: char, flags: Flags) {
        if flags.ignore_case && flags.unicode_case {
            let _ = write!(self.out, "(?i:{})", regex::escape(c.encode_utf8(&mut [0; 4])));
        } else if flags.ignore_case && c.is_ascii_alphabetic() {
            let _ = write!(self.out, "[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase());
        } else {
            self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn matched(pattern: &str, text: &str) -> Option<String> {
        let regex = JavaRegex::new(pattern).unwrap();
        regex.find_at(text, 0).map(|groups| {
            let (start, end) = groups[0].unwrap();
            text[start..end].to_owned()
        })
    }

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: &str) {
        assert_eq!(matched(pattern, text).as_deref(), Some(expected), "{pattern}");
    }

    #[test]
    fn words_digits_and_case_are_ascii_unless_a_flag_says_otherwise() {
        check(r"\w+", "äbc", "bc");
        check(r"(?U)\w+", "äbc", "äbc");
        assert_eq!(matched(r"\d", "٣"), None);
        check("(?i)b[c-d]", "xBD", "BD");
        assert_eq!(matched("(?i)é", "É"), None);
        check("(?iu)é", "É", "É");
        check("a(?i)b|c", "aB", "aB");
        check("a(?i:b)c", "aBc", "aBc");
    }

    #[test]
    fn the_end_is_also_before_the_last_line_end_but_does_not_take_it() {
        check("a$", "a\n", "a");
        check("a(b$)", "ab\r\n", "ab");
        check("a\n$", "a\n", "a\n");
        check("a\\Z", "a\u{2028}", "a");
        assert_eq!(matched("a\\z", "a\n"), None);
        assert_eq!(matched("a.b", "a\rb"), None);
        check("(?s)a.b", "a\rb", "a\rb");
        check("(?m)^b$", "a\nb\nc", "b");
    }

    #[test]
    fn classes_can_be_nested_and_intersected_and_take_other_signs_literally() {
        check("[a-z&&[^b]]+", "bac", "ac");
        check("[[ab]c]+", "xabc", "abc");
        check("[a\\-z]+", "-az", "-az");
        check("[~&-]+", "x~-&", "~-&");
        check("[]a]+", "]a", "]a");
        check("[^\\d\\s]+", "1 x", "x");
        check(r"[\Qa]\E]+", "a]", "a]");
    }

    #[test]
    fn quoting_and_numeric_escapes_stand_for_characters() {
        check(r"\Qa.b\E+", "a.bbb", "a.bbb");
        check(r"\x61\u0062\0143\x{64}", "abcd", "abcd");
        check(r"\ud83d\ude00", "😀", "😀");
        check(r"(?x) a b # c", "ab", "ab");
        check(r"\p{Lu}\p{Alpha}\P{Alpha}\p{IsGreek}", "Äb1α", "Äb1α");
    }

    #[test]
    fn groups_keep_javas_numbers() {
        let regex = JavaRegex::new("(a$)|(?<name>b)(c)?").unwrap();
        assert_eq!(regex.group_count(), 3);
        assert_eq!(regex.find_at("xbc", 0), Some(vec![Some((1, 3)), None, Some((1, 2)), Some((2, 3))]));
    }

    #[test]
    fn an_empty_match_may_follow_a_match() {
        let regex = JavaRegex::new("b|$").unwrap();
        let starts: Vec<_> = regex.find_all("abcb").map(|groups| groups[0].unwrap().0).collect();
        assert_eq!(starts, [1, 3, 4]);
    }

    #[test]
    fn what_java_refuses_is_invalid_and_what_is_missing_is_named() {
        for invalid in ["(", ")", "[", "[a", "*", "a**", "a{", "a{,2}", r"\y", "[b-a]", r"\p{Nope}", "(?z)"] {
            assert_eq!(JavaRegex::new(invalid).unwrap_err(), PatternError::Invalid, "{invalid}");
        }
        for missing in ["a(?=b)", "(?<!a)b", r"(a)\1", "a++", "(?>a)", r"\G", r"\p{InGreek}"] {
            let error = JavaRegex::new(missing).unwrap_err();
            assert!(matches!(error, PatternError::Unsupported(_)), "{missing}");
        }
    }
}
