//! Calls of `FROM_CHANGELOG` and `TO_CHANGELOG`: their arguments, checked in the order in which
//! Flink checks them.

use std::sync::Arc;

use sqlparser::ast::{Expr as Ast, Ident, Spanned};

use super::super::changelog_function::{ErrorHandling, FromChangelog, ToChangelog};
use super::super::error::{PlanError, PlanErrorKind};
use super::super::keys::identifying_key;
use super::super::modes;
use super::super::node::unique_names;
use super::super::node::{Op, Plan, SortKey};
use super::scope::nearest;
use super::{Binder, Visible, table_name};
use crate::changelog::RowKind;
use crate::sql::{ArgumentValue, Span, TableArgument, TableFunctionCall, TableSource, string_literal};
use crate::value::{Column, DataType, Schema, TimeAttribute, TypeKind};

const FROM_CHANGELOG: &str = "FROM_CHANGELOG";
const TO_CHANGELOG: &str = "TO_CHANGELOG";
const FUNCTIONS: [&str; 2] = [FROM_CHANGELOG, TO_CHANGELOG];

/// The parameters of `FROM_CHANGELOG` in their order.
const FROM_PARAMETERS: [&str; 6] = ["input", "op", "op_mapping", "error_handling", "on_time", "uid"];
/// The parameters of `TO_CHANGELOG` in their order.
const TO_PARAMETERS: [&str; 6] = ["input", "op", "op_mapping", "produces_full_deletes", "on_time", "uid"];

/// The parameters of one of the two changelog functions, in their order. There are none of another name.
pub fn changelog_parameters(function: &str) -> &'static [&'static str] {
    match function.to_ascii_uppercase().as_str() {
        FROM_CHANGELOG => &FROM_PARAMETERS,
        TO_CHANGELOG => &TO_PARAMETERS,
        _ => &[],
    }
}

/// Table functions of Flink that are known, but not here.
const UNSUPPORTED: [&str; 5] = ["TUMBLE", "HOP", "CUMULATE", "SESSION", "TO_APPEND"];

/// Whether a name is that of a table function.
pub(super) fn is_table_function(name: &str) -> bool {
    FUNCTIONS.contains(&name) || UNSUPPORTED.contains(&name)
}

/// The arguments of a call, each under the parameter it is for.
struct Arguments<'a> {
    function: &'static str,
    span: Span,
    parameters: [&'static str; 6],
    given: [Option<&'a TableArgument<'a>>; 6],
}

/// The table argument.
struct Input {
    plan: Plan,
    partition: Option<Vec<usize>>,
    order: Vec<SortKey>,
}

