//! How expressions are put together: each constructor checks the types, inserts the casts that
//! Flink inserts, and gives the result its type.

use super::common_type::{common_type, length};
use super::comparable::{comparable, indistinct};
use super::function::{self, Argument, Function, TypeMismatch};
use super::{CallPlace, Comparison, Expr, ExprKind};
use crate::value::cast::{is_castable, is_implicitly_castable};
use crate::value::{DataType, TypeKind, Value};

/// Why a function cannot be called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// There is no function of this name.
    #[error("function \"{name}\" does not exist")]
    NoSuchFunction {
        /// The name as it was written.
        name: String,
        /// Functions with a name that is almost the same, the nearest first.
        nearest: Vec<&'static str>,
        /// What gives the same, as a sentence, if it is the name of another database's function.
        instead: Option<&'static str>,
    },
    /// The function does not take these arguments.
    #[error("{call}: {mismatch}")]
    WrongArguments {
        /// The call with the types of its arguments: `UPPER(INT)`, or `INT + STRING`.
        call: String,
        /// What is wrong.
        mismatch: TypeMismatch,
        /// How the function is called.
        syntax: &'static str,
    },
}

impl CallError {
    /// There is no scalar or aggregate function of this name.
    pub(crate) fn no_such_function(name: &str) -> Self {
        let names = function::all().map(|function| function.name);
        let names = names.chain(super::aggregate::FUNCTIONS.iter().map(|(name, ..)| *name));
        let nearest = nearest_names(&name.to_ascii_uppercase(), names);
        Self::NoSuchFunction { name: name.to_owned(), nearest, instead: function::foreign::instead_of(name) }
    }
}

/// A call with the types of its arguments, as it is written in a query.
fn call_text(name: &str, types: &[String]) -> String {
    let is_infix =
        !name.starts_with(|c: char| c.is_ascii_alphabetic()) || matches!(name, "LIKE" | "SIMILAR TO");
    match types {
        [operand] if name.starts_with("IS ") => format!("{operand} {name}"),
        [operand] if name == "NOT" => format!("{name} {operand}"),
        [operand] if is_infix => format!("{name}{operand}"),
        [left, right] if is_infix => format!("{left} {name} {right}"),
        [left, right, escape] if is_infix => format!("{left} {name} {right} ESCAPE {escape}"),
        _ if matches!(name, "ARRAY" | "MAP") => format!("{name}[{}]", types.join(", ")),
        _ => format!("{name}({})", types.join(", ")),
    }
}

impl Expr {
    /// `CAST(self AS data_type)`, or `TRY_CAST` if lenient. The result may be NULL where the input
    /// may be, and always if lenient.
    ///
    /// # Errors
    /// The types cannot be cast; the phrase says what to use instead, if there is something.
    pub fn cast(self, data_type: DataType, lenient: bool) -> Result<Self, TypeMismatch> {
        if !is_castable(&self.data_type, &data_type) {
            return Err(cast_refusal(&self.data_type, &data_type));
        }
        let nullable = lenient || self.data_type.nullable || self.data_type.kind == TypeKind::Null;
        let data_type = data_type.with_nullable(nullable);
        if self.data_type.kind == data_type.kind {
            return Ok(Self { kind: self.kind, data_type });
        }
        Ok(Self { kind: ExprKind::Cast { input: Box::new(self), lenient }, data_type })
    }

    /// This expression with the kind of another type, for types that are known to be castable.
    pub(super) fn coerce(self, kind: &TypeKind) -> Self {
        if self.data_type.kind == *kind {
            return self;
        }
        let nullable = self.data_type.nullable || self.data_type.kind == TypeKind::Null;
        let data_type = DataType::new(kind.clone()).with_nullable(nullable);
        if let ExprKind::Literal(value) = &self.kind
            && value.is_null()
        {
            return Self::literal(Value::NULL, data_type);
        }
        Self { kind: ExprKind::Cast { input: Box::new(self), lenient: false }, data_type }
    }

    /// The expression as the value of a column of a table, with the implicit casts of `INSERT`.
    /// Whether NULL may be stored is checked when the row is written.
    ///
    /// # Errors
    /// The column cannot hold such values without a `CAST`.
    pub fn assign(self, column: &DataType) -> Result<Self, TypeMismatch> {
        if is_implicitly_castable(&self.data_type, column) {
            return Ok(self.coerce(&column.kind));
        }
        let (from, to) = (&self.data_type.kind, &column.kind);
        let mismatch = TypeMismatch::new(format!("{from} cannot be stored as {to}"));
        let castable = is_castable(&self.data_type, column);
        Err(if castable { mismatch.or(format!("Write CAST(… AS {to}).")) } else { mismatch })
    }

