//! JSON documents: read as Flink's parser reads them, written as Flink writes them.

use std::cmp::Ordering;
use std::mem::take;

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use crate::value::display::write_double;
use crate::value::json::{write_json_string, write_scaled};

/// The members of an object in the order of their first appearance.
pub(super) type Members = IndexMap<String, Json, RandomState>;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Boolean(bool),
    Number(Number),
    /// What a function of a path computed, which documents do not hold.
    Double(f64),
    String(String),
    Array(Vec<Json>),
    Object(Members),
}

/// A number of a document, with all its digits: `±digits / 10^scale`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    negative: bool,
    /// Without zeros in front, but `0` for zero.
    digits: String,
    scale: i32,
    /// Whether it is written without a point and an exponent.
    whole: bool,
}

impl Json {
    /// The first value of a text, if there is one. What follows it does not matter.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Parser { text, at: 0, depth: 0 }.root()
    }

    /// Whether it is neither an array nor an object.
    pub(super) fn is_scalar(&self) -> bool {
        !matches!(self, Self::Array(_) | Self::Object(_))
    }

    /// The text of a scalar, without quotes; of other values as JSON.
    pub(super) fn into_text(self) -> String {
        match self {
            Self::String(text) => text,
            other => other.to_json(),
        }
    }

    /// The value as JSON without blanks, the keys of objects sorted.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => number.write(out),
            Self::Double(value) => {
                // Writing into a string cannot fail.
                let _ = write_double(out, *value);
            }
            Self::String(text) => write_json_string(out, text),
            Self::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by(|(a, _), (b, _)| java_order(a, b));
                out.push('{');
                for (i, (key, value)) in members.into_iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_json_string(out, key);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// The order of Java's strings.
pub(super) fn java_order(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

impl Number {
    /// A number as JSON writes it, or with the liberties of Java's `BigDecimal`: a sign in front,
    /// no digits on one side of the point.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, number) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match number.find(['e', 'E']) {
            Some(at) => (&number[..at], Some(number[at + 1..].parse::<i64>().ok()?)),
            None => (number, None),
        };
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{integer}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let scale = i64::try_from(fraction.len()).ok()?.checked_sub(exponent.unwrap_or(0))?;
        let digits = digits.trim_start_matches('0');
        Some(Self {
            negative: negative && !digits.is_empty(),
            digits: if digits.is_empty() { "0" } else { digits }.to_owned(),
            scale: i32::try_from(scale).ok()?,
            whole: exponent.is_none() && !mantissa.contains('.'),
        })
    }

    /// Its value, if it is written as an integer of 32 bits.
    pub(super) fn as_int(&self) -> Option<i32> {
        if self.whole { self.to_text().parse().ok() } else { None }
    }

    /// The number as a floating point number, if it is written with a point or an exponent.
    pub(super) fn as_fraction(&self) -> Option<f64> {
        if self.whole { None } else { Some(self.to_double()) }
    }

    pub(super) fn to_double(&self) -> f64 {
        let number =
            format!("{}{}E{}", if self.negative { "-" } else { "" }, self.digits, -i64::from(self.scale));
        number.parse().unwrap_or(f64::NAN)
    }

    /// The number as Java prints its decimals, with the digits of the document.
    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        if self.negative {
            out.push('-');
        }
        // Writing into a string cannot fail.
        let _ = write_scaled(out, &self.digits, self.scale);
    }

    /// The order of the values: `1.0` equals `1`.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.as_str(), number.negative) {
            ("0", _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign.is_ne() || sign(self) == 0 {
            return by_sign;
        }
        let length =
            |number: &Self| i64::try_from(number.digits.len()).unwrap_or(i64::MAX) - i64::from(number.scale);
        let digits = |number: &Self| number.digits.trim_end_matches('0').to_owned();
        let by_size = length(self).cmp(&length(other)).then_with(|| digits(self).cmp(&digits(other)));
        if self.negative { by_size.reverse() } else { by_size }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        let digits = value.unsigned_abs().to_string();
        Self { negative: value < 0, digits, scale: 0, whole: true }
    }
}

/// How deep arrays and objects may be nested, and how long numbers may be, in the parser that
/// Flink uses.
const MOST_DEPTH: usize = 1000;
const MOST_DIGITS: usize = 1000;

