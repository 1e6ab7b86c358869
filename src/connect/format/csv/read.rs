//! Rows from CSV.

use super::super::number::{decimal_value, scan_decimal, scan_integer};
use super::super::{Batch, Decoder, Flaw, is_not_a};
use super::CsvOptions;
use super::record::{Splitter, Stop, skip_comments};
use crate::changelog::RowKind;
use crate::spelling::nearest;
use crate::value::{Column, Schema, TypeKind, Value};

/// Reads CSV.
#[derive(Debug)]
pub(in crate::connect::format) struct CsvDecoder {
    options: CsvOptions,
    splitter: Splitter,
    /// The columns of the table.
    columns: Vec<Target>,
    /// What the values of a record are for; the names in the first line can say something else.
    fields: Vec<Target>,
    width: usize,
    /// Whether the first record of the file is still to come, and is no row.
    at_head: bool,
    scratch: String,
}

/// What a value is for.
#[derive(Debug, Clone)]
struct Target {
    form: Form,
    /// The value's place in the row, if it is wanted.
    slot: Option<usize>,
    name: String,
    kind: TypeKind,
}

/// What a value may be read as straight from the bytes.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Nothing.
    Any,
    /// Nothing, but it is not wanted.
    Unwanted,
    Text,
    Integer {
        is_wide: bool,
    },
    Decimal {
        precision: u8,
        scale: u8,
    },
}

impl Form {
    /// The form of values of a type. Where a text without quotes may be something else than the
    /// value, there is none.
    fn of(kind: &TypeKind, options: &CsvOptions) -> Self {
        let literal = options.null_literal.as_deref();
        let has_plain_texts = literal.is_none() && !options.empty_string_as_null;
        let is_numeric = |literal: &str| literal.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let has_plain_numbers = !literal.is_some_and(is_numeric);
        match *kind {
            TypeKind::VarChar(_) | TypeKind::Char(_) if has_plain_texts => Self::Text,
            TypeKind::BigInt if has_plain_numbers => Self::Integer { is_wide: true },
            TypeKind::Int if has_plain_numbers => Self::Integer { is_wide: false },
            TypeKind::Decimal { precision, scale } if has_plain_numbers => Self::Decimal { precision, scale },
            _ => Self::Any,
        }
    }
}

impl CsvDecoder {
    pub(in crate::connect::format) fn new(options: CsvOptions, schema: &Schema, columns: &[usize]) -> Self {
        let splitter = Splitter::new(&options);
        let target = |(index, column): (usize, &Column)| {
            let kind = column.data_type.kind.clone();
            let slot = columns.iter().position(|&column| column == index);
            let form = match slot {
                _ if !splitter.is_simple() => Form::Any,
                None => Form::Unwanted,
                Some(_) => Form::of(&kind, &options),
            };
            Target { form, slot, name: column.name.clone(), kind }
        };
        let fields: Vec<_> = schema.columns.iter().enumerate().map(target).collect();
        Self {
            columns: fields.clone(),
            fields,
            width: columns.len(),
            at_head: options.header || options.ignore_first_line,
            splitter,
            options,
            scratch: String::new(),
        }
    }

    /// Reads the record at a place into a row of NULLs; gives where the next one begins.
    fn record(&mut self, text: &str, start: usize, last: bool, row: &mut [Value]) -> Result<usize, Stop> {
        let mut at = start;
        let mut field = 0;
        loop {
            let Some(target) = self.fields.get(field) else {
                at = self.trailing(text, at, last)?;
                break;
            };
            let (next, ends) = match self.common(text, at, target, row) {
                Some(read) => read,
                None => self.field(text, at, last, field, row)?,
            };
            field += 1;
            at = next;
            if ends {
                break;
            }
        }
        if field < self.fields.len() {
            self.check_length(start, field)?;
        }
        Ok(at)
    }

