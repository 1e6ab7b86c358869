//! Queries as SQL.

use std::fmt::Write;

use rowkind::value::{Row, Value};

use crate::query::{
    Aggregate, Codes, Comparison, Condition, Encoding, Function, JoinKind, On, Query, Scalar, SortKey,
};
use crate::tables::{Nature, TABLES, Type, literal};

/// Writes a query, with its inner queries in FROM or as common table expressions.
pub(crate) fn sql(query: &Query, hoisted: u64) -> String {
    let mut writer = Writer { hoisted, count: 0, common: Vec::new() };
    let text = writer.select(query);
    if writer.common.is_empty() {
        return text;
    }
    format!("WITH {} {text}", writer.common.join(", "))
}

struct Writer {
    /// Which inner queries are common table expressions, as bits.
    hoisted: u64,
    count: usize,
    common: Vec<String>,
}

/// The names of the columns that a query gives.
fn names(query: &Query) -> Vec<String> {
    match query {
        Query::Table(table) => TABLES[*table].columns.iter().map(|(name, _)| (*name).to_owned()).collect(),
        _ => (0..query.types().len()).map(|i| format!("c{i}")).collect(),
    }
}

/// Columns with the names that the query gives them.
fn renamed(columns: &[String]) -> String {
    let columns = columns.iter().enumerate().map(|(i, column)| format!("{column} AS c{i}"));
    columns.collect::<Vec<_>>().join(", ")
}

impl Writer {
    /// A query as something to select from.
    fn from(&mut self, query: &Query) -> String {
        if let Query::Table(table) = query {
            let table = &TABLES[*table];
            if !matches!(table.nature, Nature::RetractCodes | Nature::UpsertCodes) {
                return table.name.to_owned();
            }
        }
        let text = self.select(query);
        self.count += 1;
        let name = format!("q{}", self.count);
        if self.hoisted >> (self.count % 64) & 1 == 1 {
            self.common.push(format!("{name} AS ({text})"));
            return name;
        }
        format!("({text}) AS {name}")
    }

    /// A query as something to select from under a name of its own, and its columns by that name.
    fn aliased(&mut self, query: &Query) -> (String, Vec<String>) {
        let from = self.from(query);
        self.count += 1;
        let alias = format!("t{}", self.count);
        let columns = names(query).into_iter().map(|name| format!("{alias}.{name}")).collect();
        let from = from.rsplit_once(" AS q").map_or(&*from, |(from, _)| from);
        (format!("{from} AS {alias}"), columns)
    }

    fn uid(&mut self) -> String {
        self.count += 1;
        format!("f{}", self.count)
    }

