//! What the planner asks of expressions: which columns they use, the same expression over other
//! columns, and simpler ones that compute the same.

use std::collections::BTreeSet;

use super::function::{EvalError, Function, operator};
use super::{CallPlace, Context, Expr, ExprKind, NonDeterministicCall};
use crate::sql::Span;
use crate::value::cast::cast;
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
            ExprKind::Call { function, args, types, place } => {
                ExprKind::Call { function, args: all(args), types, place }
            }
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

    /// The first call, from the outside in, whose result is not always the same for the same
    /// arguments. With `only_chance`, calls whose arguments leave nothing to chance do not count,
    /// though Flink takes them for such.
    pub fn non_deterministic_call(&self, only_chance: bool) -> Option<NonDeterministicCall> {
        let counts = |function: &Function, arguments| {
            if only_chance { !function.is_repeatable(arguments) } else { !function.deterministic }
        };
        match &self.kind {
            ExprKind::Call { function, args, place, .. } if counts(function, args.len()) => {
                let place = place.0.as_deref().copied();
                Some(NonDeterministicCall { function, has_arguments: !args.is_empty(), place })
            }
            _ => self.children().into_iter().find_map(|child| child.non_deterministic_call(only_chance)),
        }
    }

    /// The same expression, with its place if it is a call that is not deterministic.
    #[must_use]
    pub fn written_at(mut self, span: Span) -> Self {
        if let ExprKind::Call { function, place, .. } = &mut self.kind
            && !function.deterministic
        {
            *place = CallPlace(Some(Box::new(span)));
        }
        self
    }

    /// The same expression, all of which is written at one place.
    #[must_use]
    pub fn wholly_written_at(self, span: Span) -> Self {
        self.map_children(|child| child.wholly_written_at(span)).written_at(span)
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
                // What is never NULL needs no other value, and stays the column that it is.
                if function.name == "COALESCE"
                    && let Some(first) = args.first()
                    && first.as_literal().is_none()
                    && !first.data_type.nullable
                    && first.data_type.kind == folded.data_type.kind
                {
                    return first.clone();
                }
                function.deterministic && args.iter().all(|arg| arg.as_literal().is_some())
            }
            // What is not chosen need not be constant.
            _ => folded.is_constant() && folded.is_deterministic(),
        };
        if !constant {
            return folded;
        }
        match folded.eval(&[], context).and_then(|value| folded.literal_value(value, context)) {
            Ok(value) => Self::literal(value, folded.data_type),
            Err(_) => folded,
        }
    }

    /// The value of this constant as a literal of Flink holds it: a number is a decimal, whose zero
    /// has no sign and which does not change between `FLOAT` and `DOUBLE`; a text is no longer than
    /// its type.
    fn literal_value(&self, value: Value, context: &Context) -> Result<Value, EvalError> {
        match self.data_type.kind {
            TypeKind::Double => {
                let float = match &self.kind {
                    ExprKind::Cast { input, .. } => input.as_literal().and_then(Value::as_float),
                    _ => None,
                };
                let decimal = float.and_then(|float| float.to_string().parse().ok()).map(Value::double);
                let value = decimal.unwrap_or(value);
                Ok(if value.as_double() == Some(0.0) { Value::double(0.0) } else { value })
            }
            TypeKind::Float if value.as_float() == Some(0.0) => Ok(Value::float(0.0)),
            TypeKind::Char(_) | TypeKind::VarChar(_) => {
                cast(&value, &DataType::string(), &self.data_type, &context.time_zone)
                    .map_err(|error| EvalError(error.0))
            }
            _ => Ok(value),
        }
    }

    /// A constant division by zero that fails when it is computed.
    fn dividing_by_exact_zero(self) -> Self {
        let zero = || Self::literal(Value::integer(0), DataType::bigint().not_null());
        match self.kind {
            ExprKind::Call { function, args, place, .. } => {
                let types = args.iter().map(|_| DataType::bigint().not_null()).collect();
                let args = args.iter().map(|_| zero()).collect();
                Self { kind: ExprKind::Call { function, args, types, place }, data_type: self.data_type }
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
            ExprKind::Cast { input, lenient } => match input.kind {
                // To a wider integer and back.
                ExprKind::Cast { input: inner, .. }
                    if inner.data_type.kind == data_type.kind
                        && integer_width(&inner.data_type.kind) < integer_width(&input.data_type.kind) =>
                {
                    return Self { kind: inner.kind, data_type };
                }
                kind => ExprKind::Cast { input: Box::new(Self { kind, ..*input }), lenient },
            },
            ExprKind::Call { function, mut args, types, place } => {
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
                ExprKind::Call { function, args, types, place }
            }
            kind => kind,
        };
        Self { kind, data_type }
    }
}

