//! A dump makes the tables and their logs anew.
#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use rowkind::Session;
use rowkind::changelog::RowKind;
use rowkind::session::{Collected, Command, Outcome};
use rowkind::sql::{Item, Splitter};

/// Runs a script with the directive that gives rows their kinds.
fn run(session: &mut Session, script: &str) {
    for piece in Splitter::new(script) {
        match piece.unwrap().item {
            Item::Statement { text, .. } => {
                let outcome = session.execute(text, &mut Collected::default());
                let outcome = outcome.unwrap_or_else(|error| panic!("{text}\n{error} {:?}", error.hint()));
                assert_ne!(outcome, Outcome::Command(Command::Quit));
            }
            Item::Directive(directive) => {
                let kinds = directive.strip_prefix("kinds:").unwrap();
                let kinds: Vec<RowKind> =
                    kinds.split_whitespace().map(|kind| kind.parse().unwrap()).collect();
                session.set_kinds(kinds);
            }
            Item::Command(_) => unreachable!("there are only statements"),
        }
    }
}

/// All logs of a session, with the order of all their changes.
fn logs(session: &Session) -> Vec<(u64, String, String)> {
    let mut lines = Vec::new();
    for (name, _) in session.catalog().entries() {
        let Some(table) = session.catalog().table(name) else { continue };
        let log = session.log(name).unwrap();
        let lines_of = log.lines().zip(table.log().iter());
        lines.extend(lines_of.map(|(line, change)| (change.cause.sequence, name.to_owned(), line)));
    }
    lines.sort();
    lines
}

/// Dumps what a script makes and reads it back. Returns the dump.
#[track_caller]
fn round_trip(script: &str) -> String {
    let mut session = Session::new();
    run(&mut session, script);
    let dump = session.dump();
    let mut again = Session::new();
    run(&mut again, &dump);
    assert_eq!(logs(&session), logs(&again), "{dump}");
    assert_eq!(again.dump(), dump);
    dump
}

#[test]
fn kinds_come_back_as_they_were() {
    let dump = round_trip(
        "CREATE TABLE r (id INT, name STRING) WITH ('changelog.mode' = 'retract');
         CREATE TABLE u (id INT NOT NULL, name STRING NOT NULL, PRIMARY KEY (id) NOT ENFORCED);
         -- kinds: +I -U +U -D
         INSERT INTO r VALUES (1, 'a'), (1, 'a'), (1, 'it''s'), (1, 'it''s');
         INSERT INTO u VALUES (1, 'a'), (2, 'b'), (1, 'c');
         DELETE FROM u WHERE id = 1;
         INSERT INTO u VALUES (1, 'd');",
    );
    assert!(dump.contains("-- kinds: +I -U +U -D\nINSERT INTO `r` VALUES\n  (1, 'a'),\n"), "{dump}");
    assert!(dump.contains("DELETE FROM `u` WHERE `id` = 1;"), "{dump}");
}

#[test]
fn values_of_all_types_come_back() {
    round_trip(
        "CREATE TABLE v (b BOOLEAN, t TINYINT, s SMALLINT, i INT, l BIGINT, f FLOAT, d DOUBLE,
            e DECIMAL(10, 2), g DECIMAL(38, 10), c CHAR(3), x STRING, y BYTES, da DATE, ti TIME(3),
            ts TIMESTAMP(9), lz TIMESTAMP_LTZ(3), a ARRAY<INT>, m MAP<STRING, BIGINT>,
            r ROW<p INT, q STRING>, n ARRAY<ROW<p DECIMAL(5, 1), q ARRAY<STRING>>>);
         INSERT INTO v VALUES
            (TRUE, CAST(1 AS TINYINT), CAST(-2 AS SMALLINT), 3, 9223372036854775807, CAST(1.1 AS FLOAT), 0.1,
             12345678.90, 1234567890123456789012345678.0123456789, 'abc', U&'a\\0007\\005C''ü', X'00ff', DATE '2024-02-29', TIME '01:02:03.004',
             TIMESTAMP '2024-02-29 01:02:03.123456789', TO_TIMESTAMP_LTZ(1709164800123, 3), ARRAY[1, 2],
             MAP['k', 5], ROW(1, 'x'), ARRAY[ROW(1.5, ARRAY['y', CAST(NULL AS STRING)])]);
         INSERT INTO v (i) VALUES (1);
         INSERT INTO v (d, f) VALUES (CAST('NaN' AS DOUBLE), CAST('-Infinity' AS FLOAT)), (1E300, CAST(1E-30 AS FLOAT));",
    );
}

#[test]
fn pipelines_write_again_what_they_wrote() {
    let dump = round_trip(
        "CREATE TABLE a (k INT, v INT);
         CREATE TABLE b (k INT, w INT);
         CREATE TABLE total (k INT, s BIGINT, PRIMARY KEY (k) NOT ENFORCED);
         CREATE TABLE joined (k INT, v INT, w INT);
         INSERT INTO a VALUES (1, 10), (2, 20);
         INSERT INTO total SELECT k, CAST(SUM(v) AS BIGINT) FROM a GROUP BY k;
         INSERT INTO b VALUES (1, 5);
         INSERT INTO a VALUES (1, 30);
         INSERT INTO joined SELECT a.k, v, w FROM a JOIN b ON a.k = b.k;
         INSERT INTO b VALUES (2, 6);
         CREATE TABLE copied AS SELECT k, v FROM joined;
         INSERT INTO a VALUES (2, 7);",
    );
    assert_eq!(dump.matches("INSERT INTO `a` VALUES").count(), 3, "{dump}");
    assert!(!dump.contains("INSERT INTO `total` VALUES"), "{dump}");
    assert!(dump.contains("INSERT INTO `copied` SELECT k, v FROM joined;"), "{dump}");
}

#[test]
fn a_table_with_rows_of_others_keeps_them_and_its_pipeline_is_a_comment() {
    let mut session = Session::new();
    run(
        &mut session,
        "CREATE TABLE a (k INT); CREATE TABLE b (k INT);
         INSERT INTO a VALUES (1); INSERT INTO b SELECT k FROM a; INSERT INTO b VALUES (9);",
    );
    let dump = session.dump();
    let mut again = Session::new();
    run(&mut again, &dump);
    assert_eq!(logs(&again), logs(&session));
    assert!(dump.contains("--   INSERT INTO b SELECT k FROM a;"), "{dump}");
}

#[test]
fn views_computed_columns_settings_and_options_come_back() {
    let dump = round_trip(
        "SET 'table.local-time-zone' = 'Europe/Rome';
         SET 'rowkind.insert' = 'once';
         CREATE TABLE `select` (a INT, twice AS a * 2, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND);
         INSERT INTO `select` (a) VALUES (1);
         CREATE VIEW z AS SELECT twice FROM `select`;
         CREATE VIEW b (c) AS SELECT twice FROM z;
         CREATE TABLE f (a INT) WITH ('connector' = 'blackhole');",
    );
    assert!(dump.find("VIEW `z`").unwrap() < dump.find("VIEW `b`").unwrap(), "{dump}");
    assert!(dump.starts_with("-- rowkind "), "{dump}");
    assert!(dump.trim_end().ends_with("SET 'rowkind.insert' = 'once';"), "{dump}");
}