    /// A query as a SELECT.
    #[expect(clippy::too_many_lines, reason = "one arm for each form of query")]
    fn select(&mut self, query: &Query) -> String {
        match query {
            Query::Table(table) => {
                let name = TABLES[*table].name;
                match TABLES[*table].nature {
                    Nature::RetractCodes => format!("SELECT * FROM FROM_CHANGELOG(input => TABLE {name})"),
                    Nature::UpsertCodes => format!(
                        "SELECT * FROM FROM_CHANGELOG(input => TABLE {name} PARTITION BY k, uid => '{}', \
                         op_mapping => MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'])",
                        self.uid()
                    ),
                    _ => format!("SELECT * FROM {name}"),
                }
            }
            Query::Values(rows, types) => {
                let row = |row: &Row| {
                    let literals = row.iter().zip(types).map(|(value, data_type)| literal(value, *data_type));
                    format!("({})", literals.collect::<Vec<_>>().join(", "))
                };
                let rows: Vec<String> = rows.iter().map(row).collect();
                format!("SELECT * FROM (VALUES {}) AS t({})", rows.join(", "), names(query).join(", "))
            }
            Query::Log(table, codes) => {
                let table = &TABLES[*table];
                let columns: Vec<String> = ["op"]
                    .into_iter()
                    .chain(table.columns.iter().map(|(name, _)| *name))
                    .map(str::to_owned)
                    .collect();
                let mapping = match codes {
                    Codes::Names => "",
                    Codes::NoBefore => {
                        ", op_mapping => MAP['INSERT', 'INSERT', 'UPDATE_AFTER', 'UPDATE_AFTER', 'DELETE', 'DELETE']"
                    }
                    Codes::OnlyAfter => ", op_mapping => MAP['INSERT, UPDATE_AFTER', 'x']",
                };
                format!(
                    "SELECT {} FROM TO_CHANGELOG(input => TABLE {}{mapping})",
                    renamed(&columns),
                    table.name
                )
            }
            Query::Select { input, columns, condition } => {
                let names = names(input);
                let columns: Vec<String> = columns.iter().map(|column| scalar(column, &names)).collect();
                let mut text = format!("SELECT {} FROM {}", renamed(&columns), self.from(input));
                if let Some(condition) = condition {
                    let _ = write!(text, " WHERE {}", self::condition(condition, &names));
                }
                text
            }
            Query::Group { input, keys, aggregates, having } => {
                let names = names(input);
                let keys: Vec<String> = keys.iter().map(|&key| names[key].clone()).collect();
                let aggregates = aggregates.iter().map(|call| aggregate(call, &names));
                let output: Vec<String> = keys.iter().cloned().chain(aggregates).collect();
                let mut text = format!("SELECT {} FROM {}", renamed(&output), self.from(input));
                if !keys.is_empty() {
                    let _ = write!(text, " GROUP BY {}", keys.join(", "));
                }
                if let Some(having) = having {
                    let _ = write!(text, " HAVING {}", condition(having, &output));
                }
                text
            }
            Query::Distinct(input) => match &**input {
                Query::Union(left, right) => self.union(left, right, "UNION"),
                _ => format!("SELECT DISTINCT {} FROM {}", renamed(&names(input)), self.from(input)),
            },
            Query::Top { input, partition, order, start, end, number } => {
                let names = names(input);
                let mut output = names.clone();
                output.extend(number.then(|| "rn".to_owned()));
                let partition: Vec<&str> = partition.iter().map(|&column| &*names[column]).collect();
                let partition = if partition.is_empty() {
                    String::new()
                } else {
                    format!("PARTITION BY {} ", partition.join(", "))
                };
                let range = match (start, end) {
                    (1, 2) => "rn < 3".to_owned(),
                    (1, _) => format!("rn <= {end}"),
                    _ if start == end => format!("rn = {end}"),
                    _ => format!("rn BETWEEN {start} AND {end}"),
                };
                format!(
                    "SELECT {} FROM (SELECT *, ROW_NUMBER() OVER ({partition}{}) AS rn FROM {}) WHERE {range}",
                    renamed(&output),
                    order_by(order, &names),
                    self.from(input)
                )
            }
            Query::Limit { input, order, offset, fetch } => {
                let names = names(input);
                let order = if order.is_empty() { String::new() } else { order_by(order, &names) + " " };
                let offset = if *offset == 0 { String::new() } else { format!(" OFFSET {offset}") };
                format!("SELECT {} FROM {} {order}LIMIT {fetch}{offset}", renamed(&names), self.from(input))
            }
            Query::Union(left, right) => self.union(left, right, "UNION ALL"),
            Query::Set { left, right, intersect, all } => {
                let all = if *all { " ALL" } else { "" };
                let operator = if *intersect { "INTERSECT" } else { "EXCEPT" };
                self.union(left, right, &format!("{operator}{all}"))
            }
            Query::Value { left, right, call, equal } => {
                let ((left, mut columns), (right, others)) = (self.aliased(left), self.aliased(right));
                let equal = equal.map(|(a, b)| format!(" WHERE {} = {}", columns[a], others[b]));
                columns.push(format!(
                    "(SELECT {} FROM {right}{})",
                    aggregate(call, &others),
                    equal.unwrap_or_default()
                ));
                format!("SELECT {} FROM {left}", renamed(&columns))
            }
            Query::Member { left, right, columns: (column, other), guarded } => {
                let ((left, columns), (right, others)) = (self.aliased(left), self.aliased(right));
                let test = format!("{} IN (SELECT {} FROM {right})", columns[*column], others[*other]);
                let guard =
                    if *guarded { format!(" WHERE EXISTS (SELECT * FROM {right})") } else { String::new() };
                let inner = format!("SELECT {}, {test} AS is_member FROM {left}{guard}", renamed(&columns));
                let mut output: Vec<String> = (0..columns.len()).map(|i| format!("c{i}")).collect();
                output.push("CASE WHEN is_member THEN 1 WHEN NOT is_member THEN 0 END".to_owned());
                format!("SELECT {} FROM ({inner}) AS m", renamed(&output))
            }
            Query::Join { left, right, kind, on } => {
                let ((left, mut columns), (right, others)) = (self.aliased(left), self.aliased(right));
                let kind = match kind {
                    JoinKind::Inner => "JOIN",
                    JoinKind::Left => "LEFT JOIN",
                    JoinKind::Right => "RIGHT JOIN",
                    JoinKind::Full => "FULL JOIN",
                };
                let on = self::on(on, &columns, &others);
                columns.extend(others);
                format!("SELECT {} FROM {left} {kind} {right} ON {on}", renamed(&columns))
            }
            Query::Exists { left, right, negated, on } => {
                let ((left, columns), (right, others)) = (self.aliased(left), self.aliased(right));
                let (not, on) = (if *negated { "NOT " } else { "" }, self::on(on, &columns, &others));
                format!(
                    "SELECT {} FROM {left} WHERE {not}EXISTS (SELECT * FROM {right} WHERE {on})",
                    renamed(&columns)
                )
            }
            Query::In { left, right, negated, columns: (column, other) } => {
                let ((left, columns), (right, others)) = (self.aliased(left), self.aliased(right));
                let not = if *negated { "NOT " } else { "" };
                format!(
                    "SELECT {} FROM {left} WHERE {} {not}IN (SELECT {} FROM {right})",
                    renamed(&columns),
                    columns[*column],
                    others[*other]
                )
            }
            Query::RoundTrip { input, encoding } => self.round_trip(input, encoding),
            Query::Lag { input, partition, order, column, offset } => {
                let names = names(input);
                let partition: Vec<&str> = partition.iter().map(|&column| &*names[column]).collect();
                let partition = if partition.is_empty() {
                    String::new()
                } else {
                    format!("PARTITION BY {} ", partition.join(", "))
                };
                let function = if *offset < 0 { "LEAD" } else { "LAG" };
                let lag = format!(
                    "{function}({}, {}) OVER ({partition}{})",
                    names[*column],
                    offset.unsigned_abs(),
                    order_by(&[*order], &names)
                );
                let output: Vec<String> = names.iter().cloned().chain([lag]).collect();
                format!("SELECT {} FROM {}", renamed(&output), self.from(input))
            }
        }
    }

