//! The whole screen as `.live` takes it. What needs no terminal is tested beside it.

use std::fs::OpenOptions;
use std::io::Write;

use super::*;

const TAKEN: &str = "\x1b[?1049h";
const GIVEN_BACK: &str = "\x1b[?1049l";
const ESC: &str = "\x1b";

fn live(folder: &Path, statements: &[&str], command: &str) -> PtySession {
    let mut session = shell(&folder.join("history"));
    for statement in statements {
        enter(&mut session, statement);
        prompt(&mut session);
    }
    enter(&mut session, command);
    see(&mut session, TAKEN);
    session
}

/// Waits for the prompt, and for an answer there.
fn is_at_the_prompt(session: &mut PtySession) {
    see(session, GIVEN_BACK);
    prompt(session);
    enter(session, "SELECT 'back' AS a;");
    see(session, "│ +I ┆ back │");
    prompt(session);
}

#[test]
fn an_insert_changes_the_screen_and_leaving_gives_it_back() {
    let folder = tempfile::tempdir().unwrap();
    let statements = ["CREATE TABLE t (a INT, b STRING);", "INSERT INTO t VALUES (1, 'x');"];
    let mut session = live(folder.path(), &statements, ".live SELECT b, SUM(a) AS s FROM t GROUP BY b");
    see(&mut session, "▸ +I ┆ x ┆ 1");
    see(&mut session, "1 change (+I 1) → 1 row");

    enter(&mut session, "INSERT INTO t VALUES (41, 'x');");
    see(&mut session, "▸ +U ┆ x ┆ 42");
    see(&mut session, "3 changes (+I 1, -U 1, +U 1) → 1 row");
    enter(&mut session, "INSERT INTO t VALUES (nope, 'x');");
    see(&mut session, "error: column \"nope\" does not exist");
    press(&mut session, ESC);
    sleep(Duration::from_millis(100));
    // The row in full, with what caused it.
    press(&mut session, "\r");
    see(&mut session, "caused by +I of t");
    see(&mut session, "a: 41");
    press(&mut session, ESC);
    sleep(Duration::from_millis(100));

    press(&mut session, "q");
    is_at_the_prompt(&mut session);
    // Nothing is watched any more.
    enter(&mut session, "DROP TABLE t;");
    see(&mut session, "OK");
    prompt(&mut session);
    // What was typed there is in the history.
    let history = fs::read_to_string(folder.path().join("history")).unwrap();
    assert!(history.contains("INSERT INTO t VALUES (41, 'x');\n"), "{history}");

    enter(&mut session, ".live SELECT 1 AS a");
    see(&mut session, TAKEN);
    see(&mut session, "▸ +I ┆ 1");
    press(&mut session, CTRL_C);
    is_at_the_prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_file_that_grows_changes_the_screen_while_nobody_types() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    fs::write(&path, "1\n2\n").unwrap();
    let table = format!(
        "CREATE TABLE f (a INT) WITH ('connector' = 'filesystem', 'path' = '{}', 'format' = 'csv', \
         'source.monitor-interval' = '20 ms');",
        path.display()
    );
    let mut session = live(folder.path(), &[&table], ".live SELECT SUM(a) AS s FROM f");
    see(&mut session, "following");
    see(&mut session, "▸ +U ┆ 3");
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"100\n").unwrap();
    see(&mut session, "▸ +U ┆ 103");
    // The clock goes on.
    see(&mut session, "following ○");
    see(&mut session, "following ●");
    press(&mut session, ESC);
    is_at_the_prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn ctrl_c_stops_a_statement_and_the_screen_stays() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("long.sql");
    let (tables, long) = long().rsplit_once("SELECT 1").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    fs::write(&script, tables).unwrap();
    let long = long.lines().nth(1).unwrap().to_owned();
    let read = format!(".read {}", script.display());
    let mut session = live(folder.path(), &[&read], ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    enter(&mut session, &long);
    see(&mut session, "running");
    sleep(Duration::from_millis(300));
    press(&mut session, CTRL_C);
    see(&mut session, "cancelled after 0 changes");
    see(&mut session, "live");
    press(&mut session, ESC);
    is_at_the_prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn a_signal_that_ends_the_shell_gives_the_screen_back_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = live(folder.path(), &[], ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    session.process_mut().signal(rexpect::process::Signal::SIGTERM).unwrap();
    see(&mut session, GIVEN_BACK);
    session.exp_eof().unwrap();
}

#[test]
fn tab_completes_what_stands_behind_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = live(folder.path(), &[], ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    press(&mut session, ".format vert\t");
    see(&mut session, ".format vertical");
    press(&mut session, CTRL_C);
    is_at_the_prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

/// A shell that knows programs, with a query on the whole screen, and an editor that writes this.
fn live_with_editor(folder: &Path, edited: &str) -> PtySession {
    let editor = folder.join("editor");
    fs::write(&editor, format!("#!/bin/sh\ntest -t 1 && echo in the editor\necho \"{edited}\" > \"$1\"\n"))
        .unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o700)).unwrap();
    let mut command = command(&folder.join("history"));
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("VISUAL", &editor);
    let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
    prompt(&mut session);
    enter(&mut session, ".live SELECT 1 AS a");
    see(&mut session, TAKEN);
    see(&mut session, "▸ +I ┆ 1");
    session
}

