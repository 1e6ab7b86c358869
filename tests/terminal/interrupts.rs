//! Ctrl-C while something is read that is long or has no end.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use rexpect::session::PtySession;

use super::{CTRL_C, CTRL_D, enter, press, prompt, see, shell};

/// A shell with a table of a named pipe.
fn shell_with_pipe(folder: &Path) -> (PtySession, PathBuf) {
    let path = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut session = shell(&folder.join("history"));
    let table = format!(
        "CREATE TABLE p (n INT) WITH ('connector' = 'filesystem', 'path' = '{}', 'format' = 'csv');",
        path.display()
    );
    run(&mut session, &table, "OK");
    (session, path)
}

fn run(session: &mut PtySession, statement: &str, answer: &str) {
    enter(session, statement);
    see(session, answer);
    prompt(session);
}

fn leave(mut session: PtySession) {
    press(&mut session, CTRL_D);
    session.exp_eof().unwrap();
}

#[test]
fn ctrl_c_ends_the_wait_for_who_writes_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, path) = shell_with_pipe(folder.path());
    for statement in ["SELECT n FROM p;", "CREATE TABLE t AS SELECT n FROM p;"] {
        enter(&mut session, statement);
        sleep(Duration::from_millis(300));
        press(&mut session, CTRL_C);
        see(&mut session, "cancelled");
        prompt(&mut session);
    }
    // What somebody writes later is read all the same.
    let mut pipe = OpenOptions::new().write(true).open(path).unwrap();
    pipe.write_all(b"17\n").unwrap();
    enter(&mut session, "SELECT n FROM p;");
    see(&mut session, "│ +I ┆          17 │");
    drop(pipe);
    see(&mut session, "1 change (+I 1) → 1 row");
    prompt(&mut session);
    leave(session);
}

#[test]
fn what_is_typed_while_it_is_said_how_far_reading_is_comes_at_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, path) = shell_with_pipe(folder.path());
    let print = "CREATE TABLE e (n INT) WITH ('connector' = 'print', 'standard-error' = 'true');";
    run(&mut session, print, "OK");
    // As a terminal has it, but this one does not.
    enter(&mut session, ".shell stty echo");
    prompt(&mut session);
    let is_over = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let is_over = is_over.clone();
        move || {
            let mut pipe = OpenOptions::new().write(true).open(path).unwrap();
            while !is_over.load(Ordering::Relaxed) {
                pipe.write_all(b"7\n").unwrap();
                sleep(Duration::from_micros(100));
            }
            pipe.write_all(b"4711\n").unwrap();
        }
    });
    enter(&mut session, "INSERT INTO e SELECT n FROM p WHERE n > 7;");
    see(&mut session, "rows/s");
    enter(&mut session, "SELECT 'ahead' AS a;");
    // The line comes again and again.
    for _ in 0..5 {
        let shown = session.exp_string("rows/s").unwrap();
        assert!(!shown.contains("ahead"), "{shown}");
    }
    is_over.store(true, Ordering::Relaxed);
    // What a table writes stands where the line was.
    see(&mut session, "\x1b[J+I[4711]");
    see(&mut session, "rowkind> ");
    see(&mut session, "SELECT 'ahead' AS a;");
    see(&mut session, "│ +I ┆ ahead │");
    prompt(&mut session);
    writer.join().unwrap();
    // What is typed is echoed again.
    enter(&mut session, ".shell stty -a");
    see(&mut session, " echo ");
    prompt(&mut session);
    leave(session);
}

#[test]
fn a_pipeline_that_is_cancelled_leaves_what_it_wrote_and_says_how_much_that_is() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, path) = shell_with_pipe(folder.path());
    // Numbers without an end, as long as somebody reads them.
    std::thread::spawn(move || {
        let mut pipe = OpenOptions::new().write(true).open(path).unwrap();
        (0_u32..).try_for_each(|n| pipe.write_all(format!("{n}\n").as_bytes()))
    });
    run(&mut session, "CREATE TABLE t (n INT);", "OK");
    run(&mut session, "CREATE TABLE sums (k INT, m INT, c BIGINT, PRIMARY KEY (k) NOT ENFORCED);", "OK");
    let cancel = |session: &mut PtySession, statement: &str| {
        enter(session, statement);
        sleep(Duration::from_millis(700));
        press(session, CTRL_C);
        see(session, "was stopped: what it wrote before stays in ");
        let (_, rest) = session.exp_regex("\"[a-z]+\", [0-9]+ change").unwrap();
        let count = rest.trim_end_matches(" change").rsplit(' ').next().unwrap().to_owned();
        see(session, "cancelled");
        prompt(session);
        count
    };
    let count = cancel(&mut session, "INSERT INTO t SELECT n FROM p;");
    assert_ne!(count, "0");
    for command in [".format csv", ".view table"] {
        enter(&mut session, command);
        prompt(&mut session);
    }
    // No row is missing among those that were read, and all that are there were counted.
    run(&mut session, &format!("SELECT COUNT(*) = {count} AND MAX(n) = {count} - 1 AS ok FROM t;"), "TRUE");
    // A row that was replaced is whole.
    cancel(&mut session, "INSERT INTO sums SELECT 0, MAX(n), COUNT(*) FROM p GROUP BY n < 0;");
    run(&mut session, "SELECT c = m + 1 AS ok FROM sums;", "TRUE");
    run(&mut session, "SHOW JOBS;", "STOPPED");
    leave(session);
}
