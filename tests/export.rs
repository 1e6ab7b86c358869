//! Files of tables: what is written, and that what was there is never lost.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rowkind::Session;

fn rowkind() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env_clear().env("ROWKIND_HISTORY", "").stdin(Stdio::null());
    command
}

const TABLE: &str = "CREATE TABLE t (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED);
INSERT INTO t VALUES (1, 'a'), (2, 'b, \"c\"'), (1, 'z');
";

/// Runs a script in a folder.
fn run(folder: &Path, script: &str) -> Output {
    rowkind().current_dir(folder).args(["-c", script]).output().unwrap()
}

fn exported(name: &str, rest: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &format!("{TABLE}.export {name} {rest}"));
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, [name.trim_matches('\'')]);
    fs::read_to_string(folder.path().join(name.trim_matches('\''))).unwrap()
}

#[test]
fn the_ending_of_the_name_says_how_rows_are_written() {
    assert_eq!(exported("a.csv", "t"), "id,name\n1,z\n2,\"b, \"\"c\"\"\"\n");
    assert_eq!(exported("a.tsv", "SELECT name, id FROM t WHERE id = 1"), "name\tid\nz\t1\n");
    assert_eq!(exported("a.jsonl", "t"), "{\"id\":1,\"name\":\"z\"}\n{\"id\":2,\"name\":\"b, \\\"c\\\"\"}\n");
    assert_eq!(
        exported("'a b.json'", "t"),
        "[{\"id\":1,\"name\":\"z\"},\n{\"id\":2,\"name\":\"b, \\\"c\\\"\"}]\n"
    );
    assert_eq!(exported("a.md", "SELECT id FROM t WHERE id = 2"), "|  id |\n| --: |\n|   2 |\n");
    assert_eq!(exported("a.sql", "t"), "INSERT INTO t VALUES\n  (1, 'z'),\n  (2, 'b, \"c\"');\n");
    let query = "SELECT id FROM t WHERE id = 2";
    assert_eq!(exported("two.sql", query), "INSERT INTO two VALUES\n  (2);\n");
    assert_eq!(exported("a.txt", &format!("as insert {query}")), "INSERT INTO a VALUES\n  (2);\n");
    assert_eq!(exported("a.txt", "as csv SELECT id FROM t WHERE id = 2"), "id\n2\n");
    assert_eq!(exported("a.csv", "SELECT id FROM t WHERE id > 2"), "id\n");
}

#[test]
fn changes_are_written_as_they_come_or_as_events() {
    assert_eq!(exported("a.csv", "as changelog SELECT id FROM t WHERE id = 1"), "op,id\n+I,1\n");
    let query = "SELECT * FROM t WHERE id = 1";
    let lines = |format: &str| -> Vec<String> {
        exported("a.json", &format!("as {format} {query}")).lines().map(str::to_owned).collect()
    };
    let one = |name: &str| format!("{{\"id\":1,\"name\":\"{name}\"}}");
    assert_eq!(lines("changelog-json")[1], format!("{{\"op\":\"-U\",\"data\":{}}}", one("a")));
    assert_eq!(lines("debezium-json")[1], format!("{{\"before\":{},\"after\":null,\"op\":\"d\"}}", one("a")));
    assert_eq!(lines("canal-json")[2], format!("{{\"data\":[{}],\"type\":\"INSERT\"}}", one("z")));
    assert_eq!(lines("maxwell-json").len(), 3);
    assert_eq!(lines("ogg-json").len(), 3);
}

#[test]
fn events_that_are_exported_are_imported_as_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["debezium-json", "ogg-json"] {
        assert!(run(folder.path(), &format!("{TABLE}.export e.jsonl as {format} t")).status.success());
        let ran = run(folder.path(), ".import e.jsonl as back\n.export rows.csv back");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let rows = fs::read_to_string(folder.path().join("rows.csv")).unwrap();
        assert_eq!(rows, "id,name\n2,\"b, \"\"c\"\"\"\n1,z\n");
    }
}