    /// A comparison. Both sides are cast to what they have in common: numbers to numbers, times
    /// and instants to one another, text to the time or boolean that it is compared with.
    ///
    /// # Errors
    /// The types have nothing in common, or no order. As in Flink numbers and text are not equal
    /// without a `CAST`.
    pub fn compare(operator: Comparison, left: Self, right: Self) -> Result<Self, TypeMismatch> {
        if operator == Comparison::Equal
            && let (Some(a), Some(b)) = (left.row_fields(), right.row_fields())
            && a.len() == b.len()
        {
            // Only rows that are written out are compared field by field, with unknown fields.
            let fields = a.iter().zip(b).map(|(a, b)| Self::compare(operator, a.clone(), b.clone()));
            return Self::and(fields.collect::<Result<_, _>>()?);
        }
        let (left, right) = comparable(operator, left, right)?;
        let may_be_unknown = |data_type: &DataType| match &data_type.kind {
            TypeKind::Row(fields) => fields.iter().any(|field| field.data_type.nullable),
            _ => false,
        } || data_type.nullable;
        let nullable = may_be_unknown(&left.data_type) || may_be_unknown(&right.data_type);
        let data_type = DataType::boolean().with_nullable(nullable);
        Ok(Self { kind: ExprKind::Compare(operator, Box::new(left), Box::new(right)), data_type })
    }

    /// `needle IN (items)`, with the casts of Flink: text in the list takes the type of a number
    /// or time that is looked for.
    ///
    /// # Errors
    /// The items have no common type, or cannot be compared with the needle.
    pub fn in_list(needle: &Self, items: Vec<Self>) -> Result<Self, TypeMismatch> {
        let types: Vec<_> = items.iter().map(|item| &item.data_type).collect();
        if types.iter().any(|data_type| data_type.kind != TypeKind::Null) && common_type(&types).is_none() {
            return Err(no_common_type("the values of the list", &types));
        }
        let equal = |item: Self| {
            let mixes = needle.data_type.kind.is_string() != item.data_type.kind.is_string();
            let item = if mixes && is_castable(&item.data_type, &needle.data_type) {
                item.coerce(&needle.data_type.kind)
            } else {
                item
            };
            Self::compare(Comparison::Equal, needle.clone(), item)
        };
        let comparisons = items.into_iter().map(equal).collect::<Result<Vec<_>, _>>()?;
        Self::or(comparisons)
    }

    /// `AND` of conditions; of none it is TRUE.
    ///
    /// # Errors
    /// A condition is not BOOLEAN.
    pub fn and(conditions: Vec<Self>) -> Result<Self, TypeMismatch> {
        Self::junction(conditions, true, ExprKind::And)
    }

    /// `OR` of conditions; of none it is FALSE.
    ///
    /// # Errors
    /// A condition is not BOOLEAN.
    pub fn or(conditions: Vec<Self>) -> Result<Self, TypeMismatch> {
        Self::junction(conditions, false, ExprKind::Or)
    }

    fn junction(
        conditions: Vec<Self>,
        neutral: bool,
        kind: fn(Vec<Self>) -> ExprKind,
    ) -> Result<Self, TypeMismatch> {
        let conditions = conditions.into_iter().map(Self::condition).collect::<Result<Vec<_>, _>>()?;
        let nullable = conditions.iter().any(|condition| condition.data_type.nullable);
        let data_type = DataType::boolean().with_nullable(nullable);
        match <[Self; 1]>::try_from(conditions) {
            Ok([only]) => Ok(only),
            Err(none) if none.is_empty() => Ok(Self::literal(Value::boolean(neutral), data_type)),
            Err(conditions) => Ok(Self { kind: kind(conditions), data_type }),
        }
    }

    /// `NOT condition`
    ///
    /// # Errors
    /// The condition is not BOOLEAN.
    #[expect(clippy::should_implement_trait, reason = "it can fail, as the other constructors can")]
    pub fn not(condition: Self) -> Result<Self, TypeMismatch> {
        let condition = condition.condition()?;
        let data_type = condition.data_type.clone();
        Ok(Self::of_function(&function::operator::NOT, vec![condition], data_type))
    }

