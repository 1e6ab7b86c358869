//! Connected tables on the command line: files, pipes, and what goes wrong with them.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Runs statements with an input. Returns the exit status, the output and the errors.
fn pipe(input: &str, folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rowkind"))
        .args(["--format", "jsonl"])
        .args(arguments)
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Who does not read it to the end closes it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

const EVENTS: &str =
    "CREATE TABLE events (op STRING, id INT) WITH ('connector' = 'stdin', 'format' = 'json')";

#[test]
fn events_from_a_pipe_are_a_table_that_can_be_read_again() {
    let folder = TempDir::new().unwrap();
    let input = "{\"op\":\"c\",\"id\":1}\n{\"op\":\"c\",\"id\":2}\n{\"op\":\"d\",\"id\":1}\n";
    let query = "SELECT * FROM FROM_CHANGELOG(input => TABLE events, op => DESCRIPTOR(op), \
                 op_mapping => MAP['c', 'INSERT', 'd', 'DELETE'])";
    let again = "SELECT COUNT(*) AS cnt FROM events WHERE id > 1";
    let (status, out, err) = pipe(input, &folder, &["-c", EVENTS, "-c", query, "-c", again]);
    let expected = "{\"op\":\"+I\",\"row\":{\"id\":1}}\n{\"op\":\"+I\",\"row\":{\"id\":2}}\n\
                    {\"op\":\"-D\",\"row\":{\"id\":1}}\n{\"op\":\"+I\",\"row\":{\"cnt\":1}}\n";
    assert_eq!((status, out.as_str(), err.as_str()), (0, expected, ""));
}

#[test]
fn what_a_statement_writes_is_in_the_file_behind_what_was_there() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("out.csv");
    fs::write(&path, "0,old").unwrap();
    let table = "CREATE TABLE out_file (id INT, name STRING) \
                 WITH ('connector' = 'filesystem', 'path' = 'out.csv', 'format' = 'csv')";
    let script = format!(
        "{table}; INSERT INTO out_file VALUES (1, 'a b'); SELECT COUNT(*) AS cnt FROM out_file; \
         INSERT INTO out_file SELECT id + 10, name FROM out_file;"
    );
    let (status, out, err) = pipe("", &folder, &["-c", &script]);
    assert_eq!(status, 0, "{err}");
    assert!(out.ends_with("{\"op\":\"+U\",\"row\":{\"cnt\":2}}\n"), "{out}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "0,old\n1,\"a b\"\n10,old\n11,\"a b\"\n");
}

#[test]
fn a_script_from_standard_input_leaves_no_data_there() {
    let folder = TempDir::new().unwrap();
    let (status, out, err) = pipe(&format!("{EVENTS};\nSELECT * FROM events;\n"), &folder, &[]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("standard input cannot be read here"), "{err}");
}

#[test]
fn rows_before_a_bad_line_are_given_and_the_line_is_named() {
    let folder = TempDir::new().unwrap();
    let input = "{\"op\":\"c\",\"id\":1}\n{\"op\":\"c\",\"id\":\"two\"}\n{\"op\":\"c\",\"id\":3}\n";
    let (status, out, err) = pipe(input, &folder, &["-c", EVENTS, "-c", "SELECT * FROM events"]);
    assert_eq!((status, out.as_str()), (1, "{\"op\":\"+I\",\"row\":{\"op\":\"c\",\"id\":1}}\n"));
    assert!(err.contains("stdin:2:") && err.contains("\"two\" is not an INT, in column \"id\""), "{err}");
}

#[test]
fn a_pipeline_whose_reader_goes_away_ends_quietly() {
    let folder = TempDir::new().unwrap();
    let events = "{\"op\":\"c\",\"id\":1}\n".repeat(200_000);
    fs::write(folder.path().join("events.json"), events).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rowkind"))
        .args(["-c", "CREATE TABLE f (op STRING, id INT) WITH ('connector' = 'filesystem', 'path' = 'events.json', 'format' = 'json')"])
        .args(["-c", "CREATE TABLE o (op STRING, id INT) WITH ('connector' = 'stdout', 'format' = 'csv')"])
        .args(["-c", "INSERT INTO o SELECT * FROM f"])
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 4];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut head).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(&head, b"c,1\n");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
