//! How expressions are computed for one row.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::function::{Call, EvalError, Function, operator};
use super::{Comparison, Context, Expr, ExprKind};
use crate::value::cast::{CastError, cast, wrap_integer};
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
        match &self.kind {
            ExprKind::Column(index) => Ok(row[*index].clone()),
            ExprKind::Literal(value) => Ok(value.clone()),
            ExprKind::Call { function, args, types, .. } => {
                let value = self.apply_function(function, args, types, row, context)?;
                // The default differs from NULL for an absent element only.
                let default = if value.is_null() { self.missing_element() } else { None };
                Ok(default.unwrap_or(value))
            }
            _ => Ok(self.compute(row, context)?.into_owned()),
        }
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

    /// The value of a column or a constant, which needs no computation.
    #[inline]
    fn lent<'a>(&'a self, row: &'a [Value]) -> Option<&'a Value> {
        match &self.kind {
            ExprKind::Column(index) => Some(&row[*index]),
            ExprKind::Literal(value) => Some(value),
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
            ExprKind::Call { function, args, types, .. } => {
                Ok(Cow::Owned(self.apply_function(function, args, types, row, context)?))
            }
        }
    }

    /// Computes the arguments and calls the function; up to four arguments need no allocation.
    fn apply_function(
        &self,
        function: &Function,
        args: &[Self],
        types: &[DataType],
        row: &[Value],
        context: &Context,
    ) -> Result<Value, EvalError> {
        match self.integer(row) {
            Integer::Known(value) => return Ok(Value::integer(value)),
            Integer::Null => return Ok(Value::NULL),
            Integer::Elsewhere => {}
        }
        let call = |args: &[Value]| {
            if function.strict && args.iter().any(Value::is_null) {
                return Ok(Value::NULL);
            }
            (function.eval)(&Call { args, types, result: &self.data_type, context })
        };
        let value = |arg: &Self| match arg.lent(row) {
            Some(value) => Ok(value.clone()),
            None => arg.compute(row, context).map(Cow::into_owned),
        };
        match args {
            [a] => call(&[value(a)?]),
            [a, b] => call(&[value(a)?, value(b)?]),
            [a, b, c] => call(&[value(a)?, value(b)?, value(c)?]),
            [a, b, c, d] => call(&[value(a)?, value(b)?, value(c)?, value(d)?]),
            args => call(&args.iter().map(value).collect::<Result<Vec<_>, _>>()?),
        }
    }

    /// The value of a column, a constant or a sum or product of integers, without a detour
    /// through memory: the most frequent computation is worth a short way.
    fn integer(&self, row: &[Value]) -> Integer {
        if let Some(value) = self.lent(row) {
            return match value.as_integer() {
                Some(value) => Integer::Known(value),
                None if value.is_null() => Integer::Null,
                None => Integer::Elsewhere,
            };
        }
        let ExprKind::Call { function, args, .. } = &self.kind else { return Integer::Elsewhere };
        let (Some(operation), [left, right]) = (operator::integer_operation(function), &args[..]) else {
            return Integer::Elsewhere;
        };
        if !self.data_type.kind.is_integer() {
            return Integer::Elsewhere;
        }
        match (left.integer(row), right.integer(row)) {
            (Integer::Elsewhere, _) | (_, Integer::Elsewhere) => Integer::Elsewhere,
            (Integer::Known(a), Integer::Known(b)) => {
                Integer::Known(wrap_integer(operation(a, b), &self.data_type.kind))
            }
            _ => Integer::Null,
        }
    }

    /// The truth of a condition: `None` is NULL, that is, unknown.
    fn truth(&self, row: &[Value], context: &Context) -> Result<Option<bool>, EvalError> {
        match &self.kind {
            ExprKind::Compare(operator, left, right) => {
                if let (Some(left), Some(right)) = (left.lent(row), right.lent(row)) {
                    return Ok(operator.compare(left, right));
                }
                if let (Integer::Known(a), Integer::Known(b)) = (left.integer(row), right.integer(row)) {
                    return Ok(Some(operator.holds(a.cmp(&b))));
                }
                let (left, right) = (left.compute(row, context)?, right.compute(row, context)?);
                Ok(operator.compare(&left, &right))
            }
            ExprKind::And(conditions) => junction(conditions, row, context, false),
            ExprKind::Or(conditions) => junction(conditions, row, context, true),
            ExprKind::Call { function, args, .. } => match &args[..] {
                [condition] if **function == operator::NOT => {
                    Ok(condition.truth(row, context)?.map(|truth| !truth))
                }
                [value] if **function == operator::IS_NULL => {
                    Ok(Some(value.compute(row, context)?.is_null()))
                }
                [value] if **function == operator::IS_NOT_NULL => {
                    Ok(Some(!value.compute(row, context)?.is_null()))
                }
                _ => Ok(self.compute(row, context)?.as_boolean()),
            },
            _ => Ok(self.compute(row, context)?.as_boolean()),
        }
    }
}

