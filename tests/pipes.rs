//! Connected tables on the command line: files, pipes, and what goes wrong with them.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Starts the shell in a folder, with pipes to its output and errors.
fn start(folder: &TempDir, stdin: Stdio, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rowkind"))
        .args(arguments)
        .env_clear()
        .current_dir(folder.path())
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs statements with an input. Returns the exit status, the output and the errors.
fn pipe(input: &str, folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let mut child = start(folder, Stdio::piped(), &[&["--format", "jsonl"], arguments].concat());
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
fn virtual_metadata_is_read_and_not_written() {
    let folder = TempDir::new().unwrap();
    let script = "CREATE TABLE t (id INT, line INT METADATA VIRTUAL, name STRING) \
                  WITH ('connector' = 'filesystem', 'path' = 't.csv', 'format' = 'csv'); \
                  INSERT INTO t VALUES (1, 'a'), (2, 'b'); SELECT line, name FROM t WHERE id > 1;";
    let (status, out, err) = pipe("", &folder, &["-c", script]);
    assert_eq!(
        (status, out.as_str(), err.as_str()),
        (0, "{\"op\":\"+I\",\"row\":{\"line\":2,\"name\":\"b\"}}\n", "")
    );
    assert_eq!(fs::read_to_string(folder.path().join("t.csv")).unwrap(), "1,a\n2,b\n");
}

#[test]
fn an_upsert_table_goes_through_a_pipe_of_keys_and_tombstones_and_is_the_same() {
    let folder = TempDir::new().unwrap();
    let columns = "(id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED)";
    let write = format!(
        "CREATE TABLE users {columns}; \
         CREATE TABLE topic {columns} WITH ('connector' = 'stdout', 'key.format' = 'json', 'value.format' = 'json'); \
         INSERT INTO topic SELECT * FROM users; INSERT INTO users VALUES (1, 'a'), (2, 'b'), (1, 'c'); \
         DELETE FROM users WHERE id = 2;"
    );
    let (status, lines, err) = pipe("", &folder, &["-c", &write]);
    let expected = "{\"id\":1}\t{\"id\":1,\"name\":\"a\"}\n{\"id\":2}\t{\"id\":2,\"name\":\"b\"}\n\
                    {\"id\":1}\t{\"id\":1,\"name\":\"c\"}\n{\"id\":2}\t\n";
    assert_eq!((status, lines.as_str(), err.as_str()), (0, expected, ""));

    let read = format!(
        "CREATE TABLE topic {columns} WITH ('connector' = 'stdin', 'key.format' = 'json', 'value.format' = 'json'); \
         SELECT * FROM topic;"
    );
    let (status, out, err) = pipe(&lines, &folder, &["-c", &read]);
    let change = |kind: &str, id: u8, name: &str| {
        format!("{{\"op\":\"{kind}\",\"row\":{{\"id\":{id},\"name\":\"{name}\"}}}}\n")
    };
    let expected = [("+I", 1, "a"), ("+I", 2, "b"), ("-U", 1, "a"), ("+U", 1, "c"), ("-D", 2, "b")];
    let expected: String = expected.map(|(kind, id, name)| change(kind, id, name)).concat();
    assert_eq!((status, out.as_str(), err.as_str()), (0, expected.as_str(), ""));
}

#[test]
fn keys_are_as_kcat_prints_them() {
    let folder = TempDir::new().unwrap();
    let script = "CREATE TABLE t (id STRING, n INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'stdin', \
                  'key.format' = 'raw', 'key.fields' = 'id', 'key.separator' = ':', 'value.format' = 'json', \
                  'value.fields-include' = 'EXCEPT_KEY'); SELECT * FROM t;";
    let (status, out, err) = pipe("k1:{\"n\":1}\nk2:{\"n\":2}\nk1:\n", &folder, &["-c", script]);
    let change = |kind: &str, id: &str, n: u8| {
        format!("{{\"op\":\"{kind}\",\"row\":{{\"id\":\"{id}\",\"n\":{n}}}}}\n")
    };
    let expected = [("+I", "k1", 1), ("+I", "k2", 2), ("-D", "k1", 1)];
    let expected: String = expected.map(|(kind, id, n)| change(kind, id, n)).concat();
    assert_eq!((status, out.as_str(), err.as_str()), (0, expected.as_str(), ""));
    let (status, _, err) = pipe("k1:{\"n\":1}\nk2\n", &folder, &["-c", script]);
    assert!(status == 1 && err.contains("stdin:2:1: the line has no ':' between a key and a value"), "{err}");
    let (status, _, err) = pipe("k1:{\"n\":true}\n", &folder, &["-c", script]);
    assert!(status == 1 && err.contains("stdin:1:9: \"true\" is not an INT, in column \"n\""), "{err}");
}

#[test]
fn a_script_follows_a_file_that_grows_until_it_is_interrupted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log.csv");
    fs::write(&path, "EU\n").unwrap();
    let script = "CREATE TABLE log (region STRING) WITH ('connector' = 'filesystem', 'path' = 'log.csv', \
                  'format' = 'csv', 'source.monitor-interval' = '10 ms'); \
                  CREATE TABLE counts (region STRING, cnt BIGINT) WITH ('connector' = 'print'); \
                  INSERT INTO counts SELECT region, COUNT(*) FROM log GROUP BY region;";
    let query = "SELECT region FROM log";
    for (arguments, first, second) in [
        (vec!["-c", script], "+I[EU, 1]\n", "-U[EU, 1]\n+U[EU, 2]\n"),
        (
            vec!["--format", "csv", "-c", script.split("CREATE TABLE counts").next().unwrap(), "-c", query],
            "op,region\n+I,EU\n",
            "+I,EU\n",
        ),
    ] {
        fs::write(&path, "EU\n").unwrap();
        let mut child = start(&folder, Stdio::null(), &arguments);
        let mut out = child.stdout.take().unwrap();
        let mut text = vec![0; first.len()];
        out.read_exact(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), first);
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"EU\n").unwrap();
        let mut text = vec![0; second.len()];
        out.read_exact(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), second);
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
}

