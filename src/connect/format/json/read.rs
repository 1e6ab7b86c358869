//! Rows from lines of JSON.

use super::super::{Batch, Decoder, Flaw};
use super::cursor::{Cursor, plain_end};
use super::value::{Values, missing_field, scan};
use super::{JsonOptions, has_decimal};
use crate::changelog::RowKind;
use crate::value::{Column, DataType, Schema, Value};

/// The members of a line of which the text before the value is kept.
const STEPS: usize = 256;

/// Reads lines of JSON.
#[derive(Debug)]
pub(in crate::connect::format) struct JsonDecoder {
    values: Values,
    columns: Vec<Column>,
    /// What the last lines looked like.
    steps: Vec<Step>,
    /// Which columns the line has; kept only where a key counts once.
    seen: Vec<bool>,
    scratch: String,
}

/// What stands between two values of a line: `,"region":`.
#[derive(Debug, Default)]
struct Step {
    text: String,
    /// The first eight bytes, or all with zeros behind them.
    first: u64,
    /// The bytes of [`Self::first`] that count.
    mask: u64,
    /// The last eight bytes, if there are as many.
    last: u64,
    /// The column that the key names.
    column: Option<usize>,
}

/// The key of a member.
enum Key {
    /// It names a column, or something that is not wanted.
    Of(Option<usize>),
    /// There is none any more.
    End,
}

impl Step {
    fn set(&mut self, text: &str, column: Option<usize>) {
        let bytes = text.as_bytes();
        let mut first = [0; 8];
        let length = bytes.len().min(8);
        first[..length].copy_from_slice(&bytes[..length]);
        self.first = u64::from_le_bytes(first);
        self.mask = u64::MAX >> (8 * (8 - length));
        self.last = bytes.last_chunk().map_or(0, |last| u64::from_le_bytes(*last));
        self.text.clear();
        self.text.push_str(text);
        self.column = column;
    }

    /// Whether the text is at a place.
    #[inline]
    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        let length = self.text.len();
        let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word));
        match length {
            1..8 if at + 8 <= bytes.len() => word(at).is_some_and(|word| word & self.mask == self.first),
            8..=16 => word(at) == Some(self.first) && word(at + length - 8) == Some(self.last),
            _ => bytes[at..].starts_with(self.text.as_bytes()),
        }
    }
}

impl JsonDecoder {
    pub(in crate::connect::format) fn new(options: JsonOptions, schema: &Schema, columns: &[usize]) -> Self {
        let columns = schema.project(columns).columns;
        let exact = columns.iter().any(|column| has_decimal(&column.data_type));
        Self {
            values: Values::new(options, exact),
            columns,
            steps: vec![],
            seen: vec![],
            scratch: String::new(),
        }
    }

    fn line(&mut self, cursor: &mut Cursor<'_>, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        if cursor.peek() == b'{' {
            return self.row(cursor, 0, batch);
        }
        self.other_line(cursor, batch)
    }

