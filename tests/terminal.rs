//! The prompt, on a real terminal. What can be tested through a pipe is tested there.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

#[path = "terminal/commands.rs"]
mod commands;
#[path = "terminal/complaints.rs"]
mod complaints;
#[path = "terminal/interrupts.rs"]
mod interrupts;
#[path = "terminal/live.rs"]
mod live;

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use rexpect::session::{PtySession, spawn_command};

/// How long the shell may take for anything, in milliseconds.
const PATIENCE: u64 = 20_000;

/// A shell on a terminal, with a history in a file.
fn shell(history: &Path) -> PtySession {
    let mut session = spawn_command(command(history), Some(PATIENCE)).unwrap();
    see(&mut session, "Ctrl-D leaves.");
    prompt(&mut session);
    session
}

fn command(history: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env_clear().env("TERM", "xterm").env("ROWKIND_HISTORY", history).args(["--color", "never"]);
    command.env("ROWKIND_RC", "");
    command
}

/// Waits for a text. What is read is taken for Latin-1.
#[track_caller]
fn see(session: &mut PtySession, text: &str) {
    let text: String = text.bytes().map(char::from).collect();
    session.exp_string(&text).unwrap();
}

fn prompt(session: &mut PtySession) {
    see(session, "rowkind> ");
    // The editor starts to listen just after it has written its prompt.
    sleep(Duration::from_millis(100));
}

fn enter(session: &mut PtySession, line: &str) {
    session.send(line).unwrap();
    session.send("\r").unwrap();
    session.flush().unwrap();
}

fn press(session: &mut PtySession, keys: &str) {
    session.send(keys).unwrap();
    session.flush().unwrap();
}

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const UP: &str = "\x1b[A";

#[test]
fn a_statement_of_several_lines_is_one_entry_of_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("state/history");
    let mut session = shell(&history);
    enter(&mut session, "SELECT 'several'");
    enter(&mut session, "  || ' lines' AS a;");
    see(&mut session, "│ +I ┆ several lines │");
    prompt(&mut session);

    // Up recalls the whole statement, and Enter runs it again.
    press(&mut session, UP);
    see(&mut session, "|| ' lines' AS a;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ several lines │");
    prompt(&mut session);

    enter(&mut session, " SELECT 'not to be kept' AS a;");
    see(&mut session, "│ +I ┆ not to be kept │");
    prompt(&mut session);
    enter(&mut session, "quit");
    session.exp_eof().unwrap();

    let kept = fs::read_to_string(&history).unwrap();
    assert_eq!(kept, "#V2\nSELECT 'several'\\n  || ' lines' AS a;\nquit\n");
    assert_eq!(fs::metadata(&history).unwrap().permissions().mode() & 0o777, 0o600);

    // The next shell knows it.
    let mut session = shell(&history);
    press(&mut session, UP);
    see(&mut session, "quit");
    press(&mut session, UP);
    see(&mut session, "' lines' AS a;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ several lines │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn ctrl_c_throws_away_what_was_typed_and_stops_what_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = shell(&folder.path().join("history"));
    enter(&mut session, "SELECT 'thrown away'");
    press(&mut session, "  AS");
    press(&mut session, CTRL_C);
    prompt(&mut session);

    let script = folder.path().join("long.sql");
    fs::write(&script, long()).unwrap();
    enter(&mut session, &format!(".read {}", script.display()));
    see(&mut session, "1 change (+I 1) → 1 row");
    sleep(Duration::from_millis(500));
    press(&mut session, CTRL_C);
    see(&mut session, "cancelled after 0 changes");
    prompt(&mut session);

    // The shell and its tables are still there.
    enter(&mut session, "SELECT a FROM t WHERE a = 17;");
    see(&mut session, "│ +I ┆ 17 │");
    prompt(&mut session);
    enter(&mut session, "exit;");
    session.exp_eof().unwrap();
}

/// A script whose last query takes a long time and gives nothing.
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
        "CREATE TABLE t (a INT);\nINSERT INTO t VALUES {};\n{}SELECT 1 AS a;\nSELECT a FROM v8 WHERE a < 0;\n",
        rows.join(","),
        views.join("")
    )
}