/// An integer in a register.
enum Integer {
    Known(i64),
    Null,
    /// Not an integer, or one that only the general way can compute.
    Elsewhere,
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
    #[inline]
    pub fn compare(self, left: &Value, right: &Value) -> Option<bool> {
        if let (Some(a), Some(b)) = (left.as_integer(), right.as_integer()) {
            return Some(self.holds(a.cmp(&b)));
        }
        if left.is_null() || right.is_null() {
            return None;
        }
        // UTF-8 has the order of its characters.
        if let (Some(a), Some(b)) = (left.as_bytes(), right.as_bytes()) {
            return Some(self.holds(a.cmp(b)));
        }
        Some(compare_values(left, right).map_or(self == Self::NotEqual, |order| self.holds(order)))
    }

    /// Whether two values in this order satisfy the comparison.
    #[inline]
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

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::*;
    use crate::value::display::write_value;

    fn context() -> Context {
        Context { time_zone: TimeZone::UTC, now: 1_709_296_496_789, watermark: None }
    }

    fn shown(expr: &Expr, row: &[Value]) -> String {
        let mut out = String::new();
        match expr.eval(row, &context()) {
            Ok(value) => write_value(&mut out, &value, &expr.data_type, &TimeZone::UTC),
            Err(error) => out = format!("error: {error}"),
        }
        out
    }

    fn call(name: &str, args: Vec<Expr>) -> Expr {
        Expr::call(name, args).unwrap()
    }

    fn constant(value: Value, kind: TypeKind) -> Expr {
        Expr::literal(value, DataType::new(kind).not_null())
    }

    fn int(value: i64) -> Expr {
        constant(Value::integer(value), TypeKind::Int)
    }

    fn null(kind: TypeKind) -> Expr {
        Expr::literal(Value::NULL, DataType::new(kind))
    }

    fn of(expr: &Expr) -> String {
        shown(expr, &[])
    }

    fn boolean(value: Option<bool>) -> Expr {
        value.map_or_else(|| null(TypeKind::Boolean), |v| constant(Value::boolean(v), TypeKind::Boolean))
    }

    #[test]
    fn and_and_or_follow_three_valued_logic_and_stop_when_decided() {
        let fails = || {
            let quotient = call("/", vec![int(1), int(0)]);
            Expr::compare(Comparison::Equal, quotient, int(1)).unwrap()
        };
        let and = |a, b| of(&Expr::and(vec![a, b]).unwrap());
        let or = |a, b| of(&Expr::or(vec![a, b]).unwrap());
        assert_eq!(and(boolean(Some(false)), fails()), "FALSE");
        assert_eq!(and(boolean(Some(true)), boolean(None)), "null");
        assert_eq!(and(boolean(None), boolean(Some(false))), "FALSE");
        assert_eq!(and(boolean(None), fails()), "error: division by zero");
        assert_eq!(or(boolean(Some(true)), fails()), "TRUE");
        assert_eq!(or(boolean(Some(false)), boolean(None)), "null");
        assert_eq!(or(boolean(None), boolean(Some(true))), "TRUE");
    }

