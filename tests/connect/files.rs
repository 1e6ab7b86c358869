//! Files, directories and streams.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use rowkind::Session;
use rowkind::changelog::{Cause, Changes, Materialized, RowKind};
use rowkind::connect::{ConnectError, Connector, Streams};
use rowkind::session::Collected;
use rowkind::value::Value;

use super::common::{Output, all, connect, read, read_all, read_from, rows, schema, written};

fn csv_file(path: &Path, options: &str) -> Connector {
    let options = format!("connector=filesystem format=csv path={} {options}", path.display());
    connect(&options, &schema("id INT, name STRING")).expect("the options are right")
}

fn people(names: &[&str]) -> Changes {
    let mut changes = Changes::new(2);
    for (id, name) in (1..).zip(names) {
        changes.push(RowKind::Insert, Cause::default(), &[Value::integer(id), Value::string(name)]);
    }
    changes
}

fn append(connector: &Connector, changes: &Changes) {
    let mut writer = connector.writer(&Streams::default()).expect("the file can be opened");
    writer.write(changes).expect("the rows can be written");
    writer.flush().expect("there is room");
}

#[test]
fn a_directory_is_read_in_the_order_of_names_without_hidden_files() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    fs::create_dir(path("_hidden")).unwrap();
    let files = ["b.csv", "a.csv", ".c.csv", "_d.csv", "sub/e.csv", "_hidden/f.csv", "sub/.g.csv"];
    for (number, name) in files.iter().enumerate() {
        fs::write(path(name), format!("{number},{name}\n")).unwrap();
    }
    let connector = csv_file(directory.path(), "");
    let read = read_all(&connector, &[1]).unwrap();
    assert_eq!(rows(&read), ["[\"a.csv\"]", "[\"b.csv\"]", "[\"sub/e.csv\"]"]);
    let url = csv_file(Path::new(&format!("file://{}", directory.path().display())), "");
    assert_eq!(read_all(&url, &[1]).unwrap(), read);
}

#[test]
fn what_is_not_there_is_said_before_anything_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let error =
        csv_file(&directory.path().join("x.csv"), "").reader(&[0], &Streams::default()).err().unwrap();
    let message = error.to_string();
    assert!(message.starts_with("cannot open \""), "{message}");
    assert!(message.ends_with("x.csv\": no such file or directory"), "{message}");
    let error = csv_file(directory.path(), "").reader(&[0], &Streams::default()).err().unwrap();
    assert!(error.to_string().starts_with("there are no files in"), "{error}");
    let error =
        csv_file(&directory.path().join("no/such/x.csv"), "").writer(&Streams::default()).err().unwrap();
    assert!(matches!(error, ConnectError::File { kind: ErrorKind::NotFound, .. }), "{error}");
}

#[test]
fn each_insert_adds_to_a_file_and_a_torn_line_is_ended_first() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("people.csv");
    fs::write(&path, "7,Grace").unwrap();
    let connector = csv_file(&path, "");
    append(&connector, &people(&[]));
    append(&connector, &people(&["Ada", "a b"]));
    append(&connector, &people(&["Linus"]));
    assert_eq!(fs::read_to_string(&path).unwrap(), "7,Grace\n1,Ada\n2,\"a b\"\n1,Linus\n");
    assert_eq!(read_all(&connector, &[1]).unwrap().len(), 4);
}

#[test]
fn each_insert_adds_a_file_to_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let connector = csv_file(directory.path(), "csv.header=true");
    append(&connector, &people(&["Ada"]));
    append(&connector, &people(&["Grace"]));
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["part-000001.csv", "part-000002.csv"]);
    assert_eq!(rows(&read_all(&connector, &[1]).unwrap()), ["[\"Ada\"]", "[\"Grace\"]"]);
}

#[test]
fn the_names_of_columns_are_written_once_and_read_in_any_order() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("people.csv");
    let connector = csv_file(&path, "csv.header=true");
    append(&connector, &people(&["Ada"]));
    append(&connector, &people(&["Grace"]));
    assert_eq!(fs::read_to_string(&path).unwrap(), "id,name\n1,Ada\n1,Grace\n");
    let text = "name,extra,id\r\nAda,x,1\r\nGrace,\"y\",2\r\n";
    let (changes, result) = read(&connector, text, &[0, 1]);
    assert_eq!((rows(&changes), result), (vec!["[1, \"Ada\"]".into(), "[2, \"Grace\"]".into()], Ok(())));
    let (_, result) = read(&connector, "id,nam\n1,Ada\n", &[0]);
    let error = result.unwrap_err();
    assert_eq!(error.to_string(), "input:1:1: the first line does not name a column, in column \"name\"");
    assert_eq!(error.hint().as_deref(), Some("It names a column \"nam\"."));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let connector = csv_file(Path::new("/dev/full"), "");
    let mut writer = connector.writer(&Streams::default()).unwrap();
    writer.write(&people(&["Ada"])).unwrap();
    let error = writer.flush().unwrap_err();
    assert_eq!(error.to_string(), "cannot write \"/dev/full\": no space left on device");
    assert!(matches!(error, ConnectError::File { kind: ErrorKind::StorageFull, .. }));
}

