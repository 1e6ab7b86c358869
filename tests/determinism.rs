//! Values that are computed anew where rows are taken back: what is said of them, and where they are
//! computed once.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use rowkind::Session;
use rowkind::changelog::Materialized;
use rowkind::session::Collected;

const TABLES: &str = "
    CREATE TABLE bag (id INT, v INT, s STRING) WITH ('changelog.mode' = 'retract');
    CREATE TABLE users (id INT, v INT, s STRING, PRIMARY KEY (id) NOT ENFORCED);
    CREATE TABLE events (id INT, v INT, s STRING);
    CREATE TABLE keyed (id INT, s STRING, PRIMARY KEY (id) NOT ENFORCED);
    CREATE VIEW numbered AS SELECT id, UUID() AS u FROM bag;";

const STRATEGY: &str = "table.optimizer.non-deterministic-update.strategy";

fn session() -> Session {
    let mut session = Session::new();
    session.run_all(TABLES).unwrap();
    session
}

/// What is said when a statement runs.
fn notices(session: &mut Session, sql: &str) -> Vec<String> {
    let mut collected = Collected::default();
    session.execute(sql, &mut collected).unwrap();
    collected.notices
}

/// Where a statement is wrong, and what is said of it.
fn refusal(session: &mut Session, sql: &str) -> (String, String) {
    let error = session.execute(sql, &mut Collected::default()).unwrap_err();
    let place = error.span().unwrap().bytes(sql);
    (sql[place].to_owned(), error.to_string())
}

#[test]
fn one_notice_says_that_what_is_taken_back_does_not_match() {
    let mut session = session();
    assert_eq!(
        notices(&mut session, "SELECT id, UUID() AS u FROM bag"),
        [format!(
            "UUID() gives column \"u\" another value when a row is taken back, so that -U and -D do not match \
             what was inserted; Flink says nothing of it ('{STRATEGY}' = 'TRY_RESOLVE' refuses it)"
        )]
    );
    for sql in [
        "SELECT id FROM bag WHERE RAND() < 0.5",
        "SELECT * FROM numbered",
        "SELECT s, SUM(r) FROM (SELECT s, RAND() AS r FROM users) GROUP BY s",
        "INSERT INTO keyed SELECT v, UUID() FROM users",
    ] {
        assert_eq!(notices(&mut session, sql).len(), 1, "{sql}");
    }
}

#[test]
fn nothing_is_said_where_nothing_is_taken_back_or_by_a_key() {
    let mut session = session();
    for sql in [
        "SELECT id, UUID() AS u FROM events WHERE RAND() < 0.5",
        "SELECT u, COUNT(*) FROM (SELECT UUID() AS u FROM events) GROUP BY u",
        "INSERT INTO keyed SELECT id, UUID() FROM users",
        "SELECT id, RAND(1) AS r, UNIX_TIMESTAMP(s) AS t FROM bag",
        "SELECT COUNT(*) FROM numbered",
    ] {
        assert_eq!(notices(&mut session, sql), [""; 0], "{sql}");
    }
    session.set("rowkind.strict", "true").unwrap();
    assert_eq!(notices(&mut session, "SELECT id, UUID() AS u FROM bag"), [""; 0]);
}

#[test]
fn an_error_points_at_the_call_or_at_the_view_that_has_it() {
    let mut session = session();
    session.set(STRATEGY, "TRY_RESOLVE").unwrap();
    let column = "UUID() gives column \"u\" another value when a row is taken back";
    let mut refused = |sql: &str| refusal(&mut session, sql);
    let (place, message) = refused("SELECT CHAR_LENGTH(s), UUID() AS u FROM bag");
    assert!(place.starts_with("UUID"), "{place}");
    assert_eq!(message, column);
    assert_eq!(refused("SELECT u FROM numbered"), ("numbered".to_owned(), column.to_owned()));
    assert_eq!(refused("SELECT v, CURRENT_DATE AS d FROM bag").0, "CURRENT_DATE");
    let (_, message) = refused("SELECT id FROM bag WHERE v > RAND()");
    assert_eq!(message, "RAND() may decide otherwise when a row is taken back");
}

#[test]
fn what_flink_alone_takes_for_chance_is_accepted_and_said() {
    let mut session = session();
    session.set(STRATEGY, "TRY_RESOLVE").unwrap();
    let query = "SELECT id FROM bag WHERE UNIX_TIMESTAMP(s) > 0";
    assert_eq!(
        notices(&mut session, query),
        ["Flink refuses this query, for it takes UNIX_TIMESTAMP(…) to be non-deterministic"]
    );
    session.set("rowkind.strict", "true").unwrap();
    session.execute(query, &mut Collected::default()).unwrap_err();
}

#[test]
fn a_filter_of_a_keyed_table_decides_once_for_each_row() {
    let mut session = session();
    for version in 0..40 {
        session.run_all(&format!("INSERT INTO users VALUES (1, {version}, 'a'), (2, 1, 'b')")).unwrap();
    }
    let query = "SELECT id, v FROM users WHERE v > RAND() * 40";
    let once = "here it decides once for each row";
    let said = notices(&mut session, query);
    assert_eq!(
        said,
        [format!("Flink lets RAND() decide again when a row is taken back, and says nothing of it; {once}")]
    );
    session.set(STRATEGY, "TRY_RESOLVE").unwrap();
    let said = notices(&mut session, query);
    assert_eq!(
        said,
        [format!("Flink refuses this query, for RAND() would decide again when a row is taken back; {once}")]
    );
    let mut collected = Collected::default();
    session.execute(query, &mut collected).unwrap();
    let mut table = Materialized::new(None);
    assert!(collected.changes.iter().all(|change| table.apply(change)));
}

#[test]
fn update_and_delete_compute_once_for_each_row() {
    let mut session = session();
    session.run_all("INSERT INTO bag VALUES (1, 0, 'a'), (1, 0, 'a'), (2, 0, 'b')").unwrap();
    for _ in 0..3 {
        session.run_all("UPDATE bag SET s = UUID(), v = v + 1").unwrap();
    }
    let rows = session.run_all("SELECT DISTINCT s, v FROM bag").unwrap();
    let mut table = Materialized::new(None);
    assert!(rows.changes.iter().all(|change| table.apply(change)));
    assert_eq!(table.rows().filter(|row| row[1].as_integer() == Some(3)).count(), 3);
    assert_eq!(table.rows().count(), 3);
}

#[test]
fn update_tells_the_time_of_the_statement() {
    let mut now = 0;
    let mut session = Session::with_clock(move || {
        now += 1000;
        now
    });
    let result = session
        .run_all(
            "CREATE TABLE seen (id INT, t BIGINT, PRIMARY KEY (id) NOT ENFORCED);
             INSERT INTO seen VALUES (1, 0), (2, 0);
             UPDATE seen SET t = UNIX_TIMESTAMP();
             SELECT t FROM seen WHERE t > 0",
        )
        .unwrap();
    let times: Vec<String> = result.lines().collect();
    assert_eq!(times.len(), 2);
    let inserted = session.log("seen").unwrap().changes.get(0).cause.arrival / 1000;
    assert!(times.iter().all(|line| !line.contains(&format!("[{inserted}]"))), "{times:?}");
}
