//! `INSERT INTO t VALUES` with nothing but literals, read without a tree.
//!
//! Scripts insert a million rows; a tree for each literal would cost more than everything that follows.
//! A row read here is a few offsets into the statement's text.

use std::borrow::Cow;

use sqlparser::ast::{Ident, ObjectName, ObjectNamePart, Query};

use super::data_type::data_type_of_text;
use super::error::ParseError;
use super::span::Span;
use super::statement::{Insert, InsertSource, OnConflict, Statement};
use super::statement_parser::parse_all;
use super::words;
use crate::value::DataType;

/// Rows of literals, all of one width.
#[derive(Debug, Clone, PartialEq)]
pub struct LiteralRows {
    /// The text of the whole statement.
    text: Box<str>,
    width: usize,
    literals: Vec<Stretch>,
    types: Vec<DataType>,
}

/// A literal.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal<'a> {
    /// `NULL`
    Null,
    /// `CAST(NULL AS type)`
    TypedNull(&'a DataType),
    /// `TRUE`, `FALSE`
    Boolean(bool),
    /// A number as it is written, with its sign: `-1.50`, `1e10`
    Number(&'a str),
    /// `'…'`, with doubled quotes undone.
    String(Cow<'a, str>),
    /// `DATE '…'`
    Date(Cow<'a, str>),
    /// `TIME '…'`
    Time(Cow<'a, str>),
    /// `TIMESTAMP '…'`
    Timestamp(Cow<'a, str>),
}

/// Where a literal stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    start: u32,
    length: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    /// With the index of the type.
    TypedNull(u8),
    True,
    False,
    Number,
    /// The stretch is without the quotes; true if there are doubled quotes.
    String(bool),
    Date,
    Time,
    Timestamp,
}

impl LiteralRows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.literals.len() / self.width
    }

    /// Whether there are no rows, which does not happen.
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    /// The number of literals in each row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The literals of a row.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = Literal<'_>> {
        let start = row * self.width;
        self.literals[start..start + self.width].iter().map(|stretch| self.literal(*stretch))
    }

    /// Where a literal stands in the statement. Takes time in proportion to the text before it.
    pub fn span(&self, row: usize, column: usize) -> Span {
        let stretch = self.literals[row * self.width + column];
        let start = stretch.start as usize;
        Span::of_bytes(&self.text, start..start + stretch.length as usize)
    }

    /// The same rows as a tree, for who wants expressions.
    pub fn to_query(&self) -> Result<Box<Query>, ParseError> {
        let parsed = parse_all(&self.text)?;
        match parsed.statement {
            Statement::Insert(insert) => match insert.source {
                InsertSource::Query(query) => Ok(query),
                InsertSource::Rows(rows) => rows.to_query(),
            },
            _ => Err(ParseError::new("the statement is no INSERT", Span::of_bytes(&self.text, 0..0))),
        }
    }

    fn literal(&self, stretch: Stretch) -> Literal<'_> {
        let start = stretch.start as usize;
        let text = &self.text[start..start + stretch.length as usize];
        match stretch.kind {
            Kind::Null => Literal::Null,
            Kind::TypedNull(index) => Literal::TypedNull(&self.types[usize::from(index)]),
            Kind::True => Literal::Boolean(true),
            Kind::False => Literal::Boolean(false),
            Kind::Number => Literal::Number(text),
            Kind::String(false) => Literal::String(Cow::Borrowed(text)),
            Kind::String(true) => Literal::String(Cow::Owned(text.replace("''", "'"))),
            Kind::Date => Literal::Date(Cow::Borrowed(text)),
            Kind::Time => Literal::Time(Cow::Borrowed(text)),
            Kind::Timestamp => Literal::Timestamp(Cow::Borrowed(text)),
        }
    }
}

