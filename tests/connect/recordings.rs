//! What formats read and write is what Flink's read and write.
//!
//! `*.tsv` hold what Flink 2.3.0's formats made of small texts and rows: what is done, the columns, the
//! options, the input, and the outcome. Line ends and their like stand as `␊`, `␍`, `␉`. The rows to be
//! written are given as JSON.

use std::fmt::Write as _;

use rowkind::changelog::{Changes, RowKind};
use rowkind::value::display::{write_double, write_float};
use rowkind::value::{Column, DataType, Value};

use super::common::{all, connect, read, schema, written};

const NAMES: [(char, char); 4] = [('␊', '\n'), ('␍', '\r'), ('␉', '\t'), ('␀', '\0')];

fn raw(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (name, c)| text.replace(*name, &c.to_string()))
}

fn named(text: &str) -> String {
    NAMES.iter().fold(text.to_owned(), |text, (name, c)| text.replace(*c, &name.to_string()))
}

/// What a value is, as the recordings have it.
fn shown(value: &Value) -> String {
    let mut out = String::new();
    let all_shown = |items: &[Value]| items.iter().map(shown).collect::<Vec<_>>().join(", ");
    let result = if let Some(number) = value.as_double() {
        write_double(&mut out, number)
    } else if let Some(number) = value.as_float() {
        write_float(&mut out, number)
    } else if let Some(items) = value.as_list() {
        write!(out, "[{}]", all_shown(items))
    } else if let Some(entries) = value.as_entries() {
        let mut entries: Vec<_> =
            entries.iter().map(|(key, value)| format!("{}: {}", shown(key), shown(value))).collect();
        entries.sort();
        write!(out, "{{{}}}", entries.join(", "))
    } else {
        write!(out, "{value:?}")
    };
    result.expect("a string takes text");
    out
}

fn row_shown(row: &[Value]) -> String {
    shown(&Value::list(row))
}

/// A type for what events say beside their rows.
fn metadata_type(key: &str) -> DataType {
    match key {
        "sql-type" => DataType::map(DataType::string(), DataType::int()),
        "source.properties" => DataType::map(DataType::string(), DataType::string()),
        "pk-names" | "primary-keys" | "primary-key-columns" => DataType::array(DataType::string()),
        key if key.ends_with("timestamp") => DataType::timestamp_ltz(6),
        _ => DataType::string(),
    }
}

/// Reads a text as rows, shown one after the other, and `!` for a failure.
fn read_shown(columns: &str, options: &str, text: &str, is_event: bool) -> String {
    let schema = schema(columns);
    let (wanted, options) = match options.strip_prefix('@') {
        None => (all(&schema), options),
        Some(rest) => {
            let (wanted, options) = rest.split_once(' ').expect("options follow the columns");
            (wanted.split(',').map(|i| i.parse().expect("a position")).collect(), options)
        }
    };
    let (options, metadata): (Vec<_>, Vec<_>) =
        options.split(' ').partition(|option| !option.starts_with("meta="));
    let keys: Vec<_> = metadata.iter().flat_map(|keys| keys["meta=".len()..].split(',')).collect();
    let columns: Vec<_> = keys.iter().map(|key| Column::new(*key, metadata_type(key))).collect();
    let wanted: Vec<_> = wanted.into_iter().chain((schema.len()..).take(keys.len())).collect();
    let positions = (schema.len()..).zip(&columns).zip(&keys).map(|((at, column), key)| (at, column, *key));
    let connector =
        connect(&format!("connector=stdin {}", raw(&options.join(" "))), &schema).and_then(|connector| {
            if keys.is_empty() { Ok(connector) } else { connector.with_metadata(positions) }
        });
    let Ok(connector) = connector else {
        return "!".to_owned();
    };
    let (rows, result) = read(&connector, &raw(text), &wanted);
    let kind = |kind: RowKind| if is_event { kind.symbol() } else { "" };
    let mut shown: Vec<_> =
        rows.iter().map(|change| format!("{}{}", kind(change.kind), row_shown(change.row))).collect();
    if result.is_err() {
        shown.push("!".to_owned());
    }
    shown.join(" ")
}

/// Writes the row that a JSON object is, as a change of a kind.
fn write_shown(sink: &str, columns: &str, options: &str, kind: RowKind, row: &str) -> String {
    let schema = schema(columns);
    let source = connect("connector=stdin format=json", &schema).expect("any row can be JSON");
    let (read, result) = read(&source, row, &all(&schema));
    result.unwrap_or_else(|error| panic!("{row}: {error}"));
    let mut rows = Changes::new(schema.len());
    read.iter().for_each(|change| rows.push(kind, change.cause, change.row));
    let text = connect(&format!("connector={sink} {}", raw(options)), &schema)
        .and_then(|connector| written(&connector, &rows));
    text.map_or_else(|_| "!".to_owned(), |text| named(&text))
}

fn check(recording: &str) {
    let mut differences = String::new();
    let mut count = 0;
    for line in recording.lines() {
        let parts: Vec<_> = line.split('\t').collect();
        let [what, columns, options, input, expected] = parts[..] else {
            panic!("a line has five parts: {line}")
        };
        let outcome = match what {
            "read" => read_shown(columns, options, input, false),
            "event" => read_shown(columns, options, input, true),
            "write" => write_shown("stdout", columns, options, RowKind::Insert, input),
            "print" => write_shown("print", columns, options, RowKind::Insert, input),
            "event-write" => {
                let (kind, row) = input.split_once(' ').expect("a row follows its kind");
                let kind = RowKind::ALL.into_iter().find(|known| known.symbol() == kind);
                write_shown("stdout", columns, options, kind.expect("it is a kind"), row).replace('␊', "")
            }
            what => panic!("{what} is nothing to do"),
        };
        count += 1;
        // Flink's reader of CSV drops the rows that it has when one fails.
        let drops_rows = options.contains("format=csv") && expected == "!" && outcome.ends_with('!');
        if !drops_rows && outcome != expected {
            let input = format!("{what} {columns} | {options} | {input}");
            let _ = writeln!(differences, "{input}\n  flink   {expected}\n  rowkind {outcome}");
        }
    }
    assert!(count > 10, "the recording has only {count} lines");
    assert!(differences.is_empty(), "\n{differences}");
}

#[test]
fn json_is_read_as_flink_reads_it() {
    check(include_str!("json-read.tsv"));
}

#[test]
fn json_is_written_as_flink_writes_it() {
    check(include_str!("json-write.tsv"));
}

#[test]
fn events_are_read_as_flink_reads_them() {
    check(include_str!("events-read.tsv"));
}

#[test]
fn events_say_beside_their_rows_what_flink_reads_there() {
    check(include_str!("events-metadata.tsv"));
}

#[test]
fn events_are_written_as_flink_writes_them() {
    check(include_str!("events-write.tsv"));
}

#[test]
fn csv_is_read_as_flink_reads_it() {
    check(include_str!("csv-read.tsv"));
}

#[test]
fn csv_is_written_as_flink_writes_it() {
    check(include_str!("csv-write.tsv"));
}

#[test]
fn rows_are_printed_as_flink_prints_them() {
    check(include_str!("print.tsv"));
}