    /// This expression as a condition.
    ///
    /// # Errors
    /// It is not BOOLEAN.
    pub fn condition(self) -> Result<Self, TypeMismatch> {
        match self.data_type.kind {
            TypeKind::Boolean => Ok(self),
            TypeKind::Null => Ok(self.coerce(&TypeKind::Boolean)),
            ref kind => Err(TypeMismatch::new(format!("a condition must be BOOLEAN, not {kind}"))
                .or("Compare the value with another one.")),
        }
    }

    /// `CASE WHEN condition THEN result … ELSE otherwise END`; without `ELSE` it ends in NULL.
    ///
    /// # Errors
    /// A condition is not BOOLEAN, or the results have no common type.
    pub fn case(branches: Vec<(Self, Self)>, otherwise: Option<Self>) -> Result<Self, TypeMismatch> {
        let otherwise = otherwise.unwrap_or_else(Self::null);
        let mut types: Vec<_> = branches.iter().map(|(_, result)| &result.data_type).collect();
        types.push(&otherwise.data_type);
        let Some(data_type) = common_type(&types) else {
            return Err(no_common_type("the results", &types));
        };
        let branch =
            |(condition, result): (Self, Self)| Ok((condition.condition()?, result.coerce(&data_type.kind)));
        let branches = branches.into_iter().map(branch).collect::<Result<Vec<_>, TypeMismatch>>()?;
        let otherwise = Box::new(otherwise.coerce(&data_type.kind));
        Ok(Self { kind: ExprKind::Case { branches, otherwise }, data_type })
    }

    /// The field of a row at a position.
    ///
    /// # Errors
    /// The expression is no row, or has no such field.
    pub fn field(self, index: usize) -> Result<Self, TypeMismatch> {
        let TypeKind::Row(fields) = &self.data_type.kind else {
            let problem = format!("{} has no fields", self.data_type.kind);
            return Err(TypeMismatch::new(problem).or("Only a ROW has fields."));
        };
        let Some(field) = fields.get(index) else {
            let mismatch = TypeMismatch::new(format!("the row has only {} fields", fields.len()));
            return Err(mismatch.or(format!("The positions are from 1 to {}.", fields.len())));
        };
        let nullable = self.data_type.nullable || field.data_type.nullable;
        let data_type = field.data_type.clone().with_nullable(nullable);
        Ok(Self { kind: ExprKind::Field { input: Box::new(self), index }, data_type })
    }

    /// The field of a row with exactly this name.
    ///
    /// # Errors
    /// The expression is no row, or has no such field; the phrase names the nearest one.
    pub fn field_named(self, name: &str) -> Result<Self, TypeMismatch> {
        let TypeKind::Row(fields) = &self.data_type.kind else {
            let problem = format!("{} has no fields", self.data_type.kind);
            return Err(TypeMismatch::new(problem).or("Only a ROW has fields."));
        };
        if let Some(index) = fields.iter().position(|field| field.name == name) {
            return self.field(index);
        }
        let names = fields.iter().map(|field| field.name.as_str());
        let way_out = match nearest_names(name, names.clone()).first() {
            Some(nearest) => format!("Did you mean \"{nearest}\"?"),
            None => format!("The fields are {}.", names.collect::<Vec<_>>().join(", ")),
        };
        Err(TypeMismatch::new(format!("the row has no field \"{name}\"")).or(way_out))
    }

    /// `container[index]`: an element of an array, counted from 1, the value of a map's key, or
    /// the field of a row with a constant position or name.
    ///
    /// # Errors
    /// The container has no elements, or the index is not of its type.
    pub fn item(container: Self, index: Self) -> Result<Self, TypeMismatch> {
        if matches!(container.data_type.kind, TypeKind::Row(_)) {
            let constant =
                if let ExprKind::Literal(value) = &index.kind { Some(value.clone()) } else { None };
            let constant = constant.unwrap_or_default();
            if let Some(name) = constant.as_str() {
                return container.field_named(name);
            }
            let position = constant.as_integer().and_then(|position| usize::try_from(position - 1).ok());
            let position = position.ok_or_else(|| {
                TypeMismatch::new("a field of a row needs a constant position, from 1, or name")
                    .or("Write row[1] or row.name.")
            })?;
            return container.field(position);
        }
        Self::apply(&function::operator::ITEM, vec![container, index])
    }