#[test]
fn errors_answers_and_watched_queries_come_above_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = shell(&folder.path().join("history"));
    enter(&mut session, "CREATE TABLE t (a INT);");
    see(&mut session, "OK");
    prompt(&mut session);
    enter(&mut session, "SELECT b FROM t;");
    see(&mut session, "error:");
    see(&mut session, "LINE 1:");
    prompt(&mut session);
    enter(&mut session, ".watch SELECT COUNT(*) AS n FROM t");
    see(&mut session, "→ ");
    prompt(&mut session);
    enter(&mut session, "INSERT INTO t VALUES (1), (2);");
    see(&mut session, "2 rows into t");
    see(&mut session, "SELECT COUNT(*) AS n FROM t");
    see(&mut session, "→ 1 row");
    prompt(&mut session);
    enter(&mut session, "help");
    see(&mut session, ".unwatch");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn what_is_taller_than_the_screen_goes_to_the_pager() {
    let mut command = Command::new("sh");
    let shell = env!("CARGO_BIN_EXE_rowkind");
    command
        .env_clear()
        .env("TERM", "xterm")
        .env("ROWKIND_HISTORY", "")
        .env("ROWKIND_PAGER", "sed 's/^/paged /'");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args(["-c", &format!("stty rows 12 cols 40; exec '{shell}' --color never")]);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    see(&mut session, "Ctrl-D leaves.");
    prompt(&mut session);
    enter(&mut session, "CREATE TABLE t (a INT);");
    prompt(&mut session);
    enter(&mut session, "INSERT INTO t VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9);");
    prompt(&mut session);
    enter(&mut session, "SELECT a AS short FROM t WHERE a < 3;");
    see(&mut session, "\n┌────┬───────┐");
    prompt(&mut session);
    enter(&mut session, "SELECT a AS tall FROM t;");
    see(&mut session, "paged │ +I ┆    9 │");
    prompt(&mut session);
    enter(&mut session, ".pager off");
    prompt(&mut session);
    enter(&mut session, "SELECT a AS other FROM t;");
    see(&mut session, "\n┌────┬───────┐");
    prompt(&mut session);

    // A single row that has no place has one column a line.
    let values = "'0123456789' AS a, '0123456789' AS b, '0123456789' AS c, '0123456789' AS d";
    enter(&mut session, &format!("SELECT {values};"));
    see(&mut session, "─[ 1 ]─ +I ─");
    see(&mut session, "d: 0123456789");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn without_a_pager_that_runs_results_come_to_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&folder.path().join("history"));
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("PAGER", "rowkind-no-such-pager");
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    prompt(&mut session);
    let rows: Vec<String> = (0..20_000).map(|row| format!("({row})")).collect();
    let script = folder.path().join("rows.sql");
    fs::write(&script, format!("CREATE TABLE t (a INT);\nINSERT INTO t VALUES {};", rows.join(","))).unwrap();
    enter(&mut session, &format!(".read {}", script.display()));
    prompt(&mut session);
    enter(&mut session, ".format csv");
    prompt(&mut session);
    // More than a pipe takes, and less than that.
    for (limit, last) in [(20_000, "+I,19999"), (100, "+I,99")] {
        enter(&mut session, ".pager on");
        prompt(&mut session);
        enter(&mut session, &format!("SELECT a FROM t WHERE a < {limit};"));
        let rows = session.exp_string(last).unwrap();
        assert_eq!(rows.matches("+I,").count(), limit - 1);
        see(
            &mut session,
            "notice: the pager \"rowkind-no-such-pager\" cannot be run: there is no such program",
        );
        prompt(&mut session);
    }
    // It is said once.
    enter(&mut session, "SELECT a FROM t WHERE a < 100;");
    see(&mut session, "+I,99");
    assert!(!session.exp_string("rowkind> ").unwrap().contains("notice"));
    sleep(Duration::from_millis(100));
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_terminal_that_can_do_nothing_will_do() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rowkind"));
    command.env_clear().env("TERM", "dumb").env("ROWKIND_HISTORY", "").args(["--quiet", "--color", "never"]);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    prompt(&mut session);
    session.send_line("SELECT 'dumb'").unwrap();
    session.send_line("  || ' terminal' AS a;").unwrap();
    see(&mut session, "│ +I ┆ dumb terminal │");
    prompt(&mut session);
    // Ctrl-C throws away all lines.
    session.send_line("SELECT ('lost',").unwrap();
    see(&mut session, "      (> ");
    session.send_line("nope").unwrap();
    see(&mut session, "      (> ");
    press(&mut session, "nope");
    press(&mut session, CTRL_C);
    prompt(&mut session);
    session.send_line("SELECT 'kept' AS a;").unwrap();
    see(&mut session, "│ +I ┆ kept │");
    prompt(&mut session);
    session.send_line("quit").unwrap();
    session.exp_eof().unwrap();
}