#[test]
fn without_a_query_it_is_what_the_last_one_gave() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &format!("{TABLE}SELECT name FROM t WHERE id = 2;\n.export a.jsonl"));
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    assert_eq!(text, "{\"name\":\"b, \\\"c\\\"\"}\n");
}

#[test]
fn a_failed_export_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    for (export, expected) in [
        ("a.csv SELECT 1 / (id - 2) FROM t", "division by zero"),
        ("a.csv nowhere", "\"nowhere\" does not exist"),
        ("a.csv as xml t", "\"xml\" is no format of files"),
        ("a.csv as debezium-json SELECT 1 / (id - 2) FROM t", "division by zero"),
        ("a.csv as debezium-json SELECT MAP[1, 2] AS m", "cannot hold column"),
    ] {
        fs::write(&path, "old").unwrap();
        let ran = run(folder.path(), &format!("{TABLE}.export {export}"));
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(1), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

/// The file that is being written.
fn half_written(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "new"))
}

#[test]
fn who_is_killed_while_writing_leaves_the_old_file_or_the_new_one() {
    const ROUNDS: u32 = 100;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let numbers: Vec<String> = (0..20).map(|number| format!("({number})")).collect();
    let setup = format!(
        "CREATE TABLE n (i INT) WITH ('changelog.mode' = 'append'); INSERT INTO n VALUES {};
         CREATE VIEW ab AS SELECT 'one' AS w, a.i AS a, b.i AS b, c.i AS c FROM n AS a, n AS b, n AS c;
         CREATE VIEW ba AS SELECT 'two' AS w, c.i AS c, b.i AS b, a.i AS a FROM n AS a, n AS b, n AS c;",
        numbers.join(", ")
    );
    let mut whole = vec!["old".to_owned()];
    for view in ["ab", "ba"] {
        assert!(run(folder.path(), &format!("{setup}\n.export a.csv as changelog {view}")).status.success());
        whole.push(fs::read_to_string(&path).unwrap());
    }
    assert!(whole[1].len() > 64 << 10, "it takes several writes");
    let script = folder.path().join("endless.sql");
    let exports = ".export a.csv as changelog ab\n.export a.csv as changelog ba\n".repeat(100);
    fs::write(&script, format!("{setup}\n{exports}")).unwrap();
    fs::write(&path, "old").unwrap();
    let mut halves = 0;
    for round in 0..ROUNDS {
        let mut child = rowkind().current_dir(folder.path()).arg("endless.sql").spawn().unwrap();
        let start = Instant::now();
        while half_written(folder.path()).is_none() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(u64::from(round * 7 % 40)));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read_to_string(&path).unwrap();
        assert!(whole.contains(&found), "{} bytes in round {round}", found.len());
        if let Some(half) = half_written(folder.path()) {
            halves += 1;
            fs::remove_file(half).unwrap();
        }
    }
    assert!(halves > ROUNDS / 4, "only {halves} were killed while they wrote");
}

#[cfg(unix)]
#[test]
fn who_is_interrupted_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<String> = (0..100).map(|number| format!("({number})")).collect();
    let script = format!(
        "CREATE TABLE n (i INT) WITH ('changelog.mode' = 'append'); INSERT INTO n VALUES {};
         .export a.csv as changelog SELECT a.i, b.i, c.i, d.i FROM n AS a, n AS b, n AS c, n AS d",
        numbers.join(", ")
    );
    let path = folder.path().join("a.csv");
    fs::write(&path, "old").unwrap();
    let mut child = rowkind().current_dir(folder.path()).args(["-c", &script]).spawn().unwrap();
    let start = Instant::now();
    while half_written(folder.path()).is_none() && start.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn options_of_formats_stand_behind_their_side_where_a_script_for_flink_has_keys() {
    let mut session = Session::new();
    let create = "CREATE TABLE topic (id INT, at TIMESTAMP(3), PRIMARY KEY (id) NOT ENFORCED) \
        WITH ('connector' = 'stdin', 'key.format' = 'csv', 'value.format' = 'json', 'key.separator' = ':', \
        'json.timestamp-format.standard' = 'ISO-8601')";
    session.run_all(create).unwrap();
    let script = session.flink_script();
    assert!(script.contains("'value.json.timestamp-format.standard' = 'ISO-8601'"), "{script}");
    assert!(!script.contains("'json.") && !script.contains("key.separator"), "{script}");
}

