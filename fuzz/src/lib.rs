//! Whatever a file or an option holds, reading it gives rows or an error: no panic, and an end.
//!
//! Of [`read`] the first byte chooses the options of the format, the second how many rows are read at once and
//! which columns, the rest is the file. What is read without an error is written in the same format.

mod import;
mod options;

pub use import::import;
pub use options::options;

use std::io::Cursor;
use std::sync::LazyLock;

use rowkind::Session;
use rowkind::changelog::{Cause, Changes};
use rowkind::connect::Connector;
use rowkind::session::Collected;
use rowkind::value::Schema;

/// Options of a table, without its connector.
pub type Options = &'static [(&'static str, &'static str)];

/// `json`.
pub const JSON: [Options; 5] = [
    &[("format", "json")],
    &[("format", "json"), ("json.ignore-parse-errors", "true")],
    &[("format", "json"), ("json.decode.json-parser.enabled", "false")],
    &[
        ("format", "json"),
        ("json.fail-on-missing-field", "true"),
        ("json.timestamp-format.standard", "ISO-8601"),
    ],
    &[("format", "json"), ("json.multi-line", "true")],
];

/// `csv`.
pub const CSV: [Options; 4] = [
    &[("format", "csv")],
    &[("format", "csv"), ("csv.ignore-parse-errors", "true"), ("csv.field-delimiter", ";")],
    &[("format", "csv"), ("csv.ignore-first-line", "true"), ("csv.escape-character", "\\")],
    &[("format", "csv"), ("csv.allow-comments", "true"), ("csv.null-literal", "NULL")],
];

/// Formats of change events.
pub const EVENTS: [Options; 8] = [
    &[("format", "debezium-json")],
    &[("format", "debezium-json"), ("debezium-json.schema-include", "true")],
    &[("format", "debezium-json"), ("debezium-json.ignore-parse-errors", "true")],
    &[("format", "canal-json"), ("canal-json.table.include", "t.*")],
    &[("format", "canal-json"), ("canal-json.ignore-parse-errors", "true")],
    &[("format", "maxwell-json")],
    &[("format", "ogg-json"), ("ogg-json.ignore-parse-errors", "true")],
    &[("format", "changelog-json")],
];

/// Lines of keys and values.
pub const KEYED: [Options; 2] = [
    &[
        ("key.format", "csv"),
        ("key.fields", "a"),
        ("value.format", "json"),
        ("value.fields-include", "EXCEPT_KEY"),
    ],
    &[("key.format", "json"), ("key.fields", "a;b"), ("value.format", "csv"), ("key.separator", ":")],
];

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    schema(
        "a INT, b STRING, c DECIMAL(10, 2), d DOUBLE, e BOOLEAN, f DATE, g TIME, h TIMESTAMP(3), i TIMESTAMP_LTZ(6), \
         j ARRAY<INT>, k ROW<x INT, y STRING>, l BYTES, m TINYINT",
    )
});

/// The columns of a declaration.
fn schema(columns: &str) -> Schema {
    let mut session = Session::new();
    let create = format!("CREATE TABLE t ({columns})");
    session.execute(&create, &mut Collected::default()).expect("the table is right");
    session.catalog().table("t").expect("it is there").schema()
}

/// Reads what an input says with one of the options.
pub fn read(choices: &[Options], data: &[u8]) {
    let [choice, shape, text @ ..] = data else { return };
    let options = choices[usize::from(*choice) % choices.len()];
    let options = [("connector", "stdin")].iter().chain(options);
    let options: Vec<_> = options.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let Ok(connector) = Connector::from_options(&options, &SCHEMA, &[]) else { return };
    let all: Vec<usize> = (0..SCHEMA.len()).collect();
    let columns: Vec<usize> = match shape & 3 {
        0 => Vec::new(),
        1 => vec![2, 0],
        _ => all.clone(),
    };
    let mut rows = Changes::new(columns.len());
    let reader = connector.reader_of("fuzz", Box::new(Cursor::new(text.to_vec())), &columns);
    let mut reader = reader.expect("it is a source");
    let most = usize::from(shape >> 2) + 1;
    while let Ok(true) = reader.read(most, Cause::default(), &mut rows) {
        assert!(rows.len() <= text.len() * 2 + 2, "rows come from nothing");
    }
    if columns == all && !options.iter().any(|(key, _)| key == "key.format") {
        let output = options.iter().map(|(key, value)| match key.as_str() {
            "connector" => (key.clone(), "stdout".to_owned()),
            _ => (key.clone(), value.clone()),
        });
        let connector = Connector::from_options(&output.collect::<Vec<_>>(), &SCHEMA, &[]);
        let writer = connector
            .expect("what can be read can be written")
            .writer_into("fuzz", Box::new(std::io::sink()));
        // A value may have no form, such as a key that is NULL.
        let _ = writer.expect("it is a sink").write(&rows);
    }
}
