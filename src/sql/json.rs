//! The JSON functions, whose arguments have clauses of their own.
//!
//! In the tree they are ordinary calls. Clauses that the tree cannot hold become arguments with made-up
//! names behind the others; [`json_options`] reads them back, so that nobody else knows their form.

use sqlparser::ast::{
    DataType, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgOperator, FunctionArgumentClause,
    FunctionArgumentList, FunctionArguments, Ident, JsonNullClause, JsonReturningClause, ObjectName, Value,
};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

use super::tokens::MADE_UP;

/// The clauses of a call of a JSON function.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JsonOptions<'a> {
    /// `RETURNING type`
    pub returning: Option<&'a DataType>,
    /// `… ON EMPTY`
    pub on_empty: Option<JsonBehavior<'a>>,
    /// `… ON ERROR`
    pub on_error: Option<JsonBehavior<'a>>,
    /// `… WRAPPER` of `JSON_QUERY`
    pub wrapper: Option<JsonWrapper>,
    /// `NULL ON NULL` or `ABSENT ON NULL` of the constructors.
    pub on_null: Option<JsonNull>,
}

/// What a JSON function gives when there is nothing, or an error.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonBehavior<'a> {
    /// `NULL`
    Null,
    /// `ERROR`
    Error,
    /// `DEFAULT x`
    Default(&'a Expr),
    /// `EMPTY ARRAY`
    EmptyArray,
    /// `EMPTY OBJECT`
    EmptyObject,
    /// `TRUE`
    True,
    /// `FALSE`
    False,
    /// `UNKNOWN`
    Unknown,
}

/// Whether `JSON_QUERY` wraps its result in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonWrapper {
    /// `WITHOUT ARRAY WRAPPER`
    Without,
    /// `WITH CONDITIONAL ARRAY WRAPPER`
    Conditional,
    /// `WITH UNCONDITIONAL ARRAY WRAPPER`, also what `WITH WRAPPER` means.
    Unconditional,
}

/// What a JSON constructor does with a NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonNull {
    /// `NULL ON NULL`: it becomes a JSON null.
    Null,
    /// `ABSENT ON NULL`: it is left out.
    Absent,
}

/// The names of made-up arguments.
const BEHAVIORS: [&str; 8] =
    ["NULL", "ERROR", "DEFAULT", "EMPTY ARRAY", "EMPTY OBJECT", "TRUE", "FALSE", "UNKNOWN"];
const WRAPPERS: [(&str, JsonWrapper); 3] = [
    ("WITHOUT WRAPPER", JsonWrapper::Without),
    ("CONDITIONAL WRAPPER", JsonWrapper::Conditional),
    ("UNCONDITIONAL WRAPPER", JsonWrapper::Unconditional),
];

/// The positional arguments of a JSON function and its clauses.
///
/// The entries of `JSON_OBJECT` and `JSON_OBJECTAGG` are among the arguments, as
/// [`FunctionArg::ExprNamed`] with the key as the name.
pub fn json_options(call: &Function) -> (Vec<&FunctionArg>, JsonOptions<'_>) {
    let mut options = JsonOptions::default();
    let FunctionArguments::List(list) = &call.args else { return (vec![], options) };
    for clause in &list.clauses {
        match clause {
            FunctionArgumentClause::JsonReturningClause(returning) => {
                options.returning = Some(&returning.data_type);
            }
            FunctionArgumentClause::JsonNullClause(JsonNullClause::NullOnNull) => {
                options.on_null = Some(JsonNull::Null);
            }
            FunctionArgumentClause::JsonNullClause(JsonNullClause::AbsentOnNull) => {
                options.on_null = Some(JsonNull::Absent);
            }
            _ => {}
        }
    }
    let mut positional = Vec::new();
    for arg in &list.args {
        let FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } = arg else {
            positional.push(arg);
            continue;
        };
        if let Some(behavior) = name.value.strip_suffix(" ON EMPTY") {
            options.on_empty = decode(behavior, value);
        } else if let Some(behavior) = name.value.strip_suffix(" ON ERROR") {
            options.on_error = decode(behavior, value);
        } else {
            options.wrapper = WRAPPERS.iter().find(|(text, _)| *text == name.value).map(|(_, w)| *w);
        }
    }
    (positional, options)
}

fn decode<'a>(behavior: &str, value: &'a Expr) -> Option<JsonBehavior<'a>> {
    Some(match behavior {
        "NULL" => JsonBehavior::Null,
        "ERROR" => JsonBehavior::Error,
        "DEFAULT" => JsonBehavior::Default(value),
        "EMPTY ARRAY" => JsonBehavior::EmptyArray,
        "EMPTY OBJECT" => JsonBehavior::EmptyObject,
        "TRUE" => JsonBehavior::True,
        "FALSE" => JsonBehavior::False,
        "UNKNOWN" => JsonBehavior::Unknown,
        _ => return None,
    })
}

pub(super) fn is_json_call(upper: &str) -> bool {
    matches!(
        upper,
        "JSON_VALUE"
            | "JSON_QUERY"
            | "JSON_EXISTS"
            | "JSON_OBJECT"
            | "JSON_ARRAY"
            | "JSON_OBJECTAGG"
            | "JSON_ARRAYAGG"
    )
}

