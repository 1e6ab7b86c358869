//! The commands about the last statement, the system around the shell, and data to play with.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The shell in a folder, without what the environment may say.
fn rowkind(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).current_dir(folder);
    command.stdin(Stdio::null());
    command
}

/// The exit status, the output and the errors of a script, which goes on after what fails.
fn run_in(folder: &Path, arguments: &[&str], script: &str) -> (i32, String, String) {
    let output =
        rowkind(folder).args(["--keep-going"]).args(arguments).args(["-c", script]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn run(arguments: &[&str], script: &str) -> (i32, String, String) {
    run_in(Path::new("."), arguments, script)
}

#[track_caller]
fn out(arguments: &[&str], script: &str) -> String {
    let (status, out, err) = run(arguments, script);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    out
}

const TABLE: &str = "CREATE TABLE t (id INT NOT NULL, name STRING);\nINSERT INTO t VALUES (1, 'a');\n";

#[test]
fn the_last_statement_runs_again_and_may_stand_before_the_command() {
    let csv = ["--csv", "--no-header"];
    assert_eq!(out(&csv, "SELECT 1;\n\\g\n.g;"), "+I,1\n+I,1\n+I,1\n");
    // A statement before a command is run by it alone, and commands and words for the shell are no statements.
    assert_eq!(out(&csv, "SELECT 2 \\g"), "+I,2\n");
    assert_eq!(out(&csv, "SELECT 3;\n.databases\nclear;\n\\g").matches("+I,3\n").count(), 2);
    let vertical = out(&[], "SELECT 1 AS a, 'x' AS b \\gx");
    assert!(vertical.contains("\na: 1\nb: x\n") && !vertical.contains('┆'), "{vertical}");
    let (status, _, err) = run(&[], "\\gx");
    assert_eq!(status, 1);
    assert!(err.starts_with("error: there is no statement to run again\n"), "{err}");
}

#[test]
fn a_result_that_runs_again_may_replace_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let script = "SELECT 1 AS a;\n\\g 'a b.csv'\nSELECT nope \\g other.csv\n";
    let (status, out, _) = run_in(folder.path(), &["--csv"], script);
    assert_eq!((status, out.as_str()), (1, "op,a\n+I,1\n"));
    assert_eq!(fs::read_to_string(folder.path().join("a b.csv")).unwrap(), "op,a\n+I,1\n");
    assert!(!folder.path().join("other.csv").exists());
}

#[test]
fn a_table_is_explained_by_its_name_and_a_word_that_is_none_is_a_table_that_does_not_exist() {
    let orders = "CREATE TABLE orders (id INT);\n";
    let plan = out(&[], &format!("{orders}.explain orders;"));
    assert_eq!(plan, out(&[], &format!("{orders}.explain SELECT * FROM orders")));
    assert!(plan.starts_with("== bound ==\n"), "{plan}");
    let (status, _, err) = run(&[], &format!("{orders}.explain\n.explain SELECT"));
    assert_eq!(status, 1);
    assert!(err.starts_with("error: .explain needs a query") && err.contains("syntax error"), "{err}");
    let (status, _, err) = run(&[], &format!("{orders}.explain ordrs"));
    assert_eq!(status, 1);
    assert_eq!(err, "error: table or view \"ordrs\" does not exist\nHint: Did you mean \"orders\"?\n");
}

#[test]
fn the_columns_of_a_query_are_shown_without_running_it() {
    let script = "SELECT id, name, COUNT(*) AS n FROM t GROUP BY id, name \\gdesc";
    assert_eq!(
        out(&["--csv"], &format!("{TABLE}{script}")),
        "name,type,null\nid,INT,FALSE\nname,STRING,TRUE\nn,BIGINT,FALSE\n"
    );
    // It would have no end.
    let endless = "CREATE TABLE g (a INT) WITH ('connector' = 'datagen');\nSELECT a FROM g \\gdesc";
    assert_eq!(out(&["--csv"], endless), "name,type,null\na,INT,TRUE\n");
    let (status, out, err) = run(&["--csv"], &format!("{TABLE}\\gdesc\nSELECT nope FROM t \\gdesc"));
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("notice: the last statement is no query"), "{err}");
    assert!(err.contains("LINE 1: SELECT nope FROM t\n               ^^^^\n"), "{err}");
}

