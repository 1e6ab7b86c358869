//! Ways to write a statement whose operators do not fit together, so that they do.

use std::ops::Range;

use sqlparser::ast::{Query, SetExpr, Spanned, TableFactor, TableWithJoins};

use crate::catalog::Catalog;
use crate::plan::changelog_function::FromChangelog;
use crate::plan::join::JoinKind;
use crate::plan::keys::{Claims, identifying_key, upsert_keys};
use crate::plan::modes::{Mismatch, ModeError, Rewrite, UnsupportedChanges};
use crate::plan::node::{Op, Plan, Scan};
use crate::sql::statement::{Insert, InsertSource};
use crate::sql::{self, Span, Statement, quoted_if_needed as quoted, stretch};
use crate::value::Schema;

/// Rewrites of a statement that is refused for its changes.
pub(super) fn of(error: &ModeError, text: &str, catalog: &Catalog, strict: bool) -> Vec<Rewrite> {
    let Ok(parsed) = sql::parse(text) else { return Vec::new() };
    let (statement, range) = match parsed.statement {
        Statement::Explain(explain) => (*explain.statement, explain.span.bytes(text)),
        statement => (statement, 0..text.trim_end().trim_end_matches(';').len()),
    };
    let range = stretch::trimmed(text, range);
    let rewriter = Rewriter { text, range, statement: &statement, catalog };
    let found = match error {
        ModeError::Unsupported(unsupported) => match &unsupported.consumer.op {
            Op::Sink(_) => rewriter.of_sink(&unsupported.consumer),
            Op::Over(_) => rewriter.of_window(unsupported),
            Op::FromChangelog(function) => rewriter.of_input(function, unsupported.consumer.input()),
            _ => rewriter.of_sort(unsupported),
        },
        ModeError::Mismatch(mismatch) => rewriter.of_mismatch(mismatch, strict),
    };
    found.into_iter().flatten().collect()
}

struct Rewriter<'a> {
    text: &'a str,
    /// The statement in the text, without EXPLAIN.
    range: Range<usize>,
    statement: &'a Statement,
    catalog: &'a Catalog,
}

type Maybe = Option<Rewrite>;

fn rewrite(why: &str, statements: impl IntoIterator<Item = String>) -> Rewrite {
    Rewrite { why: why.to_owned(), statements: statements.into_iter().collect() }
}

