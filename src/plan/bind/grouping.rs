//! GROUP BY: what it lists, and GROUPING SETS, ROLLUP and CUBE.

use sqlparser::ast::{Expr as Ast, GroupByExpr, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::Binder;
use super::expr::ExprBinder;
use super::scope::Scope;
use crate::expr::{Comparison, Expr};
use crate::value::{DataType, Value};

/// What a GROUP BY lists.
#[derive(Debug, Default)]
pub(super) struct GroupBy {
    /// Whether there is a GROUP BY; it may list nothing.
    pub(super) is_there: bool,
    pub(super) keys: Vec<Expr>,
    /// The sets of keys by which the rows are grouped, if there are several.
    pub(super) sets: Option<GroupingSets>,
}

/// Several groupings of the same rows.
#[derive(Debug, Clone)]
pub(super) struct GroupingSets {
    /// For each set which keys are left out, as a number: the first key is the highest bit.
    pub(super) missing: Vec<u64>,
    /// The number of keys.
    width: usize,
}

/// The most keys of GROUPING SETS.
const MAX_KEYS: usize = 62;
/// The most keys of GROUPING SETS of which some are equal.
const MAX_KEYS_OF_COPIES: usize = 50;
/// The most sets, which CUBE makes quickly.
const MAX_SETS: usize = 4096;

/// What there is instead of sets that are too many.
const LISTED: &str = "List only the sets that are needed: GROUPING SETS ((a, b), (a)).";

impl Binder<'_> {
    pub(super) fn group_by(&self, group_by: &GroupByExpr, scope: &Scope) -> Result<GroupBy, PlanError> {
        let GroupByExpr::Expressions(asts, modifiers) = group_by else {
            return Err(PlanErrorKind::refused("GROUP BY ALL", "List the columns.").into());
        };
        if let (false, Some(last)) = (modifiers.is_empty(), asts.last()) {
            let instead = "Write a comma before them: GROUP BY a, GROUPING SETS ((b), ()).";
            return Err(PlanErrorKind::refused("GROUPING SETS behind columns", instead).at(last.span()));
        }
        let mut keys = Vec::new();
        // The sets so far, each as the positions of its keys.
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        let mut is_plain = true;
        for ast in asts {
            let alternatives = match ast {
                Ast::GroupingSets(sets) => {
                    self.sets_of_keys(sets.iter().map(Vec::as_slice), scope, &mut keys)?
                }
                Ast::Rollup(parts) => {
                    let parts = self.sets_of_keys(parts.iter().map(Vec::as_slice), scope, &mut keys)?;
                    (0..=parts.len()).rev().map(|length| parts[..length].concat()).collect()
                }
                Ast::Cube(parts) => {
                    let parts = self.sets_of_keys(parts.iter().map(Vec::as_slice), scope, &mut keys)?;
                    if parts.len() > 12 {
                        return Err(
                            PlanErrorKind::refused("CUBE of more than 12 parts", LISTED).at(ast.span())
                        );
                    }
                    let chosen = |mask: usize| {
                        let parts = parts.iter().enumerate();
                        parts
                            .filter(|(i, _)| mask & (1 << i) != 0)
                            .flat_map(|(_, part)| part.clone())
                            .collect()
                    };
                    (0..1 << parts.len()).map(chosen).collect()
                }
                Ast::Tuple(parts) if parts.is_empty() => continue,
                ast => {
                    let key = self.key(ast, scope, &mut keys)?;
                    for set in &mut sets {
                        set.push(key);
                    }
                    continue;
                }
            };
            is_plain = false;
            sets = sets
                .iter()
                .flat_map(|set| alternatives.iter().map(|more| [&set[..], more].concat()))
                .collect();
            if sets.len() > MAX_SETS {
                return Err(PlanErrorKind::refused("GROUP BY with this many sets", LISTED).at(ast.span()));
            }
        }
        if is_plain {
            return Ok(GroupBy { is_there: !asts.is_empty(), keys, sets: None });
        }
        if keys.len() > MAX_KEYS {
            return Err(PlanErrorKind::refused("GROUPING SETS of this many columns", LISTED).into());
        }
        let width = keys.len();
        let missing = |set: &Vec<usize>| {
            (0..width).filter(|key| !set.contains(key)).fold(0, |bits, key| bits | 1 << (width - 1 - key))
        };
        let mut missing: Vec<u64> = sets.iter().map(missing).collect();
        // Fuller sets come first.
        missing.sort_unstable();
        // A set that is there again gives its rows again, as rows of a copy.
        let mut copies: u64 = 0;
        for place in 1..missing.len() {
            let is_again = missing[place] == missing[place - 1] & bits(width);
            copies = if is_again { copies + 1 } else { 0 };
            if copies > 0 && width > MAX_KEYS_OF_COPIES {
                return Err(PlanErrorKind::refused(
                    "equal GROUPING SETS of this many columns",
                    "Leave one of the equal sets out, or group by fewer columns.",
                )
                .into());
            }
            missing[place] |= copies << width;
        }
        Ok(GroupBy { is_there: true, keys, sets: Some(GroupingSets { missing, width }) })
    }

    fn sets_of_keys<'a>(
        &self,
        sets: impl Iterator<Item = &'a [Ast]>,
        scope: &Scope,
        keys: &mut Vec<Expr>,
    ) -> Result<Vec<Vec<usize>>, PlanError> {
        sets.map(|set| set.iter().map(|ast| self.key(ast, scope, keys)).collect()).collect()
    }

    /// The position of a key, which is added if it is new.
    fn key(&self, ast: &Ast, scope: &Scope, keys: &mut Vec<Expr>) -> Result<usize, PlanError> {
        if let Ast::GroupingSets(_) | Ast::Rollup(_) | Ast::Cube(_) = ast {
            return Err(PlanErrorKind::refused("GROUPING SETS inside of each other", LISTED).at(ast.span()));
        }
        let key = ExprBinder { binder: self, scope, collect: Err("GROUP BY") }.bind(ast)?;
        Ok(keys.iter().position(|known| *known == key).unwrap_or_else(|| {
            keys.push(key);
            keys.len() - 1
        }))
    }
}

