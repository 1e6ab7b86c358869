//! Scalar expressions.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, CeilFloorKind, Expr as Ast, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, Ident, InTarget, Spanned, Subscript, TrimWhereField, UnaryOperator, Value as AstValue,
};

use super::super::error::{PlanError, PlanErrorKind};
use super::Binder;
use super::literal;
use super::scope::{Scope, field, span_of};
use super::select::Collected;
use crate::expr::{CallError, Comparison, Expr, function};
use crate::sql;
use crate::value::{DataType, TypeKind};

/// Binds expressions over the columns of a scope.
pub(super) struct ExprBinder<'a, 'b> {
    pub(super) binder: &'a Binder<'b>,
    pub(super) scope: &'a Scope,
    /// Where aggregate and window functions are collected; none where they are not allowed, with
    /// the name of the clause.
    pub(super) collect: Result<&'a mut Collected, &'static str>,
}

type Bound = Result<Expr, PlanError>;

impl ExprBinder<'_, '_> {
    /// Binds an expression.
    pub(super) fn bind(&mut self, ast: &Ast) -> Bound {
        match ast {
            Ast::Identifier(name) => self.identifier(name),
            Ast::CompoundIdentifier(parts) => self.column(parts),
            Ast::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain),
            Ast::Value(value) => literal::bind(value, self.binder.strict),
            Ast::TypedString(value) => literal::typed(value),
            Ast::Interval(value) => literal::interval(value),
            Ast::Nested(inner) => self.bind(inner),
            Ast::BinaryOp { left, op, right } => self.binary(ast, left, op, right),
            Ast::UnaryOp { op, expr } => self.unary(ast, *op, expr),
            Ast::IsNull(e) => self.call(ast, "IS NULL", &[e]),
            Ast::IsNotNull(e) => self.call(ast, "IS NOT NULL", &[e]),
            Ast::IsTrue(e) => self.call(ast, "IS TRUE", &[e]),
            Ast::IsNotTrue(e) => self.call(ast, "IS NOT TRUE", &[e]),
            Ast::IsFalse(e) => self.call(ast, "IS FALSE", &[e]),
            Ast::IsNotFalse(e) => self.call(ast, "IS NOT FALSE", &[e]),
            Ast::IsUnknown(e) => self.call(ast, "IS UNKNOWN", &[e]),
            Ast::IsNotUnknown(e) => self.call(ast, "IS NOT UNKNOWN", &[e]),
            Ast::IsDistinctFrom(a, b) => self.call(ast, "IS DISTINCT FROM", &[a, b]),
            Ast::IsNotDistinctFrom(a, b) => self.call(ast, "IS NOT DISTINCT FROM", &[a, b]),
            Ast::In { expr, target: InTarget::List(list), negated, .. } => {
                self.in_list(ast, expr, list, *negated)
            }
            Ast::Between { expr, negated, low, high } => self.between(ast, expr, *negated, low, high),
            Ast::Like { negated, expr, pattern, escape_char, .. } => {
                self.pattern(ast, "LIKE", *negated, expr, pattern, escape_char.as_deref())
            }
            Ast::SimilarTo { negated, expr, pattern, escape_char } => {
                self.pattern(ast, "SIMILAR TO", *negated, expr, pattern, escape_char.as_deref())
            }
            Ast::Case { operand, conditions, else_result, .. } => {
                self.case(ast, operand.as_deref(), conditions, else_result.as_deref())
            }
            Ast::Cast { kind, expr, data_type, .. } => {
                let input = self.bind(expr)?;
                let to = sql::data_type(data_type).map_err(|error| Binder::syntax(&error))?;
                let lenient = matches!(kind, CastKind::TryCast | CastKind::SafeCast);
                Expr::cast(input, to, lenient).map_err(|error| Binder::call_error(error, ast))
            }
            Ast::Function(function) => self.function(ast, function),
            Ast::Tuple(items) => {
                let items: Vec<&Ast> = items.iter().collect();
                self.call(ast, "ROW", &items)
            }
            Ast::Array(array) => self.call(ast, "ARRAY", &array.elem.iter().collect::<Vec<_>>()),
            Ast::Map(map) => {
                let entries: Vec<&Ast> =
                    map.entries.iter().flat_map(|entry| [&*entry.key, &*entry.value]).collect();
                self.call(ast, "MAP", &entries)
            }
            Ast::Extract { field, expr, .. } => {
                self.with_words(ast, "EXTRACT", &[&field.to_string()], &[expr])
            }
            Ast::Ceil { expr, field } => self.rounding(ast, "CEIL", expr, field),
            Ast::Floor { expr, field } => self.rounding(ast, "FLOOR", expr, field),
            Ast::Position { expr, r#in } => self.call(ast, "POSITION", &[expr, r#in]),
            Ast::Substring { expr, substring_from, substring_for, .. } => {
                let args = [Some(expr), substring_from.as_ref(), substring_for.as_ref()];
                self.call(ast, "SUBSTRING", &args.into_iter().flatten().map(|e| &**e).collect::<Vec<_>>())
            }
            Ast::Trim { trim_where, trim_what, expr, .. } => {
                self.trim(ast, *trim_where, trim_what.as_deref(), expr)
            }
            Ast::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let args = [Some(expr), Some(overlay_what), Some(overlay_from), overlay_for.as_ref()];
                self.call(ast, "OVERLAY", &args.into_iter().flatten().map(|e| &**e).collect::<Vec<_>>())
            }
            Ast::IsJson { expr, kind, negated, .. } => {
                let kind = kind.as_ref().map_or_else(|| "VALUE".to_owned(), ToString::to_string);
                let args = vec![self.bind(expr)?, literal::string(&kind.to_uppercase())];
                let found = Expr::call("IS JSON", args).map_err(|error| Binder::call_error(error, ast))?;
                if *negated {
                    Expr::not(found).map_err(|error| Binder::call_error(error, ast))
                } else {
                    Ok(found)
                }
            }
            Ast::Subquery(query) => self.scalar_sub_query(ast, query),
            Ast::Exists { subquery, negated } => self.exists(ast, subquery, *negated),
            Ast::In { expr, target: InTarget::Subquery(query), negated, .. } => {
                self.in_sub_query(ast, expr, query, *negated)
            }
            Ast::AnyOp { left, compare_op, right, .. } => {
                self.quantified(ast, left, compare_op, right, false)
            }
            Ast::AllOp { left, compare_op, right } => self.quantified(ast, left, compare_op, right, true),
            _ => {
                let (what, instead) = foreign(ast);
                Err(PlanErrorKind::refused(what, instead).at(ast.span()))
            }
        }
    }

    /// A column, or a function that is called without parentheses, such as `CURRENT_DATE`.
    fn identifier(&mut self, name: &Ident) -> Bound {
        let column = self.column(std::slice::from_ref(name));
        if column.is_err() && name.quote_style.is_none() && is_called_without_parentheses(&name.value) {
            return Expr::call(&name.value, Vec::new())
                .map(|call| call.written_at(self.binder.place_in_statement(name.span.into())))
                .map_err(|error| PlanErrorKind::Call(error).at(name.span));
        }
        column
    }

    /// What a name means, with a note of where it is read.
    fn column(&mut self, parts: &[Ident]) -> Bound {
        let expr = self.scope.resolve(parts)?;
        if let Ok(collected) = &mut self.collect {
            let span = span_of(parts);
            collected.places.extend(expr.columns().into_iter().map(|column| (column, span)));
        }
        Ok(expr)
    }

    fn bind_all(&mut self, asts: &[&Ast]) -> Result<Vec<Expr>, PlanError> {
        asts.iter().map(|ast| self.bind(ast)).collect()
    }

    fn call(&mut self, ast: &Ast, name: &str, args: &[&Ast]) -> Bound {
        let args = self.bind_all(args)?;
        Expr::call(name, args).map_err(|error| Binder::call_error(error, ast))
    }

    /// A call whose first arguments are words of the syntax, which become string literals.
    fn with_words(&mut self, ast: &Ast, name: &str, words: &[&str], args: &[&Ast]) -> Bound {
        let mut bound: Vec<Expr> = words.iter().map(|word| literal::string(&word.to_uppercase())).collect();
        bound.extend(self.bind_all(args)?);
        Expr::call(name, bound).map_err(|error| Binder::call_error(error, ast))
    }

    fn access(&mut self, root: &Ast, chain: &[AccessExpr]) -> Bound {
        // `t.r['k'].f` comes as one chain, whose first names may be a table and its column.
        let names = chain.iter().map_while(|access| match access {
            AccessExpr::Dot(Ast::Identifier(name)) => Some(name.clone()),
            _ => None,
        });
        let (mut value, rest) = match root {
            Ast::Identifier(first) => {
                let parts: Vec<Ident> = [first.clone()].into_iter().chain(names).collect();
                (self.column(&parts)?, &chain[parts.len() - 1..])
            }
            _ => (self.bind(root)?, chain),
        };
        for access in rest {
            value = match access {
                AccessExpr::Dot(Ast::Identifier(name)) => field(value, name)?,
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    let index_expr = self.bind(index)?;
                    Expr::item(value, index_expr).map_err(|error| Binder::call_error(error, index))?
                }
                AccessExpr::Dot(other) => {
                    let what = format!("a field called {other}");
                    return Err(PlanErrorKind::refused(what, "Write the field's name.").at(other.span()));
                }
                AccessExpr::Subscript(other) => {
                    let what = format!("the subscript [{other}]");
                    let instead = "Use ARRAY_SLICE(array, from, to).";
                    return Err(PlanErrorKind::refused(what, instead).at(root.span()));
                }
            };
        }
        Ok(value)
    }

    fn binary(&mut self, ast: &Ast, left: &Ast, op: &BinaryOperator, right: &Ast) -> Bound {
        if let (BinaryOperator::Overlaps, Ast::Tuple(first), Ast::Tuple(second)) = (op, left, right) {
            let ends: Vec<&Ast> = first.iter().chain(second).collect();
            return self.call(ast, "OVERLAPS", &ends);
        }
        let (l, r) = (self.bind(left)?, self.bind(right)?);
        if let Some(comparison) = comparison(op) {
            return Expr::compare(comparison, l, r).map_err(|error| Binder::call_error(error, ast));
        }
        match op {
            BinaryOperator::And => Expr::and(vec![condition("AND", l, left)?, condition("AND", r, right)?])
                .map_err(|error| Binder::call_error(error, ast)),
            BinaryOperator::Or => Expr::or(vec![condition("OR", l, left)?, condition("OR", r, right)?])
                .map_err(|error| Binder::call_error(error, ast)),
            BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
            | BinaryOperator::StringConcat => {
                Expr::call(&op.to_string(), vec![l, r]).map_err(|error| Binder::call_error(error, ast))
            }
            _ => {
                let what = format!("the operator {op}");
                let instead = "Use a function: SHOW FUNCTIONS lists them.";
                Err(PlanErrorKind::refused(what, instead).at(ast.span()))
            }
        }
    }

    fn unary(&mut self, ast: &Ast, op: UnaryOperator, inner: &Ast) -> Bound {
        if let Ast::Value(value) = inner
            && let Some(number) = literal::negative(op, value)
        {
            return number;
        }
        let operand = self.bind(inner)?;
        match op {
            UnaryOperator::Not => {
                Expr::not(condition("NOT", operand, inner)?).map_err(|error| Binder::call_error(error, ast))
            }
            UnaryOperator::Minus => {
                Expr::call("-", vec![operand]).map_err(|error| Binder::call_error(error, ast))
            }
            UnaryOperator::Plus => {
                Expr::call("+", vec![operand]).map_err(|error| Binder::call_error(error, ast))
            }
            _ => {
                let what = format!("the operator {op}");
                let instead = "Use a function: SHOW FUNCTIONS lists them.";
                Err(PlanErrorKind::refused(what, instead).at(ast.span()))
            }
        }
    }

    fn in_list(&mut self, ast: &Ast, expr: &Ast, list: &[Ast], negated: bool) -> Bound {
        let needle = self.bind(expr)?;
        let items = list.iter().map(|item| self.bind(item)).collect::<Result<_, _>>()?;
        let found = Expr::in_list(&needle, items).map_err(|error| Binder::call_error(error, ast))?;
        if negated { Expr::not(found).map_err(|error| Binder::call_error(error, ast)) } else { Ok(found) }
    }

    fn between(&mut self, ast: &Ast, expr: &Ast, negated: bool, low: &Ast, high: &Ast) -> Bound {
        let (value, low, high) = (self.bind(expr)?, self.bind(low)?, self.bind(high)?);
        let compare = |op, l, r| Expr::compare(op, l, r).map_err(|error| Binder::call_error(error, ast));
        if negated {
            let beyond = vec![
                compare(Comparison::Less, value.clone(), low)?,
                compare(Comparison::Greater, value, high)?,
            ];
            Expr::or(beyond).map_err(|error| Binder::call_error(error, ast))
        } else {
            let within = vec![
                compare(Comparison::GreaterOrEqual, value.clone(), low)?,
                compare(Comparison::LessOrEqual, value, high)?,
            ];
            Expr::and(within).map_err(|error| Binder::call_error(error, ast))
        }
    }

    fn pattern(
        &mut self,
        ast: &Ast,
        name: &str,
        negated: bool,
        expr: &Ast,
        pattern: &Ast,
        escape: Option<&Ast>,
    ) -> Bound {
        let args: Vec<&Ast> = [Some(expr), Some(pattern), escape].into_iter().flatten().collect();
        let matched = self.call(ast, name, &args)?;
        if negated { Expr::not(matched).map_err(|error| Binder::call_error(error, ast)) } else { Ok(matched) }
    }

    fn case(
        &mut self,
        ast: &Ast,
        operand: Option<&Ast>,
        conditions: &[sqlparser::ast::CaseWhen],
        otherwise: Option<&Ast>,
    ) -> Bound {
        let operand = operand.map(|operand| self.bind(operand)).transpose()?;
        let mut branches = Vec::with_capacity(conditions.len());
        for when in conditions {
            let found = self.bind(&when.condition)?;
            let found = match &operand {
                Some(operand) => Expr::compare(Comparison::Equal, operand.clone(), found)
                    .map_err(|error| Binder::call_error(error, &when.condition))?,
                None => condition("WHEN", found, &when.condition)?,
            };
            branches.push((found, self.bind(&when.result)?));
        }
        let otherwise = otherwise.map(|otherwise| self.bind(otherwise)).transpose()?;
        Expr::case(branches, otherwise).map_err(|error| Binder::call_error(error, ast))
    }

    fn rounding(&mut self, ast: &Ast, name: &str, expr: &Ast, field: &CeilFloorKind) -> Bound {
        match field {
            CeilFloorKind::DateTimeField(sqlparser::ast::DateTimeField::NoDateTime) => {
                self.call(ast, name, &[expr])
            }
            CeilFloorKind::DateTimeField(unit) => {
                let args = vec![self.bind(expr)?, literal::string(&unit.to_string().to_uppercase())];
                Expr::call(name, args).map_err(|error| Binder::call_error(error, ast))
            }
            CeilFloorKind::Scale(_) => {
                let what = format!("{name} with a number of digits");
                Err(PlanErrorKind::refused(what, "Use ROUND(number, digits).").at(ast.span()))
            }
        }
    }

    fn trim(&mut self, ast: &Ast, side: Option<TrimWhereField>, what: Option<&Ast>, text: &Ast) -> Bound {
        let side = match side {
            None | Some(TrimWhereField::Both) => "BOTH",
            Some(TrimWhereField::Leading) => "LEADING",
            Some(TrimWhereField::Trailing) => "TRAILING",
        };
        let what = what.map_or_else(|| Ok(literal::string(" ")), |what| self.bind(what))?;
        let args = vec![literal::string(side), what, self.bind(text)?];
        Expr::call("TRIM", args).map_err(|error| Binder::call_error(error, ast))
    }

    fn function(&mut self, ast: &Ast, call: &Function) -> Bound {
        let name = call.name.to_string().to_uppercase();
        if call.over.is_some() || super::window::is_window_function(&name) {
            return self.window_function(ast, call, &name);
        }
        if crate::expr::aggregate::is_aggregate(&name) {
            return self.aggregate_function(ast, call, &name);
        }
        if let "GROUPING" | "GROUPING_ID" | "GROUP_ID" = name.as_str() {
            return self.grouping_function(ast, call, &name);
        }
        if super::table_function::is_table_function(&name) {
            return Err(PlanErrorKind::MisplacedTableFunction { name }.at(ast.span()));
        }
        let instead = match name.as_str() {
            "ARRAY" => "Write ARRAY[a, b], or (SELECT ARRAY_AGG(x) FROM t) for the rows of a query.",
            "MULTISET" => "COLLECT(x) makes a MULTISET of the values of a column.",
            _ => "",
        };
        if !instead.is_empty() {
            return Err(PlanErrorKind::refused(format!("{name}(…)"), instead).at(ast.span()));
        }
        if function::find(&name).is_none() && !matches!(call.args, FunctionArguments::Subquery(_)) {
            // Its arguments may be right only for the function of another database.
            return Err(Self::no_such_function(ast, call));
        }
        super::aggregate::refuse_clauses(ast, call, &name, false)?;
        if let Some(json) = self.json_function(ast, call, &name) {
            return json;
        }
        let mut args = Vec::new();
        for (position, arg) in scalar_args(ast, call)?.into_iter().enumerate() {
            args.push(match arg {
                // TIMESTAMPADD(DAY, …): a unit is a word, not a column.
                Ast::Identifier(word) if position == 0 && takes_unit(&name) => {
                    literal::string(&word.value.to_uppercase())
                }
                arg => self.bind(arg)?,
            });
        }
        let bound = Expr::call(&name, args).map_err(|error| Binder::call_error(error, ast))?;
        Ok(bound.written_at(self.binder.place_in_statement(ast.span().into())))
    }

    /// The name as it was written is that of no function.
    pub(super) fn no_such_function(ast: &Ast, call: &Function) -> PlanError {
        Binder::call_error(CallError::no_such_function(&call.name.to_string()), ast)
    }
}