    fn union(&mut self, left: &Query, right: &Query, operator: &str) -> String {
        let (columns, others) = (renamed(&names(left)), renamed(&names(right)));
        let (left, right) = (self.from(left), self.from(right));
        format!("SELECT {columns} FROM {left} {operator} SELECT {others} FROM {right}")
    }

    fn round_trip(&mut self, input: &Query, encoding: &Encoding) -> String {
        let names = names(input);
        let order = encoding.order(names.len());
        let output: Vec<String> = order.iter().map(|&column| names[column].clone()).collect();
        let (output, inner) = (renamed(&output), self.select(input));
        match encoding {
            Encoding::Retract { codes: false } => format!(
                "SELECT {output} FROM FROM_CHANGELOG(input => (SELECT * FROM TO_CHANGELOG(input => ({inner}))))"
            ),
            Encoding::Retract { codes: true } => format!(
                "SELECT {output} FROM FROM_CHANGELOG(input => (SELECT * FROM TO_CHANGELOG(input => ({inner}), \
                 op => DESCRIPTOR(what), op_mapping => \
                 MAP['INSERT', '+', 'UPDATE_BEFORE', '<', 'UPDATE_AFTER', '>', 'DELETE', '-'])), \
                 op => DESCRIPTOR(what), op_mapping => \
                 MAP['+', 'INSERT', '<', 'UPDATE_BEFORE', '>', 'UPDATE_AFTER', '-', 'DELETE'])"
            ),
            Encoding::Upsert { key, full_deletes } => {
                let key: Vec<&str> = key.iter().map(|&column| &*names[column]).collect();
                let key = key.join(", ");
                let deletes = if *full_deletes { "" } else { ", produces_full_deletes => false" };
                let (to, from) = (self.uid(), self.uid());
                format!(
                    "SELECT {output} FROM FROM_CHANGELOG(input => (SELECT * FROM TO_CHANGELOG(input => ({inner}) \
                     PARTITION BY ({key}), uid => '{to}', op_mapping => \
                     MAP['INSERT', 'c', 'UPDATE_AFTER', 'u', 'DELETE', 'd']{deletes})) \
                     PARTITION BY ({key}), uid => '{from}', op_mapping => \
                     MAP['c', 'INSERT', 'u', 'UPDATE_AFTER', 'd', 'DELETE'])"
                )
            }
        }
    }
}