impl Binder<'_> {
    /// Binds a call of a table function.
    pub(super) fn table_function(
        &self,
        call: &TableFunctionCall<'_>,
        visible: &Visible,
    ) -> Result<Plan, PlanError> {
        let name = table_name(call.name)?.value.to_uppercase();
        match name.as_str() {
            FROM_CHANGELOG => self.bind_from_changelog(call, visible),
            TO_CHANGELOG => self.bind_to_changelog(call, visible),
            name if UNSUPPORTED.contains(&name) => {
                let instead = match name {
                    "TO_APPEND" => "TO_CHANGELOG gives changes as rows.",
                    _ => "Group by a rounded time: GROUP BY FLOOR(ts TO MINUTE).",
                };
                Err(PlanErrorKind::refused(format!("the table function {name}"), instead).at(call.span))
            }
            _ => {
                let nearest = nearest(&name, FUNCTIONS);
                Err(PlanErrorKind::NoSuchTableFunction { name, nearest }.at(call.span))
            }
        }
    }

    fn bind_from_changelog(
        &self,
        call: &TableFunctionCall<'_>,
        visible: &Visible,
    ) -> Result<Plan, PlanError> {
        let args = self.arguments(FROM_CHANGELOG, FROM_PARAMETERS, call)?;
        let Input { plan, partition, order } = self.input(&args, visible)?;
        let schema = &plan.schema;
        let op_name = args.descriptor("op")?;
        let op = args.op_column(op_name.map_or("op", |name| &name.value), schema)?;
        let mapping = args.mapping("op_mapping")?;
        let codes = match &mapping {
            Some(entries) => args.codes_to_kinds(entries)?,
            None => RowKind::ALL.map(|kind| (kind.name().to_owned(), kind)).to_vec(),
        };
        let partition_columns = partition.clone().unwrap_or_default();
        let output: Vec<usize> = partition_columns
            .iter()
            .copied()
            .chain((0..schema.len()).filter(|column| *column != op && !partition_columns.contains(column)))
            .collect();
        let mut function = FromChangelog {
            partition,
            order,
            op,
            codes,
            mapped: mapping.is_some(),
            error_handling: ErrorHandling::Fail,
            output,
            uid: None,
            place: Some(args.span),
        };
        if function.is_upsert() && function.partition.is_none() {
            return Err(args.error(
                "op_mapping",
                "an op_mapping with UPDATE_AFTER but without UPDATE_BEFORE makes an upsert stream, which needs a key",
                "Add PARTITION BY key to the input, or map UPDATE_BEFORE too.",
            ));
        }
        function.error_handling = args.error_handling()?;
        args.check_codes(&function.codes)?;
        function.uid = self.uid(&args)?;
        if args.value("on_time").is_some() {
            return Err(args.error(
                "on_time",
                "on_time is not possible for a function that gives updates",
                "Leave on_time out: the columns of the input stay as they are.",
            ));
        }
        if function.output.is_empty() {
            let problem = "the input has no column besides the operation code";
            return Err(args.error("input", problem, "Give it a column beside the operation code."));
        }
        let schema = output_schema(schema, &partition_columns, &function.output[partition_columns.len()..]);
        Ok(Plan::new(Op::FromChangelog(Arc::new(function)), vec![plan], schema))
    }

    fn bind_to_changelog(&self, call: &TableFunctionCall<'_>, visible: &Visible) -> Result<Plan, PlanError> {
        let args = self.arguments(TO_CHANGELOG, TO_PARAMETERS, call)?;
        let Input { plan, partition, order } = self.input(&args, visible)?;
        if !order.is_empty() {
            let hint = "Leave ORDER BY out: the changes come in the order of their arrival.";
            return Err(args.error("input", "the input cannot be ordered", hint));
        }
        let op = args.descriptor("op")?.map_or_else(|| "op".to_owned(), |name| name.value.clone());
        let mapping = args.mapping("op_mapping")?;
        let codes = match &mapping {
            Some(entries) => args.to_codes(entries)?,
            None => RowKind::ALL.map(|kind| (kind, kind.name().to_owned())).to_vec(),
        };
        let produces_full_deletes = args.boolean("produces_full_deletes")?;
        if produces_full_deletes == Some(true) && !codes.iter().any(|(kind, _)| *kind == RowKind::Delete) {
            return Err(args.error(
                "produces_full_deletes",
                "produces_full_deletes is TRUE, but the op_mapping has no code for DELETE, so no deletes are given",
                "Map DELETE, or leave produces_full_deletes out.",
            ));
        }
        let key = identifying_key(&plan);
        if produces_full_deletes == Some(false) && key.is_none() && partition.is_none() {
            return Err(args.error(
                "produces_full_deletes",
                "produces_full_deletes is FALSE, but the input has no upsert key and no PARTITION BY, so a delete would keep no column",
                "Add PARTITION BY key to the input, or leave produces_full_deletes out.",
            ));
        }
        let schema = plan.schema.clone();
        let partition_columns = partition.clone().unwrap_or_default();
        let payload: Vec<usize> =
            (0..schema.len()).filter(|column| !partition_columns.contains(column)).collect();
        if payload.iter().any(|&column| schema.columns[column].name == op) {
            let problem = format!("the input has a column \"{op}\" already");
            let hint = "Give the operation code another name: op => DESCRIPTOR(code).";
            return Err(args.error("op", &problem, hint));
        }
        let on_time = Self::on_time(&args, &plan)?;
        let function = ToChangelog {
            kept: key.unwrap_or_default(),
            partition,
            op: op.clone(),
            codes,
            mapped: mapping.is_some(),
            produces_full_deletes,
            payload,
            on_time,
            uid: self.uid(&args)?,
        };
        let output = to_changelog_schema(&function, &schema);
        Ok(Plan::new(Op::ToChangelog(Arc::new(function)), vec![plan], output))
    }

    /// Puts each argument under its parameter. Flink ignores names that it does not know, and so do
    /// we, with a notice.
    fn arguments<'a>(
        &self,
        function: &'static str,
        parameters: [&'static str; 6],
        call: &'a TableFunctionCall<'a>,
    ) -> Result<Arguments<'a>, PlanError> {
        let mut args = Arguments { function, span: call.span, parameters, given: [None; 6] };
        for (position, argument) in call.arguments.iter().enumerate() {
            let index = match argument.name {
                Some(name) => parameters.iter().position(|parameter| *parameter == name.value),
                None => Some(position).filter(|position| *position < parameters.len()),
            };
            match (index, argument.name) {
                (Some(index), _) if args.given[index].is_some() => {
                    let problem = format!("argument {} is given twice", parameters[index]);
                    return Err(args.problem(&problem, "Leave one of them out.").at(argument.span));
                }
                (Some(index), _) => args.given[index] = Some(argument),
                (None, Some(name)) => {
                    let near = nearest(&name.value, parameters);
                    let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                    self.notice(format!(
                        "{function} has no argument {} and ignores it, as Flink does{near}",
                        name.value
                    ));
                }
                (None, None) => {
                    let hint = format!("The arguments are {}.", parameters.join(", "));
                    return Err(args.problem("too many arguments", &hint).at(argument.span));
                }
            }
        }
        Ok(args)
    }

    fn input(&self, args: &Arguments<'_>, visible: &Visible) -> Result<Input, PlanError> {
        let Some(argument) = args.given[0] else {
            let hint = format!("Write {}(input => TABLE name).", args.function);
            return Err(args.problem("argument input is missing", &hint).at(args.span));
        };
        let ArgumentValue::Table { source, partition_by, order_by } = &argument.value else {
            let hint = "Write input => TABLE name, or input => (SELECT …).";
            return Err(args.problem("argument input must be a table", hint).at(argument.span));
        };
        let plan = match source {
            TableSource::Name(name) => self.table(&table_name(name)?, visible)?,
            TableSource::Query(query) => self.query(query, visible)?,
        };
        let mut partition = Vec::new();
        for key in partition_by {
            partition.push(args.partition_column(key, &plan.schema)?);
        }
        let order = args.order(order_by, &plan.schema, !partition.is_empty())?;
        Ok(Input { plan, partition: (!partition.is_empty()).then_some(partition), order })
    }

    fn uid(&self, args: &Arguments<'_>) -> Result<Option<String>, PlanError> {
        let Some(argument) = args.value("uid") else { return Ok(None) };
        let uid = match &argument.value {
            ArgumentValue::Scalar(ast) => string_literal(ast),
            _ => None,
        };
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
        let fits = |uid: &&str| {
            uid.starts_with(starts) && uid.chars().all(|c| starts(c) || c.is_ascii_digit() || c == '-')
        };
        let uid = uid.filter(fits).ok_or_else(|| {
            let problem = "uid must be a string of letters, digits, _ and -, beginning with a letter or _";
            args.error("uid", problem, "Write, say, uid => 'orders-by-id'.")
        })?;
        if !self.uids.borrow_mut().insert(uid.to_owned()) {
            return Err(PlanErrorKind::DuplicateUid { uid: uid.to_owned() }.at(argument.span));
        }
        Ok(Some(uid.to_owned()))
    }

    fn on_time(args: &Arguments<'_>, plan: &Plan) -> Result<Option<usize>, PlanError> {
        let Some(name) = args.descriptor("on_time")? else { return Ok(None) };
        let column = plan
            .schema
            .index_of(&name.value)
            .ok_or_else(|| PlanErrorKind::no_such_column(&name.value, plan.schema.names()).at(name.span))?;
        if plan.schema.columns[column].data_type.attribute != TimeAttribute::Rowtime {
            let problem = format!("on_time: column \"{}\" has no watermark", name.value);
            let hint = "Name the column of a WATERMARK, or leave on_time out.";
            return Err(args.error("on_time", &problem, hint));
        }
        if !modes::is_append_only(plan) {
            let problem = "on_time is not possible for an input with updates or deletes";
            return Err(args.error("on_time", problem, "Leave on_time out."));
        }
        Ok(Some(column))
    }
}