/// Makes a named pipe in a folder, and a table of it.
#[cfg(unix)]
fn named_pipe(folder: &TempDir, options: &str) -> String {
    let path = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    format!(
        "CREATE TABLE p (id INT) WITH ('connector' = 'filesystem', 'path' = 'pipe', 'format' = 'csv'{options})"
    )
}

#[cfg(unix)]
#[test]
fn rows_of_a_named_pipe_are_taken_as_they_are_written_and_kept() {
    let folder = TempDir::new().unwrap();
    let table = named_pipe(&folder, "");
    let sink = "CREATE TABLE o (id INT) WITH ('connector' = 'stdout', 'format' = 'csv')";
    let insert = "INSERT INTO o SELECT id FROM p";
    let count = "SELECT COUNT(*) AS cnt FROM p WHERE id > 1";
    let arguments = ["--csv", "-c", &table, "-c", sink, "-c", insert, "-c", count, "-c", "SELECT id FROM p"];
    let mut child = start(&folder, Stdio::null(), &arguments);
    let mut out = child.stdout.take().unwrap();
    let mut line = || {
        let mut text = [0; 2];
        out.read_exact(&mut text).unwrap();
        String::from_utf8(text.to_vec()).unwrap()
    };
    let mut pipe = fs::OpenOptions::new().write(true).open(folder.path().join("pipe")).unwrap();
    pipe.write_all(b"1\n2").unwrap();
    assert_eq!(line(), "1\n");
    pipe.write_all(b"\n3\n").unwrap();
    assert_eq!((line(), line()), ("2\n".to_owned(), "3\n".to_owned()));
    // The pipeline ends with the pipe, and what came through it can be read again.
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "op,cnt\n+I,1\n-U,1\n+U,2\nop,id\n+I,1\n+I,2\n+I,3\n");
}

#[cfg(unix)]
#[test]
fn a_query_of_a_named_pipe_shows_rows_as_they_come_and_all_of_a_large_one() {
    let folder = TempDir::new().unwrap();
    let table = named_pipe(&folder, "");
    let mut child = start(&folder, Stdio::null(), &["--csv", "-c", &table, "-c", "SELECT id FROM p"]);
    let mut out = child.stdout.take().unwrap();
    let mut pipe = fs::OpenOptions::new().write(true).open(folder.path().join("pipe")).unwrap();
    pipe.write_all(b"1\n").unwrap();
    let first = "op,id\n+I,1\n";
    let mut text = vec![0; first.len()];
    out.read_exact(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), first);
    let count = 200_000;
    let writer = std::thread::spawn(move || pipe.write_all("22222\n".repeat(count).as_bytes()).unwrap());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    writer.join().unwrap();
    assert_eq!(rest, "+I,22222\n".repeat(count));
    assert!(child.wait().unwrap().success());

    // What is looked at before would be gone.
    let mut child = start(&folder, Stdio::null(), &["-c", ".import pipe"]);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(err.contains("\"pipe\" is a pipe, which cannot be read twice"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_that_is_followed_is_read_beside_what_comes_then() {
    let folder = TempDir::new().unwrap();
    let table = named_pipe(&folder, ", 'source.monitor-interval' = '10 ms'");
    let script = format!(
        "{table}; CREATE TABLE o (id INT) WITH ('connector' = 'print'); INSERT INTO o SELECT id FROM p; \
         INSERT INTO o VALUES (0);"
    );
    let mut child = start(&folder, Stdio::null(), &["-c", &script]);
    let mut out = child.stdout.take().unwrap();
    let mut text = [0; 6];
    out.read_exact(&mut text).unwrap();
    assert_eq!(&text, b"+I[0]\n");
    fs::write(folder.path().join("pipe"), "1\n").unwrap();
    out.read_exact(&mut text).unwrap();
    assert_eq!(&text, b"+I[1]\n");
    assert!(child.wait().unwrap().success());
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
    let script = "CREATE TABLE f (op STRING, id INT) \
                  WITH ('connector' = 'filesystem', 'path' = 'events.json', 'format' = 'json'); \
                  CREATE TABLE o (op STRING, id INT) WITH ('connector' = 'stdout', 'format' = 'csv'); \
                  INSERT INTO o SELECT * FROM f;";
    let mut child = start(&folder, Stdio::null(), &["-c", script]);
    let mut head = [0; 4];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut head).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(&head, b"c,1\n");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn a_pipeline_from_rows_that_come_slowly_ends_with_them() {
    let folder = TempDir::new().unwrap();
    let script = "CREATE TABLE ticks (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '50', \
                  'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '4'); \
                  CREATE TABLE sums (total INT) WITH ('connector' = 'print');";
    let insert = "INSERT INTO sums SELECT SUM(n) FROM ticks";
    let printed = "+I[1]\n-U[1]\n+U[3]\n-U[3]\n+U[6]\n-U[6]\n+U[10]\n";
    assert_eq!(pipe("", &folder, &["-c", script, "-c", insert]), (0, printed.to_owned(), String::new()));
    let once = "SET 'rowkind.insert' = 'once'";
    let list = format!("{insert}; SHOW JOBS");
    let (status, out, _) = pipe("", &folder, &["-c", script, "-c", once, "-c", &list]);
    assert!(status == 0 && out.starts_with(printed) && out.contains("FINISHED"), "{out}");
}