#[test]
fn a_statement_is_repeated_as_often_as_is_asked_for() {
    let started = Instant::now();
    let text = out(&[], "SELECT 1 AS a\n\\watch i=0.3 c=3");
    assert!(started.elapsed() > Duration::from_millis(600));
    let titles: Vec<&str> = text.lines().filter(|line| line.ends_with(" (every 0.3s)")).collect();
    assert_eq!((titles.len(), text.matches("│ +I ┆ 1 │").count()), (3, 3), "{text}");
    assert!(titles[0].contains(" UTC 20"), "{}", titles[0]);
    // What programs read has no titles, and each run sees what there is.
    assert_eq!(out(&["--csv", "--no-header"], "SELECT 1;\n.repeat 0 c=2"), "+I,1\n".repeat(3));
    let script =
        "CREATE TABLE l (a INT);\nINSERT INTO l VALUES (7);\n.repeat c=2 i=0\nSELECT COUNT(*) FROM l;";
    let grown = out(&["--json"], script);
    assert_eq!(grown, "[{\"EXPR$0\":3}]\n");
    for wrong in [".repeat c=0", ".repeat soon", "\\watch 1 m=2"] {
        let (status, out, err) = run(&["--csv"], &format!("SELECT 1;\n{wrong}"));
        assert_eq!((status, out.lines().count(), err.lines().count() > 0), (1, 2, true), "{wrong}");
    }
    let (status, out, _) = run(&["--csv"], "SELECT nope;\n.repeat i=0");
    assert_eq!((status, out.as_str()), (1, ""), "what fails is not repeated");
}

#[test]
fn ctrl_c_ends_what_is_repeated_in_a_script() {
    let mut child = rowkind(Path::new("."))
        .args(["--format", "jsonl", "-c", "SELECT 1 AS a;\n.repeat 0.05\nSELECT 2 AS b;"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut seen = vec![0; "{\"op\":\"+I\",\"row\":{\"a\":1}}\n".len() * 4];
    child.stdout.as_mut().unwrap().read_exact(&mut seen).unwrap();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(!String::from_utf8(output.stdout).unwrap().contains("\"b\""));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn statements_that_come_one_by_one_may_end_with_a_command() {
    let mut child = rowkind(Path::new("."))
        .args(["--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    for (part, answer) in [("SELECT 1 AS a \\g\n", "1"), ("SELECT 2 AS a\n\\gx\n", "2"), ("\\g\n", "2")] {
        stdin.write_all(part.as_bytes()).unwrap();
        let answer = format!("{{\"op\":\"+I\",\"row\":{{\"a\":{answer}}}}}\n");
        let mut line = vec![0; answer.len()];
        stdout.read_exact(&mut line).unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), answer);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_text_goes_where_results_go() {
    let folder = tempfile::tempdir().unwrap();
    let script = ".print 'Two  blanks'   and it's done;\n.output a.txt\n\\echo there\n.output\n\\echo here";
    let (status, out, err) = run_in(folder.path(), &[], script);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "Two  blanks and it's done;\nhere\n", ""));
    assert_eq!(fs::read_to_string(folder.path().join("a.txt")).unwrap(), "there\n");
}

#[test]
fn commands_of_the_system_run_in_the_directory_of_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("data/rows.csv"), "1\n2\n").unwrap();
    fs::write(folder.path().join("main.sql"), ".cd data\n.read other.sql\n").unwrap();
    fs::write(folder.path().join("other.sql"), "SELECT 'beside the script' AS a;\n").unwrap();
    let script = ".once first.csv\n.cd data\nSELECT 1 AS a;\n\\!cat rows.csv; echo end\n.shell exit 7\n\
                  .cd nowhere\n\\cd ~\n\\! pwd\n";
    let mut command = rowkind(folder.path());
    let home = folder.path().join("data");
    command.env("HOME", &home).args(["--csv", "--keep-going", "-c", script]);
    let output = command.output().unwrap();
    let home = home.canonicalize().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("1\n2\nend\n{}\n", home.display()));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: the command ended with exit status 7\nerror: directory \"nowhere\" does not exist\n"
    );
    assert_eq!(output.status.code(), Some(1));
    // What was named before is where it was named.
    assert_eq!(fs::read_to_string(folder.path().join("first.csv")).unwrap(), "op,a\n+I,1\n");
    let read = rowkind(folder.path()).args(["--csv", "main.sql"]).output().unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap(), "op,a\n+I,beside the script\n");
}

#[test]
fn a_command_of_the_system_does_not_read_the_script() {
    let mut child = rowkind(Path::new("."))
        .args(["--csv", "--no-header"])
        .env("SHELL", "/bin/sh")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b".shell cat\nSELECT 1;\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "+I,1\n");
}

#[test]
fn a_transcript_has_what_a_command_wrote_and_the_next_script_its_own_directory() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    fs::write(folder.path().join("a.sql"), ".cd sub\n.shell echo out; echo err >&2\nSELECT 1 AS a \\g\n")
        .unwrap();
    fs::write(folder.path().join("b.sql"), ".shell ls\n").unwrap();
    let test = || rowkind(folder.path()).args(["test", ".", "--bless"]).output().unwrap();
    assert_eq!(test().status.code(), Some(0));
    assert_eq!(
        fs::read_to_string(folder.path().join("a.out")).unwrap(),
        "> .cd sub\n> .shell echo out; echo err >&2\nout\nerr\n> \\g\n> SELECT 1 AS a\n# a INT NOT NULL\n+I[1]\n= final\n[1]\n"
    );
    assert!(fs::read_to_string(folder.path().join("b.out")).unwrap().contains("a.sql\n"));
}