/// A call of a JSON function, from its name on.
pub(super) fn parse_call(p: &mut Parser<'_>, upper: &str) -> Result<Expr, ParserError> {
    let name = p.parse_identifier()?;
    p.expect_token(&Token::LParen)?;
    let mut args = Vec::new();
    let mut clauses = Vec::new();
    match upper {
        "JSON_VALUE" | "JSON_QUERY" | "JSON_EXISTS" => {
            args = p.parse_comma_separated(unnamed)?;
            if word_at(p, 0) == "RETURNING" {
                p.advance_token();
                let data_type = p.parse_data_type()?;
                clauses.push(FunctionArgumentClause::JsonReturningClause(JsonReturningClause { data_type }));
            }
            args.extend(parse_wrapper(p));
            while p.peek_token_ref().token != Token::RParen {
                args.push(parse_behavior(p)?);
            }
        }
        _ => {
            let keyed = upper.starts_with("JSON_OBJECT");
            let entry = if keyed { parse_entry } else { unnamed };
            let empty = p.peek_token_ref().token == Token::RParen || peek_null_clause(p).is_some();
            if !empty {
                args = p.parse_comma_separated(entry)?;
            }
            if let Some(clause) = peek_null_clause(p) {
                (0..3).for_each(|_| p.advance_token());
                clauses.push(FunctionArgumentClause::JsonNullClause(clause));
            }
        }
    }
    p.expect_token(&Token::RParen)?;
    let filter = if p.parse_keyword(Keyword::FILTER) {
        p.expect_token(&Token::LParen)?;
        p.expect_keyword(Keyword::WHERE)?;
        let filter = p.parse_expr()?;
        p.expect_token(&Token::RParen)?;
        Some(Box::new(filter))
    } else {
        None
    };
    Ok(Expr::Function(Function {
        name: ObjectName::from(vec![name]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses }),
        within_group: vec![],
        filter,
        null_treatment: None,
        over: None,
    }))
}

fn unnamed(p: &mut Parser<'_>) -> Result<FunctionArg, ParserError> {
    Ok(FunctionArg::Unnamed(FunctionArgExpr::Expr(p.parse_expr()?)))
}

/// `[KEY] 'k' VALUE v`, or `'k': v`
fn parse_entry(p: &mut Parser<'_>) -> Result<FunctionArg, ParserError> {
    if word_at(p, 0) == "KEY" && word_at(p, 1) != "VALUE" {
        p.next_token();
    }
    let name = p.parse_expr()?;
    if !p.consume_token(&Token::Colon) {
        p.expect_keyword(Keyword::VALUE)?;
    }
    let arg = FunctionArgExpr::Expr(p.parse_expr()?);
    Ok(FunctionArg::ExprNamed { name, arg, operator: FunctionArgOperator::Value })
}

fn word_at(p: &Parser<'_>, n: usize) -> String {
    match &p.peek_nth_token_ref(n).token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_ascii_uppercase(),
        _ => String::new(),
    }
}

fn peek_null_clause(p: &Parser<'_>) -> Option<JsonNullClause> {
    if word_at(p, 1) != "ON" || word_at(p, 2) != "NULL" {
        return None;
    }
    match word_at(p, 0).as_str() {
        "NULL" => Some(JsonNullClause::NullOnNull),
        "ABSENT" => Some(JsonNullClause::AbsentOnNull),
        _ => None,
    }
}

fn made_up(name: String, value: Expr) -> FunctionArg {
    let name = Ident::with_quote(MADE_UP, name);
    FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), operator: FunctionArgOperator::Space }
}

/// `WITHOUT [ARRAY] WRAPPER`, `WITH [CONDITIONAL | UNCONDITIONAL] [ARRAY] WRAPPER`
fn parse_wrapper(p: &mut Parser<'_>) -> Option<FunctionArg> {
    let words: Vec<String> = (0..4).map(|n| word_at(p, n)).collect();
    let length = words.iter().position(|word| word == "WRAPPER")? + 1;
    let wrapper = match (words[0].as_str(), words[1].as_str()) {
        ("WITHOUT", _) => "WITHOUT WRAPPER",
        ("WITH", "CONDITIONAL") => "CONDITIONAL WRAPPER",
        ("WITH", _) => "UNCONDITIONAL WRAPPER",
        _ => return None,
    };
    (0..length).for_each(|_| p.advance_token());
    Some(made_up(wrapper.to_string(), Expr::Value(Value::Null.into())))
}

/// `NULL ON EMPTY`, `DEFAULT 'x' ON ERROR`, `EMPTY ARRAY ON EMPTY`, …
fn parse_behavior(p: &mut Parser<'_>) -> Result<FunctionArg, ParserError> {
    let (first, second) = (word_at(p, 0), word_at(p, 1));
    let behavior = BEHAVIORS.iter().find(|b| match b.split_once(' ') {
        Some((one, two)) => first == one && second == two,
        None => first == **b,
    });
    let Some(behavior) = behavior else {
        return p.expected_ref("a closing parenthesis, or … ON EMPTY or … ON ERROR", p.peek_token_ref());
    };
    behavior.split(' ').for_each(|_| p.advance_token());
    let value = if *behavior == "DEFAULT" { p.parse_expr()? } else { Expr::Value(Value::Null.into()) };
    p.expect_keyword(Keyword::ON)?;
    let event = match word_at(p, 0).as_str() {
        "EMPTY" => "EMPTY",
        "ERROR" => "ERROR",
        _ => return p.expected_ref("EMPTY or ERROR", p.peek_token_ref()),
    };
    p.advance_token();
    Ok(made_up(format!("{behavior} ON {event}"), value))
}

#[cfg(test)]
mod tests;