    /// A call of the function or operator with this name, in any case.
    ///
    /// # Errors
    /// There is no such function, or it does not take these arguments.
    pub fn call(name: &str, args: Vec<Self>) -> Result<Self, CallError> {
        let Some(function) = function::find(name) else {
            return Err(CallError::no_such_function(name));
        };
        let types = args.iter().map(|arg| arg.data_type.kind.to_string()).collect::<Vec<_>>();
        Self::apply(function, args).map_err(|mismatch| CallError::WrongArguments {
            call: call_text(function.name, &types),
            mismatch,
            syntax: function.syntax,
        })
    }

    /// A call of a function that is known.
    pub(super) fn apply(function: &'static Function, args: Vec<Self>) -> Result<Self, TypeMismatch> {
        let arguments: Vec<_> = args.iter().map(Self::as_argument).collect();
        let signature = (function.typing)(&arguments)?;
        if function::operator::is_distinction(function) {
            let [left, right] = <[Self; 2]>::try_from(args)
                .map_err(|_| TypeMismatch::new(format!("{} takes 2 operands", function.name)))?;
            let (left, right) = indistinct(left, right)?;
            return Ok(Self::of_function(function, vec![left, right], signature.result));
        }
        let args = args.into_iter().zip(&signature.arguments);
        let mut args = args.map(|(arg, data_type)| arg.coerce(&data_type.kind)).collect::<Vec<_>>();
        // Only the chosen argument may be computed, so these two are cases.
        if *function == function::operator::IF {
            let [condition, result, otherwise] =
                <[Self; 3]>::try_from(args).map_err(|_| TypeMismatch::new("IF takes 3 arguments"))?;
            let kind = ExprKind::Case { branches: vec![(condition, result)], otherwise: Box::new(otherwise) };
            return Ok(Self { kind, data_type: signature.result });
        }
        if *function == function::operator::NULLIF && args.len() == 2 {
            let other = args.remove(1);
            let value = args.remove(0);
            let equal = Self::compare(Comparison::Equal, value.clone(), other)?;
            return Self::case(vec![(equal, Self::null())], Some(value));
        }
        Ok(Self::of_function(function, args, signature.result))
    }

    fn of_function(function: &'static Function, args: Vec<Self>, data_type: DataType) -> Self {
        let types = args.iter().map(|arg| arg.data_type.clone()).collect();
        Self { kind: ExprKind::Call { function, args, types, place: CallPlace::default() }, data_type }
    }

    /// The fields of a `ROW(…)` that is written out.
    fn row_fields(&self) -> Option<&[Self]> {
        match &self.kind {
            ExprKind::Call { function, args, .. } if **function == function::operator::ROW => Some(args),
            _ => None,
        }
    }

    /// The expression as the typing of a function sees it.
    pub fn as_argument(&self) -> Argument<'_> {
        let literal = if let ExprKind::Literal(value) = &self.kind { Some(value) } else { None };
        Argument { data_type: &self.data_type, literal }
    }

    /// A bare NULL, which takes any type.
    pub fn null() -> Self {
        Self::literal(Value::NULL, DataType::new(TypeKind::Null))
    }
}

/// The phrase for types that have nothing in common.
pub(super) fn no_common_type(what: &str, types: &[&DataType]) -> TypeMismatch {
    if types.iter().all(|data_type| data_type.kind == TypeKind::Null) {
        return TypeMismatch::new(format!("{what} are all NULL, so they have no type"))
            .or("Write CAST(NULL AS …).");
    }
    let mut names: Vec<String> = Vec::new();
    for data_type in types.iter().filter(|data_type| data_type.kind != TypeKind::Null) {
        let name = data_type.kind.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    TypeMismatch::new(format!("{what} have no common type: {}", names.join(", ")))
        .or("Use CAST to give them one type.")
}

fn cast_refusal(from: &DataType, to: &DataType) -> TypeMismatch {
    let (a, b) = (&from.kind, &to.kind);
    let way_out = match (a, b) {
        (a, TypeKind::Timestamp(_)) if a.is_numeric() => "Use TO_TIMESTAMP(FROM_UNIXTIME(…)).",
        (a, TypeKind::TimestampLtz(_)) if a.is_numeric() => "Use TO_TIMESTAMP_LTZ(…, precision).",
        (TypeKind::Timestamp(_), b) if b.is_numeric() => "Use UNIX_TIMESTAMP(CAST(… AS STRING)).",
        (TypeKind::TimestampLtz(_), b) if b.is_numeric() => "Use UNIX_TIMESTAMP(CAST(… AS STRING)).",
        (TypeKind::Row(a), TypeKind::Row(b)) if a.len() != b.len() => {
            let problem = format!("cannot cast a row of {} fields to one of {}", a.len(), b.len());
            return TypeMismatch::new(problem).or("Give the row as many fields: ROW(…).");
        }
        _ => {
            let simple = [
                TypeKind::Boolean,
                TypeKind::Int,
                TypeKind::Double,
                TypeKind::Date,
                TypeKind::Timestamp(3),
                TypeKind::IntervalSecond,
            ];
            let castable = simple.into_iter().filter(|kind| is_castable(from, &DataType::new(kind.clone())));
            let names: Vec<String> = castable.map(|kind| kind.to_string()).collect();
            let way_out = match &names[..] {
                [] => format!("{a} can be cast to STRING."),
                names => format!("{a} can be cast to {} and STRING, among others.", names.join(", ")),
            };
            return TypeMismatch::new(format!("cannot cast {a} to {b}")).or(way_out);
        }
    };
    TypeMismatch::new(format!("cannot cast {a} to {b}")).or(way_out)
}

/// Up to three names that are almost this one, the nearest first.
pub(super) fn nearest_names<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    const ALIKE: f64 = 0.8;
    let is_near = |other: &str| {
        strsim::damerau_levenshtein(name, other) <= 1 + name.chars().count().min(other.chars().count()) / 4
    };
    let alike = names.map(|other| (strsim::jaro_winkler(name, other), other));
    let mut alike: Vec<_> = alike.filter(|(likeness, other)| *likeness >= ALIKE && is_near(other)).collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    alike.into_iter().take(3).map(|(_, other)| other).collect()
}

