//! Literals.

use sqlparser::ast::{
    DataType as Type, DateTimeField, Interval, TypedString, UnaryOperator, Value as Ast, ValueWithSpan,
};

use super::super::error::{PlanError, PlanErrorKind};
use crate::expr::Expr;
use crate::sql::Literal;
use crate::value::decimal::MAX_PRECISION;
use crate::value::time::IntervalUnit;
use crate::value::{DataType, Decimal, TypeKind, Value, time};

/// The most digits that Flink takes in a number.
const FLINK_DIGITS: usize = 19;

/// A literal as SQL types it: a string is a `CHAR` of its length, a whole number an `INT` or
/// `BIGINT`, one with a point a `DECIMAL`, one with an exponent a `DOUBLE`.
pub(super) fn bind(literal: &ValueWithSpan, strict: bool) -> Result<Expr, PlanError> {
    let expr = match &literal.value {
        Ast::Number(text, _) if strict && text.bytes().filter(u8::is_ascii_digit).count() > FLINK_DIGITS => {
            return Err(invalid(text, "number of 19 digits").at(literal.span));
        }
        Ast::Number(text, _) => return number(text).map_err(|kind| kind.at(literal.span)),
        Ast::SingleQuotedString(text)
        | Ast::NationalStringLiteral(text)
        | Ast::UnicodeStringLiteral(text)
        | Ast::EscapedStringLiteral(text) => string(text),
        Ast::HexStringLiteral(text) => {
            let bytes =
                hex(text).ok_or_else(|| invalid(&format!("X'{text}'"), "binary string").at(literal.span))?;
            let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            Expr::literal(Value::bytes(bytes), DataType::new(TypeKind::Binary(length)).not_null())
        }
        Ast::Boolean(value) => Expr::literal(Value::boolean(*value), DataType::boolean().not_null()),
        Ast::Null => Expr::literal(Value::NULL, DataType::new(TypeKind::Null)),
        other => return Err(foreign(other, literal.span)),
    };
    Ok(expr)
}

/// A string literal. Its length is in UTF-16 units, as in Flink.
pub(super) fn string(text: &str) -> Expr {
    let length = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    Expr::literal(Value::string(text), DataType::new(TypeKind::Char(length)).not_null())
}

/// An `INT` literal.
pub(super) fn int(value: i32) -> Expr {
    Expr::literal(Value::integer(value), DataType::int().not_null())
}

fn number(text: &str) -> Result<Expr, PlanErrorKind> {
    if text.contains(['e', 'E']) {
        let value = text.parse::<f64>().map_err(|_| invalid(text, "DOUBLE"))?;
        return Ok(Expr::literal(Value::double(value), DataType::double().not_null()));
    }
    if !text.contains('.') {
        if let Ok(value) = text.parse::<i32>() {
            return Ok(int(value));
        }
        let value = text.parse::<i64>().map_err(|_| invalid(text, "BIGINT"))?;
        return Ok(Expr::literal(Value::integer(value), DataType::bigint().not_null()));
    }
    let digits = text.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // One digit stands before the point, as in 0.5.
    let whole = whole.trim_start_matches('0').len().max(1);
    let scale = u8::try_from(fraction.len()).unwrap_or(u8::MAX);
    let precision = u8::try_from(whole).unwrap_or(u8::MAX).saturating_add(scale);
    let decimal = Decimal::parse(text, precision, scale).filter(|_| precision <= MAX_PRECISION);
    let decimal = decimal.ok_or_else(|| invalid(text, "DECIMAL"))?;
    let data_type = DataType::decimal(precision, scale).not_null();
    Ok(Expr::literal(Value::decimal(decimal), data_type))
}

/// A number literal with a minus before it, which belongs to it.
pub(super) fn negative(op: UnaryOperator, literal: &ValueWithSpan) -> Option<Result<Expr, PlanError>> {
    match (op, &literal.value) {
        (UnaryOperator::Minus, Ast::Number(text, _)) => {
            Some(number(&format!("-{text}")).map_err(|kind| kind.at(literal.span)))
        }
        _ => None,
    }
}

