//! Lines of a key and a value, with a separator between them, as `kcat -K` prints and takes them.
//!
//! With a primary key the lines are upserts: an empty value deletes the row of the key, as in a
//! compacted topic of Kafka.

use super::super::ConnectError;
use super::super::options::Options;
use super::scan::first_line;
use super::{Batch, Decoder, Encoder, Flaw, Format, Output};
use crate::changelog::{Cause, Change, ChangelogMode, Changes, DeleteKind, RowKind};
use crate::spelling::nearest;
use crate::value::{Schema, Value};

/// A format for each side of the line.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::connect) struct KeyedFormat {
    key: Format,
    value: Format,
    /// The columns in the key.
    key_fields: Vec<usize>,
    /// The columns in the value.
    value_fields: Vec<usize>,
    separator: char,
    is_upsert: bool,
}

/// What the option with the columns of the value can be.
#[derive(Clone, Copy)]
enum ValueFields {
    All,
    ExceptKey,
}

const KEY_FIELDS: &str = "key.fields";

impl KeyedFormat {
    /// The format of lines with a key, if there is the option `key.format`.
    pub(super) fn take(
        options: &mut Options<'_>,
        schema: &Schema,
        primary_key: &[usize],
    ) -> Result<Option<Self>, ConnectError> {
        let Some(key_format) = options.text("key.format") else { return Ok(None) };
        let key_fields = key_fields(options, schema, primary_key)?;
        let choices = [("ALL", ValueFields::All), ("EXCEPT_KEY", ValueFields::ExceptKey)];
        let value_fields = match options.choice("value.fields-include", &choices, true)? {
            ValueFields::All => (0..schema.len()).collect(),
            ValueFields::ExceptKey => {
                (0..schema.len()).filter(|i| !key_fields.contains(i)).collect::<Vec<_>>()
            }
        };
        let value_format = match options.text("value.format") {
            Some(format) => format,
            None => options.required("format")?,
        };
        let key = side(key_format, "key.format", options, &schema.project(&key_fields))?;
        let value = side(value_format, "value.format", options, &schema.project(&value_fields))?;
        let separator = options.character("key.separator", true)?.unwrap_or('\t');
        let is_upsert = !primary_key.is_empty();
        Ok(Some(Self { key, value, key_fields, value_fields, separator, is_upsert }))
    }

    pub(super) fn mode(&self) -> ChangelogMode {
        if self.is_upsert { ChangelogMode::upsert(DeleteKind::ByKey) } else { ChangelogMode::APPEND }
    }

    pub(super) fn decoder(&self, schema: &Schema, columns: &[usize]) -> KeyedDecoder {
        // A column that is on both sides is read from the value.
        let side = |fields: &[usize], format: &Format, schema: &Schema| {
            let wanted = columns.iter().enumerate();
            let wanted = wanted.filter_map(|(slot, column)| {
                fields.iter().position(|field| field == column).map(|field| (slot, field))
            });
            let (slots, fields): (Vec<usize>, Vec<usize>) = wanted.unzip();
            Side { row: Changes::new(slots.len()), decoder: format.decoder(schema, &fields, &[]), slots }
        };
        KeyedDecoder {
            key: side(&self.key_fields, &self.key, &schema.project(&self.key_fields)),
            value: side(&self.value_fields, &self.value, &schema.project(&self.value_fields)),
            separator: self.separator,
            is_upsert: self.is_upsert,
        }
    }

    pub(super) fn encoder(&self, schema: &Schema) -> KeyedEncoder {
        KeyedEncoder {
            key: self.key.encoder(&schema.project(&self.key_fields)),
            value: self.value.encoder(&schema.project(&self.value_fields)),
            format: self.clone(),
            values: Vec::new(),
        }
    }
}

/// The columns of the key: those of the option, or else the primary key.
fn key_fields(
    options: &mut Options<'_>,
    schema: &Schema,
    primary_key: &[usize],
) -> Result<Vec<usize>, ConnectError> {
    let Some(names) = options.text(KEY_FIELDS) else {
        if primary_key.is_empty() {
            options.required(KEY_FIELDS)?;
        }
        return Ok(primary_key.to_vec());
    };
    let mut fields = Vec::new();
    for name in names.split(';').filter(|name| !name.is_empty()) {
        let bad = |expected: String| ConnectError::BadValue {
            key: KEY_FIELDS.into(),
            value: names.to_owned(),
            expected,
        };
        fields.push(schema.index_of(name).ok_or_else(|| {
            let near = nearest(name, schema.names());
            bad(near.map_or("names of columns with ';' between them".to_owned(), |near| format!("'{near}'")))
        })?);
    }
    let is_primary =
        primary_key.iter().all(|column| fields.contains(column)) && fields.len() == primary_key.len();
    if !primary_key.is_empty() && !is_primary {
        let names: Vec<_> = primary_key.iter().map(|&column| schema.columns[column].name.as_str()).collect();
        return Err(ConnectError::BadValue {
            key: KEY_FIELDS.into(),
            value: names.join(";"),
            expected: format!("the primary key, '{}'", names.join(";")),
        });
    }
    Ok(fields)
}

