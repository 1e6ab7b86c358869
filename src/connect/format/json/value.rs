//! Values of columns from JSON.

use super::super::bytes::parse_bytes;
use super::super::number::{
    decimal_value, integer_range, integer_value, parse_decimal, parse_float, parse_integer, scan_decimal,
    scan_integer, trim,
};
use super::super::time::{parse_date, parse_time, parse_timestamp};
use super::super::{Flaw, is_not_a};
use super::JsonOptions;
use super::cursor::{Cursor, Token, is_boundary, plain_string};
use super::text::{tree_text, write_number};
use crate::value::{DataType, Field, TypeKind, Value};

/// Reads values of types.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) options: JsonOptions,
    /// Whether numbers in the text of an object are decimals; they are if a column is a DECIMAL.
    pub(super) exact: bool,
    scratch: String,
}

impl Values {
    pub(super) fn new(options: JsonOptions, exact: bool) -> Self {
        Self { options, exact, scratch: String::new() }
    }

    /// Reads a value of a type that is `depth` deep. What is no such value is a flaw, or NULL if flaws
    /// are ignored; what is not JSON is a flaw in any case.
    #[inline(never)]
    pub(super) fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        data_type: &DataType,
        depth: usize,
    ) -> Result<Value, Flaw> {
        let start = cursor.at;
        if let Some(value) = self.convert(cursor, &data_type.kind, depth)? {
            return Ok(value);
        }
        cursor.at = start;
        cursor.skip(depth)?;
        if self.options.ignore_parse_errors {
            return Ok(Value::NULL);
        }
        let text = &cursor.text[start..cursor.at];
        let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
        Err(Flaw::new(start, is_not_a(text, &data_type.kind.to_string())).with_hint(format!(
            "With '{}' = 'true' it is read as NULL.",
            self.options.keys.ignore_parse_errors
        )))
    }

    /// The value, or `None` if it is none of the type; then the cursor may be anywhere.
    fn convert(
        &mut self,
        cursor: &mut Cursor<'_>,
        kind: &TypeKind,
        depth: usize,
    ) -> Result<Option<Value>, Flaw> {
        let by_token = self.options.by_token;
        let token = cursor.token(&mut self.scratch)?;
        if matches!(token, Token::Null) {
            return Ok(Some(Value::NULL));
        }
        let is_open = matches!(token, Token::Open);
        let is_object = is_open && cursor.peek() == b'{';
        if let Some(range) = integer_range(kind) {
            let number = match token {
                Token::String(text) => parse_integer(trim(text), range),
                Token::Number(number) => integer_of(number, kind, range),
                Token::Boolean(_) | Token::Null | Token::Open => None,
            };
            return Ok(number.map(|number| integer_value(number, kind)));
        }
        Ok(match kind {
            TypeKind::Boolean => match token {
                Token::Boolean(boolean) => Some(Value::boolean(boolean)),
                Token::String(text) => Some(Value::boolean(trim(text).eq_ignore_ascii_case("true"))),
                Token::Number(_) | Token::Null => Some(Value::boolean(false)),
                Token::Open => {
                    cursor.skip(depth)?;
                    Some(Value::boolean(false))
                }
            },
            TypeKind::Float | TypeKind::Double => match token {
                Token::String(text) => parse_float(text, kind),
                // A tree holds it as the integer zero, which has no sign.
                Token::Number("-0") if !by_token => parse_float("0", kind),
                Token::Number(number) => parse_float(number, kind),
                Token::Boolean(_) | Token::Null | Token::Open => None,
            },
            TypeKind::Decimal { precision, scale } => match token {
                Token::String(text) => {
                    parse_decimal(if by_token { trim(text) } else { text }, *precision, *scale)
                }
                Token::Number(number) => parse_decimal(number, *precision, *scale),
                Token::Boolean(_) | Token::Null | Token::Open => None,
            },
            TypeKind::Char(_) | TypeKind::VarChar(_) => match token {
                Token::String(text) => Some(Value::string(text)),
                Token::Number(number) if by_token => Some(Value::string(number)),
                Token::Boolean(boolean) => Some(Value::string(if boolean { "true" } else { "false" })),
                Token::Number(number) => {
                    let mut text = String::new();
                    write_number(&mut text, number, self.exact);
                    Some(Value::string(&text))
                }
                Token::Null | Token::Open => Some(Value::string(&tree_text(cursor, self.exact, depth)?)),
            },
            TypeKind::Binary(_) | TypeKind::VarBinary(_) => match token {
                Token::String(text) => parse_bytes(text),
                // A tree gives no bytes for anything else.
                Token::Boolean(_) | Token::Number(_) | Token::Null if !by_token => Some(Value::NULL),
                Token::Open if !by_token => {
                    cursor.skip(depth)?;
                    Some(Value::NULL)
                }
                Token::Boolean(_) | Token::Number(_) | Token::Null | Token::Open => None,
            },
            TypeKind::Date => text_of(&token).and_then(parse_date).map(Value::date),
            TypeKind::Time(_) => text_of(&token).and_then(parse_time).map(Value::time),
            TypeKind::Timestamp(_) | TypeKind::TimestampLtz(_) => {
                text_of(&token).and_then(|text| parse_timestamp(text, kind, self.options.standard))
            }
            TypeKind::Null => {
                if is_open {
                    cursor.skip(depth)?;
                }
                Some(Value::NULL)
            }
            TypeKind::Map(..) | TypeKind::Multiset(_) if !by_token && !is_object => {
                // A tree takes everything that is no object for an empty one.
                if is_open {
                    cursor.skip(depth)?;
                }
                Some(Value::entries(vec![]))
            }
            TypeKind::Array(element) if is_open && cursor.peek() == b'[' => {
                Some(self.array(cursor, element, depth)?)
            }
            TypeKind::Map(_, item) if is_object => Some(self.map(cursor, item, depth)?),
            TypeKind::Multiset(_) if is_object => Some(self.map(cursor, &DataType::int(), depth)?),
            TypeKind::Row(fields) if is_object => Some(self.row(cursor, fields, depth)?),
            TypeKind::TinyInt
            | TypeKind::SmallInt
            | TypeKind::Int
            | TypeKind::BigInt
            | TypeKind::IntervalMonth
            | TypeKind::IntervalSecond
            | TypeKind::Array(_)
            | TypeKind::Map(..)
            | TypeKind::Multiset(_)
            | TypeKind::Row(_)
            | TypeKind::Bitmap => None,
        })
    }

    fn array(&mut self, cursor: &mut Cursor<'_>, element: &DataType, depth: usize) -> Result<Value, Flaw> {
        let mut items = vec![];
        cursor.open(depth)?;
        cursor.members(b']', |cursor| {
            items.push(self.read(cursor, element, depth + 1)?);
            Ok(())
        })?;
        Ok(Value::list(items))
    }

    fn map(&mut self, cursor: &mut Cursor<'_>, item: &DataType, depth: usize) -> Result<Value, Flaw> {
        let mut entries: Vec<(Value, Value)> = vec![];
        cursor.open(depth)?;
        cursor.members(b'}', |cursor| {
            let key = Value::string(cursor.string(&mut self.scratch)?);
            cursor.colon()?;
            let value = self.read(cursor, item, depth + 1)?;
            match entries.iter_mut().find(|(other, _)| *other == key) {
                Some((_, old)) => *old = value,
                None => entries.push((key, value)),
            }
            Ok(())
        })?;
        Ok(Value::entries(entries))
    }

    fn row(&mut self, cursor: &mut Cursor<'_>, fields: &[Field], depth: usize) -> Result<Value, Flaw> {
        let start = cursor.at;
        let mut items = vec![None; fields.len()];
        let mut found = 0;
        let mut next = 0;
        cursor.open(depth)?;
        cursor.members(b'}', |cursor| {
            let key = cursor.string(&mut self.scratch)?;
            // Members mostly come in the order of the fields.
            let index = match fields.get(next) {
                Some(field) if field.name == key => Some(next),
                _ => fields.iter().position(|field| field.name == key),
            };
            next = index.unwrap_or(next) + 1;
            cursor.colon()?;
            match index {
                Some(index) if found < fields.len() || !self.options.by_token => {
                    let field = &fields[index];
                    let value = self.read(cursor, &field.data_type, depth + 1);
                    items[index] = Some(value.map_err(|flaw| flaw.in_column(&field.name))?);
                    found += 1;
                    Ok(())
                }
                _ => cursor.skip(depth + 1),
            }
        })?;
        if self.options.fail_on_missing_field {
            let present = if self.options.by_token { found } else { items.iter().flatten().count() };
            if present < fields.len() {
                let missing = fields.iter().zip(&items).find(|(_, item)| item.is_none());
                return Err(missing_field(start, missing.map_or("", |(field, _)| &field.name)));
            }
        }
        Ok(Value::list(items.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>()))
    }
}

