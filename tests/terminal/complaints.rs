//! What people complain about elsewhere and needs a terminal to be seen; see `complaints.rs` beside the folder.

use super::*;

fn leave(mut session: PtySession) {
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

/// 4: Ctrl-C ends the shell instead of the query, or does nothing.
#[test]
fn ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    fs::write(&path, "1\n").unwrap();
    let mut session = shell(&folder.path().join("history"));
    let table = format!(
        "CREATE TABLE f (a INT) WITH ('connector' = 'filesystem', 'path' = '{}', 'format' = 'csv', \
         'source.monitor-interval' = '20 ms');",
        path.display()
    );
    enter(&mut session, &table);
    see(&mut session, "OK");
    prompt(&mut session);
    // This query would run for ever.
    enter(&mut session, "SELECT * FROM f;");
    see(&mut session, "│ +I ┆           1 │");
    press(&mut session, CTRL_C);
    see(&mut session, "cancelled after 1 change");
    prompt(&mut session);
    press(&mut session, CTRL_C);
    prompt(&mut session);
    // What was read is there.
    enter(&mut session, "SELECT a + 41 AS a FROM _;");
    see(&mut session, "│ +I ┆ 42 │");
    prompt(&mut session);
    leave(session);
}

/// 5: a statement of several lines comes back as several entries.
#[test]
fn history_of_several_lines() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let mut session = shell(&history);
    for line in ["SELECT", "  'one'", "  AS a;"] {
        enter(&mut session, line);
    }
    see(&mut session, "│ +I ┆ one │");
    prompt(&mut session);
    press(&mut session, UP);
    see(&mut session, "AS a;");
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ one │");
    prompt(&mut session);
    leave(session);
    assert_eq!(fs::read_to_string(&history).unwrap(), "#V2\nSELECT\\n  'one'\\n  AS a;\n");
}

/// 6: a paste is slow, its tabs complete, and its indentation is lost.
#[test]
fn pasting() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    let mut session = shell(&history);
    let (start, end) = PASTE;
    press(&mut session, &format!("{start}SELECT\n\t'a\tb'\n\t\tAS s;{end}"));
    press(&mut session, "\r");
    see(&mut session, "│ +I ┆ a\\tb │");
    prompt(&mut session);
    leave(session);
    assert_eq!(fs::read_to_string(&history).unwrap(), "#V2\nSELECT\\n\t'a\tb'\\n\t\tAS s;\n");
}

/// 8: colours cannot be read on a light background, or not be turned off.
#[test]
fn colours() {
    for (colours, switch, keyword) in [
        ("15;0", "always", "\x1b[94mSELECT\x1b[0m"),
        ("0;15", "always", "\x1b[34mSELECT\x1b[0m"),
        ("15;0", "never", "SELECT 1"),
    ] {
        let mut command = command(Path::new(""));
        command.env("COLORFGBG", colours).args(["--color", switch]);
        let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
        see(&mut session, "rowkind> ");
        sleep(Duration::from_millis(100));
        press(&mut session, "SELECT 1 ");
        see(&mut session, keyword);
        press(&mut session, CTRL_C);
        if switch == "always" {
            sleep(Duration::from_millis(200));
            // None, and back to what the terminal tells.
            enter(&mut session, ".theme none");
            see(&mut session, "rowkind> ");
            enter(&mut session, ".theme auto");
            see(&mut session, "rowkind> ");
            sleep(Duration::from_millis(100));
            press(&mut session, "SELECT 1 ");
            see(&mut session, keyword);
            press(&mut session, CTRL_C);
        }
        sleep(Duration::from_millis(200));
        leave(session);
    }
}

/// 9: files with a dot lie in the home folder, or the history where the shell was started.
#[test]
fn dot_files() {
    let folder = tempfile::tempdir().unwrap();
    let (home, work) = (folder.path().join("home"), folder.path().join("work"));
    for path in [&home, &work] {
        fs::create_dir(path).unwrap();
    }
    let run = |state: Option<&Path>| {
        let mut command = command(Path::new(""));
        command.env_remove("ROWKIND_HISTORY").env("HOME", &home).current_dir(&work);
        command.envs(state.map(|state| ("XDG_STATE_HOME", state)));
        let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
        prompt(&mut session);
        enter(&mut session, "SELECT 1 AS a;");
        see(&mut session, "│ +I ┆ 1 │");
        prompt(&mut session);
        leave(session);
    };
    let names =
        |path: &Path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    run(Some(&folder.path().join("state")));
    assert!(folder.path().join("state/rowkind/history").exists());
    assert!(names(&home).is_empty() && names(&work).is_empty());
    run(None);
    assert!(home.join(".local/state/rowkind/history").exists());
    assert!(names(&home) == [".local"] && names(&work).is_empty());
}

/// 15: what is subscribed to is not shown as a table that changes.
#[test]
fn a_table_that_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = shell(&folder.path().join("history"));
    enter(&mut session, "CREATE TABLE t (k STRING, v INT);");
    see(&mut session, "OK");
    prompt(&mut session);
    enter(&mut session, ".live SELECT k, SUM(v) AS s FROM t GROUP BY k");
    see(&mut session, "table");
    for (statement, row) in
        [("INSERT INTO t VALUES ('x', 20);", "x ┆ 20"), ("INSERT INTO t VALUES ('x', 22);", "x ┆ 42")]
    {
        enter(&mut session, statement);
        // In the changes, and in the table.
        see(&mut session, row);
        see(&mut session, row);
    }
    press(&mut session, "q");
    prompt(&mut session);
    leave(session);
}
