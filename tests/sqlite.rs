//! Random queries over random tables give what SQLite gives, as far as both mean the same.
//!
//! The queries are those of the laws, with joins, aggregates, sub-queries, set operations, windows, limits and
//! three-valued logic. What the two dialects see differently is not generated: there is no `AVG` and no division
//! (SQLite's give fractions), no product (here an `INT` wraps, there it grows), no `ALL` behind `INTERSECT` and
//! `EXCEPT` (SQLite has none), no comparison of a text with a number, and no order that leaves two different
//! rows in the same place. Texts are few and of ASCII, where the orders of both agree. An aggregation without
//! keys, which a stream gives no row of as long as there are no rows, has a `HAVING` that leaves SQLite's out, and
//! so has an `IN` that stands as a value over a sub-query without rows.
//!
//! SQLite gets each change of a history as a statement of its own, so that it finds the rows that are left by
//! itself. `PROPTEST_CASES` says how many cases are tried.

#[path = "laws/case.rs"]
mod case;
#[path = "laws/choices.rs"]
mod choices;
#[path = "laws/generate.rs"]
mod generate;
#[path = "laws/query.rs"]
#[allow(dead_code, reason = "the laws use all of it")]
mod query;
#[path = "laws/tables.rs"]
#[allow(dead_code, reason = "the laws use all of it")]
mod tables;
#[path = "laws/text.rs"]
#[allow(dead_code, reason = "the laws use all of it")]
mod text;

use proptest::prelude::*;
use rowkind::Session;
use rowkind::changelog::Materialized;
use rowkind::session::Collected;
use rowkind::value::Value;
use rusqlite::Connection;
use rusqlite::types::Value as Theirs;

use case::{Case, Scope, cases};
use tables::{Event, Nature, TABLES, Table, Type, literal};

/// The tables whose rows are what they say; those of operation codes are none of SQLite's.
const PLAIN: Scope = Scope { tables: &[0, 1, 2, 3, 4], deterministic: true, logs: false, plain: true };

/// A value of either side, as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Null,
    Integer(i64),
    Text(String),
}

impl From<&Value> for Cell {
    fn from(value: &Value) -> Self {
        match (value.as_integer(), value.as_str()) {
            (Some(integer), _) => Self::Integer(integer),
            (_, Some(text)) => Self::Text(text.to_owned()),
            _ => Self::Null,
        }
    }
}

impl From<Theirs> for Cell {
    fn from(value: Theirs) -> Self {
        match value {
            Theirs::Null => Self::Null,
            Theirs::Integer(integer) => Self::Integer(integer),
            Theirs::Text(text) => Self::Text(text),
            other => panic!("{other:?} is no value of the test"),
        }
    }
}

/// The rows that the changes of a query add up to, sorted.
fn ours(case: &Case) -> Vec<Vec<Cell>> {
    let mut session = Session::with_clock(|| 0);
    let mut run = |statement: &str, kinds| {
        session.set_kinds(kinds);
        let mut collected = Collected::default();
        match session.execute(statement, &mut collected) {
            Ok(_) => collected,
            Err(error) => panic!("{statement}\n{error}"),
        }
    };
    for &table in &case.query.tables() {
        // A table that is read twice is made once.
        let definition = TABLES[table].definition().replacen("TABLE", "TABLE IF NOT EXISTS", 1);
        run(&definition, Vec::new());
    }
    for changes in case.history.runs() {
        let (insertion, kinds) = TABLES[changes[0].table].insertion(changes);
        run(&insertion, kinds);
    }
    let mut table = Materialized::new(None);
    for change in run(&case.sql, Vec::new()).changes.iter() {
        table.apply(change);
    }
    let mut rows: Vec<Vec<Cell>> = table.rows().map(|row| row.iter().map(Cell::from).collect()).collect();
    rows.sort();
    rows
}

/// The rows that SQLite gives, sorted.
fn theirs(case: &Case) -> rusqlite::Result<Vec<Vec<Cell>>> {
    let connection = Connection::open_in_memory()?;
    for &table in &case.query.tables() {
        connection.execute(&definition(&TABLES[table]), ())?;
    }
    for event in &case.history.events {
        connection.execute_batch(&statement(event))?;
    }
    // The type of a NULL is of no meaning there, but the word is no type.
    let query = case.sql.replace("AS STRING)", "AS TEXT)");
    let mut statement = connection.prepare(&query)?;
    let width = statement.column_count();
    let rows = statement.query_map((), |row| {
        (0..width).map(|column| row.get::<_, Theirs>(column).map(Cell::from)).collect()
    })?;
    let mut rows: Vec<Vec<Cell>> = rows.collect::<Result<_, _>>()?;
    rows.sort();
    Ok(rows)
}

fn definition(table: &Table) -> String {
    let column = |(name, data_type): &(&str, Type)| match data_type {
        Type::Int | Type::BigInt => format!("{name} INTEGER"),
        Type::Text => format!("{name} TEXT"),
    };
    let columns: Vec<String> = table.columns.iter().map(column).collect();
    format!("CREATE TABLE IF NOT EXISTS {} ({})", table.name, columns.join(", "))
}

/// What a change is in SQLite: a row comes, in the place of that with the same key, or one goes.
fn statement(event: &Event) -> String {
    let table = &TABLES[event.table];
    let is_keyed = matches!(table.nature, Nature::Upsert);
    let literals: Vec<String> = event
        .row
        .iter()
        .zip(table.columns)
        .map(|(value, (_, data_type))| literal(value, *data_type))
        .collect();
    let literals: Vec<String> = literals.iter().map(|text| text.replace("STRING", "TEXT")).collect();
    let is_same = |column: usize| format!("{} IS {}", table.columns[column].0, literals[column]);
    let compared: Vec<usize> = if is_keyed { table.key.to_vec() } else { (0..table.columns.len()).collect() };
    let same: Vec<String> = compared.into_iter().map(is_same).collect();
    let name = table.name;
    let going = format!(
        "DELETE FROM {name} WHERE rowid = (SELECT rowid FROM {name} WHERE {} LIMIT 1);",
        same.join(" AND ")
    );
    let coming = format!("INSERT INTO {name} VALUES ({});", literals.join(", "));
    match (event.kind.adds(), is_keyed) {
        (true, true) => going + &coming,
        (true, false) => coming,
        (false, _) => going,
    }
}

proptest! {
    #![proptest_config(case::config("tests/sqlite-regressions.txt"))]

    #[test]
    fn a_query_adds_up_to_what_sqlite_gives(case in cases(PLAIN)) {
        prop_assert_eq!(ours(&case), theirs(&case).expect("SQLite takes the query"));
    }
}