/// Reads a value of a common form straight from the bytes into its place; gives where it ends. The rest
/// is left to [`Values::read`].
#[inline]
pub(super) fn scan(slot: &mut Value, text: &str, at: usize, kind: &TypeKind) -> Option<usize> {
    let bytes = text.as_bytes();
    match *kind {
        TypeKind::VarChar(_) | TypeKind::Char(_) => {
            let (string, end) = plain_string(text, at)?;
            slot.set_string(string);
            Some(end)
        }
        TypeKind::BigInt | TypeKind::Int => {
            let (number, end) = scan_integer(bytes, at)?;
            let is_in_range = matches!(kind, TypeKind::BigInt) || i32::try_from(number).is_ok();
            if !is_in_range || !is_boundary(bytes, end) {
                return None;
            }
            *slot = Value::integer(number);
            Some(end)
        }
        TypeKind::Decimal { precision, scale } => {
            let (unscaled, end) = scan_decimal(bytes, at, scale)?;
            if !is_boundary(bytes, end) {
                return None;
            }
            *slot = decimal_value(unscaled, precision, scale);
            Some(end)
        }
        _ => None,
    }
}

/// A field that each line must have is not there.
pub(super) fn missing_field(at: usize, name: &str) -> Flaw {
    Flaw::new(at, format!("field \"{name}\" is missing"))
        .with_hint("Without 'json.fail-on-missing-field' it is read as NULL.")
}

/// The text of a scalar.
fn text_of<'s>(token: &Token<'s>) -> Option<&'s str> {
    match token {
        Token::String(text) | Token::Number(text) => Some(text),
        Token::Boolean(_) | Token::Null | Token::Open => None,
    }
}

/// The integer of a number. One with a fraction or an exponent goes through a DOUBLE and loses its
/// fraction, but is no integer of fewer than 32 bits.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "Java goes through a DOUBLE"
)]
fn integer_of(number: &str, kind: &TypeKind, range: (i64, i64)) -> Option<i64> {
    if !number.contains(['.', 'e', 'E']) {
        return parse_integer(number, range);
    }
    if matches!(kind, TypeKind::TinyInt | TypeKind::SmallInt) {
        return None;
    }
    let number: f64 = number.parse().ok()?;
    (number >= range.0 as f64 && number <= range.1 as f64).then_some(number as i64)
}
