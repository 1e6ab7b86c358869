//! How expressions are computed for one row.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::function::{Call, EvalError, Function, operator};
use super::{Comparison, Context, Expr, ExprKind};
use crate::value::cast::{CastError, cast};
use crate::value::{DataType, Decimal, TypeKind, Value};

impl From<CastError> for EvalError {
    fn from(CastError(reason): CastError) -> Self {
        Self(reason)
    }
}

impl Expr {
    /// The value for a row.
    ///
    /// # Errors
    /// A computation that has no result, such as a division by zero or a cast of text that is no
    /// number.
    pub fn eval(&self, row: &[Value], context: &Context) -> Result<Value, EvalError> {
        let value = self.compute(row, context)?.into_owned();
        if value.is_null()
            && let Some(default) = self.missing_element()
        {
            return Ok(default);
        }
        Ok(value)
    }

    /// Whether a condition is TRUE for a row, rather than FALSE or NULL.
    ///
    /// # Errors
    /// As [`Self::eval`].
    pub fn matches(&self, row: &[Value], context: &Context) -> Result<bool, EvalError> {
        Ok(self.truth(row, context)? == Some(true))
    }

    /// What a column shows for an absent element of a container whose elements are NOT NULL.
    ///
    /// The type of such an access allows NULL, but as a column of its own Flink shows the initial
    /// value of the element's type; inside of another expression it is NULL.
    fn missing_element(&self) -> Option<Value> {
        let ExprKind::Call { function, types, .. } = &self.kind else { return None };
        if **function != operator::ITEM {
            return None;
        }
        let (TypeKind::Array(element) | TypeKind::Map(_, element)) = &types.first()?.kind else {
            return None;
        };
        if element.nullable {
            return None;
        }
        match element.kind {
            TypeKind::Boolean => Some(Value::boolean(false)),
            TypeKind::Float => Some(Value::float(-1.0)),
            TypeKind::Double => Some(Value::double(-1.0)),
            TypeKind::Char(_) | TypeKind::VarChar(_) => Some(Value::string("")),
            TypeKind::Date => Some(Value::date(-1)),
            TypeKind::Time(_) => Some(Value::time(0)),
            ref kind if kind.is_integer() => Some(Value::integer(-1)),
            _ => None,
        }
    }

    /// The value for a row; columns and constants are lent.
    fn compute<'a>(&'a self, row: &'a [Value], context: &Context) -> Result<Cow<'a, Value>, EvalError> {
        match &self.kind {
            ExprKind::Column(index) => Ok(Cow::Borrowed(&row[*index])),
            ExprKind::Literal(value) => Ok(Cow::Borrowed(value)),
            ExprKind::Compare(..) | ExprKind::And(_) | ExprKind::Or(_) => {
                Ok(Cow::Owned(self.truth(row, context)?.map_or(Value::NULL, Value::boolean)))
            }
            ExprKind::Cast { input, lenient } => {
                let value = input.compute(row, context)?;
                if value.is_null() {
                    return Ok(value);
                }
                match cast(&value, &input.data_type, &self.data_type, &context.time_zone) {
                    Ok(value) => Ok(Cow::Owned(value)),
                    Err(_) if *lenient => Ok(Cow::Owned(Value::NULL)),
                    Err(error) => Err(error.into()),
                }
            }
            ExprKind::Case { branches, otherwise } => {
                for (condition, result) in branches {
                    if condition.matches(row, context)? {
                        return result.compute(row, context);
                    }
                }
                otherwise.compute(row, context)
            }
            ExprKind::Field { input, index } => Ok(match input.compute(row, context)? {
                Cow::Borrowed(value) => value
                    .as_list()
                    .and_then(|fields| fields.get(*index))
                    .map_or(Cow::Owned(Value::NULL), Cow::Borrowed),
                Cow::Owned(value) => {
                    let field = value.as_list().and_then(|fields| fields.get(*index));
                    Cow::Owned(field.cloned().unwrap_or_default())
                }
            }),
            ExprKind::Call { function, args, types } => {
                Ok(Cow::Owned(self.call_with(function, args, types, row, context)?))
            }
        }
    }