impl Rewriter<'_> {
    /// The statement with some stretches of the text replaced.
    fn edited(&self, mut edits: Vec<(Range<usize>, String)>) -> String {
        edits.sort_by_key(|(range, _)| range.start);
        let mut edited = String::new();
        let mut at = self.range.start;
        for (range, new) in edits {
            edited.push_str(&self.text[at..range.start]);
            edited.push_str(&new);
            at = range.end;
        }
        edited.push_str(&self.text[at..self.range.end]);
        edited
    }

    /// A name that nothing has yet.
    fn fresh(&self, base: &str) -> String {
        let taken = |name: &str| self.catalog.get(name).is_some();
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let mut names = std::iter::once(base.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).expect("there are names without end")
    }

    /// A sink that takes fewer changes than its query gives.
    fn of_sink(&self, sink: &Plan) -> Vec<Maybe> {
        let Op::Sink(op) = &sink.op else { return Vec::new() };
        let Some((columns, query)) = self.target() else { return Vec::new() };
        let into = |table: &str| format!("INSERT INTO {}{columns} {query}", quoted(table));
        let keyed = identifying_key(sink.input()).map(|key| {
            let table = self.fresh(&by_key(&op.name, &key, &sink.schema));
            let create = create_table(&table, &sink.schema, Some(&key), "");
            (table, create)
        });
        let keyed = keyed.map(|(table, create)| {
            rewrite("A table with a primary key takes them as upserts", [create, into(&table)])
        });
        let table = self.fresh(&format!("{}_changes", op.name));
        let create = create_table(&table, &sink.schema, None, " WITH ('changelog.mode' = 'retract')");
        let retract = rewrite("A retract table takes all of them", [create, into(&table)]);
        let table = self.fresh(&format!("{}_rows", op.name));
        let code = code_column(&sink.input().schema);
        let rows = format!(
            "CREATE TABLE {} AS SELECT * FROM TO_CHANGELOG(input => ({query}){code})",
            quoted(&table)
        );
        vec![keyed, Some(retract), Some(rewrite("TO_CHANGELOG writes them as rows", [rows]))]
    }

    /// The list of columns of an INSERT, and the query behind it; of a CREATE TABLE the query.
    fn target(&self) -> Option<(&str, &str)> {
        let rest = match self.statement {
            Statement::Insert(insert) => {
                let name = end_of_name(self.text, insert)?;
                let end = match insert.columns.last() {
                    None => name,
                    Some(last) => {
                        let last = Span::from(last.span).bytes(self.text).end;
                        last + self.text[last..].find(')')? + 1
                    }
                };
                (&self.text[name..end], end)
            }
            Statement::CreateTable(create) => {
                let start = Span::from(create.query.as_ref()?.span());
                ("", Some(start).filter(|span| !span.is_nowhere())?.bytes(self.text).start)
            }
            _ => return None,
        };
        Some((rest.0, self.text[rest.1..self.range.end].trim()))
    }

    /// A window that is ordered by time, over a table that changes.
    fn of_window(&self, unsupported: &UnsupportedChanges) -> Vec<Maybe> {
        let Op::Over(over) = &unsupported.consumer.op else { return Vec::new() };
        let by_value = || {
            let call = stretch::call_at(self.text, over.place?.bytes(self.text).start)?;
            let word = stretch::find_words(self.text, call.end..self.range.end, &["OVER"])?;
            let window = stretch::call_at(self.text, word.start)?;
            let window = stretch::inside(self.text, window);
            let order = stretch::find_words(self.text, window.clone(), &["ORDER", "BY"])?;
            let ends = ["ASC", "DESC", "NULLS", "ROWS", "RANGE"].iter().filter_map(|word| {
                let found = stretch::find_words(self.text, order.end..window.end, &[word])?;
                Some(found.start)
            });
            let key = stretch::trimmed(self.text, order.end..ends.min().unwrap_or(window.end));
            let kind = &unsupported.consumer.input().schema.columns[over.order[0].column].data_type.kind;
            let value = format!("CAST({} AS {kind})", &self.text[key.clone()]);
            let why = "Ordered by a value that is no time attribute, a window takes changes";
            Some(rewrite(why, [self.edited(vec![(key, value)])]))
        };
        vec![by_value(), self.over_rows(&unsupported.producer)]
    }

    /// ORDER BY of a time attribute, over a table that changes.
    fn of_sort(&self, unsupported: &UnsupportedChanges) -> Vec<Maybe> {
        let limited = || {
            stretch::find_words(self.text, self.range.clone(), &["ORDER", "BY"])?;
            let end = self.range.end..self.range.end;
            let limited = self.edited(vec![(end, " LIMIT 100".to_owned())]);
            Some(rewrite("LIMIT keeps the first rows while they change", [limited]))
        };
        vec![limited(), self.over_rows(&unsupported.producer)]
    }

    /// The statement over the changes of a table as rows.
    fn over_rows(&self, producer: &Plan) -> Maybe {
        let mut scans = Vec::new();
        changing(producer, &mut scans)?;
        let [scan] = scans[..] else { return None };
        let (place, has_alias) = match self.statement {
            Statement::Query(query) => find_table(query, &scan.name),
            Statement::Insert(insert) => match &insert.source {
                InsertSource::Query(query) => find_table(query, &scan.name),
                InsertSource::Rows(_) => None,
            },
            _ => None,
        }?;
        let place = place.bytes(self.text);
        let table = &self.text[place.clone()];
        let code = code_column(&self.catalog.table(&scan.name)?.schema());
        let alias = if has_alias { String::new() } else { format!(" AS {}", quoted(&scan.name)) };
        let rows = format!(
            "TO_CHANGELOG(input => TABLE {table}{code}, op_mapping => \
             MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE']){alias}"
        );
        Some(rewrite("TO_CHANGELOG makes rows of the changes", [self.edited(vec![(place, rows)])]))
    }

    /// `FROM_CHANGELOG` of a table that changes already.
    fn of_input(&self, function: &FromChangelog, plan: &Plan) -> Vec<Maybe> {
        let Some((call, item)) = function.place.and_then(|place| self.call(place)) else {
            return Vec::new();
        };
        let arguments = stretch::arguments(self.text, call.clone());
        let is_input = |range: &&Range<usize>| {
            stretch::find_words(self.text, (*range).clone(), &["INPUT"])
                .is_some_and(|word| word.start == range.start)
        };
        let Some(input) = arguments.iter().find(is_input).or(arguments.first()) else { return Vec::new() };
        let value =
            self.text[input.clone()].split_once("=>").map_or(&self.text[input.clone()], |(_, value)| value);
        let value = value.trim();
        let table = || {
            let words = stretch::find_words(value, 0..value.len(), &["PARTITION", "BY"])
                .or_else(|| stretch::find_words(value, 0..value.len(), &["ORDER", "BY"]));
            let source = value[..words.map_or(value.len(), |words| words.start)].trim();
            let name = stretch::find_words(source, 0..source.len(), &["TABLE"]);
            let source = name.map_or(source, |word| source[word.end..].trim());
            let names = function.output.iter().map(|&column| quoted(&plan.schema.columns[column].name));
            let names = names.collect::<Vec<_>>().join(", ");
            let edited = self.edited(vec![(item.clone(), format!("(SELECT {names} FROM {source})"))]);
            rewrite("What FROM_CHANGELOG would make of rows is there already", [edited])
        };
        let rows = || {
            // Names for the columns are no names for these columns.
            let names_columns = stretch::call_at(self.text, item.end).is_some_and(|alias| {
                self.text[item.end..alias.end].split('(').next().is_some_and(|words| {
                    words.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("AS")).count() == 1
                })
            });
            let rows = format!("TO_CHANGELOG(input => {value}{})", code_column(&plan.schema));
            let edited = self.edited(vec![(call, rows)]);
            (!names_columns).then(|| rewrite("TO_CHANGELOG is the way from changes to rows", [edited]))
        };
        vec![Some(table()), rows()]
    }

    /// The call of a table function, and the item of FROM that it is: `TABLE(…)` may be around it.
    fn call(&self, place: Span) -> Option<(Range<usize>, Range<usize>)> {
        // TABLE(…) may stand at the place.
        let start = place.bytes(self.text).start;
        let start = start + self.text[start..].to_ascii_uppercase().find("FROM_CHANGELOG")?;
        let call = stretch::call_at(self.text, start)?;
        let before = self.text[..call.start].trim_end();
        let word = before.strip_suffix('(').map(str::trim_end);
        let table = word.filter(|word| word.to_ascii_uppercase().ends_with("TABLE"));
        let item = match table {
            None => call.clone(),
            Some(word) => {
                let start = word.len() - "TABLE".len();
                let before = word[..start].trim_end();
                let lateral = before.to_ascii_uppercase().ends_with("LATERAL");
                let start = if lateral { before.len() - "LATERAL".len() } else { start };
                start..stretch::call_at(self.text, start)?.end
            }
        };
        Some((call, item))
    }

    /// Upserts of `FROM_CHANGELOG` where whole updates are needed.
    fn of_mismatch(&self, mismatch: &Mismatch, strict: bool) -> Vec<Maybe> {
        let between = || {
            let (call, item) = self.call(mismatch.place()?)?;
            let function = &mismatch.function;
            let key = upsert_keys(function, Claims::True).into_iter().find(|key| !key.is_empty())?;
            let base = match &bottom(function.input()).op {
                Op::Scan(scan) => scan.name.clone(),
                _ => "changes".to_owned(),
            };
            let table = self.fresh(&by_key(&base, &key, &function.schema));
            let create = create_table(&table, &function.schema, Some(&key), "");
            let insert = format!("INSERT INTO {} SELECT * FROM {}", quoted(&table), &self.text[call]);
            let edited = self.edited(vec![(item, quoted(&table))]);
            Some(rewrite("A table with the key in between has the old images", [create, insert, edited]))
        };
        let keyed = || {
            let Op::Sink(op) = &mismatch.consumer.op else { return None };
            let key = identifying_key(mismatch.consumer.input()).filter(|_| op.table.is_some())?;
            let (columns, query) = self.target()?;
            let schema = &mismatch.consumer.schema;
            let table = self.fresh(&by_key(&op.name, &key, schema));
            let create = create_table(&table, schema, Some(&key), "");
            let insert = format!("INSERT INTO {}{columns} {query}", quoted(&table));
            Some(rewrite("A table with the key takes the upserts as they are", [create, insert]))
        };
        let lenient = || {
            let set = "SET 'rowkind.strict' = 'false'".to_owned();
            let why = "Without strictness, the updates are completed by their key";
            strict.then(|| rewrite(why, [set, self.edited(Vec::new())]))
        };
        vec![between(), keyed(), lenient()]
    }
}