const TAB: &str = "\t";
const CTRL_R: &str = "\x12";
const CTRL_U: &str = "\x15";
const HOME: &str = "\x1b[H";
const BACKSPACE: &str = "\x7f";
const ALT_ENTER: &str = "\x1b\r";
/// How a terminal marks what is pasted.
const PASTE: (&str, &str) = ("\x1b[200~", "\x1b[201~");

#[test]
fn tab_completes_and_lists_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = shell(&folder.path().join("history"));
    enter(&mut session, "CREATE TABLE orders (order_id INT, region STRING);");
    prompt(&mut session);
    enter(&mut session, "INSERT INTO orders VALUES (1, 'EU');");
    prompt(&mut session);
    press(&mut session, "SELECT * FROM ord");
    press(&mut session, TAB);
    see(&mut session, "SELECT * FROM orders");
    press(&mut session, " GROUP BY ");
    press(&mut session, TAB);
    see(&mut session, "order_id");
    see(&mut session, "region");
    press(&mut session, CTRL_C);
    prompt(&mut session);
    // The list stands whole below a statement of several lines, which comes again below it.
    enter(&mut session, "SELECT 1,");
    press(&mut session, "2 FROM orders WHERE region ");
    press(&mut session, TAB);
    see(&mut session, "IS DISTINCT FROM");
    see(&mut session, "rowkind> SELECT 1,");
    see(&mut session, "-> 2 FROM orders WHERE region ");
    press(&mut session, CTRL_C);
    prompt(&mut session);
    press(&mut session, "SELECT regi");
    press(&mut session, TAB);
    press(&mut session, " FROM orders;\r");
    see(&mut session, "│ +I ┆ EU     │");
    prompt(&mut session);
    press(&mut session, ".form");
    press(&mut session, TAB);
    press(&mut session, "cs");
    press(&mut session, TAB);
    press(&mut session, "\r");
    prompt(&mut session);
    enter(&mut session, "SELECT 1 AS a;");
    see(&mut session, "+I,1");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_pasted_script_runs_at_once_with_its_tabs() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let mut session = shell(&history);
    let mut script = String::from("CREATE TABLE t (\n\tid INT,\n\tname STRING\n);\n");
    for id in 0..247 {
        writeln!(script, "INSERT INTO t VALUES\n\t({id}, 'a\tb');").unwrap();
    }
    script.push_str("SELECT name, COUNT(*) AS n FROM t WHERE name = 'a\tb' AND id = 246 GROUP BY name;");
    assert!(script.lines().count() >= 499);
    let started = std::time::Instant::now();
    let (start, end) = PASTE;
    // The terminal takes what the shell has read, so what it shows is read meanwhile.
    for part in format!("{start}{script}{end}").as_bytes().chunks(1024) {
        press(&mut session, std::str::from_utf8(part).unwrap());
    }
    press(&mut session, "\r");
    see(&mut session, "1 row into t");
    see(&mut session, "│ +I ┆ a\\tb ┆ 1 │");
    prompt(&mut session);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    enter(&mut session, "quit");
    session.exp_eof().unwrap();
    let kept = fs::read_to_string(&history).unwrap();
    assert!(kept.contains("CREATE TABLE t (\\n\tid INT,\\n\tname STRING\\n);\n"), "{kept}");
}