#[test]
fn rows_that_are_made_up_are_so_in_a_script_for_flink() {
    let mut session = Session::new();
    let create = "CREATE TABLE f (n STRING) WITH ('connector' = 'faker', 'seed' = '3', \
        'fields.n.expression' = '#{Options.option ''a'',''b''}', 'rows-per-second' = '5'); \
        CREATE TABLE d (n INT) WITH ('connector' = 'datagen', 'start-time' = '2024-01-01', 'fields.n.min' = '1')";
    session.run_all(create).unwrap();
    let script = session.flink_script();
    assert!(!script.contains("'seed'") && !script.contains("'start-time'"), "{script}");
    let faker = script.split("CREATE TABLE").next().unwrap();
    assert!(
        faker.ends_with("-- Flink has this connector with the jar of flink-faker on its class path.\n"),
        "{script}"
    );
    assert!(script.contains("'fields.n.expression' = '#{Options.option ''a'',''b''}'"), "{script}");
    assert!(script.contains("'fields.n.min' = '1'"), "{script}");
}

#[test]
fn a_script_for_flink_has_its_connectors_and_says_what_is_different() {
    let mut session = Session::new();
    session
        .run_all(
            "CREATE TABLE t (id INT, PRIMARY KEY (id) NOT ENFORCED);
             CREATE TABLE events (op STRING, at_line BIGINT METADATA FROM 'line' VIRTUAL, ts TIMESTAMP(3),
               WATERMARK FOR ts AS ts)
               WITH ('connector' = 'filesystem', 'path' = '/data/2024-*/e.json', 'format' = 'json', 'json.multi-line' = 'true');
             CREATE TABLE origin (name STRING METADATA FROM 'source.table' VIRTUAL, id INT)
               WITH ('connector' = 'stdin', 'format' = 'debezium-json');
             CREATE TABLE counts (n BIGINT) WITH ('changelog.mode' = 'retract');
             CREATE VIEW v AS SELECT COUNT(*) AS n FROM a;
             ",
        )
        .unwrap_err();
    session
        .run_all(
            "CREATE VIEW a_last AS SELECT id FROM t;
             CREATE VIEW a_first AS SELECT COUNT(*) AS n FROM a_last;
             CREATE VIEW lenient AS SELECT id AS value FROM t;
             INSERT INTO counts SELECT n FROM a_first;
             CREATE TABLE copy AS SELECT id FROM t;
             SET 'rowkind.insert' = 'once'; SET 'table.local-time-zone' = 'UTC'",
        )
        .unwrap();
    let script = session.flink_script();
    let position = |text: &str| script.find(text).unwrap_or_else(|| panic!("{text}\n{script}"));
    assert!(
        !script.contains("'rowkind.") && !script.contains("changelog.mode") && !script.contains("multi-line")
    );
    position("SET 'table.local-time-zone' = 'UTC';");
    position("'connector' = 'upsert-kafka',\n  'topic' = 't'");
    position("'path' = 'file:///data',\n  'source.path.regex-pattern' = '/data/2024\\-[^/]*/e\\.json'");
    position(
        "-- Flink's connector \"filesystem\" has no metadata \"line\", so the column \"at_line\" is left out.",
    );
    position("WATERMARK FOR `ts` AS `ts`");
    position("METADATA FROM 'value.source.table' VIRTUAL");
    position(
        "-- Flink refuses this: \"value\" is a reserved word, and needs backticks as a name\nCREATE VIEW `lenient`",
    );
    assert!(position("CREATE VIEW `a_last`") < position("CREATE VIEW `a_first`"));
    position(
        "EXECUTE STATEMENT SET\nBEGIN\nINSERT INTO counts SELECT n FROM a_first;\nINSERT INTO `copy` SELECT id FROM t;\nEND;\n",
    );
}