    /// Computes the arguments and calls the function; up to four arguments need no allocation.
    fn call_with(
        &self,
        function: &Function,
        args: &[Self],
        types: &[DataType],
        row: &[Value],
        context: &Context,
    ) -> Result<Value, EvalError> {
        const INLINE: usize = 4;
        let mut inline: [Value; INLINE] = Default::default();
        let mut spilled = Vec::new();
        let values = if let Some(values) = inline.get_mut(..args.len()) {
            values
        } else {
            spilled.resize(args.len(), Value::NULL);
            &mut spilled[..]
        };
        let mut any_null = false;
        for (value, arg) in values.iter_mut().zip(args) {
            *value = arg.compute(row, context)?.into_owned();
            any_null |= value.is_null();
        }
        if any_null && function.strict {
            return Ok(Value::NULL);
        }
        (function.eval)(&Call { args: values, types, result: &self.data_type, context })
    }

    /// The truth of a condition: `None` is NULL, that is, unknown.
    fn truth(&self, row: &[Value], context: &Context) -> Result<Option<bool>, EvalError> {
        match &self.kind {
            ExprKind::Compare(operator, left, right) => {
                let (left, right) = (left.compute(row, context)?, right.compute(row, context)?);
                Ok(operator.compare(&left, &right))
            }
            ExprKind::And(conditions) => junction(conditions, row, context, false),
            ExprKind::Or(conditions) => junction(conditions, row, context, true),
            _ => Ok(self.compute(row, context)?.as_boolean()),
        }
    }
}

/// The truth of an `AND`, which is decided by FALSE, or of an `OR`, which is decided by TRUE. What
/// follows the decision is not computed.
fn junction(
    conditions: &[Expr],
    row: &[Value],
    context: &Context,
    decisive: bool,
) -> Result<Option<bool>, EvalError> {
    let mut unknown = false;
    for condition in conditions {
        match condition.truth(row, context)? {
            Some(truth) if truth == decisive => return Ok(Some(decisive)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    Ok(if unknown { None } else { Some(!decisive) })
}

impl Comparison {
    /// Compares two values of comparable types; `None` if one of them is NULL.
    pub fn compare(self, left: &Value, right: &Value) -> Option<bool> {
        if let (Some(a), Some(b)) = (left.as_integer(), right.as_integer()) {
            return Some(self.holds(a.cmp(&b)));
        }
        if left.is_null() || right.is_null() {
            return None;
        }
        Some(compare_values(left, right).map_or(self == Self::NotEqual, |order| self.holds(order)))
    }

    /// Whether two values in this order satisfy the comparison.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }

    /// The comparison with its sides exchanged: `<` for `>`.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// The operator's sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// The order of two values that are not NULL, as SQL sees it: zero has no sign, NaN has no order,
/// exact numbers compare by their value, and maps have no order of their entries.
pub(super) fn compare_values(left: &Value, right: &Value) -> Option<Ordering> {
    if let (Some(a), Some(b)) = (left.as_double(), right.as_double()) {
        return a.partial_cmp(&b);
    }
    if let (Some(a), Some(b)) = (left.as_float(), right.as_float()) {
        return a.partial_cmp(&b);
    }
    if let (Some(a), Some(b)) = (left.as_entries(), right.as_entries()) {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        a.sort();
        b.sort();
        return Some(a.cmp(&b));
    }
    match (exact_number(left), exact_number(right)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => Some(left.cmp(right)),
    }
}

/// An integer or a decimal as a decimal.
pub(super) fn exact_number(value: &Value) -> Option<Decimal> {
    value.as_integer().map(Decimal::from).or_else(|| value.as_decimal())
}
