//! Paths into JSON documents, such as `lax $.a[*].b`.
//!
//! The language is that of the Jayway library, on which Flink's functions rest: properties, indexes,
//! slices, wildcards, `..`, filters `[?(@.a > 1)]` and functions such as `length()`. In mode `strict`,
//! which is the default, a path that leads nowhere is an error; in mode `lax` it is empty.

mod filter;
mod function;
mod parse;
mod walk;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::document::Json;
use filter::Filter;
use function::Parameter;
use walk::{Failure, Walk};

/// A path with its mode, as an argument of a function gives it.
#[derive(Debug)]
pub(super) struct ModePath {
    /// Whether it is an error that the path leads nowhere.
    pub(super) strict: bool,
    path: Result<Path, PathError>,
}

/// Why a path has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathError {
    /// The path is malformed, does not fit the document or leads nowhere: a matter for `ON ERROR`.
    Invalid(String),
    /// The path makes the whole query fail in Flink, whatever `ON ERROR` says.
    Unsupported(String),
}

/// A path without its mode.
#[derive(Debug, Clone)]
struct Path {
    steps: Vec<Step>,
    /// Whether it leads to one value at most; otherwise the result is a list.
    definite: bool,
}

#[derive(Debug, Clone)]
enum Step {
    /// `.name` or `['name']`
    Property(String),
    /// `['a', 'b']`
    Properties(Vec<String>),
    /// `[1]`, `[-1]`
    Index(i32),
    /// `[1, 2]`
    Indexes(Vec<i32>),
    /// `[from:to]`
    Slice(Option<i32>, Option<i32>),
    /// `*`
    Wildcard,
    /// `[?(…)]`
    Filter(Filter),
    /// The second point of `..`: the next step applies at every depth.
    Scan,
    /// `.name(parameters)`. Flink does not miss a function before it gets there.
    Function(String, Vec<Parameter>),
}

/// How many paths a thread keeps.
const KEPT: usize = 128;

impl ModePath {
    /// The path of a text, which is kept for the next call.
    pub(super) fn cached(text: &str) -> Rc<Self> {
        thread_local! {
            static CACHE: RefCell<HashMap<String, Rc<ModePath>>> = RefCell::default();
        }
        CACHE.with_borrow_mut(|cache| {
            if let Some(known) = cache.get(text) {
                return Rc::clone(known);
            }
            if cache.len() >= KEPT {
                cache.clear();
            }
            let path = Rc::new(Self::parse(text));
            cache.insert(text.to_owned(), Rc::clone(&path));
            path
        })
    }

    fn parse(text: &str) -> Self {
        let trimmed = text.trim_start();
        for (word, strict) in [("strict", true), ("lax", false)] {
            let is_word = |start: &str| start.eq_ignore_ascii_case(word);
            let Some(rest) =
                trimmed.get(..word.len()).filter(|start| is_word(start)).map(|_| &trimmed[word.len()..])
            else {
                continue;
            };
            let mut rest = rest.chars();
            if rest.next().is_some_and(char::is_whitespace) && !rest.as_str().is_empty() {
                return Self { strict, path: Path::parse(rest.as_str()) };
            }
        }
        Self { strict: true, path: Path::parse(text) }
    }

    /// The value in the document to which the path leads; in mode lax there may be none.
    pub(super) fn read<'a>(&'a self, document: &'a Json) -> Result<Option<Cow<'a, Json>>, PathError> {
        let path = self.path.as_ref().map_err(PathError::clone)?;
        path.read(document, document, self.strict)
    }
}

impl Path {
    /// The value to which the path leads from a part of a document, or a list of values.
    fn read<'a>(
        &'a self,
        root: &'a Json,
        start: &'a Json,
        strict: bool,
    ) -> Result<Option<Cow<'a, Json>>, PathError> {
        let mut walk = Walk::new(self, root, strict);
        let missing = match walk.visit(0, start) {
            Ok(()) => false,
            Err(Failure::Missing) => true,
            Err(Failure::Error(error)) => return Err(error),
        };
        let mut found = walk.found;
        let value = match (missing, self.definite) {
            (false, false) => Some(Cow::Owned(Json::Array(found.into_iter().map(Cow::into_owned).collect()))),
            (false, true) => found.pop(),
            (true, _) => None,
        };
        match value {
            Some(value) => Ok(Some(value)),
            None if strict => Err(PathError::Invalid("the path leads nowhere".to_owned())),
            None if self.definite => Ok(None),
            None => Ok(Some(Cow::Owned(Json::Array(Vec::new())))),
        }
    }
}

impl Step {
    /// Whether the step leads to one value at most.
    fn is_definite(&self, last: bool) -> bool {
        match self {
            Self::Property(_) | Self::Index(_) | Self::Function(..) => true,
            // As the last step it gives one object with all the members.
            Self::Properties(_) => last,
            Self::Indexes(_) | Self::Slice(..) | Self::Wildcard | Self::Filter(_) | Self::Scan => false,
        }
    }
}

/// The error of a malformed path.
fn invalid<T>(phrase: &str) -> Result<T, PathError> {
    Err(PathError::Invalid(phrase.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, document: &str) -> Result<Option<String>, PathError> {
        let document = Json::parse(document).expect("it is JSON");
        let path = ModePath::parse(path);
        path.read(&document).map(|value| value.map(|value| value.to_json()))
    }

    fn check(path: &str, document: &str, expected: &str) {
        assert_eq!(read(path, document), Ok(Some(expected.to_owned())), "{path}");
    }

    #[test]
    fn the_steps_lead_to_values_and_to_lists_of_values() {
        let document = r#"{"a": [{"b": 1, "c": 7}, {"b": 2}, 3], "b": 4}"#;
        for (path, expected) in [
            ("$.a[0].b", "1"),
            ("$['a'][-1]", "3"),
            ("$.a[*].b", "[1,2]"),
            ("$.a[0]['c', 'b']", r#"{"b":1,"c":7}"#),
            ("$.a[1:]", r#"[{"b":2},3]"#),
            ("$..b", "[4,1,2]"),
            ("$.a[?(@.b >= 2)].b", "[2]"),
            ("$.a.length()", "3"),
            ("b", "4"),
        ] {
            check(path, document, expected);
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_is_empty_only_in_mode_lax() {
        assert_eq!(read("LAX $.a.b", r#"{"a": 1}"#), Ok(None));
        assert_eq!(read("lax $.x[*]", r#"{"a": 1}"#), Ok(Some("[]".to_owned())));
        assert!(matches!(read("$.a.b", r#"{"a": 1}"#), Err(PathError::Invalid(_))));
        assert!(matches!(read("strict $.x[*]", r#"{"a": 1}"#), Err(PathError::Invalid(_))));
        check("$.a[*]", r#"{"a": 1}"#, "[]");
    }

    #[test]
    fn a_malformed_path_is_an_error_in_both_modes() {
        for path in
            ["", "lax ", "lax $.", "lax $..", "lax $a", "lax $.a b", "lax $[a]", "lax $[:]", "lax $['a'"]
        {
            assert!(matches!(read(path, r#"{"a": 1}"#), Err(PathError::Invalid(_))), "{path}");
        }
    }

    #[test]
    fn filters_that_flink_cannot_evaluate_make_the_query_fail() {
        for path in ["$[?(@.a)]", "$[?(@.a in [1])]", "$[?(@.a size 1)]", "lax $[?(@.a == [1])]"] {
            assert!(matches!(read(path, "[]"), Err(PathError::Unsupported(_))), "{path}");
        }
    }
}