    /// Reads a value straight from the bytes if it is of a common form; gives where the next one
    /// begins, and whether the record ends.
    #[inline]
    fn common(&self, text: &str, at: usize, target: &Target, row: &mut [Value]) -> Option<(usize, bool)> {
        let bytes = text.as_bytes();
        let slot = target.slot.unwrap_or_default();
        match target.form {
            Form::Any => None,
            Form::Unwanted => {
                let end = self.splitter.text_end(bytes, at)?;
                self.splitter.close(bytes, end)
            }
            Form::Text => {
                let end = self.splitter.text_end(bytes, at)?;
                let read = self.splitter.close(bytes, end)?;
                row[slot].set_string(&text[at..end]);
                Some(read)
            }
            Form::Integer { is_wide } => {
                let (number, end) = scan_integer(bytes, at)?;
                let read = self.splitter.close(bytes, end)?;
                if !is_wide && i32::try_from(number).is_err() {
                    return None;
                }
                row[slot] = Value::integer(number);
                Some(read)
            }
            Form::Decimal { precision, scale } => {
                let (unscaled, end) = scan_decimal(bytes, at, scale)?;
                let read = self.splitter.close(bytes, end)?;
                row[slot] = decimal_value(unscaled, precision, scale);
                Some(read)
            }
        }
    }

    /// Reads a value of any form; gives where the next one begins, and whether the record ends.
    #[inline(never)]
    fn field(
        &mut self,
        text: &str,
        at: usize,
        last: bool,
        field: usize,
        row: &mut [Value],
    ) -> Result<(usize, bool), Stop> {
        let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
        let target = &self.fields[field];
        if let Some(slot) = target.slot {
            let value = piece.slice.map_or(self.scratch.as_str(), |(start, end)| &text[start..end]);
            row[slot] = match self.options.read(value, &target.kind) {
                Some(value) => value,
                None if self.options.ignore_parse_errors => Value::NULL,
                None => {
                    let hint = if value.is_empty() {
                        "With 'csv.null-literal' = '' nothing is read as NULL."
                    } else {
                        "With 'csv.ignore-parse-errors' = 'true' it is read as NULL."
                    };
                    let flaw = Flaw::new(at, is_not_a(value, &target.kind.to_string()));
                    return Err(Stop::Flaw(flaw.in_column(&target.name).with_hint(hint)));
                }
            };
        }
        Ok((piece.next, piece.ends))
    }

    /// Refuses a record with too few values.
    fn check_length(&self, start: usize, length: usize) -> Result<(), Stop> {
        let needs_all = self.options.fail_on_missing_columns || self.options.header;
        // As in Flink, a record lacks a value only if it has fewer than there are columns wanted.
        let needed = if needs_all { self.fields.len() } else { self.width };
        let may_lack = self.options.ignore_parse_errors && !self.options.fail_on_missing_columns;
        if length >= needed || may_lack {
            return Ok(());
        }
        let values = if length == 1 { "value" } else { "values" };
        let problem = format!("a line has {length} {values} where {} are expected", self.fields.len());
        Err(Stop::Flaw(Flaw::new(start, problem)))
    }

    /// Reads what comes behind the last column; gives where the next record begins.
    fn trailing(&mut self, text: &str, at: usize, last: bool) -> Result<usize, Stop> {
        let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
        let value = piece.slice.map_or(self.scratch.as_str(), |(start, end)| &text[start..end]);
        if self.options.ignore_trailing_unmappable {
            return if piece.ends { Ok(piece.next) } else { self.rest(text, piece.next, last) };
        }
        let is_blank = value.chars().all(|c| c <= ' ');
        if piece.ends && is_blank && self.options.allow_trailing_comma {
            return Ok(piece.next);
        }
        let problem = format!("a line has more than {} values", self.fields.len());
        Err(Stop::Flaw(Flaw::new(at, problem)))
    }

    /// Goes over the values from a place on; gives where the next record begins.
    fn rest(&mut self, text: &str, at: usize, last: bool) -> Result<usize, Stop> {
        let mut at = at;
        loop {
            let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
            at = piece.next;
            if piece.ends {
                return Ok(at);
            }
        }
    }