#[test]
fn the_history_of_another_run_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let mut session = shell(&history);
    enter(&mut session, "SELECT 'needle'");
    enter(&mut session, "  || ' found' AS a;");
    see(&mut session, "│ +I ┆ needle found │");
    prompt(&mut session);
    enter(&mut session, "SELECT ‘smart’ AS a;");
    see(&mut session, "typographic quotes were read as '");
    prompt(&mut session);
    enter(&mut session, "quit");
    session.exp_eof().unwrap();

    let mut session = shell(&history);
    press(&mut session, CTRL_R);
    press(&mut session, "needle");
    see(&mut session, "|| ' found' AS a;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ needle found │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
    let kept = fs::read_to_string(&history).unwrap();
    assert!(kept.contains("\nSELECT 'smart' AS a;\n"), "{kept}");
    assert!(kept.matches("SELECT 'needle'\\n  || ' found' AS a;\n").count() >= 1, "{kept}");
}

#[test]
fn a_history_that_is_of_no_use_is_left_as_it_is_and_that_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let start = |path: &Path| {
        let mut session = spawn_command(command(path), Some(PATIENCE)).unwrap();
        see(&mut session, "Ctrl-D leaves.");
        let said = session.exp_string("rowkind> ").unwrap();
        sleep(Duration::from_millis(100));
        enter(&mut session, "SELECT 1 AS a;");
        see(&mut session, "│ +I ┆ 1 │");
        assert!(!session.exp_string("rowkind> ").unwrap().contains("notice"));
        sleep(Duration::from_millis(100));
        press(&mut session, CTRL_D);
        session.exp_eof().unwrap();
        said.replace("\r\n", "")
    };
    for (bytes, why) in [
        (&b"#V2\nSELECT 1;\nSELECT '\xfc';\n"[..], "it is not UTF-8"),
        (b"#!/bin/sh\necho 'not a history'\n", "it does not start as a history does"),
    ] {
        fs::write(&history, bytes).unwrap();
        let said = start(&history);
        let notice =
            format!("the history \"{}\" cannot be read: {why}; it is left as it is", history.display());
        assert!(said.contains(&format!("notice: {notice}")), "{said}");
        assert_eq!(fs::read(&history).unwrap(), bytes);
    }
    let said = start(folder.path());
    assert!(said.contains("cannot be read: Is a directory"), "{said}");
    if cfg!(target_os = "linux") {
        let said = start(Path::new("/proc/rowkind/history"));
        assert!(said.contains("notice: the history \"/proc/rowkind/history\" cannot be written: "), "{said}");
    }
    // An empty one is one.
    fs::write(&history, "").unwrap();
    assert!(!start(&history).contains("notice"));
    assert_eq!(fs::read_to_string(&history).unwrap(), "#V2\nSELECT 1 AS a;\n");
}