/// The comparison that an operator is.
pub(super) fn comparison(op: &BinaryOperator) -> Option<Comparison> {
    match op {
        BinaryOperator::Eq => Some(Comparison::Equal),
        BinaryOperator::NotEq => Some(Comparison::NotEqual),
        BinaryOperator::Lt => Some(Comparison::Less),
        BinaryOperator::LtEq => Some(Comparison::LessOrEqual),
        BinaryOperator::Gt => Some(Comparison::Greater),
        BinaryOperator::GtEq => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}

/// The arguments of an ordinary call.
pub(super) fn scalar_args<'a>(ast: &Ast, call: &'a Function) -> Result<Vec<&'a Ast>, PlanError> {
    let list = match &call.args {
        FunctionArguments::None => return Ok(Vec::new()),
        FunctionArguments::List(list) => list,
        FunctionArguments::Subquery(_) => {
            let instead = "Put the sub-query into parentheses of its own: f((SELECT …)).";
            return Err(PlanErrorKind::refused("a sub-query as an argument", instead).at(ast.span()));
        }
    };
    let arg = |arg: &'a FunctionArg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Ok(expr),
        _ => Err(strange_argument(arg, ast)),
    };
    list.args.iter().map(arg).collect()
}

/// `name => value` or `*` where there are values only.
pub(super) fn strange_argument(arg: &FunctionArg, ast: &Ast) -> PlanError {
    let instead = match arg {
        FunctionArg::Unnamed(_) => "Give a value in its place.",
        _ => "Give the arguments in their order, without names.",
    };
    PlanErrorKind::refused(format!("the argument {arg}"), instead).at(ast.span())
}