#[test]
fn demonstrations_are_made_whole_or_not_at_all() {
    let list = out(&[], ".demo");
    assert_eq!(list.lines().count(), 3);
    let made = out(&["--csv"], ".demo users\n.demo orders\n.demo sensors\n.tables");
    assert!(
        made.contains("-- view orders: ") && made.ends_with("orders\npurchases\nsensors\nusers\n"),
        "{made}"
    );
    // What it prints can be run.
    let (queries, _) = made.split_once("table name\n").unwrap();
    let ran = out(&["--csv"], &format!(".demo users\n.demo orders\n.demo sensors\n{queries}"));
    assert_eq!(ran.lines().filter(|line| line.starts_with("op,")).count(), 9, "{ran}");

    let (status, out, err) = run(&["--csv"], "CREATE VIEW users AS SELECT 1 AS a;\n.demo users\n.tables");
    assert_eq!((status, out.as_str()), (1, "table name\nusers\n"));
    assert_eq!(
        err,
        "error: view \"users\" exists already, so nothing was made\nHint: DROP VIEW users first.\n"
    );
    let (status, _, err) = run(&[], ".demo order");
    assert_eq!(status, 1);
    assert!(err.ends_with("Hint: Did you mean orders?\n"), "{err}");
}

#[test]
fn settings_of_flinks_client_show_times_and_whole_errors() {
    let time = "SET 'sql-client.display.print-time-cost' =";
    let (status, _, err) =
        run(&[], &format!("SELECT 1;\n{time} 'true';\nSELECT 1;\n{time} 'false';\nSELECT 1;"));
    assert_eq!((status, err.matches("time: ").count()), (0, 2), "{err}");
    let (_, _, err) = run(&["-s", "sql-client.display.print-time-cost=true"], "SELECT 1;\nRESET;\nSELECT 1;");
    assert_eq!(err.matches("time: ").count(), 1, "{err}");
    let (status, _, err) = run(&[], &format!("{time} 'sometimes';"));
    assert_eq!(status, 1);
    assert!(err.contains("It is 'true' or 'false'."), "{err}");

    let long = format!("SELECT '{}' || nope;", "x".repeat(300));
    let line_of = |script: &str| {
        let (_, _, err) = run(&[], script);
        err.lines().find(|line| line.starts_with("LINE")).unwrap().to_owned()
    };
    assert!(line_of(&long).len() < 200);
    assert!(line_of(&format!("SET 'sql-client.verbose' = 'true';\n{long}")).ends_with(&long));
}

/// The log of each table that a script makes.
fn rows_of(script: &str) -> Vec<String> {
    let mut session = rowkind::Session::new();
    let mut rows: Vec<String> = session.run_all(script).unwrap().lines().collect();
    rows.sort();
    rows
}

#[test]
fn rows_are_inserted_again_by_the_statements_that_are_written_of_them() {
    let table = "CREATE TABLE v (b BOOLEAN, t TINYINT, l BIGINT, f FLOAT, d DOUBLE, e DECIMAL(10, 2), g DECIMAL(38, 10),
        c CHAR(3), x STRING, y BYTES, da DATE, ti TIME(3), ts TIMESTAMP(9), lz TIMESTAMP_LTZ(9), a ARRAY<INT>,
        m MAP<STRING, BIGINT>, r ROW<p INT, q STRING>, n ARRAY<ROW<p DECIMAL(5, 1), q ARRAY<STRING>>>);\n";
    let rows = "INSERT INTO v VALUES
        (TRUE, CAST(1 AS TINYINT), 9223372036854775807, CAST(1.1 AS FLOAT), 0.1, 12345678.90,
         1234567890123456789012345678.0123456789, 'abc', U&'a\\0007''ü', X'00ff', DATE '2024-02-29',
         TIME '01:02:03.004', TIMESTAMP '2024-02-29 01:02:03.123456789', TO_TIMESTAMP_LTZ(1709164800123456789, 9),
         ARRAY[1, 2], MAP['k', 5], ROW(1, 'x'), ARRAY[ROW(1.5, ARRAY['y', CAST(NULL AS STRING)])]);
        INSERT INTO v (l) VALUES (-9223372036854775808);
        INSERT INTO v (d, f) VALUES (CAST('NaN' AS DOUBLE), CAST('-Infinity' AS FLOAT)), (1E300, CAST(1E-30 AS FLOAT));
        INSERT INTO v (lz, a, m) VALUES (TO_TIMESTAMP_LTZ(-1, 3), ARRAY_SLICE(ARRAY[1], 2),
         MAP_FROM_ARRAYS(ARRAY_SLICE(ARRAY['k'], 2), ARRAY_SLICE(ARRAY[CAST(1 AS BIGINT)], 2)));\n";
    let query = "SELECT * FROM v";
    let written = out(&["--format", "changelog"], &format!("{table}{rows}.mode insert v\n{query};"));
    assert!(written.starts_with("INSERT INTO v VALUES\n  (TRUE, CAST(1 AS TINYINT), "), "{written}");
    // Flink has neither a NULL without a type there, nor empty brackets.
    assert!(
        !written.contains("  (NULL") && !written.contains(", NULL") && !written.contains("[]"),
        "{written}"
    );
    assert_eq!(rows_of(&format!("{table}{written}{query}")), rows_of(&format!("{table}{rows}{query}")));
}