fn on(on: &On, left: &[String], right: &[String]) -> String {
    let equal = on.equal.iter().map(|&(a, b)| format!("{} = {}", left[a], right[b]));
    let both: Vec<String> = left.iter().chain(right).cloned().collect();
    let rest = on.rest.as_ref().map(|rest| condition(rest, &both));
    equal.chain(rest).collect::<Vec<_>>().join(" AND ")
}

fn order_by(order: &[SortKey], names: &[String]) -> String {
    let key = |key: &SortKey| {
        let direction = if key.descending { " DESC" } else { "" };
        let nulls = match (key.nulls_reversed, key.descending) {
            (false, _) => "",
            (true, true) => " NULLS FIRST",
            (true, false) => " NULLS LAST",
        };
        format!("{}{direction}{nulls}", names[key.column])
    };
    format!("ORDER BY {}", order.iter().map(key).collect::<Vec<_>>().join(", "))
}

fn aggregate(call: &Aggregate, names: &[String]) -> String {
    let column = &names[call.column];
    let mut text = match call.function {
        Function::CountRows => "COUNT(*)".to_owned(),
        Function::Count => format!("COUNT({column})"),
        Function::CountDistinct => format!("COUNT(DISTINCT {column})"),
        Function::Sum => format!("SUM({column})"),
        Function::SumDistinct => format!("SUM(DISTINCT {column})"),
        Function::Min => format!("MIN({column})"),
        Function::Max => format!("MAX({column})"),
        Function::Average => format!("AVG({column})"),
    };
    if let Some(filter) = &call.filter {
        let _ = write!(text, " FILTER (WHERE {})", condition(filter, names));
    }
    text
}

fn scalar(expression: &Scalar, names: &[String]) -> String {
    let part = |part: &Scalar| scalar(part, names);
    match expression {
        Scalar::Column(column) => names[*column].clone(),
        Scalar::Int(integer) => integer.to_string(),
        Scalar::Text(text) => format!("'{text}'"),
        Scalar::Null(data_type) => literal(&Value::NULL, *data_type),
        Scalar::Add(a, b) => format!("({} + {})", part(a), part(b)),
        Scalar::Subtract(a, b) => format!("({} - {})", part(a), part(b)),
        Scalar::Multiply(a, b) => format!("({} * {})", part(a), part(b)),
        Scalar::Concat(a, b) => format!("({} || {})", part(a), part(b)),
        Scalar::NullIf(a, b) => format!("NULLIF({}, {})", part(a), part(b)),
        Scalar::Coalesce(a, b) => format!("COALESCE({}, {})", part(a), part(b)),
        Scalar::Case(when, then, otherwise) => {
            format!("CASE WHEN {} THEN {} ELSE {} END", condition(when, names), part(then), part(otherwise))
        }
    }
}

fn condition(condition: &Condition, names: &[String]) -> String {
    let part = |part: &Condition| self::condition(part, names);
    match condition {
        Condition::Compare(comparison, a, b) => {
            let operator = match comparison {
                Comparison::Equal => "=",
                Comparison::Different => "<>",
                Comparison::Less => "<",
                Comparison::AtMost => "<=",
            };
            format!("{} {operator} {}", scalar(a, names), scalar(b, names))
        }
        Condition::IsNull(a) => format!("{} IS NULL", scalar(a, names)),
        Condition::In(a, list) => {
            let list: Vec<String> = list.iter().map(i64::to_string).collect();
            format!("{} IN ({})", scalar(a, names), list.join(", "))
        }
        Condition::Not(a) => format!("NOT ({})", part(a)),
        Condition::And(a, b) => format!("({} AND {})", part(a), part(b)),
        Condition::Or(a, b) => format!("({} OR {})", part(a), part(b)),
    }
}

/// What a column of this type is called in DDL.
pub(crate) fn columns(types: &[Type]) -> String {
    let columns = types.iter().enumerate().map(|(i, data_type)| format!("c{i} {}", data_type.sql()));
    columns.collect::<Vec<_>>().join(", ")
}