    /// A line that does not begin with an object.
    fn other_line(&mut self, cursor: &mut Cursor<'_>, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        if cursor.text[cursor.at..].starts_with('\u{feff}') {
            cursor.at += '\u{feff}'.len_utf8();
        }
        let start = cursor.at;
        cursor.skip_blanks();
        match cursor.peek() {
            b'{' => self.line(cursor, batch),
            b'[' => {
                cursor.open(0)?;
                cursor.members(b']', |cursor| {
                    if cursor.peek() != b'{' {
                        return self.other_element(cursor, batch);
                    }
                    self.row(cursor, 1, batch)
                })
            }
            b'\n' => {
                let blanks = &cursor.bytes[start..cursor.at];
                let is_empty = blanks.is_empty() || blanks == b"\r";
                if is_empty || !self.values.options.by_token {
                    Ok(())
                } else {
                    Err(Flaw::new(start, "a line has nothing but blanks"))
                }
            }
            b'n' if !self.values.options.by_token => cursor.skip(0),
            _ => Err(cursor.unexpected("an object")),
        }
    }

    /// An element of an array of rows that is no object.
    fn other_element(&self, cursor: &mut Cursor<'_>, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        let options = &self.values.options;
        let is_absent = cursor.peek() == b'n' && !options.by_token;
        let flaw = cursor.unexpected("an object");
        cursor.skip(1)?;
        if is_absent {
            return Ok(());
        }
        if !options.ignore_parse_errors {
            return Err(flaw);
        }
        batch.skip(flaw);
        Ok(())
    }

    /// Reads the object at the cursor, which is `depth` deep, as a change.
    #[inline]
    fn row(&mut self, cursor: &mut Cursor<'_>, depth: usize, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        let result = self.object(cursor, depth, batch.add(RowKind::Insert));
        if result.is_err() {
            batch.take_back();
        }
        result
    }

    /// The number of columns that are read.
    pub(super) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Reads the value at the cursor as one of a type.
    pub(super) fn member(
        &mut self,
        cursor: &mut Cursor<'_>,
        data_type: &DataType,
        depth: usize,
    ) -> Result<Value, Flaw> {
        self.values.read(cursor, data_type, depth)
    }

    /// Whether the last object had a column; known only where a key counts once.
    pub(super) fn has_seen(&self, column: usize) -> bool {
        self.seen.get(column).copied().unwrap_or_default()
    }

    /// Reads the object at the cursor into a row of NULLs.
    pub(super) fn object(
        &mut self,
        cursor: &mut Cursor<'_>,
        depth: usize,
        row: &mut [Value],
    ) -> Result<(), Flaw> {
        let start = cursor.at;
        let width = self.columns.len();
        let by_token = self.values.options.by_token;
        if !by_token {
            self.seen.clear();
            self.seen.resize(width, false);
        }
        let (text, bytes) = (cursor.text, cursor.bytes);
        let mut at = start;
        let mut found = 0;
        let mut member = 0;
        loop {
            let column = match self.steps.get(member) {
                Some(step) if step.is_at(bytes, at) => {
                    at += step.text.len();
                    step.column
                }
                _ => {
                    cursor.at = at;
                    let key = self.key(cursor, member)?;
                    at = cursor.at;
                    match key {
                        Key::Of(column) => column,
                        Key::End => break,
                    }
                }
            };
            match column {
                // Flink's token parser stops when it has as many fields as there are columns, be it
                // one of them twice.
                Some(index) if !by_token || found < width => {
                    let column = &self.columns[index];
                    if let Some(end) = scan(&mut row[index], text, at, &column.data_type.kind) {
                        at = end;
                    } else {
                        cursor.at = at;
                        cursor.skip_blanks();
                        let value = self.values.read(cursor, &column.data_type, depth + 1);
                        row[index] = value.map_err(|flaw| flaw.in_column(&column.name))?;
                        at = cursor.at;
                    }
                    if by_token {
                        found += 1;
                    } else {
                        found += usize::from(!std::mem::replace(&mut self.seen[index], true));
                    }
                }
                _ => {
                    if let Some(end) = plain_end(bytes, at) {
                        at = end;
                    } else {
                        cursor.at = at;
                        cursor.skip_blanks();
                        cursor.skip(depth + 1)?;
                        at = cursor.at;
                    }
                }
            }
            member += 1;
            if bytes.get(at) == Some(&b'}') {
                at += 1;
                break;
            }
        }
        cursor.at = at;
        if found < width && self.values.options.fail_on_missing_field {
            let missing = self.columns.iter().zip(&*row).find(|(_, value)| value.is_null());
            return Err(missing_field(start, missing.map_or("", |(column, _)| &column.name)));
        }
        Ok(())
    }

    /// Reads what stands before the value of a member, and keeps it.
    #[inline(never)]
    fn key(&mut self, cursor: &mut Cursor<'_>, member: usize) -> Result<Key, Flaw> {
        let start = cursor.at;
        if member == 0 {
            cursor.expect(b'{')?;
            cursor.skip_blanks();
            if cursor.peek() == b'}' {
                cursor.at += 1;
                return Ok(Key::End);
            }
        } else {
            cursor.skip_blanks();
            match cursor.peek() {
                b',' => cursor.at += 1,
                b'}' => {
                    cursor.at += 1;
                    return Ok(Key::End);
                }
                _ => return Err(cursor.unexpected("',' or '}'")),
            }
            cursor.skip_blanks();
        }
        let key = cursor.string(&mut self.scratch)?;
        let column = self.columns.iter().position(|column| column.name == key);
        cursor.colon()?;
        if member < STEPS {
            if member >= self.steps.len() {
                self.steps.resize_with(member + 1, Step::default);
            }
            self.steps[member].set(&cursor.text[start..cursor.at], column);
        }
        Ok(Key::Of(column))
    }
}

impl Decoder for JsonDecoder {
    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let whole_lines = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |end| end + 1);
        let mut cursor = Cursor::new(&text[..if last { text.len() } else { whole_lines }]);
        while !batch.is_full() && cursor.at < cursor.bytes.len() {
            match self.line(&mut cursor, batch) {
                Ok(()) => {}
                Err(flaw) if self.values.options.ignore_parse_errors => batch.skip(flaw),
                Err(flaw) => return Err(flaw),
            }
            cursor.skip_line();
        }
        Ok(cursor.at)
    }

    fn skips_flaws(&self) -> bool {
        self.values.options.ignore_parse_errors
    }
}
