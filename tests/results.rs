//! The command line: how results look, and where they go.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The exit status, the output and the errors of a run in a folder.
fn run_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rowkind"))
        .env_clear()
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn out(arguments: &[&str]) -> String {
    let (status, out, err) = run_in(Path::new("."), arguments);
    assert_eq!((status, err.as_str()), (0, ""));
    out
}

const TABLE: &str = "CREATE TABLE t (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED);
    INSERT INTO t VALUES (1, 'a'), (2, NULL), (1, ''), (3, 'NULL');";
const QUERY: &str = "SELECT * FROM t";

#[test]
fn a_flag_names_a_format_and_a_view_its_side() {
    assert_eq!(
        out(&["--csv", "-c", TABLE, "-c", QUERY]),
        "op,id,name\n+I,1,a\n+I,2,\n-U,1,a\n+U,1,\"\"\n+I,3,NULL\n"
    );
    assert_eq!(
        out(&["--csv", "--view", "upsert", "--no-header", "-c", TABLE, "-c", QUERY]),
        "+I,1,a\n+I,2,\n+U,1,\"\"\n+I,3,NULL\n"
    );
    assert_eq!(
        out(&["--csv", "--view", "table", "--null", "NULL", "-c", TABLE, "-c", QUERY]),
        "id,name\n1,\"\"\n2,NULL\n3,\"NULL\"\n"
    );
    assert_eq!(
        out(&["--json", "-c", TABLE, "-c", QUERY]),
        "[{\"id\":1,\"name\":\"\"},\n{\"id\":2,\"name\":null},\n{\"id\":3,\"name\":\"NULL\"}]\n"
    );
    assert_eq!(out(&["--format", "tabs", "-c", "SELECT 1 AS a"]), "op\ta\n+I\t1\n");
}

#[test]
fn a_result_without_a_key_is_not_shown_as_upserts_and_says_why() {
    let count = "SELECT name FROM t";
    let (status, out, err) = run_in(Path::new("."), &["--csv", "--view", "upsert", "-c", TABLE, "-c", count]);
    assert_eq!((status, out.lines().count()), (0, 6));
    assert!(err.starts_with("notice: no key says which row a new one would replace"), "{err}");
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    for (command, hint) in [
        (".format markdwon", "Did you mean markdown?"),
        (".format xyzzy", "The formats are changelog, table, "),
        (".view upserts", "Did you mean upsert?"),
        (".maxrows many", "0 is no limit."),
        (".pager perhaps", "$ROWKIND_PAGER names the program."),
        (".unwatch t", ".watch shows what is watched."),
    ] {
        let (status, _, err) = run_in(Path::new("."), &["-c", command]);
        assert!(status == 1 && err.contains(hint), "{command}: {err}");
    }
}

#[test]
fn boxes_have_the_rows_the_width_and_the_words_that_are_asked_for() {
    let rows = "CREATE TABLE n (i INT); INSERT INTO n VALUES (1), (2), (3), (4), (5), (6);";
    assert_eq!(
        out(&["--max-rows", "3", "--no-header", "-c", rows, "-c", "SELECT * FROM n"]),
        "┌────┬───┐\n│ +I ┆ 1 │\n│ +I ┆ 2 │\n│ ·  ┆ · │\n│ +I ┆ 6 │\n└────┴───┘\n\
         6 changes (+I 6) → 6 rows (3 shown)\n"
    );
    let script = "SELECT 'a text that is long' AS a, CAST(NULL AS INT) AS b;";
    let text = out(&["--max-width", "24", "--format", "box", "--null", "-", "-c", script]);
    assert!(text.contains("│ a text that i… │   - │\n"), "{text}");
    let commands = ".maxrows 2\n.maxrows\n.maxwidth\n.headers off\n.headers\n.nullvalue nil\n.format csv\n\
                    SELECT CAST(NULL AS INT) AS b;\n.nullvalue\nSELECT CAST(NULL AS INT) AS b;\n.pager\n";
    assert_eq!(out(&["-c", commands]), "2\n0\noff\n+I,nil\n+I,\nauto\n");
}

