//! Whatever options say, a table has rows or there is an error.

use std::io::Cursor;
use std::sync::LazyLock;

use rowkind::changelog::{Cause, Changes};
use rowkind::connect::{Connector, Reader, Streams};
use rowkind::value::Schema;

use crate::schema;

/// What takes the options.
const CONNECTORS: [&str; 4] = ["datagen", "faker", "stdin", "filesystem"];

static SCHEMAS: LazyLock<[Schema; 3]> = LazyLock::new(|| {
    [
        schema("a STRING"),
        schema("a INT, b VARCHAR(9) NOT NULL, c DECIMAL(10, 2), d TIMESTAMP(3), e BOOLEAN"),
        schema("a ARRAY<INT>, b MAP<STRING, ROW<x INT, y STRING>>, c TIME, d MULTISET<CHAR(2)>, e DATE"),
    ]
});

/// Connects a table. The first byte chooses its connector and columns; then come lines with a key, `=` and a value, and
/// behind an empty line what is read from standard input.
pub fn options(data: &[u8]) {
    const ROWS: usize = 64;
    let [choice, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let (lines, input) = text.split_once("\n\n").unwrap_or((text, ""));
    let connector = CONNECTORS[usize::from(*choice) % CONNECTORS.len()];
    let schema = &SCHEMAS[usize::from(choice >> 4) % SCHEMAS.len()];
    let given = lines.lines().filter_map(|line| line.split_once('='));
    let given = std::iter::once(("connector", connector)).chain(given);
    let given: Vec<(String, String)> = given
        .filter(|(key, _)| !is_long(key))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let _ = Connector::known_options(&given, schema);
    let Ok(connector) = Connector::from_options(&given, schema, &[]) else { return };
    let columns: Vec<usize> = (0..schema.len()).collect();
    let reader = match connector.name() {
        "stdin" => connector.reader_of("fuzz", Box::new(Cursor::new(input.as_bytes().to_vec())), &columns),
        "datagen" | "faker" => connector.reader(&columns, &Streams::default()),
        _ => return,
    };
    let mut reader: Box<dyn Reader> = reader.expect("it is a source");
    let mut rows = Changes::new(columns.len());
    for _ in 0..ROWS {
        if !matches!(reader.read(1, Cause::default(), &mut rows), Ok(true)) {
            break;
        }
    }
}

/// Whether an option makes values as long as somebody wants them.
fn is_long(key: &str) -> bool {
    key.ends_with(".length")
}