/// The bytes of an integer type.
fn integer_width(kind: &TypeKind) -> Option<u8> {
    match kind {
        TypeKind::TinyInt => Some(1),
        TypeKind::SmallInt => Some(2),
        TypeKind::Int => Some(4),
        TypeKind::BigInt => Some(8),
        _ => None,
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

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::expr::Comparison;

    fn column(index: usize) -> Expr {
        Expr::column(index, DataType::int())
    }

    fn int(value: i64) -> Expr {
        Expr::literal(Value::integer(value), DataType::int().not_null())
    }

    fn call(name: &str, args: Vec<Expr>) -> Expr {
        Expr::call(name, args).unwrap()
    }

    fn truth(value: bool) -> Expr {
        Expr::literal(Value::boolean(value), DataType::boolean().not_null())
    }

    fn greater(left: Expr, right: Expr) -> Expr {
        Expr::compare(Comparison::Greater, left, right).unwrap()
    }

    fn shown(expr: &Expr) -> String {
        expr.display(&["a", "b", "c"]).to_string()
    }

    fn folded(expr: Expr) -> String {
        shown(&expr.fold(&Context { time_zone: TimeZone::UTC, now: 0, watermark: None }))
    }

    #[test]
    fn columns_are_found_and_moved() {
        let expr = greater(call("+", vec![column(2), column(0)]), int(1));
        assert_eq!(expr.columns().into_iter().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(shown(&expr.clone().map_columns(&mut |index| index / 2)), "((b + a) > 1)");
        assert_eq!(shown(&expr.substitute(&[int(7), int(8), column(1)])), "((b + 7) > 1)");
    }

    #[test]
    fn constants_are_computed_once_unless_they_fail_or_vary() {
        assert_eq!(folded(call("+", vec![int(1), int(2)])), "3");
        assert_eq!(folded(call("+", vec![column(0), call("*", vec![int(2), int(3)])])), "(a + 6)");
        assert_eq!(folded(call("/", vec![int(1), int(0)])), "(1 / 0)");
        assert_eq!(folded(call("NOW", vec![])), "NOW()");
        let text = Expr::literal(Value::string("x"), DataType::string());
        assert_eq!(folded(text.cast(DataType::int(), false).unwrap()), "CAST('x' AS INT)");
    }

    #[test]
    fn a_constant_double_divided_by_zero_fails() {
        let double = |value: f64| Expr::literal(Value::double(value), DataType::double().not_null());
        let context = Context { time_zone: TimeZone::UTC, now: 0, watermark: None };
        let quotient = call("/", vec![double(1.0), int(0)]).fold(&context);
        assert_eq!(quotient.eval(&[], &context).unwrap_err().to_string(), "division by zero");
        let column = Expr::column(0, DataType::double());
        let quotient = call("/", vec![column, int(0)]).fold(&context);
        assert_eq!(quotient.eval(&[Value::double(1.0)], &context), Ok(Value::double(f64::INFINITY)));
    }

    #[test]
    fn decided_conditions_disappear() {
        let open = || greater(column(0), int(1));
        let and = |conditions| shown(&Expr::and(conditions).unwrap().simplify());
        let or = |conditions| shown(&Expr::or(conditions).unwrap().simplify());
        assert_eq!(and(vec![truth(true), open()]), "(a > 1)");
        assert_eq!(and(vec![open(), truth(false)]), "FALSE");
        assert_eq!(and(vec![truth(true), truth(true)]), "TRUE");
        assert_eq!(or(vec![open(), truth(true)]), "TRUE");
        let nested = Expr::and(vec![open(), open()]).unwrap();
        assert_eq!(and(vec![nested, open()]), "((a > 1) AND (a > 1) AND (a > 1))");
        let not = |condition| Expr::not(condition).unwrap();
        assert_eq!(shown(&not(not(open())).simplify()), "(a > 1)");
        let case = Expr::case(vec![(truth(false), int(1)), (open(), int(2)), (truth(true), int(3))], None);
        assert_eq!(shown(&case.unwrap().simplify()), "CASE WHEN (a > 1) THEN 2 ELSE 3 END");
        assert_eq!(shown(&call("IS NULL", vec![int(1)]).simplify()), "FALSE");
    }

    #[test]
    fn expressions_read_as_sql() {
        let text = |text: &str| Expr::literal(Value::string(text), DataType::string());
        let like = call("LIKE", vec![text("it's"), text("a%"), text("!")]);
        assert_eq!(shown(&like), "('it''s' LIKE 'a%' ESCAPE '!')");
        let row = Expr::column(1, DataType::row([("x", DataType::int())]));
        assert_eq!(shown(&row.field_named("x").unwrap()), "b.x");
        let map = call("MAP", vec![text("k"), int(1)]);
        assert_eq!(shown(&Expr::item(map, text("k")).unwrap()), "MAP['k', 1]['k']");
        let date = Expr::literal(Value::date(0), DataType::new(TypeKind::Date));
        assert_eq!(shown(&call("COALESCE", vec![date, Expr::null()])), "COALESCE(DATE '1970-01-01', NULL)");
        assert_eq!(shown(&call("-", vec![column(7)])), "-$7");
    }
}
