//! How a path goes through a document.

use std::borrow::Cow;

use super::super::document::{Json, Members};
use super::{Path, PathError, Step, function};

/// One walk of a path through a document.
pub(super) struct Walk<'a> {
    path: &'a Path,
    root: &'a Json,
    strict: bool,
    /// How many steps in front are definite.
    definite: usize,
    /// For each step the number of the array's element to which `..` applied it last. Where it has
    /// one, a last step to a member only counts behind the index of that very number: a rule of the
    /// library, which so drops most of what `$..[*].a` should find.
    elements: Vec<Option<usize>>,
    /// The values at the end of the path.
    pub(super) found: Vec<Cow<'a, Json>>,
}

/// Why a walk ended early.
pub(super) enum Failure {
    /// There is no such value where the path can lead to one only.
    Missing,
    /// The path cannot be applied.
    Error(PathError),
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Self {
        Self::Error(error)
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(path: &'a Path, root: &'a Json, strict: bool) -> Self {
        let steps = &path.steps;
        let is_definite = |(i, step): (usize, &Step)| step.is_definite(i + 1 == steps.len());
        let definite = steps.iter().enumerate().take_while(|&step| is_definite(step)).count();
        Self { path, root, strict, definite, elements: vec![None; steps.len() + 1], found: Vec::new() }
    }

    /// Takes the steps from this one on.
    pub(super) fn visit(&mut self, at: usize, node: &'a Json) -> Result<(), Failure> {
        let path = self.path;
        let Some(step) = path.steps.get(at) else {
            self.found.push(Cow::Borrowed(node));
            return Ok(());
        };
        match (step, node) {
            (Step::Property(name), Json::Object(members)) => match members.get(name) {
                Some(member) => self.visit_member(at, member),
                None if self.is_last(at) => Ok(()),
                None => self.missing(at),
            },
            (Step::Properties(names), Json::Object(members)) => self.visit_members(at, names, members),
            (Step::Index(index), Json::Array(items)) => self.visit_element(at, *index, items),
            (Step::Indexes(indexes), Json::Array(items)) => {
                indexes.iter().try_for_each(|&index| self.visit_element(at, index, items))
            }
            (Step::Slice(from, to), Json::Array(items)) => {
                slice(*from, *to, items.len()).try_for_each(|index| self.visit_element(at, index, items))
            }
            (Step::Wildcard, Json::Object(members)) => {
                members.values().try_for_each(|member| self.visit_member(at, member))
            }
            (Step::Wildcard | Step::Filter(_), Json::Array(items)) => {
                for item in items {
                    if self.accepts(step, item)? {
                        self.visit(at + 1, item)?;
                    }
                }
                Ok(())
            }
            (Step::Filter(_), Json::Object(_)) => {
                if self.accepts(step, node)? {
                    self.visit(at + 1, node)?;
                }
                Ok(())
            }
            (Step::Filter(_), _) if at <= self.definite => {
                Err(PathError::Invalid("a filter applies to arrays and objects only".to_owned()).into())
            }
            (Step::Wildcard | Step::Filter(_), _) => Ok(()),
            (Step::Scan, _) => self.scan(at + 1, node),
            (Step::Function(name, parameters), _) => {
                let value = function::compute(name, parameters, node, self.root, self.strict)?;
                if self.is_last(at) {
                    self.found.push(Cow::Owned(value));
                }
                Ok(())
            }
            (
                Step::Property(_) | Step::Properties(_) | Step::Index(_) | Step::Indexes(_) | Step::Slice(..),
                _,
            ) => self.missing(at),
        }
    }

    fn is_last(&self, at: usize) -> bool {
        at + 1 == self.path.steps.len()
    }

    fn missing(&self, at: usize) -> Result<(), Failure> {
        if at <= self.definite { Err(Failure::Missing) } else { Ok(()) }
    }

    fn visit_member(&mut self, at: usize, member: &'a Json) -> Result<(), Failure> {
        let counts = match self.elements[at] {
            Some(element) if self.is_last(at) => {
                let element = i32::try_from(element).ok();
                matches!(self.path.steps[at - 1], Step::Index(index) if Some(index) == element)
            }
            _ => true,
        };
        if counts { self.visit(at + 1, member) } else { Ok(()) }
    }

    fn visit_members(&mut self, at: usize, names: &'a [String], members: &'a Members) -> Result<(), Failure> {
        let present = names.iter().filter_map(|name| members.get_key_value(name));
        if !self.is_last(at) {
            return present.map(|(_, member)| member).try_for_each(|member| self.visit(at + 1, member));
        }
        let merged = present.map(|(name, member)| (name.clone(), member.clone())).collect();
        self.found.push(Cow::Owned(Json::Object(merged)));
        Ok(())
    }

    fn visit_element(&mut self, at: usize, index: i32, items: &'a [Json]) -> Result<(), Failure> {
        let position = match usize::try_from(index) {
            Ok(position) => Some(position),
            Err(_) => items.len().checked_sub(index.unsigned_abs() as usize),
        };
        match position.and_then(|position| items.get(position)) {
            Some(item) => self.visit(at + 1, item),
            None => Ok(()),
        }
    }

    fn accepts(&self, step: &'a Step, node: &'a Json) -> Result<bool, PathError> {
        match step {
            Step::Filter(filter) => filter.accepts(self.root, node, self.strict),
            _ => Ok(true),
        }
    }

    /// Applies a step to a node and to all below it, each node before its children.
    fn scan(&mut self, at: usize, node: &'a Json) -> Result<(), Failure> {
        match node {
            Json::Object(members) => {
                if self.applies(at, node)? {
                    self.visit(at, node)?;
                }
                members.values().try_for_each(|member| self.scan(at, member))
            }
            Json::Array(items) => {
                if self.applies(at, node)? {
                    if self.is_last(at) {
                        self.visit(at, node)?;
                    } else {
                        // The step itself is skipped: another rule of the library.
                        for (i, item) in items.iter().enumerate() {
                            self.elements[at + 1] = Some(i);
                            self.visit(at + 1, item)?;
                        }
                    }
                }
                items.iter().try_for_each(|item| self.scan(at, item))
            }
            _ => Ok(()),
        }
    }

    /// Whether `..` applies the step to this array or object.
    fn applies(&self, at: usize, node: &'a Json) -> Result<bool, PathError> {
        let Some(step) = self.path.steps.get(at) else { return Ok(false) };
        Ok(match (step, node) {
            (Step::Property(name), Json::Object(members)) => members.contains_key(name),
            (Step::Properties(names), Json::Object(members)) => {
                !self.is_last(at) || names.iter().all(|name| members.contains_key(name))
            }
            (Step::Index(_) | Step::Indexes(_) | Step::Slice(..), Json::Array(_)) | (Step::Wildcard, _) => {
                true
            }
            (Step::Filter(_), _) => self.accepts(step, node)?,
            _ => false,
        })
    }
}

/// The indexes of a slice. Only a slice with one end takes a negative number as counted from the end
/// at once; with two ends each index does by itself.
fn slice(from: Option<i32>, to: Option<i32>, length: usize) -> std::ops::Range<i32> {
    let length = i32::try_from(length).unwrap_or(i32::MAX);
    let counted = |end: i32| if end < 0 { length.saturating_add(end) } else { end };
    match (from, to) {
        (Some(from), Some(to)) if length > 0 => from..to.min(length),
        (Some(from), None) => counted(from).max(0)..length,
        (None, Some(to)) => 0..counted(to).min(length),
        _ => 0..0,
    }
}