/// `DATE '…'`, `TIME '…'`, `TIMESTAMP '…'`
pub(super) fn typed(literal: &TypedString) -> Result<Expr, PlanError> {
    let span = literal.value.span;
    let text = match &literal.value.value {
        Ast::SingleQuotedString(text) => text.as_str(),
        other => return Err(foreign(other, span)),
    };
    let expr = match &literal.data_type {
        Type::Date => of_time(time::parse_date(text).map(Value::date), TypeKind::Date, text),
        Type::Time(..) => of_time(time::parse_time(text).map(Value::time), TypeKind::Time(0), text),
        Type::Timestamp(..) | Type::Datetime(_) => timestamp(text),
        other => {
            let instead = format!("Write CAST('{text}' AS {other}).");
            Err(PlanErrorKind::refused(format!("a literal of type {other}"), instead))
        }
    };
    expr.map_err(|kind| kind.at(span))
}

/// `INTERVAL '…' unit [TO unit]`
pub(super) fn interval(literal: &Interval) -> Result<Expr, PlanError> {
    use sqlparser::ast::{Expr as AstExpr, Spanned};
    let span = literal.value.span();
    let text = match &*literal.value {
        AstExpr::Value(ValueWithSpan { value: Ast::SingleQuotedString(text), .. }) => text.as_str(),
        other => {
            let instead = match other {
                AstExpr::Value(ValueWithSpan { value: Ast::Number(number, _), .. }) => {
                    format!("Write the number in quotes: INTERVAL '{number}' ….")
                }
                _ => "Multiply an interval: value * INTERVAL '1' DAY.".to_owned(),
            };
            return Err(PlanErrorKind::refused("an interval that is not a literal", instead).at(span));
        }
    };
    let unit = |field: &DateTimeField| {
        let name = field.to_string();
        IntervalUnit::from_name(&name).ok_or_else(|| invalid(&name, "unit of an INTERVAL").at(span))
    };
    let field =
        literal.leading_field.as_ref().ok_or_else(|| invalid(&format!("'{text}'"), "INTERVAL").at(span))?;
    let first = unit(field)?;
    let last = literal.last_field.as_ref().map_or(Ok(first), unit)?;
    let precision = literal.leading_precision.and_then(|precision| u8::try_from(precision).ok()).unwrap_or(2);
    let value = time::parse_interval(text, first, last, precision)
        .map_err(|_| invalid(&format!("'{text}'"), "INTERVAL").at(span))?;
    let kind = if value.as_months().is_some() { TypeKind::IntervalMonth } else { TypeKind::IntervalSecond };
    Ok(Expr::literal(value, DataType::new(kind).not_null()))
}

/// A literal that only other dialects have.
fn foreign(literal: &Ast, span: sqlparser::tokenizer::Span) -> PlanError {
    let instead = "Write a number, or a text in single quotes.";
    PlanErrorKind::refused(format!("the literal {literal}"), instead).at(span)
}

fn invalid(text: &str, type_name: &str) -> PlanErrorKind {
    PlanErrorKind::InvalidLiteral { text: text.to_owned(), type_name: type_name.to_owned() }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    if text.len() % 2 == 1 || !text.is_ascii() {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).ok()).collect()
}

/// A literal of a row that was read without a tree.
pub(super) fn of_literal(literal: &Literal<'_>) -> Result<Expr, PlanErrorKind> {
    Ok(match literal {
        Literal::Null => Expr::literal(Value::NULL, DataType::new(TypeKind::Null)),
        Literal::TypedNull(data_type) => Expr::literal(Value::NULL, (*data_type).clone().with_nullable(true)),
        Literal::Boolean(value) => Expr::literal(Value::boolean(*value), DataType::boolean().not_null()),
        Literal::Number(text) => number(text)?,
        Literal::String(text) => string(text),
        Literal::Date(text) => of_time(time::parse_date(text).map(Value::date), TypeKind::Date, text)?,
        Literal::Time(text) => of_time(time::parse_time(text).map(Value::time), TypeKind::Time(0), text)?,
        Literal::Timestamp(text) => timestamp(text)?,
    })
}

fn timestamp(text: &str) -> Result<Expr, PlanErrorKind> {
    // The digits of the fraction are the precision.
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.trim_end().len());
    let precision = u8::try_from(digits).unwrap_or(9).min(9);
    let value = time::parse_timestamp(text, precision).map(|(millis, nanos)| Value::timestamp(millis, nanos));
    of_time(value, TypeKind::Timestamp(precision), text)
}

fn of_time(value: Option<Value>, kind: TypeKind, text: &str) -> Result<Expr, PlanErrorKind> {
    let value = value.ok_or_else(|| invalid(&format!("'{text}'"), &kind.to_string()))?;
    Ok(Expr::literal(value, DataType::new(kind).not_null()))
}
