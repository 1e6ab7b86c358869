//! Calls of table functions, decoded: `FROM_CHANGELOG(…)`, `TUMBLE(…)`, `UNNEST(…)`.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArguments,
    Ident, ObjectName, ObjectNamePart, OrderByExpr, OrderBySort, Query, Spanned, TableAlias, TableFactor,
    Value, WindowType,
};

use super::error::ParseError;
use super::span::Span;

/// A call of a function that gives a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFunctionCall<'a> {
    /// The function.
    pub name: &'a ObjectName,
    /// Its arguments, in the order in which they are given. Positional ones come first.
    pub arguments: Vec<TableArgument<'a>>,
    /// Whether `LATERAL` was said.
    pub lateral: bool,
    /// Whether `WITH ORDINALITY` was said.
    pub with_ordinality: bool,
    /// The name that follows.
    pub alias: Option<&'a TableAlias>,
    /// Where the call stands, as far as the tree knows.
    pub span: Span,
}

/// An argument of a table function.
#[derive(Debug, Clone, PartialEq)]
pub struct TableArgument<'a> {
    /// The name, in `name => value`.
    pub name: Option<&'a Ident>,
    /// The value.
    pub value: ArgumentValue<'a>,
    /// Where the argument stands.
    pub span: Span,
}

/// The value of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentValue<'a> {
    /// A table, with the keys that distribute and order its rows.
    Table {
        /// Which rows.
        source: TableSource<'a>,
        /// `PARTITION BY`
        partition_by: Vec<&'a Expr>,
        /// `ORDER BY`
        order_by: Vec<SortKey<'a>>,
    },
    /// `DESCRIPTOR(a, b)`
    Descriptor(Vec<&'a Ident>),
    /// `DEFAULT`
    Default,
    /// Anything else.
    Scalar(&'a Expr),
}

/// Where a table argument gets its rows.
#[derive(Debug, Clone, PartialEq)]
pub enum TableSource<'a> {
    /// `TABLE name`
    Name(ObjectName),
    /// `TABLE (SELECT …)` or `(SELECT …)`
    Query(&'a Query),
}

/// A column by which a table argument is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortKey<'a> {
    /// The column.
    pub column: &'a Ident,
    /// Whether small values come first.
    pub ascending: bool,
    /// `NULLS FIRST` or `NULLS LAST`, if said.
    pub nulls_first: Option<bool>,
}

/// The call that an item of FROM is, or nothing if it is no call.
///
/// `f(x)`, `TABLE(f(x))`, `LATERAL TABLE(f(x))` and `LATERAL f(x)` are the same call. An error is an
/// argument that no function could take, for example one that is named with `=`.
pub fn table_function(factor: &TableFactor) -> Result<Option<TableFunctionCall<'_>>, ParseError> {
    match factor {
        TableFactor::Table { name, args: Some(args), alias, with_ordinality, .. } => {
            let call = TableFunctionCall {
                name,
                arguments: decode_arguments(args.args.iter(), true)?,
                lateral: false,
                with_ordinality: *with_ordinality,
                alias: alias.as_ref(),
                span: factor.span().into(),
            };
            Ok(Some(call))
        }
        TableFactor::Function { lateral, name, args, with_ordinality, alias } => {
            let is_table = matches!(&name.0[..], [ObjectNamePart::Identifier(name)]
                if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("TABLE"));
            let inner = match &args[..] {
                [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Function(inner)))] if is_table => {
                    Some(inner)
                }
                _ if is_table => return Err(no_call(factor)),
                _ => None,
            };
            let (name, arguments) = match inner {
                Some(inner) => (&inner.name, decode_arguments(list(inner).iter(), false)?),
                None => (name, decode_arguments(args.iter(), false)?),
            };
            Ok(Some(TableFunctionCall {
                name,
                arguments,
                lateral: *lateral,
                with_ordinality: *with_ordinality,
                alias: alias.as_ref(),
                span: factor.span().into(),
            }))
        }
        TableFactor::TableFunction { expr: Expr::Function(inner), alias } => Ok(Some(TableFunctionCall {
            name: &inner.name,
            arguments: decode_arguments(list(inner).iter(), true)?,
            lateral: false,
            with_ordinality: false,
            alias: alias.as_ref(),
            span: factor.span().into(),
        })),
        TableFactor::TableFunction { .. } => Err(no_call(factor)),
        _ => Ok(None),
    }
}

