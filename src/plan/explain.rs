//! Plans as text, in the notation of Flink's EXPLAIN.

use super::exchange::{exchanged_by, is_two_phase};
use super::join::{Join, input_spec};
use super::keys::{Claims, Key, keys_with, upsert_keys};
use super::node::{Op, OverCall, Plan, Rank, RankStrategy, SortKey};
use crate::changelog::ChangelogMode;
use crate::expr::Expr;
use crate::hash_map::hash_map_order;
use crate::value::Schema;

/// What a tree shows of each operator beside what it does.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown {
    /// Which kinds of changes it emits, and of a function that emits upserts its key.
    pub modes: bool,
    /// Its upsert keys.
    pub keys: bool,
    /// That the first advice is about it, if it is an aggregation that Flink could do in two phases.
    pub two_phase: bool,
}

/// The plan as a tree.
pub fn explain(plan: &Plan, shown: Shown) -> String {
    let mut out = String::new();
    Tree { out: &mut out, shown }.write(plan, "", "");
    out
}

/// The name of an operator in Flink's plans.
pub fn name(op: &Op) -> &'static str {
    match op {
        Op::Scan(_) => "TableSourceScan",
        Op::Values(_) => "Values",
        Op::Calc(_) => "Calc",
        Op::Watermark { .. } => "WatermarkAssigner",
        Op::Aggregate(_) => "GroupAggregate",
        Op::Rank(rank) if rank.from_limit => "SortLimit",
        Op::Rank(_) => "Rank",
        Op::Deduplicate(_) => "Deduplicate",
        Op::Limit { .. } => "Limit",
        Op::Sort { .. } => "TemporalSort",
        Op::Over(_) => "OverAggregate",
        Op::Join(_) => "Join",
        Op::Unnest(_) => "Correlate",
        Op::Expand(_) => "Expand",
        Op::Union => "Union",
        Op::FromChangelog(_) | Op::ToChangelog(_) => "ProcessTableFunction",
        Op::ChangelogNormalize { .. } => "ChangelogNormalize",
        Op::DropUpdateBefore => "DropUpdateBefore",
        Op::Sink(_) => "Sink",
    }
}

/// An operator with its attributes, without its inputs.
pub fn describe(plan: &Plan) -> String {
    with_attributes(plan, &attributes(plan))
}

fn with_attributes(plan: &Plan, attributes: &[String]) -> String {
    if attributes.is_empty() {
        name(&plan.op).to_owned()
    } else {
        format!("{}({})", name(&plan.op), attributes.join(", "))
    }
}

struct Tree<'a> {
    out: &'a mut String,
    shown: Shown,
}

impl Tree<'_> {
    fn write(&mut self, plan: &Plan, first: &str, rest: &str) {
        let mut attributes = attributes(plan);
        if self.shown.two_phase && is_two_phase(plan) {
            attributes.insert(0, "advice=[1]".to_owned());
        }
        if self.shown.modes {
            attributes.push(format!("changelogMode={}", shown_mode(plan)));
        }
        let is_upsert = matches!(&plan.op, Op::FromChangelog(function) if function.is_upsert());
        if self.shown.keys || self.shown.modes && is_upsert {
            attributes.extend(keys_text(plan, upsert_keys(plan, Claims::All)));
        }
        self.line(first, &with_attributes(plan, &attributes));
        let last = plan.inputs.len().saturating_sub(1);
        for (i, input) in plan.inputs.iter().enumerate() {
            let (mut first, mut rest) = if i == last {
                (format!("{rest}+- "), format!("{rest}   "))
            } else {
                (format!("{rest}:- "), format!("{rest}:  "))
            };
            if let Some(columns) = exchanged_by(plan, i) {
                let mut attributes = vec![format!("distribution=[{}]", distribution(input, &columns))];
                if self.shown.modes {
                    attributes.push(format!("changelogMode={}", shown_mode(input)));
                }
                if self.shown.keys {
                    attributes.extend(keys_text(input, keys_with(&columns, input, Claims::All)));
                }
                self.line(&first, &format!("Exchange({})", attributes.join(", ")));
                first = format!("{rest}+- ");
                rest.push_str("   ");
            }
            self.write(input, &first, &rest);
        }
    }

    fn line(&mut self, prefix: &str, text: &str) {
        self.out.push_str(prefix);
        self.out.push_str(text);
        self.out.push('\n');
    }
}

