//! Laws that hold for every query over every valid history, tried on random ones.

mod case;
mod choices;
mod generate;
mod query;
mod reference;
mod tables;
mod text;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jiff::tz::TimeZone;
use proptest::collection::vec;
use proptest::prelude::*;
use rowkind::Session;
use rowkind::changelog::{Change, Changes, Materialized};
use rowkind::exec;
use rowkind::expr::Context;
use rowkind::plan::bind::Binder;
use rowkind::plan::node::Plan;
use rowkind::plan::{modes, passes};
use rowkind::session::Collected;
use rowkind::sql::{self, Statement};
use rowkind::value::Row;

use case::{Scope, cases};
use query::{Encoding, Query};
use tables::{History, TABLES};

const ALL_TABLES: &[usize] = &[0, 1, 2, 3, 4, 5, 6];
const BATCH: Scope = Scope { tables: ALL_TABLES, deterministic: true, logs: true, plain: false };
/// Upserts of `FROM_CHANGELOG` are what fewest queries can be over.
const CODES: Scope = Scope { tables: &[TABLES.len() - 1], logs: false, ..BATCH };
const STREAM: Scope = Scope { deterministic: false, ..BATCH };

fn config() -> ProptestConfig {
    case::config("tests/laws/proptest-regressions.txt")
}

/// A session with empty tables.
fn session() -> Session {
    let mut session = Session::with_clock(|| 0);
    for table in &TABLES {
        execute(&mut session, &table.definition());
    }
    session
}

#[track_caller]
fn execute(session: &mut Session, statement: &str) -> Collected {
    let mut collected = Collected::default();
    match session.execute(statement, &mut collected) {
        Ok(_) => collected,
        Err(error) => panic!("{statement}\n{error}"),
    }
}

/// Appends a history to the tables, at each step as many rows as belong to one table.
fn feed(session: &mut Session, history: &History) {
    for run in history.runs() {
        let (insertion, kinds) = TABLES[run[0].table].insertion(run);
        session.set_kinds(kinds);
        execute(session, &insertion);
    }
}

fn table_of(changes: &Changes, key: Option<Vec<usize>>) -> Vec<Row> {
    let mut table = Materialized::new(key);
    for change in changes.iter() {
        table.apply(change);
    }
    let mut rows: Vec<Row> = table.rows().map(Into::into).collect();
    rows.sort();
    rows
}

/// The rows that a connector of upserts ends with: like those of Kafka and JDBC it deletes what -U
/// names.
fn rows_of_connector(log: &Changes, key: &[usize]) -> Vec<Row> {
    let mut rows = BTreeMap::new();
    for change in log.iter() {
        let key: Row = key.iter().map(|&column| change.row[column].clone()).collect();
        if change.kind.adds() {
            rows.insert(key, Row::from(change.row))
        } else {
            rows.remove(&key)
        };
    }
    sorted(rows.into_values().collect())
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort();
    rows
}

/// The kinds and rows, without causes.
fn plain(changes: &Changes) -> Vec<String> {
    changes.iter().map(|change| format!("{}{:?}", change.kind, change.row)).collect()
}

/// The plan that the session makes of a query.
fn planned(session: &Session, query: &str) -> Plan {
    let Ok(sql::Parsed { statement: Statement::Query(ast), .. }) = sql::parse(query) else {
        panic!("{query} is a query");
    };
    let context = context();
    let plan = Binder::new(session.catalog(), context.clone(), false).bind_query(&ast).expect("it binds");
    let plan = passes::run(plan.collected(false), &context, &mut |_, _| {}).expect("it can be simplified");
    modes::infer(plan, false).expect("it has modes").plan
}

fn context() -> Context {
    Context { time_zone: TimeZone::UTC, now: 0, watermark: None }
}