fn no_call(factor: &TableFactor) -> ParseError {
    ParseError::new("TABLE(…) in FROM wants the call of a function", factor.span())
        .with_hint("For a table, write its name without TABLE.")
}

fn list(call: &Function) -> &[FunctionArg] {
    match &call.args {
        FunctionArguments::List(list) => &list.args,
        FunctionArguments::None | FunctionArguments::Subquery(_) => &[],
    }
}

/// `closed` says that columns of other tables cannot be meant, so that `a = b` must be a misspelt `a => b`.
fn decode_arguments<'a>(
    args: impl Iterator<Item = &'a FunctionArg>,
    closed: bool,
) -> Result<Vec<TableArgument<'a>>, ParseError> {
    let mut arguments: Vec<TableArgument<'_>> = Vec::new();
    for arg in args {
        let argument = decode_argument(arg, closed)?;
        if let Some(error) = arguments.last().and_then(|before| second_key(before, &argument)) {
            return Err(error);
        }
        match argument.name {
            None if arguments.iter().any(|before| before.name.is_some()) => {
                return Err(ParseError::new(
                    "an argument without a name follows one with a name",
                    argument.span,
                )
                .with_hint("Name all arguments with =>, or none."));
            }
            Some(name) if arguments.iter().any(|a| a.name.is_some_and(|n| n.value == name.value)) => {
                let message = format!("argument \"{}\" is given twice", name.value);
                return Err(ParseError::new(message, name.span).with_hint("Leave one of them out."));
            }
            _ => arguments.push(argument),
        }
    }
    Ok(arguments)
}

/// `TABLE t PARTITION BY a, b`: the comma ended the argument, so that the second key looks like another one.
fn second_key(before: &TableArgument<'_>, argument: &TableArgument<'_>) -> Option<ParseError> {
    let ArgumentValue::Table { partition_by, order_by, .. } = &before.value else { return None };
    let (None, ArgumentValue::Scalar(Expr::Identifier(key))) = (argument.name, &argument.value) else {
        return None;
    };
    let (clause, first) = match (&order_by[..], &partition_by[..]) {
        ([first], _) => ("ORDER BY", first.column.to_string()),
        ([], [first]) => ("PARTITION BY", first.to_string()),
        _ => return None,
    };
    Some(
        ParseError::new("several keys need parentheses", argument.span)
            .with_hint(format!("Write {clause} ({first}, {key}).")),
    )
}

fn decode_argument(arg: &FunctionArg, closed: bool) -> Result<TableArgument<'_>, ParseError> {
    let (name, value) = match arg {
        FunctionArg::Named { name, arg, .. }
        | FunctionArg::ExprNamed {
            name: Expr::Identifier(name),
            arg,
            operator: FunctionArgOperator::RightArrow,
        } => (Some(name), arg),
        FunctionArg::ExprNamed { name, .. } => {
            return Err(ParseError::new("an argument has a name that is no name", name.span())
                .with_hint("Write name => value."));
        }
        FunctionArg::Unnamed(value) => (None, value),
    };
    let FunctionArgExpr::Expr(expr) = value else {
        let place = name.map_or_else(|| value.span(), |name| name.span);
        return Err(ParseError::new("* is no argument of a table function", place)
            .with_hint("A table is given as input => TABLE t."));
    };
    if let (None, true, Expr::BinaryOp { left, op: BinaryOperator::Eq, right }) = (name, closed, expr)
        && let Expr::Identifier(name) = &**left
    {
        return Err(ParseError::new("syntax error at or near \"=\"", expr.span())
            .with_hint(format!("An argument is named with =>: {name} => {right}.")));
    }
    let value_span = Span::from(expr.span());
    let span = match name.map(|name| Span::from(name.span)) {
        // Not every expression knows where it stands.
        Some(name) if value_span.is_nowhere() => name,
        Some(name) => name.union(value_span),
        None => value_span,
    };
    Ok(TableArgument { name, value: decode_value(expr)?, span })
}

