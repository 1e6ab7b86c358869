//! Rows from lines of JSON.

use super::super::{Batch, Decoder, Flaw};
use super::cursor::Cursor;
use super::value::{Values, missing_field};
use super::{JsonOptions, has_decimal};
use crate::changelog::RowKind;
use crate::value::{Column, Schema, Value};

/// The members of a line of which the text before the value is kept.
const STEPS: usize = 256;

/// Reads lines of JSON.
#[derive(Debug)]
pub(in crate::connect::format) struct JsonDecoder {
    values: Values,
    columns: Vec<Column>,
    /// What the last lines looked like.
    steps: Vec<Step>,
    row: Vec<Value>,
    /// Which columns the line has; kept only where a key counts once.
    seen: Vec<bool>,
    scratch: String,
}

/// What stands between two values of a line: `,"region":`.
#[derive(Debug, Default)]
struct Step {
    text: String,
    /// The column that the key names.
    column: Option<usize>,
}

impl JsonDecoder {
    pub(in crate::connect::format) fn new(options: JsonOptions, schema: &Schema, columns: &[usize]) -> Self {
        let columns = schema.project(columns).columns;
        let exact = columns.iter().any(|column| has_decimal(&column.data_type));
        Self {
            values: Values::new(options, exact),
            columns,
            steps: vec![],
            row: vec![],
            seen: vec![],
            scratch: String::new(),
        }
    }

    fn line(&mut self, cursor: &mut Cursor<'_>, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        if cursor.peek() == b'{' {
            self.object(cursor, 0)?;
            batch.push(RowKind::Insert, &mut self.row);
            return Ok(());
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
                        return self.other_element(cursor);
                    }
                    self.object(cursor, 1)?;
                    batch.push(RowKind::Insert, &mut self.row);
                    Ok(())
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
    fn other_element(&self, cursor: &mut Cursor<'_>) -> Result<(), Flaw> {
        let options = &self.values.options;
        let is_absent = cursor.peek() == b'n' && !options.by_token;
        let flaw = cursor.unexpected("an object");
        cursor.skip(1)?;
        if is_absent || options.ignore_parse_errors { Ok(()) } else { Err(flaw) }
    }

    /// Reads the object at the cursor, which is `depth` deep, into the row.
    fn object(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<(), Flaw> {
        let start = cursor.at;
        let width = self.columns.len();
        let by_token = self.values.options.by_token;
        self.row.clear();
        self.row.resize(width, Value::NULL);
        self.seen.clear();
        if !by_token {
            self.seen.resize(width, false);
        }
        let mut found = 0;
        let mut member = 0;
        loop {
            let column = match self.steps.get(member) {
                Some(step) if cursor.bytes[cursor.at..].starts_with(step.text.as_bytes()) => {
                    cursor.at += step.text.len();
                    cursor.skip_blanks();
                    step.column
                }
                _ => match self.key(cursor, member)? {
                    Some(column) => column,
                    None => break,
                },
            };
            match column {
                // Flink's token parser stops when it has as many fields as there are columns, be it
                // one of them twice.
                Some(index) if !by_token || found < width => {
                    let column = &self.columns[index];
                    let value = self.values.read(cursor, &column.data_type, depth + 1);
                    self.row[index] = value.map_err(|flaw| flaw.in_column(&column.name))?;
                    if by_token {
                        found += 1;
                    } else {
                        found += usize::from(!std::mem::replace(&mut self.seen[index], true));
                    }
                }
                _ => cursor.skip(depth + 1)?,
            }
            member += 1;
            if cursor.peek() == b'}' {
                cursor.at += 1;
                break;
            }
        }
        if found < width && self.values.options.fail_on_missing_field {
            let missing = self.columns.iter().zip(&self.row).find(|(_, value)| value.is_null());
            return Err(missing_field(start, missing.map_or("", |(column, _)| &column.name)));
        }
        Ok(())
    }

    /// Reads what stands before the value of a member, and keeps it; `None` if the object ends.
    #[inline(never)]
    fn key(&mut self, cursor: &mut Cursor<'_>, member: usize) -> Result<Option<Option<usize>>, Flaw> {
        let start = cursor.at;
        if member == 0 {
            cursor.expect(b'{')?;
            cursor.skip_blanks();
            if cursor.peek() == b'}' {
                cursor.at += 1;
                return Ok(None);
            }
        } else {
            cursor.skip_blanks();
            match cursor.peek() {
                b',' => cursor.at += 1,
                b'}' => {
                    cursor.at += 1;
                    return Ok(None);
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
            let step = &mut self.steps[member];
            step.text.clear();
            step.text.push_str(&cursor.text[start..cursor.at]);
            step.column = column;
        }
        Ok(Some(column))
    }
}

impl Decoder for JsonDecoder {
    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let whole_lines = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |end| end + 1);
        let mut cursor = Cursor::new(&text[..if last { text.len() } else { whole_lines }]);
        while !batch.is_full() && cursor.at < cursor.bytes.len() {
            match self.line(&mut cursor, batch) {
                Ok(()) => {}
                Err(_) if self.values.options.ignore_parse_errors => {}
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