/// Runs a plan over the logs, with slices of these lengths as far as one table's entries follow
/// each other.
fn run_in_slices(session: &Session, plan: &Plan, mut length: impl FnMut() -> usize) -> Changes {
    let mut dataflow =
        exec::build(plan, &context(), exec::SinkOptions::default(), Arc::new(AtomicBool::new(false)));
    let mut out = Changes::new(dataflow.width());
    dataflow.start(0, &mut out).expect("constants are fine");
    let table = |id| session.catalog().table_by_id(id).expect("the table is there");
    let logs: Vec<&Changes> = dataflow.sources().iter().map(|source| table(source.table).log()).collect();
    // A table that is scanned twice feeds its scans from left to right, entry by entry.
    let twice = (1..logs.len()).any(|i| logs[..i].iter().any(|log| std::ptr::eq(*log, logs[i])));
    let mut entries: Vec<(usize, Change<'_>)> = Vec::new();
    for (source, log) in logs.iter().enumerate() {
        entries.extend(log.iter().map(|change| (source, change)));
    }
    entries.sort_by_key(|(source, change)| (change.cause.sequence, *source));
    let mut rest = &entries[..];
    while let Some((source, _)) = rest.first() {
        let same = rest.iter().take_while(|(other, _)| other == source).count();
        let slice = if twice { 1 } else { length().clamp(1, same) };
        let slice_of = rest[..slice].iter().map(|(_, change)| *change);
        dataflow.push(*source, slice_of, &mut out).expect("valid rows are taken");
        rest = &rest[slice..];
    }
    out
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_query_adds_up_to_what_a_batch_gives(case in cases(BATCH)) {
        let mut session = session();
        feed(&mut session, &case.history);
        let given = execute(&mut session, &case.sql);
        let expected = sorted(reference::evaluate(&case.query, &case.history));
        prop_assert_eq!(table_of(&given.changes, None), expected);
    }

    #[test]
    fn a_watched_query_gives_what_a_replay_gives(case in cases(STREAM)) {
        let mut session = session();
        let mut live = session.watch(&case.sql, &mut Collected::default()).expect("it can be watched").changes;
        feed(&mut session, &case.history);
        for watched in session.take_watched() {
            watched.changes.iter().for_each(|change| live.push_change(change));
        }
        let replayed = execute(&mut session, &case.sql).changes;
        prop_assert_eq!(plain(&live), plain(&replayed));
        prop_assert_eq!(live, replayed, "the causes differ");
    }

    #[test]
    fn a_running_pipeline_writes_what_a_replay_writes(case in cases(STREAM), split in any::<prop::sample::Index>()) {
        let columns = text::columns(&case.query.types());
        let mut session = session();
        for sink in ["early", "midway", "late"] {
            let mode = "WITH ('changelog.mode' = 'retract')";
            execute(&mut session, &format!("CREATE TABLE {sink} ({columns}) {mode}"));
        }
        let mut before = case.history.clone();
        let after = before.events.split_off(split.index(before.events.len() + 1));
        execute(&mut session, &format!("INSERT INTO early {}", case.sql));
        feed(&mut session, &before);
        execute(&mut session, &format!("INSERT INTO midway {}", case.sql));
        feed(&mut session, &History { events: after });
        execute(&mut session, &format!("INSERT INTO late {}", case.sql));
        let log = |sink| plain(&session.log(sink).expect("the table is there").changes);
        prop_assert_eq!(log("early"), log("late"));
        prop_assert_eq!(log("midway"), log("late"));
    }

    #[test]
    fn the_lengths_of_slices_are_invisible(case in cases(STREAM), lengths in vec(1_usize..9, 1..9)) {
        let mut session = session();
        feed(&mut session, &case.history);
        let plan = planned(&session, &case.sql);
        let one_by_one = run_in_slices(&session, &plan, || 1);
        let mut lengths = lengths.iter().copied().cycle();
        let in_slices = run_in_slices(&session, &plan, || lengths.next().expect("it goes on"));
        prop_assert_eq!(plain(&one_by_one), plain(&in_slices));
        let replayed = execute(&mut session, &case.sql).changes;
        prop_assert_eq!(one_by_one, replayed, "the session does it differently");
    }

    #[test]
    fn a_result_retracts_only_what_is_there_in_the_kinds_of_its_mode(case in cases(STREAM)) {
        let mut session = session();
        feed(&mut session, &case.history);
        let mode = planned(&session, &case.sql).input().changelog_mode();
        let given = execute(&mut session, &case.sql);
        let mut table = Materialized::new(None);
        for change in given.changes.iter() {
            prop_assert!(mode.contains(change.kind), "{} is not in {}", change.kind, mode);
            prop_assert!(table.apply(change), "{}{:?} is absent", change.kind, change.row);
        }
    }

    #[test]
    fn an_upsert_table_ends_with_what_a_batch_gives(case in cases(BATCH)) {
        let Some(key) = case.query.key() else { return Ok(()) };
        let mut session = session();
        let columns = text::columns(&case.query.types());
        let names: Vec<String> = key.iter().map(|column| format!("c{column}")).collect();
        let key_text = names.join(", ");
        execute(&mut session, &format!(
            "CREATE TABLE sink ({columns}, PRIMARY KEY ({key_text}) NOT ENFORCED) WITH ('changelog.mode' = 'upsert')"
        ));
        // A primary key is not NULL.
        execute(&mut session, "SET 'table.exec.sink.not-null-enforcer' = 'DROP'");
        execute(&mut session, &format!("INSERT INTO sink {}", case.sql));
        feed(&mut session, &case.history);
        let mut expected = sorted(reference::evaluate(&case.query, &case.history));
        expected.retain(|row| key.iter().all(|&column| !row[column].is_null()));
        let log = session.log("sink").expect("the table is there").changes;
        prop_assert_eq!(rows_of_connector(&log, &key), expected.clone());
        if case.query.is_filtered() {
            // A scan does not take a lone -U for a delete.
            return Ok(());
        }
        let read = execute(&mut session, "SELECT * FROM sink");
        prop_assert_eq!(table_of(&read.changes, None), expected);
    }

    #[test]
    fn an_upsert_table_on_any_key_ends_with_a_row_of_each_key(
        case in cases(BATCH),
        column in any::<prop::sample::Index>()
    ) {
        if case.query.is_upserts() || case.query.has_no_real_key() {
            return Ok(());
        }
        let types = case.query.types();
        let (columns, key) = (text::columns(&types), column.index(types.len()));
        let mut session = session();
        execute(&mut session, "SET 'table.exec.sink.not-null-enforcer' = 'DROP'");
        execute(&mut session, &format!(
            "CREATE TABLE sink ({columns}, PRIMARY KEY (c{key}) NOT ENFORCED) WITH ('changelog.mode' = 'upsert')"
        ));
        execute(&mut session, &format!("INSERT INTO sink {}", case.sql));
        feed(&mut session, &case.history);
        let mut expected = reference::evaluate(&case.query, &case.history);
        expected.retain(|row| !row[key].is_null());
        let given = rows_of_connector(&session.log("sink").expect("the table is there").changes, &[key]);
        prop_assert!(given.iter().all(|row| expected.contains(row)), "{:?} are not all in {:?}", given, expected);
        let keys = |rows: Vec<Row>| rows.into_iter().map(|row| row[key].clone()).collect::<BTreeSet<_>>();
        prop_assert_eq!(keys(given), keys(expected));
    }

    #[test]
    fn from_changelog_undoes_to_changelog(case in cases(STREAM), codes in any::<bool>()) {
        if case.query.is_upserts() {
            return Ok(());
        }
        let mut session = session();
        feed(&mut session, &case.history);
        let encoding = Encoding::Retract { codes };
        let round_trip = Query::RoundTrip { input: Box::new(case.query.clone()), encoding };
        let given = execute(&mut session, &text::sql(&round_trip, 0));
        let expected = execute(&mut session, &text::sql(&case.query, 0));
        prop_assert_eq!(plain(&given.changes), plain(&expected.changes));
    }

    #[test]
    fn all_encodings_of_a_history_add_up_to_the_same(case in cases(CODES)) {
        let mut session = session();
        for table in tables::KEYED..TABLES.len() {
            feed(&mut session, &case.history.encoded(table));
        }
        let expected = sorted(reference::evaluate(&case.query, &case.history));
        for table in tables::KEYED..TABLES.len() {
            let query = text::sql(&case.query.reading(table), 0);
            let given = execute(&mut session, &query);
            prop_assert_eq!(table_of(&given.changes, None), expected.clone(), "{}", query);
        }
    }
}
