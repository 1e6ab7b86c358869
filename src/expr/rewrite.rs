//! What the planner asks of expressions: which columns they use, the same expression over other
//! columns, and simpler ones that compute the same.

use std::collections::BTreeSet;

use super::function::operator;
use super::{Context, Expr, ExprKind};
use crate::value::{DataType, TypeKind, Value};

impl Expr {
    /// The expressions that this one is made of, from left to right.
    pub fn children(&self) -> Vec<&Self> {
        match &self.kind {
            ExprKind::Column(_) | ExprKind::Literal(_) => Vec::new(),
            ExprKind::Cast { input, .. } | ExprKind::Field { input, .. } => vec![input],
            ExprKind::Compare(_, left, right) => vec![left, right],
            ExprKind::And(args) | ExprKind::Or(args) | ExprKind::Call { args, .. } => args.iter().collect(),
            ExprKind::Case { branches, otherwise } => {
                let branches = branches.iter().flat_map(|(condition, result)| [condition, result]);
                branches.chain([&**otherwise]).collect()
            }
        }
    }

    /// The same expression with each of its parts, but not itself, replaced.
    #[must_use]
    pub fn map_children(self, mut f: impl FnMut(Self) -> Self) -> Self {
        let mut all = |args: Vec<Self>| args.into_iter().map(&mut f).collect::<Vec<_>>();
        let kind = match self.kind {
            leaf @ (ExprKind::Column(_) | ExprKind::Literal(_)) => leaf,
            ExprKind::And(args) => ExprKind::And(all(args)),
            ExprKind::Or(args) => ExprKind::Or(all(args)),
            ExprKind::Call { function, args, types } => ExprKind::Call { function, args: all(args), types },
            ExprKind::Cast { input, lenient } => ExprKind::Cast { input: Box::new(f(*input)), lenient },
            ExprKind::Field { input, index } => ExprKind::Field { input: Box::new(f(*input)), index },
            ExprKind::Compare(operator, left, right) => {
                ExprKind::Compare(operator, Box::new(f(*left)), Box::new(f(*right)))
            }
            ExprKind::Case { branches, otherwise } => ExprKind::Case {
                branches: branches.into_iter().map(|(condition, result)| (f(condition), f(result))).collect(),
                otherwise: Box::new(f(*otherwise)),
            },
        };
        Self { kind, data_type: self.data_type }
    }

    /// Whether this expression or a part of it satisfies a test.
    pub fn any(&self, test: &mut impl FnMut(&Self) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }

    /// The columns that the expression uses.
    pub fn columns(&self) -> BTreeSet<usize> {
        let mut columns = BTreeSet::new();
        self.any(&mut |part| {
            if let ExprKind::Column(index) = part.kind {
                columns.insert(index);
            }
            false
        });
        columns
    }

    /// The same expression over other columns: `f` gives the new position of each column.
    #[must_use]
    pub fn map_columns(self, f: &mut impl FnMut(usize) -> usize) -> Self {
        match self.kind {
            ExprKind::Column(index) => Self { kind: ExprKind::Column(f(index)), data_type: self.data_type },
            _ => self.map_children(|child| child.map_columns(f)),
        }
    }

    /// The same expression with each column replaced by the expression at its position.
    #[must_use]
    pub fn substitute(self, columns: &[Self]) -> Self {
        match self.kind {
            ExprKind::Column(index) => columns[index].clone(),
            _ => self.map_children(|child| child.substitute(columns)),
        }
    }

    /// Whether no column is used.
    pub fn is_constant(&self) -> bool {
        !self.any(&mut |part| matches!(part.kind, ExprKind::Column(_)))
    }

    /// Whether the same row always gives the same value.
    pub fn is_deterministic(&self) -> bool {
        !self.any(&mut |part| matches!(part.kind, ExprKind::Call { function, .. } if !function.deterministic))
    }

    /// The value, if the expression is a constant that is written out.
    pub fn as_literal(&self) -> Option<&Value> {
        if let ExprKind::Literal(value) = &self.kind { Some(value) } else { None }
    }

    /// The same expression with its constant parts computed. A part that fails stays as it is, to
    /// fail for a row; so does one whose value is not always the same.
    #[must_use]
    pub fn fold(self, context: &Context) -> Self {
        let folded = self.map_children(|child| child.fold(context));
        let constant = match &folded.kind {
            ExprKind::Column(_) | ExprKind::Literal(_) => return folded,
            ExprKind::Call { function, args, .. } => {
                // Flink divides constants exactly, so that even a DOUBLE cannot be divided by zero.
                if let [dividend, divisor] = &args[..]
                    && dividend.as_literal().is_some()
                    && let Some(value) = divisor.as_literal()
                    && operator::is_constant_zero_division(function, value)
                {
                    return folded.dividing_by_exact_zero();
                }
                function.deterministic && args.iter().all(|arg| arg.as_literal().is_some())
            }
            // What is not chosen need not be constant.
            _ => folded.is_constant() && folded.is_deterministic(),
        };
        if !constant {
            return folded;
        }
        match folded.eval(&[], context) {
            Ok(value) => Self::literal(value, folded.data_type),
            Err(_) => folded,
        }
    }