/// The format of one side, which must be one of rows.
fn side(
    name: &str,
    key: &'static str,
    options: &mut Options<'_>,
    schema: &Schema,
) -> Result<Format, ConnectError> {
    let format = Format::new(name, options, schema)?;
    if format.mode() == ChangelogMode::APPEND {
        return Ok(format);
    }
    let expected = "a format of rows, such as 'json' or 'csv'".to_owned();
    Err(ConnectError::BadValue { key: key.into(), value: name.to_owned(), expected })
}

/// Reads lines with keys.
pub(super) struct KeyedDecoder {
    key: Side,
    value: Side,
    separator: char,
    is_upsert: bool,
}

struct Side {
    decoder: Box<dyn Decoder>,
    /// Where the decoder's columns go.
    slots: Vec<usize>,
    row: Changes,
}

impl Side {
    /// Decodes one side of a line. Says whether it is a row.
    fn read(&mut self, text: &str) -> Result<bool, Flaw> {
        self.row.clear();
        self.decoder.decode(text, true, &mut Batch::new(&mut self.row, 1, Cause::default()))?;
        Ok(!self.row.is_empty())
    }

    fn write(&self, row: &mut [Value]) {
        for (&slot, value) in self.slots.iter().zip(self.row.get(0).row) {
            row[slot].clone_from(value);
        }
    }
}

impl KeyedDecoder {
    /// Reads a line that begins at a byte of the text.
    fn line(&mut self, line: &str, start: usize, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        let Some((key, value)) = line.split_once(self.separator) else {
            let problem = format!("the line has no {:?} between a key and a value", self.separator);
            return Err(Flaw::new(start, problem).with_hint("'key.separator' says what it is."));
        };
        let value_start = start + line.len() - value.len();
        if !self.key.read(key).map_err(|flaw| flaw.moved(start))? {
            return Err(Flaw::new(start, "the key is empty"));
        }
        if value.is_empty() {
            if !self.is_upsert {
                return Err(Flaw::new(value_start, "the value is empty")
                    .with_hint("In a table with a primary key that deletes the row of the key."));
            }
            self.key.write(batch.add(RowKind::Delete));
            return Ok(());
        }
        if self.value.read(value).map_err(|flaw| flaw.moved(value_start))? {
            let row = batch.add(if self.is_upsert { RowKind::UpdateAfter } else { RowKind::Insert });
            self.key.write(row);
            self.value.write(row);
        }
        Ok(())
    }
}

impl Decoder for KeyedDecoder {
    fn begin(&mut self) {
        self.key.decoder.begin();
        self.value.decoder.begin();
    }

    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let mut taken = 0;
        while !batch.is_full()
            && let Some((line, next)) = first_line(&text[taken..], last)
        {
            if !line.is_empty() {
                match self.line(line, taken, batch) {
                    Ok(()) => {}
                    Err(flaw) if self.skips_flaws() => batch.skip(flaw),
                    Err(flaw) => return Err(flaw),
                }
            }
            taken += next;
        }
        Ok(taken)
    }

    fn skips_flaws(&self) -> bool {
        self.value.decoder.skips_flaws()
    }
}

/// Writes lines with keys.
pub(super) struct KeyedEncoder {
    key: Box<dyn Encoder>,
    value: Box<dyn Encoder>,
    format: KeyedFormat,
    values: Vec<Value>,
}

impl KeyedEncoder {
    /// Writes the columns of one side, without an end of the line.
    fn side(
        values: &mut Vec<Value>,
        encoder: &mut dyn Encoder,
        fields: &[usize],
        out: &mut Output,
        change: Change<'_>,
    ) -> Result<(), Flaw> {
        values.clear();
        values.extend(fields.iter().map(|&field| change.row[field].clone()));
        encoder.encode(out, Change { kind: RowKind::Insert, row: values, cause: change.cause })?;
        if out.as_bytes().ends_with(b"\n") {
            out.truncate(out.len() - 1);
        }
        Ok(())
    }
}

impl Encoder for KeyedEncoder {
    fn encode(&mut self, out: &mut Output, change: Change<'_>) -> Result<(), Flaw> {
        let start = out.len();
        Self::side(&mut self.values, &mut *self.key, &self.format.key_fields, out, change)?;
        let key = String::from_utf8_lossy(&out.as_bytes()[start..]);
        if key.contains([self.format.separator, '\n']) {
            let problem = format!("the key {key:?} has the separator in it");
            return Err(Flaw::new(0, problem).with_hint("'key.separator' can be another character."));
        }
        out.push(self.format.separator);
        if change.kind.adds() {
            Self::side(&mut self.values, &mut *self.value, &self.format.value_fields, out, change)?;
        }
        out.push('\n');
        Ok(())
    }
}
