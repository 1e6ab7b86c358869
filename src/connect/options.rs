//! The options of `WITH`, taken one by one.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::ConnectError;
use super::error::same_group;
use crate::spelling::nearest;

/// The name of an option. Most are fixed; some have the name of a column in them.
pub(super) type Key = Cow<'static, str>;

/// Options that are taken one by one: what was never asked for is unknown.
pub(super) struct Options<'a> {
    given: &'a [(String, String)],
    /// What takes the options, for messages.
    taker: String,
    asked: Vec<Key>,
    /// The values that an option can have, where they are few.
    choices: Vec<(Key, Vec<&'static str>)>,
}

/// An option that a connected table can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownOption {
    /// The key.
    pub key: Cow<'static, str>,
    /// The values that it can have; none if they are too many to list.
    pub values: Vec<&'static str>,
}

impl<'a> Options<'a> {
    pub(super) fn new(given: &'a [(String, String)]) -> Self {
        Self { given, taker: "a connected table".to_owned(), asked: vec![], choices: vec![] }
    }

    /// Says what takes the options from now on: `connector "print"`.
    pub(super) fn set_taker(&mut self, taker: String) {
        self.taker = taker;
    }

    /// What takes the options.
    pub(super) fn taker(&self) -> &str {
        &self.taker
    }