    /// A constant division by zero that fails when it is computed.
    fn dividing_by_exact_zero(self) -> Self {
        let zero = || Self::literal(Value::integer(0), DataType::bigint().not_null());
        match self.kind {
            ExprKind::Call { function, args, .. } => {
                let types = args.iter().map(|_| DataType::bigint().not_null()).collect();
                let args = args.iter().map(|_| zero()).collect();
                Self { kind: ExprKind::Call { function, args, types }, data_type: self.data_type }
            }
            kind => Self { kind, data_type: self.data_type },
        }
    }

    /// The same expression without conditions that are decided, double negations and casts that
    /// change nothing.
    #[must_use]
    pub fn simplify(self) -> Self {
        let simple = self.map_children(Self::simplify);
        let data_type = simple.data_type.clone();
        let kind = match simple.kind {
            ExprKind::And(conditions) => return junction(conditions, true, ExprKind::And, data_type),
            ExprKind::Or(conditions) => return junction(conditions, false, ExprKind::Or, data_type),
            ExprKind::Case { branches, otherwise } => return case(branches, *otherwise, data_type),
            ExprKind::Cast { input, lenient } if input.data_type.kind == data_type.kind && !lenient => {
                return Self { kind: input.kind, data_type };
            }
            ExprKind::Call { function, mut args, types } => {
                if *function == operator::NOT
                    && let ExprKind::Call { function: inner, args: inner_args, .. } = &mut args[0].kind
                    && **inner == operator::NOT
                {
                    return inner_args.remove(0);
                }
                // What cannot be NULL need not be asked.
                if *function == operator::IS_NOT_NULL && !args[0].data_type.nullable {
                    return Self::literal(Value::boolean(true), data_type);
                }
                if *function == operator::IS_NULL && !args[0].data_type.nullable {
                    return Self::literal(Value::boolean(false), data_type);
                }
                ExprKind::Call { function, args, types }
            }
            kind => kind,
        };
        Self { kind, data_type }
    }
}

/// An `AND` (whose neutral condition is TRUE) or an `OR` (FALSE), flat, without neutral conditions
/// and without what follows the decisive one.
fn junction(
    conditions: Vec<Expr>,
    neutral: bool,
    kind: fn(Vec<Expr>) -> ExprKind,
    data_type: DataType,
) -> Expr {
    let mut kept = Vec::new();
    for condition in conditions {
        let nested = match condition.kind {
            ExprKind::And(nested) if neutral => nested,
            ExprKind::Or(nested) if !neutral => nested,
            kind => vec![Expr { kind, data_type: condition.data_type }],
        };
        for condition in nested {
            match condition.as_literal().and_then(Value::as_boolean) {
                Some(truth) if truth == neutral => {}
                Some(decisive) => return Expr::literal(Value::boolean(decisive), data_type.not_null()),
                None => kept.push(condition),
            }
        }
    }
    match <[Expr; 1]>::try_from(kept) {
        Ok([only]) => only,
        Err(none) if none.is_empty() => Expr::literal(Value::boolean(neutral), data_type.not_null()),
        Err(conditions) => Expr { kind: kind(conditions), data_type },
    }
}

/// A `CASE` without the branches that are never taken.
fn case(branches: Vec<(Expr, Expr)>, otherwise: Expr, data_type: DataType) -> Expr {
    let mut kept = Vec::new();
    let mut last = otherwise;
    for (condition, result) in branches {
        match condition.as_literal() {
            Some(truth) if truth.as_boolean() == Some(true) => {
                last = result;
                break;
            }
            Some(_) => {}
            None => kept.push((condition, result)),
        }
    }
    if kept.is_empty() {
        return Expr { kind: last.kind, data_type };
    }
    Expr { kind: ExprKind::Case { branches: kept, otherwise: Box::new(last) }, data_type }
}

impl Expr {
    /// Whether the expression is the constant TRUE.
    pub fn is_true(&self) -> bool {
        self.as_literal().and_then(Value::as_boolean) == Some(true)
    }

    /// Whether the expression is the constant FALSE, or a NULL condition, which keeps no row.
    pub fn is_never_true(&self) -> bool {
        let boolean = matches!(self.data_type.kind, TypeKind::Boolean | TypeKind::Null);
        boolean && self.as_literal().is_some_and(|value| value.as_boolean() != Some(true))
    }
}
