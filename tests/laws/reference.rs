//! The reference: evaluates a query over the rows that are there in the end, without any state,
//! increment or plan. It is meant to be obviously right, and slow.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rowkind::changelog::RowKind;
use rowkind::value::{Row, Value};

use crate::query::{Aggregate, Codes, Comparison, Condition, Function, JoinKind, On, Query, Scalar, SortKey};
use crate::tables::{History, Nature, TABLES, Type};

/// The rows of a query after a history, in no particular order.
pub(crate) fn evaluate(query: &Query, history: &History) -> Vec<Row> {
    match query {
        Query::Table(table) => history.contents(*table),
        Query::Values(rows, _) => rows.clone(),
        Query::Log(table, codes) => log(*table, *codes, history),
        Query::Select { input, columns, condition } => {
            let types = input.types();
            let rows = evaluate(input, history).into_iter();
            let rows = rows.filter(|row| condition.as_ref().is_none_or(|c| holds(c, row, &types)));
            rows.map(|row| columns.iter().map(|column| scalar(column, &row, &types)).collect()).collect()
        }
        Query::Group { input, keys, aggregates, having } => {
            let types = input.types();
            let groups = partitions(evaluate(input, history), keys);
            let rows = groups.into_iter().map(|(key, rows)| {
                let values = aggregates.iter().map(|call| aggregate(call, &rows, &types));
                key.into_iter().chain(values).collect::<Row>()
            });
            let types = query.types();
            rows.filter(|row| having.as_ref().is_none_or(|c| holds(c, row, &types))).collect()
        }
        Query::Distinct(input) => {
            let mut rows = evaluate(input, history);
            rows.sort();
            rows.dedup();
            rows
        }
        Query::Top { input, partition, order, start, end, number } => {
            let mut output = Vec::new();
            for mut rows in partitions(evaluate(input, history), partition).into_values() {
                rows.sort_by(|a, b| compare(order, a, b));
                for (i, row) in (1..).zip(rows).take(*end).skip(start - 1) {
                    let number = number.then(|| Value::integer(i));
                    output.push(row.into_iter().chain(number).collect());
                }
            }
            output
        }
        Query::Limit { input, order, offset, fetch } => {
            let mut rows = evaluate(input, history);
            rows.sort_by(|a, b| compare(order, a, b));
            rows.into_iter().skip(*offset).take(*fetch).collect()
        }
        Query::Union(left, right) => [evaluate(left, history), evaluate(right, history)].concat(),
        Query::Set { left, right, intersect, all } => {
            set(evaluate(left, history), evaluate(right, history), *intersect, *all)
        }
        Query::Value { left, right, call, equal } => {
            let (types, others) = (right.types(), evaluate(right, history));
            with(evaluate(left, history), |row| value(row, &others, &types, call, *equal))
        }
        Query::Member { left, right, columns, .. } => {
            let others: Vec<Value> =
                evaluate(right, history).iter().map(|row| row[columns.1].clone()).collect();
            if others.is_empty() {
                return Vec::new();
            }
            with(evaluate(left, history), |row| member(&row[columns.0], &others))
        }
        Query::Join { left, right, kind, on } => join(left, right, *kind, on, history),
        Query::Exists { left, right, negated, on } => {
            let types = [left.types(), right.types()].concat();
            let (mut rows, others) = (evaluate(left, history), evaluate(right, history));
            rows.retain(|row| others.iter().any(|other| matches(on, row, other, &types)) != *negated);
            rows
        }
        Query::In { left, right, negated, columns } => {
            let (mut rows, others) = (evaluate(left, history), evaluate(right, history));
            rows.retain(|row| {
                let value = &row[columns.0];
                let known = || !value.is_null() && others.iter().all(|other| !other[columns.1].is_null());
                let found = !value.is_null() && others.iter().any(|other| other[columns.1] == *value);
                // What is compared with NULL is neither in nor not in.
                if *negated { others.is_empty() || !found && known() } else { found }
            });
            rows
        }
        Query::RoundTrip { input, encoding } => {
            let rows = evaluate(input, history).into_iter();
            rows.map(|row| encoding.order(row.len()).into_iter().map(|i| row[i].clone()).collect()).collect()
        }
        Query::Lag { input, partition, order, column, offset } => {
            let mut output = Vec::new();
            for mut rows in partitions(evaluate(input, history), partition).into_values() {
                rows.sort_by(|a, b| compare(&[*order], a, b));
                for (i, row) in rows.iter().enumerate() {
                    let other = i.checked_add_signed(-offset).and_then(|i| rows.get(i));
                    let value = other.map_or(Value::NULL, |other| other[*column].clone());
                    output.push(row.iter().cloned().chain([value]).collect());
                }
            }
            output
        }
    }
}

/// Rows with one more value each.
fn with(rows: Vec<Row>, value: impl Fn(&Row) -> Value) -> Vec<Row> {
    rows.into_iter().map(|row| row.iter().cloned().chain([value(&row)]).collect()).collect()
}

