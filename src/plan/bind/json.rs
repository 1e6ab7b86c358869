//! Calls of JSON functions, whose clauses become arguments. Which argument says what is told at
//! the functions themselves.

use sqlparser::ast::{DataType as AstType, Expr as Ast, Function, FunctionArg, FunctionArgExpr, Spanned};

use super::super::error::{PlanError, PlanErrorKind};
use super::Binder;
use super::expr::ExprBinder;
use super::literal::string;
use crate::expr::Expr;
use crate::expr::function::TypeMismatch;
use crate::sql::{self, JsonBehavior, JsonNull, JsonOptions, JsonWrapper, json_options};
use crate::value::{DataType, Value};

type Bound = Result<Expr, PlanError>;

impl ExprBinder<'_, '_> {
    /// Binds a call if it is one of a JSON function.
    pub(super) fn json_function(&mut self, ast: &Ast, call: &Function, name: &str) -> Option<Bound> {
        let (args, options) = json_options(call);
        Some(match name {
            "JSON_VALUE" => self.json_value(ast, &args, &options),
            "JSON_QUERY" => self.json_query(ast, &args, &options),
            "JSON_EXISTS" => self.json_exists(ast, &args, &options),
            "JSON_OBJECT" | "JSON_ARRAY" => self.json_construction(ast, name, &args, &options),
            _ => return None,
        })
    }

    fn json_value(&mut self, ast: &Ast, args: &[&FunctionArg], options: &JsonOptions<'_>) -> Bound {
        let mut bound = self.json_path("JSON_VALUE", args, ast)?;
        bound.push(returning(options.returning)?);
        for behavior in [&options.on_empty, &options.on_error] {
            let (word, default) = match behavior {
                None | Some(JsonBehavior::Null) => ("NULL", Expr::null()),
                Some(JsonBehavior::Error) => ("ERROR", Expr::null()),
                Some(JsonBehavior::Default(value)) => ("DEFAULT", self.json_default(value)?),
                Some(_) => return Err(misplaced("JSON_VALUE", "NULL, ERROR or DEFAULT value", ast)),
            };
            bound.push(string(word));
            bound.push(default);
        }
        apply("JSON_VALUE", bound, ast)
    }

    /// A default, which is a literal or a cast of one.
    fn json_default(&mut self, value: &Ast) -> Bound {
        let bound = self.bind(value)?;
        Ok(match value {
            Ast::Cast { .. } | Ast::UnaryOp { .. } => bound.fold(&self.binder.context),
            _ => bound,
        })
    }

    fn json_query(&mut self, ast: &Ast, args: &[&FunctionArg], options: &JsonOptions<'_>) -> Bound {
        let mut bound = self.json_path("JSON_QUERY", args, ast)?;
        bound.push(returning(options.returning)?);
        bound.push(string(match options.wrapper {
            None | Some(JsonWrapper::Without) => "WITHOUT",
            Some(JsonWrapper::Conditional) => "CONDITIONAL",
            Some(JsonWrapper::Unconditional) => "UNCONDITIONAL",
        }));
        for behavior in [&options.on_empty, &options.on_error] {
            bound.push(string(match behavior {
                None | Some(JsonBehavior::Null) => "NULL",
                Some(JsonBehavior::Error) => "ERROR",
                Some(JsonBehavior::EmptyArray) => "EMPTY ARRAY",
                Some(JsonBehavior::EmptyObject) => "EMPTY OBJECT",
                Some(_) => {
                    let known = "NULL, ERROR, EMPTY ARRAY or EMPTY OBJECT";
                    return Err(misplaced("JSON_QUERY", known, ast));
                }
            }));
        }
        apply("JSON_QUERY", bound, ast)
    }

    fn json_exists(&mut self, ast: &Ast, args: &[&FunctionArg], options: &JsonOptions<'_>) -> Bound {
        let mut bound = self.json_path("JSON_EXISTS", args, ast)?;
        bound.push(string(match &options.on_error {
            None | Some(JsonBehavior::False) => "FALSE",
            Some(JsonBehavior::True) => "TRUE",
            Some(JsonBehavior::Unknown) => "UNKNOWN",
            Some(JsonBehavior::Error) => "ERROR",
            Some(_) => return Err(misplaced("JSON_EXISTS", "TRUE, FALSE, UNKNOWN or ERROR", ast)),
        }));
        apply("JSON_EXISTS", bound, ast)
    }

