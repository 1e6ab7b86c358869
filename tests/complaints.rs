//! What people complain about elsewhere, and what happens here instead.
//!
//! Each test is named after the complaint, and its number is that of a list of the fifteen most frequent in
//! the trackers of other shells. Those that need a terminal are in `terminal/complaints.rs`.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use rowkind::Session;
use rowkind::assist;

/// The exit status, the output and the errors of a run.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    let output = command.env_clear().args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn out(arguments: &[&str]) -> String {
    let (status, out, err) = run(arguments);
    assert_eq!((status, err.as_str()), (0, ""));
    out
}

fn error(sql: &str) -> String {
    let (status, out, err) = run(&["-c", "CREATE TABLE t (id INT, region STRING);", "-c", sql]);
    assert_eq!((status, out.as_str()), (1, ""), "{sql}");
    err
}

/// A table with thirty columns, and two rows in it.
fn wide() -> String {
    let columns: Vec<String> = (1..=30).map(|i| format!("c{i} STRING")).collect();
    let row = format!("({})", vec!["'a long value'"; 30].join(", "));
    format!("CREATE TABLE w ({}); INSERT INTO w VALUES {row}, {row};", columns.join(", "))
}

/// 1: they wrap into garbage, or are cut without a way to see the rest.
#[test]
fn wide_results() {
    let shown = out(&["--max-width", "60", "-c", &wide(), "-c", "SELECT * FROM w"]);
    let widest =
        shown.lines().filter(|line| line.starts_with(['│', '┌', '╞', '└'])).map(|l| l.chars().count());
    assert!(widest.max().unwrap() <= 60, "{shown}");
    assert!(
        shown.contains("columns do not fit") && shown.contains("to c30; end a query with \\G"),
        "{shown}"
    );
    let all = out(&["--max-width", "60", "-c", &wide(), "-c", "SELECT * FROM w\\G"]);
    assert_eq!(all.matches("c30: a long value\n").count(), 2, "{all}");
    // In a pipe nothing is ever left out.
    let piped = out(&["-c", &wide(), "-c", "SELECT * FROM w"]);
    assert_eq!(piped.matches("a long value").count(), 60, "{piped}");
}

/// 2: there is no vertical output, or none that comes by itself.
#[test]
fn vertical_output() {
    let script =
        format!("{}\n\\x auto\nSELECT * FROM w;\nSELECT c1 FROM w;\n\\x on\nSELECT c1 FROM w;", wide());
    let shown = out(&["--max-width", "60", "-c", &script]);
    assert!(shown.contains("─[ 2 ]─ +I ─") && shown.contains("c30: a long value\n"), "{shown}");
    assert!(shown.contains("│ +I ┆ a long value │"), "{shown}");
    assert!(shown.ends_with("c1: a long value\n2 changes (+I 2) → 2 rows\n"), "{shown}");
}

/// 3: a script that fails has status 0, or goes on.
#[test]
fn exit_status_of_a_script_that_fails() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rowkind"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"SELECT nope; SELECT 'after' AS a;").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let (status, out, _) = run(&["-c", "SELECT nope; SELECT 'after' AS a", "-c", "SELECT 'last' AS a"]);
    assert_eq!((status, out.as_str()), (1, ""));
    let (status, out, _) = run(&["--keep-going", "-c", "SELECT nope; SELECT 'after' AS a"]);
    assert!(status == 1 && out.contains("after"));
}

/// 7: names of tables and columns are not completed.
#[test]
fn completion_of_names() {
    let mut session = Session::new();
    session
        .run_all("CREATE TABLE orders (id INT, region STRING); CREATE VIEW eu AS SELECT * FROM orders")
        .unwrap();
    let completed = |text: &str, at: usize| {
        let candidates = assist::complete(&session, text, at).candidates;
        candidates.into_iter().map(|candidate| candidate.text).collect::<Vec<_>>()
    };
    assert!(completed("SELECT * FROM ord", 17).contains(&"orders".to_owned()));
    assert!(completed("SELECT * FROM e", 15).contains(&"eu".to_owned()));
    // Also before the table is there to be seen.
    assert_eq!(completed("SELECT o.re FROM orders AS o", 11), ["region"]);
}