/// Reads the statement if it is an INSERT of literals. What is not, and what has an error, is `None`.
pub(super) fn read_insert(text: &str) -> Option<Insert> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, types: vec![], known: vec![] };
    reader.word_if("INSERT")?;
    let overwrite = reader.word_if("OVERWRITE").is_some();
    if !overwrite {
        reader.word_if("INTO")?;
    }
    let mut parts = vec![ObjectNamePart::Identifier(reader.name()?)];
    while reader.byte_if(b'.').is_some() {
        parts.push(ObjectNamePart::Identifier(reader.name()?));
    }
    let mut columns = vec![];
    if reader.byte_if(b'(').is_some() {
        columns.push(reader.name()?);
        while reader.byte_if(b',').is_some() {
            columns.push(reader.name()?);
        }
        reader.byte_if(b')')?;
    }
    reader.word_if("VALUES")?;
    let (width, literals) = reader.rows()?;
    let on_conflict = match reader.word_if("ON") {
        Some(()) => Some(reader.on_conflict()?),
        None => None,
    };
    while reader.byte_if(b';').is_some() {}
    if reader.at < reader.bytes.len() {
        return None;
    }
    let rows = LiteralRows { text: text.into(), width, literals, types: reader.types };
    let source = InsertSource::Rows(rows);
    Some(Insert { table: ObjectName(parts), columns, source, overwrite, on_conflict })
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    types: Vec<DataType>,
    /// The text of each type in `CAST(NULL AS type)`. There are only a few.
    known: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips blanks and comments. Hints and what is not closed stay, and end the fast reading.
    fn skip_blanks(&mut self) {
        loop {
            match (self.peek(), self.bytes.get(self.at + 1), self.bytes.get(self.at + 2)) {
                (Some(b' ' | b'\t' | b'\n' | b'\r'), _, _) => self.at += 1,
                (Some(b'-'), Some(b'-'), _) => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                }
                (Some(b'/'), Some(b'*'), third) if third != Some(&b'+') => {
                    match self.text[self.at + 2..].find("*/") {
                        Some(end) => self.at += end + 4,
                        None => return,
                    }
                }
                _ => return,
            }
        }
    }

    fn byte_if(&mut self, byte: u8) -> Option<()> {
        self.skip_blanks();
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// An ASCII word; one that goes on with a character outside ASCII is none.
    fn word(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
        let length = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
        if length == 0 || !rest[0].is_ascii_alphabetic() || rest.get(length).is_some_and(|b| !b.is_ascii()) {
            return None;
        }
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        Some(word)
    }

    fn word_if(&mut self, word: &str) -> Option<()> {
        self.skip_blanks();
        let start = self.at;
        if self.word().is_some_and(|found| found.eq_ignore_ascii_case(word)) {
            return Some(());
        }
        self.at = start;
        None
    }

    fn name(&mut self) -> Option<Ident> {
        self.skip_blanks();
        let start = self.at;
        let (value, quote) = if self.peek() == Some(b'`') {
            let range = self.quoted(b'`')?;
            (self.text[range.0..range.1].replace("``", "`"), Some('`'))
        } else {
            let word = self.word().filter(|word| !words::is_reserved(word))?;
            (word.to_string(), None)
        };
        let span = Span::of_bytes(self.text, start..self.at);
        Some(Ident { value, quote_style: quote, span: span.into() })
    }

    /// The inside of a quoted stretch, and whether quotes are doubled in it.
    fn quoted(&mut self, quote: u8) -> Option<(usize, usize, bool)> {
        let start = self.at + 1;
        let mut at = start;
        let mut doubled = false;
        loop {
            at += self.bytes[at..].iter().position(|b| *b == quote)?;
            if self.bytes.get(at + 1) != Some(&quote) {
                self.at = at + 1;
                return Some((start, at, doubled));
            }
            doubled = true;
            at += 2;
        }
    }

    fn rows(&mut self) -> Option<(usize, Vec<Stretch>)> {
        let mut literals = Vec::with_capacity(self.bytes.len() / 16);
        let mut width = 0;
        loop {
            let start = literals.len();
            self.byte_if(b'(')?;
            literals.push(self.literal()?);
            while self.byte_if(b',').is_some() {
                literals.push(self.literal()?);
            }
            self.byte_if(b')')?;
            let found = literals.len() - start;
            if width != 0 && width != found {
                return None;
            }
            width = found;
            if self.byte_if(b',').is_none() {
                return Some((width, literals));
            }
        }
    }

    fn literal(&mut self) -> Option<Stretch> {
        self.skip_blanks();
        let start = self.at;
        match self.peek()? {
            b'\'' => self.string(Kind::String),
            b'0'..=b'9' | b'-' | b'.' => self.number(),
            _ => {
                let word = self.word()?;
                let is = |other: &str| word.eq_ignore_ascii_case(other);
                if is("NULL") {
                    Some(self.stretch(start, Kind::Null))
                } else if is("TRUE") {
                    Some(self.stretch(start, Kind::True))
                } else if is("FALSE") {
                    Some(self.stretch(start, Kind::False))
                } else if is("DATE") {
                    self.typed(Kind::Date)
                } else if is("TIME") {
                    self.typed(Kind::Time)
                } else if is("TIMESTAMP") {
                    self.typed(Kind::Timestamp)
                } else if is("CAST") {
                    self.typed_null(start)
                } else {
                    None
                }
            }
        }
    }

    /// The stretch from a byte up to here.
    fn stretch(&self, start: usize, kind: Kind) -> Stretch {
        let narrow = |n: usize| u32::try_from(n).expect("the text is shorter than 4 GiB");
        Stretch { start: narrow(start), length: narrow(self.at - start), kind }
    }

    fn string(&mut self, kind: impl Fn(bool) -> Kind) -> Option<Stretch> {
        let (start, end, doubled) = self.quoted(b'\'')?;
        let after = self.at;
        self.at = end;
        let stretch = self.stretch(start, kind(doubled));
        self.at = after;
        Some(stretch)
    }

    fn typed(&mut self, kind: Kind) -> Option<Stretch> {
        self.skip_blanks();
        if self.peek() != Some(b'\'') {
            return None;
        }
        let stretch = self.string(|doubled| if doubled { Kind::String(true) } else { kind })?;
        (stretch.kind == kind).then_some(stretch)
    }

    fn digits(&mut self) -> usize {
        let rest = &self.bytes[self.at..];
        let count = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
        self.at += count;
        count
    }

    fn number(&mut self) -> Option<Stretch> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let mut count = self.digits();
        if self.peek() == Some(b'.') {
            self.at += 1;
            count += self.digits();
        }
        if count == 0 {
            return None;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return None;
            }
        }
        let ends = matches!(self.peek(), Some(b',' | b')' | b' ' | b'\n' | b'\r' | b'\t'));
        ends.then(|| self.stretch(start, Kind::Number))
    }

    /// `CAST(NULL AS type)`, behind CAST.
    fn typed_null(&mut self, start: usize) -> Option<Stretch> {
        self.byte_if(b'(')?;
        self.word_if("NULL")?;
        self.word_if("AS")?;
        self.skip_blanks();
        let from = self.at;
        let mut depth = 0;
        loop {
            match self.peek()? {
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b'\'' | b'"' | b'`' | b'-' | b'/' | b';' => return None,
                b if !b.is_ascii() => return None,
                _ => {}
            }
            self.at += 1;
        }
        let text = &self.text[from..self.at];
        self.at += 1;
        let index = match self.known.iter().position(|known| *known == text) {
            Some(index) => index,
            None => self.add_type(text)?,
        };
        Some(self.stretch(start, Kind::TypedNull(u8::try_from(index).ok()?)))
    }

    fn add_type(&mut self, text: &'a str) -> Option<usize> {
        self.types.push(data_type_of_text(text).ok()?);
        self.known.push(text);
        Some(self.known.len() - 1)
    }

    fn on_conflict(&mut self) -> Option<OnConflict> {
        self.word_if("CONFLICT")?;
        self.word_if("DO")?;
        let action = self.word()?.to_ascii_uppercase();
        match action.as_str() {
            "DEDUPLICATE" => Some(OnConflict::Deduplicate),
            "ERROR" => Some(OnConflict::Error),
            "NOTHING" => Some(OnConflict::Nothing),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