#[test]
fn later_lines_have_a_prompt_that_the_keys_jump_over() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = shell(&folder.path().join("history"));
    enter(&mut session, "SELECT (");
    see(&mut session, "      (> ");
    enter(&mut session, "'a");
    see(&mut session, "      '> ");
    enter(&mut session, "b'");
    see(&mut session, "      (> ");
    // Home stops behind the prompt, and Ctrl-U leaves it there.
    press(&mut session, "oops");
    press(&mut session, CTRL_U);
    press(&mut session, "c'");
    press(&mut session, HOME);
    press(&mut session, "|| '");
    press(&mut session, "\x1b[F");
    press(&mut session, ALT_ENTER);
    press(&mut session, ")");
    // Backspace joins the lines.
    press(&mut session, HOME);
    press(&mut session, BACKSPACE);
    press(&mut session, "\x1b[F AS x;\r");
    see(&mut session, "│ +I ┆ a\\nbc │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_narrow_window_may_change_its_width() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("terminal");
    let mut wrapped = Command::new("sh");
    wrapped
        .args(["-c", "tty >\"$1\"; exec \"$0\" --color never"])
        .arg(env!("CARGO_BIN_EXE_rowkind"))
        .arg(&place);
    wrapped.env("TERM", "xterm").env("ROWKIND_RC", "").env("ROWKIND_HISTORY", folder.path().join("history"));
    let mut session = spawn_command(wrapped, Some(PATIENCE)).unwrap();
    prompt(&mut session);
    let terminal = fs::read_to_string(&place).unwrap();
    let terminal = terminal.trim();
    resize(terminal, 24);
    enter(&mut session, "SELECT 'one two three four five'");
    press(&mut session, "  || ' six seven' AS eight;");
    resize(terminal, 60);
    press(&mut session, HOME);
    press(&mut session, "|| '!'");
    resize(terminal, 30);
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆");
    prompt(&mut session);
    resize(terminal, 80);
    enter(&mut session, ".format csv");
    prompt(&mut session);
    press(&mut session, UP);
    press(&mut session, UP);
    press(&mut session, "\r");
    see(&mut session, "+I,one two three four five! six seven");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

/// Changes the width of the window of a terminal.
fn resize(terminal: &str, columns: u16) {
    let columns = columns.to_string();
    let ran = Command::new("stty").args(["-F", terminal, "cols", &columns, "rows", "20"]).status();
    assert!(ran.unwrap().success());
    sleep(Duration::from_millis(100));
}

#[test]
fn the_start_file_sets_the_prompt_up_and_may_fail() {
    let folder = tempfile::tempdir().unwrap();
    let start = folder.path().join("rc.sql");
    fs::write(&start, "CREATE TABLE mine (a INT);\n.prompt 'sql> '\nSELECT * FROM gone;\n").unwrap();
    let mut command = command(&folder.path().join("history"));
    command.env("ROWKIND_RC", &start);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    see(&mut session, "\"gone\" does not exist");
    see(&mut session, "sql> ");
    sleep(Duration::from_millis(100));
    enter(&mut session, ".tables");
    see(&mut session, "mine");
    see(&mut session, "sql> ");
    sleep(Duration::from_millis(100));
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_statement_is_edited_elsewhere_and_comes_back_to_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let editor = folder.path().join("editor");
    fs::write(&editor, "#!/bin/sh\nsed -i s/1/42/ \"$1\"\n").unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = command(&folder.path().join("history"));
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("EDITOR", &editor);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    prompt(&mut session);
    enter(&mut session, "SELECT 1 AS a;");
    see(&mut session, "│ +I ┆ 1 │");
    prompt(&mut session);
    enter(&mut session, "\\e");
    see(&mut session, "SELECT 42 AS a;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ 42 │");
    prompt(&mut session);
    press(&mut session, "SELECT 1 + 10 AS b;\x18\x05");
    see(&mut session, "SELECT 42 + 10 AS b;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ 52 │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_long_read_says_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    fs::write(&path, "1,a\n".repeat(2_000_000)).unwrap();
    let mut session = shell(&folder.path().join("history"));
    let table = format!(
        "CREATE TABLE f (a INT, b STRING) WITH ('connector' = 'filesystem', 'path' = '{}', 'format' = 'csv');",
        path.display()
    );
    enter(&mut session, &table);
    prompt(&mut session);
    // It takes long on any machine.
    let digest = (0..8).fold("b".to_owned(), |digest, _| format!("SHA512({digest})"));
    enter(&mut session, &format!("SELECT COUNT(*) FROM f WHERE {digest} <> '';"));
    see(&mut session, "% ");
    see(&mut session, "kB of 8.00 MB");
    see(&mut session, "rows/s");
    // The cursor is before the line, so that a terminal that becomes narrower breaks it below the cursor.
    see(&mut session, "left\x1b[J\r");
    press(&mut session, CTRL_C);
    // It makes room for what comes.
    see(&mut session, "\r\x1b[J");
    see(&mut session, "cancelled after");
    prompt(&mut session);
    enter(&mut session, "SELECT 'still here' AS a;");
    see(&mut session, "│ +I ┆ still here │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

/// A terminal without brackets around what is pasted gives it all at once.
#[test]
fn what_is_typed_ahead_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = shell(&folder.path().join("history"));
    press(&mut session, "SELECT 'one' AS a;\rSELECT 'two' AS a;\r.print three\rSELECT 'four' AS a;\r");
    for answer in ["│ +I ┆ one │", "│ +I ┆ two │", "three\r\n", "│ +I ┆ four │"] {
        see(&mut session, answer);
    }
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}