/// `INTERSECT` and `EXCEPT`; with `all` each row on the right is for one on the left.
fn set(mut rows: Vec<Row>, mut others: Vec<Row>, intersect: bool, all: bool) -> Vec<Row> {
    if all {
        rows.retain(|row| {
            let place = others.iter().position(|other| other == row);
            place.map(|place| others.remove(place)).is_some() == intersect
        });
        return rows;
    }
    rows.sort();
    rows.dedup();
    rows.retain(|row| others.contains(row) == intersect);
    rows
}

/// An aggregate of a sub-query beside a row.
fn value(
    row: &Row,
    others: &[Row],
    types: &[Type],
    call: &Aggregate,
    equal: Option<(usize, usize)>,
) -> Value {
    let is_meant = |other: &&Row| equal.is_none_or(|(a, b)| !row[a].is_null() && row[a] == other[b]);
    let meant: Vec<Row> = others.iter().filter(is_meant).cloned().collect();
    if equal.is_none() && meant.is_empty() {
        // An aggregation without keys gives no row of no rows.
        return Value::NULL;
    }
    aggregate(call, &meant, types)
}

/// Whether a value is IN others, of which there are some: 1, 0 or NULL.
fn member(value: &Value, others: &[Value]) -> Value {
    if value.is_null() {
        return Value::NULL;
    }
    match (others.contains(value), others.iter().any(Value::is_null)) {
        (true, _) => Value::integer(1),
        (false, true) => Value::NULL,
        (false, false) => Value::integer(0),
    }
}

fn join(left: &Query, right: &Query, kind: JoinKind, on: &On, history: &History) -> Vec<Row> {
    let (left_types, right_types) = (left.types(), right.types());
    let types = [left_types.clone(), right_types.clone()].concat();
    let nulls = |types: &[Type]| vec![Value::NULL; types.len()];
    let (rows, others) = (evaluate(left, history), evaluate(right, history));
    let joined = |row: &[Value], other: &[Value]| [row, other].concat().into();
    let mut output = Vec::new();
    for row in &rows {
        let matching: Vec<&Row> = others.iter().filter(|other| matches(on, row, other, &types)).collect();
        if matching.is_empty() && matches!(kind, JoinKind::Left | JoinKind::Full) {
            output.push(joined(row, &nulls(&right_types)));
        }
        output.extend(matching.into_iter().map(|other| joined(row, other)));
    }
    if matches!(kind, JoinKind::Right | JoinKind::Full) {
        let lonely = others.iter().filter(|other| !rows.iter().any(|row| matches(on, row, other, &types)));
        output.extend(lonely.map(|other| joined(&nulls(&left_types), other)));
    }
    output
}

fn matches(on: &On, left: &Row, right: &Row, types: &[Type]) -> bool {
    let both: Row = [&**left, &**right].concat().into();
    on.equal.iter().all(|&(a, b)| !left[a].is_null() && left[a] == right[b])
        && on.rest.as_ref().is_none_or(|rest| holds(rest, &both, types))
}

/// The rows of each combination of some columns.
fn partitions(rows: Vec<Row>, columns: &[usize]) -> BTreeMap<Row, Vec<Row>> {
    let mut partitions: BTreeMap<Row, Vec<Row>> = BTreeMap::new();
    for row in rows {
        let key = columns.iter().map(|&column| row[column].clone()).collect();
        partitions.entry(key).or_default().push(row);
    }
    partitions
}

/// What `TO_CHANGELOG` gives of a table. An upsert table is normalised where a mapping needs old
/// images or whole deletes.
fn log(index: usize, codes: Codes, history: &History) -> Vec<Row> {
    let table = &TABLES[index];
    let normalized = table.nature == Nature::Upsert && codes != Codes::OnlyAfter;
    let mut present: BTreeMap<Row, Row> = BTreeMap::new();
    let mut changes: Vec<(RowKind, Row)> = Vec::new();
    for event in history.of(index) {
        let (key, new) = (table.key_of(&event.row), event.row.clone());
        match (normalized, event.kind) {
            (false, kind) => changes.push((kind, new)),
            (true, RowKind::Delete | RowKind::UpdateBefore) => {
                changes.extend(present.remove(&key).map(|old| (RowKind::Delete, old)));
            }
            (true, RowKind::Insert | RowKind::UpdateAfter) => match present.insert(key, new.clone()) {
                None => changes.push((RowKind::Insert, new)),
                Some(old) if old == new => {}
                Some(old) => changes.extend([(RowKind::UpdateBefore, old), (RowKind::UpdateAfter, new)]),
            },
        }
    }
    let code = |kind: RowKind| match (codes, kind) {
        (Codes::NoBefore, RowKind::UpdateBefore)
        | (Codes::OnlyAfter, RowKind::UpdateBefore | RowKind::Delete) => None,
        (Codes::OnlyAfter, _) => Some("x"),
        (_, kind) => Some(kind.name()),
    };
    let row = |(kind, row): (RowKind, Row)| {
        let code = Value::string(code(kind)?);
        Some([code].into_iter().chain(row).collect())
    };
    changes.into_iter().filter_map(row).collect()
}

