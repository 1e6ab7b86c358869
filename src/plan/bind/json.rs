//! Calls of JSON functions, whose clauses become arguments.
//!
//! Which argument is what is said at the functions, in `expr::function::json`.

use sqlparser::ast::{Expr as Ast, Function, FunctionArg, FunctionArgExpr, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::Binder;
use super::expr::{ExprBinder, scalar_args};
use super::literal;
use crate::expr::{Expr, ExprKind};
use crate::sql::{self, JsonBehavior, JsonNull, JsonOptions, JsonWrapper};
use crate::value::{DataType, Value};

/// Binds a call if it is one of a JSON function.
pub(super) fn bind(
    binder: &mut ExprBinder<'_, '_>,
    ast: &Ast,
    call: &Function,
    name: &str,
) -> Option<Result<Expr, PlanError>> {
    let (positional, options) = sql::json_options(call);
    let args = match name {
        "JSON_VALUE" | "JSON_QUERY" | "JSON_EXISTS" => query(binder, ast, name, &positional, &options),
        "JSON_OBJECT" => construction(binder, ast, &positional, options.on_null.unwrap_or(JsonNull::Null)),
        "JSON_ARRAY" => construction(binder, ast, &positional, options.on_null.unwrap_or(JsonNull::Absent)),
        _ => return None,
    };
    Some(args.and_then(|args| Expr::call(name, args).map_err(|error| Binder::call_error(error, ast))))
}

fn query(
    binder: &mut ExprBinder<'_, '_>,
    ast: &Ast,
    name: &str,
    positional: &[&FunctionArg],
    options: &JsonOptions<'_>,
) -> Result<Vec<Expr>, PlanError> {
    let positional: Vec<_> = positional.iter().map(|arg| expr_of(ast, arg)).collect::<Result<_, _>>()?;
    let mut args: Vec<_> = positional.iter().map(|arg| binder.bind(arg)).collect::<Result<_, _>>()?;
    if *options == JsonOptions::default() {
        return Ok(args);
    }
    if name == "JSON_EXISTS" {
        args.push(action(options.on_error.as_ref()));
        return Ok(args);
    }
    let returning = match options.returning {
        Some(data_type) => sql::data_type(data_type).map_err(|error| Binder::syntax(&error))?,
        None => DataType::string(),
    };
    args.push(Expr::literal(Value::NULL, returning.with_nullable(true)));
    if name == "JSON_QUERY" {
        args.push(literal::string(match options.wrapper {
            None | Some(JsonWrapper::Without) => "WITHOUT",
            Some(JsonWrapper::Conditional) => "CONDITIONAL",
            Some(JsonWrapper::Unconditional) => "UNCONDITIONAL",
        }));
    } else if options.wrapper.is_some() {
        return Err(PlanErrorKind::unsupported(format!("a WRAPPER in {name}")).at(ast.span()));
    }
    for behavior in [options.on_empty.as_ref(), options.on_error.as_ref()] {
        args.push(action(behavior));
        if name == "JSON_VALUE" {
            args.push(match behavior {
                Some(JsonBehavior::Default(value)) => default(binder, value)?,
                _ => Expr::null(),
            });
        }
    }
    Ok(args)
}

/// What happens, as a literal.
fn action(behavior: Option<&JsonBehavior<'_>>) -> Expr {
    literal::string(match behavior {
        // The standard's default of JSON_EXISTS is FALSE, all others have NULL.
        None | Some(JsonBehavior::Null) => "NULL",
        Some(JsonBehavior::Error) => "ERROR",
        Some(JsonBehavior::Default(_)) => "DEFAULT",
        Some(JsonBehavior::EmptyArray) => "EMPTY ARRAY",
        Some(JsonBehavior::EmptyObject) => "EMPTY OBJECT",
        Some(JsonBehavior::True) => "TRUE",
        Some(JsonBehavior::False) => "FALSE",
        Some(JsonBehavior::Unknown) => "UNKNOWN",
    })
}

/// A default has to be a literal; Flink makes one of the cast of a literal.
fn default(binder: &mut ExprBinder<'_, '_>, value: &Ast) -> Result<Expr, PlanError> {
    let value = binder.bind(value)?;
    let is_cast = matches!(&value.kind, ExprKind::Cast { input, .. } if input.is_constant());
    Ok(if is_cast { value.fold(&binder.binder.context) } else { value })
}

fn construction(
    binder: &mut ExprBinder<'_, '_>,
    ast: &Ast,
    positional: &[&FunctionArg],
    on_null: JsonNull,
) -> Result<Vec<Expr>, PlanError> {
    let mut forms = String::new();
    let mut items = Vec::new();
    for arg in positional {
        let value = match arg {
            FunctionArg::ExprNamed { name, arg: FunctionArgExpr::Expr(value), .. } => {
                items.push(binder.bind(name)?);
                value
            }
            arg => expr_of(ast, arg)?,
        };
        let (form, value) = form(ast, value)?;
        forms.push(form);
        items.push(binder.bind(value)?);
    }
    let on_null = match on_null {
        JsonNull::Null => "NULL",
        JsonNull::Absent => "ABSENT",
    };
    let mut args = vec![literal::string(on_null), literal::string(&forms)];
    args.append(&mut items);
    Ok(args)
}

/// How a value becomes part of the JSON: its letter, and the expression whose value it is.
fn form<'a>(ast: &Ast, value: &'a Ast) -> Result<(char, &'a Ast), PlanError> {
    match value {
        Ast::Nested(inner) => form(ast, inner),
        Ast::Function(call) => match call.name.to_string().to_uppercase().as_str() {
            "JSON_OBJECT" | "JSON_ARRAY" => Ok(('j', value)),
            "JSON" => match scalar_args(ast, call)?[..] {
                [text] => Ok(('p', text)),
                _ => Ok(('v', value)),
            },
            _ => Ok(('v', value)),
        },
        _ => Ok(('v', value)),
    }
}

fn expr_of<'a>(ast: &Ast, arg: &'a FunctionArg) -> Result<&'a Ast, PlanError> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Ok(expr),
        _ => Err(PlanErrorKind::unsupported(format!("the argument {arg}")).at(ast.span())),
    }
}
