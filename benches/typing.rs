//! What happens with each key at the prompt.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where something is not as it should be")]

use std::fmt::Write;

use divan::Bencher;
use rowkind::Session;
use rowkind::assist::{complete, marks, matching_brackets};

fn main() {
    divan::main();
}

fn session() -> Session {
    let mut session = Session::new();
    for table in 0..50 {
        let columns: Vec<String> = (0..20).map(|column| format!("column_{column} INT")).collect();
        session.run_all(&format!("CREATE TABLE table_{table} ({});", columns.join(", "))).unwrap();
    }
    session
}

/// A statement of 2,000 characters.
fn statement() -> String {
    let mut text = String::from("SELECT ");
    let mut column = 0;
    while text.len() < 1_600 {
        write!(text, "COALESCE(t.column_{}, {column}) AS `c {column}`, ", column % 20).unwrap();
        column += 1;
    }
    text.push_str(
        "'text' FROM (SELECT * FROM table_1 WHERE column_1 IN (SELECT column_2 FROM table_2)) AS t ",
    );
    while text.len() < 2_000 {
        text.push_str("JOIN table_3 ON t.column_1 = table_3.column_1 ");
    }
    text
}

#[divan::bench]
fn a_key_is_coloured(bencher: Bencher<'_, '_>) {
    let (session, text) = (session(), statement());
    bencher.bench_local(|| (marks(&session, &text), matching_brackets(&text, text.len())));
}

#[divan::bench]
fn tab_completes(bencher: Bencher<'_, '_>) {
    let (session, text) = (session(), statement() + "WHERE c");
    bencher.bench_local(|| complete(&session, &text, text.len()));
}