struct Parser<'a> {
    text: &'a str,
    /// The next byte.
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn root(mut self) -> Option<Json> {
        self.blanks();
        let first = self.peek()?;
        let value = self.value()?;
        let next = self.text[self.at..].chars().next();
        let ends = match first {
            b'{' | b'[' | b'"' => true,
            b't' | b'f' | b'n' => next.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '$')),
            _ => next.is_none_or(|c| matches!(c, ' ' | '\t' | '\n' | '\r')),
        };
        ends.then_some(value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            b'{' => self.nested(Self::object),
            b'[' => self.nested(Self::array),
            b'"' => self.string().map(Json::String),
            b't' => self.word("true", Json::Boolean(true)),
            b'f' => self.word("false", Json::Boolean(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number().map(Json::Number),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Option<Json> {
        if !self.text[self.at..].starts_with(word) {
            return None;
        }
        self.at += word.len();
        Some(value)
    }

    fn nested(&mut self, read: fn(&mut Self) -> Option<Json>) -> Option<Json> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return None;
        }
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn array(&mut self) -> Option<Json> {
        let mut items = Vec::new();
        self.blanks();
        if self.skip(b']') {
            return Some(Json::Array(items));
        }
        loop {
            self.blanks();
            items.push(self.value()?);
            self.blanks();
            match self.next()? {
                b',' => {}
                b']' => return Some(Json::Array(items)),
                _ => return None,
            }
        }
    }

    fn object(&mut self) -> Option<Json> {
        let mut members = Members::default();
        self.blanks();
        if self.skip(b'}') {
            return Some(Json::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            self.blanks();
            if !self.skip(b':') {
                return None;
            }
            self.blanks();
            let value = self.value()?;
            members.insert(key, value);
            self.blanks();
            match self.next()? {
                b',' => {}
                b'}' => return Some(Json::Object(members)),
                _ => return None,
            }
        }
    }

    fn number(&mut self) -> Option<Number> {
        let start = self.at;
        self.skip(b'-');
        let integer = self.digits()?;
        if integer > 1 && self.text.as_bytes()[self.at - integer] == b'0' {
            return None;
        }
        if self.skip(b'.') {
            self.digits()?;
        }
        if self.skip(b'e') || self.skip(b'E') {
            let _ = self.skip(b'+') || self.skip(b'-');
            self.digits()?;
        }
        let number = &self.text[start..self.at];
        if number.len() > MOST_DIGITS {
            return None;
        }
        Number::parse(number)
    }

    /// How many digits there were, at least one.
    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }

    fn string(&mut self) -> Option<String> {
        if !self.skip(b'"') {
            return None;
        }
        let mut out = String::new();
        let mut units = Vec::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            if self.at > start {
                flush(&mut out, &mut units);
                out.push_str(&self.text[start..self.at]);
            }
            match self.next()? {
                b'"' => {
                    flush(&mut out, &mut units);
                    return Some(out);
                }
                b'\\' => units.push(self.escape()?),
                _ => return None,
            }
        }
    }

    /// The UTF-16 code unit of an escape.
    fn escape(&mut self) -> Option<u16> {
        Some(u16::from(match self.next()? {
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let digits = self.text.get(self.at..self.at + 4)?;
                self.at += 4;
                return digits
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit())
                    .then(|| u16::from_str_radix(digits, 16).ok())?;
            }
            _ => return None,
        }))
    }
}

/// Appends the code units of a run of escapes, of which two may be the halves of one character; a
/// half alone becomes `?`, as in Java's UTF-8.
fn flush(out: &mut String, units: &mut Vec<u16>) {
    if !units.is_empty() {
        out.extend(char::decode_utf16(take(units)).map(|c| c.unwrap_or('?')));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).expect("it is a number")
    }

    #[test]
    fn numbers_compare_by_value_whatever_their_digits() {
        for (small, large) in [("1.0", "2"), ("-2", "-1.99"), ("9.99", "1e1"), ("-1", "0"), ("0", "1e-9")] {
            assert_eq!(number(small).compare(&number(large)), Ordering::Less, "{small} {large}");
            assert_eq!(number(large).compare(&number(small)), Ordering::Greater, "{large} {small}");
        }
        for (a, b) in [("1.0", "1"), ("100", "1E2"), ("-0.0", "0"), ("12.50", "1.25e1")] {
            assert_eq!(number(a).compare(&number(b)), Ordering::Equal, "{a} {b}");
        }
    }

    #[test]
    fn a_later_member_of_the_same_name_takes_the_place_of_the_earlier_one() {
        let json = Json::parse(r#"{"b": 1, "a": 2, "b": 3}"#).expect("it is JSON");
        let Json::Object(members) = &json else { panic!("{json:?}") };
        assert_eq!(members.keys().collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(json.to_json(), r#"{"a":2,"b":3}"#);
    }

    #[test]
    fn escapes_of_two_halves_are_one_character() {
        let text = |json| Json::parse(json).map(Json::into_text);
        assert_eq!(text(r#""a\ud83d\ude00b""#).as_deref(), Some("a😀b"));
        assert_eq!(text(r#""\ud83dx\ude00""#).as_deref(), Some("?x?"));
        assert_eq!(text(r#""\u+041""#), None);
    }
}
