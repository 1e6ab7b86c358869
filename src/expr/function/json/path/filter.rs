//! Filters of paths: `[?(@.price < 10 && @.title == 'x')]`.

use std::cmp::Ordering;

use super::super::super::regexp::FullMatch;
use super::super::document::{Json, Number, java_order};
use super::{Path, PathError};
use crate::value::display::write_double;

/// A condition on a value of the document.
#[derive(Debug, Clone)]
pub(super) enum Filter {
    Any(Vec<Filter>),
    All(Vec<Filter>),
    Not(Box<Filter>),
    Compare(Operand, Operator, Operand),
}

/// One side of a comparison.
#[derive(Debug, Clone)]
pub(super) enum Operand {
    /// A path from the value that is tested, `@…`.
    Here(Path),
    /// A path from the root of the document, `$…`.
    Root(Path),
    /// A constant.
    Constant(Json),
    /// `/pattern/flags`
    Pattern(FullMatch),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    /// `===`: without conversion between numbers and strings.
    Same,
    NotSame,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `=~`
    Matches,
}

/// The value of an operand.
enum Scalar {
    /// The path leads nowhere.
    Undefined,
    Null,
    Boolean(bool),
    Number(Number),
    String(String),
}

impl Filter {
    pub(super) fn accepts(&self, root: &Json, node: &Json, strict: bool) -> Result<bool, PathError> {
        match self {
            Self::Any(filters) => {
                for filter in filters {
                    if filter.accepts(root, node, strict)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::All(filters) => {
                for filter in filters {
                    if !filter.accepts(root, node, strict)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Not(filter) => Ok(!filter.accepts(root, node, strict)?),
            Self::Compare(Operand::Pattern(pattern), Operator::Matches, value)
            | Self::Compare(value, Operator::Matches, Operand::Pattern(pattern)) => {
                let value = value.compute(root, node, strict)?;
                Ok(value.is_some_and(|value| pattern.matches(&value.into_input())))
            }
            Self::Compare(left, operator, right) => {
                let (left, right) = (left.compute(root, node, strict)?, right.compute(root, node, strict)?);
                Ok(match (left, right) {
                    (Some(left), Some(right)) => operator.holds(&left, &right),
                    _ => matches!(operator, Operator::NotEqual | Operator::NotSame),
                })
            }
        }
    }
}

impl Operand {
    /// `None` for a pattern.
    fn compute(&self, root: &Json, node: &Json, strict: bool) -> Result<Option<Scalar>, PathError> {
        let found = match self {
            Self::Pattern(_) => return Ok(None),
            Self::Constant(value) => return scalar(value).map(Some),
            Self::Here(path) => path.read(root, node, strict),
            Self::Root(path) => path.read(root, root, strict),
        };
        match found {
            Ok(Some(value)) => scalar(&value).map(Some),
            Ok(None) | Err(PathError::Invalid(_)) => Ok(Some(Scalar::Undefined)),
            Err(error @ PathError::Unsupported(_)) => Err(error),
        }
    }
}

fn scalar(value: &Json) -> Result<Scalar, PathError> {
    Ok(match value {
        Json::Null => Scalar::Null,
        Json::Boolean(value) => Scalar::Boolean(*value),
        Json::Number(number) => Scalar::Number(number.clone()),
        Json::Double(value) => {
            let mut text = String::new();
            // Writing into a string cannot fail.
            let _ = write_double(&mut text, *value);
            Number::parse(&text).map_or(Scalar::Undefined, Scalar::Number)
        }
        Json::String(text) => Scalar::String(text.clone()),
        Json::Array(_) | Json::Object(_) => {
            let phrase = "Flink cannot compare arrays and objects in the filter of a path";
            return Err(PathError::Unsupported(phrase.to_owned()));
        }
    })
}

impl Scalar {
    /// What a pattern is matched against.
    fn into_input(self) -> String {
        match self {
            Self::Undefined | Self::Null => String::new(),
            Self::Boolean(value) => value.to_string(),
            Self::Number(number) => number.to_text(),
            Self::String(text) => text,
        }
    }

    /// The right side becomes what the left side is.
    fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a.compare(b).is_eq(),
            (Self::Number(a), Self::String(b)) => Number::parse(b).is_some_and(|b| a.compare(&b).is_eq()),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::String(a), Self::Number(b)) => *a == b.to_text(),
            _ => false,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.equals(other)
    }

    fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(a.compare(b)),
            (Self::String(a), Self::String(b)) => Some(java_order(a, b)),
            _ => None,
        }
    }
}

impl Operator {
    fn holds(self, left: &Scalar, right: &Scalar) -> bool {
        let order = || left.order(right);
        match self {
            Self::Equal => left.equals(right),
            Self::NotEqual => !left.equals(right),
            Self::Same => left.is_same(right),
            Self::NotSame => !left.is_same(right),
            Self::Less => order().is_some_and(Ordering::is_lt),
            Self::LessOrEqual => order().is_some_and(Ordering::is_le),
            Self::Greater => order().is_some_and(Ordering::is_gt),
            Self::GreaterOrEqual => order().is_some_and(Ordering::is_ge),
            Self::Matches => false,
        }
    }
}