fn decode_value(expr: &Expr) -> Result<ArgumentValue<'_>, ParseError> {
    match expr {
        Expr::Function(call) if is_call(call, "TABLE") => decode_table(call),
        Expr::Function(call) if is_call(call, "DESCRIPTOR") => {
            let columns = list(call).iter().map(|arg| match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(column))) => Ok(column),
                _ => Err(ParseError::new("DESCRIPTOR takes names of columns", arg.span())
                    .with_hint("Write DESCRIPTOR(column) without a type.")),
            });
            columns.collect::<Result<_, _>>().map(ArgumentValue::Descriptor)
        }
        Expr::Identifier(word)
            if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("DEFAULT") =>
        {
            Ok(ArgumentValue::Default)
        }
        _ => Ok(match subquery(expr) {
            Some(query) => {
                let source = TableSource::Query(query);
                ArgumentValue::Table { source, partition_by: vec![], order_by: vec![] }
            }
            None => ArgumentValue::Scalar(expr),
        }),
    }
}

fn is_call(call: &Function, word: &str) -> bool {
    matches!(&call.name.0[..], [ObjectNamePart::Identifier(name)]
        if name.quote_style.is_none() && name.value.eq_ignore_ascii_case(word))
}

/// A query in any number of parentheses.
fn subquery(expr: &Expr) -> Option<&Query> {
    match expr {
        Expr::Subquery(query) => Some(query),
        Expr::Nested(inner) => subquery(inner),
        _ => None,
    }
}

fn decode_table(call: &Function) -> Result<ArgumentValue<'_>, ParseError> {
    let source = match &call.args {
        FunctionArguments::Subquery(query) => TableSource::Query(query),
        FunctionArguments::List(list) => match &list.args[..] {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Identifier(name)))] => {
                TableSource::Name(ObjectName::from(vec![name.clone()]))
            }
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::CompoundIdentifier(names)))] => {
                TableSource::Name(ObjectName::from(names.clone()))
            }
            _ => return Err(no_table(call)),
        },
        FunctionArguments::None => return Err(no_table(call)),
    };
    let (partition_by, order_by) = match &call.over {
        Some(WindowType::WindowSpec(keys)) => (keys.partition_by.iter().collect(), &keys.order_by[..]),
        _ => (vec![], &[][..]),
    };
    let order_by = order_by.iter().map(sort_key).collect::<Result<_, _>>()?;
    Ok(ArgumentValue::Table { source, partition_by, order_by })
}

fn no_table(call: &Function) -> ParseError {
    ParseError::new("TABLE wants the name of a table", call.span()).with_hint("Write TABLE t, or (SELECT …).")
}

fn sort_key(key: &OrderByExpr) -> Result<SortKey<'_>, ParseError> {
    let Expr::Identifier(column) = &key.expr else {
        return Err(ParseError::new("ORDER BY of a table argument takes columns", key.expr.span())
            .with_hint("Compute the value in a subquery: (SELECT …, x AS key FROM t) ORDER BY key."));
    };
    let ascending = !matches!(key.options.sort, Some(OrderBySort::Desc));
    Ok(SortKey { column, ascending, nulls_first: key.options.nulls_first })
}

/// The text of a string literal.
pub fn string_literal(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        Expr::Nested(inner) => string_literal(inner),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