impl<'a> Arguments<'a> {
    fn problem(&self, problem: &str, hint: &str) -> PlanErrorKind {
        PlanErrorKind::TableFunctionArgument {
            function: self.function,
            problem: problem.to_owned(),
            hint: hint.to_owned(),
        }
    }

    /// An error at the place of a parameter's argument.
    fn error(&self, parameter: &str, problem: &str, hint: &str) -> PlanError {
        let span = self.value(parameter).map_or(self.span, |argument| argument.span);
        self.problem(problem, hint).at(span)
    }

    /// The argument for a parameter, unless it is missing or DEFAULT.
    fn value(&self, parameter: &str) -> Option<&'a TableArgument<'a>> {
        let index = self.parameters.iter().position(|known| *known == parameter)?;
        self.given[index].filter(|argument| argument.value != ArgumentValue::Default)
    }

    /// The one column that a DESCRIPTOR names.
    fn descriptor(&self, parameter: &str) -> Result<Option<&'a Ident>, PlanError> {
        let Some(argument) = self.value(parameter) else { return Ok(None) };
        let ArgumentValue::Descriptor(names) = &argument.value else {
            let problem = format!("{parameter} must be a DESCRIPTOR");
            return Err(self.error(parameter, &problem, "Write it as DESCRIPTOR(column)."));
        };
        let [name] = names[..] else {
            let problem = format!("{parameter} must name exactly one column");
            return Err(self.error(parameter, &problem, "Write it as DESCRIPTOR(column)."));
        };
        Ok(Some(name))
    }

    fn op_column(&self, name: &str, schema: &Schema) -> Result<usize, PlanError> {
        let Some(column) = schema.index_of(name) else {
            let problem = format!("the input has no operation column \"{name}\"");
            let texts = schema.columns.iter().filter(|column| column.data_type.kind.is_string());
            let hint = match nearest(name, texts.map(|column| column.name.as_str())) {
                Some(near) => format!("Did you mean op => DESCRIPTOR({near})?"),
                None => "Name the column that holds the operation code: op => DESCRIPTOR(column).".to_owned(),
            };
            return Err(self.error("op", &problem, &hint));
        };
        let data_type = &schema.columns[column].data_type;
        if !data_type.kind.is_string() {
            let problem =
                format!("the operation column \"{name}\" must be a STRING, but is {}", data_type.kind);
            let hint = match data_type.kind {
                TypeKind::Boolean => format!(
                    "Use CASE WHEN {name} THEN 'true' ELSE 'false' END AS {name} in a sub-query as the input."
                ),
                _ => format!("Use CAST({name} AS STRING) AS {name} in a sub-query as the input."),
            };
            return Err(self.error("op", &problem, &hint));
        }
        Ok(column)
    }

    /// The entries of a MAP of string literals; none for a NULL. A later entry of the same key
    /// replaces an earlier one, as in any MAP.
    fn mapping(&self, parameter: &str) -> Result<Option<Vec<(&'a str, &'a str)>>, PlanError> {
        let Some(argument) = self.value(parameter) else { return Ok(None) };
        let constant = || {
            let problem = format!("{parameter} must be a MAP of string literals");
            let example = match self.function {
                TO_CHANGELOG => "Write it as MAP['INSERT', 'c', 'DELETE', 'd'].",
                _ => "Write it as MAP['c', 'INSERT', 'd', 'DELETE'].",
            };
            self.error(parameter, &problem, example)
        };
        let entries = match &argument.value {
            ArgumentValue::Scalar(Ast::Map(map)) => &map.entries,
            ArgumentValue::Scalar(Ast::Cast { expr, .. }) if is_null(expr) => return Ok(None),
            _ => return Err(constant()),
        };
        let mut mapping: Vec<(&str, &str)> = Vec::new();
        for entry in entries {
            let key = string_literal(&entry.key).ok_or_else(constant)?;
            let value = string_literal(&entry.value).ok_or_else(constant)?;
            match mapping.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => mapping.push((key, value)),
            }
        }
        Ok(Some(mapping))
    }

    /// Codes to kinds: keys are lists of codes, and each kind occurs once.
    fn codes_to_kinds(&self, entries: &[(&str, &str)]) -> Result<Vec<(String, RowKind)>, PlanError> {
        let mut codes = Vec::new();
        let mut kinds = Vec::new();
        for (list, name) in entries {
            let kind = self.kind(name.trim())?;
            if kinds.contains(&kind) {
                let problem = format!("{} is in the op_mapping twice", kind.name());
                let hint =
                    format!("Several codes for one operation share a key: MAP['c, r', '{}'].", kind.name());
                return Err(self.error("op_mapping", &problem, &hint));
            }
            kinds.push(kind);
            codes.extend(split_list(list).map(|code| (code.to_owned(), kind)));
        }
        Ok(codes)
    }

    /// Kinds to codes: keys are lists of kinds, and each kind occurs once.
    fn to_codes(&self, entries: &[(&str, &str)]) -> Result<Vec<(RowKind, String)>, PlanError> {
        let mut codes: Vec<(RowKind, String)> = Vec::new();
        for (list, code) in entries {
            for name in split_list(list) {
                let kind = self.kind(name)?;
                if codes.iter().any(|(known, _)| *known == kind) {
                    let problem = format!("{} is in the op_mapping twice", kind.name());
                    let hint =
                        "Several operations with one code share a key: MAP['INSERT, UPDATE_AFTER', 'u'].";
                    return Err(self.error("op_mapping", &problem, hint));
                }
                codes.push((kind, (*code).to_owned()));
            }
        }
        Ok(codes)
    }

    fn kind(&self, name: &str) -> Result<RowKind, PlanError> {
        RowKind::from_name(name).ok_or_else(|| {
            let names = RowKind::ALL.map(RowKind::name);
            let problem = format!("'{name}' in the op_mapping is not a change operation");
            let near = nearest(name, names).map(|near| format!("Did you mean '{near}'? "));
            let all = format!("The operations are {}, in capitals.", names.join(", "));
            self.error("op_mapping", &problem, &(near.unwrap_or_default() + &all))
        })
    }

    fn check_codes(&self, codes: &[(String, RowKind)]) -> Result<(), PlanError> {
        for (i, (code, _)) in codes.iter().enumerate() {
            if codes[..i].iter().any(|(other, _)| other == code) {
                let problem = format!("code '{code}' is in the op_mapping twice");
                return Err(self.error("op_mapping", &problem, "Map each code to one operation."));
            }
        }
        Ok(())
    }

    fn error_handling(&self) -> Result<ErrorHandling, PlanError> {
        let Some(argument) = self.value("error_handling") else { return Ok(ErrorHandling::Fail) };
        let text = match &argument.value {
            ArgumentValue::Scalar(ast) => string_literal(ast),
            _ => None,
        };
        match text {
            Some("FAIL") => Ok(ErrorHandling::Fail),
            Some("SKIP") => Ok(ErrorHandling::Skip),
            Some(other) => {
                let problem = format!("error_handling cannot be '{other}'");
                Err(self.error("error_handling", &problem, "It is 'FAIL' or 'SKIP', in capitals."))
            }
            None => {
                let problem = "error_handling must be a string literal";
                Err(self.error("error_handling", problem, "It is 'FAIL' or 'SKIP', in capitals."))
            }
        }
    }

    fn boolean(&self, parameter: &str) -> Result<Option<bool>, PlanError> {
        use sqlparser::ast::Value;
        let Some(argument) = self.value(parameter) else { return Ok(None) };
        match &argument.value {
            ArgumentValue::Scalar(Ast::Value(value)) => match value.value {
                Value::Boolean(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
        .map(Some)
        .ok_or_else(|| {
            let problem = format!("{parameter} must be TRUE or FALSE");
            self.error(parameter, &problem, &format!("Write {parameter} => FALSE, or leave it out."))
        })
    }

    fn partition_column(&self, key: &Ast, schema: &Schema) -> Result<usize, PlanError> {
        let name = match key {
            Ast::Identifier(name) => Some(name),
            Ast::CompoundIdentifier(parts) => parts.last(),
            _ => None,
        };
        let column = name.and_then(|name| schema.index_of(&name.value));
        column.ok_or_else(|| {
            let problem = format!("the input has no column {key} to partition by");
            let hint = name.and_then(|name| nearest(&name.value, schema.names()));
            let hint = match hint {
                Some(near) => format!("Did you mean \"{near}\"?"),
                None => format!("The columns are {}.", schema.names().collect::<Vec<_>>().join(", ")),
            };
            self.problem(&problem, &hint).at(key.span())
        })
    }

    fn order(
        &self,
        keys: &[crate::sql::SortKey<'_>],
        schema: &Schema,
        partitioned: bool,
    ) -> Result<Vec<SortKey>, PlanError> {
        let mut order: Vec<SortKey> = Vec::new();
        for key in keys {
            let at = |problem: &str, hint: &str| self.problem(problem, hint).at(key.column.span);
            let name = &key.column.value;
            if !partitioned {
                let hint = format!("Write PARTITION BY key ORDER BY {name}, or leave ORDER BY out.");
                return Err(at("only an input with PARTITION BY can be ordered", &hint));
            }
            let Some(column) = schema.index_of(name) else {
                return Err(PlanErrorKind::no_such_column(name, schema.names()).at(key.column.span));
            };
            let data_type = &schema.columns[column].data_type;
            if order.is_empty() {
                let fits =
                    matches!(data_type.kind, TypeKind::Timestamp(p) | TypeKind::TimestampLtz(p) if p <= 3);
                if !fits {
                    let problem = format!(
                        "the first column of ORDER BY must be a TIMESTAMP or TIMESTAMP_LTZ of precision 0 to 3, but \"{name}\" is {data_type}"
                    );
                    return Err(at(&problem, "Order by the column of a WATERMARK, or leave ORDER BY out."));
                }
                if !key.ascending {
                    return Err(at("the first column of ORDER BY must be ascending", "Leave DESC out."));
                }
                if data_type.attribute != TimeAttribute::Rowtime {
                    let problem = format!("column \"{name}\" of ORDER BY has no watermark");
                    let hint = format!("Declare WATERMARK FOR {name} AS {name} in the table.");
                    return Err(at(&problem, &hint));
                }
            }
            if order.iter().any(|known| known.column == column) {
                let problem = format!("column \"{name}\" is in ORDER BY twice");
                return Err(at(&problem, "Name it once."));
            }
            let descending = !key.ascending;
            let nulls_first = key.nulls_first.unwrap_or(!descending);
            order.push(SortKey { column, descending, nulls_first });
        }
        Ok(order)
    }
}

/// The pieces of a comma-separated list, without the blanks around them. Empty pieces at the end
/// are none, as in Java.
fn split_list(list: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = list.split(',').collect();
    let length = if list.is_empty() {
        1
    } else {
        pieces.iter().rposition(|piece| !piece.is_empty()).map_or(0, |i| i + 1)
    };
    pieces.into_iter().take(length).map(str::trim)
}

fn is_null(ast: &Ast) -> bool {
    matches!(ast, Ast::Value(value) if value.value == sqlparser::ast::Value::Null)
}

/// Partition columns, then others. A partition column that is named twice is numbered.
fn output_schema(input: &Schema, partition: &[usize], others: &[usize]) -> Schema {
    let mut schema = Schema::default();
    for (i, &column) in partition.iter().enumerate() {
        let mut output = input.columns[column].clone();
        let again = partition[..i].iter().filter(|other| **other == column).count();
        if again > 0 {
            output.name = format!("{}_${}", output.name, again - 1);
        }
        schema.columns.push(output);
    }
    schema.columns.extend(input.project(others).columns);
    schema
}

fn to_changelog_schema(function: &ToChangelog, input: &Schema) -> Schema {
    let partition = function.partition.clone().unwrap_or_default();
    let mut schema = output_schema(input, &partition, &[]);
    schema.columns.push(Column::new(function.op.clone(), DataType::string()));
    for &column in &function.payload {
        let mut output = input.columns[column].clone();
        let stays = function.partition.is_none() && function.kept.contains(&column);
        if function.produces_full_deletes == Some(false) && !stays {
            output.data_type.nullable = true;
        }
        schema.columns.push(output);
    }
    if let Some(column) = function.on_time {
        let data_type = input.columns[column].data_type.clone().not_null();
        schema.columns.push(Column::new("rowtime", data_type));
    }
    let names = unique_names(schema.names());
    schema.columns.iter_mut().zip(names).for_each(|(column, name)| column.name = name);
    schema
}