/// The plan at the bottom of operators that have one input.
fn bottom(plan: &Plan) -> &Plan {
    match &plan.inputs[..] {
        [input] => bottom(input),
        _ => plan,
    }
}

/// The tables that make a plan change, where rows of their changes in their stead would make it append
/// only.
fn changing<'a>(plan: &'a Plan, scans: &mut Vec<&'a Scan>) -> Option<()> {
    match &plan.op {
        Op::Scan(scan) if scan.changelog_mode.is_append() => Some(()),
        Op::Scan(scan) => {
            scans.push(scan);
            Some(())
        }
        Op::Calc(_) | Op::Watermark { .. } | Op::ChangelogNormalize { .. } | Op::Union | Op::Unnest(_) => {
            plan.inputs.iter().try_for_each(|input| changing(input, scans))
        }
        Op::Join(join) if matches!(join.kind, JoinKind::Inner | JoinKind::Semi) => {
            plan.inputs.iter().try_for_each(|input| changing(input, scans))
        }
        _ => None,
    }
}

fn end_of_name(text: &str, insert: &Insert) -> Option<usize> {
    let name = insert.table.0.last()?.as_ident()?;
    Some(Span::from(name.span).bytes(text).end)
}

/// Where a query reads a table by its name, and whether it has an alias there.
fn find_table(query: &Query, name: &str) -> Option<(Span, bool)> {
    in_set(&query.body, name)
}