fn compare(order: &[SortKey], a: &Row, b: &Row) -> Ordering {
    let by_key = |key: &SortKey| {
        let (a, b) = (&a[key.column], &b[key.column]);
        let (order, nulls) = (a.cmp(b), a.is_null() != b.is_null());
        // NULL is the lowest value.
        if key.descending == (nulls && key.nulls_reversed) { order } else { order.reverse() }
    };
    order.iter().map(by_key).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn aggregate(call: &Aggregate, rows: &[Row], types: &[Type]) -> Value {
    let rows = rows.iter().filter(|row| call.filter.as_ref().is_none_or(|c| holds(c, row, types)));
    let rows: Vec<&Row> = rows.collect();
    let count = |count: usize| Value::integer(i64::try_from(count).expect("there are few rows"));
    let mut values: Vec<&Value> = rows.iter().map(|row| &row[call.column]).filter(|v| !v.is_null()).collect();
    values.sort();
    let data_type = call.data_type(types);
    if matches!(call.function, Function::CountDistinct | Function::SumDistinct) {
        values.dedup();
    }
    let sum = || values.iter().map(|value| value.as_integer().expect("numbers are added")).sum::<i64>();
    match call.function {
        Function::CountRows => count(rows.len()),
        Function::Count | Function::CountDistinct => count(values.len()),
        _ if values.is_empty() => Value::NULL,
        Function::Sum | Function::SumDistinct => wrapped(sum(), data_type),
        Function::Min => values[0].clone(),
        Function::Max => values[values.len() - 1].clone(),
        Function::Average => {
            wrapped(sum() / i64::try_from(values.len()).expect("there are few rows"), data_type)
        }
    }
}

/// Integers wrap.
fn wrapped(integer: i64, data_type: Type) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "an INT wraps")]
    match data_type {
        Type::Int => Value::integer(integer as i32),
        Type::BigInt | Type::Text => Value::integer(integer),
    }
}

fn scalar(expression: &Scalar, row: &Row, types: &[Type]) -> Value {
    let part = |part: &Scalar| scalar(part, row, types);
    let arithmetic = |a: &Scalar, b: &Scalar, operation: fn(i64, i64) -> i64| match (
        part(a).as_integer(),
        part(b).as_integer(),
    ) {
        (Some(a), Some(b)) => wrapped(operation(a, b), expression.data_type(types)),
        _ => Value::NULL,
    };
    match expression {
        Scalar::Column(column) => row[*column].clone(),
        Scalar::Int(integer) => Value::integer(*integer),
        Scalar::Text(text) => Value::string(text),
        Scalar::Null(_) => Value::NULL,
        Scalar::Add(a, b) => arithmetic(a, b, i64::wrapping_add),
        Scalar::Subtract(a, b) => arithmetic(a, b, i64::wrapping_sub),
        Scalar::Multiply(a, b) => arithmetic(a, b, i64::wrapping_mul),
        Scalar::Concat(a, b) => match (part(a).as_str(), part(b).as_str()) {
            (Some(a), Some(b)) => Value::string(&(a.to_owned() + b)),
            _ => Value::NULL,
        },
        Scalar::NullIf(a, b) => {
            let (a, b) = (part(a), part(b));
            if a == b { Value::NULL } else { a }
        }
        Scalar::Coalesce(a, b) => Some(part(a)).filter(|a| !a.is_null()).unwrap_or_else(|| part(b)),
        Scalar::Case(when, then, otherwise) => part(if holds(when, row, types) { then } else { otherwise }),
    }
}

/// Whether a condition is TRUE, not FALSE or NULL.
fn holds(condition: &Condition, row: &Row, types: &[Type]) -> bool {
    truth(condition, row, types) == Some(true)
}

fn truth(condition: &Condition, row: &Row, types: &[Type]) -> Option<bool> {
    let part = |part: &Condition| truth(part, row, types);
    match condition {
        Condition::Compare(comparison, a, b) => {
            let (a, b) = (scalar(a, row, types), scalar(b, row, types));
            let order = (!a.is_null() && !b.is_null()).then(|| a.cmp(&b))?;
            Some(match comparison {
                Comparison::Equal => order.is_eq(),
                Comparison::Different => order.is_ne(),
                Comparison::Less => order.is_lt(),
                Comparison::AtMost => order.is_le(),
            })
        }
        Condition::IsNull(a) => Some(scalar(a, row, types).is_null()),
        Condition::In(a, list) => Some(list.contains(&scalar(a, row, types).as_integer()?)),
        Condition::Not(a) => part(a).map(|a| !a),
        Condition::And(a, b) => match (part(a), part(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Condition::Or(a, b) => match (part(a), part(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
    }
}
