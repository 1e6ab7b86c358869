//! Changes from lines of events.

use super::super::super::{Batch, Decoder, Flaw};
use super::super::JsonDecoder;
use super::super::cursor::{Cursor, Token};
use super::{EnvelopeOptions, EventMetadata, Operation};
use crate::changelog::RowKind;
use crate::value::{DataType, Schema, Value};

/// Reads lines of events.
#[derive(Debug)]
pub(in crate::connect::format) struct EnvelopeDecoder {
    options: EnvelopeOptions,
    rows: JsonDecoder,
    /// What is wanted beside the rows, and the type of its member; it stands behind their columns.
    metadata: Vec<(EventMetadata, DataType)>,
    /// That of the present event.
    beside: Vec<Value>,
    /// The row after an update, until the row before it is there.
    after: Vec<Value>,
    scratch: String,
}

/// Where the members of an event are.
#[derive(Debug, Default, Clone, Copy)]
struct Event {
    start: usize,
    /// How deep the members are.
    depth: usize,
    before: Option<usize>,
    after: Option<usize>,
    operation: Option<usize>,
    database: Option<usize>,
    table: Option<usize>,
}

impl EnvelopeDecoder {
    pub(in crate::connect::format) fn new(
        options: EnvelopeOptions,
        schema: &Schema,
        columns: &[usize],
        metadata: &[EventMetadata],
    ) -> Self {
        let rows = JsonDecoder::new(options.json.clone(), schema, columns);
        let metadata = metadata.iter().map(|metadata| (*metadata, metadata.json_type())).collect();
        Self { options, rows, metadata, beside: Vec::new(), after: Vec::new(), scratch: String::new() }
    }

