//! Expressions: text with directives such as `#{Name.firstName}` in it.

use std::fmt;
use std::sync::Arc;

use super::super::super::ConnectError;
use super::super::super::options::{Key, bad_value};
use super::super::random::Random;
use super::provider::{self, Directive};

/// Makes the text of a directive, in a row whose time is so many milliseconds after 1970-01-01 00:00:00 UTC.
pub(super) type Make = Arc<dyn Fn(&mut Random, i64) -> String + Send + Sync>;

/// An expression, such as `/#{Lorem.word}.html`.
#[derive(Clone)]
pub(super) struct Expression {
    text: String,
    parts: Vec<Part>,
}

#[derive(Clone)]
enum Part {
    Text(String),
    Made(Make),
}

impl Expression {
    /// The expression that an option has as its value.
    ///
    /// # Errors
    /// A directive is not written as one, has other arguments than it takes, or does not exist.
    pub(super) fn parse(key: &Key, text: &str) -> Result<Self, ConnectError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find("#{") {
            let (before, directive) = rest.split_at(start);
            if !before.is_empty() {
                parts.push(Part::Text(before.to_owned()));
            }
            let wrong = || {
                let expected = "text with #{Provider.method 'argument','argument'} in it; quotes in a string of \
                                SQL are written twice";
                bad_value(key.clone(), text, expected)
            };
            let (name, arguments, end) = split(&directive[2..]).ok_or_else(wrong)?;
            parts.push(Part::Made(made(key, text, name, &arguments)?));
            rest = &directive[2 + end..];
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// A text, in a row whose time is so many milliseconds after 1970-01-01 00:00:00 UTC.
    pub(super) fn text(&self, random: &mut Random, time: i64) -> String {
        match self.parts.as_slice() {
            [Part::Made(make)] => make(random, time),
            parts => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        Part::Text(part) => text.push_str(part),
                        Part::Made(make) => text.push_str(&make(random, time)),
                    }
                }
                text
            }
        }
    }
}

/// The name and the arguments of what stands behind `#{`, and where the directive ends. As `flink-faker` reads
/// it, commas, blanks and brackets may stand between the arguments.
fn split(text: &str) -> Option<(&str, Vec<&str>, usize)> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let name_end = text.find(|c| !is_of_name(c))?;
    let mut arguments = Vec::new();
    let mut at = name_end;
    loop {
        match text[at..].chars().next()? {
            '}' => return (name_end > 0).then(|| (&text[..name_end], arguments, at + 1)),
            '\'' => {
                let length = text[at + 1..].find('\'')?;
                arguments.push(&text[at + 1..at + 1 + length]);
                at += length + 2;
            }
            ',' | ' ' | '(' | ')' => at += 1,
            _ => return None,
        }
    }
}

fn made(key: &Key, text: &str, name: &str, arguments: &[&str]) -> Result<Make, ConnectError> {
    let Some(directive) = provider::find(name) else {
        return Err(ConnectError::NoSuchFaker {
            key: key.clone(),
            name: name.to_owned(),
            nearest: provider::nearest(name),
            known: provider::alike(name),
        });
    };
    directive.make(arguments).ok_or_else(|| bad_value(key.clone(), text, &expected(directive)))
}

/// What a directive takes, as a phrase.
fn expected(directive: &Directive) -> String {
    format!("{}, or the like", directive.usage)
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.text).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directive_has_a_name_and_arguments_in_quotes() {
        assert_eq!(split("Name.name}!"), Some(("Name.name", vec![], 10)));
        assert_eq!(split("a 'x','y z'} "), Some(("a", vec!["x", "y z"], 12)));
        // A list of options may end with a bracket, as in the guide of flink-faker; arguments may have braces.
        assert_eq!(split("a 'x', 'y')}"), Some(("a", vec!["x", "y"], 12)));
        assert_eq!(split("a '(b|c){2}'}"), Some(("a", vec!["(b|c){2}"], 13)));
        assert_eq!(split("a ''}"), Some(("a", vec![""], 5)));
        for wrong in ["", "}", "a", "a 'x}", "a x}", " a}", "a 'x'"] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }
}