    #[test]
    fn integers_wrap_and_divide_without_remainder() {
        let tiny = |value: i64| constant(Value::integer(value), TypeKind::TinyInt);
        assert_eq!(of(&call("+", vec![tiny(127), tiny(1)])), "-128");
        assert_eq!(of(&call("+", vec![int(2_147_483_647), int(1)])), "-2147483648");
        assert_eq!(of(&call("-", vec![tiny(-128)])), "-128");
        assert_eq!(of(&call("/", vec![int(-7), int(2)])), "-3");
        assert_eq!(of(&call("%", vec![int(-7), int(3)])), "-1");
        assert_eq!(of(&call("/", vec![int(-2_147_483_648), int(-1)])), "-2147483648");
        assert_eq!(of(&call("%", vec![int(1), int(0)])), "error: division by zero");
        let remainder = call("%", vec![constant(Value::integer(5), TypeKind::BigInt), tiny(3)]);
        assert_eq!(remainder.data_type.to_string(), "TINYINT NOT NULL");
    }

    #[test]
    fn decimals_get_flinks_digits_and_floats_may_be_divided_by_zero() {
        let decimal = |unscaled: i128, precision: u8, scale: u8| {
            constant(Value::decimal(Decimal::new(unscaled, scale)), TypeKind::Decimal { precision, scale })
        };
        let quotient = call("/", vec![int(10), decimal(40, 2, 1)]);
        assert_eq!(quotient.data_type.to_string(), "DECIMAL(17, 6) NOT NULL");
        assert_eq!(of(&quotient), "2.500000");
        assert_eq!(of(&call("/", vec![decimal(10, 2, 1), int(3)])), "0.333333333333");
        assert_eq!(of(&call("/", vec![decimal(10, 2, 1), int(0)])), "error: division by zero");
        let double = |value: f64| constant(Value::double(value), TypeKind::Double);
        assert_eq!(of(&call("/", vec![double(1.0), int(0)])), "Infinity");
        let float = constant(Value::float(0.1), TypeKind::Float);
        let sum = call("+", vec![float, double(0.1)]);
        assert_eq!((sum.data_type.to_string().as_str(), of(&sum).as_str()), ("FLOAT NOT NULL", "0.2"));
    }

    #[test]
    fn dates_and_times_move_by_intervals() {
        let day = constant(Value::millis(86_400_000), TypeKind::IntervalSecond);
        let month = constant(Value::months(1), TypeKind::IntervalMonth);
        let date = constant(Value::date(19_753), TypeKind::Date);
        assert_eq!(of(&call("+", vec![date.clone(), month])), "2024-02-29");
        assert_eq!(of(&call("-", vec![date.clone(), day.clone()])), "2024-01-30");
        let hours = call("/", vec![int(36), int(1)]);
        let hour = constant(Value::millis(3_600_000), TypeKind::IntervalSecond);
        let interval = call("*", vec![hours, hour]);
        assert_eq!(of(&interval), "+1 12:00:00.000");
        assert_eq!(of(&call("+", vec![date, interval.clone()])), "2024-02-01");
        let time = constant(Value::time(3_600_000), TypeKind::Time(0));
        assert_eq!(of(&call("-", vec![time, interval])), "13:00:00");
        assert_eq!(of(&call("-", vec![day])), "-1 00:00:00.000");
    }

    #[test]
    fn null_operands_make_null_but_every_operand_is_computed() {
        assert_eq!(of(&call("+", vec![null(TypeKind::Int), int(1)])), "null");
        let fails = call("/", vec![int(1), int(0)]);
        assert_eq!(of(&call("+", vec![null(TypeKind::Int), fails.clone()])), "error: division by zero");
        assert_eq!(of(&call("COALESCE", vec![int(1), fails.clone()])), "error: division by zero");
        let choice = call("IF", vec![boolean(Some(true)), int(1), fails]);
        assert_eq!(of(&choice), "1");
        assert_eq!(of(&call("NULLIF", vec![int(5), int(5)])), "null");
        assert_eq!(of(&call("GREATEST", vec![int(1), null(TypeKind::Int)])), "null");
        assert_eq!(of(&call("IFNULL", vec![null(TypeKind::Int), int(7)])), "7");
    }

    #[test]
    fn tests_for_null_and_truth_are_never_null() {
        assert_eq!(of(&call("IS NOT TRUE", vec![boolean(None)])), "TRUE");
        assert_eq!(of(&call("IS UNKNOWN", vec![boolean(None)])), "TRUE");
        assert_eq!(of(&call("IS NULL", vec![int(1)])), "FALSE");
        let distinct = |a, b| of(&call("IS DISTINCT FROM", vec![a, b]));
        assert_eq!(distinct(int(1), Expr::null()), "TRUE");
        assert_eq!(distinct(null(TypeKind::Int), null(TypeKind::Int)), "FALSE");
    }