    fn line(&mut self, cursor: &mut Cursor<'_>, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        if matches!(cursor.peek(), b'\n') || cursor.text[cursor.at..].starts_with("\r\n") {
            // An empty message marks a deletion for who compacts the log; the event before it said so.
            return Ok(());
        }
        cursor.skip_blanks();
        if cursor.peek() != b'[' {
            return self.event(cursor, 0, batch);
        }
        cursor.open(0)?;
        cursor.skip_blanks();
        if cursor.peek() == b']' {
            return Err(cursor.unexpected("an event"));
        }
        cursor.members(b']', |cursor| self.event(cursor, 1, batch))
    }

    /// Reads the event at the cursor.
    fn event(&mut self, cursor: &mut Cursor<'_>, depth: usize, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        let start = cursor.at;
        let event = self.parts(cursor, depth)?;
        let end = cursor.at;
        if !self.metadata.is_empty() {
            self.read_metadata(cursor, &event, start)?;
        }
        self.changes(cursor, &event, batch)?;
        cursor.at = end;
        Ok(())
    }

    /// Finds the members of the event at the cursor.
    fn parts(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Event, Flaw> {
        if !self.options.in_payload {
            return self.members(cursor, depth);
        }
        let start = cursor.at;
        let mut payload = None;
        object(cursor, depth, &mut self.scratch, |key, at| {
            if key == "payload" {
                payload = Some(at);
            }
        })?;
        let end = cursor.at;
        cursor.at = payload.ok_or_else(|| missing(start, "payload"))?;
        let event = self.members(cursor, depth + 1)?;
        cursor.at = end;
        Ok(event)
    }

    fn members(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<Event, Flaw> {
        let mut event = Event { start: cursor.at, depth: depth + 1, ..Event::default() };
        let [before, after, operation] = self.options.envelope.members();
        object(cursor, depth, &mut self.scratch, |key, at| {
            let place = match key {
                key if key == before => &mut event.before,
                key if key == after => &mut event.after,
                key if key == operation => &mut event.operation,
                "database" => &mut event.database,
                "table" => &mut event.table,
                _ => return,
            };
            *place = Some(at);
        })?;
        Ok(event)
    }

    /// Reads what an event says beside its rows.
    fn read_metadata(&mut self, cursor: &mut Cursor<'_>, event: &Event, line: usize) -> Result<(), Flaw> {
        self.beside.clear();
        for (metadata, data_type) in &self.metadata {
            let mut place = Some(if metadata.of_line { line } else { event.start });
            for (depth, name) in metadata.path.iter().enumerate() {
                let Some(at) = place.take() else { break };
                cursor.at = at;
                if cursor.peek() == b'{' {
                    object(cursor, event.depth + depth, &mut self.scratch, |key, at| {
                        if key == *name {
                            place = Some(at);
                        }
                    })?;
                }
            }
            let Some(at) = place else {
                self.beside.push(Value::NULL);
                continue;
            };
            cursor.at = at;
            let member = self.rows.member(cursor, data_type, event.depth)?;
            match metadata.value(member) {
                Some(value) => self.beside.push(value),
                None if self.rows.skips_flaws() => self.beside.push(Value::NULL),
                None => return Err(Flaw::new(at, format!("\"{}\" is no timestamp", metadata.key))),
            }
        }
        Ok(())
    }

    /// Gives the changes of an event.
    fn changes(&mut self, cursor: &mut Cursor<'_>, event: &Event, batch: &mut Batch<'_>) -> Result<(), Flaw> {
        for (pattern, at, name) in [
            (&self.options.databases, event.database, "database"),
            (&self.options.tables, event.table, "table"),
        ] {
            let Some(pattern) = pattern else { continue };
            cursor.at = at.ok_or_else(|| missing(event.start, name))?;
            if !pattern.0.is_match(text(cursor, &mut self.scratch)?.unwrap_or("null")) {
                return Ok(());
            }
        }
        let envelope = self.options.envelope;
        let [before, after, operation] = envelope.members();
        cursor.at = event.operation.ok_or_else(|| missing(event.start, operation))?;
        let place = cursor.at;
        let Some(code) = text(cursor, &mut self.scratch)? else {
            return Err(Flaw::new(place, format!("\"{operation}\" is NULL")));
        };
        let Some(operation) = envelope.operation(code) else {
            return Err(Flaw::new(place, format!("\"{operation}\" has the unknown operation \"{code}\"")));
        };
        let single =
            |place: Option<usize>, name: &'static str| place.ok_or_else(|| missing(event.start, name));
        match operation {
            Operation::Nothing => Ok(()),
            Operation::Insert => {
                self.each(cursor, single(event.after, after)?, event, RowKind::Insert, batch)
            }
            Operation::Single(kind) => self.each(cursor, single(event.after, after)?, event, kind, batch),
            Operation::Delete if envelope.has_differences() => {
                self.each(cursor, single(event.after, after)?, event, RowKind::Delete, batch)
            }
            Operation::Delete => {
                let image = self.old_image(cursor, event, before)?;
                self.each(cursor, image, event, RowKind::Delete, batch)
            }
            Operation::Update => {
                let old = self.old_image(cursor, event, before)?;
                self.updates(cursor, old, single(event.after, after)?, event, batch)
            }
        }
    }

    /// Where the row before the change is, which must be there.
    fn old_image(&self, cursor: &Cursor<'_>, event: &Event, name: &'static str) -> Result<usize, Flaw> {
        let there = event.before.filter(|&at| cursor.bytes.get(at) != Some(&b'n'));
        there.ok_or_else(|| {
            let flaw = Flaw::new(event.before.unwrap_or(event.start), format!("there is no row \"{name}\""));
            if self.options.envelope.has_differences() {
                return flaw;
            }
            flaw.with_hint("A table of PostgreSQL gives it with ALTER TABLE … REPLICA IDENTITY FULL.")
        })
    }

    /// Gives a change for each row of an image.
    fn each(
        &mut self,
        cursor: &mut Cursor<'_>,
        image: usize,
        event: &Event,
        kind: RowKind,
        batch: &mut Batch<'_>,
    ) -> Result<(), Flaw> {
        cursor.at = image;
        if !self.options.envelope.has_lists() {
            return self.row(cursor, event.depth, kind, batch);
        }
        let mut added = 0;
        open_list(cursor, event.depth)?;
        let result = cursor.members(b']', |cursor| {
            self.row(cursor, event.depth + 1, kind, batch)?;
            added += 1;
            Ok(())
        });
        take_back(result, added, batch)
    }

    /// Gives a pair of changes for each pair of rows.
    fn updates(
        &mut self,
        cursor: &mut Cursor<'_>,
        before: usize,
        after: usize,
        event: &Event,
        batch: &mut Batch<'_>,
    ) -> Result<(), Flaw> {
        if !self.options.envelope.has_lists() {
            return self.update(cursor, before, after, event.depth, batch);
        }
        // Both lists are walked at once.
        let mut olds = Vec::new();
        cursor.at = before;
        open_list(cursor, event.depth)?;
        cursor.members(b']', |cursor| {
            olds.push(cursor.at);
            cursor.skip(event.depth + 1)
        })?;
        let mut olds = olds.into_iter();
        let mut added = 0;
        cursor.at = after;
        open_list(cursor, event.depth)?;
        let result = cursor.members(b']', |cursor| {
            let after = cursor.at;
            let before = olds.next().ok_or_else(|| Flaw::new(after, "there is no old row of this one"))?;
            self.update(cursor, before, after, event.depth + 1, batch)?;
            added += 2;
            cursor.at = after;
            cursor.skip(event.depth + 1)
        });
        take_back(result, added, batch)
    }

    fn update(
        &mut self,
        cursor: &mut Cursor<'_>,
        before: usize,
        after: usize,
        depth: usize,
        batch: &mut Batch<'_>,
    ) -> Result<(), Flaw> {
        self.after.clear();
        self.after.resize(self.rows.width(), Value::NULL);
        cursor.at = after;
        expect_object(cursor)?;
        self.rows.object(cursor, depth, &mut self.after)?;
        cursor.at = before;
        self.row(cursor, depth, RowKind::UpdateBefore, batch)?;
        if self.options.envelope.has_differences() {
            let row = batch.last_row();
            for (column, value) in self.after.iter().enumerate() {
                if !self.rows.has_seen(column) {
                    row[column].clone_from(value);
                }
            }
        }
        let (columns, beside) = batch.add(RowKind::UpdateAfter).split_at_mut(self.after.len());
        columns.clone_from_slice(&self.after);
        beside.clone_from_slice(&self.beside);
        Ok(())
    }

    fn row(
        &mut self,
        cursor: &mut Cursor<'_>,
        depth: usize,
        kind: RowKind,
        batch: &mut Batch<'_>,
    ) -> Result<(), Flaw> {
        expect_object(cursor)?;
        let (columns, beside) = batch.add(kind).split_at_mut(self.rows.width());
        beside.clone_from_slice(&self.beside);
        let result = self.rows.object(cursor, depth, columns);
        take_back(result, 1, batch)
    }
}

/// Takes the last changes back if something is wrong with the event.
fn take_back(result: Result<(), Flaw>, changes: usize, batch: &mut Batch<'_>) -> Result<(), Flaw> {
    if result.is_err() {
        (0..changes).for_each(|_| batch.take_back());
    }
    result
}

/// Walks over the object at the cursor, and tells the key of each member and where its value is.
fn object(
    cursor: &mut Cursor<'_>,
    depth: usize,
    scratch: &mut String,
    mut tell: impl FnMut(&str, usize),
) -> Result<(), Flaw> {
    expect_object(cursor)?;
    cursor.open(depth)?;
    cursor.members(b'}', |cursor| {
        let key = cursor.string(scratch)?;
        cursor.colon()?;
        tell(key, cursor.at);
        cursor.skip(depth + 1)
    })
}

fn expect_object(cursor: &Cursor<'_>) -> Result<(), Flaw> {
    if cursor.peek() == b'{' { Ok(()) } else { Err(cursor.unexpected("an object")) }
}

fn open_list(cursor: &mut Cursor<'_>, depth: usize) -> Result<(), Flaw> {
    if cursor.peek() != b'[' {
        return Err(cursor.unexpected("an array of rows"));
    }
    cursor.open(depth)
}

/// The text of a scalar; none if it is NULL, an object or an array.
fn text<'s, 'a: 's>(cursor: &mut Cursor<'a>, scratch: &'s mut String) -> Result<Option<&'s str>, Flaw> {
    Ok(match cursor.token(scratch)? {
        Token::String(text) | Token::Number(text) => Some(text),
        Token::Boolean(boolean) => Some(if boolean { "true" } else { "false" }),
        Token::Null | Token::Open => None,
    })
}

fn missing(at: usize, name: &str) -> Flaw {
    Flaw::new(at, format!("the event has no \"{name}\""))
}

impl Decoder for EnvelopeDecoder {
    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let whole_lines = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |end| end + 1);
        let mut cursor = Cursor::new(&text[..if last { text.len() } else { whole_lines }]);
        while !batch.is_full() && cursor.at < cursor.bytes.len() {
            let start = cursor.at;
            match self.line(&mut cursor, batch) {
                Ok(()) => {}
                Err(flaw) if self.skips_flaws() => {
                    batch.skip(flaw);
                    cursor.at = start;
                }
                Err(flaw) => return Err(flaw),
            }
            cursor.skip_line();
        }
        Ok(cursor.at)
    }

    fn skips_flaws(&self) -> bool {
        self.rows.skips_flaws()
    }
}