    /// The value of an option; of one that is given twice it is the last.
    pub(super) fn text(&mut self, key: impl Into<Key>) -> Option<&'a str> {
        let key = key.into();
        let value = self.given.iter().rev().find(|(given, _)| *given == key);
        self.asked.push(key);
        value.map(|(_, value)| value.as_str())
    }

    pub(super) fn required(&mut self, key: impl Into<Key>) -> Result<&'a str, ConnectError> {
        let key = key.into();
        self.text(key.clone())
            .ok_or_else(|| ConnectError::MissingOption { connector: self.taker.clone(), key })
    }

    /// A whole number of a range.
    pub(super) fn whole(
        &mut self,
        key: impl Into<Key>,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, ConnectError> {
        let key = key.into();
        let Some(text) = self.text(key.clone()) else { return Ok(None) };
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        number.map(Some).ok_or_else(|| {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            bad_value(key, text, &expected)
        })
    }

    /// A number that is not infinite and not NaN.
    pub(super) fn real(&mut self, key: impl Into<Key>) -> Result<Option<f64>, ConnectError> {
        let key = key.into();
        let Some(text) = self.text(key.clone()) else { return Ok(None) };
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| bad_value(key, text, "a number"))
    }

    /// `true` or `false` in any case.
    pub(super) fn flag(&mut self, key: impl Into<Key>, default: bool) -> Result<bool, ConnectError> {
        let key = key.into();
        self.choices.push((key.clone(), vec!["true", "false"]));
        match self.text(key.clone()) {
            None => Ok(default),
            Some(value) if value.eq_ignore_ascii_case("true") => Ok(true),
            Some(value) if value.eq_ignore_ascii_case("false") => Ok(false),
            Some(value) => Err(bad_value(key, value, "'true' or 'false'")),
        }
    }

    /// A length of time as Flink writes it, such as `10 s` or `500ms`; a number alone is milliseconds.
    pub(super) fn duration(&mut self, key: impl Into<Key>) -> Result<Option<Duration>, ConnectError> {
        let key = key.into();
        let Some(text) = self.text(key.clone()) else { return Ok(None) };
        let digits = text.trim().find(|c: char| !c.is_ascii_digit()).unwrap_or(text.trim().len());
        let (number, unit) = text.trim().split_at(digits);
        let millis = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "ms" | "milli" | "millis" | "millisecond" | "milliseconds" => Some(1),
            "s" | "sec" | "secs" | "second" | "seconds" => Some(1_000),
            "m" | "min" | "minute" | "minutes" => Some(60_000),
            "h" | "hour" | "hours" => Some(3_600_000),
            "d" | "day" | "days" => Some(86_400_000),
            _ => None,
        };
        let duration = number.parse::<u64>().ok().zip(millis).and_then(|(n, unit)| n.checked_mul(unit));
        let duration = duration.filter(|&millis| millis > 0).map(Duration::from_millis);
        duration.map(Some).ok_or_else(|| bad_value(key, text, "a length of time, such as '1 s' or '500 ms'"))
    }

    /// A text of one character. With `escaped` it may be written as in Java: `\t`, `\u0001`.
    pub(super) fn character(
        &mut self,
        key: &'static str,
        escaped: bool,
    ) -> Result<Option<char>, ConnectError> {
        let Some(value) = self.text(key) else { return Ok(None) };
        let unescaped = if escaped { unescape(value) } else { None };
        let mut chars = unescaped.as_deref().unwrap_or(value).chars();
        match (chars.next(), chars.next()) {
            (Some(character), None) => Ok(Some(character)),
            _ => Err(bad_value(key, value, "a single character")),
        }
    }

    /// One of a few words. Words of `any_case` are taken in any case.
    pub(super) fn choice<T: Copy>(
        &mut self,
        key: impl Into<Key>,
        choices: &[(&'static str, T)],
        any_case: bool,
    ) -> Result<T, ConnectError> {
        let key = key.into();
        self.choices.push((key.clone(), choices.iter().map(|(word, _)| *word).collect()));
        let Some(value) = self.text(key.clone()) else { return Ok(choices[0].1) };
        let is = |word: &str| word == value || (any_case && word.eq_ignore_ascii_case(value));
        choices.iter().find(|(word, _)| is(word)).map(|(_, choice)| *choice).ok_or_else(|| {
            let words: Vec<_> = choices.iter().map(|(word, _)| format!("'{word}'")).collect();
            bad_value(key, value, &words.join(" or "))
        })
    }

    /// Says which values an option can have.
    pub(super) fn offer(&mut self, key: impl Into<Key>, values: &[&'static str]) {
        self.choices.push((key.into(), values.to_vec()));
    }

    /// The options that were asked for, each once.
    pub(super) fn known(&self) -> Vec<KnownOption> {
        let mut known: Vec<KnownOption> = Vec::new();
        for key in &self.asked {
            if !known.iter().any(|option| option.key == *key) {
                let values = self.choices.iter().find(|(known, _)| known == key);
                let values = values.map(|(_, values)| values.clone()).unwrap_or_default();
                known.push(KnownOption { key: key.clone(), values });
            }
        }
        known
    }

    /// Refuses what was not asked for.
    pub(super) fn finish(self) -> Result<(), ConnectError> {
        let unknown = |(key, _): &&(String, String)| !self.asked.iter().any(|asked| asked == key);
        match self.given.iter().find(unknown) {
            None => Ok(()),
            Some((key, _)) => Err(ConnectError::NoSuchOption {
                connector: self.taker,
                key: key.clone(),
                nearest: nearest_in_group(key, &self.asked),
                known: self.asked,
            }),
        }
    }
}

/// The error of a value that is none of its option.
pub(super) fn bad_value(key: impl Into<Key>, value: &str, expected: &str) -> ConnectError {
    ConnectError::BadValue { key: key.into(), value: value.to_owned(), expected: expected.to_owned() }
}

/// The option of the same group that is like a misspelt one in what stands behind the group.
fn nearest_in_group(key: &str, known: &[Key]) -> Option<String> {
    let (group, alike) = same_group(key, known);
    let names = alike.iter().map(|known| &known[group.len()..]);
    nearest(&key[group.len()..], names).map(|name| format!("{group}{name}"))
}

/// The one character that an escape of Java stands for.
fn unescape(text: &str) -> Option<String> {
    let escape = text.strip_prefix('\\')?;
    let character = match escape {
        "t" => '\t',
        "b" => '\u{8}',
        "f" => '\u{c}',
        "n" => '\n',
        "r" => '\r',
        "\\" | "'" | "\"" => return Some(escape.to_owned()),
        _ => {
            let digits = escape.trim_start_matches('u');
            let valid = digits.len() == 4 && digits.len() < escape.len();
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| valid)?;
            char::from_u32(code)?
        }
    };
    Some(character.to_string())
}