fn shown_mode(plan: &Plan) -> ChangelogMode {
    match plan.op {
        Op::Sink(_) => ChangelogMode::EMPTY,
        _ => plan.changelog_mode(),
    }
}

/// Upsert keys as an attribute, if there are some.
fn keys_text(plan: &Plan, keys: Vec<Key>) -> Option<String> {
    let names = |key: Key| format!("[{}]", column_list(&plan.schema, &key));
    let keys: Vec<String> = keys.into_iter().map(names).collect();
    (!keys.is_empty()).then(|| format!("upsertKeys=[{}]", keys.join(", ")))
}

/// How the changes of an input are brought together.
fn distribution(input: &Plan, columns: &[usize]) -> String {
    match columns {
        [] => "single".to_owned(),
        columns => format!("hash[{}]", column_list(&input.schema, columns)),
    }
}

fn attributes(plan: &Plan) -> Vec<String> {
    let input = plan.inputs.first().map(|input| &input.schema);
    let names = |columns: &[usize]| input.map_or_else(String::new, |schema| column_list(schema, columns));
    let output = || plan.schema.names().collect::<Vec<_>>().join(", ");
    match &plan.op {
        Op::Scan(scan) => {
            let table = format!("table=[[default_catalog, default_database, {}]]", scan.name);
            let fields = format!("fields=[{}]", output());
            [table, fields].into_iter().chain(hints(&scan.options)).collect()
        }
        Op::Values(rows) => vec![format!("rows=[{}]", rows.len())],
        Op::Calc(calc) => {
            let select = calc.projection.iter().zip(plan.schema.names());
            let select: Vec<String> = select.map(|(expr, name)| selected(expr, name, input)).collect();
            let select = format!("select=[{}]", select.join(", "));
            let condition = calc.condition.as_ref().map(|c| format!("where=[{}]", expr_text(c, input)));
            [select].into_iter().chain(condition).collect()
        }
        Op::Watermark { column, expr } => {
            vec![
                format!("rowtime=[{}]", names(&[*column])),
                format!("watermark=[{}]", expr_text(expr, input)),
            ]
        }
        Op::Aggregate(aggregate) => {
            let calls = aggregate.calls.iter().zip(plan.schema.names().skip(aggregate.keys.len()));
            let name_of = |column| input.map_or("", |schema| column_name(schema, column));
            let calls = calls.map(|(call, name)| format!("{} AS {name}", call.text(&name_of)));
            let keys = plan.schema.names().take(aggregate.keys.len()).map(str::to_owned);
            let select: Vec<String> = keys.chain(calls).collect();
            let group = (!aggregate.keys.is_empty()).then(|| format!("groupBy=[{}]", names(&aggregate.keys)));
            group.into_iter().chain([format!("select=[{}]", select.join(", "))]).collect()
        }
        Op::Rank(rank) => rank_attributes(rank, plan),
        Op::Deduplicate(dedup) => vec![
            format!("keep=[{}]", if dedup.keep_last { "LastRow" } else { "FirstRow" }),
            format!("key=[{}]", names(&dedup.key)),
            format!("order=[{}]", if dedup.rowtime { "ROWTIME" } else { "PROCTIME" }),
        ],
        Op::Limit { offset, fetch } => {
            let fetch = fetch.map_or_else(|| "unlimited".to_owned(), |fetch| fetch.to_string());
            vec![format!("offset=[{offset}]"), format!("fetch=[{fetch}]")]
        }
        Op::Sort { order } => vec![format!("orderBy=[{}]", order_text(order, input))],
        Op::Over(over) => {
            let calls: Vec<String> = over.calls.iter().map(|call| over_call_text(call, input)).collect();
            let partition =
                (!over.partition.is_empty()).then(|| format!("partitionBy=[{}]", names(&over.partition)));
            let order = format!("orderBy=[{}]", order_text(&over.order, input));
            partition.into_iter().chain([order, format!("select=[{}]", calls.join(", "))]).collect()
        }
        Op::Join(join) => join_attributes(join, plan),
        Op::Expand(rows) => {
            let row = |row: &Vec<Expr>| {
                let columns = row.iter().zip(plan.schema.names());
                let columns: Vec<String> = columns.map(|(expr, name)| selected(expr, name, input)).collect();
                format!("{{{}}}", columns.join(", "))
            };
            vec![format!("projects=[{}]", rows.iter().map(row).collect::<Vec<_>>().join(", "))]
        }
        Op::Unnest(unnest) => vec![
            format!(
                "invocation=[{}({})]",
                if unnest.elements == 0 { "REPLICATE_ROWS" } else { "UNNEST" },
                expr_text(&unnest.collection, input)
            ),
            format!("joinType=[{}]", if unnest.keeps_left { "LEFT" } else { "INNER" }),
            format!("select=[{}]", output()),
        ],
        Op::Union => vec!["all=[true]".to_owned(), format!("union=[{}]", output())],
        Op::FromChangelog(function) => {
            let partition = function.partition.as_deref();
            function_attributes("FROM_CHANGELOG", partition, function.uid.as_deref(), plan)
        }
        Op::ToChangelog(function) => {
            let partition = function.partition.as_deref();
            function_attributes("TO_CHANGELOG", partition, function.uid.as_deref(), plan)
        }
        Op::ChangelogNormalize { key, condition, .. } => {
            let condition = condition.as_ref().map(|c| format!("condition=[{}]", expr_text(c, input)));
            [format!("key=[{}]", names(key))].into_iter().chain(condition).collect()
        }
        Op::DropUpdateBefore => Vec::new(),
        Op::Sink(sink) => {
            let table = format!("table=[default_catalog.default_database.{}]", sink.name);
            let fields = format!(
                "fields=[{}]",
                input.map_or_else(String::new, |schema| schema.names().collect::<Vec<_>>().join(", "))
            );
            let materialize = sink.materialize.then(|| "upsertMaterialize=[true]".to_owned());
            [table, fields].into_iter().chain(hints(&sink.options)).chain(materialize).collect()
        }
    }
}

