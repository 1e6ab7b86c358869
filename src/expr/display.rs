//! Expressions in SQL's notation.

use std::fmt;

use jiff::tz::TimeZone;

use super::{Expr, ExprKind};
use crate::value::display::write_value;
use crate::value::{DataType, TypeKind, Value};

/// An expression to be written in SQL's notation, with the names of its columns.
#[derive(Debug, Clone, Copy)]
pub struct ExprDisplay<'a> {
    expr: &'a Expr,
    names: &'a [&'a str],
}

impl Expr {
    /// The expression in SQL's notation: `(v > 10)`, `CAST(id AS STRING)`, `UPPER(region)`. A
    /// column without a name is written by its position, `$3`.
    pub fn display<'a>(&'a self, names: &'a [&'a str]) -> ExprDisplay<'a> {
        ExprDisplay { expr: self, names }
    }
}

impl ExprDisplay<'_> {
    fn of<'a>(&'a self, expr: &'a Expr) -> ExprDisplay<'a> {
        ExprDisplay { expr, names: self.names }
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, args: &[Expr], separator: &str) -> fmt::Result {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                f.write_str(separator)?;
            }
            write!(f, "{}", self.of(arg))?;
        }
        Ok(())
    }

    fn call(&self, f: &mut fmt::Formatter<'_>, name: &str, args: &[Expr]) -> fmt::Result {
        let prefix = |f: &mut fmt::Formatter<'_>, arg| write!(f, "{name}{}", self.of(arg));
        match (name, args) {
            ("NOT", [arg]) => write!(f, "(NOT {})", self.of(arg)),
            ("+" | "-", [arg]) => prefix(f, arg),
            ("LIKE" | "SIMILAR TO", [text, pattern, escape]) => {
                write!(f, "({} {name} {} ESCAPE {})", self.of(text), self.of(pattern), self.of(escape))
            }
            (
                "+"
                | "-"
                | "*"
                | "/"
                | "%"
                | "||"
                | "LIKE"
                | "SIMILAR TO"
                | "IS DISTINCT FROM"
                | "IS NOT DISTINCT FROM",
                [left, right],
            ) => write!(f, "({} {name} {})", self.of(left), self.of(right)),
            (name, [arg]) if name.starts_with("IS ") => write!(f, "({} {name})", self.of(arg)),
            ("ITEM", [container, index]) => write!(f, "{}[{}]", self.of(container), self.of(index)),
            ("ARRAY" | "MAP", args) => {
                write!(f, "{name}[")?;
                self.list(f, args, ", ")?;
                f.write_str("]")
            }
            ("CURRENT_DATE" | "CURRENT_TIME" | "LOCALTIME" | "CURRENT_TIMESTAMP" | "LOCALTIMESTAMP", []) => {
                f.write_str(name)
            }
            (name, args) => {
                write!(f, "{name}(")?;
                self.list(f, args, ", ")?;
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for ExprDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.expr.kind {
            ExprKind::Column(index) => match self.names.get(*index) {
                Some(name) => f.write_str(name),
                None => write!(f, "${index}"),
            },
            ExprKind::Literal(value) => write_literal(f, value, &self.expr.data_type),
            ExprKind::Cast { input, lenient } => {
                let name = if *lenient { "TRY_CAST" } else { "CAST" };
                write!(f, "{name}({} AS {})", self.of(input), self.expr.data_type.kind)
            }
            ExprKind::Compare(operator, left, right) => {
                write!(f, "({} {} {})", self.of(left), operator.sign(), self.of(right))
            }
            ExprKind::And(args) | ExprKind::Or(args) => {
                let and = matches!(self.expr.kind, ExprKind::And(_));
                f.write_str("(")?;
                self.list(f, args, if and { " AND " } else { " OR " })?;
                f.write_str(")")
            }
            ExprKind::Case { branches, otherwise } => {
                f.write_str("CASE")?;
                for (condition, result) in branches {
                    write!(f, " WHEN {} THEN {}", self.of(condition), self.of(result))?;
                }
                write!(f, " ELSE {} END", self.of(otherwise))
            }
            ExprKind::Field { input, index } => {
                let name = match &input.data_type.kind {
                    TypeKind::Row(fields) => fields.get(*index).map(|field| field.name.as_str()),
                    _ => None,
                };
                write!(f, "{}.{}", self.of(input), name.unwrap_or("?"))
            }
            ExprKind::Call { function, args, .. } => self.call(f, function.name, args),
        }
    }
}

/// A constant as SQL writes it; an instant is written in UTC.
fn write_literal(f: &mut fmt::Formatter<'_>, value: &Value, data_type: &DataType) -> fmt::Result {
    if value.is_null() {
        return f.write_str("NULL");
    }
    let mut text = String::new();
    write_value(&mut text, value, data_type, &TimeZone::UTC);
    match &data_type.kind {
        kind if kind.is_string() => write!(f, "'{}'", text.replace('\'', "''")),
        TypeKind::Date => write!(f, "DATE '{text}'"),
        TypeKind::Time(_) => write!(f, "TIME '{text}'"),
        TypeKind::Timestamp(_) => write!(f, "TIMESTAMP '{text}'"),
        TypeKind::TimestampLtz(_) => write!(f, "TIMESTAMP_LTZ '{text}'"),
        kind if kind.is_interval() => write!(f, "INTERVAL '{text}'"),
        _ => f.write_str(&text),
    }
}