/// Takes a few bytes at a time, and fails now and then.
struct Reluctant {
    output: Output,
    calls: usize,
}

impl Write for Reluctant {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        match self.calls % 4 {
            0 => Err(ErrorKind::StorageFull.into()),
            1 => Err(ErrorKind::Interrupted.into()),
            _ => self.output.write(&bytes[..bytes.len().min(3)]),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn after_a_failure_writing_goes_on_where_it_stopped() {
    let connector = csv_file(Path::new("x"), "");
    let changes = people(&["Ada", "Grace", "Linus"]);
    let output = Output::default();
    let reluctant = Reluctant { output: output.clone(), calls: 0 };
    let mut writer = connector.writer_into("output", Box::new(reluctant)).unwrap();
    writer.write(&changes).unwrap();
    let failures = (0..100).take_while(|_| writer.flush().is_err()).count();
    assert!(failures > 1);
    assert_eq!(output.text(), "1,Ada\n2,Grace\n3,Linus\n");
    drop(writer);
    assert_eq!(output.text(), "1,Ada\n2,Grace\n3,Linus\n");
}

/// Gives pieces, one for each read; one that is empty is still to be written.
struct Pieces(VecDeque<Vec<u8>>);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.0.pop_front() else { return Ok(0) };
        if piece.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        buffer[..piece.len()].copy_from_slice(&piece);
        Ok(piece.len())
    }
}

#[test]
fn it_does_not_matter_in_which_pieces_text_comes() {
    let text = "\u{feff}1,\"a \"\"b\"\"\"\r\n2,é😀\n3,\"two\r\nlines\"\r\n4, x \r5,\"\" \n6,last";
    let csv = csv_file(Path::new("x"), "");
    let expected = read(&csv, text, &[0, 1]);
    assert_eq!(expected.0.len(), 6);
    assert_eq!(expected.1, Ok(()));
    let json = connect("connector=stdin format=json", &schema("id INT, name STRING")).unwrap();
    let lines = "{\"id\":1,\"name\":\"é\\u00e9\"}\n\n{\"name\":\"😀\",\"id\":2}\r\n[{\"id\":3},{\"id\":4}]";
    let expected_json = read(&json, lines, &[0, 1]);
    assert_eq!(expected_json.0.len(), 4);
    for length in 1..6 {
        let with_waits = |piece: &[u8]| [piece.to_vec(), vec![]];
        let pieces = |text: &str| Pieces(text.as_bytes().chunks(length).flat_map(with_waits).collect());
        assert_eq!(read_from(&csv, pieces(text), &[0, 1]), expected);
        assert_eq!(read_from(&json, pieces(lines), &[0, 1]), expected_json);
    }
}

#[test]
fn a_stream_gives_what_it_has_without_waiting_for_more() {
    let connector = csv_file(Path::new("x"), "");
    let pieces = ["1,a\n2,b\n", "3,c\n4", ",d\n"].map(|piece| piece.as_bytes().to_vec());
    let mut reader = connector.reader_of("input", Box::new(Pieces(pieces.into())), &[0]).unwrap();
    let mut lengths = vec![];
    let mut out = Changes::new(1);
    let first = Cause { sequence: 7, arrival: 5 };
    while reader.read(64, first, &mut out).unwrap() {
        lengths.push(out.len());
    }
    assert_eq!(lengths, [2, 3, 4]);
    let causes: Vec<_> = out.iter().map(|change| change.cause.sequence).collect();
    assert_eq!(causes, [7, 8, 7, 7]);
    assert_eq!(out.get(1).cause.arrival, 5);
}

#[test]
fn a_line_that_is_no_text_is_skipped_whole_also_if_it_comes_in_parts() {
    let connector = csv_file(Path::new("x"), "csv.ignore-parse-errors=true");
    let pieces = [b"1,a\n2,\xff" as &[u8], b"", b"b,\n3,c", b"", b"\n4,\xc3", b"", b"x", b"", b"5,d\n6,e\n"];
    let pieces = pieces.map(<[u8]>::to_vec);
    let (changes, result) = read_from(&connector, Pieces(pieces.into()), &[0]);
    assert_eq!((rows(&changes), result), (vec!["[1]".into(), "[3]".into(), "[6]".into()], Ok(())));
}

#[test]
fn a_long_line_is_read_whole() {
    let text = "x".repeat(300_000);
    let connector = csv_file(Path::new("x"), "");
    let (changes, result) = read(&connector, &format!("1,{text}\n2,\"{text}\n\"\n3,c\n"), &[1]);
    assert_eq!(result, Ok(()));
    let lengths: Vec<_> = changes.iter().map(|change| change.row[0].as_str().unwrap().len()).collect();
    assert_eq!(lengths, [300_000, 300_001, 1]);
}