    /// The text and the path.
    fn json_path(&mut self, name: &str, args: &[&FunctionArg], ast: &Ast) -> Result<Vec<Expr>, PlanError> {
        if args.len() != 2 {
            let mismatch = TypeMismatch::new(format!("{name} takes a text and a path"));
            let mismatch = mismatch.or(format!("Write {name}(json, '$.field')."));
            return Err(PlanErrorKind::from(mismatch).at(ast.span()));
        }
        args.iter().map(|arg| self.bind(plain(arg)?)).collect()
    }

    /// `JSON_OBJECT` and `JSON_ARRAY`: how NULL is taken and the form of each value come first.
    fn json_construction(
        &mut self,
        ast: &Ast,
        name: &str,
        args: &[&FunctionArg],
        options: &JsonOptions<'_>,
    ) -> Bound {
        let absent = match options.on_null {
            Some(JsonNull::Null) => false,
            Some(JsonNull::Absent) => true,
            None => name == "JSON_ARRAY",
        };
        let (mut forms, mut bound) = (String::new(), Vec::new());
        for arg in args {
            let value = match arg {
                FunctionArg::ExprNamed { name: key, arg: FunctionArgExpr::Expr(value), .. } => {
                    bound.push(self.bind(key)?);
                    value
                }
                arg => plain(arg)?,
            };
            let (form, value) = form_of(value);
            forms.push(form);
            bound.push(self.bind(value)?);
        }
        let first = [string(if absent { "ABSENT" } else { "NULL" }), string(&forms)];
        apply(name, first.into_iter().chain(bound).collect(), ast)
    }
}

/// The arguments of a JSON aggregate, the name that its clause gives it, and whether its values are
/// JSON already.
pub(super) fn aggregate_parts<'a>(
    call: &'a Function,
    name: &str,
) -> Result<(String, Vec<&'a Ast>, bool), PlanError> {
    let (args, options) = json_options(call);
    let mut asts = Vec::new();
    for arg in args {
        match arg {
            FunctionArg::ExprNamed { name: key, arg: FunctionArgExpr::Expr(value), .. } => {
                asts.extend([key, value]);
            }
            arg => asts.push(plain(arg)?),
        }
    }
    let suffix = match options.on_null {
        Some(JsonNull::Null) => "_NULL_ON_NULL",
        Some(JsonNull::Absent) => "_ABSENT_ON_NULL",
        None => "",
    };
    let is_json = asts.last().is_some_and(|value| form_of(value).0 == 'j');
    Ok((format!("{name}{suffix}"), asts, is_json))
}

/// How a value goes into JSON, and what of it is passed.
fn form_of(value: &Ast) -> (char, &Ast) {
    let Ast::Function(call) = value else { return ('v', value) };
    match call.name.to_string().to_uppercase().as_str() {
        "JSON_OBJECT" | "JSON_ARRAY" => ('j', value),
        "JSON" => match json_options(call).0[..] {
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(text))] => ('p', text),
            _ => ('v', value),
        },
        _ => ('v', value),
    }
}

/// A NULL of the type to return.
fn returning(data_type: Option<&AstType>) -> Bound {
    let data_type = match data_type {
        Some(data_type) => sql::data_type(data_type).map_err(|error| Binder::syntax(&error))?,
        None => DataType::string(),
    };
    Ok(Expr::literal(Value::NULL, data_type.with_nullable(true)))
}

fn plain(arg: &FunctionArg) -> Result<&Ast, PlanError> {
    match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(ast)) => Ok(ast),
        other => {
            let what = format!("the argument {other}");
            Err(PlanErrorKind::refused(what, "Give a value in its place.").at(other.span()))
        }
    }
}

fn misplaced(function: &str, known: &str, ast: &Ast) -> PlanError {
    let problem = format!("ON EMPTY or ON ERROR of {function} says what this function cannot give");
    PlanErrorKind::from(TypeMismatch::new(problem).or(format!("It is {known}."))).at(ast.span())
}

fn apply(name: &str, args: Vec<Expr>, ast: &Ast) -> Bound {
    Expr::call(name, args).map_err(|error| Binder::call_error(error, ast))
}