/// The options that a hint gives a table.
fn hints(options: &[(String, String)]) -> Option<String> {
    let ordered = hash_map_order(options.to_vec());
    let options: Vec<String> = ordered.iter().map(|(key, value)| format!("{key}={value}")).collect();
    (!options.is_empty()).then(|| format!("hints=[[[OPTIONS options:{{{}}}]]]", options.join(", ")))
}

fn rank_attributes(rank: &Rank, plan: &Plan) -> Vec<String> {
    let input = plan.inputs.first().map(|input| &input.schema);
    let strategy = match rank.strategy {
        RankStrategy::Undefined => "UndefinedStrategy",
        RankStrategy::AppendFast => "AppendFastStrategy",
        RankStrategy::UpdateFast => "UpdateFastStrategy",
        RankStrategy::Retract => "RetractStrategy",
    };
    let strategy = format!("strategy=[{strategy}]");
    let order = format!("orderBy=[{}]", order_text(&rank.order, input));
    if rank.from_limit {
        let offset = rank.start - 1;
        let fetch = rank.end.map_or_else(|| "unlimited".to_owned(), |end| (end - offset).to_string());
        return vec![order, format!("offset=[{offset}]"), format!("fetch=[{fetch}]"), strategy];
    }
    let end = rank.end.map_or_else(|| "unlimited".to_owned(), |end| end.to_string());
    let partition = input.filter(|_| !rank.partition.is_empty());
    let partition = partition.map(|schema| format!("partitionBy=[{}]", column_list(schema, &rank.partition)));
    let select = plan.schema.names().collect::<Vec<_>>().join(", ");
    [
        strategy,
        "rankType=[ROW_NUMBER]".to_owned(),
        format!("rankRange=[rankStart={}, rankEnd={end}]", rank.start),
    ]
    .into_iter()
    .chain(partition)
    .chain([order, format!("select=[{select}]")])
    .collect()
}