    #[test]
    fn rows_that_are_written_out_have_unknown_fields_and_other_rows_have_not() {
        let row = |a, b| call("ROW", vec![a, b]);
        let equal = |a, b| of(&Expr::compare(Comparison::Equal, a, b).unwrap());
        assert_eq!(equal(row(int(1), null(TypeKind::Int)), row(int(1), int(2))), "null");
        assert_eq!(equal(row(int(1), null(TypeKind::Int)), row(int(2), int(2))), "FALSE");
        let fields = [("a", DataType::int()), ("b", DataType::int())];
        let column = Expr::column(0, DataType::row(fields));
        let compared = Expr::compare(Comparison::Equal, column, row(int(1), null(TypeKind::Int))).unwrap();
        assert_eq!(shown(&compared, &[Value::list(vec![Value::integer(1), Value::NULL])]), "TRUE");
    }

    #[test]
    fn maps_are_equal_in_any_order_and_keep_the_last_of_equal_keys() {
        let text = |text: &str| constant(Value::string(text), TypeKind::Char(1));
        let ab = call("MAP", vec![text("a"), int(1), text("b"), int(2)]);
        let ba = call("MAP", vec![text("b"), int(2), text("a"), int(1)]);
        assert_eq!(of(&Expr::compare(Comparison::Equal, ab, ba).unwrap()), "TRUE");
        assert_eq!(of(&call("MAP", vec![text("a"), int(1), text("a"), int(2)])), "{a=2}");
    }

    #[test]
    fn an_absent_element_of_a_container_without_nulls_shows_as_an_initial_value() {
        let array = call("ARRAY", vec![int(1), int(2)]);
        let item = |index: i64| Expr::item(array.clone(), int(index)).unwrap();
        assert_eq!(of(&item(2)), "2");
        assert_eq!(of(&item(3)), "-1");
        assert_eq!(of(&call("COALESCE", vec![item(3), int(7)])), "7");
        assert_eq!(of(&item(0)), "error: array positions start at 1, not 0");
        let nullable = Expr::literal(Value::list(vec![Value::NULL]), DataType::array(DataType::int()));
        assert_eq!(of(&Expr::item(nullable, int(5)).unwrap()), "null");
    }

    #[test]
    fn floats_compare_as_numbers_and_nan_as_nothing() {
        let double = |value: f64| constant(Value::double(value), TypeKind::Double);
        let compare = |operator, a, b| of(&Expr::compare(operator, double(a), double(b)).unwrap());
        assert_eq!(compare(Comparison::Equal, 0.0, -0.0), "TRUE");
        assert_eq!(compare(Comparison::Equal, f64::NAN, f64::NAN), "FALSE");
        assert_eq!(compare(Comparison::NotEqual, f64::NAN, f64::NAN), "TRUE");
        assert_eq!(compare(Comparison::Less, f64::NAN, 1.0), "FALSE");
    }

    #[test]
    fn the_clock_is_that_of_the_row() {
        assert_eq!(of(&call("NOW", vec![])), "2024-03-01 12:34:56.789");
        assert_eq!(of(&call("CURRENT_DATE", vec![])), "2024-03-01");
        assert_eq!(of(&call("LOCALTIME", vec![])), "12:34:56");
        let proctime = call("PROCTIME", vec![]);
        assert_eq!(proctime.data_type.to_string(), "TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*");
    }

    #[test]
    fn every_example_of_an_operator_gives_its_result() {
        for (name, args, result) in [
            ("TYPEOF", vec![Expr::literal(Value::string("x"), DataType::string())], "STRING"),
            (
                "TYPEOF",
                vec![Expr::literal(Value::NULL, DataType::timestamp_ltz(3)), boolean(Some(true))],
                "TIMESTAMP(3) WITH LOCAL TIME ZONE",
            ),
            ("LEAST", vec![int(3), int(2)], "2"),
        ] {
            assert_eq!(of(&call(name, args)), result);
        }
    }
}