#[test]
fn print_has_an_identifier_and_takes_all_kinds() {
    let schema = schema("id INT");
    let connector = connect("connector=print print-identifier=job", &schema).unwrap();
    let mut changes = Changes::new(1);
    for kind in RowKind::ALL {
        changes.push(kind, Cause::default(), &[Value::NULL]);
    }
    let text = written(&connector, &changes).unwrap();
    assert_eq!(text, "job> +I[null]\njob> -U[null]\njob> +U[null]\njob> -D[null]\n");
}

#[test]
fn a_table_without_wanted_columns_still_has_its_rows() {
    let connector = csv_file(Path::new("x"), "");
    let (changes, result) = read(&connector, "1,a\n2,b\n", &[]);
    assert_eq!((changes.len(), result), (2, Ok(())));
    let json = connect("connector=stdin format=json", &schema("id INT")).unwrap();
    assert_eq!(read(&json, "{\"id\":1}\n{}\n", &[]).0.len(), 2);
    assert_eq!(all(&schema("id INT")), [0]);
}

#[test]
fn a_file_that_grows_while_it_is_read_is_read_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("people.csv");
    fs::write(&path, "1,Ada\n2,Grace\n").unwrap();
    let connector = csv_file(&path, "");
    let mut reader = connector.reader(&[0, 1], &Streams::default()).unwrap();
    let mut writer = connector.writer(&Streams::default()).unwrap();
    let mut count = 0;
    let mut more = true;
    while more {
        let mut changes = Changes::new(2);
        more = reader.read(1, Cause::default(), &mut changes).unwrap();
        count += changes.len();
        writer.write(&changes).unwrap();
        writer.flush().unwrap();
    }
    assert_eq!(count, 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), "1,Ada\n2,Grace\n1,Ada\n2,Grace\n");
}

/// Events of rows `(id, other, number)`: all come, some change `other`, some go.
fn events(count: u32, others: u32) -> Vec<[String; 4]> {
    let event =
        |op: &str, id: u32, other: u32| [op, &id.to_string(), &other.to_string(), "7"].map(str::to_owned);
    let other = |id: u32, round: u32| (id * 7 + round * 13) % others;
    let mut events: Vec<_> = (0..count).map(|id| event("c", id, other(id, 0))).collect();
    for id in (0..count).filter(|id| id % 3 == 0) {
        events.push(event("ub", id, other(id, 0)));
        events.push(event("ua", id, other(id, 1)));
    }
    events.extend(
        (0..count).filter(|id| id % 5 == 0).map(|id| event("d", id, other(id, u32::from(id % 3 == 0)))),
    );
    events
}

/// The rows of a query over two tables of events, in order.
fn joined(tables: impl Fn(&str) -> String, query: &str) -> Vec<String> {
    let mut session = Session::new();
    session.run_all(&tables("orders")).expect("there are orders");
    session.run_all(&tables("customers")).expect("there are customers");
    for table in ["orders", "customers"] {
        let view = format!(
            "CREATE VIEW {table}_now AS SELECT * FROM FROM_CHANGELOG(input => TABLE {table}, op_mapping =>
                MAP['c', 'INSERT', 'ub', 'UPDATE_BEFORE', 'ua', 'UPDATE_AFTER', 'd', 'DELETE'])"
        );
        session.run_all(&view).expect("the view is right");
    }
    let mut result = Collected::default();
    session.execute(query, &mut result).expect("it runs");
    let mut table = Materialized::new(None);
    assert!(result.changes.iter().all(|change| table.apply(change)), "{query}: a row goes that is not there");
    let mut rows: Vec<String> = table.rows().map(|row| format!("{row:?}")).collect();
    rows.sort();
    rows
}

#[test]
fn files_of_many_rows_are_joined_as_tables_in_memory_are() {
    const COLUMNS: &str = "(op STRING, id INT, other INT, number INT)";
    let directory = tempfile::tempdir().unwrap();
    let of = |table: &str| if table == "orders" { events(12_000, 4000) } else { events(4000, 50) };
    let in_memory = |table: &str| {
        let rows: Vec<String> = of(table)
            .iter()
            .map(|[op, id, other, number]| format!("('{op}', {id}, {other}, {number})"))
            .collect();
        format!("CREATE TABLE {table} {COLUMNS}; INSERT INTO {table} VALUES {};", rows.join(", "))
    };
    let in_files = |table: &str| {
        let path = directory.path().join(table);
        let lines: Vec<String> = of(table).iter().map(|event| event.join(",") + "\n").collect();
        fs::write(&path, lines.concat()).unwrap();
        let path = path.display();
        format!(
            "CREATE TABLE {table} {COLUMNS} WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '{path}');"
        )
    };
    for query in [
        "SELECT o.id, c.id, c.other FROM orders_now AS o JOIN customers_now AS c ON o.other = c.id",
        "SELECT o.id, c.id, c.other FROM orders_now AS o FULL JOIN customers_now AS c ON o.other = c.id",
        "SELECT * FROM orders_now AS o WHERE NOT EXISTS (SELECT * FROM customers_now AS c WHERE c.id = o.other)",
    ] {
        let expected = joined(in_memory, query);
        assert!(expected.len() > 500, "{query}: {}", expected.len());
        assert_eq!(joined(in_files, query), expected, "{query}");
    }
}