/// 10: NULL looks like an empty string.
#[test]
fn null_and_empty() {
    let sql = "SELECT CAST(NULL AS STRING) AS a, '' AS b, 'NULL' AS c";
    let with = |arguments: &[&str]| out(&[arguments, &["-c", sql]].concat());
    assert!(with(&[]).contains("│ +I ┆ NULL ┆   ┆ NULL │"));
    assert!(with(&["--null", "∅"]).contains("│ +I ┆ ∅ ┆   ┆ NULL │"));
    assert_eq!(with(&["--csv"]), "op,a,b,c\n+I,,\"\",NULL\n");
    assert_eq!(with(&["--format", "tsv"]).lines().last().unwrap(), "+I\t\\N\t\tNULL");
    assert!(with(&["--format", "jsonl"]).contains(r#"{"a":null,"b":"","c":"NULL"}"#));
    assert!(out(&["-c", &format!("\\pset null (none)\n{sql}")]).contains("┆ (none) ┆"));
}

/// 11: the place of an error is wrong or missing, above all in queries in queries.
#[test]
fn places_of_syntax_errors() {
    for (inner, column) in [("SELECT id,, region FROM t", 12), ("SELECT id, regoin FROM t", 13)] {
        let err = error(&format!("SELECT *\nFROM (\n  {inner}\n) AS s"));
        let lines: Vec<&str> = err.lines().collect();
        assert_eq!(lines[1], format!("LINE 3:   {inner}"), "{err}");
        assert_eq!(lines[2].find('^').unwrap() - "LINE 3: ".len(), column, "{err}");
    }
}

/// 12: nothing is suggested for a name that is nearly right.
#[test]
fn did_you_mean() {
    for (sql, hint) in [
        ("SELECT * FROM tt", "Did you mean \"t\"?"),
        ("SELECT regoin FROM t", "Did you mean \"region\"?"),
        ("SELECT UPER(region) FROM t", "Did you mean UPPER?"),
        ("SELCT 1", "Did you mean SELECT?"),
        ("SELECT * FORM t", "Did you mean FROM?"),
        (".tabels", "Did you mean .tables?"),
    ] {
        let err = error(sql);
        assert!(err.contains(hint), "{err}");
    }
}

/// 13: deletions cannot be seen, and rows wait in the client until there are many.
#[test]
fn deletions_and_late_rows() {
    let shown = out(&[
        "-c",
        "CREATE TABLE u (id INT, PRIMARY KEY (id) NOT ENFORCED); INSERT INTO u VALUES (1); DELETE FROM u WHERE id = 1;
         SELECT * FROM u",
    ]);
    assert!(shown.contains("│ -D ┆  1 │") && shown.ends_with("2 changes (+I 1, -D 1) → 0 rows\n"), "{shown}");

    let table = |name: &str, connector: &str| {
        format!(
            "CREATE TABLE {name} (id INT) WITH ('connector' = '{connector}', 'format' = 'changelog-json');"
        )
    };
    let pipeline = format!("{}INSERT INTO o SELECT * FROM e", table("o", "stdout"));
    for (sql, delete) in [
        ("SELECT * FROM e", r#"{"op":"-D","row":{"id":1}}"#),
        ("SELECT e.id FROM e JOIN (VALUES (1)) AS v (id) ON e.id = v.id", r#"{"op":"-D","row":{"id":1}}"#),
        (&pipeline, r#"{"op":"-D","data":{"id":1}}"#),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rowkind"))
            .env_clear()
            .args(["--format", "jsonl", "-c", &table("e", "stdin"), "-c", sql])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Each row is there before the next one is written.
        for op in ["+I", "-D"] {
            writeln!(stdin, r#"{{"op":"{op}","data":{{"id":1}}}}"#).unwrap();
            assert_eq!(lines.next().unwrap().unwrap(), delete.replace("-D", op));
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// 14: errors about the modes of changelogs cannot be understood.
#[test]
fn errors_about_modes() {
    let err = error(
        "CREATE TABLE s (region STRING, n BIGINT);\nINSERT INTO s SELECT region, COUNT(*) FROM t GROUP BY region",
    );
    assert!(err.starts_with(
        "error: table \"s\" does not take update changes, which GROUP BY region produces\nLINE 2:"
    ));
    // What helps is written out, and runs.
    assert!(err.contains("1. A table with a primary key takes them as upserts:"), "{err}");
    let behind = err.lines().skip_while(|line| !line.contains("1. A table")).skip(1);
    let rewrite: Vec<&str> = behind.filter_map(|line| line.strip_prefix("         ")).take(2).collect();
    let (status, _, err) = run(&["-c", "CREATE TABLE t (id INT, region STRING)", "-c", &rewrite.join("\n")]);
    assert_eq!((status, err.as_str()), (0, ""));
}