/// What of other dialects an expression is, and what there is instead.
fn foreign(ast: &Ast) -> (String, &'static str) {
    let (what, instead) = match ast {
        Ast::AtTimeZone { .. } => {
            ("AT TIME ZONE", "Use CONVERT_TZ(text, from, to), or CAST to TIMESTAMP_LTZ.")
        }
        Ast::Collate { .. } => ("COLLATE", "Leave it out: texts are compared by their characters."),
        Ast::ILike { .. } => ("ILIKE", "Use LOWER(…) LIKE LOWER(…)."),
        Ast::RLike { .. } => ("RLIKE", "Use REGEXP(text, pattern)."),
        _ => return (format!("the expression {ast}"), "Use a function: SHOW FUNCTIONS lists them."),
    };
    (what.to_owned(), instead)
}

/// A condition, or an error that names the clause.
pub(super) fn condition(clause: &'static str, expr: Expr, ast: &Ast) -> Bound {
    match expr.data_type.kind {
        TypeKind::Boolean => Ok(expr),
        TypeKind::Null => {
            Expr::cast(expr, DataType::boolean(), false).map_err(|error| Binder::call_error(error, ast))
        }
        _ => {
            let data_type = expr.data_type.to_string();
            Err(PlanErrorKind::NotACondition { clause, data_type }.at(ast.span()))
        }
    }
}

fn takes_unit(name: &str) -> bool {
    matches!(name, "TIMESTAMPADD" | "TIMESTAMPDIFF")
}

fn is_called_without_parentheses(name: &str) -> bool {
    const NAMES: [&str; 7] = [
        "CURRENT_DATE",
        "CURRENT_TIME",
        "CURRENT_TIMESTAMP",
        "LOCALTIME",
        "LOCALTIMESTAMP",
        "CURRENT_ROW_TIMESTAMP",
        "PI",
    ];
    NAMES.contains(&name.to_uppercase().as_str()) && function::find(name).is_some()
}

/// The number of a literal such as `7`.
pub(super) fn whole_number(ast: &Ast) -> Option<u64> {
    match ast {
        Ast::Value(value) => match &value.value {
            AstValue::Number(text, _) => text.parse().ok(),
            _ => None,
        },
        Ast::Nested(inner) => whole_number(inner),
        _ => None,
    }
}

/// The place of a name.
pub(super) fn span_of_name(name: &sqlparser::ast::ObjectName) -> sql::Span {
    let parts: Vec<Ident> = name.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
    span_of(&parts)
}