fn in_set(body: &SetExpr, name: &str) -> Option<(Span, bool)> {
    match body {
        SetExpr::Select(select) => select.from.iter().find_map(|from| in_joins(from, name)),
        SetExpr::Query(query) => find_table(query, name),
        SetExpr::SetOperation { left, right, .. } => in_set(left, name).or_else(|| in_set(right, name)),
        _ => None,
    }
}

fn in_joins(from: &TableWithJoins, name: &str) -> Option<(Span, bool)> {
    let joined = from.joins.iter().map(|join| &join.relation);
    std::iter::once(&from.relation).chain(joined).find_map(|relation| match relation {
        TableFactor::Table { name: found, alias, args: None, .. } => {
            let last = found.0.last()?.as_ident()?;
            (last.value == name).then(|| (found.span().into(), alias.is_some()))
        }
        TableFactor::Derived { subquery, .. } => find_table(subquery, name),
        TableFactor::NestedJoin { table_with_joins, .. } => in_joins(table_with_joins, name),
        _ => None,
    })
}

/// The argument that names the operation code, where its usual name is taken.
fn code_column(schema: &Schema) -> &'static str {
    if schema.index_of("op").is_some() { ", op => DESCRIPTOR(code)" } else { "" }
}

fn by_key(base: &str, key: &[usize], schema: &Schema) -> String {
    match key {
        [column] => format!("{base}_by_{}", schema.columns[*column].name),
        _ => format!("{base}_by_key"),
    }
}

fn create_table(name: &str, schema: &Schema, key: Option<&[usize]>, options: &str) -> String {
    let columns = schema.columns.iter().map(|column| {
        let data_type = column.data_type.clone().without_attribute();
        format!("{} {data_type}", quoted(&column.name))
    });
    let mut parts: Vec<String> = columns.collect();
    if let Some(key) = key {
        let names: Vec<String> = key.iter().map(|&column| quoted(&schema.columns[column].name)).collect();
        parts.push(format!("PRIMARY KEY ({}) NOT ENFORCED", names.join(", ")));
    }
    format!("CREATE TABLE {} ({}){options}", quoted(name), parts.join(", "))
}