fn join_attributes(join: &Join, plan: &Plan) -> Vec<String> {
    let [left, right] = &plan.inputs[..] else { return Vec::new() };
    let keys = join.keys(left.schema.len());
    let both: Schema = left.schema.columns.iter().chain(&right.schema.columns).cloned().collect();
    let condition = join.condition.as_ref().map_or_else(|| "true".to_owned(), |c| expr_text(c, Some(&both)));
    let select = plan.schema.names().collect::<Vec<_>>().join(", ");
    vec![
        format!("joinType=[{}]", join.kind.name()),
        format!("where=[{condition}]"),
        format!("select=[{select}]"),
        format!("leftInputSpec=[{}]", input_spec(left, &keys.left)),
        format!("rightInputSpec=[{}]", input_spec(right, &keys.right)),
    ]
}

fn function_attributes(
    function: &str,
    partition: Option<&[usize]>,
    uid: Option<&str>,
    plan: &Plan,
) -> Vec<String> {
    let names = partition.map(|columns| column_list(&plan.input().schema, columns));
    let partition = names.map_or_else(String::new, |names| format!(" PARTITION BY({names})"));
    let default_uid = if partition.is_empty() { "null" } else { function };
    let select = plan.schema.names().collect::<Vec<_>>().join(",");
    vec![
        format!("invocation=[{function}(TABLE(#0){partition})]"),
        format!("uid=[{}]", uid.unwrap_or(default_uid)),
        format!("select=[{select}]"),
    ]
}

fn over_call_text(call: &OverCall, input: Option<&Schema>) -> String {
    match call {
        OverCall::RowNumber => "ROW_NUMBER()".to_owned(),
        OverCall::Lag { column, offset, .. } => {
            let name = input.map_or("", |schema| column_name(schema, *column));
            let function = if *offset < 0 { "LEAD" } else { "LAG" };
            format!("{function}({name}, {})", offset.unsigned_abs())
        }
    }
}

fn order_text(order: &[SortKey], input: Option<&Schema>) -> String {
    let key = |key: &SortKey| {
        let name = input.map_or("", |schema| column_name(schema, key.column));
        let direction = if key.descending { "DESC" } else { "ASC" };
        let nulls = match (key.nulls_first, key.descending) {
            // NULL is the lowest value by default.
            (true, false) | (false, true) => "",
            (true, true) => " NULLS FIRST",
            (false, false) => " NULLS LAST",
        };
        format!("{name} {direction}{nulls}")
    };
    order.iter().map(key).collect::<Vec<_>>().join(", ")
}

fn selected(expr: &Expr, name: &str, input: Option<&Schema>) -> String {
    let text = expr_text(expr, input);
    if text == name { text } else { format!("{text} AS {name}") }
}

/// An expression over the columns of a plan's inputs.
pub(super) fn condition_text(condition: &Expr, plan: &Plan) -> String {
    let columns: Schema = plan.inputs.iter().flat_map(|input| &input.schema.columns).cloned().collect();
    expr_text(condition, Some(&columns))
}

fn expr_text(expr: &Expr, input: Option<&Schema>) -> String {
    let names: Vec<&str> = input.map(|schema| schema.names().collect()).unwrap_or_default();
    expr.display(&names).to_string()
}

fn column_name(schema: &Schema, column: usize) -> &str {
    schema.columns.get(column).map_or("", |column| &column.name)
}

fn column_list(schema: &Schema, columns: &[usize]) -> String {
    columns.iter().map(|&column| column_name(schema, column)).collect::<Vec<_>>().join(", ")
}
