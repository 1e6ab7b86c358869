//! What formats read and write is what Flink's read and write.
//!
//! `connect/*.tsv` hold what Flink 2.3.0's formats made of small texts and rows: what is done, the
//! columns, the options, the input, and the outcome. Line ends and their like stand as `␊`, `␍`, `␉`.
//! The rows to be written are given as JSON.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::{Arc, Mutex};

use rowkind::Session;
use rowkind::changelog::{Cause, Changes};
use rowkind::connect::{ConnectError, Connector};
use rowkind::session::Collected;
use rowkind::value::display::{write_double, write_float};
use rowkind::value::{Schema, Value};

const NAMES: [(char, char); 4] = [('␊', '\n'), ('␍', '\r'), ('␉', '\t'), ('␀', '\0')];

fn raw(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (name, c)| text.replace(*name, &c.to_string()))
}

fn named(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (name, c)| text.replace(*c, &name.to_string()))
}

/// The columns of a declaration such as `a INT, b STRING`.
fn schema(columns: &str) -> Schema {
    let mut session = Session::new();
    let create = format!("CREATE TABLE t ({columns})");
    session.execute(&create, &mut Collected::default()).unwrap_or_else(|error| panic!("{create}: {error}"));
    let table = session.catalog().table("t").expect("the table exists");
    table.schema()
}

fn connector(name: &str, options: &str, schema: &Schema) -> Result<Connector, ConnectError> {
    let format = options.split(' ').find_map(|option| option.strip_prefix("format="));
    let mut all = vec![("connector".to_owned(), name.to_owned())];
    all.extend(format.map(|format| ("format".to_owned(), format.to_owned())));
    for option in options.split(' ').filter(|option| !option.is_empty() && !option.starts_with("format=")) {
        let (key, value) = option.split_once('=').expect("an option has a value");
        all.push((key.to_owned(), raw(value)));
    }
    Connector::from_options(&all, schema)
}

/// What a value is, as the recordings have it.
fn shown(value: &Value) -> String {
    let mut out = String::new();
    if let Some(number) = value.as_double() {
        write_double(&mut out, number).expect("a string takes text");
    } else if let Some(number) = value.as_float() {
        write_float(&mut out, number).expect("a string takes text");
    } else if let Some(items) = value.as_list() {
        let items: Vec<_> = items.iter().map(shown).collect();
        write!(out, "[{}]", items.join(", ")).expect("a string takes text");
    } else if let Some(entries) = value.as_entries() {
        let mut entries: Vec<_> = entries.iter().map(|(k, v)| format!("{}: {}", shown(k), shown(v))).collect();
        entries.sort();
        write!(out, "{{{}}}", entries.join(", ")).expect("a string takes text");
    } else {
        write!(out, "{value:?}").expect("a string takes text");
    }
    out
}

fn read(connector: &Connector, text: &str, columns: &[usize]) -> (Changes, Result<(), ConnectError>) {
    let mut out = Changes::new(columns.len());
    let input = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
    let mut reader = connector.reader_of("input", input, columns).expect("it is a source");
    loop {
        match reader.read(3, Cause::default(), &mut out) {
            Ok(true) => {}
            Ok(false) => return (out, Ok(())),
            Err(error) => return (out, Err(error)),
        }
    }
}

/// Reads a text as rows, shown one after the other, and `!` for a failure.
fn read_shown(columns: &str, options: &str, text: &str) -> String {
    let schema = schema(columns);
    let (wanted, options) = match options.strip_prefix('@') {
        None => ((0..schema.len()).collect(), options.to_owned()),
        Some(rest) => {
            let (wanted, options) = rest.split_once(' ').expect("options follow the columns");
            let wanted: Vec<usize> = wanted.split(',').map(|i| i.parse().expect("a position")).collect();
            (wanted, options.to_owned())
        }
    };
    let Ok(connector) = connector("stdin", &options, &schema) else { return "!".to_owned() };
    let (rows, result) = read(&connector, &raw(text), &wanted);
    let mut shown: Vec<_> = rows.iter().map(|change| row_shown(change.row)).collect();
    if result.is_err() {
        shown.push("!".to_owned());
    }
    shown.join(" ")
}

fn row_shown(row: &[Value]) -> String {
    let items: Vec<_> = row.iter().map(shown).collect();
    format!("[{}]", items.join(", "))
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes the row that a JSON object is.
fn write_shown(sink: &str, columns: &str, options: &str, row: &str) -> String {
    let schema = schema(columns);
    let source = connector("stdin", "format=json", &schema).expect("any row can be JSON");
    let (rows, result) = read(&source, row, &(0..schema.len()).collect::<Vec<_>>());
    result.unwrap_or_else(|error| panic!("{row}: {error}"));
    let Ok(connector) = connector(sink, options, &schema) else { return "!".to_owned() };
    let output = Output::default();
    let mut writer = connector.writer_into("output", Box::new(output.clone())).expect("it is a sink");
    let result = writer.write(&rows).and_then(|()| writer.flush());
    if result.is_err() {
        return "!".to_owned();
    }
    let bytes = output.0.lock().expect("nobody panics").clone();
    named(&String::from_utf8(bytes).expect("formats write text"))
}

fn check(recording: &str) {
    let mut differences = String::new();
    let mut count = 0;
    for line in recording.lines().filter(|line| !line.is_empty() && !line.starts_with("--")) {
        let parts: Vec<_> = line.split('\t').collect();
        let [what, columns, options, input, expected] = parts[..] else { panic!("a line has five parts: {line}") };
        let outcome = match what {
            "read" => read_shown(columns, options, input),
            "write" => write_shown("stdout", columns, options, input),
            "print" => write_shown("print", columns, options, input),
            what => panic!("{what} is nothing to do"),
        };
        count += 1;
        // Flink's reader of CSV drops the rows that it has when one fails.
        let drops_rows = options.contains("format=csv") && expected == "!" && outcome.ends_with('!');
        if !drops_rows && outcome != expected {
            let _ = write!(differences, "{what} {columns} | {options} | {input}\n  flink   {expected}\n  rowkind {outcome}\n");
        }
    }
    assert!(count > 20, "the recording has only {count} lines");
    assert!(differences.is_empty(), "\n{differences}");
}

#[test]
fn json_is_read_as_flink_reads_it() {
    check(include_str!("connect/json-read.tsv"));
}

#[test]
fn json_is_written_as_flink_writes_it() {
    check(include_str!("connect/json-write.tsv"));
}

#[test]
fn csv_is_read_as_flink_reads_it() {
    check(include_str!("connect/csv-read.tsv"));
}

#[test]
fn csv_is_written_as_flink_writes_it() {
    check(include_str!("connect/csv-write.tsv"));
}

#[test]
fn rows_are_printed_as_flink_prints_them() {
    check(include_str!("connect/print.tsv"));
}