#[test]
fn results_go_to_files_and_back() {
    let folder = TempDir::new().unwrap();
    let script = ".output a.csv\nSELECT 1 AS a;\n.tables\n.output\nSELECT 2 AS a;\n";
    let ran = run_in(folder.path(), &["--csv", "-c", script]);
    assert_eq!(ran, (0, "op,a\n+I,2\n".to_owned(), String::new()));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("a.csv"), "op,a\n+I,1\ntable name\n");

    let ran = run_in(folder.path(), &["--csv", "-o", "b.csv", "-c", "SELECT 3 AS a"]);
    assert_eq!((ran.0, ran.1.as_str(), read("b.csv").as_str()), (0, "", "op,a\n+I,3\n"));
    let (status, _, err) = run_in(folder.path(), &["-o", "no/such/folder", "-c", "SELECT 3 AS a"]);
    assert!(status == 2 && err.starts_with("error: file \"no/such/folder\" cannot be written: "), "{err}");
    let (status, _, err) = run_in(folder.path(), &["-c", ".output no/such/folder"]);
    assert!(status == 1 && err.contains("cannot be written"), "{err}");
}

#[test]
fn a_file_is_replaced_by_a_result_that_is_complete_and_by_no_other() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, "old").unwrap();
    let failing = "CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (0);\n.once a.csv\nSELECT 1 / a AS b FROM t;\n\
                   SELECT 2 AS a;";
    let (status, out, _) = run_in(folder.path(), &["--csv", "--keep-going", "-c", failing]);
    assert_eq!((status, out.as_str()), (1, "op,a\n+I,2\n"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");

    let ran = run_in(folder.path(), &["--csv", "-c", ".once 'a.csv'\nSELECT 1 AS a; SELECT 2 AS a;"]);
    assert_eq!(ran, (0, "op,a\n+I,2\n".to_owned(), String::new()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "op,a\n+I,1\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_take_a_result_is_an_error_of_its_statement() {
    let script = ".once /dev/full\nSELECT 1 AS a;\nSELECT 2 AS a;";
    let (status, out, err) = run_in(Path::new("."), &["--csv", "--keep-going", "-c", script]);
    assert_eq!((status, out.as_str()), (1, "op,a\n+I,2\n"));
    assert!(err.starts_with("error: file \"/dev/full\" cannot be written: No space left"), "{err}");
}

#[test]
fn statements_are_echoed_timed_and_survived() {
    let script =
        "SELECT 1 AS a;\nSELECT nope;\n.echo off\n.bail on\nSELECT 2\nAS a\\G\nSELECT nope;\nSELECT 3 AS a;";
    let (status, out, err) =
        run_in(Path::new("."), &["--csv", "--echo", "-c", &format!(".bail off\n.timer on\n{script}")]);
    assert_eq!((status, out.as_str()), (1, "SELECT 1 AS a;\nop,a\n+I,1\nSELECT nope;\nop,a\n+I,2\n"));
    assert_eq!(err.matches("time: ").count(), 4, "{err}");
}

#[test]
fn the_last_result_is_a_table() {
    let script = "SELECT 1 AS a UNION ALL SELECT 2; SELECT SUM(a) AS s FROM _; SELECT * FROM _; SHOW TABLES; SELECT s + 1 AS n FROM _;";
    assert_eq!(
        out(&["--csv", "-c", script]),
        "op,a\n+I,1\n+I,2\nop,s\n+I,1\n-U,1\n+U,3\nop,s\n+I,1\n-U,1\n+U,3\ntable name\nop,n\n+I,2\n-U,2\n+U,4\n"
    );
    let (status, _, err) = run_in(Path::new("."), &["--strict", "-c", "SELECT 1 AS a; SELECT * FROM _;"]);
    assert!(status == 1 && err.contains("\"_\""), "{err}");
    let named = "SELECT 1 AS a; CREATE TABLE _ (b INT); INSERT INTO _ VALUES (7); SELECT * FROM _;";
    assert_eq!(out(&["--csv", "-c", named]), "op,a\n+I,1\nop,b\n+I,7\n");
}

#[test]
fn several_queries_are_watched_by_name_with_what_caused_their_changes() {
    let script = "CREATE TABLE t (a INT); CREATE TABLE u (a INT); INSERT INTO u SELECT a * 10 FROM t;\n\
                  .watch n = SELECT COUNT(*) AS n FROM t\n.watch u\n.watch\nINSERT INTO t VALUES (1), (2);\n\
                  .unwatch n\n.watch\nINSERT INTO t VALUES (3);\n.unwatch\nINSERT INTO t VALUES (4);";
    let text = out(&["--format", "jsonl", "-c", script]);
    let cause = |table: &str, a: i32| format!(r#""cause":{{"table":"{table}","op":"+I","row":{{"a":{a}}}}}"#);
    let expected = [
        "n = SELECT COUNT(*) AS n FROM t".to_owned(),
        "u".to_owned(),
        format!(r#"{{"op":"+I","row":{{"n":1}},"watch":"n",{}}}"#, cause("t", 1)),
        format!(r#"{{"op":"-U","row":{{"n":1}},"watch":"n",{}}}"#, cause("t", 2)),
        format!(r#"{{"op":"+U","row":{{"n":2}},"watch":"n",{}}}"#, cause("t", 2)),
        format!(r#"{{"op":"+I","row":{{"a":10}},"watch":"u",{}}}"#, cause("u", 10)),
        format!(r#"{{"op":"+I","row":{{"a":20}},"watch":"u",{}}}"#, cause("u", 20)),
        "u".to_owned(),
        format!(r#"{{"op":"+I","row":{{"a":30}},"watch":"u",{}}}"#, cause("u", 30)),
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn scripts_are_compared_with_their_transcripts() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    fs::write(path("a.sql"), "SELECT 1 AS a;\nSELECT nope;\n").unwrap();
    fs::write(path("sub/b.sql"), "-- strict\nSELECT 1 AS `value`;\nSELECT 2 AS value;\n").unwrap();
    let test = |arguments: &[&str]| run_in(folder.path(), &[&["test"], arguments].concat());

    let (status, out, _) = test(&["."]);
    assert!(status == 1 && out.contains("there is no transcript \"./a.out\""), "{out}");
    let (status, out, err) = test(&[".", "--bless"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(out, "wrote ./a.sql\nwrote ./sub/b.sql\n2 scripts: 0 as expected, 2 written\n");
    assert_eq!(test(&["."]), (0, "2 scripts: 2 as expected\n".to_owned(), String::new()));
    let transcript = fs::read_to_string(path("sub/b.out")).unwrap();
    assert!(transcript.contains("! \"value\" is a reserved word"), "{transcript}");

    fs::write(path("a.out"), fs::read_to_string(path("a.out")).unwrap().replace("+I[1]", "+I[2]")).unwrap();
    fs::write(path("c.out"), "").unwrap();
    let (status, out, _) = test(&["a.sql", "sub", "c.out"]);
    assert_eq!(
        (status, out.as_str()),
        (
            1,
            "failed a.sql\n- is in a.out, + is what the script gives\n  > SELECT 1 AS a\n  # a INT NOT NULL\n\
             - +I[2]\n+ +I[1]\n  = final\n  [1]\n  > SELECT nope\n\
             failed c.out\nerror: there is no script of this transcript\nHint: Remove it.\n\
             3 scripts: 1 as expected, 2 failed\n"
        )
    );
    assert!(test(&["a.sql", "--color", "always"]).1.contains("\x1b[31m- +I[2]\x1b[0m"));
    // What the strict session does not accept is another transcript.
    fs::write(path("d.sql"), "SELECT 1 AS value;\n").unwrap();
    assert_eq!(test(&["d.sql", "--bless"]).0, 0);
    assert_eq!((test(&["d.sql"]).0, test(&["d.sql", "--strict"]).0), (0, 1));

    for arguments in [&["no.sql"][..], &[], &["sub/nothing"]] {
        assert_eq!(test(arguments).0, 2, "{arguments:?}");
    }
}

#[test]
fn a_script_that_does_not_end_fails_and_the_others_are_compared_all_the_same() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let table = "CREATE TABLE f (a INT) WITH ('connector' = 'filesystem', 'path' = 'f.csv', 'format' = 'csv', \
                 'source.monitor-interval' = '10 ms');\n";
    fs::write(path("f.csv"), "1\n").unwrap();
    fs::write(path("a.sql"), format!("{table}SELECT * FROM f;\n")).unwrap();
    fs::write(path("b.sql"), format!("{table}CREATE TABLE t (a INT);\nINSERT INTO t SELECT * FROM f;\n"))
        .unwrap();
    fs::write(path("c.sql"), "SELECT 1 AS a;\n").unwrap();
    fs::write(path("c.out"), "> SELECT 1 AS a\n# a INT NOT NULL\n+I[1]\n= final\n[1]\n").unwrap();
    let (status, out, err) = run_in(folder.path(), &["test", "--timeout", "1", "."]);
    assert_eq!((status, err.as_str()), (1, ""));
    assert_eq!(
        out,
        "failed ./a.sql\nerror: the script has not ended after 1 second\n\
         Hint: A table with 'source.monitor-interval' has no end. --timeout SECONDS waits longer.\n\
         failed ./b.sql\nerror: the script has no end: it follows a table that has none\n\
         Hint: Leave out 'source.monitor-interval', or STOP JOB at its end.\n\
         3 scripts: 1 as expected, 2 failed\n"
    );
}

#[test]
fn tables_of_the_standard_output_follow_results() {
    let folder = TempDir::new().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let table = "CREATE TABLE o (a INT) WITH ('connector' = 'stdout', 'format' = 'csv');\n";
    let script = "SELECT 0 AS a;\nINSERT INTO o VALUES (1);\n.once one\nINSERT INTO o VALUES (2);\n\
                  .output two\nINSERT INTO o VALUES (3);\nSELECT 4 AS a;\nINSERT INTO o VALUES (5);\n\
                  .output\nINSERT INTO o VALUES (6);";
    let text = format!("{table}{script}");
    let (status, out, err) = run_in(folder.path(), &["--csv", "--no-header", "-o", "all", "-c", &text]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "6\n", ""));
    assert_eq!(
        (read("all"), read("one"), read("two")),
        ("+I,0\n1\n".into(), "2\n".into(), "3\n+I,4\n5\n".into())
    );
}

#[test]
fn psql_names_set_results_and_expansion_keeps_the_format() {
    let script = "\\pset tuples_only on\n\\pset null -\nSELECT CAST(NULL AS INT) AS a, 1 AS b;\n\\pset format csv\n\
                  SELECT 1 AS a;\n.format table\n\\x\nSELECT 1 AS a;\n\\x\nSELECT 1 AS a;";
    let shown = out(&["-c", script]);
    let row = "┌────┬───┬───┐\n│ +I ┆ - ┆ 1 │\n└────┴───┴───┘\n1 change (+I 1) → 1 row\n";
    assert!(shown.starts_with(&format!("{row}+I,1\n─[ 1 ]─")), "{shown}");
    assert!(shown.ends_with("a: 1\n1 row\n┌───┐\n│ 1 │\n└───┘\n1 row\n"), "{shown}");
    let (status, _, err) = run_in(Path::new("."), &["-c", "\\pset nul x"]);
    assert_eq!(
        (status, err.as_str()),
        (1, "error: there is no setting \"nul\" of results\nHint: Did you mean null?\n")
    );
}

#[test]
fn a_family_of_emoji_is_as_wide_as_one() {
    assert_eq!(
        out(&["-c", "SELECT '👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧' AS b, 1 AS c"]),
        "┌────┬────────┬───┐\n\
         │ op ┆ b      ┆ c │\n\
         ╞════╪════════╪═══╡\n\
         │ +I ┆ 👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧 ┆ 1 │\n\
         └────┴────────┴───┘\n\
         1 change (+I 1) → 1 row\n"
    );
}