#[test]
fn the_format_insert_names_its_table_and_other_formats_have_none() {
    let script =
        ".format insert `a table`\n.format\nSELECT 1 AS a;\n.mode insert\nSELECT 1 AS a;\n.mode csv t\n.mode";
    let (status, out, err) = run(&[], script);
    assert_eq!(
        out,
        "insert `a table`\nINSERT INTO `a table` VALUES\n  (1);\nINSERT INTO t VALUES\n  (1);\ninsert\n"
    );
    assert_eq!(status, 1);
    assert!(err.starts_with("error: \"t\" is not expected behind csv\n"), "{err}");
    assert_eq!(
        self::out(
            &["--format", "insert", "--view", "changes"],
            "SELECT COUNT(*) FROM (VALUES (1), (2)) AS v;"
        ),
        "-- kinds: +I -U +U\nINSERT INTO t VALUES\n  (1),\n  (1),\n  (2);\n"
    );
}

#[test]
fn a_reserved_word_is_told_about_once() {
    let script = "SELECT 1 AS value, 2 AS year, 3 AS year;
        SELECT 4 AS Value, 5 AS `value`;
        SELECT 6 AS value, 7 AS `user`, 8 AS month;";
    let (status, _, err) = run(&[], script);
    let notice = "notice: Flink reserves these names and wants backticks: ";
    assert_eq!((status, err), (0, format!("{notice}`value`, `year`\n{notice}`month`\n")));
}

#[test]
fn details_that_plans_have_not_are_told_about() {
    let table = "CREATE TABLE t (id INT);";
    let explained = |details: &str| {
        let (status, out, err) = run(&[], &format!("{table} EXPLAIN {details} SELECT * FROM t;"));
        assert_eq!(status, 0, "{err}");
        (out, err)
    };
    let plain = out(&[], &format!("{table} EXPLAIN SELECT * FROM t;"));
    let modes = out(&[], &format!("{table} EXPLAIN CHANGELOG_MODE SELECT * FROM t;"));
    let cost = "notice: costs are not estimated here: ESTIMATED_COST has no effect\n";
    assert_eq!(explained("ESTIMATED_COST"), (plain, cost.to_owned()));
    let json = "notice: there is no execution plan as JSON here: JSON_EXECUTION_PLAN has no effect\n";
    assert_eq!(explained("CHANGELOG_MODE, JSON_EXECUTION_PLAN"), (modes, json.to_owned()));
    let both = "notice: costs are not estimated here, and there is no execution plan as JSON\n";
    let (advised, notices) = explained("ESTIMATED_COST, PLAN_ADVICE, JSON_EXECUTION_PLAN");
    assert_eq!(notices, both);
    assert!(advised.contains("No available advice..."), "{advised}");
}

#[test]
fn there_are_no_functions_of_users() {
    let list = |statement: &str| out(&["--format", "csv"], statement);
    assert_eq!(list("SHOW USER FUNCTIONS;"), "function name\n");
    assert_eq!(list("SHOW FUNCTIONS LIKE 'AB%';"), "function name\nABS\n");
}

#[test]
fn a_pipeline_keeps_the_options_of_its_hints() {
    let folder = tempfile::tempdir().unwrap();
    let script = "CREATE TABLE news (id INT);
        CREATE TABLE file (id INT) WITH ('connector' = 'filesystem', 'path' = 'own.csv', 'format' = 'csv');
        INSERT INTO file /*+ OPTIONS('path' = 'other.csv') */ SELECT id FROM news;
        INSERT INTO file SELECT id + 10 FROM news;
        INSERT INTO news VALUES (1);
        INSERT INTO news VALUES (2);
        DROP TABLE file;";
    let (status, _, err) = run_in(folder.path(), &[], script);
    assert_eq!(status, 1);
    assert!(err.contains("table \"file\" is used by job 1"), "{err}");
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((read("own.csv").as_str(), read("other.csv").as_str()), ("11\n12\n", "1\n2\n"));
}