/// The type of texts joined: as long as both together, and fixed if both are.
pub(super) fn joined_kind(a: &TypeKind, b: &TypeKind) -> TypeKind {
    let length = length(a).saturating_add(length(b)).min(crate::value::MAX_LENGTH);
    match (a, b) {
        (TypeKind::Char(_), TypeKind::Char(_)) => TypeKind::Char(length),
        _ => TypeKind::VarChar(length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(data_type: DataType) -> Expr {
        Expr::column(0, data_type)
    }

    fn text(text: &str) -> Expr {
        let length = u32::try_from(text.chars().count()).unwrap();
        Expr::literal(Value::string(text), DataType::new(TypeKind::Char(length)).not_null())
    }

    fn integer(value: i64) -> Expr {
        Expr::literal(Value::integer(value), DataType::int().not_null())
    }

    fn typed(expr: Result<Expr, TypeMismatch>) -> String {
        match expr {
            Ok(expr) => expr.data_type.to_string(),
            Err(mismatch) => format!("error: {mismatch}"),
        }
    }

    fn shown(expr: Result<Expr, TypeMismatch>) -> String {
        match expr {
            Ok(expr) => expr.display(&["c"]).to_string(),
            Err(mismatch) => format!("error: {mismatch}"),
        }
    }

    #[test]
    fn a_cast_keeps_nullability_and_a_lenient_one_adds_null() {
        let id = || column(DataType::int().not_null());
        assert_eq!(typed(id().cast(DataType::bigint(), false)), "BIGINT NOT NULL");
        assert_eq!(typed(id().cast(DataType::bigint(), true)), "BIGINT");
        assert_eq!(typed(Expr::null().cast(DataType::int(), false)), "INT");
        assert_eq!(
            typed(id().cast(DataType::timestamp_ltz(3), false)),
            "error: cannot cast INT to TIMESTAMP_LTZ(3)"
        );
    }

    #[test]
    fn numbers_equal_text_only_with_a_cast_but_are_ordered_with_it() {
        let id = || column(DataType::int());
        assert_eq!(
            shown(Expr::compare(Comparison::Equal, id(), text("1"))),
            "error: INT and CHAR(1) cannot be compared without CAST"
        );
        assert_eq!(shown(Expr::compare(Comparison::Greater, id(), text("5"))), "(c > CAST('5' AS INT))");
        let in_list = Expr::in_list(&id(), vec![text("1"), text("2")]);
        assert_eq!(shown(in_list), "((c = CAST('1' AS INT)) OR (c = CAST('2' AS INT)))");
        let mixed = Expr::in_list(&id(), vec![integer(1), text("a")]);
        assert_eq!(shown(mixed), "error: the values of the list have no common type: INT, CHAR(1)");
    }

    #[test]
    fn text_that_equals_a_time_is_read_as_one() {
        let at = || column(DataType::timestamp(3));
        assert_eq!(
            shown(Expr::compare(Comparison::Equal, at(), text("2024-01-01"))),
            "(c = CAST('2024-01-01' AS TIMESTAMP(3)))"
        );
        let other = Expr::column(0, DataType::string());
        assert_eq!(shown(Expr::compare(Comparison::Equal, at(), other)), "(c = TRY_CAST(c AS TIMESTAMP(3)))");
        let date = Expr::column(0, DataType::new(TypeKind::Date));
        assert_eq!(
            shown(Expr::compare(Comparison::Less, date, at())),
            "error: DATE and TIMESTAMP(3) cannot be compared"
        );
    }

    #[test]
    fn the_first_floating_point_type_decides_a_comparison() {
        let (float, double) = (column(DataType::new(TypeKind::Float)), column(DataType::double()));
        let compared = Expr::compare(Comparison::Equal, float.clone(), double.clone());
        assert_eq!(shown(compared), "(c = CAST(c AS FLOAT))");
        assert_eq!(shown(Expr::compare(Comparison::Equal, double, float)), "(c = CAST(c AS DOUBLE))");
    }

    #[test]
    fn a_case_has_the_common_type_of_its_results() {
        let condition = || column(DataType::boolean());
        let case = Expr::case(vec![(condition(), text("b"))], Some(text("ccc")));
        assert_eq!(typed(case), "VARCHAR(3) NOT NULL");
        assert_eq!(typed(Expr::case(vec![(condition(), integer(1))], None)), "INT");
        assert_eq!(
            typed(Expr::case(vec![(condition(), integer(1))], Some(text("a")))),
            "error: the results have no common type: INT, CHAR(1)"
        );
        assert_eq!(
            typed(Expr::case(vec![(condition(), Expr::null())], None)),
            "error: the results are all NULL, so they have no type"
        );
        assert_eq!(
            typed(Expr::case(vec![(integer(1), integer(1))], None)),
            "error: a condition must be BOOLEAN, not INT"
        );
    }

    #[test]
    fn an_if_is_null_where_its_condition_is_and_computes_one_result_only() {
        let condition = column(DataType::boolean());
        let call = Expr::call("if", vec![condition, integer(1), integer(2)]).unwrap();
        assert_eq!(call.data_type.to_string(), "INT");
        assert_eq!(call.display(&["c"]).to_string(), "CASE WHEN c THEN 1 ELSE 2 END");
    }

    #[test]
    fn fields_and_elements_are_null_where_their_container_is() {
        let fields = [("a", DataType::int().not_null()), ("name", DataType::string())];
        let row = || column(DataType::row(fields.clone()));
        assert_eq!(typed(row().field_named("a")), "INT");
        assert_eq!(typed(Expr::item(row(), integer(1))), "INT");
        assert_eq!(typed(row().field_named("nmae")), "error: the row has no field \"nmae\"");
        let array = column(DataType::array(DataType::int().not_null()).not_null());
        assert_eq!(typed(Expr::item(array.clone(), integer(1))), "INT");
        assert_eq!(typed(Expr::item(array, text("x"))), "error: an array has positions, not CHAR(1)");
    }

    #[test]
    fn a_column_takes_implicit_casts_only() {
        let assigned = |expr: Expr, kind: TypeKind| shown(expr.assign(&DataType::new(kind)));
        assert_eq!(assigned(integer(1), TypeKind::BigInt), "CAST(1 AS BIGINT)");
        assert_eq!(assigned(text("abcdef"), TypeKind::VarChar(2)), "CAST('abcdef' AS VARCHAR(2))");
        assert_eq!(assigned(text("5"), TypeKind::BigInt), "error: CHAR(1) cannot be stored as BIGINT");
        assert_eq!(
            assigned(column(DataType::boolean()), TypeKind::Date),
            "error: BOOLEAN cannot be stored as DATE"
        );
    }

    #[test]
    fn a_call_names_what_is_near_or_wrong() {
        let error = Expr::call("COALESE", vec![]).unwrap_err();
        assert!(matches!(error, CallError::NoSuchFunction { ref nearest, .. } if nearest[0] == "COALESCE"));
        let error = Expr::call("||", vec![text("a"), integer(1)]).unwrap_err();
        assert_eq!(error.to_string(), "CHAR(1) || INT: takes text, not INT");
        let error = Expr::call("+", vec![column(DataType::timestamp(3)), integer(1)]).unwrap_err();
        assert_eq!(error.to_string(), "TIMESTAMP(3) + INT: TIMESTAMP(3) can be moved by an interval only");
    }
}
