//! What the tests share.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use rowkind::Session;
use rowkind::changelog::{Cause, Changes};
use rowkind::connect::{ConnectError, Connector, Streams};
use rowkind::session::Collected;
use rowkind::value::Schema;

/// The columns of a declaration such as `a INT, b STRING`.
pub(crate) fn schema(columns: &str) -> Schema {
    let mut session = Session::new();
    let create = format!("CREATE TABLE t ({columns})");
    session.execute(&create, &mut Collected::default()).unwrap_or_else(|error| panic!("{create}: {error}"));
    session.catalog().table("t").expect("the table exists").schema()
}

/// The connector of options such as `connector=stdin format=json`.
pub(crate) fn connect(options: &str, schema: &Schema) -> Result<Connector, ConnectError> {
    let option = |option: &str| {
        let (key, value) = option.split_once('=').expect("an option has a value");
        (key.to_owned(), value.to_owned())
    };
    let options: Vec<_> = options.split(' ').filter(|text| !text.is_empty()).map(option).collect();
    Connector::from_options(&options, schema, &[])
}

/// All columns of a schema.
pub(crate) fn all(schema: &Schema) -> Vec<usize> {
    (0..schema.len()).collect()
}

/// Reads a stream to its end or to the first failure, a few changes at a time.
pub(crate) fn read_from(
    connector: &Connector,
    input: impl Read + Send + 'static,
    columns: &[usize],
) -> (Changes, Result<(), ConnectError>) {
    let mut out = Changes::new(columns.len());
    let mut reader = connector.reader_of("input", Box::new(input), columns).expect("it is a source");
    loop {
        let first = Cause { sequence: out.len() as u64 + 1, arrival: 0 };
        match reader.read(3, first, &mut out) {
            Ok(true) => {}
            Ok(false) => return (out, Ok(())),
            Err(error) => return (out, Err(error)),
        }
    }
}

/// Reads a text.
pub(crate) fn read(
    connector: &Connector,
    text: &str,
    columns: &[usize],
) -> (Changes, Result<(), ConnectError>) {
    read_from(connector, std::io::Cursor::new(text.as_bytes().to_vec()), columns)
}

/// Reads all that the connector has.
pub(crate) fn read_all(connector: &Connector, columns: &[usize]) -> Result<Changes, ConnectError> {
    let mut out = Changes::new(columns.len());
    let mut reader = connector.reader(columns, &Streams::default())?;
    while reader.read(3, Cause::default(), &mut out)? {}
    Ok(out)
}

/// What is written into it.
#[derive(Clone, Default)]
pub(crate) struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    pub(crate) fn text(&self) -> String {
        let bytes = self.0.lock().expect("nobody panics").clone();
        String::from_utf8(bytes).expect("formats write text")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes changes as text.
pub(crate) fn written(connector: &Connector, changes: &Changes) -> Result<String, ConnectError> {
    let output = Output::default();
    let mut writer = connector.writer_into("output", Box::new(output.clone()))?;
    writer.write(changes)?;
    writer.flush()?;
    Ok(output.text())
}

/// The rows as they are debugged, one line each.
pub(crate) fn rows(changes: &Changes) -> Vec<String> {
    changes.iter().map(|change| format!("{:?}", change.row)).collect()
}