#[test]
fn programs_of_the_system_have_the_terminal_and_then_the_screen_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = live_with_editor(folder.path(), "SELECT 40 + 2 AS b;");
    for command in [".shell", "\\!"] {
        // It asks the terminal, which is no longer raw, and reads from it.
        enter(
            &mut session,
            &format!("{command} stty -a | grep -q ' icanon' && read line && echo \"it\" has $line"),
        );
        see(&mut session, GIVEN_BACK);
        sleep(Duration::from_millis(200));
        session.send_line("the terminal").unwrap();
        see(&mut session, "it has the terminal");
        see(&mut session, "any key goes back to .live");
        sleep(Duration::from_millis(100));
        press(&mut session, "x");
        see(&mut session, TAKEN);
        see(&mut session, "▸ +I ┆ 1");
    }
    enter(&mut session, ".shell exit 3");
    see(&mut session, "any key goes back to .live");
    sleep(Duration::from_millis(100));
    press(&mut session, "x");
    see(&mut session, TAKEN);
    see(&mut session, "the command ended with exit status 3");
    press(&mut session, ESC);
    sleep(Duration::from_millis(100));

    // What comes from the editor is typed.
    enter(&mut session, ".edit");
    see(&mut session, GIVEN_BACK);
    see(&mut session, "in the editor");
    see(&mut session, TAKEN);
    see(&mut session, "sql> SELECT 40 + 2 AS b;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ 42 │");
    press(&mut session, CTRL_C);
    is_at_the_prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn results_can_go_to_files_and_go_on_to_do_so_at_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let (output, once) = (folder.path().join("output"), folder.path().join("once"));
    let statements =
        [".format csv", "CREATE TABLE o (a INT) WITH ('connector' = 'stdout', 'format' = 'csv');"];
    let mut session = live(folder.path(), &statements, ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    enter(&mut session, &format!(".once {}", once.display()));
    enter(&mut session, "SELECT 'once' AS a;");
    enter(&mut session, &format!(".output {}", output.display()));
    enter(&mut session, "SELECT 'live' AS a;");
    enter(&mut session, "INSERT INTO o VALUES (4711);");
    see(&mut session, "1 row into o");
    press(&mut session, CTRL_C);
    see(&mut session, GIVEN_BACK);
    prompt(&mut session);
    enter(&mut session, "SELECT 'prompt' AS a;");
    prompt(&mut session);
    enter(&mut session, ".output");
    prompt(&mut session);
    assert_eq!(fs::read_to_string(&once).unwrap(), "op,a\n+I,once\n");
    let written = "op,a\n+I,live\n4711\nop,a\n+I,prompt\n";
    assert_eq!(fs::read_to_string(&output).unwrap(), written);
    // Results and tables are on the terminal again.
    enter(&mut session, "INSERT INTO o VALUES (4800 + 15);");
    see(&mut session, "4815");
    prompt(&mut session);

    // A file that was there before is left for the screen's time, too.
    enter(&mut session, ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    enter(&mut session, &format!(".output {}", output.display()));
    enter(&mut session, ".output");
    enter(&mut session, "SELECT 'a' || 'gain' AS a;");
    see(&mut session, "+I,again");
    press(&mut session, "q");
    see(&mut session, GIVEN_BACK);
    prompt(&mut session);
    enter(&mut session, "SELECT 'ba' || 'ck' AS a;");
    see(&mut session, "+I,back");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn what_is_done_is_not_typed_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let mut session =
        live(folder.path(), &["CREATE TABLE t (a INT);"], ".live SELECT 10 / (a - 5) AS q FROM t");
    // The line keeps what failed, and not what came before it.
    enter(&mut session, "INSERT INTO t VALUES (3); INSERT INTO t VALUES (nope);");
    see(&mut session, "sql> INSERT INTO t VALUES (nope);");
    see(&mut session, "error: column \"nope\" does not exist");
    press(&mut session, ESC);
    sleep(Duration::from_millis(100));
    // The view fails, but the statement did what it says.
    enter(&mut session, "INSERT INTO t VALUES (5);");
    see(&mut session, "ended");
    see(&mut session, "error: ");
    see(&mut session, "1 row into t");
    press(&mut session, "q");
    see(&mut session, GIVEN_BACK);
    prompt(&mut session);
    enter(
        &mut session,
        "SELECT COUNT(*) || ' rows' AS n FROM t;".replace("COUNT(*)", "CAST(COUNT(*) AS STRING)").as_str(),
    );
    see(&mut session, "2 rows");
    prompt(&mut session);

    // Whoever leaves at once sees the failure at the prompt.
    enter(&mut session, ".bail off");
    prompt(&mut session);
    enter(&mut session, ".live SELECT 10 / (a - 6) AS q FROM t");
    see(&mut session, "2 changes");
    enter(&mut session, "INSERT INTO t VALUES (6); quit;");
    see(&mut session, GIVEN_BACK);
    see(&mut session, "error: watching .live failed: division by zero");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn what_tables_write_to_the_standard_streams_is_not_on_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let tables = [
        "CREATE TABLE o (a INT) WITH ('connector' = 'stdout', 'format' = 'csv');",
        "CREATE TABLE e (a INT) WITH ('connector' = 'print', 'standard-error' = 'true');",
    ];
    let mut session = live(folder.path(), &tables, ".live SELECT 1 AS a");
    see(&mut session, "▸ +I ┆ 1");
    enter(&mut session, "INSERT INTO o VALUES (4700 + 11);");
    // In the note about the statement, which has a line of its own.
    see(&mut session, "\x1b[2K4711");
    enter(&mut session, "INSERT INTO e VALUES (4700 + 12);");
    see(&mut session, "\x1b[2K+I[4712]");
    press(&mut session, ESC);
    is_at_the_prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn what_is_typed_while_it_ends_is_for_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = live(folder.path(), &["CREATE TABLE t (a INT);"], ".live t");
    see(&mut session, "0 changes");
    press(&mut session, "qSELECT 'kept' AS a;");
    see(&mut session, GIVEN_BACK);
    prompt(&mut session);
    sleep(Duration::from_millis(100));
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ kept │");
    prompt(&mut session);
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

/// A terminal that is closed, as a window is, is read without end by what does not look for that.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_is_gone_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (pid_path, log) = (folder.path().join("pid"), folder.path().join("log"));
    let shell = env!("CARGO_BIN_EXE_rowkind");
    let mut terminal = Command::new("script")
        .args(["-qefc", &format!("stty cols 80 rows 24; exec {shell} --no-init --no-history --color never")])
        .arg(&log)
        .env("TERM", "xterm-256color")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut keys = terminal.stdin.take().unwrap();
    let soon = |is_so: &dyn Fn() -> bool| {
        let start = std::time::Instant::now();
        while !is_so() {
            assert!(start.elapsed() < Duration::from_millis(PATIENCE));
            sleep(Duration::from_millis(50));
        }
    };
    let shows = |text: &str| fs::read(&log).is_ok_and(|log| String::from_utf8_lossy(&log).contains(text));
    let mut type_line = |line: &str| write!(keys, "{line}\r").and_then(|()| keys.flush()).unwrap();
    soon(&|| shows("rowkind> "));
    type_line(&format!(".shell echo $PPID > {}", pid_path.display()));
    soon(&|| fs::read_to_string(&pid_path).is_ok_and(|pid| pid.ends_with('\n')));
    type_line(".live SELECT 1 AS a");
    soon(&|| shows("▸ +I ┆ 1"));
    let process = Path::new("/proc").join(fs::read_to_string(&pid_path).unwrap().trim());
    assert!(process.exists());
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    soon(&|| fs::read_to_string(process.join("stat")).map_or(true, |stat| stat.contains(") Z ")));
}
