//! The command line: exit status, streams, files and pipes.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The shell without what the environment may say about colours and histories.
fn rowkind() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env_clear().env("ROWKIND_HISTORY", "").stdin(Stdio::null());
    command
}

/// How a run ended, and what it wrote.
#[derive(Debug, PartialEq)]
struct Ran {
    status: i32,
    out: String,
    err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("the process ends by itself"),
            out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("errors are UTF-8"),
        }
    }
}

#[track_caller]
fn run<const N: usize>(arguments: [&str; N]) -> Ran {
    rowkind().args(arguments).output().unwrap().into()
}

#[track_caller]
fn pipe<const N: usize>(input: &[u8], arguments: [&str; N]) -> Ran {
    let mut child = spawn(rowkind().args(arguments));
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The process may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

fn spawn(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A folder with a file.
fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

const BOX: &str = "┌────┬───┐\n│ op ┆ a │\n╞════╪═══╡\n│ +I ┆ 1 │\n└────┴───┘\n1 change (+I 1) → 1 row\n";

#[test]
fn commands_files_and_the_standard_input_run_in_their_order() {
    let (_folder, path) = file("two.sql", "SELECT 2 AS a");
    let mut child = spawn(rowkind().args(["--format", "csv", "-c", "SELECT 1 AS a", "-f", text(&path), "-"]));
    child.stdin.take().unwrap().write_all(b"SELECT 3 AS a;").unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    let out = "op,a\n+I,1\nop,a\n+I,2\nop,a\n+I,3\n".to_owned();
    assert_eq!(ran, Ran { status: 0, out, err: String::new() });
}

#[test]
fn what_is_piped_in_is_a_script_and_looks_as_on_a_screen() {
    let ran = pipe(b"CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);\nSELECT * FROM t;\n", []);
    assert_eq!(ran, Ran { status: 0, out: BOX.to_owned(), err: String::new() });
}

#[test]
fn whoever_writes_statements_one_by_one_gets_each_answer_at_once() {
    let mut child = spawn(rowkind().args(["--format", "jsonl"]));
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    for (statement, answer) in [
        ("SELECT 1 AS a;\n", r#"{"op":"+I","row":{"a":1}}"#),
        ("SELECT ';\n' AS a\n;", r#"{"op":"+I","row":{"a":";\n"}}"#),
    ] {
        stdin.write_all(statement.as_bytes()).unwrap();
        let mut line = vec![0; answer.len() + 1];
        stdout.read_exact(&mut line).unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), format!("{answer}\n"));
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_script_stops_at_the_first_statement_that_fails() {
    let script = "SELECT 1 AS a;\n\nSELECT nope;\nSELECT 1 AS a;\n";
    let (_folder, path) = file("wrong.sql", script);
    let ran = run([text(&path)]);
    assert_eq!((ran.status, ran.out.as_str()), (1, BOX));
    assert!(
        ran.err.starts_with("error: column \"nope\" does not exist\nLINE 3: SELECT nope;\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("               ^^^^\n"), "{}", ran.err);
    assert!(ran.err.contains("wrong.sql:3:8\n"), "{}", ran.err);

    let ran = run(["--keep-going", text(&path)]);
    assert_eq!((ran.status, ran.out), (1, BOX.repeat(2)));
}

#[test]
fn the_line_of_an_error_is_that_of_the_whole_input() {
    let ran = pipe(b"SELECT 1 AS a;\nSELECT 2 AS a;\n  SELECT nope;", []);
    assert!(ran.err.contains("LINE 3:   SELECT nope;\n"), "{}", ran.err);
    let ran = pipe(b"SELECT 1 AS a;\nSELECT 'open;\n", []);
    assert!(ran.err.starts_with("error: unterminated string\nLINE 2: SELECT 'open;\n"), "{}", ran.err);
    assert_eq!(ran.status, 1);
}

#[test]
fn a_script_that_is_empty_is_fine() {
    for script in ["", "\n", ";;", "-- nothing\n", "/* nothing */", "\u{FEFF}"] {
        let nothing = Ran { status: 0, out: String::new(), err: String::new() };
        assert_eq!(pipe(script.as_bytes(), []), nothing, "{script:?}");
        assert_eq!(run(["-c", script]), nothing, "{script:?}");
    }
}

#[test]
fn a_file_that_is_no_script_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(["-c", "SELECT 1 AS a", "/no/such/file.sql"]);
    let err = "error: file \"/no/such/file.sql\" does not exist\n".to_owned();
    assert_eq!(ran, Ran { status: 2, out: String::new(), err });
    let ran = run([text(folder.path())]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.ends_with("is a directory, not a file\n"), "{}", ran.err);

    for (content, problem) in [
        (&b"SELECT 1;\n\xff"[..], "is not UTF-8: byte 0xff in line 2, at offset 10\nHint: Save it as UTF-8."),
        (b"\xff\xfeS\0", "Hint: It looks like UTF-16; save it as UTF-8."),
        (b"SELECT '\0'", "has a NUL byte in line 1, at offset 8"),
    ] {
        let (_folder, path) = file("x.sql", content);
        let ran = run([text(&path)]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(problem), "{}", ran.err);
        let ran = pipe(content, []);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""));
        assert!(
            ran.err.starts_with("error: the standard input ") && ran.err.contains(problem),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_command_line_that_is_wrong_has_status_2() {
    for arguments in [&["--no-such"][..], &["--format", "xml"], &["-s", "x"], &["-s", "rowkind.strict=maybe"]]
    {
        let ran = Ran::from(rowkind().args(arguments).output().unwrap());
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
    }
}

#[test]
fn help_and_version_are_results() {
    let ran = run(["--help"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for word in ["Examples:", "--keep-going", "changelog:", "ROWKIND_HISTORY", "-f, --file"] {
        assert!(ran.out.contains(word), "{word}");
    }
    // A release has its commit behind the number.
    assert!(run(["--version"]).out.starts_with(concat!("rowkind ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn nobody_has_to_read_to_the_end() {
    let rows: Vec<String> = (0..20_000).map(|i| format!("({i})")).collect();
    let script = format!("CREATE TABLE t (a INT); INSERT INTO t VALUES {}; SELECT * FROM t;", rows.join(","));
    let (_folder, path) = file("many.sql", script);
    for format in ["changelog", "table", "csv", "jsonl", "vertical", "transcript"] {
        let mut child = spawn(rowkind().args(["--format", format, text(&path)]));
        drop(child.stdin.take());
        child.stdout.take().unwrap().read_exact(&mut [0; 3]).unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{format}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for format in ["changelog", "csv", "transcript"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = rowkind();
        let output = command.args(["--format", format, "-c", "SELECT 1 AS a"]).stdout(full).output().unwrap();
        let ran = Ran::from(output);
        assert_eq!(ran.status, 1);
        assert!(ran.err.starts_with("error: the output cannot be written: No space left"), "{}", ran.err);
    }
}

#[test]
fn a_very_long_statement_runs() {
    let text = "x".repeat(1 << 20);
    let ran = pipe(format!("SELECT CHAR_LENGTH('{text}') AS a;").as_bytes(), ["--format", "csv"]);
    assert_eq!(ran, Ran { status: 0, out: "op,a\n+I,1048576\n".to_owned(), err: String::new() });
    // An error in it shows its surroundings, not a megabyte.
    let ran = pipe(format!("SELECT '{text}' AS a, nope;").as_bytes(), []);
    assert_eq!(ran.status, 1);
    assert!(ran.err.len() < 500 && ran.err.contains("^^^^"), "{}", ran.err);
}

#[test]
fn a_deeply_nested_statement_is_refused_or_runs_but_does_not_crash() {
    for (open, close) in
        [("(", ")"), ("ABS(", ")"), ("ARRAY[", "]"), ("CASE WHEN TRUE THEN ", " END"), ("- ", "")]
    {
        let script = format!("SELECT {}1{} AS a;", open.repeat(1_000), close.repeat(1_000));
        let ran = pipe(script.as_bytes(), []);
        assert!(ran.status == 0 || ran.err.starts_with("error: "), "{open}: {}", ran.err);
    }
    let nested = format!("{}SELECT 1 AS a{}", "SELECT * FROM (".repeat(1_000), ")".repeat(1_000));
    let ran = pipe(nested.as_bytes(), []);
    assert!(ran.status == 0 || ran.err.starts_with("error: "), "{}", ran.err);
}

#[test]
fn notices_and_times_go_to_the_standard_error_and_can_be_left_out() {
    let set = ["-s", "no.such.key=1", "--format", "csv", "-c", "SELECT 1 AS a"];
    let ran = run(set);
    assert_eq!(ran.out, "op,a\n+I,1\n");
    assert!(ran.err.starts_with("notice: 'no.such.key' has no effect here"), "{}", ran.err);
    let ran = Ran::from(rowkind().args(set).arg("--quiet").output().unwrap());
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    let ran = Ran::from(rowkind().args(set).args(["-q", "--timing"]).output().unwrap());
    assert!(ran.err.starts_with("time: "), "{}", ran.err);
}

#[test]
fn settings_of_the_command_line_hold_for_its_statements() {
    let ran = run(["--format", "jsonl", "-s", "table.local-time-zone=Europe/Rome", "--strict", "-c", "SET"]);
    assert!(ran.out.contains(r#""Europe/Rome""#) && ran.out.contains(r#""true""#), "{ran:?}");
}

#[test]
fn a_result_mode_that_is_set_is_followed() {
    let sql = "SET 'sql-client.execution.result-mode' = 'table'; SELECT 1 AS a;";
    assert_eq!(run(["-c", sql]).out, "┌───┐\n│ a │\n╞═══╡\n│ 1 │\n└───┘\n1 row\n");
    assert_eq!(run(["--format", "csv", "-c", sql]).out, "op,a\n+I,1\n");
}

#[test]
fn colour_is_used_where_it_is_wanted() {
    let sql = ["-c", "SELECT 1 AS a"];
    assert!(!run(sql).out.contains('\x1b'));
    assert!(run(["--color", "always", "-c", "SELECT 1 AS a"]).out.contains("\x1b["));
    let with = |name: &str, more: &[&str]| {
        Ran::from(rowkind().env(name, "1").args(more).args(sql).output().unwrap()).out.contains("\x1b[")
    };
    assert!(with("CLICOLOR_FORCE", &[]) && !with("CLICOLOR_FORCE", &["--color", "never"]));
    assert!(with("NO_COLOR", &["--color", "always"]));
}

#[test]
fn one_statement_can_ask_for_one_column_a_line() {
    let ran = run(["-c", "SELECT 1 AS a, CAST(NULL AS STRING) AS bc\\G"]);
    assert!(ran.out.contains("\n a: 1\nbc: NULL\n"), "{}", ran.out);
}

#[test]
fn a_script_reads_another_that_lies_beside_it() {
    let (folder, path) = file("main.sql", ".read sub/tables.sql\nSELECT * FROM t;\n");
    fs::create_dir(folder.path().join("sub")).unwrap();
    let tables = "CREATE TABLE t (a INT);\n.read rows.sql";
    fs::write(folder.path().join("sub/tables.sql"), tables).unwrap();
    fs::write(folder.path().join("sub/rows.sql"), "INSERT INTO t VALUES (1);").unwrap();
    assert_eq!(run([text(&path)]), Ran { status: 0, out: BOX.to_owned(), err: String::new() });

    let (_folder, path) = file("loop.sql", ".read loop.sql\n");
    let ran = run([text(&path)]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("too deeply"), "{}", ran.err);

    let ran = run(["-c", ".read missing.sql"]);
    assert_eq!((ran.status, ran.err.as_str()), (1, "error: file \"missing.sql\" does not exist\n"));
}

#[test]
fn commands_work_in_scripts() {
    let ran = run(["-c", ".format csv\nSELECT 1 AS a;\n.format\n.timer\n.quit\nSELECT 2 AS a;"]);
    assert_eq!(ran, Ran { status: 0, out: "op,a\n+I,1\ncsv\noff\n".to_owned(), err: String::new() });
    let ran = run(["-c", ".wach t"]);
    let err = "error: there is no command \".wach\"\nHint: Did you mean .watch? .help shows all commands.\n";
    assert_eq!(ran, Ran { status: 1, out: String::new(), err: err.to_owned() });
    assert!(run(["-c", "HELP"]).out.contains(".watch"));
    assert_eq!(run(["-c", "QUIT; SELECT 1 AS a"]).out, "");
    let ran = run(["-c", ".live SELECT 1 AS a"]);
    let err = "error: .live needs the whole screen of a terminal\n\
               Hint: .watch QUERY shows the same changes below each statement.\n";
    assert_eq!(ran, Ran { status: 1, out: String::new(), err: err.to_owned() });
}

#[test]
fn what_is_watched_is_shown_when_it_changes() {
    let ran = run([
        "-c",
        "CREATE TABLE t (a INT); CREATE TABLE other (a INT); INSERT INTO t VALUES (1);\n.watch t\n\
         INSERT INTO t VALUES (2);\nINSERT INTO other VALUES (9);\n.unwatch\nINSERT INTO t VALUES (3);",
    ]);
    let second = "t\n┌────┬───┬─────────┐\n│ op ┆ a ┆ cause   │\n╞════╪═══╪═════════╡\n│ +I ┆ 2 ┆ t +I[2] │\n\
                  └────┴───┴─────────┘\n1 change (+I 1) → 2 rows\n";
    assert_eq!(ran, Ran { status: 0, out: format!("t\n{BOX}{second}"), err: String::new() });
}

#[test]
fn a_transcript_has_the_layout_of_the_recordings() {
    let script = "CREATE TABLE t (id INT, name STRING) -- a comment\n  WITH ('changelog.mode' = 'retract');\n\
                  -- another comment\n\
                  -- flink: 2.4\n\
                  -- kinds: +I +I -D\n\
                  INSERT INTO t VALUES (2, 'b'), (1, 'a'),\n  (2, 'b');\n\
                  -- log: t\n\
                  SELECT * FROM t;\n\
                  SELECT nmae FROM t;\n\
                  SHOW TABLES;\n";
    let ran = pipe(script.as_bytes(), ["--format", "transcript", "--keep-going"]);
    assert_eq!(
        ran.out,
        "> CREATE TABLE t (id INT, name STRING) -- a comment\n>   WITH ('changelog.mode' = 'retract')\nOK\n\
         -- flink: 2.4\n\
         -- kinds: +I +I -D\n\
         > INSERT INTO t VALUES (2, 'b'), (1, 'a'),\n>   (2, 'b')\nOK\n\
         -- log: t\n+I[2, b]\n+I[1, a]\n-D[2, b]\n\
         > SELECT * FROM t\n# id INT, name STRING\n+I[2, b]\n+I[1, a]\n-D[2, b]\n= final\n[1, a]\n\
         > SELECT nmae FROM t\n! column \"nmae\" does not exist\n! hint: Did you mean \"name\"?\n\
         > SHOW TABLES\n# table name STRING\n[t]\n"
    );
    assert!(ran.err.starts_with("error: column \"nmae\" does not exist\nLINE 10: "), "{}", ran.err);
    assert_eq!(ran.status, 1);
}

#[test]
fn kinds_come_from_a_directive() {
    let table = "CREATE TABLE t (a INT) WITH ('changelog.mode' = 'retract');\n";
    let script = format!("{table}-- kinds: +I -D\nINSERT INTO t VALUES (1), (1);\nSELECT * FROM t;");
    let ran = run(["--format", "jsonl", "-c", &script]);
    assert_eq!(ran.out.matches("\"-D\"").count(), 1, "{}", ran.out);
    let ran = run(["--format", "transcript", "-c", "-- kinds: +X"]);
    assert_eq!(
        ran.out,
        "-- kinds: +X\n! \"+X\" is no kind of a change\n! hint: The kinds are +I, -U, +U and -D.\n"
    );
}

/// A script whose query takes a long time: it reads a table many times over.
fn long() -> String {
    let rows: Vec<String> = (0..20_000).map(|i| format!("({i})")).collect();
    let tables: Vec<String> =
        std::iter::once("t".to_owned()).chain((0..9).map(|i| format!("v{i}"))).collect();
    let view = |pair: &[String]| {
        let [table, view] = pair else { return String::new() };
        format!("CREATE VIEW {view} AS SELECT a FROM {table} UNION ALL SELECT a FROM {table};\n")
    };
    let views: Vec<String> = tables.windows(2).map(view).collect();
    format!(
        "CREATE TABLE t (a INT);\nINSERT INTO t VALUES {};\n{}SELECT 1 AS a;\nSELECT a FROM v8 WHERE a < 0;\nSELECT 2 AS a;\n",
        rows.join(","),
        views.join("")
    )
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_script() {
    let (_folder, path) = file("long.sql", long());
    let mut child = spawn(rowkind().args(["--format", "csv", text(&path)]));
    drop(child.stdin.take());
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0; 10];
    stdout.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"op,a\n+I,1\n");
    std::thread::sleep(Duration::from_millis(300));
    let started = Instant::now();
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(started.elapsed() < Duration::from_secs(2));
    assert!(!rest.contains("+I,2"), "{rest}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_shell_that_waits_for_its_input() {
    let mut child = spawn(rowkind().args(["--format", "csv"]));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"SELECT 1 AS a;\n").unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 10]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_start_script_comes_first_and_the_start_file_is_not_for_scripts() {
    let folder = tempfile::tempdir().unwrap();
    let start = folder.path().join("start.sql");
    fs::write(&start, "CREATE TABLE t (a INT);\nINSERT INTO t VALUES (7);\n.format csv\n").unwrap();
    let init = ["--init", start.to_str().unwrap(), "-c", "SELECT a FROM t"];
    assert_eq!(run(init), Ran { status: 0, out: "op,a\n+I,7\n".to_owned(), err: String::new() });

    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env("ROWKIND_RC", &start).args(["-c", "SELECT a FROM t"]);
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    assert_eq!(run(["--init", "gone.sql", "-c", "SELECT 1"]).status, 2);
    assert_eq!(run(["--init", "gone.sql", "--no-init"]).status, 2);
}

#[test]
fn the_command_line_completes_itself_and_has_a_manual() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(["--generate-completion", shell]);
        assert!(ran.status == 0 && ran.out.contains("keep-going"), "{shell}: {}", ran.out);
    }
    let manual = run(["--generate-man"]);
    assert!(manual.out.contains(".TH rowkind 1"), "{}", manual.out);
}

#[test]
fn a_dump_is_a_script() {
    let script = "CREATE TABLE t (a INT) WITH ('changelog.mode' = 'retract');\n-- kinds: +I -D\n\
                  INSERT INTO t VALUES (1), (1);\n.dump\n";
    let dump = pipe(script.as_bytes(), ["--quiet"]);
    assert_eq!((dump.status, dump.err.as_str()), (0, ""));
    let again = pipe(format!("{}.dump\n", dump.out).as_bytes(), ["--quiet"]);
    assert_eq!(again.out, dump.out);
    assert!(dump.out.contains("-- kinds: +I -D\n"), "{}", dump.out);
}