    /// Reads the names of the columns, or the line to ignore; gives where the next record begins.
    fn head(&mut self, text: &str, start: usize, last: bool) -> Result<usize, Stop> {
        if self.options.ignore_first_line {
            return self.rest(text, start, last);
        }
        let mut names = vec![];
        let mut at = start;
        loop {
            let piece = self.splitter.value(text, at, last, &mut self.scratch)?;
            let name = piece.slice.map_or(self.scratch.as_str(), |(start, end)| &text[start..end]);
            names.push(name.to_owned());
            at = piece.next;
            if piece.ends {
                break;
            }
        }
        if names.last().is_some_and(String::is_empty) && self.options.allow_trailing_comma {
            names.pop();
        }
        if let Some(column) = self.columns.iter().find(|column| !names.contains(&column.name)) {
            let flaw = Flaw::new(start, "the first line does not name a column");
            let hint = match nearest(&column.name, names.iter().map(String::as_str)) {
                Some(near) => format!("It names a column \"{near}\"."),
                None => format!("It names {}.", names.join(", ")),
            };
            return Err(Stop::Flaw(flaw.in_column(&column.name).with_hint(hint)));
        }
        let target = |name: &String| {
            let form = if self.splitter.is_simple() { Form::Unwanted } else { Form::Any };
            let unknown = || Target { form, slot: None, name: name.clone(), kind: TypeKind::Null };
            self.columns.iter().find(|column| column.name == *name).cloned().unwrap_or_else(unknown)
        };
        self.fields = names.iter().map(target).collect();
        Ok(at)
    }

    /// Where a record begins, from a place on.
    fn start(&self, text: &str, at: usize, last: bool) -> Result<Option<usize>, Stop> {
        if self.options.allow_comments {
            return skip_comments(text, at, last);
        }
        match text.len() - at {
            0 if last => Ok(None),
            0 => Err(Stop::More),
            _ => Ok(Some(at)),
        }
    }
}

impl Decoder for CsvDecoder {
    fn begin(&mut self) {
        self.at_head = self.options.header || self.options.ignore_first_line;
    }

    fn decode(&mut self, text: &str, last: bool, batch: &mut Batch<'_>) -> Result<usize, Flaw> {
        let mut at = 0;
        while !batch.is_full() {
            let start = match self.start(text, at, last) {
                Ok(Some(start)) => start,
                Ok(None) => return Ok(text.len()),
                Err(Stop::More) => return Ok(at),
                Err(Stop::Flaw(flaw)) => return Err(flaw),
            };
            let mut read = if self.at_head {
                self.head(text, start, last)
            } else {
                let read = self.record(text, start, last, batch.add(RowKind::Insert));
                if read.is_err() {
                    batch.take_back();
                }
                read
            };
            let skips = self.options.ignore_parse_errors && !self.at_head;
            if let Err(Stop::Flaw(flaw)) = read {
                if !skips {
                    return Err(flaw);
                }
                read = self.skip_flawed(text, &flaw, last);
                if read.is_ok() {
                    batch.skip(flaw);
                }
            }
            match read {
                Ok(next) => at = next,
                Err(Stop::More) => return Ok(at),
                Err(Stop::Flaw(flaw)) => return Err(flaw),
            }
            self.at_head = false;
        }
        Ok(at)
    }

    fn skips_flaws(&self) -> bool {
        self.options.ignore_parse_errors
    }
}

impl CsvDecoder {
    /// Where the record behind a flawed one begins.
    fn skip_flawed(&mut self, text: &str, flaw: &Flaw, last: bool) -> Result<usize, Stop> {
        if !self.splitter.is_quote(text.as_bytes(), flaw.at()) {
            return self.splitter.skip_record(text, flaw.at(), last);
        }
        match self.rest(text, flaw.at(), last) {
            Ok(next) => Ok(next),
            // A value in quotes that is not closed goes on to the end.
            Err(Stop::Flaw(_)) => Ok(text.len()),
            Err(Stop::More) => Err(Stop::More),
        }
    }
}