/// The bits of so many keys.
fn bits(width: usize) -> u64 {
    (1 << width) - 1
}

impl GroupingSets {
    /// Whether a set leaves a key out.
    pub(super) fn leaves_out(&self, missing: u64, key: usize) -> bool {
        missing & (1 << (self.width - 1 - key)) != 0
    }

    /// Whether some set leaves a key out, so that it may be NULL.
    pub(super) fn may_leave_out(&self, key: usize) -> bool {
        self.missing.iter().any(|&missing| self.leaves_out(missing, key))
    }

    /// `GROUPING_ID(keys)`: which of the keys a row leaves out, as bits. The marker is the column
    /// that says from which set the row is.
    pub(super) fn id_of(&self, keys: &[usize], marker: &Expr) -> Result<Expr, PlanErrorKind> {
        let number = |value: u64| {
            let value = i64::try_from(value).unwrap_or(i64::MAX);
            Expr::literal(Value::integer(value), DataType::bigint().not_null())
        };
        let id = |missing: u64| {
            keys.iter().fold(0, |bits, &key| bits << 1 | u64::from(self.leaves_out(missing, key)))
        };
        let mut branches = Vec::with_capacity(self.missing.len());
        for &missing in &self.missing {
            let is_it = Expr::compare(Comparison::Equal, marker.clone(), number(missing))?;
            branches.push((is_it, number(id(missing))));
        }
        let (_, otherwise) = branches.pop().unwrap_or_else(|| (marker.clone(), number(0)));
        if branches.is_empty() {
            return Ok(otherwise);
        }
        Expr::case(branches, Some(otherwise)).map_err(PlanErrorKind::from)
    }
}
